"""Reading traffic: the format is recognised from the content, never from the file's name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tco.errors import InputError
from tco.file_kind import refuse_tcos_own
from tco.input_file import unreadable
from tco.traffic.columns import read_table
from tco.traffic.error import TrafficError
from tco.traffic.grouping import workload_of
from tco.traffic.lines import Lines
from tco.traffic.objects import read_objects
from tco.traffic.rows import Rows
from tco.units import SECONDS_PER_YEAR
from tco.workload import Workload

_LONGEST_YEARS = 10


@dataclass(frozen=True, slots=True)
class Traffic:
    """What a file told.

    Attributes:
        workload: its requests.
        format: what wrote such a file, in words.
        sha256: of its bytes.
        arrivals_s: every stated arrival, sorted, after the first; those of later turns too.
        left_out: requests without input or answer, which are not in the workload.
        knows_prefixes: whether the file tells what prompts share; else it may be anything.
    """

    workload: Workload
    format: str
    sha256: str
    arrivals_s: npt.NDArray[np.float64]
    left_out: int
    knows_prefixes: bool


def load_traffic(path: Path) -> Traffic:
    """Read a file of requests in any of the formats the documentation lists.

    Raises:
        InputError: no such file, no known format, or a row that does not fit, with its line.
    """
    with _opened(path) as stream:
        try:
            refuse_tcos_own(stream.peek(), "a file of requests", path)
            return parsed_traffic(stream, str(path))
        except OSError as error:
            raise unreadable(error, path) from None


def _opened(path: Path) -> BufferedReader:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None


def parsed_traffic(stream: BinaryIO, file: str) -> Traffic:
    """Return what a stream of bytes tells; `file` names it in errors.

    Raises:
        InputError: as `load_traffic`.
    """
    lines, rows = Lines(stream), Rows()
    try:
        name = _read(lines, rows)
    except TrafficError as fault:
        raise _placed(fault, file, lines.number or None) from None
    try:
        if len(rows) == 0:
            raise TrafficError(
                "has no requests" + _left_out(rows), remedy="see that it is the right file"
            )
        arrivals_s = rows.arrivals_s()
        _check_span(arrivals_s)
        workload = workload_of(rows)
    except TrafficError as fault:
        raise _placed(fault, file, None) from None
    has_sessions = len(workload) > workload.sessions()
    return Traffic(
        workload=workload,
        format=name,
        sha256=lines.sha256(),
        arrivals_s=arrivals_s,
        left_out=rows.left_out,
        knows_prefixes=bool(rows.block_counts) or rows.knows_cached() or has_sessions,
    )


def _read(lines: Lines, rows: Rows) -> str:
    text: Iterator[str] = iter(lines)
    first = next((line for line in text if line.strip()), None)
    if first is None:
        raise TrafficError("is empty", remedy="give a file with a request a line")
    whole = itertools.chain([first], text)
    if first.lstrip()[0] in "{[":
        return read_objects(whole, rows)
    return read_table(whole, rows)


def _check_span(arrivals_s: npt.NDArray[np.float64]) -> None:
    years = arrivals_s.max(initial=0) / SECONDS_PER_YEAR
    if years > _LONGEST_YEARS:
        raise TrafficError(
            f"holds requests over {years:,.0f} years", remedy="look for a time that is wrong"
        )


def _left_out(rows: Rows) -> str:
    return f": {rows.left_out} without input or answer are left out" if rows.left_out else ""


def _placed(fault: TrafficError, file: str, line: int | None) -> InputError:
    remedy = fault.remedy or "correct that line, or leave it out"
    return InputError(fault.message, remedy=remedy, file=file, line=line, key=fault.key)
