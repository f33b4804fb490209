"""`tco report tune.json`: the report of a finished tuning anew, from its record alone."""

from __future__ import annotations

from pathlib import Path

import click

from tco.errors import InputError


def report_tuning(record: Path, formats: str | None, out_dir: Path | None, *, force: bool) -> int:
    """Write the report of a tuning; no engine is started.

    Raises:
        InputError: it is no ladder's record, or its report exists and `force` is not given.
    """
    from tco.report.render import check_folder, make_folder, parse_formats
    from tco.report.tune_document import tuning_headline
    from tco.report.tune_files import TUNE_FILE_NAMES, render_tuning
    from tco.tuned_record import read_tuned_record

    found = read_tuned_record(record, str(record))
    if found.tuning is None:
        raise InputError(
            found.why or "is not the record of a tuning",
            file=found.place,
            remedy="give the tune.json that `tco tune --ladder` wrote",
        )
    wanted = tuple(TUNE_FILE_NAMES) if formats is None else parse_formats(formats, TUNE_FILE_NAMES)
    folder = out_dir or record.parent
    check_folder(folder, wanted, force=force, names=TUNE_FILE_NAMES)
    make_folder(folder)
    paths = render_tuning(found.tuning, folder, engine=found.engine, formats=wanted)
    click.echo(tuning_headline(found.tuning))
    for path in paths:
        click.echo(str(path))
    return 0
