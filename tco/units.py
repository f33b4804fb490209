"""The conversions between units; 8,760, 730, 3,600 and 10^6 stand here and nowhere else."""

from __future__ import annotations

from typing import Final

HOURS_PER_YEAR: Final = 8760
HOURS_PER_MONTH: Final = 730
MONTHS_PER_YEAR: Final = 12
HOURS_PER_DAY: Final = 24
SECONDS_PER_MINUTE: Final = 60
MINUTES_PER_HOUR: Final = 60
SECONDS_PER_HOUR: Final = 3600
SECONDS_PER_DAY: Final = SECONDS_PER_HOUR * HOURS_PER_DAY
SECONDS_PER_YEAR: Final = SECONDS_PER_HOUR * HOURS_PER_YEAR
SECONDS_PER_MONTH: Final = SECONDS_PER_HOUR * HOURS_PER_MONTH
TOKENS_PER_MILLION: Final = 1_000_000
W_PER_KW: Final = 1000
G_PER_KG: Final = 1000
MS_PER_S: Final = 1000
NS_PER_S: Final = 1_000_000_000
BYTES_PER_GIB: Final = 1 << 30
