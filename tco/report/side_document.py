"""A SideDocument is the finished report of several scenarios: strings only, for every format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tco.comparison import AlternativeResult, Comparison
from tco.report.capacity import ORIGIN_WORDS, interval_words
from tco.report.document import DEMONSTRATION
from tco.report.findings import FindingLine
from tco.report.headline import is_demonstration, label, none_because, verdict
from tco.report.inputs import is_share, unit_of
from tco.report.numbers import MINUS, NBSP, count, exact, number, percent, usd, years
from tco.report.side_chart import SideBars, side_bars
from tco.report.table import Column, Row, Table, row
from tco.report.text import plain, shorten
from tco.side_by_side import Attribution, DifferingInput, InputValue, Side, SideBySide, Step

_NAME_LIMIT = 60
_HEAD_LIMIT, _WIDE_FROM = 80, 5
_MOST_KEYS = 5
_INVALID = "The measurement of {} is invalid: its figures must not be used"
_OTHER_REQUEST = (
    "The requests differ, so the costs of a request and of a million tokens are of different "
    "things and cannot be compared across scenarios; each saving holds for its own request."
)
_OTHER_VOLUME = (
    "The scenarios serve different numbers of requests, so amounts a year and present values are "
    "of different amounts of work."
)
_ADD_UP = (
    "One key at a time is set to its value in the other scenario, all others stay as in the first. "
    "The steps do not add up to the whole where keys act together."
)


@dataclass(frozen=True, slots=True)
class SideFindings:
    """The findings of one scenario."""

    title: str
    findings: tuple[FindingLine, ...]


@dataclass(frozen=True, slots=True)
class SideDocument:
    """All that a template prints of several scenarios."""

    title: str
    short_name: str
    author: str
    date: str
    banner: str | None
    running_banner: str | None
    headline: str
    notes: tuple[str, ...]
    chart: SideBars
    chart_caption: str
    scenarios: Table
    answers: Table
    inputs: Table | None
    inputs_words: str
    steps_words: str
    steps: tuple[Table, ...]
    step_notes: tuple[str, ...]
    findings: tuple[SideFindings, ...]


def compose_sides(
    side_by_side: SideBySide, findings: Sequence[tuple[FindingLine, ...]]
) -> SideDocument:
    """Return the finished report; `findings` are those of each scenario, its measurement's too."""
    sides = side_by_side.sides
    heads = _heads(sides)
    banner = sides_banner(sides, findings)
    names = " / ".join(shorten(plain(side.label), 40) for side in sides)
    differ = (
        (side_by_side.same_request, _OTHER_REQUEST),
        (side_by_side.same_volume, _OTHER_VOLUME),
    )
    return SideDocument(
        title=f"Side by side: {shorten(names, 140)}",
        short_name=f"{len(sides)} scenarios side by side",
        author=f"tco {side_by_side.tool_version}",
        date=max(side.comparison.date for side in sides).isoformat(),
        banner=banner,
        running_banner=None if banner is None else shorten(banner, 110),
        headline=_headline(sides),
        notes=tuple(words for same, words in differ if not same),
        chart=side_bars([(_letter(place), side) for place, side in enumerate(sides)]),
        chart_caption="Own cost as a share of the API's, each for its own request and traffic",
        scenarios=_scenarios(sides),
        answers=_answers(sides, heads),
        inputs=_inputs(side_by_side.inputs, heads),
        inputs_words=_inputs_words(side_by_side),
        steps_words=_ADD_UP,
        steps=tuple(_steps(each, sides) for each in side_by_side.attributions if each.steps),
        step_notes=tuple(_step_notes(side_by_side)),
        findings=tuple(
            SideFindings(f"{_letter(place)}: {_short(side)}", lines)
            for place, (side, lines) in enumerate(zip(sides, findings, strict=True))
            if lines
        ),
    )


