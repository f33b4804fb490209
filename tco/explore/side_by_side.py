"""Several cases side by side: their answers, what differs, and what each difference does."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from tco import __version__
from tco.case import Case, measurement_for
from tco.comparison import Comparison
from tco.errors import InputError
from tco.explore.answer import answer, answer_as_stated
from tco.scenario_leaves import atoms_of, leaves, replaced, same, shown_value
from tco.side_by_side import Attribution, DifferingInput, Side, SideBySide, Step
from tco.yamltree import Loc, dotted

MOST_SCENARIOS = 8
_MEASUREMENT: Loc = ("measurement",)
_NOTHING = 1e-12


@dataclasses.dataclass(frozen=True, slots=True)
class _Pair:
    """The first case and another, and which of their keys differ."""

    first: Case
    other: Case
    atoms: frozenset[Loc]
    keys: tuple[Loc, ...]


def side_by_side(
    cases: Sequence[Case], files: Sequence[str], measurement_files: Sequence[str | None]
) -> SideBySide:
    """Return the cases with their answers, and the differences from the first.

    Args:
        cases: two or more.
        files: of the scenarios, as they were given.
        measurement_files: likewise; None of a published rate.

    Raises:
        InputError: a case has no answer, or there are too many.
    """
    check_number(len(cases))
    found = [answer(case) for case in cases]
    scenarios = [case.loaded.scenario for case in cases]
    atoms = atoms_of(scenarios) | (
        {_MEASUREMENT} if any(case.measurement_sha256 for case in cases) else frozenset()
    )
    every = [leaves(each, atoms) for each in scenarios]
    keys = tuple(dict.fromkeys(loc for each in every for loc in each))
    differing = tuple(
        loc for loc in keys if any(not same(each.get(loc), every[0].get(loc)) for each in every)
    )
    labels = _labels([each.name for each in found], files, measurement_files)
    return SideBySide(
        tool_version=__version__,
        sides=tuple(
            Side(label=label, file=file, measurement_file=measured, comparison=each)
            for label, file, measured, each in zip(
                labels, files, measurement_files, found, strict=True
            )
        ),
        inputs=tuple(
            DifferingInput(
                key=dotted(loc),
                values=tuple(shown_value(loc, each.get(loc)) for each in every),
            )
            for loc in differing
        ),
        equal_inputs=len(keys) - len(differing),
        same_request=len({_request(case) for case in cases}) == 1,
        same_volume=len({round(each.self_host.requests_per_year, 3) for each in found}) == 1,
        attributions=tuple(
            _attribution(
                _Pair(
                    cases[0],
                    cases[place],
                    atoms,
                    tuple(
                        loc
                        for loc in differing
                        if not same(every[0].get(loc), every[place].get(loc))
                    ),
                ),
                place,
                found,
            )
            for place in range(1, len(cases))
        ),
    )


def check_number(many: int) -> None:
    """See that so many scenarios can stand side by side.

    Raises:
        InputError: there are more.
    """
    if many > MOST_SCENARIOS:
        raise InputError(
            f"at most {MOST_SCENARIOS} scenarios stand side by side, got {many}",
            remedy="leave some out, or vary one scenario with `tco sweep`",
        )


def _attribution(pair: _Pair, place: int, found: Sequence[Comparison]) -> Attribution:
    base, end = found[0], found[place]
    steps, not_alone = _steps(pair, base)
    moving = [step for step in steps if _moves(step)]
    changes = [step.saving_change for step in moving if step.saving_change is not None]
    return Attribution(
        scenario=place,
        steps=tuple(sorted(moving, key=lambda step: -abs(step.saving_change or 0.0))),
        changes_nothing=tuple(key for step in steps if not _moves(step) for key in step.keys),
        not_alone=not_alone,
        saving_change=_less(_saving(end), _saving(base)),
        sum_of_changes=sum(changes) if len(changes) == len(moving) else None,
    )


def _steps(pair: _Pair, base: Comparison) -> tuple[list[Step], tuple[str, ...]]:
    """Return the steps, each as small as a scenario allows, and the keys that have none."""
    keys = _keys(pair)
    found: dict[tuple[Loc, ...], Step] = {}
    for loc in keys:
        _first(pair, [(loc,)], base, found)
    failed = [loc for loc in keys if (loc,) not in found]
    sections = tuple(dict.fromkeys(loc[:1] for loc in failed))
    left: list[Loc] = []
    for section in sections:
        inside = [loc for loc in keys if loc[:1] == section]
        group = tuple(loc for loc in inside if loc in failed)
        tries = [*_with_one_more(group, inside), (section,)]
        if not _first(pair, tries, base, found):
            left.append(section)
    if left:
        tries = _with_one_more(tuple(left), tuple(dict.fromkeys(loc[:1] for loc in keys)))
        if _first(pair, tries, base, found):
            left = []
    covered = {key: len(step.keys) for step in found.values() for key in step.keys}
    for step in found.values():
        covered |= {key: max(covered[key], len(step.keys)) for key in step.keys}
    # A key that is part of a larger step has none of its own.
    steps = [each for each in found.values() if covered[each.keys[0]] <= len(each.keys)]
    return steps, tuple(dotted(loc) for loc in failed if loc[:1] in left)


def _with_one_more(group: tuple[Loc, ...], others: Sequence[Loc]) -> list[tuple[Loc, ...]]:
    return [group, *((*group, other) for other in others if other not in group)]


def _first(
    pair: _Pair,
    tries: Sequence[tuple[Loc, ...]],
    base: Comparison,
    found: dict[tuple[Loc, ...], Step],
) -> bool:
    """Keep the first of these groups that has a step; say whether any has."""
    for group in tries:
        step = _step(pair, group, base)
        if step is not None:
            found[group] = step
            return True
    return False


def _keys(pair: _Pair) -> tuple[Loc, ...]:
    """The keys that differ, and the measurement where it is another file's."""
    shas = pair.first.measurement_sha256, pair.other.measurement_sha256
    if shas[0] == shas[1] or _MEASUREMENT in pair.keys:
        return pair.keys
    return (*pair.keys, _MEASUREMENT)


