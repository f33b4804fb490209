"""A field is one figure of a comparison, over all points at once: a column of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields

import numpy as np

from tco.cost.cash import CASH_FIGURES
from tco.cost.evaluate import Rival, usd_per_million
from tco.cost.number import FloatArray, Number
from tco.cost.ownership import CostLines
from tco.cost.reach import reachable_utilisation
from tco.errors import InputError
from tco.explore.seen import CARBON_FIGURES, STRESS_FIGURES, Seen
from tco.units import HOURS_PER_YEAR, SECONDS_PER_MONTH
from tco.validation import nearest

DEFAULT_FIELDS = (
    "usd_per_hour",
    "usd_per_request",
    "usd_per_million_output",
    "usd_per_million_total",
    "saving",
    "break_even_utilisation",
)


OwnField = Callable[[Seen], Number]
RivalField = Callable[[Seen, Rival], Number]


def _line(name: str) -> OwnField:
    return lambda seen: getattr(seen.at.lines, name)


def _of_carbon(name: str) -> OwnField:
    return lambda seen: getattr(seen.carbon, name)


def _break_even_volume(seen: Seen, rival: Rival) -> Number:
    """None (NaN) for rental that scales by the hour, as in a comparison."""
    if seen.inputs.rent_follows_profile:
        return np.nan
    return rival.break_even_unbounded * seen.at.full_load_requests_per_s * SECONDS_PER_MONTH


OWN_FIELDS: dict[str, OwnField] = {
    "usd_per_hour": lambda seen: seen.at.usd_per_hour,
    "usd_per_year": lambda seen: seen.at.usd_per_hour * HOURS_PER_YEAR,
    "usd_per_request": lambda seen: seen.at.usd_per_request,
    "usd_per_million_output": lambda seen: seen.at.usd_per_million_output,
    "usd_per_million_total": lambda seen: seen.at.usd_per_million_total,
    "utilisation": lambda seen: seen.at.fleet.utilisation,
    "reachable_utilisation": lambda seen: reachable_utilisation(seen.inputs, seen.at.fleet),
    "replicas": lambda seen: seen.peak_fleet().replicas,
    "servers": lambda seen: seen.peak_fleet().servers,
    "requests_per_year": Seen.requests_per_year,
    "served_requests_per_s": lambda seen: seen.at.served_requests_per_s,
    "served_output_tok_per_s": lambda seen: (
        seen.at.served_requests_per_s * seen.inputs.output_tokens
    ),
    "capacity_requests_per_s": lambda seen: seen.inputs.capacity_requests_per_s,
    **{f"{each.name}_usd_per_hour": _line(each.name) for each in fields(CostLines)},
    **{name: _of_carbon(name) for name in CARBON_FIGURES},
}
RIVAL_FIELDS: dict[str, RivalField] = {
    "saving": lambda _, rival: rival.saving,
    "saving_usd_per_year": lambda seen, rival: (
        (rival.usd_per_request - seen.at.usd_per_request) * seen.requests_per_year()
    ),
    "break_even_utilisation": lambda _, rival: rival.break_even_utilisation,
    "break_even_requests_per_month": _break_even_volume,
    "api_usd_per_request": lambda _, rival: rival.usd_per_request,
    "api_usd_per_year": lambda seen, rival: rival.usd_per_request * seen.requests_per_year(),
    "api_usd_per_million_output": lambda seen, rival: usd_per_million(
        rival.usd_per_request, seen.inputs.output_tokens
    ),
    "api_usd_per_million_total": lambda seen, rival: usd_per_million(
        rival.usd_per_request, seen.inputs.input_tokens + seen.inputs.output_tokens
    ),
}


def all_fields() -> list[str]:
    """Return the names of all fields."""
    return [*OWN_FIELDS, *RIVAL_FIELDS, *CASH_FIGURES, *STRESS_FIGURES]


def check_fields(names: Sequence[str]) -> None:
    """See that every field is known.

    Raises:
        InputError: one is not, with the nearest that is.
    """
    known = all_fields()
    for name in names:
        if name not in known:
            close = nearest(name, known)
            remedy = f"did you mean `{close}`?" if close else f"known are {', '.join(known)}"
            raise InputError(f"there is no field `{name}`", remedy=remedy)


def column(seen: Seen, name: str, points: int) -> FloatArray:
    """Return a field as (points, alternatives); of own figures alike for each; NaN is "none"."""
    rivals = seen.at.rivals
    shape = (points, max(len(rivals), 1))
    if name in OWN_FIELDS:
        return np.broadcast_to(_flat(OWN_FIELDS[name](seen), points)[:, None], shape)
    out: FloatArray = np.full(shape, np.nan)
    for index, rival in enumerate(rivals):
        out[:, index] = _flat(_against(seen, name, index, rival), points)
    return out


def _against(seen: Seen, name: str, index: int, rival: Rival) -> Number:
    discount_rate = seen.inputs.server.discount_rate
    if name in CASH_FIGURES:
        return CASH_FIGURES[name](seen.flows[index], discount_rate)
    if name in STRESS_FIGURES:
        return STRESS_FIGURES[name](seen.stress_flows[index], discount_rate)
    return RIVAL_FIELDS[name](seen, rival)


def _flat(figure: Number, points: int) -> FloatArray:
    return np.broadcast_to(np.asarray(figure, dtype=float), (points,))
