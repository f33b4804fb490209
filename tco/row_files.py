"""The folders of pricing/ that hold rows by id: hardware, electricity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypeVar

from tco.errors import InputError
from tco.resources import data_dir
from tco.validation import nearest
from tco.yamlfile import YamlDocument, read_yaml

Kind = Literal["hardware", "electricity"]
_Row = TypeVar("_Row")


def read_rows(
    kind: Kind, rows_of: Callable[[YamlDocument], Mapping[str, _Row]], folder: Path | None = None
) -> dict[str, _Row]:
    """Return all rows by their id, from the shipped folder unless another is named.

    Raises:
        InputError: a file cannot be used, or two files hold the same row.
    """
    rows: dict[str, _Row] = {}
    for path in sorted((folder or data_dir("pricing") / kind).glob("*.yaml")):
        document = read_yaml(path)
        for row_id, row in rows_of(document).items():
            if row_id in rows:
                line = document.line(("rows", row_id))
                raise InputError(f"the row `{row_id}` stands twice", file=str(path), line=line)
            rows[row_id] = row
    return rows


def named_row(kind: Kind, rows: Mapping[str, _Row], row_id: str) -> _Row:
    """Return one row.

    Raises:
        InputError: there is no such row; the remedy names the nearest and where to look.
    """
    if row_id in rows:
        return rows[row_id]
    close = nearest(row_id, rows)
    listed = f"the rows of pricing/{kind}/ are {', '.join(sorted(rows))}"
    raise InputError(
        f"there is no {kind} row `{row_id}`",
        remedy=f"did you mean `{close}`? {listed}" if close else listed,
    )
