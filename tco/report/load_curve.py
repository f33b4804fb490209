"""What the throughput-latency chart shows, as frozen data: loads, limits, what was chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tco.measurement import Interval, Measurement, SloTerm
from tco.report.capacity import covers_words
from tco.report.loads import latency_ms, load_name, state_of, terms_of
from tco.report.numbers import count, number
from tco.report.service import limit_words, ms_words, quantile_name

State = Literal["kept", "broken", "untold", "unjudged"]
Loop = Literal["closed", "open", "unstated"]

_MOST_PANELS = 2
_FEWEST = 2
_LOG_FROM_RATIO = 15.0
_HEADROOM = 1.15
_PADDING = 0.12
_FROM_ZERO_SHARE = 0.5
# Without a service level: the first latency of each line, at the first quantile, that loads have.
_SHOWN = (("ttft",), ("tpot", "itl", "e2e"))
_QUANTILES = (0.95, 0.9, 0.5)


@dataclass(frozen=True, slots=True)
class LoadMark:
    """One load: output tokens a second, a latency in ms, its loop and its verdict."""

    output_tok_per_s: float
    latency_ms: float
    loop: Loop
    state: State
    chosen: bool


@dataclass(frozen=True, slots=True)
class Panel:
    """One latency against the rate; `path` joins the closed loops in order of their streams."""

    title: str
    marks: tuple[LoadMark, ...]
    path: tuple[tuple[float, float], ...]
    limit_ms: float | None
    limit_label: str
    low_ms: float
    high_ms: float
    log_scale: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rate of a chosen load (tok/s), and its words above the chart."""

    label: str
    output_tok_per_s: float


@dataclass(frozen=True, slots=True)
class LoadCurve:
    """Every load of a measurement; one panel a latency, with the same rates (tok/s) below."""

    panels: tuple[Panel, ...]
    chosen: tuple[Chosen, ...]
    band: tuple[float, float] | None
    band_label: str
    low_tok_per_s: float
    high_tok_per_s: float
    description: str


def load_curve(measurement: Measurement) -> LoadCurve | None:
    """Return the chart; None where fewer than two loads have a latency to show."""
    limits = _binding(measurement)
    panels = [each for term in limits if (each := _limited(measurement, term)) is not None]
    panels = panels or [each for names in _SHOWN if (each := _plain(measurement, names))]
    panels = panels[:_MOST_PANELS]
    if not panels:
        return None
    chosen = _chosen(measurement)
    band = measurement.rate_interval() if chosen else None
    low, high = _rates_shown(panels, chosen, band)
    return LoadCurve(
        panels=tuple(panels),
        chosen=chosen,
        band=None if band is None else (band.low, band.high),
        band_label="" if band is None else f"interval of the capacity ({covers_words(band)})",
        low_tok_per_s=low,
        high_tok_per_s=high,
        description=_words(measurement, panels, chosen, band),
    )


def _binding(measurement: Measurement) -> list[SloTerm]:
    """The limits of the service level, the one nearest to being broken at capacity first."""
    index = measurement.capacity_point
    judged = [point for point in measurement.points if point.service_level is not None]
    if not judged:
        return []
    at = judged[0] if index is None else measurement.points[index]
    return sorted(terms_of(at) or terms_of(judged[0]), key=_slack)


def _slack(term: SloTerm) -> float:
    return float("inf") if not term.seen_ms else term.limit_ms / term.seen_ms


def _limited(measurement: Measurement, term: SloTerm) -> Panel | None:
    title = quantile_name(term.latency, term.quantile)
    return _panel(measurement, title, term.latency, term.quantile, term.limit_ms)


def _plain(measurement: Measurement, names: Iterable[str]) -> Panel | None:
    for name in names:
        for quantile in _QUANTILES:
            title = quantile_name(name, quantile)
            if panel := _panel(measurement, title, name, quantile, None):
                return panel
    return None


