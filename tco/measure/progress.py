"""Progress of a bench, as data: the phase, words, the rate and the time left."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a bench stands.

    Attributes:
        phase: engine, warm-up, window, drain or parsing.
        message: what happens, in words.
        output_tok_per_s: the rate now, as far as known.
        left_s: time left of this phase, as far as known.
    """

    phase: str
    message: str
    output_tok_per_s: float | None = None
    left_s: float | None = None
