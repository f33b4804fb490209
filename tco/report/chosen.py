"""The chosen loads in full, the capacity and the target side by side: what a sceptic looks up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tco.measurement import ClientHealth, Latency, LoadPoint, Measurement, Quantiles
from tco.report.loads import load_name
from tco.report.numbers import count, number, percent
from tco.report.table import Column, Row, Table, row

_ABSENT = "not reported"
_LATENCIES = (
    ("ttft", "Time to first token"),
    ("tpot", "Time per output token, one a request"),
    ("itl", "Gap between events, pooled"),
    ("e2e", "Whole request"),
)


@dataclass(frozen=True, slots=True)
class ChosenLoad:
    """A load that the comparison rests on, and what it stands for."""

    title: str
    point: LoadPoint


def chosen_loads(measurement: Measurement) -> tuple[ChosenLoad, ...]:
    """Return the capacity's load, and the target's where that is another one."""
    capacity, target = measurement.capacity_point, measurement.target_point
    if capacity is None:
        return ()
    first = "At capacity and target" if target == capacity else "At capacity"
    chosen = [ChosenLoad(first, measurement.points[capacity])]
    if target is not None and target != capacity:
        chosen.append(ChosenLoad("At target", measurement.points[target]))
    return tuple(chosen)


def chosen_tables(measurement: Measurement) -> tuple[Table, ...]:
    """Return load, latencies, token counts, failures and client health of the chosen loads."""
    chosen = chosen_loads(measurement)
    if not chosen:
        return ()
    counted = [each for each in chosen if each.point.tokens is not None]
    watched = tuple(each for each in chosen if each.point.client is not None)
    return (
        _load(chosen),
        *(_latency(each) for each in chosen),
        *([_tokens(counted)] if counted else []),
        _failures(chosen),
        *([_client(watched)] if watched else []),
    )


def _side_by_side(caption: str, chosen: tuple[ChosenLoad, ...], rows: list[Row]) -> Table:
    heads = (Column("Fact"), *(Column(each.title) for each in chosen))
    return Table(caption, heads, tuple(rows), "facts" if len(chosen) == 1 else "sides")


def _line(title: str, chosen: tuple[ChosenLoad, ...], text: Callable[[LoadPoint], str]) -> Row:
    return row(title, *(text(each.point) for each in chosen))


def _load(chosen: tuple[ChosenLoad, ...]) -> Table:
    lines: list[tuple[str, Callable[[LoadPoint], str]]] = [
        ("Load", load_name),
        ("Loop", lambda point: point.loop or _ABSENT),
        ("Streams asked, in flight", _streams),
        ("Arrivals a second, offered and sent", _arrivals),
        ("Load, offered by capacity", _load_share),
        ("Growth of requests in flight, a second", _growth),
        ("Warm-up, window, whole run", _spans),
        ("Requests sent, in the window, unfinished", _requests),
        ("Output tokens a second, whole run", _whole_rate),
        ("Tokens an event, mean", lambda point: _or_absent(point.tokens_per_event_mean)),
        (
            "Tokens counted by",
            lambda point: (point.token_count_source or _ABSENT).replace("_", " "),
        ),
        ("Seed of the load", lambda point: _ABSENT if point.seed is None else str(point.seed)),
        ("Engine start", lambda point: point.engine_start_id or _ABSENT),
        ("Host load average, 1 minute", lambda point: _or_absent(point.load_average_1m)),
        ("Server's own output rate", lambda point: _server(point, "output_tok_per_s")),
        ("Preemptions", lambda point: _server(point, "preemptions")),
        ("Share of input from the prefix cache", _cache_share),
    ]
    is_open = any(each.point.open_loop is not None for each in chosen)
    shown = [line for line in lines if is_open or line[1] not in {_arrivals, _load_share, _growth}]
    rows = [_line(title, chosen, text) for title, text in shown]
    titles = " and ".join(each.title.lower().removeprefix("at ") for each in chosen)
    return _side_by_side(f"Load at {titles}", chosen, rows)


def _streams(point: LoadPoint) -> str:
    asked = "none" if point.loop == "open" else _or_absent(point.concurrency_asked)
    return f"{asked}, {_or_absent(point.concurrency_delivered)}"


def _arrivals(point: LoadPoint) -> str:
    seen = point.open_loop
    if seen is None:
        return "none: closed loop"
    return f"{number(seen.offered_requests_per_s)}, {number(seen.sent_requests_per_s)}"


def _load_share(point: LoadPoint) -> str:
    seen = point.open_loop
    return _ABSENT if seen is None or seen.load is None else percent(seen.load)


def _growth(point: LoadPoint) -> str:
    seen = point.open_loop
    if seen is None:
        return "none: closed loop"
    verdict = "overloaded" if seen.is_overloaded else "not overloaded"
    ends = seen.in_flight_slope_interval
    interval = "" if ends is None else f", {number(ends.low, 2)} to {number(ends.high, 2)}"
    return f"{number(seen.in_flight_slope_per_s, 2)}{interval}: {verdict}"


def _spans(point: LoadPoint) -> str:
    return f"{_seconds(point.warm_up_s)}, {_seconds(point.window_s)}, {_seconds(point.run_s)}"


def _requests(point: LoadPoint) -> str:
    counts = (point.requests_sent, point.requests_in_window, point.requests_unfinished)
    return ", ".join(f"{each:,}" for each in counts)


def _whole_rate(point: LoadPoint) -> str:
    whole = point.whole_run_rates
    return _or_absent(None if whole is None else whole.output_tok_per_s)


def _server(point: LoadPoint, name: str) -> str:
    return _or_absent(None if point.server is None else getattr(point.server, name))


def _cache_share(point: LoadPoint) -> str:
    share = None if point.server is None else point.server.prefix_cache_hit_share
    return _ABSENT if share is None else percent(share)


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


def _tokens(chosen: Sequence[ChosenLoad]) -> Table:
    titles = ("Client", "Server's usage", "Server's /metrics")
    columns = (Column("Tokens, idle to idle"), *(Column(title, numeric=True) for title in titles))
    rows: list[Row] = []
    for each in chosen:
        if (tokens := each.point.tokens) is None:
            continue
        where = "" if len(chosen) == 1 else f", {each.title.lower()}"
        output = (tokens.client_output, tokens.usage_output, tokens.metrics_output)
        inputs = (tokens.client_input, tokens.usage_input, tokens.metrics_input)
        rows += [
            row(f"Output{where}", *map(_whole, output)),
            row(f"Input{where}", *map(_whole, inputs)),
            row(f"Input from the cache{where}", "", _whole(tokens.cached_input), ""),
        ]
    return Table("The same tokens counted three ways", columns, tuple(rows), "counts")


def _failures(chosen: tuple[ChosenLoad, ...]) -> Table:
    rows = [_line("Failed requests", chosen, _failed)]
    kinds = dict.fromkeys(kind for each in chosen for kind in each.point.failures.by_kind)
    for kind in kinds:
        found = (each.point.failures.by_kind.get(kind, 0) for each in chosen)
        rows.append(row(kind, *(f"{number_of:,}" for number_of in found)))
    return _side_by_side("Failures", chosen, rows)


def _failed(point: LoadPoint) -> str:
    return f"{point.failures.count:,} ({percent(point.failures.share)})"


def _client(chosen: tuple[ChosenLoad, ...]) -> Table:
    lines: list[tuple[str, Callable[[ClientHealth], str]]] = [
        ("Send lag, p50 and p99", lambda c: f"{_ms(c.send_lag_p50_ms)}, {_ms(c.send_lag_p99_ms)}"),
        (
            "Lag of its time stamps, p50 and p99",
            lambda c: f"{_ms(c.stamp_lag_p50_ms)}, {_ms(c.stamp_lag_p99_ms)}",
        ),
        ("CPU", lambda c: f"{_seconds(c.cpu_s)}, {percent(c.cpu_share)} of one CPU"),
        ("Events", lambda c: f"{c.events:,}"),
        ("Round trip", lambda c: _ms(c.round_trip_ms)),
    ]
    clients = [each.point.client for each in chosen]
    rows = [
        row(title, *(text(client) for client in clients if client is not None))
        for title, text in lines
    ]
    return _side_by_side("Health of the load client", chosen, rows)


def _ms(value: float | None) -> str:
    return _ABSENT if value is None else f"{value:,.2f} ms"


def _seconds(value: float) -> str:
    return f"{value:,.1f} s"


def _whole(value: int | None) -> str:
    return _ABSENT if value is None else f"{value:,}"


def _or_absent(value: float | None) -> str:
    return _ABSENT if value is None else number(value)
