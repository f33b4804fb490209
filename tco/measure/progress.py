"""Progress of a bench, as data: the phase, words, the rate, the time left, the point."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a bench stands.

    Attributes:
        phase: engine, idle, warm-up, window, tail, drain or parsing.
        message: what happens, in words.
        output_tok_per_s: the rate now, as far as known.
        left_s: time left of this phase, as far as known.
        point: which point is measured, from 1.
        of_points: about how many there will be.
        load: what it holds, in words.
        bench_left_s: time left of the whole bench, at most.
    """

    phase: str
    message: str
    output_tok_per_s: float | None = None
    left_s: float | None = None
    point: int | None = None
    of_points: int | None = None
    load: str | None = None
    bench_left_s: float | None = None
