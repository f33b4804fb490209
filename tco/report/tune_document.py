"""A TuneDocument is the finished report of a tuning: strings only, for every format."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tco.report.findings import FindingLine, finding_lines
from tco.report.flow import flow_words
from tco.report.numbers import (
    NBSP,
    count,
    gain_interval,
    gain_percent,
    number,
    several,
    tenth_percent,
    usd,
)
from tco.report.quality import quality_words
from tco.report.table import Column, Row, Table, facts, row
from tco.report.text import plain, shorten
from tco.report.tune_chart import TuneBar, TuneBars, bar_name, tune_bars
from tco.secret_names import SECRET_ARGUMENT, SECRET_NAME
from tco.tuning import TuneFigures, TuneStep, Tuning
from tco.units import SECONDS_PER_MINUTE

_TITLE_LIMIT = 70
_BARS_A_CHART = 28
_BESIDE = "tune.json, beside this report"
_OWN = "The scenario's own settings"
_UNFINISHED = "Unfinished tuning: not all steps were tried"
_HEADS = ("Step", "Change", "Output tok/s", "Gain", "95 % interval", "Result", "$/M", "Saving")
_TEXTS = ("Step", "Change", "Result")
_CHART_NOTE = (
    "In the chart the line under a bar is the 95 % interval of the step's gain over the best "
    "before it, laid about the step's rate. The upright is the rate of the scenario's own settings."
)


@dataclass(frozen=True, slots=True)
class TuneDocument:
    """All that a template prints of a tuning."""

    title: str
    short_name: str
    author: str
    date: str
    banner: str | None
    running_banner: str | None
    headline: str
    basis: str
    ladder: Table
    charts: tuple[TuneBars, ...]
    chart_caption: str
    chart_note: str
    reasons: Table
    best_words: str
    serve: str
    findings: tuple[FindingLine, ...]
    provenance: Table


def compose_tuning(
    tuning: Tuning, *, engine: str | None = None, record: str = _BESIDE
) -> TuneDocument:
    """Return the finished report.

    `engine` is name and version of what was tuned, `record` says where the tuning's file lies.
    """
    name = shorten(plain(tuning.name), _TITLE_LIMIT)
    banner = None if tuning.is_complete else _UNFINISHED
    return TuneDocument(
        title=f"Engine tuning: {name}",
        short_name=name,
        author=f"tco {tuning.tool_version}",
        date=tuning.created_at.date().isoformat(),
        banner=banner,
        running_banner=banner,
        headline=tuning_headline(tuning),
        basis=_basis(tuning),
        ladder=_ladder(tuning),
        charts=_charts(tuning),
        chart_caption="Output tokens per second, step by step",
        chart_note=_CHART_NOTE,
        reasons=_reasons(tuning),
        best_words=_best_words(tuning),
        serve=plain(tuning.best.serve),
        findings=finding_lines(tuning.findings),
        provenance=_provenance(tuning, engine, record),
    )


def change_words(step: TuneStep) -> str:
    """Return what a step sets, as a command line would, then what it takes out.

    A secret's value is left out; one in JSON is without its quotes, and has room to break a line.
    """
    words = [_variable(name, value) for name, value in step.env.items() if value is not None]
    if step.accelerators is not None:
        words.append(f"engine.accelerators={step.accelerators}")
    gone = [name for name, value in step.env.items() if value is None]
    for key, value in step.args.items():
        if value is None or value is False:
            gone.append(f"--{key}")
        else:
            words.append(_argument(key, value))
    if gone:
        words.append(f"without {', '.join(gone)}")
    return " ".join(words)


def _variable(name: str, value: str) -> str:
    return f"{name}={'***' if SECRET_NAME.search(name) else value}"


def _argument(key: str, value: str | float) -> str:
    if value is True:
        return f"--{key}"
    if not isinstance(value, str):
        return f"--{key} {value}"
    return f"--{key} {'***' if SECRET_ARGUMENT.search(key) else flow_words(value)}"


def tuning_headline(tuning: Tuning) -> str:
    """Return what the tuning brought, as a sentence."""
    kept = _kept(tuning)
    tried = sum(step.figures is not None for step in tuning.steps)
    if not kept:
        return f"No step of {several(tried, 'step')} measured was kept: the settings stay."
    gain = _total_gain(kept)
    per = " per accelerator" if any(step.accelerators for step in kept) else ""
    said = "" if gain is None else f": {gain_percent(gain)} output tokens per second{per}"
    held = kept[0].interval if len(kept) == 1 else None
    sure = "" if held is None else (
        f" (95{NBSP}% interval {gain_interval(held)})"
    )  # fmt: skip
    verb = "was" if len(kept) == 1 else "were"
    return f"{several(len(kept), 'step')} of {count(tried)} measured {verb} kept{said}{sure}."


def _kept(tuning: Tuning) -> list[TuneStep]:
    return [step for step in tuning.steps if step.decision == "kept"]


def _total_gain(kept: list[TuneStep]) -> float | None:
    """Return the product of the kept steps' ratios; None where one has none."""
    ratios = [step.ratio for step in kept if step.ratio is not None]
    return math.prod(ratios) if len(ratios) == len(kept) else None


