"""The report of a search: strings only, for every format."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from tco.report.findings import finding_lines
from tco.report.front_chart import front_chart
from tco.report.numbers import count, number, percent, several, usd_column
from tco.report.quality import quality_words
from tco.report.search_chart import trials_chart
from tco.report.search_fields import COST, RATE, field_name, field_value
from tco.report.search_headline import best_single, search_headline, trial_of
from tco.report.sectioned import (
    Command,
    Figure,
    Part,
    Section,
    SectionedReport,
    Words,
    write_sectioned,
)
from tco.report.table import Column, Table, facts, row
from tco.report.text import plain, shorten
from tco.search_document import Confirmation, Front, Search, SearchTrial
from tco.setting_words import OWN, settings_words
from tco.units import SECONDS_PER_MINUTE

SEARCH_FILE_NAMES = {"pdf": "search.pdf", "html": "search.html", "md": "search.md"}
_TITLE_LIMIT = 70
_SAVING = "saving"
_PURPOSES = {
    "start": "begun with",
    "explore": "drawn",
    "improve": "chosen",
    "promote": "short run before",
    "repeat": "best measured again",
    "confirm": "by turns",
}
_SHORT = {COST: "$/M", RATE: "Output tok/s", _SAVING: "Saving"}
_CHART_NOTE = (
    "Each mark is one start of the engine. The best so far is of full and valid runs; the best of "
    "many is often a lucky one, so only a measurement by turns beside the scenario's own settings "
    "confirms it. A run that breaks the service level counts as failed."
)
_FRONT_NOTE = (
    "Lower and further left is better. No other valid trial beats one on the front in both. "
    "Each is a single start of the engine: near neighbours may change places on another one."
)


def render_search(
    search: Search,
    folder: Path,
    *,
    engine: str | None = None,
    formats: Sequence[str] = tuple(SEARCH_FILE_NAMES),
) -> tuple[Path, ...]:
    """Write the report in these formats and return the files.

    Raises:
        InputError: the folder cannot be written.
    """
    report = compose_search(search, engine=engine)
    return write_sectioned(report, folder, SEARCH_FILE_NAMES, formats)


def compose_search(search: Search, *, engine: str | None = None) -> SectionedReport:
    """Return the finished report; `engine` is name and version of what was searched."""
    name = shorten(plain(search.name), _TITLE_LIMIT)
    return SectionedReport(
        title=f"Engine search: {name}",
        kicker="Search of engine settings",
        short_name=name,
        author=f"tco {search.tool_version}",
        date=search.created_at.date().isoformat(),
        banner=None if search.is_complete else "Unfinished search",
        headline=search_headline(search),
        findings=finding_lines(search.findings),
        sections=(
            Section(None, _answer(search)),
            *_fronts(search),
            *_failures(search),
            Section("The trials", (_trials(search),)),
            Section("The best settings", _best(search)),
            Section("Where these figures come from", (_provenance(search, engine),)),
        ),
    )


def _latencies(search: Search) -> tuple[str, ...]:
    return (search.latency, *(front.latency for front in search.further_fronts))


def _fields(search: Search) -> tuple[str, ...]:
    """Return the columns of figures: rate, cost, saving, latencies, objective."""
    has_saving = any(_SAVING in trial.figures for trial in search.trials)
    money = (COST, _SAVING) if has_saving else (COST,)
    return tuple(dict.fromkeys((RATE, *money, *_latencies(search), search.objective)))


def _heads(fields: Sequence[str]) -> tuple[Column, ...]:
    return tuple(
        Column(
            _SHORT.get(field, field_name(field) + (", ms" if field.endswith("_ms") else "")),
            numeric=True,
        )
        for field in fields
    )


def _cells(
    trials: Sequence[SearchTrial | None], fields: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Return a row of figures a trial, money with the same decimals all down a column."""
    columns = [
        _column(field, [None if each is None else each.figures.get(field) for each in trials])
        for field in fields
    ]
    return tuple(zip(*columns, strict=True))


