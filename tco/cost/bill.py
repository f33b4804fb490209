"""The bill that a scenario's traffic is taken from, as the comparison shows it."""

from __future__ import annotations

from tco.bill import BillFacts
from tco.comparison import BillResult
from tco.finding import Finding
from tco.scenario import Scenario
from tco.units import HOURS_PER_DAY, HOURS_PER_MONTH


def bill_facts_of(scenario: Scenario) -> BillFacts | None:
    """Return what the scenario's bill tells; None without one."""
    bill = scenario.traffic.bill
    return None if bill is None else bill.found


def bill_findings(scenario: Scenario) -> tuple[Finding, ...]:
    """Return what was seen in the bill's files."""
    facts = bill_facts_of(scenario)
    return () if facts is None else facts.findings


def bill_result(scenario: Scenario) -> BillResult | None:
    """Return the bill's period, sums and USD a month; None without a bill."""
    facts = bill_facts_of(scenario)
    if facts is None:
        return None
    usd = None if facts.usd is None else float(facts.usd)
    return BillResult(
        files=facts.files,
        formats=facts.formats,
        first_day=facts.first_day,
        last_day=facts.last_day,
        days=facts.days,
        requests=facts.requests,
        is_counted=facts.is_counted,
        input_tokens=facts.input_tokens,
        cached_tokens=facts.cached_tokens,
        output_tokens=facts.output_tokens,
        usd=usd,
        usd_per_month=None if usd is None else usd / (facts.days * HOURS_PER_DAY) * HOURS_PER_MONTH,
    )