def _basis(tuning: Tuning) -> str:
    rival = tuning.baseline.alternative if tuning.baseline else None
    saving = "" if rival is None else f" The saving is against {plain(rival)}."
    starts = several(tuning.repeats, "engine start")
    several_kept = (
        " The gain of all is the product of the kept ones, without an interval: they share starts."
        if len(_kept(tuning)) > 1
        else ""
    )
    return (
        f"A gain is against the best before the step, geometric means over {starts} a side; rate "
        f"and cost are of the start in the middle, $/M is USD per million output tokens.{saving}"
        f"{several_kept}"
    )


def _ladder(tuning: Tuning) -> Table:
    own = row("0", _OWN, *_rate(tuning.baseline), "", "", "", *_money(tuning.baseline))
    columns = tuple(Column(head, numeric=head not in _TEXTS) for head in _HEADS)
    rows = (own, *map(_step_row, tuning.steps), _best_row(tuning))
    title = f"Ladder {plain(tuning.ladder)}: every step, and what became of it"
    return Table(title, columns, rows, "ladder")


def _step_row(step: TuneStep) -> Row:
    held = step.interval
    return row(
        str(step.number),
        step.name,
        *_rate(step.figures),
        "" if step.ratio is None else gain_percent(step.ratio),
        gain_interval(held),
        step.decision.replace("_", " "),
        *_money(step.figures),
    )


def _best_row(tuning: Tuning) -> Row:
    kept = _kept(tuning)
    figures = kept[-1].figures if kept else tuning.baseline
    gain = _total_gain(kept) if kept else None
    held = kept[0].interval if len(kept) == 1 else None
    return row(
        "Best",
        "with " + ", ".join(str(step.number) for step in kept) if kept else _OWN,
        *_rate(figures),
        "" if gain is None else gain_percent(gain),
        gain_interval(held),
        "" if tuning.is_complete else "so far",
        *_money(figures),
        strong=True,
    )


def _rate(figures: TuneFigures | None) -> tuple[str]:
    return ("" if figures is None else number(figures.output_tok_per_s),)


def _money(figures: TuneFigures | None) -> tuple[str, str]:
    if figures is None:
        return "", ""
    saving = "" if figures.saving is None else tenth_percent(figures.saving)
    return usd(figures.usd_per_million_output), saving


def _charts(tuning: Tuning) -> tuple[TuneBars, ...]:
    """Return as many charts as pages need, each begun by the scenario's own settings."""
    base = tuning.baseline
    own = TuneBar(_OWN, None, None if base is None else base.output_tok_per_s)
    bars = tuple(map(_bar, tuning.steps))
    begins = range(0, max(len(bars), 1), _BARS_A_CHART)
    parts = tuple(bars[begin : begin + _BARS_A_CHART] for begin in begins)
    every = (own, *bars)
    places = range(1, len(parts) + 1)
    of = [f" ({place} of {len(parts)})" if len(parts) > 1 else "" for place in places]
    return tuple(
        tune_bars((own, *part), part=words, every=every)
        for part, words in zip(parts, of, strict=True)
    )


def _bar(step: TuneStep) -> TuneBar:
    name = bar_name(f"{step.number} {step.name}")
    rate = None if step.figures is None else step.figures.output_tok_per_s
    if rate is None or step.ratio is None or step.interval is None:
        return TuneBar(name, step.decision, rate)
    low, high = (rate * end / step.ratio for end in (step.interval.low, step.interval.high))
    return TuneBar(name, step.decision, rate, low, high)


def _reasons(tuning: Tuning) -> Table:
    rows = tuple(
        row(
            f"{step.number} {step.name}",
            change_words(step) + (f" ({quality_words(step.quality)})" if step.numerics else ""),
            f"{step.decision.replace('_', ' ')}: {step.why}",
        )
        for step in tuning.steps
    )
    return Table("What each step sets, and why it was decided so", _columns(), rows, "reasons")


def _columns() -> tuple[Column, ...]:
    return tuple(map(Column, ("Step", "What it sets", "Result, and why")))


def _best_words(tuning: Tuning) -> str:
    steps = ", ".join(map(str, tuning.best.steps))
    first = f"With the kept steps ({steps})" if steps else "With the scenario's own settings"
    return f"{first} the engine is started so, on an address and port of your own:"


def _provenance(tuning: Tuning, engine: str | None, record: str) -> Table:
    pairs = (
        ("Begun", tuning.created_at.isoformat(timespec="minutes")),
        ("Engine", engine or "not recorded"),
        ("Engine starts a side", count(tuning.repeats)),
        ("Trials", f"{count(len(tuning.trials))}, each a start of the engine; beside the record"),
        ("Time of the trials", several(round(tuning.took_s / SECONDS_PER_MINUTE, 1), "minute")),
        ("Record", record),
        ("Scenario file, SHA-256", tuning.scenario_sha256),
        ("Ladder, SHA-256", tuning.ladder_sha256),
    )
    return facts("Where the figures of the tuning come from", pairs)
