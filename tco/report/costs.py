"""The tables of own cost: lines, against each alternative, at each utilisation, cash flow."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tco.comparison import (
    AlternativeResult,
    Comparison,
    CostParts,
    SelfHost,
    Stress,
    UtilisationRow,
)
from tco.plural import several
from tco.report.capacity import covers_words, on_rate
from tco.report.figures import part_name
from tco.report.headline import label, none_because
from tco.report.numbers import (
    count,
    number,
    percent,
    tenth_percent,
    usd,
    usd_column,
    years,
)
from tco.report.price_tables import WEIGHTS
from tco.report.table import Column, Row, Table, pairs_table, row
from tco.report.text import shorten
from tco.report.years import end_words, stress_cells

_HEAD_LIMIT = 44
_AT_ONCE = 4
_ROWS_STEP = 10


def parts_table(comparison: Comparison) -> Table:
    """Return the fleet's cost line by line: per hour, per year, per million output tokens."""
    own = comparison.self_host
    names = [*(part_name(key) for key in CostParts.model_fields), "Together"]
    columns = (
        usd_column([*_lines(own.parts_usd_per_hour), own.usd_per_hour]),
        usd_column([*_lines(own.parts_usd_per_year), own.usd_per_year]),
        usd_column([*_lines(own.parts_usd_per_million_output), own.usd_per_million_output]),
        ("none",) * len(names)
        if own.parts_share is None
        else tuple(map(tenth_percent, (*_lines(own.parts_share), 1.0))),
    )
    rows = tuple(
        row(name, *texts, strong=name == names[-1])
        for name, *texts in zip(names, *columns, strict=True)
    )
    titles = ("USD per hour", "USD a year", "USD per M output tokens", "Share")
    heads = (Column("Cost line"), *(Column(title, numeric=True) for title in titles))
    return Table(
        f"Cost of the fleet in its first year, {on_rate(comparison)}", heads, rows, layout="money"
    )


def _lines(parts: CostParts) -> tuple[float, ...]:
    return tuple(parts.model_dump().values())


def own_table(comparison: Comparison) -> Table:
    """Return the fleet and its cost for a request and for a million tokens."""
    own, served = comparison.self_host, comparison.served
    pairs = (
        ("Fleet", fleet_words(own)),
        ("Utilisation", percent(own.utilisation)),
        *_reach(own),
        ("Requests a year", count(own.requests_per_year)),
        ("Output tokens a second, average", number(served.output_tok_per_s)),
        ("Input tokens a second, average", number(served.input_tok_per_s)),
        ("USD a year", usd(own.usd_per_year)),
        ("USD per request", usd(own.usd_per_request)),
        ("USD per million output tokens", usd(own.usd_per_million_output)),
        ("USD per million total tokens", usd(own.usd_per_million_total)),
        *_session(comparison),
        *_footprint(comparison),
    )
    return pairs_table(f"Own hardware, {on_rate(comparison)}", pairs)


def _session(comparison: Comparison) -> Iterator[tuple[str, str]]:
    per_session, cost = comparison.requests_per_session, comparison.self_host.usd_per_session
    if per_session is not None and cost is not None:
        yield f"USD per session of {number(per_session, 3)} requests", usd(cost)


def _footprint(comparison: Comparison) -> Iterator[tuple[str, str]]:
    own = comparison.self_host
    for title, value, reason in (
        ("Energy, kWh a year", own.energy_kwh_per_year, own.energy_kwh_per_year_reason),
        ("Greenhouse gas, kg CO2e a year", own.kg_co2e_per_year, own.kg_co2e_per_year_reason),
        (
            "Gram CO2e per million total tokens",
            own.g_co2e_per_million_total,
            own.g_co2e_per_million_total_reason,
        ),
    ):
        yield title, f"none: {none_because(reason)}" if value is None else number(value)


def against_tables(comparison: Comparison) -> tuple[Table, ...]:
    """Return own hardware against each alternative, four alternatives a table."""
    caption = f"Own hardware against each alternative, {on_rate(comparison)}"
    return tuple(
        Table(caption, _heads("", rivals), _measures(rivals)) for rivals in _batches(comparison)
    )


def utilisation_tables(comparison: Comparison) -> tuple[Table, ...]:
    """Return own cost and savings in steps of a tenth, four alternatives a table."""
    step_rows = [
        each for each in comparison.utilisation if round(each.utilisation * 100) % _ROWS_STEP == 0
    ]
    own_texts = usd_column([each.usd_per_million_output for each in step_rows])
    band_heads, band_texts = _band(comparison, step_rows)
    tables = []
    first = 0
    for rivals in _batches(comparison):
        last = first + len(rivals)
        rows = tuple(
            row(
                percent(each.utilisation),
                own,
                *band,
                *(
                    "none" if share is None else tenth_percent(share)
                    for share in each.saving[first:last]
                ),
            )
            for each, own, band in zip(step_rows, own_texts, band_texts, strict=True)
        )
        heads = tuple(Column(f"Saving, {title.title}", numeric=True) for title in _names(rivals))
        own_head = Column("Own, USD per M output tokens", numeric=True)
        columns = (Column("Utilisation"), own_head, *band_heads, *heads)
        tables.append(
            Table(f"The same fleet at another utilisation, {on_rate(comparison)}", columns, rows)
        )
        first = last
    return tuple(tables)