def _panel(
    measurement: Measurement, title: str, name: str, quantile: float, limit_ms: float | None
) -> Panel | None:
    shown = [
        (point, found, index)
        for index, point in enumerate(measurement.points)
        if (found := latency_ms(point, name, quantile)) is not None
    ]
    if len(shown) < _FEWEST:
        return None
    marked = {measurement.capacity_point, measurement.target_point}
    marks = tuple(
        LoadMark(
            point.rates.output_tok_per_s,
            found,
            point.loop or "unstated",
            state_of(point),
            chosen=index in marked,
        )
        for point, found, index in shown
    )
    closed = [(point, found) for point, found, _ in shown if point.loop == "closed"]
    closed.sort(key=lambda each: each[0].concurrency_asked or 0)
    levels = [mark.latency_ms for mark in marks] + ([] if limit_ms is None else [limit_ms])
    lowest, highest = min(levels), max(levels)
    log_scale = lowest > 0 and highest / lowest > _LOG_FROM_RATIO
    return Panel(
        title=f"{title}, ms{' (logarithmic)' if log_scale else ''}",
        marks=marks,
        path=tuple((point.rates.output_tok_per_s, found) for point, found in closed),
        limit_ms=limit_ms,
        limit_label="" if limit_ms is None else f"≤ {limit_words(limit_ms)}",
        low_ms=lowest / _HEADROOM**2 if log_scale else 0.0,
        high_ms=(highest * (_HEADROOM**2 if log_scale else _HEADROOM)) or 1.0,
        log_scale=log_scale,
    )


def _chosen(measurement: Measurement) -> tuple[Chosen, ...]:
    capacity, target = measurement.capacity_point, measurement.target_point
    names = {capacity: "capacity"} if capacity is not None else {}
    if target is not None:
        names[target] = "capacity and target" if target == capacity else "target"
    rates = {
        name: measurement.points[index].rates.output_tok_per_s for index, name in names.items()
    }
    return tuple(Chosen(f"{name} {number(rate)} tok/s", rate) for name, rate in rates.items())


def _rates_shown(
    panels: Sequence[Panel], chosen: Sequence[Chosen], band: Interval | None
) -> tuple[float, float]:
    rates = [mark.output_tok_per_s for panel in panels for mark in panel.marks]
    rates += [each.output_tok_per_s for each in chosen]
    rates += [] if band is None else [band.low, band.high]
    low, high = min(rates), max(rates)
    padding = (high - low) * _PADDING or high * _PADDING or 1.0
    is_far = low > high * _FROM_ZERO_SHARE
    return (max(0.0, low - padding) if is_far else 0.0), high + padding


def _words(
    measurement: Measurement,
    panels: Sequence[Panel],
    chosen: Sequence[Chosen],
    band: Interval | None,
) -> str:
    titles = " and ".join(panel.title.partition(",")[0] for panel in panels)
    loads = count(len(measurement.points))
    parts = [f"Chart of {loads} loads, output tokens a second against {titles}."]
    for panel in panels:
        name = panel.title.partition(",")[0]
        first = min(panel.marks, key=lambda mark: mark.output_tok_per_s)
        last = max(panel.marks, key=lambda mark: mark.output_tok_per_s)
        parts.append(
            f"{name} goes from {ms_words(first.latency_ms)} at {number(first.output_tok_per_s)} "
            f"to {ms_words(last.latency_ms)} at {number(last.output_tok_per_s)}{_limit(panel)}."
        )
        if (left_out := len(measurement.points) - len(panel.marks)) > 0:
            parts.append(f"{count(left_out)} without enough requests for {name} are not drawn.")
    states = [state_of(point) for point in measurement.points]
    if {"kept", "broken"} & set(states):
        parts.append(
            f"The service level is kept at {count(states.count('kept'))} and "
            f"not kept at {count(states.count('broken'))}."
        )
    parts += [_chosen_words(measurement, each) for each in chosen]
    if band is not None:
        ends = f"{number(band.low)} to {number(band.high)}"
        parts.append(f"The band is the interval of the capacity, {ends} ({covers_words(band)}).")
    return " ".join(parts)


def _limit(panel: Panel) -> str:
    return "" if panel.limit_ms is None else f"; the limit is {limit_words(panel.limit_ms)}"


def _chosen_words(measurement: Measurement, chosen: Chosen) -> str:
    index = (
        measurement.target_point
        if chosen.label.startswith("target")
        else measurement.capacity_point
    )
    at = "" if index is None else f" ({load_name(measurement.points[index])})"
    return f"Marked: {chosen.label}{at}."
