"""What a probability must not take as certain: how busy we are, the API's price, the capital.

Each must carry a range that moves the figure it stands for; a bare one would be taken as known
exactly, and the probability would be of something else than what is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from tco.cost.number import FloatArray
from tco.explore.tornado import moves
from tco.uncertainty import Need, Varied

_UTILISATION = (
    "traffic.target_utilisation",
    "traffic.demand.requests_per_day",
    "traffic.demand.average_requests_per_s",
    "traffic.demand.average_output_tok_per_s",
    "traffic.demand.scale",
)
_CAPITAL = ("hardware.purchase.price_usd", "hardware.rent.usd_per_hour")
_PRICES = ("usd_per_million.", "usd_per_request", "discount")


def needs_of(
    index: int,
    varied: Sequence[Varied],
    *,
    own_usd_per_request: FloatArray,
    own_usd_per_hour: FloatArray,
    api_usd_per_request: FloatArray,
) -> tuple[Need, ...]:
    """Return what carries no range against the alternative at `index`.

    The arrays hold the figures at `tornado_points` of what is varied.
    """
    prices = tuple(f"alternatives.{index}.{name}" for name in _PRICES)
    figures: dict[Need, tuple[tuple[str, ...], FloatArray]] = {
        "utilisation": (_UTILISATION, own_usd_per_request),
        "api_price": (prices, api_usd_per_request),
        "capital": (_CAPITAL, own_usd_per_hour),
    }
    return tuple(
        need
        for need, (keys, figure) in figures.items()
        if not any(each.key.startswith(keys) and moves(each, varied, figure) for each in varied)
    )
