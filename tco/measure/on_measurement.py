"""The form of every finding on the measurement as a whole."""

from __future__ import annotations

from tco.finding import Finding, Severity


def on_measurement(
    kind: str,
    severity: Severity,
    message: str,
    advice: str,
    *,
    value: float | None = None,
    limit: float | None = None,
) -> Finding:
    """Return a finding on the measurement, with the figure and limit that it rests on, if any."""
    return Finding.of(kind, severity, "measurement", message, advice, value=value, limit=limit)
