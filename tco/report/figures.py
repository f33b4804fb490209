"""What each chart shows, as frozen data: computed here, drawn in `charts`, no decision left."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Comparison
from tco.report.headline import priced_name
from tco.report.numbers import percent, usd
from tco.report.text import plain, shorten

_LABEL_LIMIT = 34
_MOST_LINES = 6
_HEADROOM = 1.35
_LOG_FROM_RATIO = 15.0
# An API dearer than this many times the own cost would leave no length to the bars.
_FARTHEST = 4.0
_UNIT = "USD per million output tokens"
_PART_NAMES = {
    "capital": "Hardware, capital",
    "rental": "Rental",
    "power": "Electricity",
    "maintenance": "Maintenance",
    "licence": "Licences",
    "hosting": "Hosting",
    "staff": "Staff",
    "other": "Other",
}


@dataclass(frozen=True, slots=True)
class PriceLine:
    """An API's cost of the same request, USD per million output tokens: a level line."""

    label: str
    price: str
    usd_per_million: float
    accent: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled point: utilisation (0 to 1), USD per million output tokens."""

    label: str
    utilisation: float
    usd_per_million: float


@dataclass(frozen=True, slots=True)
class CostCurve:
    """Own cost against utilisation with one level line for each alternative.

    Attributes:
        band: utilisation, low and high end of the interval of own cost; empty where there is none.
        band_words: what the band is.
    """

    utilisation: tuple[float, ...]
    usd_per_million: tuple[float, ...]
    lines: tuple[PriceLine, ...]
    here: Mark
    break_even: Mark | None
    low_usd: float
    high_usd: float
    log_scale: bool
    unit: str
    description: str
    band: tuple[tuple[float, float, float], ...] = ()
    band_words: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One cost line: where it starts and how long it is, USD per million output tokens."""

    label: str
    start_usd: float
    length_usd: float
    text: str
    total: bool


@dataclass(frozen=True, slots=True)
class PartBars:
    """How the cost lines add up to the cost of a million output tokens, beside an API's.

    Attributes:
        price: the API's cost of the same request; None without an alternative.
        price_beyond: that cost lies beyond `high_usd`, the end of the scale.
    """

    bars: tuple[Bar, ...]
    price: PriceLine | None
    price_beyond: bool
    high_usd: float
    description: str


def cost_curve(comparison: Comparison) -> CostCurve:
    """Return the chart of the first page."""
    rival = comparison.headline_alternative()
    cheapest = sorted(comparison.alternatives, key=lambda each: each.usd_per_million_output)
    shown = [each for each in cheapest if each.usd_per_million_output > 0][:_MOST_LINES]
    if rival in cheapest and rival not in shown and rival.usd_per_million_output > 0:
        shown = [*shown[:-1], rival]
    lines = tuple(
        PriceLine(
            shorten(plain(priced_name(each)), _LABEL_LIMIT),
            usd(each.usd_per_million_output),
            each.usd_per_million_output,
            accent=each is rival,
        )
        for each in shown
    )
    own = comparison.self_host
    here = Mark(
        f"this scenario: {percent(own.utilisation)}, {usd(own.usd_per_million_output)}",
        own.utilisation,
        own.usd_per_million_output,
    )
    even = _break_even(comparison)
    levels = [line.usd_per_million for line in lines] + [here.usd_per_million]
    full_load = comparison.utilisation[-1].usd_per_million_output if comparison.utilisation else 0.0
    lowest = min([full_load, *levels]) or min(levels)
    log_scale = lowest > 0 and max(levels) / lowest > _LOG_FROM_RATIO
    return CostCurve(
        utilisation=tuple(row.utilisation for row in comparison.utilisation),
        usd_per_million=tuple(row.usd_per_million_output for row in comparison.utilisation),
        lines=lines,
        here=here,
        break_even=even,
        low_usd=lowest / 2 if log_scale else 0.0,
        high_usd=max(levels) * (2 if log_scale else _HEADROOM) or 1.0,
        log_scale=log_scale,
        unit=f"{_UNIT}, logarithmic" if log_scale else _UNIT,
        description=_curve_words(here, even, lines) + _band_description(comparison),
        band=_band(comparison),
        band_words=band_words(comparison),
    )


def band_words(comparison: Comparison) -> str:
    """Return what the band of own cost is; nothing where there is none."""
    found = comparison.uncertainty
    if found is None or not found.cost_band:
        return ""
    return f"{percent(found.level)} interval of own cost at each utilisation"


def _band(comparison: Comparison) -> tuple[tuple[float, float, float], ...]:
    found = comparison.uncertainty
    rows = () if found is None else found.cost_band
    return tuple((each.utilisation, each.low, each.high) for each in rows)


def _band_description(comparison: Comparison) -> str:
    band = _band(comparison)
    if not band:
        return ""
    share, low, high = band[-1]
    ends = f"{usd(low)} to {usd(high)} at {percent(share)}"
    return f" A band shows the {band_words(comparison)}: {ends}."


def part_bars(comparison: Comparison) -> PartBars:
    """Return the bars from the first cost line to the total."""
    own = comparison.self_host
    bars: list[Bar] = []
    start = 0.0
    for key, length in own.parts_usd_per_million_output.model_dump().items():
        if length > 0:
            bars.append(Bar(_PART_NAMES[key], start, length, usd(length), total=False))
            start += length
    total = own.usd_per_million_output
    listed = ", ".join(f"{bar.label.lower()} {bar.text}" for bar in bars)
    bars.append(Bar("Together", 0.0, total, usd(total), total=True))
    price = _price_line(comparison)
    beside = "" if price is None else f"; {price.label} costs {price.price}"
    words = (
        "Waterfall chart of own cost per million output tokens, from the hardware to the whole: "
        f"{listed}; together {usd(total)}{beside}."
    )
    beyond = price is not None and price.usd_per_million > total * _FARTHEST
    highest = max(total, 0.0 if price is None or beyond else price.usd_per_million)
    return PartBars(
        bars=tuple(bars),
        price=price,
        price_beyond=beyond,
        high_usd=highest or 1.0,
        description=words,
    )


def _price_line(comparison: Comparison) -> PriceLine | None:
    rival = comparison.headline_alternative()
    if rival is None or rival.usd_per_million_output <= 0:
        return None
    name = shorten(plain(priced_name(rival)), _LABEL_LIMIT)
    price = rival.usd_per_million_output
    return PriceLine(name, usd(price), price, accent=True)


def part_name(key: str) -> str:
    """Return the name of a cost line (`capital`, `power`, …) as the report prints it."""
    return _PART_NAMES[key]


def _break_even(comparison: Comparison) -> Mark | None:
    rival = comparison.headline_alternative()
    if rival is None or rival.break_even_utilisation is None:
        return None
    share = rival.break_even_utilisation
    reach = ", out of reach" if comparison.break_even_is_above_reach(rival) else ""
    return Mark(f"break-even {percent(share)}{reach}", share, rival.usd_per_million_output)


def _curve_words(here: Mark, even: Mark | None, lines: tuple[PriceLine, ...]) -> str:
    listed = "; ".join(f"{line.label} {line.price}" for line in lines)
    rivals = f" Level lines: {listed}." if listed else ""
    crossing = f" The curves cross at {even.label}." if even else " There is no break-even."
    return (
        "Line chart of own cost per million output tokens, which falls as utilisation rises; "
        f"{here.label}.{rivals}{crossing}"
    )
