"""Names that tell apart what a scenario lists, however it names it."""

from __future__ import annotations

from collections.abc import Sequence

from tco.scenario.alternative import Alternative
from tco.scenario.hardware import OtherHardware

_OWN_PRICE = "own price"


def stated_name(alternative: Alternative) -> str:
    """Return the name as the scenario gives it: `name`, else `catalog`."""
    return alternative.name or alternative.catalog or ""


def alternative_names(alternatives: Sequence[Alternative]) -> tuple[str, ...]:
    """Return a name for each alternative, no two alike.

    One that several have is followed by what differs among them, provider/model and service in
    brackets; where nothing does, by #1, #2 …
    """
    return told_apart(
        [stated_name(each) for each in alternatives],
        [(each.catalog or _OWN_PRICE, each.service) for each in alternatives],
    )


def hardware_names(others: Sequence[OtherHardware]) -> tuple[str, ...]:
    """Return a name for each of the other hardware, no two alike: as for alternatives.

    What differs is the catalog's row, and how it is paid.
    """
    return told_apart([each.name for each in others], [_terms(each) for each in others])


def _terms(hardware: OtherHardware) -> tuple[str, ...]:
    paid = "bought" if hardware.rent is None else f"rented, {hardware.rent.billing}"
    return (hardware.catalog or "no catalog row", paid)


def told_apart(names: Sequence[str], parts: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names with those parts in brackets that differ among equal ones, else a number."""
    full = [_with_parts(name, own, names, parts) for name, own in zip(names, parts, strict=True)]
    taken = set(full)
    found: list[str] = []
    for label in full:
        unique, number = label, 0
        while full.count(label) > 1 and unique in taken:
            number += 1
            unique = f"{label} #{number}"
        taken.add(unique)
        found.append(unique)
    return tuple(found)


def _with_parts(
    name: str, own: Sequence[str], names: Sequence[str], parts: Sequence[Sequence[str]]
) -> str:
    alike = [part for each, part in zip(names, parts, strict=True) if each == name]
    differing = [
        part
        for place, part in enumerate(own)
        if part != name and len({each[place] for each in alike}) > 1
    ]
    return f"{name} ({', '.join(differing)})" if differing else name
