"""Where own cost and API bill are equal: a utilisation, and a volume of requests."""

from __future__ import annotations

import numpy as np

from tco.cost.number import Number, as_number

# A root that is 1 but for rounding is 1.
_ROUNDING = 1e-12


def utilisation_unbounded(
    *,
    usd_per_hour_at_idle: Number,
    usd_per_hour_at_load: Number,
    api_usd_per_hour_at_load: Number,
) -> Number:
    """Return the u at which own cost is the API bill, above 1 too; NaN where there is none.

    Own cost is linear in u, idle + (load - idle) u, the bill proportional to it:
    u* = idle ÷ (bill - (load - idle)), none when the denominator is not above 0
    (cost-volume-profit break-even: Horngren, Cost Accounting; linear power: Fan, Weber &
    Barroso 2007). A fleet that costs nothing when idle has u* = 0: cheaper from the first
    request on.
    """
    idle = np.asarray(usd_per_hour_at_idle, dtype=float)
    margin = np.asarray(api_usd_per_hour_at_load - (usd_per_hour_at_load - idle), dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return as_number(np.where(margin > 0, idle / margin, np.nan))


def within_full_load(unbounded: Number) -> Number:
    """Return the break-even utilisation, NaN where even u = 1 is dearer."""
    root = np.asarray(unbounded, dtype=float)
    return as_number(np.where(root <= 1 + _ROUNDING, np.minimum(root, 1.0), np.nan))
