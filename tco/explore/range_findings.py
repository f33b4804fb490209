"""What must be said of the ranges: those that move nothing, and draws that had to give way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tco.cost.number import FloatArray
from tco.finding import Finding
from tco.uncertainty import Varied


def range_findings(
    ranged: Sequence[Varied],
    varied: Sequence[Varied],
    drawn: Mapping[str, FloatArray],
    kept: Mapping[str, FloatArray],
) -> Iterator[Finding]:
    """Yield the findings.

    Args:
        ranged: all numbers with a range.
        varied: those of them that the saving rests on.
        drawn: their draws by key.
        kept: the same, kept to the rules between keys.
    """
    idle = [each.key for each in ranged if each not in varied]
    if idle:
        yield Finding(
            kind="range_not_drawn",
            severity="info",
            path=idle[0],
            message=f"no first-year cost rests on the range of {', '.join(idle)}: "
            "it is not in the interval",
            advice="the cash flow takes its value; try its ends with --set",
            value=len(idle),
        )
    for key, numbers in drawn.items():
        moved = float(np.mean(numbers != kept[key]))
        if moved > 0:
            yield Finding(
                kind="range_gave_way",
                severity="info",
                path=key,
                message=f"{moved:.1%} of the draws of {key} broke a rule between two keys "
                "(such as idle_w up to load_w) and were set to its limit",
                advice="let the ranges of the two not overlap",
                value=moved,
            )
