"""Judges by two probes whether an engine still answers as it did: pure arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from tco.quality import PromptKind, PromptProbe, QualityProbe
from tco.scenario.quality import QualityLimits
from tco.tuning import Decision, TuneQuality


@dataclass(frozen=True, slots=True)
class Drift:
    """How far two probes of the same prompts lie apart.

    Attributes:
        mean_nats: mean absolute change of a token's log-probability; the larger of that over
            the texts and that over the random tokens.
        worst_nats: the largest of one token.
        token_agreement: share of the answers' tokens before the first that differs.
        prompt_agreement: share of the prompts with the same whole answer.
    """

    mean_nats: float
    worst_nats: float
    token_agreement: float
    prompt_agreement: float


def same_prompts(one: Sequence[PromptProbe], other: Sequence[PromptProbe]) -> bool:
    """Say whether both probes are of the same prompts, token by token."""
    return [each.tokens for each in one] == [each.tokens for each in other]


def drift_of(before: Sequence[PromptProbe], after: Sequence[PromptProbe]) -> Drift:
    """Return the drift between two probes of the same prompts.

    Raises:
        ValueError: they are of other prompts, or of none.
    """
    if not before or not same_prompts(before, after):
        raise ValueError("two probes are compared over the same prompts only")
    drifts: dict[PromptKind, list[float]] = {}
    shares = []
    for one, other in zip(before, after, strict=True):
        pairs = zip(one.logprobs, other.logprobs, strict=True)
        drifts.setdefault(one.kind, []).extend(abs(a - b) for a, b in pairs)
        shares.append(_agreement(one.answer, other.answer))
    kinds = [each for each in drifts.values() if each]
    return Drift(
        mean_nats=max((fmean(each) for each in kinds), default=0.0),
        worst_nats=max((max(each) for each in kinds), default=0.0),
        token_agreement=fmean(shares),
        prompt_agreement=fmean(share == 1 for share in shares),
    )


def _agreement(one: Sequence[int], other: Sequence[int]) -> float:
    """Return the share of two answers before their first difference."""
    longest = max(len(one), len(other))
    equal = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        equal += 1
    return equal / longest if longest else 1.0


def faults_of(drift: Drift, limits: QualityLimits) -> tuple[str, ...]:
    """Return which limits a drift breaks, each with number and limit."""
    mean, worst = limits.mean_logprob_drift.value, limits.worst_logprob_drift.value
    tokens, prompts = limits.greedy_token_agreement.value, limits.greedy_prompt_agreement.value
    said = []
    if not drift.mean_nats <= mean:
        said.append(f"log-probabilities moved by {drift.mean_nats:.2g} on average, above {mean:g}")
    if not drift.worst_nats <= worst:
        said.append(f"one moved by {drift.worst_nats:.2g}, above {worst:g}")
    if drift.token_agreement < tokens:
        said.append(f"{drift.token_agreement:.0%} of answers' tokens agree, below {tokens:.0%}")
    if drift.prompt_agreement < prompts:
        said.append(f"{drift.prompt_agreement:.0%} of answers are the same, below {prompts:.0%}")
    return tuple(said)


def judged(
    before: QualityProbe | None,
    after: QualityProbe | None,
    limits: QualityLimits,
    *,
    is_allowed: bool,
) -> TuneQuality:
    """Return whether the answers are as good as those of the scenario's own settings.

    Where the engine tells no log-probabilities, or differs from itself by more than the limits,
    that part cannot be judged; a score still can. A candidate that tells none where the baseline
    does is at fault.
    """
    if before is None or after is None:
        return TuneQuality(why="the engine was not asked", is_allowed=is_allowed)
    faults: list[str] = []
    drift, unknown = None, before.unprobed
    if before.prompts and (own := _own_faults(before, limits)):
        unknown = f"the scenario's own settings differ from themselves: {'; '.join(own)}"
    elif before.prompts and not after.prompts:
        faults.append(after.unprobed or "no log-probabilities where there were some")
    elif before.prompts and not same_prompts(before.prompts, after.prompts):
        faults.append("the prompts are not read as the same tokens")
    elif before.prompts:
        drift = drift_of(before.prompts, after.prompts)
        faults.extend(faults_of(drift, limits))
    faults.extend(_score_faults(before, after, limits))
    is_checked = not unknown or (before.score is not None and after.score is not None)
    why = "; ".join(faults) or (unknown if not is_checked else None) or "as before"
    return TuneQuality(
        passes=False if faults else (True if is_checked else None),
        why=why,
        is_allowed=is_allowed,
        mean_logprob_drift=drift and drift.mean_nats,
        worst_logprob_drift=drift and drift.worst_nats,
        greedy_token_agreement=drift and drift.token_agreement,
        greedy_prompt_agreement=drift and drift.prompt_agreement,
        score=after.score,
        baseline_score=before.score,
    )


def guarded(decision: Decision, why: str, quality: TuneQuality) -> tuple[Decision, str]:
    """Return a decision and its reason once the answers are known.

    Nothing is kept whose answers drop, unless that is allowed.
    """
    if decision != "kept" or quality.passes is not False:
        return decision, why
    if quality.is_allowed:
        return decision, f"{why}; a drop is allowed: {quality.why}"
    return "reverted", f"{why}, but the quality drops: {quality.why}"


def _own_faults(probe: QualityProbe, limits: QualityLimits) -> tuple[str, ...]:
    if not probe.again or not same_prompts(probe.prompts, probe.again):
        return ()
    return faults_of(drift_of(probe.prompts, probe.again), limits)


def _score_faults(
    before: QualityProbe, after: QualityProbe, limits: QualityLimits
) -> tuple[str, ...]:
    if before.score is None:
        return ()
    if after.score is None:
        return (after.score_failure or "there is no score",)
    drop, most = before.score - after.score, limits.score_drop.value
    if drop > most and not math.isclose(drop, most, rel_tol=1e-9):
        return (f"the score fell from {before.score:g} to {after.score:g}, by more than {most:g}",)
    return ()
