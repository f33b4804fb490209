"""Tokens drawn by a key: the same key gives the same sequence, in any process, in any order.

The n-th draw of a key is splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014) of the key and n, brought into a range by the upper half of a
product (Lemire, "Fast random integer generation in an interval", 2019).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEPS = tuple(int(step) for step in (_GOLDEN, _FIRST, _SECOND))
_MASK = (1 << 64) - 1
_HALF = np.uint64(32)


def key_of(*parts: int) -> int:
    """Return a key of 64 bits that depends on every part and their order."""
    key, (golden, first, second) = 0, _STEPS
    for part in parts:
        key = (key + part + 1) * golden & _MASK
        key = (key ^ (key >> 30)) * first & _MASK
        key = (key ^ (key >> 27)) * second & _MASK
        key ^= key >> 31
    return key


def draws(keys: Sequence[int], lengths: Sequence[int], below: int) -> npt.NDArray[np.int64]:
    """Return for each key its first `length` draws from 0 to `below` - 1, one after the other."""
    counts = np.asarray(lengths, dtype=np.int64)
    starts = (np.cumsum(counts) - counts).astype(np.uint64)
    drawn = np.arange(counts.sum(), dtype=np.uint64)
    drawn *= _GOLDEN
    drawn += np.repeat(np.array(keys, dtype=np.uint64) - starts * _GOLDEN, counts)
    drawn ^= drawn >> np.uint64(30)
    drawn *= _FIRST
    drawn ^= drawn >> np.uint64(27)
    drawn *= _SECOND
    drawn >>= _HALF
    drawn *= np.uint64(below)
    drawn >>= _HALF
    return drawn.view(np.int64)
