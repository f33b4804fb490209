"""Own cost against every alternative: scenario, measurement and prices in, a Comparison out."""

from __future__ import annotations

import dataclasses
import datetime as dt

import numpy as np

from tco.comparison import (
    Capacity,
    Comparison,
    CostParts,
    Interval,
    SelfHost,
    Served,
    UtilisationRow,
)
from tco.cost.answers import present
from tco.cost.bill import bill_findings, bill_result
from tco.cost.carbon import footprint
from tco.cost.cash import own_flow
from tco.cost.contender import contenders, with_batch_prices
from tco.cost.details import details
from tco.cost.evaluate import Evaluation, Inputs, evaluate, evaluate_fleet, fleet_at_peak
from tco.cost.finance import invested_usd
from tco.cost.findings import (
    cost_findings,
    demonstration_findings,
    measurement_findings,
    result_findings,
    spare_findings,
    trace_demand_findings,
)
from tco.cost.fleet_findings import idle_findings, step_findings
from tco.cost.hybrid import with_hybrids
from tco.cost.inputs import inputs_of
from tco.cost.number import Number
from tco.cost.price_findings import price_findings
from tco.cost.reach import reachable_utilisation
from tco.cost.reach_findings import reach_findings
from tco.cost.result import Basis, result_of
from tco.cost.service import capacity_rule, service_findings, service_verdict, streams_at_capacity
from tco.cost.tier_findings import tier_findings
from tco.cost.unit_findings import unit_findings
from tco.cost.ways import ways_of
from tco.cost.ways_findings import ways_findings
from tco.errors import InputError
from tco.measurement import Measurement
from tco.prices import PriceTables
from tco.scenario import Scenario
from tco.units import HOURS_PER_YEAR, SECONDS_PER_HOUR, SECONDS_PER_YEAR, TOKENS_PER_MILLION

_TABLE_STEPS = 100


def compare(
    scenario: Scenario,
    measurement: Measurement,
    tables: PriceTables,
    *,
    scenario_sha256: str,
    measurement_sha256: str | None,
    date: dt.date,
    tool_version: str,
) -> Comparison:
    """Return own cost against every alternative, for the same request.

    Args:
        scenario: what the user states.
        measurement: what was observed of one replica, or a published figure.
        tables: price rows that alternatives may name.
        scenario_sha256: of the scenario.
        measurement_sha256: of the measurement's file, if it has one.
        date: the day whose prices are in force.
        tool_version: of this program.

    Raises:
        InputError: an alternative that no table has, or figures that do not fit together.
    """
    scenario = with_batch_prices(scenario, tables, date)
    inputs, _ = inputs_of(scenario, measurement, tables, date)
    try:
        evaluation = evaluate(inputs)
        rivals = contenders(scenario, inputs.alternatives, tables, float(inputs.input_tokens))
        intervals = _saving_intervals(inputs, measurement)
    except ValueError as error:
        raise InputError(f"the figures do not fit together: {error}") from None
    basis = Basis.of(scenario, inputs, evaluation)
    results = with_hybrids(
        inputs,
        [result_of(basis, index, rival, intervals[index]) for index, rival in enumerate(rivals)],
    )
    utilisation = float(evaluation.fleet.utilisation)
    service = service_verdict(scenario, measurement)
    own = _self_host(scenario, basis)
    ways = ways_of(
        scenario,
        basis,
        results,
        lambda other: inputs_of(other, measurement, tables, date)[0],
    )
    return Comparison(
        tool_version=tool_version,
        date=date,
        scenario_sha256=scenario_sha256,
        measurement_sha256=measurement_sha256,
        name=scenario.name,
        currency=scenario.currency.code,
        capacity=_capacity(scenario, inputs, measurement),
        served=_served(inputs, evaluation),
        self_host=own,
        alternatives=results,
        utilisation=_utilisation_table(inputs, evaluation),
        findings=(
            *demonstration_findings(measurement, results),
            *measurement_findings(scenario, measurement),
            *service_findings(service, measurement),
            *cost_findings(scenario, evaluation.lines, utilisation),
            *spare_findings(scenario, evaluation.fleet),
            *idle_findings(scenario, inputs, own),
            *step_findings(inputs, evaluation, results),
            *trace_demand_findings(scenario),
            *unit_findings(scenario),
            *price_findings(scenario, rivals, date),
            *tier_findings(scenario, inputs, rivals),
            *result_findings(scenario, results),
            *reach_findings(inputs, own, results),
            *bill_findings(scenario),
            *ways_findings(scenario, ways),
        ),
        service=service,
        requests_per_session=basis.requests_per_session,
        bill=bill_result(scenario),
        ways=ways,
    )


