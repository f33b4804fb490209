"""A Bill is the files of one bill, joined: what they cover, tell, and lack."""

from __future__ import annotations

import datetime as dt
import fnmatch
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tco.bill.formats import goes_with
from tco.bill.sums import Cell, Sums
from tco.traffic.error import TrafficError
from tco.units import SECONDS_PER_DAY

# Fewer whole days than this, and those cut at the ends are counted too.
_LEAST_WHOLE_DAYS = 2


@dataclass(frozen=True, slots=True)
class BillFile:
    """What one export tells.

    Attributes:
        name: of the file.
        format: what wrote it, in words.
        provider: whose usage or costs it holds; `any` for a specification of several.
        cells: sums by time and model.
        left_out: records that were no request to a provider.
        twice: requests that a file before, or this one, has already.
        has_more: its last page says that others follow.
    """

    name: str
    format: str
    provider: str
    sha256: str
    has_usage: bool
    has_cost: bool
    cells: Mapping[Cell, Sums]
    left_out: int = 0
    twice: int = 0
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class Period:
    """From a second on, up to another; since 1970, UTC.

    Attributes:
        is_cut: days that the files hold only in part were left out at its ends.
    """

    start_s: int
    end_s: int
    is_cut: bool = False

    def days(self) -> float:
        """Return the length in days."""
        return (self.end_s - self.start_s) / SECONDS_PER_DAY

    def first_day(self) -> dt.date:
        """Return the day it begins in."""
        return day_of(self.start_s)

    def last_day(self) -> dt.date:
        """Return the day it ends in."""
        return day_of(self.end_s - 1)


@dataclass(frozen=True, slots=True)
class Bill:
    """The files, in the order they were named."""

    files: tuple[BillFile, ...]

    def providers(self, *, usage: bool) -> set[str]:
        """Return whose usage, or whose costs, the files hold."""
        return {
            file.provider for file in self.files if (file.has_usage if usage else file.has_cost)
        }

    def has_usage(self) -> bool:
        """Say whether every cost has its usage beside it."""
        usage = self.providers(usage=True)
        return all(goes_with(each, usage) for each in self.providers(usage=False)) and bool(usage)

    def has_cost(self) -> bool:
        """Say whether every usage has its costs beside it."""
        costs = self.providers(usage=False)
        return all(goes_with(each, costs) for each in self.providers(usage=True)) and bool(costs)

    def cells(
        self, models: Sequence[str] = (), period: Period | None = None
    ) -> Iterator[tuple[BillFile, Cell, Sums]]:
        """Yield the sums of the models that match any of the patterns, in the period.

        Raises:
            TrafficError: models are asked for, and a file does not name any.
        """
        for file in self.files:
            if models and all(cell.model is None for cell in file.cells):
                raise TrafficError(
                    f"{file.name} does not say which model its rows are of",
                    key="model",
                    remedy="export it grouped by model, or leave `model` out",
                )
            for cell, sums in file.cells.items():
                in_time = period is None or period.start_s <= cell.start_s < period.end_s
                if in_time and _matches(cell.model, models):
                    yield file, cell, sums

    def models(self) -> list[str]:
        """Return the names of all models, sorted."""
        return sorted({cell.model for file in self.files for cell in file.cells if cell.model})

    def period(self, first: dt.date | None = None, last: dt.date | None = None) -> Period:
        """Return what the bill covers: whole days in UTC where it has any.

        Args:
            first: a day to begin with, instead of the first one in the files.
            last: a day to end with, included.

        Raises:
            TrafficError: usage and costs, or two providers, cover different days.
        """
        spans = {_label(file): _span(files) for file, files in self._groups()}
        if first is None or last is None:
            _check_equal(spans)
        found = next(iter(spans.values()))
        start_s = found.start_s if first is None else _midnight_s(first)
        end_s = found.end_s if last is None else _midnight_s(last) + SECONDS_PER_DAY
        if end_s <= start_s:
            raise TrafficError("`from` must not be after `to`, and not outside the files")
        is_cut = found.is_cut and (first is None or last is None)
        return Period(start_s, end_s, is_cut)

    def _groups(self) -> Iterator[tuple[BillFile, list[BillFile]]]:
        """Yield the files that belong together: of one provider, and of one kind."""
        kinds = {(file.provider, file.has_usage, file.has_cost): file for file in self.files}
        for kind, file in kinds.items():
            yield (
                file,
                [one for one in self.files if (one.provider, one.has_usage, one.has_cost) == kind],
            )


def day_of(at_s: int) -> dt.date:
    """Return the day of a moment, in UTC."""
    return dt.datetime.fromtimestamp(at_s, tz=dt.UTC).date()


def _matches(model: str | None, patterns: Sequence[str]) -> bool:
    if not patterns:
        return True
    name = (model or "").casefold()
    return any(fnmatch.fnmatchcase(name, pattern.casefold()) for pattern in patterns)


def _span(files: Iterable[BillFile]) -> Period:
    """Return the whole days that the files hold, or all that they do where these are few."""
    cells = [cell for file in files for cell in file.cells]
    start_s, end_s = min(cell.start_s for cell in cells), max(cell.end_s for cell in cells)
    first = -(-start_s // SECONDS_PER_DAY) * SECONDS_PER_DAY
    last = end_s // SECONDS_PER_DAY * SECONDS_PER_DAY
    if last - first < _LEAST_WHOLE_DAYS * SECONDS_PER_DAY:
        return Period(start_s, end_s)
    return Period(first, last, is_cut=(first, last) != (start_s, end_s))


def _label(file: BillFile) -> str:
    what = "usage and costs" if file.has_usage and file.has_cost else "costs"
    return f"{file.format if file.provider == 'any' else file.provider} " + (
        "usage" if not file.has_cost else what
    )


def _check_equal(spans: Mapping[str, Period]) -> None:
    said = {label: f"{span.first_day()} to {span.last_day()}" for label, span in spans.items()}
    if len(set(said.values())) > 1:
        words = ", ".join(f"the {label} {days}" for label, days in said.items())
        raise TrafficError(
            f"its files do not cover the same days: {words}",
            remedy="state `from` and `to` under traffic.bill, or export the same days",
        )


def _midnight_s(day: dt.date) -> int:
    return int(dt.datetime.combine(day, dt.time(), tzinfo=dt.UTC).timestamp())