def side_headline(side: Side) -> str:
    """Return one scenario's answer as a clause, without its name."""
    rival = side.comparison.headline_alternative()
    if rival is None:
        return "names no alternative to compare with"
    if rival.saving is None:
        return f"has no saving to state against {label(rival)}: {none_because(rival.saving_reason)}"
    return verdict(rival.saving, label(rival))


def is_sides_invalid(findings: Sequence[tuple[FindingLine, ...]]) -> bool:
    """Say whether any finding of any scenario is `invalid`."""
    return any(each.severity == "invalid" for lines in findings for each in lines)


def _headline(sides: Sequence[Side]) -> str:
    if len(sides) >= _WIDE_FROM and (between := _between(sides)) is not None:
        return between
    said = [f"{_letter(place)} {side_headline(side)}" for place, side in enumerate(sides)]
    return f"Own hardware of {'; '.join(said)}."


def _between(sides: Sequence[Side]) -> str | None:
    """Return the least and the greatest saving; None where fewer than two have any."""
    rivals = [side.comparison.headline_alternative() for side in sides]
    savings = [
        (rival.saving, _letter(place))
        for place, rival in enumerate(rivals)
        if rival is not None and rival.saving is not None
    ]
    if len(savings) <= 1:
        return None
    (least, at_least), (most, at_most) = min(savings), max(savings)
    return (
        f"Own hardware saves between {percent(least)} ({at_least}) and {percent(most)} ({at_most}) "
        "against the API."
    )


def _letter(place: int) -> str:
    return "ABCDEFGH"[place]


def _short(side: Side) -> str:
    return shorten(plain(side.label), _NAME_LIMIT)


def _heads(sides: Sequence[Side]) -> tuple[Column, ...]:
    if len(sides) >= _WIDE_FROM:
        return tuple(Column(_letter(place), numeric=True) for place in range(len(sides)))
    return tuple(
        Column(
            f"{_letter(place)}: {shorten(plain(side.label), _HEAD_LIMIT // len(sides))}",
            numeric=True,
        )
        for place, side in enumerate(sides)
    )


def sides_banner(sides: Sequence[Side], findings: Sequence[tuple[FindingLine, ...]]) -> str | None:
    """Return what must be read before any figure, and of which scenarios."""
    bad = [
        _letter(place)
        for place, lines in enumerate(findings)
        if any(each.severity == "invalid" for each in lines)
    ]
    shown = [
        _letter(place) for place, side in enumerate(sides) if is_demonstration(side.comparison)
    ]
    said = [f"{DEMONSTRATION} ({', '.join(shown)})"] if shown else []
    said += [_INVALID.format(", ".join(bad))] if bad else []
    return ". ".join(said) or None


def _scenarios(sides: Sequence[Side]) -> Table:
    columns = tuple(map(Column, ("", "Scenario", "File", "Measurement", "Prices in force on")))
    rows = tuple(
        row(
            _letter(place),
            _short(side),
            side.file,
            side.measurement_file or ORIGIN_WORDS[side.comparison.capacity.origin],
            side.comparison.date.isoformat(),
        )
        for place, side in enumerate(sides)
    )
    return Table("The scenarios", columns, rows, "scenarios")


