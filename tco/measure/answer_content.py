"""What an answer says, taken out of it while the load runs: a session's next turn repeats it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tco.measure.sse import read_response


@dataclass(frozen=True, slots=True)
class Content:
    """The answer's token ids where the server sent them, and its text."""

    ids: tuple[int, ...] | None
    text: str


def content_of(response: bytes) -> Content | None:
    """Return what a whole response holds; None if it is an error, or no answer."""
    ids: list[int] = []
    text: list[str] = []
    has_ids = True
    for _, data in read_response([(0, response)]).events or ():
        if data == b"[DONE]":
            continue
        try:
            event = json.loads(data)
            if event.get("error"):
                return None
            for choice in event.get("choices") or ():
                said = choice.get("delta", choice)
                text += [said[key] for key in ("text", "content") if said.get(key)]
                has_ids &= choice.get("token_ids") is not None or not said.get("text")
                ids += choice.get("token_ids") or ()
        except (ValueError, AttributeError, LookupError, TypeError):
            return None
    if not ids and not text:
        return None
    return Content(tuple(ids) if has_ids and ids else None, "".join(text))
