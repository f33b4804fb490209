"""The gate of `--fail-under`: the headline's saving must reach a share."""

from __future__ import annotations

from tco.comparison import Comparison
from tco.errors import InputError

_PERCENT_TOP = 100


def check_gate(share: float | None) -> None:
    """See that the share can be a saving.

    Raises:
        InputError: it is NaN or above 1.
    """
    if share is None or share <= 1:
        return
    plain = 1 < share <= _PERCENT_TOP
    raise InputError(
        f"--fail-under must be a share of at most 1, got {share:g}",
        remedy=f"write {share / _PERCENT_TOP:g}" if plain else "write for example 0.3",
    )


def is_passed(comparison: Comparison, share: float | None) -> bool:
    """Say whether the headline's saving reaches the share; no saving at all does not."""
    if share is None:
        return True
    rival = comparison.headline_alternative()
    return rival is not None and rival.saving is not None and rival.saving >= share
