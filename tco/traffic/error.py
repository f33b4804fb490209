"""A TrafficError says what is wrong with a traffic file, before its place is known."""

from __future__ import annotations


class TrafficError(ValueError):
    """One sentence, the column or key it is about, and what to do."""

    def __init__(self, message: str, *, key: str | None = None, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.key = key
        self.remedy = remedy
