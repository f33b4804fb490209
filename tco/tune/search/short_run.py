"""Whether a short run, before one of the whole window, saves time."""

from __future__ import annotations

from typing import Final

SHORT_SHARE: Final = 0.25
_MOST_PAID: Final = 0.9  # a short run must save a tenth of the time, at the least
_SHARE_PROMOTED: Final = 1 / 3


def short_share(start_s: float, run_s: float, windows_s: float) -> float | None:
    """Return the share of the window that a short run takes; None where it would not pay.

    Every run starts the engine, and one in three is run in full after it. It pays where that
    saves at least a tenth.
    """
    full_s = start_s + run_s
    short_s = full_s - (1 - SHORT_SHARE) * windows_s
    return SHORT_SHARE if short_s + _SHARE_PROMOTED * full_s < _MOST_PAID * full_s else None
