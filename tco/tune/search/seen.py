"""What the kept trials of a search tell who chooses the next."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tco.tune.search.choose import Chooser, Rules, Seen
from tco.tune.search.plan import SearchPlan
from tco.tune.search.short_run import short_share
from tco.tune.search.study import Kept

_LEAST_SHORT_S = 5.0  # a shorter window tells too little


def chooser_of(plan: SearchPlan, tried: Sequence[Kept]) -> Chooser:
    """Return who chooses after these trials, the confirmation's left out."""
    starts = tuple(plan.domain.place(each) for each in plan.starts)
    rules = Rules(starts, plan.repeats, plan.seed, share_of(plan, tried))
    return Chooser(plan.domain, rules, [_seen(plan, each) for each in tried])


def share_of(plan: SearchPlan, tried: Sequence[Kept]) -> float | None:
    """Return the share of a short run by what the first full one took; None: it does not pay."""
    for each in tried:
        record = each.record
        if record and record.rung == "full" and record.windows_s and record.failure is None:
            start_s = record.engine_start_s or 0.0
            share = short_share(start_s, record.took_s - start_s, record.windows_s)
            window_s = plan.base.scenario.bench.window_s.value
            return share if share and share * window_s >= _LEAST_SHORT_S else None
    return None


def _seen(plan: SearchPlan, kept: Kept) -> Seen:
    record = kept.record
    good = None
    if record is not None and record.objective is not None and record.failure is None:
        good = plan.objective.goodness(record.objective)
    return Seen(
        plan.domain.place(kept.settings), kept.rung, kept.purpose,
        None if good is None else math.log(good), record is None, kept.expected_gain,
    )  # fmt: skip