def _band(
    comparison: Comparison, rows: list[UtilisationRow]
) -> tuple[tuple[Column, ...], list[tuple[str, ...]]]:
    """Return the heads and cells of the interval of own cost; nothing where there is none."""
    found = comparison.uncertainty
    at = {} if found is None else {each.utilisation: each for each in found.cost_band}
    ends = [at.get(each.utilisation) for each in rows]
    if found is None or not any(ends):
        return (), [()] * len(rows)
    lows = usd_column([None if each is None else each.low for each in ends])
    highs = usd_column([None if each is None else each.high for each in ends])
    heads = tuple(f"{percent(found.level)}, {end}" for end in ("from", "to"))
    cells: list[tuple[str, ...]] = list(zip(lows, highs, strict=True))
    return tuple(Column(head, numeric=True) for head in heads), cells


def cash_tables(comparison: Comparison) -> tuple[Table, ...]:
    """Return the net flows by year of every alternative that has any."""
    tables = []
    for rivals in _batches(comparison):
        if not any(each.net_flows_usd for each in rivals):
            continue
        # The hardware is the same, so the times are, whatever it is compared with.
        times = rivals[0].flow_times_years
        columns = [usd_column(each.net_flows_usd) for each in rivals]
        rows = tuple(
            row(end_words(time), *texts) for time, *texts in zip(times, *columns, strict=True)
        )
        tables.append(
            Table(f"Net cash flow, USD, {on_rate(comparison)}", _heads("When", rivals), rows)
        )
    return tuple(tables)


def _measures(rivals: tuple[AlternativeResult, ...]) -> tuple[Row, ...]:
    def line(title: str, name: str, form: Callable[[float], str]) -> Row:
        return row(title, *(figure_words(each, name, form) for each in rivals))

    intervals = (row("Saving interval", *(_interval(each) for each in rivals)),)
    sessions = [each.usd_per_session for each in rivals if each.usd_per_session is not None]
    return (
        *((row("USD per session there", *map(usd, sessions)),) if sessions else ()),
        line("Saving", "saving", percent),
        *(intervals if any(each.saving_interval for each in rivals) else ()),
        line("Saving, USD a year", "saving_usd_per_year", usd),
        line("Levelised saving", "levelised_saving", percent),
        line("Break-even utilisation", "break_even_utilisation", percent),
        line("Break-even requests a month", "break_even_requests_per_month", count),
        row("Break-even within capacity", *(_yes_no(each) for each in rivals)),
        line("Net present value", "npv_usd", usd),
        line("Internal rate of return", "irr", percent),
        line("Payback, simple", "payback_years", years),
        line("Payback, discounted", "discounted_payback_years", years),
        *(row(*cells) for cells in stress_cells(rivals)),
        *_hybrids(rivals),
        row("Weights", *(WEIGHTS[each.same_weights] for each in rivals)),
    )


def _hybrids(rivals: tuple[AlternativeResult, ...]) -> Iterator[Row]:
    """Yield the cheapest split with each alternative, where a demand has any."""
    if any(each.hybrid for each in rivals):
        yield row("Own base, overflow to it", *(split_words(each) for each in rivals))
        yield row(
            "Base and overflow, USD a year",
            *("none" if each.hybrid is None else usd(each.hybrid.usd_per_year) for each in rivals),
        )


def split_words(rival: AlternativeResult) -> str:
    """Return how a demand is split most cheaply between own replicas and the API."""
    split = rival.hybrid
    if split is None:
        return f"none: {none_because(rival.hybrid_reason)}"
    if split.base_replicas == 0:
        return "cheapest: all to the API"
    base = several(split.base_replicas, "replica")
    if split.overflow_requests_per_year <= 0:
        return f"cheapest: all own, {base}"
    return f"{base}, {percent(split.own_share)} of the requests"


def _interval(rival: AlternativeResult) -> str:
    found = rival.saving_interval
    if found is None:
        return "none: the rate has no interval"
    return f"{percent(found.low)} to {percent(found.high)} ({covers_words(found)})"


def _yes_no(rival: AlternativeResult) -> str:
    if rival.break_even_within_capacity is None:
        return "none: no break-even volume"
    return "yes" if rival.break_even_within_capacity else "no: above what the fleet can serve"


def figure_words(
    result: AlternativeResult | Stress, name: str, form: Callable[[float], str]
) -> str:
    """Return a figure as it is printed, or `none: why`."""
    value: float | None = getattr(result, name)
    if value is not None:
        return form(value)
    return f"none: {none_because(getattr(result, f'{name}_reason', None))}"


def fleet_words(own: SelfHost) -> str:
    """Return servers and replicas, and on how many accelerators where some idle."""
    fleet = f"{several(own.servers, 'server')}, {several(own.replicas, 'replica')}"
    if not own.has_idle_accelerators():
        return fleet
    return f"{fleet} on {own.accelerators_used:,} of {own.accelerators:,} accelerators"


def _reach(own: SelfHost) -> Iterator[tuple[str, str]]:
    if own.reachable_utilisation < 1:
        yield "Utilisation that this demand can reach", percent(own.reachable_utilisation)


def _heads(first: str, rivals: tuple[AlternativeResult, ...]) -> tuple[Column, ...]:
    return (Column(first or "Measure"), *_names(rivals))


def _names(rivals: tuple[AlternativeResult, ...]) -> tuple[Column, ...]:
    return tuple(Column(shorten(label(each), _HEAD_LIMIT), numeric=True) for each in rivals)


def _batches(comparison: Comparison) -> Iterator[tuple[AlternativeResult, ...]]:
    every = comparison.alternatives
    for first in range(0, len(every), _AT_ONCE):
        yield every[first : first + _AT_ONCE]