def _step(pair: _Pair, parts: Sequence[Loc], base: Comparison) -> Step | None:
    """Return the answer with these parts as in the other case; None where there is no such one."""
    first, other = pair.first, pair.other
    try:
        scenario = replaced(first.loaded.scenario, other.loaded.scenario, parts, pair.atoms)
        case = dataclasses.replace(
            first,
            loaded=dataclasses.replace(first.loaded, scenario=scenario),
            date=scenario.date or first.date,
        )
        measured = other if _MEASUREMENT in parts else first
        case = dataclasses.replace(
            case,
            measurement=measurement_for(measured, scenario),
            measurement_sha256=measured.measurement_sha256,
        )
        found = answer_as_stated(case)
    except (InputError, ValueError):
        return None
    rival = found.headline_alternative()
    now = base.headline_alternative()
    yearly = None if rival is None else rival.saving_usd_per_year
    return Step(
        keys=_named(pair, parts),
        against=None if rival is None else rival.name,
        saving=_saving(found),
        saving_change=_less(_saving(found), _saving(base)),
        saving_usd_per_year=yearly,
        saving_usd_per_year_change=_less(yearly, None if now is None else now.saving_usd_per_year),
    )


def _named(pair: _Pair, parts: Sequence[Loc]) -> tuple[str, ...]:
    """Return the keys that differ in these parts."""
    inside = [
        dotted(loc)
        for loc in _keys(pair)
        if any(loc == part or _is_above(part, loc) for part in parts)
    ]
    return tuple(inside)


def _is_above(part: Loc, loc: Loc) -> bool:
    return len(part) < len(loc) and loc[: len(part)] == part


def _moves(step: Step) -> bool:
    changes = step.saving_change, step.saving_usd_per_year_change
    return any(change is None or abs(change) > _NOTHING for change in changes)


def _saving(comparison: Comparison) -> float | None:
    rival = comparison.headline_alternative()
    return None if rival is None else rival.saving


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _request(case: Case) -> tuple[float, float, float]:
    """The tokens of a request: in, cached share, out."""
    shape = case.loaded.scenario.traffic.shape
    means = case.measurement.shape
    return means.input_tokens, shape.cached_input_share.value, means.output_tokens


def _labels(
    names: Sequence[str], files: Sequence[str], measured: Sequence[str | None]
) -> tuple[str, ...]:
    """Return the names; with the file, the measurement or a number where they are the same."""
    labels = list(names)
    for extra in (files, measured, [str(place + 1) for place in range(len(names))]):
        told = [*zip(labels, extra, strict=True)]
        labels = [
            f"{label} ({more})" if more and _tells_apart(label, told) else label
            for label, more in told
        ]
    return tuple(labels)


def _tells_apart(label: str, told: Sequence[tuple[str, str | None]]) -> bool:
    """Say whether those of one label differ in what may follow it."""
    return len({more for other, more in told if other == label}) > 1
