"""The trials of one step: pairs of it and the best before it, by turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tco.scenario_file import LoadedScenario
from tco.tune.timing import Timing
from tco.tune.trials import Trials
from tco.tune.verdict import pairs
from tco.tuning import Decision, Role, TuneTrial

# What a busy machine does to a measurement, and no setting of the engine.
OF_THE_MACHINE: Final = frozenset(
    {"not_steady", "client_starved", "cpu_throttled", "rate_not_as_asked"}
)

Stop = tuple[Decision, str]


def trials_of_a_step(repeats: int) -> int:
    """Return how many trials a step takes, those once more left out."""
    return 1 if repeats == 1 else 2 * repeats


@dataclass(slots=True)
class StepTrials:
    """Measures a step against the best before it.

    A pair of which the machine spoilt a trial is measured once more, and the second time counts.
    A single pair decides nothing, whatever stands beside it: the best before is then not started
    anew, but its latest trial taken.

    Attributes:
        number: of the step.
        trials: of the whole tuning, to which these are added.
        keep: called after each, to write the record.
        sides: the trials that count, by their role.
    """

    number: int
    candidate: LoadedScenario
    incumbent: LoadedScenario
    trials: Trials
    timing: Timing
    keep: Callable[[], None]
    sides: dict[Role, list[TuneTrial]] = field(
        default_factory=lambda: {"incumbent": [], "candidate": []}
    )

    def run(self, repeats: int) -> Stop | None:
        """Measure all pairs; return why that ended before its time, None where it did not."""
        known = self._latest() if repeats == 1 else {}
        for both in pairs(repeats):
            roles = [role for role in both if role not in known]
            pair = dict(known)
            if stop := self._pair(roles, pair):
                return stop
            if any(_is_spoilt(trial) for trial in pair.values()):
                self.timing.more(len(roles))
                first, pair = pair, dict(known)
                if stop := self._pair(roles, pair, first):
                    return stop
            for role, trial in pair.items():
                self.sides[role].append(trial)
        return None

    def _latest(self) -> dict[Role, TuneTrial]:
        """Return the latest trial of the best before that can be used, if any."""
        good = [t for t in self.trials.of(self.incumbent) if t.failure is None and not t.invalid]
        return {"incumbent": good[-1]} if good else {}

    def _pair(
        self,
        roles: Sequence[Role],
        pair: dict[Role, TuneTrial],
        before: dict[Role, TuneTrial] | None = None,
    ) -> Stop | None:
        """Measure a pair, or once more what was before; return why the step ends with it."""
        for role in roles:
            if not self.timing.has_time():
                return "not_reached", "the time was up"
            tried = self.candidate if role == "candidate" else self.incumbent
            retry_of = None if before is None else before[role].number
            trial = self.trials.add(self.number, role, tried, retry_of=retry_of)
            self.keep()
            if trial.failure is not None and role == "candidate":
                return "failed", trial.failure
            if trial.failure is not None:
                return "undecided", f"the best before it failed this time: {trial.failure}"
            pair[role] = trial
        return None


def _is_spoilt(trial: TuneTrial) -> bool:
    """Say whether all that is wrong with a trial is what a busy machine does."""
    return bool(trial.invalid) and OF_THE_MACHINE.issuperset(trial.invalid)
