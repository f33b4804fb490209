"""The chosen loads in full: what was asked, what was delivered, every latency."""

from __future__ import annotations

from collections.abc import Callable

from tco.measurement import Latency, LoadPoint, Measurement, Quantiles
from tco.report.chosen import (
    ABSENT,
    ChosenLoad,
    chosen_loads,
    line,
    or_absent,
    seconds_words,
    side_by_side,
)
from tco.report.loads import load_name
from tco.report.numbers import count, number, percent
from tco.report.table import Column, Table, row

_LATENCIES = (
    ("ttft", "Time to first token"),
    ("tpot", "Time per output token, one a request"),
    ("itl", "Gap between events, pooled"),
    ("e2e", "Whole request"),
)


def load_tables(measurement: Measurement) -> tuple[Table, ...]:
    """Return the load and the latencies of each chosen load."""
    chosen = chosen_loads(measurement)
    if not chosen:
        return ()
    return (_load(chosen), *(_latency(each) for each in chosen))


def _load(chosen: tuple[ChosenLoad, ...]) -> Table:
    lines: list[tuple[str, Callable[[LoadPoint], str]]] = [
        ("Load", load_name),
        ("Loop", lambda point: point.loop or ABSENT),
        ("Streams asked, in flight", _streams),
        ("Arrivals a second, offered and sent", _arrivals),
        ("Load, offered by capacity", _load_share),
        ("Growth of requests in flight, a second", _growth),
        ("Warm-up, window, whole run", _spans),
        ("Requests sent, in the window, unfinished", _requests),
        ("Output tokens a second, whole run", _whole_rate),
        ("Tokens an event, mean", lambda point: or_absent(point.tokens_per_event_mean)),
        (
            "Tokens counted by",
            lambda point: (point.token_count_source or ABSENT).replace("_", " "),
        ),
        ("Seed of the load", lambda point: ABSENT if point.seed is None else str(point.seed)),
        ("Engine start", lambda point: point.engine_start_id or ABSENT),
        ("Host load average, 1 minute", lambda point: or_absent(point.load_average_1m)),
        ("Server's own output rate", lambda point: _server(point, "output_tok_per_s")),
        ("Preemptions", lambda point: _server(point, "preemptions")),
        ("Share of input from the prefix cache", _cache_share),
    ]
    is_open = any(each.point.open_loop is not None for each in chosen)
    shown = [line for line in lines if is_open or line[1] not in {_arrivals, _load_share, _growth}]
    rows = [line(title, chosen, text) for title, text in shown]
    titles = " and ".join(each.title.lower().removeprefix("at ") for each in chosen)
    return side_by_side(f"Load at {titles}", chosen, rows)


def _streams(point: LoadPoint) -> str:
    asked = "none" if point.loop == "open" else or_absent(point.concurrency_asked)
    return f"{asked}, {or_absent(point.concurrency_delivered)}"


def _arrivals(point: LoadPoint) -> str:
    seen = point.open_loop
    if seen is None:
        return "none: closed loop"
    return f"{number(seen.offered_requests_per_s)}, {number(seen.sent_requests_per_s)}"


def _load_share(point: LoadPoint) -> str:
    seen = point.open_loop
    return ABSENT if seen is None or seen.load is None else percent(seen.load)


def _growth(point: LoadPoint) -> str:
    seen = point.open_loop
    if seen is None:
        return "none: closed loop"
    verdict = "overloaded" if seen.is_overloaded else "not overloaded"
    ends = seen.in_flight_slope_interval
    interval = "" if ends is None else f", {number(ends.low, 2)} to {number(ends.high, 2)}"
    return f"{number(seen.in_flight_slope_per_s, 2)}{interval}: {verdict}"


def _spans(point: LoadPoint) -> str:
    return ", ".join(map(seconds_words, (point.warm_up_s, point.window_s, point.run_s)))


def _requests(point: LoadPoint) -> str:
    counts = (point.requests_sent, point.requests_in_window, point.requests_unfinished)
    return ", ".join(f"{each:,}" for each in counts)


def _whole_rate(point: LoadPoint) -> str:
    whole = point.whole_run_rates
    return or_absent(None if whole is None else whole.output_tok_per_s)


def _server(point: LoadPoint, name: str) -> str:
    return or_absent(None if point.server is None else getattr(point.server, name))


def _cache_share(point: LoadPoint) -> str:
    share = None if point.server is None else point.server.prefix_cache_hit_share
    return ABSENT if share is None else percent(share)


def _latency(chosen: ChosenLoad) -> Table:
    titles = ("Count", "Mean", "p50", "p90", "p95", "p99", "Most")
    columns = (Column("Latency, ms"), *(Column(title, numeric=True) for title in titles))
    latency: Latency = chosen.point.latency
    rows = tuple(row(words, *_quantiles(getattr(latency, name))) for name, words in _LATENCIES)
    caption = f"Latency {chosen.title[:1].lower()}{chosen.title[1:]}, of requests in the window"
    return Table(caption, columns, rows, "latency")


def _quantiles(found: Quantiles | None) -> tuple[str, ...]:
    if found is None:
        return ("none",) * 7
    values = (found.mean_ms, found.p50_ms, found.p90_ms, found.p95_ms, found.p99_ms, found.max_ms)
    return (count(found.count), *("none" if ms is None else f"{ms:,.1f}" for ms in values))
