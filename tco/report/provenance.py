"""Where the rate comes from: engine, host, load, latencies, failures, token counts."""

from __future__ import annotations

from tco.measurement import (
    ClientHealth,
    ImportedFrom,
    Latency,
    LoadPoint,
    MeasuredShape,
    Measurement,
    Quantiles,
    TokenCounts,
)
from tco.report.capacity import interval_words
from tco.report.numbers import count, exact, number, percent
from tco.report.table import Column, Table, facts, pairs_table, row

_ABSENT = "not reported"
_UNSET = {"None", "", "[]", "{}", "()"}
_LATENCIES = (
    ("ttft", "Time to first token"),
    ("tpot", "Time per output token, one a request"),
    ("itl", "Gap between events, pooled"),
    ("e2e", "Whole request"),
)


def provenance_tables(measurement: Measurement) -> tuple[Table, ...]:
    """Return the tables of the measurement section, in reading order."""
    tables = [_origin(measurement), *_settings(measurement)]
    if measurement.capacity_point is not None:
        point = measurement.points[measurement.capacity_point]
        tables += [
            _load(point),
            _latency(point.latency),
            *([] if point.tokens is None else [_tokens(point.tokens)]),
            _failures(point),
            *([] if point.client is None else [_client(point.client)]),
        ]
    return tuple(tables)


def _origin(measurement: Measurement) -> Table:
    rates = measurement.capacity()
    pairs = [
        ("Origin of the rate", measurement.origin),
        ("Recorded", f"{measurement.created_at:%Y-%m-%d %H:%M} {measurement.created_at:%Z}"),
        ("Written by", f"tco {measurement.tool_version}"),
        ("Requests a second, one replica", number(rates.requests_per_s)),
        ("Input tokens a second", number(rates.input_tok_per_s)),
        ("Output tokens a second", number(rates.output_tok_per_s)),
        ("Total tokens a second", number(rates.total_tok_per_s)),
        ("Interval of the output rate", interval_words(measurement.rate_interval())),
        ("Request", _request(measurement.shape)),
    ]
    if measurement.published is not None:
        published = measurement.published
        pairs += [("Source", published.source), ("Date of the source", str(published.date))]
    if measurement.imported is not None:
        pairs += _imported(measurement.imported)
    return facts("Origin", pairs + _engine(measurement) + _host(measurement))


def _imported(source: ImportedFrom) -> list[tuple[str, str]]:
    return [
        ("Measured by", f"{source.tool} {source.tool_version or '(version not stated)'}"),
        ("Result file", f"{source.file_name}, SHA-256 {source.file_sha256}"),
        ("Date in that file", source.recorded or _ABSENT),
        ("What that file lacks", ", ".join(source.lacks)),
    ]


def _request(shape: MeasuredShape) -> str:
    share = shape.cached_input_share
    cached = "(cached share not stated)" if share is None else f"({percent(share)} cached)"
    return f"{exact(shape.input_tokens)} tokens in {cached}, {exact(shape.output_tokens)} out"


def _engine(measurement: Measurement) -> list[tuple[str, str]]:
    engine = measurement.engine
    if engine is None and measurement.imported is not None:
        return [("Model", measurement.imported.model or _ABSENT)]
    if engine is None:
        return [("Engine", "none: no engine was run")]
    return [
        ("Engine", f"{engine.name} {engine.version or '(version not reported)'}"),
        ("Model", f"{engine.model}{' (dummy weights)' if engine.model_is_dummy else ''}"),
        ("Command", " ".join(engine.command or ()) or "none: attached to a running server"),
        ("Engine start", engine.start_id),
    ]


def _settings(measurement: Measurement) -> tuple[Table, ...]:
    """The settings the engine resolved, two to a row; what is not set is left out."""
    engine = measurement.engine
    stated = [(k, v) for k, v in engine.settings.items() if v not in _UNSET] if engine else []
    if not stated:
        return ()
    return (pairs_table("Settings the engine resolved", stated),)


def _host(measurement: Measurement) -> list[tuple[str, str]]:
    host = measurement.host
    if host is None:
        return []
    return [
        ("System", host.system),
        ("Processor", f"{host.cpu}, {host.cpu_count} CPUs, {number(host.memory_gib, 3)} GiB"),
        ("Accelerators", ", ".join(host.accelerators) or "none"),
        ("Driver", host.driver or _ABSENT),
        ("Python", host.python),
    ]


