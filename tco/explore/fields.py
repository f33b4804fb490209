"""A field is one figure of a comparison, over all points at once: a column of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from tco.cost.evaluate import Evaluation, Inputs, Rival, usd_per_million
from tco.cost.number import FloatArray, Number
from tco.cost.ownership import CostLines
from tco.errors import InputError
from tco.units import HOURS_PER_YEAR, SECONDS_PER_MONTH, SECONDS_PER_YEAR
from tco.validation import nearest

DEFAULT_FIELDS = (
    "usd_per_hour",
    "usd_per_request",
    "usd_per_million_output",
    "usd_per_million_total",
    "saving",
    "break_even_utilisation",
)


@dataclass(frozen=True, slots=True)
class Seen:
    """One evaluation and what it rests on."""

    inputs: Inputs
    at: Evaluation

    def requests_per_year(self) -> Number:
        """Return what the fleet serves."""
        return self.at.served_requests_per_s * SECONDS_PER_YEAR


OwnField = Callable[[Seen], Number]
RivalField = Callable[[Seen, Rival], Number]


def _line(name: str) -> OwnField:
    return lambda seen: getattr(seen.at.lines, name)


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
    "replicas": lambda seen: seen.at.fleet.replicas,
    "servers": lambda seen: seen.at.fleet.servers,
    "requests_per_year": Seen.requests_per_year,
    "served_requests_per_s": lambda seen: seen.at.served_requests_per_s,
    "served_output_tok_per_s": lambda seen: (
        seen.at.served_requests_per_s * seen.inputs.output_tokens
    ),
    "capacity_requests_per_s": lambda seen: seen.inputs.capacity_requests_per_s,
    **{f"{each.name}_usd_per_hour": _line(each.name) for each in fields(CostLines)},
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
    return [*OWN_FIELDS, *RIVAL_FIELDS]


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
    field = RIVAL_FIELDS[name]
    out: FloatArray = np.full(shape, np.nan)
    for index, rival in enumerate(rivals):
        out[:, index] = _flat(field(seen, rival), points)
    return out


def _flat(figure: Number, points: int) -> FloatArray:
    return np.broadcast_to(np.asarray(figure, dtype=float), (points,))
