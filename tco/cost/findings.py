"""What a reader must know beside the figures: each thing one Finding with a stable kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from tco.comparison import AlternativeResult
from tco.cost.fleet import Fleet
from tco.cost.ownership import CostLines
from tco.cost.power_findings import power_findings
from tco.cost.tuned_findings import tuned_findings
from tco.finding import Finding
from tco.measurement import Measurement, measured_shape
from tco.price_faults import kind_of_zero
from tco.scenario import Scenario, states_capacity

HIGH_UTILISATION = 0.8
_SHAPE_TOLERANCE_SHARE = 0.02
_SHAPE_LIMIT_SHARE = 0.1
_SHAPE_TOLERANCE = 0.02
# What no server runs without, and the key that states it.
_RUNNING_KEYS = {
    "power": "power",
    "staff": "operations.fte",
    "licence": "operations.licence_usd_per_accelerator_year",
}


def measurement_findings(scenario: Scenario, measurement: Measurement) -> Iterator[Finding]:
    """Yield what must be said of the measurement; its own findings stay as severe as they are."""
    yield from measurement.all_findings()
    if measurement.origin == "published":
        source = measurement.published.source if measurement.published else "an unnamed source"
        yield Finding(
            kind="published_rate",
            severity="warn",
            path="measurement.published",
            message=f"the rate was not measured here; it was published ({source})",
            advice="measure your own with `tco bench`",
        )
    yield from _shape(scenario, measurement)
    if measurement.origin != "published" and states_capacity(scenario.traffic.shape.mix):
        yield Finding(
            kind="mix_capacity_unused",
            severity="info",
            path="traffic.shape.mix",
            message="the measurement is of the whole mix and gives the capacity; "
            "the requests_per_s of its shapes are not used",
            advice="leave -m out to cost by the shapes' own capacities",
        )
    yield from tuned_findings(scenario, measurement)
    yield from power_findings(scenario, measurement)


def _shape(scenario: Scenario, measurement: Measurement) -> Iterator[Finding]:
    asked, seen = measured_shape(scenario.traffic.shape), measurement.shape
    lengths = (
        ("input_tokens", asked.input_tokens, seen.input_tokens),
        ("output_tokens", asked.output_tokens, seen.output_tokens),
    )
    changes = {
        f"{name} {measured:g} for {wanted:g}": abs(measured - wanted) / wanted
        for name, wanted, measured in lengths
    }
    off = [words for words, change in changes.items() if change > _SHAPE_TOLERANCE_SHARE]
    off += _cached_share(asked.cached_input_share or 0.0, seen.cached_input_share)
    if off:
        worst = max(changes.values())
        yield Finding(
            kind="shape_differs",
            severity="invalid" if worst > _SHAPE_LIMIT_SHARE else "warn",
            path="traffic.shape",
            message=f"the measurement is of another request: {', '.join(off)}",
            advice="measure the scenario's own shape with `tco bench`",
            value=worst,
            limit=_SHAPE_LIMIT_SHARE,
        )


def _cached_share(asked: float, seen: float | None) -> list[str]:
    if seen is None:
        return [f"cached_input_share not stated for {asked:g}"] if asked else []
    if abs(seen - asked) <= _SHAPE_TOLERANCE:
        return []
    return [f"cached_input_share {seen:g} for {asked:g}"]


def cost_findings(scenario: Scenario, lines: CostLines, utilisation: float) -> Iterator[Finding]:
    """Yield what must be said of own cost: what is not in it, and how busy it assumes us."""
    zero = [each.name for each in fields(lines) if getattr(lines, each.name) == 0]
    owned = scenario.hardware.purchase is not None
    rent = scenario.hardware.rent
    elsewhere = {"rental" if owned else "capital"}
    if rent is not None and rent.power_included:
        elsewhere.add("power")
    left_out = [name for name in zero if name not in elsewhere]
    if left_out:
        yield Finding(
            kind="not_included",
            severity="info",
            path="operations",
            message=f"not included: {', '.join(left_out)}",
            advice="state them, or be sure that they are nothing",
            value=len(left_out),
        )
    bare = [name for name in _RUNNING_KEYS if name in zero]
    if owned and bare:
        yield Finding(
            kind="purchase_without_running_costs",
            severity="warn",
            path="operations",
            message=f"the purchase is costed without {', '.join(bare)}",
            advice="state " + " and ".join(_RUNNING_KEYS[name] for name in bare),
            value=len(bare),
        )
    if utilisation > HIGH_UTILISATION:
        yield Finding(
            kind="high_utilisation",
            severity="warn",
            path="traffic",
            message=f"utilisation {utilisation:.0%} all year is an upper bound: "
            "few fleets are that busy",
            advice="read the saving at a lower utilisation in the table, or state traffic.demand",
            value=utilisation,
            limit=HIGH_UTILISATION,
        )
    if not owned and scenario.operations.maintenance_share_per_year.value > 0:
        yield Finding(
            kind="maintenance_without_purchase",
            severity="warn",
            path="operations.maintenance_share_per_year",
            message="maintenance is a share of a purchase price, and nothing is bought here: "
            "it costs nothing in these figures",
            advice="state what it costs as operations.other_usd_per_year",
            value=scenario.operations.maintenance_share_per_year.value,
        )
    demand, rent = scenario.traffic.demand, scenario.hardware.rent
    if rent and rent.billing == "hourly" and (demand is None or demand.profile is None):
        yield Finding(
            kind="hourly_without_profile",
            severity="info",
            path="hardware.rent.billing",
            message="rent by the hour, but no hourly profile says when servers can be given back: "
            "all of them are paid all year",
            advice="state traffic.demand.profile",
        )


def spare_findings(scenario: Scenario, fleet: Fleet) -> Iterator[Finding]:
    """Yield what failures mean for a fleet without a spare: they cost its peak, not only money."""
    demand, operations = scenario.traffic.demand, scenario.operations
    rate = operations.failures_per_accelerator_year.value
    if demand is None or rate == 0 or demand.spares.value > 0:
        return
    server = scenario.hardware.purchase or scenario.hardware.rent
    accelerators = server.accelerators.value if server is not None else 1.0
    failures = rate * accelerators * float(fleet.servers)
    yield Finding(
        kind="failures_without_spares",
        severity="warn",
        path="traffic.demand.spares",
        message=f"{failures:.2g} failures a year are to be expected, and there is no spare "
        "replica: until a repair is done the peak is not served",
        advice="state traffic.demand.spares; repairs alone are in the maintenance line",
        value=failures,
    )


def trace_demand_findings(scenario: Scenario) -> Iterator[Finding]:
    """Yield that a trace of less than a day stands for the whole year."""
    demand = scenario.traffic.demand
    if demand is None or not demand.from_trace or demand.profile is not None:
        return
    yield Finding(
        kind="demand_of_short_trace",
        severity="warn",
        path="traffic.demand.from_trace",
        message="the trace spans less than a day, and its rate is taken as that of the whole year: "
        "nights and weekends are not in it",
        advice="take a trace of a week, or state requests_per_day and a profile",
    )


def result_findings(scenario: Scenario, results: Sequence[AlternativeResult]) -> Iterator[Finding]:
    """Yield what must be said of the results against each alternative."""
    for index, each in enumerate(results):
        path = f"alternatives.{index}"
        if each.saving_reason == "zero_price":
            kind = kind_of_zero(scenario.alternatives[index].catalog or "")
            yield Finding(
                kind="zero_price",
                severity="warn",
                path=path,
                message=f"{each.name} has a price of 0 ({kind}), so there is no saving against it",
                advice="compare with what the request costs once it is no longer free",
            )
        if each.pays_back_then_loses:
            yield Finding(
                kind="pays_back_then_loses",
                severity="warn",
                path=path,
                message=f"against {each.name} the purchase pays back after "
                f"{each.payback_years:.2g} years, and loses over the whole horizon",
                advice="decide by the net present value, not by the payback",
                value=each.npv_usd,
                limit=0.0,
            )
        if scenario.hardware.purchase and each.payback_years_reason == "not_within_horizon":
            yield Finding(
                kind="does_not_pay_back",
                severity="warn",
                path=path,
                message=f"the purchase does not pay back against {each.name} within the horizon",
                advice="look at the break-even utilisation",
            )
    if not results:
        yield Finding(
            kind="no_alternative",
            severity="warn",
            path="alternatives",
            message="there is nothing to compare with",
            advice="state at least one alternative",
        )


def demonstration_findings(
    measurement: Measurement, results: Sequence[AlternativeResult]
) -> Iterator[Finding]:
    """Yield `method_demonstration` where the figures are no business case."""
    dummy = measurement.engine is not None and measurement.engine.model_is_dummy
    unequal = bool(results) and not any(each.same_weights for each in results)
    if not (dummy or unequal):
        return
    why = (
        "the measured model is a dummy"
        if dummy
        else "no alternative is declared to serve the same weights"
    )
    yield Finding(
        kind="method_demonstration",
        severity="warn",
        path="engine" if dummy else "alternatives",
        message=f"method demonstration, not a business case: {why}",
        advice="measure the model you would serve, against an API that serves the same weights",
    )
