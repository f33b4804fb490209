"""What the reader of a search must know beside its figures."""

from __future__ import annotations

from tco.finding import Finding
from tco.search_document import Confirmation
from tco.tune.tune_findings import quality_findings


def search_findings(
    confirmation: Confirmation | None, blocked: Confirmation | None
) -> tuple[Finding, ...]:
    """Return what must be known of the answers of the best, and of better ones not used."""
    found = [_not_used(each) for each in (blocked, confirmation) if each and each.is_blocked]
    if confirmation is None or confirmation.decision != "kept" or not confirmation.numerics:
        return tuple(found)
    kept = [(", ".join(confirmation.numerics), confirmation.quality)]
    return (*found, *quality_findings("best", kept))


def _not_used(blocked: Confirmation) -> Finding:
    why = "" if blocked.quality is None else f": {blocked.quality.why}"
    allow = " ".join(f"--allow-quality-drop {name}" for name in blocked.numerics)
    return Finding.of(
        "quality_drop",
        "warn",
        "confirmation",
        f"The best settings found, trial {blocked.trial}, are better by turns and not used: with "
        f"{', '.join(blocked.numerics)} changed the answers differ by more than the limits{why}.",
        f"To use them all the same, give the same command with {allow}: it measures nothing anew.",
    )
