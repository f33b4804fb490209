"""The fixed set of prompts on which an engine is compared with itself: texts and random tokens."""

from __future__ import annotations

from typing import Final

from tco.measure.token_draw import draws, key_of
from tco.resources import data_dir

_SEED: Final = 20_261_202
_RANDOM_PROMPTS: Final = 8
_RANDOM_TOKENS: Final = 96


def passages() -> tuple[str, ...]:
    """Return the shipped texts; their sources stand in the file."""
    path = data_dir("templates") / "quality" / "passages.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def random_prompts(vocabulary: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    """Return prompts of token ids in [low, high), the same at every call.

    They reach every layer and kernel with any vocabulary, and so show whether the engine still
    computes the same. How good its answers are to real questions they cannot show: no model was
    made for such input, and small errors weigh more there.
    """
    low, high = vocabulary
    keys = [key_of(_SEED, number) for number in range(_RANDOM_PROMPTS)]
    drawn = draws(keys, [_RANDOM_TOKENS] * _RANDOM_PROMPTS, high - low) + low
    rows = drawn.reshape(_RANDOM_PROMPTS, _RANDOM_TOKENS)
    return tuple(tuple(int(token) for token in row) for row in rows)
