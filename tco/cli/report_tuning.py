"""`tco report tune.json`: the report of a tuning of any kind anew, from its record alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click


@dataclass(frozen=True, slots=True)
class _Report:
    headline: str
    names: Mapping[str, str]
    render: Callable[[Path, Sequence[str]], tuple[Path, ...]]


def report_tuning(record: Path, formats: str | None, out_dir: Path | None, *, force: bool) -> int:
    """Write the report of a ladder, a search or several traffics; no engine is started.

    Raises:
        InputError: it is no whole record, or its report exists and `force` is not given.
    """
    from tco.report.render import check_folder, make_folder, parse_formats

    report = _report_of(record)
    names = dict(report.names)
    wanted = tuple(names) if formats is None else parse_formats(formats, names)
    folder = out_dir or record.parent
    check_folder(folder, wanted, force=force, names=names)
    make_folder(folder)
    paths = report.render(folder, wanted)
    click.echo(report.headline)
    for path in paths:
        click.echo(str(path))
    return 0


def _report_of(path: Path) -> _Report:
    from tco.report.search_document import SEARCH_FILE_NAMES, render_search
    from tco.report.search_headline import search_headline
    from tco.report.shapes_document import SHAPES_FILE_NAMES, render_shapes, shapes_headline
    from tco.report.tune_document import tuning_headline
    from tco.report.tune_files import TUNE_FILE_NAMES, render_tuning
    from tco.search_document import Search
    from tco.shapes import Shapes
    from tco.tuned_record import read_any_record

    record, engine = read_any_record(path)
    if isinstance(record, Search):
        return _Report(
            search_headline(record), SEARCH_FILE_NAMES,
            lambda folder, wanted: render_search(record, folder, engine=engine, formats=wanted),
        )  # fmt: skip
    if isinstance(record, Shapes):
        return _Report(
            shapes_headline(record), SHAPES_FILE_NAMES,
            lambda folder, wanted: render_shapes(record, folder, formats=wanted),
        )  # fmt: skip
    return _Report(
        tuning_headline(record), TUNE_FILE_NAMES,
        lambda folder, wanted: render_tuning(record, folder, engine=engine, formats=wanted),
    )  # fmt: skip
