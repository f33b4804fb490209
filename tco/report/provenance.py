"""Where the rate comes from: its origin, the engine and its settings, the host."""

from __future__ import annotations

from tco.measurement import ImportedFrom, MeasuredShape, Measurement
from tco.report.capacity import interval_words
from tco.report.load_checks import check_tables
from tco.report.load_facts import load_tables
from tco.report.numbers import exact, number, percent
from tco.report.table import Table, facts, pairs_table

_ABSENT = "not reported"
_UNSET = {"None", "", "[]", "{}", "()"}


def provenance_tables(measurement: Measurement) -> tuple[Table, ...]:
    """Return the tables of origin, settings and chosen loads, in reading order."""
    return (
        _origin(measurement),
        *_settings(measurement),
        *load_tables(measurement),
        *check_tables(measurement),
    )


def _origin(measurement: Measurement) -> Table:
    rates = measurement.capacity()
    pairs = [
        ("Origin of the rate", measurement.origin),
        *_recorded(measurement),
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
        pairs += [
            ("Source", published.source),
            ("Date of the source", str(published.date or "not stated")),
        ]
    if measurement.imported is not None:
        pairs += _imported(measurement.imported)
    return facts("Origin", pairs + _engine(measurement) + _host(measurement))


def _recorded(measurement: Measurement) -> list[tuple[str, str]]:
    """Return when it was written; a published rate has a day, which stands beside its source."""
    if measurement.published is not None:
        return []
    at = measurement.created_at
    return [("Recorded", f"{at:%Y-%m-%d %H:%M} {at:%Z}")]


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
