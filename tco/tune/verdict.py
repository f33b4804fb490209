"""Decides on a step by the engine starts of both sides; a rate that is not better is not kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from tco.measure.interval import LEAST_STARTS
from tco.measure.ratio import ratio_of_starts
from tco.measurement import Interval
from tco.plural import several
from tco.tuning import Decision, Role


@dataclass(frozen=True, slots=True)
class Start:
    """What one engine start showed.

    Attributes:
        output_tok_per_s: at its capacity.
        holds: the service level there; None where it could not be judged.
        invalid: kinds of findings for which the rate must not be used.
    """

    output_tok_per_s: float
    holds: bool | None = None
    invalid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision, why, and the ratio (candidate by incumbent) with its interval."""

    decision: Decision
    why: str
    ratio: float | None = None
    interval: Interval | None = None


def schedule(repeats: int) -> tuple[Role, ...]:
    """Return the order of a step's trials: in pairs, each the other way round than the last.

    A machine that slowly changes its pace then favours neither side. The candidate begins: one
    that does not start costs one trial.
    """
    return tuple(role for pair in pairs(repeats) for role in pair)


def pairs(repeats: int) -> tuple[tuple[Role, Role], ...]:
    """Return the same as pairs of trials that follow each other."""
    pair: tuple[Role, Role] = ("candidate", "incumbent")
    return tuple(pair if n % 2 == 0 else (pair[1], pair[0]) for n in range(repeats))


def verdict(incumbent: Sequence[Start], candidate: Sequence[Start], *, has_level: bool) -> Verdict:
    """Return whether the candidate is kept: only where the interval of its ratio is above 1.

    The interval is Welch's across engine starts. With a service level, both sides must keep it
    in most of their starts; a candidate is kept too where all its starts do and none of the
    incumbent's.
    """
    if fault := _fault(incumbent, candidate, has_level=has_level):
        return Verdict("undecided", fault)
    rates = [[each.output_tok_per_s for each in side] for side in (incumbent, candidate)]
    ratio = geometric_mean(rates[1]) / geometric_mean(rates[0])
    interval = ratio_of_starts(*rates)
    if has_level and (found := _by_level(incumbent, candidate)):
        return Verdict(*found, ratio, interval)
    if interval is None:
        starts = several(min(map(len, rates)), "start")
        why = f"{starts} a side cannot tell; {LEAST_STARTS} can"
        return Verdict("undecided", why, ratio)
    if interval.low > 1:
        return Verdict("kept", "faster", ratio, interval)
    why = "slower" if interval.high < 1 else "not shown to be faster"
    return Verdict("reverted", why, ratio, interval)


def _fault(
    incumbent: Sequence[Start], candidate: Sequence[Start], *, has_level: bool
) -> str | None:
    """Return what forbids a decision."""
    starts = [*incumbent, *candidate]
    invalid = [each for each in starts if each.invalid]
    if invalid:
        kinds = sorted({kind for each in invalid for kind in each.invalid})
        verb = "is" if len(invalid) == 1 else "are"
        said = ", ".join(kinds).replace("_", " ")
        return f"{len(invalid)} of {len(starts)} measurements {verb} invalid: {said}"
    if not incumbent or not candidate:
        return "one side was not measured"
    if min(each.output_tok_per_s for each in starts) <= 0:
        return "a start answered no request well"
    if has_level and any(each.holds is None for each in starts):
        return "too few requests to judge the service level: give bench.window_s more seconds"
    return None


def _by_level(
    incumbent: Sequence[Start], candidate: Sequence[Start]
) -> tuple[Decision, str] | None:
    """Return the decision that the service level makes by itself."""
    kept, before = (sum(bool(each.holds) for each in side) for side in (candidate, incumbent))
    if kept * 2 <= len(candidate):
        also = ", as the best before it does" if before * 2 <= len(incumbent) else ""
        return "reverted", f"breaks the service level{also}"
    if kept == len(candidate) and before == 0 and len(candidate) >= LEAST_STARTS:
        return "kept", "keeps the service level, which the best before it breaks"
    if before * 2 <= len(incumbent):
        return "undecided", "the best before it breaks the service level, and this does at times"
    return None
