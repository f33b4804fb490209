"""Whether the best is one: what its starts and those of the scenario's own settings say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tco.search_document import Confirmation, SearchTrial
from tco.tune.search.objective import Objective
from tco.tune.search.plan import SearchPlan
from tco.tune.verdict import Start, verdict
from tco.tuning import Role

_WORDS = {"faster": "better", "slower": "worse", "not shown to be faster": "no gain shown"}


def decided(
    plan: SearchPlan, first: int, sides: Mapping[Role, Sequence[SearchTrial]]
) -> Confirmation:
    """Return what the trials of both sides decide.

    Args:
        plan: of the search.
        first: number of the trial that found the best.
        sides: the trials of the best (`candidate`) and of the own settings (`incumbent`).
    """
    for role, trials in sides.items():
        broken = next((t.failure for t in trials if t.failure and t.objective is None), None)
        if broken is not None:
            who = "the best" if role == "candidate" else "the scenario's own settings"
            return Confirmation(
                trial=first, repeats=plan.repeats, decision="undecided",
                why=f"{who} failed this time: {broken}",
            )  # fmt: skip
    found = verdict(
        _starts(sides["incumbent"], plan.objective), _starts(sides["candidate"], plan.objective),
        has_level=bool(plan.base.scenario.slo),
    )  # fmt: skip
    return Confirmation(
        trial=first, repeats=plan.repeats, decision=found.decision,
        why=_WORDS.get(found.why, found.why), ratio=found.ratio, interval=found.interval,
        best_trial=_median(sides["candidate"]), own_trial=_median(sides["incumbent"]),
    )  # fmt: skip


def _median(trials: Sequence[SearchTrial]) -> int | None:
    """Return the number of the valid trial of median objective; of two the lower one's."""
    valid = [each for each in trials if each.objective is not None and not each.invalid]
    ranked = sorted(valid, key=lambda each: (each.objective or 0.0, each.number))
    return ranked[(len(ranked) - 1) // 2].number if ranked else None


def _starts(trials: Sequence[SearchTrial], objective: Objective) -> list[Start]:
    goods = [(t, objective.goodness(t.objective or 0.0)) for t in trials]
    return [Start(good or 0.0, t.holds_service_level, t.invalid) for t, good in goods]
