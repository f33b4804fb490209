"""The report's section on the tuning that the engine's settings come from."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.text import plain, shorten
from tco.report.tune_document import TuneDocument, compose_tuning
from tco.tuned_record import TunedRecord

_PLACE_LIMIT = 120


@dataclass(frozen=True, slots=True)
class TunedSection:
    """What stands first in the section, and the ladder; None where there is none to show."""

    words: str
    ladder: TuneDocument | None


def tuned_section(found: TunedRecord | None) -> TunedSection | None:
    """Return the section; None where the scenario names no record of a tuning."""
    if found is None:
        return None
    place = shorten(plain(found.place), _PLACE_LIMIT)
    if found.tuning is None:
        words = (
            "The engine's settings come from a tuning, whose steps are not shown: its record, "
            f"{place}, {found.why}."
        )
        return TunedSection(words, None)
    ladder = compose_tuning(found.tuning, engine=found.engine, record=place)
    begun = "The engine's settings come from a tuning by a ladder of steps, each measured."
    unfinished = "" if ladder.banner is None else f" {ladder.banner}."
    return TunedSection(f"{begun} {ladder.headline}{unfinished}", ladder)
