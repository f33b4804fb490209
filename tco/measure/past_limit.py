"""The form of every finding about a figure that went past its limit."""

from __future__ import annotations

from tco.finding import Finding, Severity


def past_limit(
    kind: str, severity: Severity, message: str, advice: str, *, value: float | None, limit: float
) -> Finding:
    """Return a finding on the measurement, with the figure (None: unknown) and its limit."""
    return Finding(
        kind=kind,
        severity=severity,
        path="measurement",
        message=message,
        advice=advice,
        value=value,
        limit=limit,
    )
