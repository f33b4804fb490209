"""Where a sweep goes: a CSV or Parquet file, a JSON document, or the terminal."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.output_file import whole_file
from tco.plural import several
from tco.report.text import visible

if TYPE_CHECKING:
    import pyarrow as pa

    from tco.explore.axis import Axis
    from tco.finding import Finding
    from tco.report.sweep_figure import SweepFigure
    from tco.what_if import WhatIf

_INVALID = 4
# Between two of their values the saving steps, instead of sloping.
_COUNTS = ("servers", "replicas")
_MOST_MAPPED = 2
# Rows of a row group of Parquet; what is held in memory at once.
_ROW_GROUP = 262_144


@dataclass(frozen=True, slots=True)
class Grid:
    """What is swept, and which columns are asked for."""

    axes: Sequence[Axis]
    fields: Sequence[str]
    what_if: WhatIf
    alternative: str | None

    def schema(self) -> pa.Schema:
        """Return the columns."""
        from tco.explore.sweep_table import table_schema

        return table_schema(self.axes, self.fields)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows, computed as they are asked for."""
        from tco.explore.sweep import sweep_blocks
        from tco.explore.sweep_table import batches

        blocks = sweep_blocks(self.axes, self.what_if, self.fields, self.alternative)
        return batches(self.axes, self.fields, blocks)

    def findings(self) -> tuple[Finding, ...]:
        """Return what a reader must know beside the figures."""
        from tco.explore.sweep_findings import sweep_findings

        return sweep_findings(self.axes, self.what_if, self.fields)


def write_file(grid: Grid, path: Path) -> None:
    """Write the grid as the file's suffix says; it is there whole, or not at all."""
    with whole_file(path) as beside:
        if path.suffix.lower() in {".svg", ".png"}:
            beside.write_bytes(_drawn(grid, path.suffix.lower()))
        elif path.suffix.lower() == ".parquet":
            _write_parquet(grid, beside)
        else:
            _write_csv(grid, beside)
    click.echo(f"wrote {path}", err=True)


def print_grid(grid: Grid) -> None:
    """Print the grid: on a terminal the saving as a map, if one or two keys vary; else CSV.

    Words do not fit the head of a column, so that along a map there are numbers.
    """
    may_map = len(grid.axes) == 1 or (len(grid.axes) == _MOST_MAPPED and grid.axes[-1].is_numeric)
    if may_map and _has_alternatives(grid) and sys.stdout.isatty():
        from tco.cli.sweep_map import print_map

        print_map(_figure(grid))
    else:
        print_csv(grid)


def _has_alternatives(grid: Grid) -> bool:
    return bool(grid.what_if.case.loaded.scenario.alternatives)


def print_csv(grid: Grid) -> None:
    """Print the grid as CSV."""
    from tco.explore.sweep_csv import csv_chunks

    for chunk in csv_chunks(grid.schema(), grid.batches()):
        click.echo(chunk, nl=False)


def print_json(grid: Grid) -> None:
    """Print the grid as one JSON document."""
    from tco.explore.sweep_csv import json_chunks

    for chunk in json_chunks(grid.schema().names, grid.batches(), grid.findings):
        click.echo(chunk, nl=False)
    click.echo()


def say(findings: Sequence[Finding]) -> int:
    """Print on stderr what a reader must know; return the exit code.

    What `tco compare` says anyway is counted alone, unless it forbids to use the figures.
    """
    shown = [f for f in findings if f.severity == "invalid" or f.kind == "axis_changes_nothing"]
    for finding in shown:
        click.echo(visible(f"{finding.word}: {finding.message}; {finding.advice}"), err=True)
    rest = sum(finding.severity == "warn" for finding in findings if finding not in shown)
    if rest:
        warnings = several(rest, "warning")
        click.echo(f"{warnings} on what these figures rest on: see `tco compare`", err=True)
    if any(finding.severity == "invalid" for finding in findings):
        click.echo("tco: a finding is invalid; these figures must not be used", err=True)
        return _INVALID
    return 0


def _drawn(grid: Grid, suffix: str) -> bytes:
    from tco.report.sweep_chart import draw_sweep

    return draw_sweep(_figure(grid), suffix)


def _figure(grid: Grid) -> SweepFigure:
    from tco.explore.sweep_table import rows_of
    from tco.report.sweep_figure import sweep_figure

    keys = [axis.key for axis in grid.axes]
    with_fleet = dataclasses.replace(grid, fields=tuple(dict.fromkeys((*grid.fields, *_COUNTS))))
    columns = [*keys, "alternative", "saving", *_COUNTS]
    batches = (batch.select(columns) for batch in with_fleet.batches())
    name = grid.what_if.case.loaded.scenario.name
    return sweep_figure(name, keys, rows_of(batches))


def _write_csv(grid: Grid, path: Path) -> None:
    from tco.explore.sweep_csv import csv_chunks

    with path.open("wb") as file:
        for chunk in csv_chunks(grid.schema(), grid.batches()):
            file.write(chunk)


def _write_parquet(grid: Grid, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = grid.schema()
    with path.open("wb") as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _grouped(grid.batches(), _ROW_GROUP):
            writer.write_table(pa.Table.from_batches(group, schema))


def _grouped(batches: Iterator[pa.RecordBatch], rows: int) -> Iterator[list[pa.RecordBatch]]:
    """Yield batches together until they have so many rows: loops give many small ones."""
    group: list[pa.RecordBatch] = []
    for batch in batches:
        group.append(batch)
        if sum(each.num_rows for each in group) >= rows:
            yield group
            group = []
    if group:
        yield group
