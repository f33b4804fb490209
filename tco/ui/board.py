"""A Board is what a page asks: a scenario that was read once, answered under its changes."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tco.case import Case, load_case, measurement_for
from tco.comparison import Comparison
from tco.explore.answer import answer, answer_as_stated, is_ranged
from tco.scenario_file import LoadedScenario, resolved
from tco.ui.changes import Changes, read_changes
from tco.ui.inputs import Group, Input, groups_of
from tco.yamlfile import YamlDocument, read_yaml

# Where the last whole answer took longer, the interval follows the figures instead.
_AT_ONCE_S = 0.05


@dataclass(frozen=True, slots=True)
class Answer:
    """A case under changes, and its comparison.

    Attributes:
        is_whole: whether it says how sure it is, where anything is ranged.
    """

    changes: Changes
    case: Case
    comparison: Comparison
    is_whole: bool


class Board:
    """Answers a scenario under changes of its numbers; its files are read once.

    Args:
        case: the scenario as stated, `--set` included.
        file: its file as read, before any override; `text` is its content.
        sets: the `key=value` overrides that the case was read with; `measurement_file` and
            `price_files` likewise.
    """

    def __init__(
        self,
        case: Case,
        file: YamlDocument,
        text: str,
        *,
        sets: Sequence[str] = (),
        measurement_file: Path | None = None,
        price_files: Sequence[Path] = (),
    ) -> None:
        self.case = case
        self.file = file
        self.text = text
        self.sets = tuple(sets)
        self.measurement_file = measurement_file
        self.price_files = tuple(price_files)
        self.groups: tuple[Group, ...] = groups_of(
            case.loaded.scenario, lambda override: self._loaded((override,)).scenario
        )
        self.inputs: dict[str, Input] = {
            each.key: each for group in self.groups for each in group.inputs
        }
        self._whole_s = 0.0

    def changes(self, raw: Iterable[tuple[str, str]]) -> Changes:
        """Return what a page sent as changes.

        Raises:
            InputError: as `read_changes`.
        """
        return read_changes(raw, self.inputs)

    def answer(self, changes: Changes, *, whole: bool = False) -> Answer:
        """Return the answer; without how sure it is where that takes long and is not asked for.

        Raises:
            InputError: the changed numbers cannot be used.
        """
        case = self.case_under(changes)
        if not is_ranged(case):
            return Answer(changes, case, answer_as_stated(case), is_whole=True)
        if not whole and self._whole_s > _AT_ONCE_S:
            return Answer(changes, case, answer_as_stated(case), is_whole=False)
        begun = time.perf_counter()
        comparison = answer(case)
        self._whole_s = time.perf_counter() - begun
        return Answer(changes, case, comparison, is_whole=True)

    def case_under(self, changes: Changes) -> Case:
        """Return the case with the numbers changed.

        Raises:
            InputError: they do not fit the scenario.
        """
        if not changes.each:
            return self.case
        loaded = self._loaded(changes.overrides())
        measurement = measurement_for(self.case, loaded.scenario)
        return dataclasses.replace(self.case, loaded=loaded, measurement=measurement)

    def _loaded(self, overrides: Sequence[str]) -> LoadedScenario:
        return resolved(self.file, [*self.sets, *overrides])


def load_board(
    scenario: Path,
    *,
    sets: Sequence[str] = (),
    measurement_file: Path | None = None,
    price_files: Sequence[Path] = (),
) -> Board:
    """Read a scenario and what it is compared with.

    Raises:
        InputError: as `load_case`.
    """
    case = load_case(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )
    return Board(
        case,
        read_yaml(scenario),
        scenario.read_text(encoding="utf-8-sig"),
        sets=sets,
        measurement_file=measurement_file,
        price_files=price_files,
    )
