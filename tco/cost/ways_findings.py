"""What must be said of other hardware: a life too short, no electricity, upkeep paid twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tco.comparison import Way
from tco.finding import Finding
from tco.quantity import Quantity
from tco.scenario import Scenario, hardware_names

# What who rents a server out mostly pays, and the unit of its key.
_LANDLORDS = {
    "hosting_usd_per_month": "a server and month",
    "colocation_usd_per_kw_month": "a kW and month",
    "repair_usd_per_failure": "a failure",
}


def ways_findings(scenario: Scenario, ways: Sequence[Way]) -> Iterator[Finding]:
    """Yield what must be said of the scenario's other hardware, as it is among the ways."""
    yield from _lives(ways[1 : 1 + len(scenario.other_hardware)])
    yield from _without_power(scenario)
    yield from _paid_by_the_landlord(scenario)


def _lives(ways: Sequence[Way]) -> Iterator[Finding]:
    for index, way in enumerate(ways):
        months, life_months = way.break_even_months_unbounded, way.life_months
        if way.break_even_months_reason == "not_within_life":
            pair = (
                way.name if way.terms == "purchase" else f"your own instead of renting {way.name}"
            )
            yield Finding(
                kind="buying_not_within_life",
                severity="warn",
                path=f"other_hardware.{index}",
                message=f"buying {pair} does not pay within its life of {life_months:g} months: "
                f"it would take {months:.4g}",
                advice="rent, or be sure of a longer life, a lower price or a higher rent",
                value=months,
                limit=life_months,
            )


def _without_power(scenario: Scenario) -> Iterator[Finding]:
    names = hardware_names(scenario.other_hardware)
    for index, other in enumerate(scenario.other_hardware):
        includes = other.rent is not None and other.rent.power_included
        if other.power_beside(scenario.power) is None and not includes:
            yield Finding(
                kind="other_hardware_without_power",
                severity="warn",
                path=f"other_hardware.{index}",
                message=f"{names[index]} is costed without electricity",
                advice="state its `power`",
            )


def _paid_by_the_landlord(scenario: Scenario) -> Iterator[Finding]:
    """Yield what a rented server costs beside its rent only because the scenario's own does."""
    names = hardware_names(scenario.other_hardware)
    for index, other in enumerate(scenario.other_hardware):
        if other.rent is None:
            continue
        for name, unit in _LANDLORDS.items():
            inherited: Quantity = getattr(scenario.operations, name)
            needs_watts = name == "colocation_usd_per_kw_month"
            has_watts = other.power_beside(scenario.power) is not None
            stated = getattr(other.operations, name) is not None
            if stated or inherited.value == 0 or (needs_watts and not has_watts):
                continue
            key = f"other_hardware.{index}.operations.{name}"
            yield Finding(
                kind="rent_with_inherited_costs",
                severity="warn",
                path=key,
                message=f"{names[index]} is rented, and pays operations.{name} of the scenario "
                f"on top of the rent: ${inherited.value:,.12g} {unit}",
                advice=f"rent mostly includes it: state {key} as 0, or as what is paid on top",
                value=inherited.value,
            )
