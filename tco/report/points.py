"""Every load of a measurement as a row, and the service level limit by limit."""

from __future__ import annotations

from tco.measurement import LoadPoint, Measurement, SloTerm
from tco.report.capacity import origin_words
from tco.report.chosen import ChosenLoad, chosen_loads
from tco.report.loads import load_name, state_of, terms_of
from tco.report.numbers import amount_column, number, percent
from tco.report.service import limit_words, ms_words, term_name
from tco.report.table import Column, Row, Table, row

_NONE = "none"
_START_LETTERS = 8
_VERDICTS = {"kept": "kept", "broken": "not kept", "untold": "not told", "unjudged": _NONE}
_LATENCIES = (
    ("TTFT p50", "ttft", "p50_ms"),
    ("TTFT p95", "ttft", "p95_ms"),
    ("TTFT p99", "ttft", "p99_ms"),
    ("TPOT p50", "tpot", "p50_ms"),
    ("TPOT p95", "tpot", "p95_ms"),
    ("ITL p95", "itl", "p95_ms"),
    ("ITL p99", "itl", "p99_ms"),
    ("e2e p50", "e2e", "p50_ms"),
    ("e2e p95", "e2e", "p95_ms"),
)
_SEVERAL = 2
_WHOLE_FROM_MS = 1000


def point_tables(measurement: Measurement) -> tuple[Table, ...]:
    """Return what each load delivered, and its latencies; nothing for a single load."""
    if len(measurement.points) < _SEVERAL:
        return ()
    return (_rates(measurement), _latencies(measurement))


def service_table(measurement: Measurement) -> Table | None:
    """Return each limit, and what was seen of it at the chosen loads; None without any."""
    chosen = [each for each in chosen_loads(measurement) if each.point.service_level is not None]
    if not chosen:
        return None
    rows = [_limit(term, chosen) for term in terms_of(chosen[0].point)]
    rows.append(
        row("Whole service level", "", *(_holds(each.point) for each in chosen), strong=True)
    )
    rows.append(row("Requests within it, a second", "", *map(_goodput, chosen)))
    heads = ("Limit", "At most", *(each.title for each in chosen))
    caption = f"Service level, {origin_words(measurement)}"
    return Table(caption, tuple(Column(head) for head in heads), tuple(rows))


def _rates(measurement: Measurement) -> Table:
    heads = (
        Column("Load"),
        Column("Loop, use"),
        Column("Requests a second", numeric=True),
        Column("Output tok/s", numeric=True),
        Column("Within the level, requests/s", numeric=True),
        Column("Failed", numeric=True),
        Column("In flight, growth/s", numeric=True),
        Column("Service level"),
        Column("Engine start"),
    )
    points = measurement.points
    requests = amount_column([point.rates.requests_per_s for point in points])
    output = amount_column([point.rates.output_tok_per_s for point in points])
    within = amount_column([_goodput_of(point) for point in points])
    rows = tuple(
        row(
            load_name(point),
            ", ".join((point.loop or "not stated", *_uses(measurement, index))),
            requests[index],
            output[index],
            within[index],
            percent(point.failures.share),
            _growth(point),
            _verdict(point),
            _start(point),
            strong=index in {measurement.capacity_point, measurement.target_point},
        )
        for index, point in enumerate(points)
    )
    return Table(f"Loads held, {origin_words(measurement)}", heads, rows, "points")


def _start(point: LoadPoint) -> str:
    start_id = point.engine_start_id
    return "not stated" if start_id is None else start_id[:_START_LETTERS]


def _goodput_of(point: LoadPoint) -> float | None:
    level = point.service_level
    return None if level is None else level.goodput_requests_per_s


def _growth(point: LoadPoint) -> str:
    loop = point.open_loop
    return _NONE if loop is None else number(loop.in_flight_slope_per_s, 2)


def _verdict(point: LoadPoint) -> str:
    """The verdict on the service level; an overload breaks any, sooner or later."""
    if not point.is_overloaded:
        return _VERDICTS[state_of(point)]
    return "kept, overloaded" if state_of(point) == "kept" else "overloaded"


def _uses(measurement: Measurement, index: int) -> tuple[str, ...]:
    """What a load was held for, and what it became."""
    became = []
    if index == measurement.capacity_point:
        became.append("capacity")
    if index == measurement.target_point:
        became.append("target")
    if not became and measurement.origin == "measured":
        became.append(measurement.points[index].purpose)
    return tuple(became)


def _latencies(measurement: Measurement) -> Table:
    heads = (Column("Load"), *(Column(title, numeric=True) for title, _, _ in _LATENCIES))
    chosen = {measurement.capacity_point, measurement.target_point}
    columns = [_column(measurement, name, key) for _, name, key in _LATENCIES]
    rows = tuple(
        row(
            load_name(point),
            *(column[index] for column in columns),
            strong=index in chosen,
        )
        for index, point in enumerate(measurement.points)
    )
    caption = f"Latency of each load, ms, {origin_words(measurement)}"
    return Table(caption, heads, rows, "points latencies")


def _column(measurement: Measurement, name: str, key: str) -> tuple[str, ...]:
    """One quantile of every load, with the same decimals all down the column."""
    found = [getattr(getattr(point.latency, name), key, None) for point in measurement.points]
    decimals = 0 if max((ms for ms in found if ms is not None), default=0) >= _WHOLE_FROM_MS else 1
    return tuple(_NONE if ms is None else f"{ms:,.{decimals}f}" for ms in found)


def _limit(term: SloTerm, chosen: list[ChosenLoad]) -> Row:
    seen = (_seen(each.point, term) for each in chosen)
    return row(term_name(term), limit_words(term.limit_ms), *seen)


def _seen(point: LoadPoint, asked: SloTerm) -> str:
    for term in terms_of(point):
        if (term.latency, term.quantile, term.limit_ms) == (
            asked.latency,
            asked.quantile,
            asked.limit_ms,
        ):
            if term.seen_ms is None:
                return "not told: too few requests"
            return f"{ms_words(term.seen_ms)}, {'kept' if term.holds else 'not kept'}"
    return "not judged"


def _holds(point: LoadPoint) -> str:
    return _VERDICTS[state_of(point)]


def _goodput(chosen: ChosenLoad) -> str:
    level = chosen.point.service_level
    if level is None:
        return _NONE
    return f"{number(level.goodput_requests_per_s)} ({percent(level.goodput_share)} of all)"
