"""A field is one figure of a comparison, over all points at once: a column of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from tco.cost.cash import CASH_FIGURES, cash_flows
from tco.cost.cash_terms import cash_terms_of
from tco.cost.evaluate import Evaluation, Inputs, Rival, evaluate, usd_per_million
from tco.cost.finance import CashFlow
from tco.cost.inputs import inputs_of
from tco.cost.number import FloatArray, Number
from tco.cost.ownership import CostLines
from tco.cost.reach import reachable_utilisation
from tco.errors import InputError
from tco.scenario import Scenario
from tco.units import HOURS_PER_YEAR, SECONDS_PER_MONTH, SECONDS_PER_YEAR
from tco.validation import nearest
from tco.what_if import WhatIf

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
    """One evaluation and what it rests on.

    Attributes:
        flows: the cash flow against each alternative, where a field asks for it.
    """

    inputs: Inputs
    at: Evaluation
    flows: tuple[CashFlow, ...] = ()

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
    "reachable_utilisation": lambda seen: reachable_utilisation(seen.inputs, seen.at.fleet),
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
    return [*OWN_FIELDS, *RIVAL_FIELDS, *CASH_FIGURES]


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
    if name in CASH_FIGURES:
        return CASH_FIGURES[name](seen.flows[index], seen.inputs.server.discount_rate)
    return RIVAL_FIELDS[name](seen, rival)


def seen_at(
    what_if: WhatIf,
    scenario: Scenario,
    overrides: Mapping[str, FloatArray],
    names: Sequence[str],
) -> Seen:
    """Return the evaluation that these fields need; the cash flow only where one is asked for.

    Raises:
        ValueError: a number outside its range.
    """
    measurement, date = what_if.measurement_of(scenario), what_if.date_of(scenario)
    inputs, _ = inputs_of(scenario, measurement, what_if.tables, date, overrides)
    evaluation = evaluate(inputs)
    if not is_cash(names):
        return Seen(inputs, evaluation)
    terms, _ = cash_terms_of(scenario, overrides)
    return Seen(inputs, evaluation, cash_flows(inputs, evaluation, terms))


def keys_used(
    what_if: WhatIf,
    scenario: Scenario,
    overrides: Mapping[str, FloatArray],
    names: Sequence[str],
) -> frozenset[str]:
    """Return which of the overridden keys these fields rest on."""
    measurement, date = what_if.measurement_of(scenario), what_if.date_of(scenario)
    _, used = inputs_of(scenario, measurement, what_if.tables, date, overrides)
    return used | cash_terms_of(scenario, overrides)[1] if is_cash(names) else used


def is_cash(names: Sequence[str]) -> bool:
    """Say whether one of the fields is of the cash flow."""
    return any(name in CASH_FIGURES for name in names)


def _flat(figure: Number, points: int) -> FloatArray:
    return np.broadcast_to(np.asarray(figure, dtype=float), (points,))
