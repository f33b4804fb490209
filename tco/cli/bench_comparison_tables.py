"""Two measurements compared, on a terminal: which they are, B by A, and what to know of it."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tco.bench_comparison import BenchComparison, ComparedRun, Ratio
from tco.cli.terminal_findings import print_findings
from tco.plural import several
from tco.report.numbers import percent
from tco.report.text import visible

_VERDICTS = {"better": "green", "worse": "red", "undecided": "dim"}
_UNITS = {"tok": "tok/s", "requests": "requests/s"}


def print_bench_comparison(comparison: BenchComparison) -> None:
    """Print the comparison on stdout; markup in names is shown as it is written."""
    out = Console(highlight=False)
    for name, run in (("A", comparison.a), ("B", comparison.b)):
        out.print(Text(visible(f"{name}: {_run(run)}")))
    out.print()
    out.print(_ratios(comparison.ratios))
    for words in dict.fromkeys(filter(None, (_covers(r) or r.reason for r in comparison.ratios))):
        out.print(Text(visible(words)))
    print_findings(comparison.findings, out)


def _run(run: ComparedRun) -> str:
    known = (run.engine, run.model, run.host)
    parts = [run.load, *(part for part in known if part), f"{run.created_at:%Y-%m-%d %H:%M}"]
    return f"{run.file}: {', '.join(parts)}, {several(run.starts, 'engine start')}"


def _ratios(ratios: tuple[Ratio, ...]) -> Table:
    table = Table(pad_edge=False, box=box.SIMPLE_HEAD)
    for index, name in enumerate(("", "A", "B", "change", "95 % interval", "B is")):
        table.add_column(name, justify="right" if 0 < index < 5 else "left")  # noqa: PLR2004
    for ratio in ratios:
        verdict = Text(ratio.verdict, style=_VERDICTS[ratio.verdict])
        cells = (_name(ratio.figure), f"{ratio.a:,.4g}", f"{ratio.b:,.4g}", *_changes(ratio))
        table.add_row(*(Text(cell) for cell in cells), verdict)
    return table


def _name(figure: str) -> str:
    """Return a figure's name as a reader says it: `TTFT p95, ms`."""
    name, _, rest = figure.partition("_")
    if rest.startswith("p"):
        return f"{name.upper()} {rest.removesuffix('_ms')}, ms"
    return f"{name}, {_UNITS[rest.partition('_')[0]]}"


def _changes(ratio: Ratio) -> tuple[str, str]:
    change = "-" if ratio.ratio is None else _signed(ratio.ratio - 1)
    if ratio.interval is None:
        return change, "-"
    low, high = ratio.interval.low, ratio.interval.high
    mark = "" if ratio.interval.level is not None else " *"
    return change, f"{_signed(low - 1)} to {_signed(high - 1)}{mark}"


def _signed(share: float) -> str:
    return ("+" if share > 0 else "") + percent(share)


def _covers(ratio: Ratio) -> str | None:
    if ratio.interval is None:
        return None
    if ratio.interval.level is None:
        return f"* {ratio.figure}: no confidence interval but a range, {ratio.interval.covers}"
    return f"{_name(ratio.figure)}: interval {ratio.interval.covers}"
