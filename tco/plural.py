"""A number of things in words."""

from __future__ import annotations


def several(count: int, noun: str) -> str:
    """Return so many of a thing: `1 server`, `1,234 streams`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
