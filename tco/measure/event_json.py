"""The JSON of an answer's events, decoded into just what counts of it."""

from __future__ import annotations

import json
from typing import Any, Final

from msgspec import UNSET, MsgspecError, Struct, UnsetType
from msgspec.json import Decoder

_CONTENT_KEYS: Final = ("content", "reasoning", "reasoning_content")


class Delta(Struct, gc=False):
    """What a chat event adds."""

    role: str | UnsetType | None = UNSET
    content: str | UnsetType | None = UNSET
    reasoning: str | UnsetType | None = UNSET
    reasoning_content: str | UnsetType | None = UNSET
    tool_calls: Any = None


class Choice(Struct, gc=False):
    """The part of an event that is about one answer."""

    index: int = 0
    text: str | UnsetType | None = UNSET
    token_ids: list[int] | None = None
    finish_reason: str | None = None
    delta: Delta | None = None

    def has_content(self) -> bool:
        """Say whether the event carries content; a role alone is none."""
        if self.text is not UNSET:
            return True
        delta = self.delta
        if delta is None:
            return False
        if delta.tool_calls:
            return True
        values = [v for key in _CONTENT_KEYS if (v := getattr(delta, key)) not in (None, UNSET)]
        return any(values) or (bool(values) and delta.role is UNSET)


class Event(Struct, gc=False):
    """One event; `usage` as the server sent it."""

    choices: list[Choice] | None = None
    usage: dict[str, Any] | None = None
    error: Any = None


_DECODER = Decoder(Event)


def event_of(data: bytes) -> Event:
    """Decode an event; `error` is set for JSON that is no object.

    Raises:
        ValueError, AttributeError, LookupError, TypeError: it is no JSON, or of another shape.
    """
    try:
        return _DECODER.decode(data)
    except MsgspecError:
        return _unusual(json.loads(data.decode()))


def _unusual(tree: Any) -> Event:
    """Take from an event of unusual types what there is, for the reader to judge."""
    if not isinstance(tree, dict):
        return Event(error=True)
    choices = []
    for choice in (tree.get("choices") or [])[:1]:
        delta = choice.get("delta") or {}
        given = {name: delta[name] for name in Delta.__struct_fields__ if name in delta}
        choices.append(
            Choice(
                index=choice.get("index", 0),
                text=choice.get("text", UNSET),
                token_ids=choice.get("token_ids"),
                finish_reason=choice.get("finish_reason"),
                delta=Delta(**given),
            )
        )
    return Event(choices=choices, usage=tree.get("usage"), error=tree.get("error"))