def _column(field: str, values: Sequence[float | None]) -> tuple[str, ...]:
    if field.endswith("_ms"):
        return tuple("" if value is None else number(value) for value in values)
    if field == COST:
        return usd_column(values, absent="")
    return tuple("" if value is None else field_value(field, value) for value in values)


def _answer(search: Search) -> tuple[Part, ...]:
    chart = trials_chart(search)
    parts: list[Part] = [_found(search)] if search.trials else []
    parts += [Words(_answers(held)) for held in _turned(search) if held.numerics]
    parts.append(Words(_basis(search), is_note=True))
    parts.append(Words(_stopped(search)))
    if chart is not None:
        way = "lower is better" if search.aim == "minimise" else "higher is better"
        caption = f"{field_name(search.objective)} by trial ({way})"
        parts += [Figure(caption, chart), Words(_CHART_NOTE, is_note=True)]
    return tuple(parts)


def _found(search: Search) -> Table:
    """Return the scenario's own settings beside the best found."""
    fields = _fields(search)
    held = search.confirmation
    own = trial_of(search, held.own_trial if held else None) or next(
        (trial for trial in search.trials if trial.settings == search.own), None
    )
    best = trial_of(search, held.best_trial if held else None) or (
        trial_of(search, held.trial) if held else best_single(search)
    )
    is_other = best is not None and best.settings != search.own
    blocked = None if search.blocked is None else trial_of(search, search.blocked.best_trial)
    of_own, of_best, of_blocked = _cells((own, best if is_other else None, blocked), fields)
    rows = [row("Own", OWN, *of_own)]
    if best is not None and is_other:
        is_kept = held is not None and held.decision == "kept"
        title = "Best, confirmed" if is_kept else "Best found"
        words = settings_words(best.settings, search.own)
        rows.append(row(title, words, *of_best, strong=is_kept))
    if blocked is not None:
        words = settings_words(blocked.settings, search.own)
        rows.append(row("Best found, not used", words, *of_blocked))
    columns = (Column("Settings"), Column("What differs"), *_heads(fields))
    return Table("The scenario's own settings and the best found", columns, tuple(rows), "found")


def _turned(search: Search) -> tuple[Confirmation, ...]:
    """Return all that was measured by turns: what is not used for its answers first."""
    return tuple(each for each in (search.blocked, search.confirmation) if each is not None)


def _answers(held: Confirmation) -> str:
    """Return what the settings of a confirmation change, and what became of the answers."""
    whose = "not used" if held.is_blocked else held.decision
    names = ", ".join(held.numerics)
    return (
        f"Trial {held.trial}, {whose}: {plain(names)} may change what the model answers; "
        f"{plain(quality_words(held.quality))}."
    )


def _basis(search: Search) -> str:
    held = search.confirmation
    if held is None or held.best_trial is None:
        from_ = "Each row is one start of the engine."
    else:
        starts = several(held.repeats, "engine start")
        from_ = f"Each row is the start in the middle of the {starts} a side, measured by turns."
    has_saving = any(_SAVING in trial.figures for trial in search.trials)
    rival = "the alternative of the scenario's headline"
    saving = f" The saving is against {plain(search.alternative or rival)}."
    return f"{from_} $/M is USD per million output tokens.{saving if has_saving else ''}"


def _stopped(search: Search) -> str:
    why = f"The search stopped: {plain(search.stopped)}." if search.stopped else (
        "The search has not stopped by itself yet."
    )  # fmt: skip
    more = "" if search.is_complete else " The same command goes on where this one stopped."
    noise = (
        ""
        if search.noise is None
        else f" The noise between starts was {percent(math.expm1(search.noise))}."
    )
    return f"{why}{noise}{more}"


def _fronts(search: Search) -> tuple[Section, ...]:
    parts: list[Part] = []
    for front in (Front(latency=search.latency, points=search.front), *search.further_fronts):
        name = field_name(front.latency)
        chart = front_chart(search, front.latency, front.points)
        if chart is None:
            parts.append(Words(f"No full trial told both its cost and its {name}."))
            continue
        parts.append(Figure(f"Cost against {name}: each full trial, and the front", chart))
        if front.points:
            parts.append(_front_table(search, front, name))
        else:
            parts.append(Words("No valid trial keeps the service level: there is no front."))
    return (Section("Cost against latency", (*parts, Words(_FRONT_NOTE, is_note=True))),)


