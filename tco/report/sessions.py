"""How long the jobs of agent sessions took at the chosen loads."""

from __future__ import annotations

from tco.measurement import Measurement, Quantiles, Sessions
from tco.report.capacity import origin_words
from tco.report.chosen import ChosenLoad, chosen_loads
from tco.report.numbers import count, number
from tco.report.table import Column, Row, Table, row

_JOB_HEADS = ("Completed", "Requests each", "Mean", "p50", "p90", "p95", "p99", "Most")
_MS_PER_S = 1000


def sessions_table(measurement: Measurement) -> Table | None:
    """Return the job latency of agent sessions at the chosen loads, in s; None without any."""
    seen = [each for each in chosen_loads(measurement) if each.point.sessions is not None]
    rows = [line for each in seen if each.point.sessions for line in _session_rows(each)]
    if not rows:
        return None
    heads = (Column("Sessions"), *(Column(title, numeric=True) for title in _JOB_HEADS))
    caption = f"Agent sessions, from start to final answer, seconds, {origin_words(measurement)}"
    return Table(caption, heads, tuple(rows), "latency")


def _session_rows(chosen: ChosenLoad) -> list[Row]:
    sessions = chosen.point.sessions
    if sessions is None:
        return []
    where = f"{count(sessions.concurrent_asked)} at once, {chosen.title.lower()}"
    return [
        _job(f"{where}: whole job", sessions, sessions.job),
        _job(f"{where}: without waits", sessions, sessions.busy),
    ]


def _job(name: str, sessions: Sessions, found: Quantiles | None) -> Row:
    ended = (count(sessions.completed), number(sessions.requests_mean, 3))
    if found is None:
        return row(name, *ended, *("none",) * 6)
    values = (found.mean_ms, found.p50_ms, found.p90_ms, found.p95_ms, found.p99_ms, found.max_ms)
    return row(name, *ended, *(_s(value) for value in values))


def _s(value_ms: float | None) -> str:
    return "none" if value_ms is None else f"{value_ms / _MS_PER_S:,.2f}"
