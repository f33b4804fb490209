"""How sure a comparison is: 100,000 draws of all that is ranged, through the same `evaluate`.

Monte Carlo propagation of distributions: JCGM 101:2008.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tco.comparison import Comparison
from tco.cost.contender import with_batch_prices
from tco.cost.evaluate import Evaluation, Inputs, evaluate, sized_fleet
from tco.cost.inputs import read_inputs
from tco.cost.number import FloatArray, Number
from tco.cost.reader import Reader
from tco.errors import InputError
from tco.explore.cost_band import cost_band, without_load
from tco.explore.draw import draws_of
from tco.explore.fit import fitted
from tco.explore.held import held_of
from tco.explore.needs import needs_of
from tco.explore.quantile import quantiles
from tco.explore.range_findings import range_findings
from tco.explore.ranges import ranges_of
from tco.explore.tornado import differs, tornado_of, tornado_points
from tco.measurement import Measurement
from tco.prices import PriceTables
from tco.scenario import Scenario
from tco.uncertainty import RivalUncertainty, Spread, Uncertainty, Varied
from tco.units import SECONDS_PER_YEAR

DRAWS = 100_000
SEED = 1
LEVEL = 0.9


def with_uncertainty(
    comparison: Comparison,
    scenario: Scenario,
    measurement: Measurement,
    tables: PriceTables,
    *,
    date: dt.date,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Comparison:
    """Return the comparison with how sure it is; as it was where nothing is ranged.

    Args:
        comparison: of the same scenario, measurement, tables and date.
        scenario: whose ranges are drawn.
        measurement: whose interval of the rate is drawn.
        tables: price rows that alternatives may name.
        date: the day whose prices are in force.
        draws: how many.
        seed: of the draws; the same seed gives the same figures.

    Raises:
        InputError: numbers of the ranges do not fit together.
    """
    ranged = list(ranges_of(scenario, measurement))
    if not ranged:
        return comparison
    both = with_batch_prices(scenario, tables, date)
    read = Reader(both, {each.key: np.array([each.value]) for each in ranged})
    read_inputs(read, measurement, tables, date)
    varied = [each for each in ranged if each.key in read.used]

    def inputs(numbers: Mapping[str, FloatArray]) -> Inputs:
        return read_inputs(Reader(both, numbers), measurement, tables, date)

    def evaluated(numbers: Mapping[str, FloatArray]) -> Evaluation:
        try:
            return evaluate(inputs(numbers))
        except ValueError as error:
            raise InputError(f"the ranges do not fit together: {error}") from None

    drawn = draws_of(varied, draws, seed)
    kept = fitted(both, drawn)
    findings = (*comparison.findings, *range_findings(ranged, varied, drawn, kept))
    if not varied:
        return comparison.model_copy(update={"findings": findings})
    at = Columns.of(evaluated(kept), draws)
    ends = Columns.of(evaluated(fitted(both, tornado_points(varied))), 1 + 2 * len(varied))
    tornado = tornado_of(varied, ends.usd_per_million_total)
    found = Uncertainty(
        draws=draws,
        seed=seed,
        level=LEVEL,
        varied=tuple(varied),
        held=held_of(scenario, read.asked),
        usd_per_million_output=_spread(at.usd_per_million_output),
        usd_per_million_total=_spread(at.usd_per_million_total),
        usd_per_million_total_tornado=tornado,
        alternatives=tuple(
            _rival(each.name, index, varied, at, ends)
            for index, each in enumerate(comparison.alternatives)
        ),
        cost_band=cost_band(inputs(without_load(kept)), sized_fleet(inputs({})), LEVEL),
    )
    return comparison.model_copy(update={"uncertainty": found, "findings": findings})


@dataclass(frozen=True, slots=True)
class Columns:
    """The figures of an evaluation, one entry a point; NaN is "none".

    Attributes:
        savings: a share, one column an alternative; `api_usd_per_request` likewise.
    """

    usd_per_hour: FloatArray
    usd_per_request: FloatArray
    usd_per_million_output: FloatArray
    usd_per_million_total: FloatArray
    requests_per_year: FloatArray
    savings: tuple[FloatArray, ...]
    api_usd_per_request: tuple[FloatArray, ...]

    @classmethod
    def of(cls, at: Evaluation, size: int) -> Columns:
        """Return the columns; a figure that no number moves is the same at each point."""

        def column(figure: Number) -> FloatArray:
            return np.broadcast_to(np.asarray(figure, dtype=float), (size,))

        return cls(
            usd_per_hour=column(at.usd_per_hour),
            usd_per_request=column(at.usd_per_request),
            usd_per_million_output=column(at.usd_per_million_output),
            usd_per_million_total=column(at.usd_per_million_total),
            requests_per_year=column(at.served_requests_per_s) * SECONDS_PER_YEAR,
            savings=tuple(column(rival.saving) for rival in at.rivals),
            api_usd_per_request=tuple(column(rival.usd_per_request) for rival in at.rivals),
        )


def _rival(
    name: str, index: int, varied: list[Varied], at: Columns, ends: Columns
) -> RivalUncertainty:
    saving, api_usd = at.savings[index], at.api_usd_per_request[index]
    needs = needs_of(
        index,
        varied,
        own_usd_per_request=ends.usd_per_request,
        own_usd_per_hour=ends.usd_per_hour,
        api_usd_per_request=ends.api_usd_per_request[index],
    )
    # As stated too: without a saving there is none to have an interval.
    priced = not (np.isnan(saving).any() or np.isnan(ends.savings[index][0]))
    moving = _moving_spread(saving) if priced else None
    yearly = _moving_spread((api_usd - at.usd_per_request) * at.requests_per_year)
    cheaper = float(np.mean(saving > 0)) if priced and not needs else None
    return RivalUncertainty(
        name=name,
        saving=moving,
        saving_reason=None if moving else "no_range_moves_it" if priced else "zero_price",
        saving_usd_per_year=yearly,
        saving_usd_per_year_reason=None if yearly else "no_range_moves_it",
        probability_cheaper=cheaper,
        probability_reason=None
        if cheaper is not None
        else "bare_numbers"
        if needs
        else "zero_price",
        probability_needs=needs,
        saving_tornado=tornado_of(varied, ends.savings[index]),
    )


def _moving_spread(figure: FloatArray) -> Spread | None:
    """Return the spread; None of a figure that is the same in every draw."""
    return _spread(figure) if bool(differs(figure, float(figure[0])).any()) else None


def _spread(figure: FloatArray) -> Spread:
    tail = (1 - LEVEL) / 2
    low, median, high = quantiles(figure, (tail, 0.5, 1 - tail))
    return Spread(median=median, low=low, high=high)