def _answers(sides: Sequence[Side], heads: tuple[Column, ...]) -> Table:
    compared = [side.comparison for side in sides]
    rivals = [each.headline_alternative() for each in compared]

    def own(title: str, text: Callable[[Comparison], str], *, strong: bool = False) -> Row:
        return row(title, *map(text, compared), strong=strong)

    def against(
        title: str, text: Callable[[AlternativeResult], str], *, strong: bool = False
    ) -> Row:
        cells = ["none" if rival is None else text(rival) for rival in rivals]
        return row(title, *cells, strong=strong)

    def figure(title: str, name: str, form: Callable[[float], str], *, strong: bool = False) -> Row:
        return against(title, lambda rival: _or_reason(rival, name, form), strong=strong)

    rows = (
        against("Compared with", lambda rival: shorten(label(rival), 44)),
        figure("Saving", "saving", percent, strong=True),
        row("Interval of the saving", *map(_interval, compared)),
        figure("Saving, USD a year", "saving_usd_per_year", usd),
        own("Own, USD a year", lambda each: usd(each.self_host.usd_per_year)),
        figure("API, USD a year", "usd_per_year", usd),
        against("Cash at the start, USD", _cash),
        figure("Net present value, USD", "npv_usd", usd),
        figure("Levelised saving", "levelised_saving", percent),
        against("Levelised if API prices change (stress)", _stress),
        figure("Payback, simple", "payback_years", years),
        own("Own, USD per request", lambda each: usd(each.self_host.usd_per_request)),
        figure("API, USD per request", "usd_per_request", usd),
        own(
            "Own, USD per M output tokens", lambda each: usd(each.self_host.usd_per_million_output)
        ),
        figure("API, USD per M output tokens", "usd_per_million_output", usd),
        own("Utilisation", lambda each: percent(each.self_host.utilisation)),
        figure("Break-even utilisation", "break_even_utilisation", percent),
        figure("Break-even requests a month", "break_even_requests_per_month", count),
        own("Servers", lambda each: count(each.self_host.servers)),
        own("Capacity of a replica, tok/s", lambda each: number(each.capacity.output_tok_per_s)),
        own("its interval", lambda each: interval_words(each.capacity.interval)),
        own("its origin", lambda each: each.capacity.origin),
    )
    return Table("The answers side by side", (Column("Figure"), *heads), rows, _layout(len(sides)))


def _layout(many: int) -> str:
    return "together wide" if many >= _WIDE_FROM else "together"


def _or_reason(rival: AlternativeResult, name: str, form: Callable[[float], str]) -> str:
    value: float | None = getattr(rival, name)
    if value is not None:
        return form(value)
    return f"none: {none_because(getattr(rival, f'{name}_reason', None))}"


def _interval(comparison: Comparison) -> str:
    rival = comparison.headline_alternative()
    if rival is None:
        return f"none: {none_because('no_alternative')}"
    found, sure = comparison.uncertainty, comparison.how_sure(rival)
    if found is not None and sure is not None and sure.saving is not None:
        return f"{percent(sure.saving.low)} to {percent(sure.saving.high)} ({percent(found.level)})"
    return "none: no range moves it"


def _cash(rival: AlternativeResult) -> str:
    return usd(rival.net_flows_usd[0]) if rival.net_flows_usd else "none"


def _stress(rival: AlternativeResult) -> str:
    stress = rival.stress
    if stress is None:
        return "none"
    change = percent(stress.api_price_change_per_year)
    if stress.levelised_saving is None:
        return f"none: {none_because(stress.levelised_saving_reason)}"
    return f"{percent(stress.levelised_saving)} at {change} a year"


def _inputs(differing: Sequence[DifferingInput], heads: tuple[Column, ...]) -> Table | None:
    if not differing:
        return None
    texts = [[_value(each.key, value) for value in each.values] for each in differing]
    rows = tuple(
        row(_titled(each.key), *cells) for each, cells in zip(differing, texts, strict=True)
    )
    plain_heads = tuple(Column(head.title) for head in heads)
    layout = f"{_layout(len(heads))} long"
    return Table("Inputs that differ", (Column("Key"), *plain_heads), rows, layout)


def _titled(key: str) -> str:
    unit = "" if is_share(key) else unit_of(key)
    return f"{key}, {unit}" if unit else key


def _value(key: str, value: InputValue) -> str:
    stated = value.value
    if stated is None:
        return "not stated"
    if isinstance(stated, bool):
        return "yes" if stated else "no"
    if isinstance(stated, str):
        return shorten(stated, 160)
    text = _number(key, stated)
    if value.low is None and value.high is None:
        return text
    low = _number(key, stated if value.low is None else value.low)
    high = _number(key, stated if value.high is None else value.high)
    return f"{text} ({low} to {high})"


