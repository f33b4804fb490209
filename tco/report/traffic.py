"""The traffic that both sides are priced and measured for: its requests in words and quantiles."""

from __future__ import annotations

from collections.abc import Sequence

from tco.report.numbers import count, exact, number, percent
from tco.report.table import Column, Table, pairs_table, row
from tco.report.text import plain, shorten
from tco.scenario import (
    Length,
    LengthSpread,
    MixEntry,
    Scenario,
    SessionShape,
    Trace,
    mix_shares,
)
from tco.traffic.shape import TrafficShape

_NAME_LIMIT = 80
_QUANTILES = ("mean", "p50", "p90", "p95", "p99", "max")
_HEADS = ("Mean", "p50", "p90", "p95", "p99", "Most")


def traffic_words(scenario: Scenario) -> str:
    """Return what the requests are, as one or two sentences."""
    shape = scenario.traffic.shape
    cached = f"{percent(shape.cached_input_share.value)} of the input cached"
    means = f"{_length(shape.input_tokens)} tokens in, {_length(shape.output_tokens)} out, {cached}"
    if scenario.traffic.bill is not None:
        files = shorten(plain(", ".join(scenario.traffic.bill.files)), _NAME_LIMIT)
        return f"Requests of the bill {files}; on average {means}."
    if shape.trace is not None:
        return f"Requests of the trace {_trace(shape.trace)}; on average {means}."
    if shape.mix is not None:
        return f"{_mix(shape.mix)} On average a request has {means}."
    if shape.session is not None:
        return f"{_session(shape.session)} On average a request has {means}."
    spread = any(
        isinstance(each, LengthSpread) for each in (shape.input_tokens, shape.output_tokens)
    )
    drawn = "; lengths with a p95 are drawn from a lognormal distribution" if spread else ""
    return f"Each request: {means}{drawn}."


def _trace(trace: Trace) -> str:
    name = shorten(plain(trace.file), _NAME_LIMIT)
    digest = "" if trace.sha256 is None else f" (SHA-256 {trace.sha256[:12]}…)"
    if not trace.arrivals:
        return f"{name}{digest}, without its arrival times"
    speed_up = trace.speed_up.value
    pace = "" if speed_up == 1 else f", {exact(speed_up)} times as fast"
    return f"{name}{digest}, at its own arrival times{pace}"


def _mix(mix: Sequence[MixEntry]) -> str:
    shapes = (
        f"{shorten(plain(entry.name), _NAME_LIMIT)} ({percent(share)} of the requests: "
        f"{_length(entry.input_tokens)} tokens in, {_length(entry.output_tokens)} out, "
        f"{percent(entry.cached_input_share.value)} of the input cached)"
        for share, entry in zip(mix_shares(mix), mix, strict=True)
    )
    return f"A mix on one fleet: {'; '.join(shapes)}."


def _session(session: SessionShape) -> str:
    final = session.final_answer_tokens
    last = "" if final is None else f", the last {_length(final)}"
    return (
        f"Agent sessions of {exact(session.turns.value)} model calls each: a system prompt of "
        f"{exact(session.system_tokens.value)} tokens, a task of "
        f"{_length(session.first_input_tokens)}, {_length(session.tool_output_tokens)} from the "
        f"tool before each later call, answers of {_length(session.answer_tokens)}{last}; "
        f"{exact(session.tool_wait_s.value)} s in a tool, {exact(session.think_s.value)} s until "
        "the next task."
    )


def _length(length: Length) -> str:
    if isinstance(length, LengthSpread):
        return f"{exact(length.mean.value)} (p95 {exact(length.p95.value)})"
    return exact(length.value)


def traffic_tables(shape: TrafficShape | None) -> tuple[Table, ...]:
    """Return a trace's lengths and its facts; nothing without a trace."""
    if shape is None:
        return ()
    lengths = shape.model_dump()
    rows = tuple(
        row(title, *(number(lengths[f"{name}_{each}"]) for each in _QUANTILES))
        for title, name in (("Input", "input"), ("Output", "output"))
    )
    columns = (Column("Tokens"), *(Column(head, numeric=True) for head in _HEADS))
    caption = f"Lengths of the trace's {count(shape.requests)} requests"
    return (Table(caption, columns, rows), pairs_table("The trace", _facts(shape)))


def _facts(shape: TrafficShape) -> list[tuple[str, str]]:
    share, span_s = shape.reusable_prefix_share, shape.span_s
    return [
        ("File", shorten(plain(shape.file), _NAME_LIMIT)),
        ("Format", shape.format),
        ("Requests, left out", f"{count(shape.requests)}, {count(shape.left_out)}"),
        ("Span", "no times stated" if span_s is None else f"{number(span_s)} s"),
        ("Requests a second", _or_none(shape.requests_per_s)),
        ("Busiest minute by the average", _or_none(shape.peak_to_average)),
        ("Input that a cache could have", "not stated" if share is None else percent(share)),
        ("Sessions", count(shape.sessions)),
        ("Requests a session", number(shape.requests_per_session)),
        (
            "Mean wait in a session",
            "none" if (wait := shape.wait_mean_s) is None else f"{number(wait)} s",
        ),
    ]


def _or_none(value: float | None) -> str:
    return "none" if value is None else number(value)
