"""What the reader of a tuning must know beside its table."""

from __future__ import annotations

from collections.abc import Sequence

from tco.finding import Finding
from tco.tuning import TuneStep


def tune_findings(steps: Sequence[TuneStep], *, is_dummy: bool) -> tuple[Finding, ...]:
    """Return the findings of a tuning.

    Args:
        steps: as far as they were tried.
        is_dummy: whether the model's weights are random.
    """
    found = []
    numeric = [step for step in steps if step.numerics and step.decision == "kept"]
    unchecked = [step for step in numeric if step.quality is None or step.quality.passes is None]
    dropped = [step for step in numeric if step.quality and step.quality.passes is False]
    if dropped:
        names = "; ".join(f"{s.name}: {s.quality.why}" for s in dropped if s.quality)
        found.append(
            Finding.of(
                "quality_drop_allowed",
                "warn",
                "steps",
                f"Kept though the answers differ by more than the limits, as allowed: {names}.",
                "Compare answers with an evaluation of your own before you use these settings.",
            )
        )
    if unchecked:
        names = ", ".join(step.name for step in unchecked)
        found.append(
            Finding.of(
                "quality_not_checked",
                "warn",
                "steps",
                f"Kept for speed alone, though it changes how the model computes: {names}. "
                "Whether its answers are as good was not checked.",
                "Compare answers with an evaluation of your own before you use these settings.",
            )
        )
    if is_dummy:
        found.append(
            Finding.of(
                "dummy_model",
                "warn",
                "engine.launch",
                "The model's weights are random: the gains show the method and hold for no other "
                "model. No gain of speculative decoding can be told from it.",
                "Tune with the model you mean to serve.",
            )
        )
    return tuple(found)
