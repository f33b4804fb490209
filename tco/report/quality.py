"""What became of the answers of settings that touch numerics, in words."""

from __future__ import annotations

from tco.report.numbers import percent
from tco.tuning import TuneQuality


def quality_words(found: TuneQuality | None) -> str:
    """Return whether the answers are as good, with what was measured of them."""
    if found is None or found.passes is None:
        return "quality not checked" if found is None else f"quality not checked: {found.why}"
    words = ["quality holds" if found.passes else "quality drops"]
    if found.mean_logprob_drift is not None and found.worst_logprob_drift is not None:
        mean, worst = found.mean_logprob_drift, found.worst_logprob_drift
        words.append(f"log-probabilities moved by {mean:.2g} nats a token, {worst:.2g} at worst")
    if found.greedy_token_agreement is not None:
        words.append(f"{percent(found.greedy_token_agreement)} of greedy tokens agree")
    if found.score is not None and found.baseline_score is not None:
        words.append(f"score {found.score:g} after {found.baseline_score:g}")
    return "; ".join(words)