def _front_table(search: Search, front: Front, name: str) -> Table:
    trials = [trial_of(search, point.trial) for point in front.points]
    words = ["" if t is None else settings_words(t.settings, search.own) for t in trials]
    costs = usd_column([point.usd_per_million_output for point in front.points])
    rows = tuple(
        row(str(point.trial), said, cost, number(point.latency_ms))
        for point, said, cost in zip(front.points, words, costs, strict=True)
    )
    heads = (Column("Trial"), Column("What differs"), *_heads((COST, front.latency)))
    return Table(f"The front of cost against {name}, the cheapest first", heads, rows, "pareto")


def _trials(search: Search) -> Table:
    fields = _fields(search)
    front = {point.trial for point in search.front}
    best = search.confirmation.trial if search.confirmation else None
    rows = tuple(
        row(
            str(trial.number),
            settings_words(trial.settings, search.own),
            *cells,
            _state(trial, is_on_front=trial.number in front),
            strong=trial.number == best,
        )
        for trial, cells in zip(search.trials, _cells(search.trials, fields), strict=True)
    )
    heads = (Column("Trial"), Column("What differs"), *_heads(fields), Column("Run, and result"))
    return Table("Every trial, in the order of time", heads, rows, "trials")


def _state(trial: SearchTrial, *, is_on_front: bool) -> str:
    words = [_PURPOSES[trial.purpose]]
    if trial.rung == "short":
        words.append("short")
    if trial.failure is not None:
        broken = trial.holds_service_level is False
        words.append("breaks the service level" if broken else "failed")
    elif trial.invalid:
        words.append("invalid: " + ", ".join(kind.replace("_", " ") for kind in trial.invalid))
    elif trial.pruned:
        words.append("pruned")
    elif is_on_front:
        words.append("on the front")
    return ", ".join(words)


def _failures(search: Search) -> tuple[Section, ...]:
    failed = [trial for trial in search.trials if trial.failure]
    parts: list[Part] = []
    if failed:
        rows = tuple(
            row(str(t.number), settings_words(t.settings, search.own), t.failure or "")
            for t in failed
        )
        heads = (Column("Trial"), Column("What differs"), Column("Why"))
        caption = "Trials that failed: these settings are not tried again, and alike ones seldom"
        parts.append(Table(caption, heads, rows, "failures"))
    if search.skipped:
        pairs = tuple((name, why) for name, why in search.skipped.items())
        parts.append(facts("Parameters of the space that were left as they are", pairs))
    return (Section("What failed", tuple(parts)),) if parts else ()


def _best(search: Search) -> tuple[Part, ...]:
    own = "With the scenario's own settings"
    first = "With the confirmed settings" if search.best.sets else own
    words = f"{first} the engine is started so, on an address and port of your own:"
    return (Words(words), Command(plain(search.best.serve)))


def _provenance(search: Search, engine: str | None) -> Table:
    held = search.confirmation
    by_turns = "none" if held is None or not held.repeats else (
        f"{several(held.repeats, 'engine start')} a side"
    )  # fmt: skip
    workers = dict.fromkeys(trial.worker for trial in search.trials)
    seed = f"{plain(search.space)}, seed {search.seed}"
    pairs = (
        ("Begun", search.created_at.isoformat(timespec="minutes")),
        ("Engine", engine or "not recorded"),
        ("Space", seed),
        ("Objective", f"{field_name(search.objective)}, {search.aim}d"),
        ("Trials", f"{count(len(search.trials))}, each a start of the engine, in trials/"),
        ("Confirmation by turns", by_turns),
        ("Workers", ", ".join(workers) or "none"),
        ("Time of the trials", several(round(search.engine_s / SECONDS_PER_MINUTE, 1), "minute")),
        ("Record", "search.json, beside this report"),
        ("Scenario file, SHA-256", search.scenario_sha256),
        ("Space, SHA-256", search.space_sha256),
    )
    return facts("Record and settings of the search", pairs)
