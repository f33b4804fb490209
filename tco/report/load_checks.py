"""What vouches for the chosen loads: token counts, failures, the health of the load client."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tco.measurement import ClientHealth, LoadPoint, Measurement
from tco.report.chosen import (
    ABSENT,
    ChosenLoad,
    chosen_loads,
    line,
    seconds_words,
    side_by_side,
)
from tco.report.numbers import percent
from tco.report.table import Column, Row, Table, row


def check_tables(measurement: Measurement) -> tuple[Table, ...]:
    """Return counts, failures and client health; what another tool does not tell has no table."""
    chosen = chosen_loads(measurement)
    if not chosen:
        return ()
    counted = [each for each in chosen if each.point.tokens is not None]
    watched = tuple(each for each in chosen if each.point.client is not None)
    return (
        *([_tokens(counted)] if counted else []),
        _failures(chosen),
        *([_client(watched)] if watched else []),
    )


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
    rows = [line("Failed requests", chosen, _failed)]
    kinds = dict.fromkeys(kind for each in chosen for kind in each.point.failures.by_kind)
    for kind in kinds:
        found = (each.point.failures.by_kind.get(kind, 0) for each in chosen)
        rows.append(row(kind, *(f"{number_of:,}" for number_of in found)))
    return side_by_side("Failures", chosen, rows)


_YES_NO = {True: "yes", False: "no", None: ABSENT}


def _failed(point: LoadPoint) -> str:
    return f"{point.failures.count:,} ({percent(point.failures.share)})"


def _client(chosen: tuple[ChosenLoad, ...]) -> Table:
    lines: list[tuple[str, Callable[[ClientHealth], str]]] = [
        ("Send lag, p50 and p99", lambda c: f"{_ms(c.send_lag_p50_ms)}, {_ms(c.send_lag_p99_ms)}"),
        (
            "Lag of its time stamps, p50 and p99",
            lambda c: f"{_ms(c.stamp_lag_p50_ms)}, {_ms(c.stamp_lag_p99_ms)}",
        ),
        (
            "Lag of its wake-ups, p50 and p99",
            lambda c: f"{_ms(c.wake_lag_p50_ms)}, {_ms(c.wake_lag_p99_ms)}",
        ),
        ("CPU", lambda c: f"{seconds_words(c.cpu_s)}, {percent(c.cpu_share)} of one CPU"),
        ("Scheduled before ordinary processes", lambda c: _YES_NO[c.is_real_time]),
        ("Without a core: waiting, throttled, stolen", _kept_from_cores),
        ("Events", lambda c: f"{c.events:,}"),
        ("Round trip", lambda c: _ms(c.round_trip_ms)),
    ]
    clients = [each.point.client for each in chosen]
    rows = [
        row(title, *(text(client) for client in clients if client is not None))
        for title, text in lines
    ]
    return side_by_side("Health of the load client", chosen, rows)


def _kept_from_cores(client: ClientHealth) -> str:
    shares = (client.cpu_wait_share, client.cpu_throttled_share, client.cpu_stolen_share)
    return ", ".join(ABSENT if share is None else percent(share) for share in shares)


def _ms(value: float | None) -> str:
    return ABSENT if value is None else f"{value:,.2f} ms"


def _whole(value: int | None) -> str:
    return ABSENT if value is None else f"{value:,}"
