"""A Finding is a warning as data: the same words reach the console, the PDF and the JSON."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

Severity = Literal["info", "warn", "invalid"]

# What a reader is told, the worst first: the same word on paper, page and terminal.
SEVERITY_WORDS: dict[Severity, str] = {"invalid": "invalid", "warn": "warning", "info": "note"}


class Finding(BaseModel):
    """One thing the reader must know about a scenario or a measurement.

    Attributes:
        kind: a stable name, such as `client_late` or `price_is_old`.
        severity: `invalid` marks a measurement whose figures must not be used.
        path: what it is about: a scenario key, or a point of the measurement.
        message: what was seen, with its number.
        advice: what to do about it.
        value: the number seen, if the finding rests on one.
        limit: the number it was held against.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    kind: str
    severity: Severity
    path: str
    message: str
    advice: str
    value: float | None = None
    limit: float | None = None

    @property
    def word(self) -> str:
        """Return the word for its severity."""
        return SEVERITY_WORDS[self.severity]

    @classmethod
    def of(
        cls,
        kind: str,
        severity: Severity,
        path: str,
        message: str,
        advice: str,
        *,
        value: float | None = None,
        limit: float | None = None,
    ) -> Self:
        """Return a finding of its words in their order."""
        return cls(
            kind=kind,
            severity=severity,
            path=path,
            message=message,
            advice=advice,
            value=value,
            limit=limit,
        )
