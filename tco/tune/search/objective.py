"""What a search makes high or low: a field of the comparison, a rate or a latency."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from tco.search_document import Aim

DEFAULT_OBJECTIVE: Final = "usd_per_million_output"
_LATENCY: Final = "ttft_p95_ms"
_FURTHER: Final = ("tpot_p95_ms",)
_SAVING: Final = "saving"
_HIGH: Final = ("_per_s", "requests_per_year", "goodput_share")


def front_latency(slo: Iterable[str]) -> str:
    """Return the latency that the front sets against the cost: the first of a service level."""
    return next(iter(slo), _LATENCY)


def further_latencies(slo: Collection[str]) -> tuple[str, ...]:
    """Return the latencies of further fronts: the others of a service level."""
    return tuple(slo)[1:] if slo else _FURTHER


@dataclass(frozen=True, slots=True)
class Objective:
    """A field and the way it should go.

    Costs, latencies and counts of machines should be low; rates and savings high.
    """

    field: str

    @property
    def aim(self) -> Aim:
        """Return which way is better."""
        is_high = self.field.startswith(_SAVING) or self.field.endswith(_HIGH)
        return "maximise" if is_high else "minimise"

    def goodness(self, value: float) -> float | None:
        """Return how good a value is, such that a ratio of two is a ratio of costs or rates.

        A saving counts by what is left to pay, 1 - saving. None where a ratio has no meaning: the
        value is not above 0.
        """
        if self.field == _SAVING:
            return 1 / (1 - value) if value < 1 else None
        if not math.isfinite(value) or value <= 0:
            return None
        return value if self.aim == "maximise" else 1 / value
