"""What the reader of a tuning must know beside its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tco.finding import Finding
from tco.tuning import TuneQuality, TuneStep

# Of settings that are used: what a reader of these must know of their answers.
OF_QUALITY: Final = ("quality_not_checked", "quality_drop_allowed")
_ADVICE: Final = "Compare answers with an evaluation of your own before you use these settings."


def tune_findings(steps: Sequence[TuneStep], *, is_dummy: bool) -> tuple[Finding, ...]:
    """Return the findings of a tuning.

    Args:
        steps: as far as they were tried.
        is_dummy: whether the model's weights are random.
    """
    kept = [(s.name, s.quality) for s in steps if s.numerics and s.decision == "kept"]
    found = list(quality_findings("steps", kept))
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


def quality_findings(
    path: str, kept: Sequence[tuple[str, TuneQuality | None]]
) -> tuple[Finding, ...]:
    """Return what must be known of the answers of what was kept though it touches numerics.

    Args:
        path: what they are about.
        kept: each by name, with what became of its answers.
    """
    found = []
    unchecked = [name for name, quality in kept if quality is None or quality.passes is None]
    dropped = [f"{n}: {q.why}" for n, q in kept if q is not None and q.passes is False]
    if dropped:
        said = (
            "Kept though the answers differ by more than the limits, as allowed: "
            f"{'; '.join(dropped)}."
        )
        found.append(Finding.of("quality_drop_allowed", "warn", path, said, _ADVICE))
    if unchecked:
        said = (
            "Kept for its figures alone, though it changes how the model computes: "
            f"{', '.join(unchecked)}. Whether its answers are as good was not checked."
        )
        found.append(Finding.of("quality_not_checked", "warn", path, said, _ADVICE))
    return tuple(found)