def _number(key: str, value: float) -> str:
    # As many digits as were stated: what differs must be seen to differ.
    return f"{exact(value * 100)}{NBSP}%" if is_share(key) else exact(value)


def _inputs_words(side_by_side: SideBySide) -> str:
    many, equal = len(side_by_side.inputs), side_by_side.equal_inputs
    differ = "1 key differs" if many == 1 else f"{count(many)} keys differ"
    same = "1 other is" if equal == 1 else f"{count(equal)} others are"
    if not many:
        return f"All {count(equal)} values of the scenarios are the same."
    return f"{differ}; {same} the same in all and not listed. Sources of values are not compared."


def _steps(each: Attribution, sides: Sequence[Side]) -> Table:
    start = sides[0].comparison.headline_alternative()
    end = sides[each.scenario].comparison.headline_alternative()
    other = _letter(each.scenario)
    columns = (
        Column(f"Changed from A to {other}"),
        Column("Saving then", numeric=True),
        Column("Change", numeric=True),
        Column("USD a year", numeric=True),
        Column("Change", numeric=True),
    )
    rows = (
        row("Nothing: as A", *_pair(start), strong=True),
        *(_step(step, None if start is None else start.name) for step in each.steps),
        row(
            f"All together: as {other}",
            *_pair(end, _points_words(each.saving_change), _money_change(start, end)),
            strong=True,
        ),
    )
    caption = f"What each difference does: from A to {other}, {_short(sides[each.scenario])}"
    return Table(caption, columns, rows, "steps")


def _pair(
    rival: AlternativeResult | None, change: str = "", money_change: str = ""
) -> tuple[str, str, str, str]:
    if rival is None:
        return "none", change, "none", money_change
    saving = "none" if rival.saving is None else percent(rival.saving)
    return saving, change, usd(rival.saving_usd_per_year), money_change


def _money_change(start: AlternativeResult | None, end: AlternativeResult | None) -> str:
    if start is None or end is None:
        return "none"
    return _signed_usd(end.saving_usd_per_year - start.saving_usd_per_year)


def _step(step: Step, before: str | None) -> Row:
    keys = ", ".join(step.keys[:_MOST_KEYS])
    more = len(step.keys) - _MOST_KEYS
    keys += f" and {more} more" if more > 0 else ""
    if step.against is not None and step.against != before:
        keys += f" (then against {shorten(plain(step.against), 40)})"
    yearly, change = step.saving_usd_per_year, step.saving_usd_per_year_change
    return row(
        keys,
        "none" if step.saving is None else percent(step.saving),
        _points_words(step.saving_change),
        "none" if yearly is None else usd(yearly),
        "none" if change is None else _signed_usd(change),
    )


def _points_words(change: float | None) -> str:
    if change is None:
        return "none"
    tenths = round(change * 100, 1)
    text = f"{tenths:+,.1f}".replace("-", MINUS) if tenths else "0"
    return f"{text}{NBSP}points"


def _signed_usd(change: float) -> str:
    text = usd(change)
    return text if text.startswith(MINUS) else f"+{text}"


def _step_notes(side_by_side: SideBySide) -> Iterator[str]:
    for each in side_by_side.attributions:
        said = []
        if each.sum_of_changes is not None and each.saving_change is not None and each.steps:
            added, whole = _points_words(each.sum_of_changes), _points_words(each.saving_change)
            said.append(f"the steps sum to {added}, all together make {whole}")
        if each.changes_nothing:
            said.append(f"changing no saving by themselves: {', '.join(each.changes_nothing)}")
        if each.not_alone:
            said.append(f"cannot be changed apart from others: {', '.join(each.not_alone)}")
        if said:
            yield f"From A to {_letter(each.scenario)}: {'; '.join(said)}."
