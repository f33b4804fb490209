"""The exports that are known, each by the names that its provider documents."""

from __future__ import annotations

from tco.bill.anthropic import ANTHROPIC
from tco.bill.focus import FOCUS_NEEDS, focus_row
from tco.bill.format import Format
from tco.bill.litellm import LITELLM
from tco.bill.openai import OPENAI
from tco.bill.openrouter import OPENROUTER
from tco.bill.records import Record

_ANY = "any"

FORMATS = (
    *OPENAI,
    *ANTHROPIC,
    *OPENROUTER,
    *LITELLM,
    Format("FOCUS", _ANY, FOCUS_NEEDS, row=focus_row),
)


def format_of(record: Record) -> Format | None:
    """Return the first format all of whose keys the record has; None if there is none."""
    return next((form for form in FORMATS if record.keys() >= set(form.needs)), None)


def goes_with(provider: str, others: set[str]) -> bool:
    """Say whether what one provider's export lacks can stand in one of the others'."""
    return provider in others or _ANY in others or (provider == _ANY and bool(others))
