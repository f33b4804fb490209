"""All ways to serve the same requests by what a million output tokens costs, the cheapest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tco.comparison import AlternativeResult, Comparison, Way
from tco.report.headline import label
from tco.report.numbers import count, usd
from tco.report.price_tables import WEIGHTS
from tco.report.text import plain, shorten

_MOST_BARS = 16
_LABEL_LIMIT = 44
_FEWEST = 2
# What is dearer than this many times the own cost and the headline's alternative is cut off.
_FARTHEST = 4.0

Kind = Literal["own", "hardware", "same", "other", "unknown"]
_KINDS: dict[bool | None, Kind] = {True: "same", False: "other", None: "unknown"}
_OTHER_HARDWARE = "your hardware, another way"


@dataclass(frozen=True, slots=True)
class RankBar:
    """One way.

    Attributes:
        kind: its shape; `kind_words` say the same.
        beyond: it is dearer than the scale goes.
    """

    label: str
    usd_per_million: float
    amount: str
    kind: Kind
    kind_words: str
    beyond: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """The bars, the cheapest first, and own cost as a line through them all."""

    bars: tuple[RankBar, ...]
    own_usd: float
    own_words: str
    high_usd: float
    left_out: str | None
    description: str


def ranking(comparison: Comparison) -> Ranking | None:
    """Return the chart; None where there is nothing to rank own hardware against."""
    own = comparison.self_host.usd_per_million_output
    rival = comparison.headline_alternative()
    far = max(own, 0.0 if rival is None else rival.usd_per_million_output) * _FARTHEST
    bars = [
        _bar("own hardware, as in the scenario", own, "own", "this scenario", far),
        *(_api_bar(each, far) for each in comparison.alternatives),
        *(_way_bar(each, far) for each in comparison.ways[1:] if each.terms != "api"),
    ]
    if len(bars) < _FEWEST:
        return None
    bars.sort(key=lambda bar: bar.usd_per_million)
    shown = bars[:_MOST_BARS]
    if not any(bar.kind == "own" for bar in shown):
        shown[-1] = next(bar for bar in bars if bar.kind == "own")
    left = len(bars) - len(shown)
    listed = "; ".join(f"{bar.label} {bar.amount}, {bar.kind_words}" for bar in shown)
    return Ranking(
        bars=tuple(shown),
        own_usd=own,
        own_words=f"own hardware {usd(own)}",
        high_usd=max(bar.usd_per_million for bar in shown if not bar.beyond) or 1.0,
        left_out=f"{count(left)} more in the table" if left else None,
        description=f"Bar chart of USD per million output tokens, the cheapest first: {listed}.",
    )


def _api_bar(rival: AlternativeResult, far: float) -> RankBar:
    kind = _KINDS[rival.same_weights]
    words = f"{WEIGHTS[rival.same_weights]} weights"
    return _bar(label(rival), rival.usd_per_million_output, kind, words, far)


def _way_bar(way: Way, far: float) -> RankBar:
    return _bar(way.name, way.usd_per_million_output, "hardware", _OTHER_HARDWARE, far)


def _bar(name: str, amount: float, kind: Kind, words: str, far: float) -> RankBar:
    beyond = amount > far > 0
    return RankBar(shorten(plain(name), _LABEL_LIMIT), amount, usd(amount), kind, words, beyond)