def _capacity(scenario: Scenario, inputs: Inputs, measurement: Measurement) -> Capacity:
    seen = measurement.rate_interval()
    return Capacity(
        **_rates(inputs, inputs.capacity_requests_per_s),
        origin=measurement.origin,
        interval=None if seen is None else Interval(**seen.model_dump()),
        rule=capacity_rule(scenario, measurement),
        streams=streams_at_capacity(measurement),
    )


def _served(inputs: Inputs, evaluation: Evaluation) -> Served:
    return Served(**_rates(inputs, evaluation.served_requests_per_s))


def _rates(inputs: Inputs, requests_per_s: Number) -> dict[str, float]:
    input_tok_per_s = float(requests_per_s * inputs.input_tokens)
    output_tok_per_s = float(requests_per_s * inputs.output_tokens)
    return {
        "requests_per_s": float(requests_per_s),
        "input_tok_per_s": input_tok_per_s,
        "output_tok_per_s": output_tok_per_s,
        "total_tok_per_s": input_tok_per_s + output_tok_per_s,
    }


def _self_host(scenario: Scenario, basis: Basis) -> SelfHost:
    """The fleet in its first year; of one that scales by the hour, the servers at the peak."""
    inputs, evaluation = basis.inputs, basis.evaluation
    peak = fleet_at_peak(inputs, evaluation.fleet)
    lines = {name: float(line) for name, line in dataclasses.asdict(evaluation.lines).items()}
    usd_per_hour = float(evaluation.usd_per_hour)
    output_per_hour = float(evaluation.served_requests_per_s * inputs.output_tokens)
    output_per_hour *= SECONDS_PER_HOUR
    return SelfHost(
        utilisation=float(evaluation.fleet.utilisation),
        reachable_utilisation=float(reachable_utilisation(inputs, evaluation.fleet)),
        servers=round(float(peak.servers)),
        replicas=round(float(peak.replicas)),
        accelerators=round(float(peak.servers * inputs.server.accelerators)),
        accelerators_used=round(float(peak.replicas * inputs.accelerators_per_replica)),
        usd_per_hour=usd_per_hour,
        usd_per_year=float(evaluation.usd_per_hour * HOURS_PER_YEAR),
        requests_per_year=float(evaluation.served_requests_per_s * SECONDS_PER_YEAR),
        usd_per_request=float(evaluation.usd_per_request),
        usd_per_million_output=float(evaluation.usd_per_million_output),
        usd_per_million_total=float(evaluation.usd_per_million_total),
        parts_usd_per_hour=CostParts(**lines),
        parts_usd_per_year=_scaled(lines, HOURS_PER_YEAR),
        parts_usd_per_million_output=_scaled(lines, TOKENS_PER_MILLION / output_per_hour),
        parts_share=_scaled(lines, 1 / usd_per_hour) if usd_per_hour > 0 else None,
        cash_at_start_usd=float(invested_usd(own_flow(inputs, evaluation, basis.terms))),
        usd_per_session=basis.usd_per_session(float(evaluation.usd_per_request)),
        server_idle_w=float(inputs.server.idle_w),
        server_load_w=float(inputs.server.load_w),
        details=details(scenario, inputs, evaluation),
        **dataclasses.asdict(footprint(scenario, inputs, evaluation)),
    )


def _scaled(lines: dict[str, float], factor: float) -> CostParts:
    return CostParts(**{name: line * factor for name, line in lines.items()})


def _utilisation_table(inputs: Inputs, evaluation: Evaluation) -> tuple[UtilisationRow, ...]:
    """The same fleet at u = 0.01 … 1.00."""
    shares = np.arange(1, _TABLE_STEPS + 1) / _TABLE_STEPS
    at = evaluate_fleet(inputs, dataclasses.replace(evaluation.fleet, utilisation=shares))
    cost = np.broadcast_to(at.usd_per_million_output, shares.shape)
    savings = [np.broadcast_to(rival.saving, shares.shape) for rival in at.rivals]
    return tuple(
        UtilisationRow(
            utilisation=float(share),
            usd_per_million_output=float(cost[row]),
            saving=tuple(present(saving[row]) for saving in savings),
        )
        for row, share in enumerate(shares)
    )


def _saving_intervals(inputs: Inputs, measurement: Measurement) -> list[Interval | None]:
    """The saving at both ends of the capacity's interval; None where there is no interval."""
    count = len(inputs.alternatives)
    seen = measurement.rate_interval()
    if seen is None or seen.low <= 0:
        return [None] * count
    share = np.array([seen.low, seen.high]) / measurement.capacity().output_tok_per_s
    at = evaluate(
        dataclasses.replace(inputs, capacity_requests_per_s=inputs.capacity_requests_per_s * share)
    )
    return [_ends(np.asarray(rival.saving), seen.level, seen.covers) for rival in at.rivals]


def _ends(savings: np.ndarray, level: float | None, covers: str) -> Interval | None:
    if np.isnan(savings).any():
        return None
    return Interval(low=float(savings.min()), high=float(savings.max()), level=level, covers=covers)