def _load(point: LoadPoint) -> Table:
    asked, delivered = point.concurrency_asked, point.concurrency_delivered
    server, whole = point.server, point.whole_run_rates
    pairs: list[tuple[str, str]] = [
        ("Loop", point.loop or _ABSENT),
        ("Streams asked, running", f"{_or_absent(asked)}, {_or_absent(delivered)}"),
        (
            "Warm-up, window, whole run",
            f"{_seconds(point.warm_up_s)}, {_seconds(point.window_s)}, {_seconds(point.run_s)}",
        ),
        (
            "Requests sent, in the window, unfinished",
            f"{point.requests_sent:,}, {point.requests_in_window:,}, {point.requests_unfinished:,}",
        ),
        ("Output tokens a second, whole run", _or_absent(whole.output_tok_per_s if whole else None)),
        ("Tokens an event, mean", _or_absent(point.tokens_per_event_mean)),
        ("Tokens counted by", (point.token_count_source or _ABSENT).replace("_", " ")),
        ("Seed of the load", _ABSENT if point.seed is None else str(point.seed)),
        ("Engine start", point.engine_start_id or _ABSENT),
        ("Host load average, 1 minute", _or_absent(point.load_average_1m)),
        ("Server's own output rate", _or_absent(server.output_tok_per_s if server else None)),
        ("Preemptions", _or_absent(server.preemptions if server else None)),
    ]
    return facts("Load at capacity", pairs)


def _latency(latency: Latency) -> Table:
    titles = ("Count", "Mean", "p50", "p90", "p95", "p99", "Most")
    columns = (Column("Latency, ms"), *(Column(title, numeric=True) for title in titles))
    rows = tuple(row(words, *_quantiles(getattr(latency, name))) for name, words in _LATENCIES)
    return Table("Latency of the requests completed in the window", columns, rows, "latency")


def _quantiles(found: Quantiles | None) -> tuple[str, ...]:
    if found is None:
        return ("none",) * 7
    values = (found.mean_ms, found.p50_ms, found.p90_ms, found.p95_ms, found.p99_ms, found.max_ms)
    return (count(found.count), *("none" if ms is None else f"{ms:,.1f}" for ms in values))


def _tokens(tokens: TokenCounts) -> Table:
    titles = ("Client", "Server's usage", "Server's /metrics")
    columns = (Column("Tokens, idle to idle"), *(Column(title, numeric=True) for title in titles))
    output = (tokens.client_output, tokens.usage_output, tokens.metrics_output)
    inputs = (tokens.client_input, tokens.usage_input, tokens.metrics_input)
    rows = (
        row("Output", *map(_whole, output)),
        row("Input", *map(_whole, inputs)),
        row("Input from the cache", "", _whole(tokens.cached_input), ""),
    )
    return Table("The same tokens counted three ways", columns, rows)


def _failures(point: LoadPoint) -> Table:
    failures = point.failures
    pairs = [("Failed requests", f"{failures.count:,} ({failures.share * 100:.2f}\u00a0%)")]
    pairs += [(kind, f"{found:,}") for kind, found in failures.by_kind.items()]
    return facts("Failures", pairs)


def _client(client: ClientHealth) -> Table:
    pairs = [
        ("Send lag, p50 and p99", f"{_ms(client.send_lag_p50_ms)}, {_ms(client.send_lag_p99_ms)}"),
        (
            "Lag of its time stamps, p50 and p99",
            f"{_ms(client.stamp_lag_p50_ms)}, {_ms(client.stamp_lag_p99_ms)}",
        ),
        ("CPU", f"{_seconds(client.cpu_s)}, {percent(client.cpu_share)} of one CPU"),
        ("Events", f"{client.events:,}"),
        ("Round trip", _ms(client.round_trip_ms)),
    ]
    return facts("Health of the load client", pairs)


def _ms(value: float | None) -> str:
    return _ABSENT if value is None else f"{value:,.2f} ms"


def _seconds(value: float) -> str:
    return f"{value:,.1f} s"


def _whole(value: int | None) -> str:
    return _ABSENT if value is None else f"{value:,}"


def _or_absent(value: float | None) -> str:
    return _ABSENT if value is None else number(value)
