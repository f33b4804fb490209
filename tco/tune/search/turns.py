"""The best by turns: measured beside the scenario's own settings, and asked for its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tco.search_document import Confirmation, Purpose, Rung, SearchTrial
from tco.tune.quality import guarded
from tco.tune.quality_trial import quality_of
from tco.tune.search.choose import Chooser
from tco.tune.search.confirmation import decided
from tco.tune.search.domain import Place, Settings
from tco.tune.search.plan import SearchPlan
from tco.tune.search.seen import chooser_of
from tco.tune.search.study import Study
from tco.tune.timing import Timing
from tco.tune.verdict import schedule
from tco.tuning import Role


class TrialOfSettings(Protocol):
    """Runs a trial and keeps it; None where another worker has it."""

    def __call__(
        self,
        key: str,
        settings: Settings,
        rung: Rung,
        purpose: Purpose,
        *,
        role: Role | None = None,
        is_asked: bool = False,
    ) -> SearchTrial | None:
        """Run it; `is_asked`: the engine is also asked for its answers."""


@dataclass
class Turns:
    """Decides on the best, and where its answers drop on the best that is left.

    Attributes:
        trial: runs one of them.
        confirmation: what was decided; None before that.
        blocked: what was decided of the best, where another was confirmed in its place.
    """

    plan: SearchPlan
    study: Study
    timing: Timing
    say: Callable[[str], None]
    trial: TrialOfSettings
    confirmation: Confirmation | None = None
    blocked: Confirmation | None = None

    def run(self) -> bool:
        """Measure by turns, and decide; False where that did not come to an end."""
        if any(each.record is None for each in self.study.kept()):
            self.say("other workers still measure: the last of them confirms the best")
            return False
        chooser = chooser_of(self.plan, self.study.tried())
        place = chooser.best()
        if place is None:
            return True
        self.confirmation = self._confirmed(place)
        if self.confirmation is None or not self.confirmation.is_blocked:
            return self.confirmation is not None
        return self._instead(chooser)

    def _instead(self, chooser: Chooser) -> bool:
        """Confirm the best of those that no drop of answers can block."""

        def is_open(place: Place) -> bool:
            numerics = self.plan.numerics(self.plan.domain.settings(place))
            return self.plan.allowed.issuperset(numerics)

        place = chooser.best(is_open)
        if place is None or self.plan.domain.settings(place) == self.plan.starts[0]:
            return True
        found = self._confirmed(place)
        if found is None:
            return False
        self.blocked, self.confirmation = self.confirmation, found
        return True

    def _confirmed(self, place: Place) -> Confirmation | None:
        """Return what turns decide of the settings at a place; None where they did not end."""
        best, own = self.plan.domain.settings(place), self.plan.starts[0]
        first = next(k.number for k in self.study.kept() if k.settings == best and k.record)
        if best == own:
            why = "no settings were found better than the scenario's own"
            return Confirmation(trial=first, repeats=0, decision="reverted", why=why)
        numerics = self.plan.numerics(best)
        sides: dict[Role, list[SearchTrial]] = {"incumbent": [], "candidate": []}
        for number, role in enumerate(schedule(self.plan.repeats)):
            settings, key = best if role == "candidate" else own, f"confirm {list(place)} {number}"
            record = self._one(key, settings, role, is_guarded=bool(numerics))
            if record is not None and record.invalid and self.timing.has_time():
                record = self._one(f"{key} again", settings, role, is_guarded=bool(numerics))
            if record is None:
                return None
            sides[role].append(record)
        found = decided(self.plan, first, sides)
        return self._guarded(found, best, numerics) if numerics else found

    def _one(
        self, key: str, settings: Settings, role: Role, *, is_guarded: bool
    ) -> SearchTrial | None:
        """Return a trial by turns, of an earlier run on this machine or new."""
        key = f"{key} {self.study.host}"
        for each in self.study.kept():
            if each.key == key and each.record is not None:
                return each.record
        if not self.timing.has_time():
            return None
        is_asked = is_guarded and not self._asked(settings)
        return self.trial(key, settings, "full", "confirm", role=role, is_asked=is_asked)

    def _asked(self, settings: Settings) -> list[SearchTrial]:
        """Return the trials by turns of these settings that were asked here."""
        records = [k.record for k in self.study.kept() if k.settings == settings and k.record]
        return [
            each
            for each in records
            if each.purpose == "confirm" and each.host == self.study.host
            and each.quality is not None and (self.plan.folder / each.quality).is_file()
        ]  # fmt: skip

    def _guarded(
        self, found: Confirmation, best: Settings, numerics: tuple[str, ...]
    ) -> Confirmation:
        """Return the confirmation with what became of the answers."""
        quality = quality_of(
            self._asked(self.plan.starts[0]),
            self._asked(best),
            self.plan.folder,
            self.plan.base.scenario.tune.quality,
            is_allowed=self.plan.allowed.issuperset(numerics),
        )
        decision, why = guarded(found.decision, found.why, quality)
        return found.model_copy(
            update={
                "numerics": numerics, "quality": quality, "decision": decision, "why": why,
                "is_blocked": decision != found.decision,
            }
        )  # fmt: skip
