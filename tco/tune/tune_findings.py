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
    if numeric:
        names = ", ".join(step.name for step in numeric)
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
