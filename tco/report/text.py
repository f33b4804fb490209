"""Text from outside, made safe to set in a line: it is shown, and nothing in it acts."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urlsplit

_BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str) -> str:
    r"""Return the text on one line, each control character shown as its escape (`\\x1b`)."""
    one_line = re.sub(r"[\t\n\r\f\v ]+", " ", text)
    if one_line.isprintable():  # as nearly all is: nothing of a hidden category, no control
        return one_line.strip()
    return "".join(_shown(character) for character in one_line).strip()


def visible(text: str) -> str:
    """Return a line for a terminal: as `plain`, but each space stays where it is."""
    return text if text.isprintable() else "".join(map(_shown, text))


def shorten(text: str, limit: int) -> str:
    """Return the text, cut with an ellipsis if it has more than `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def cut_words(text: str, limit: int) -> str:
    """Return the text with each word cut to `limit` characters, so that a page can hold it."""
    return " ".join(shorten(word, limit) for word in text.split(" "))


def link(text: str | None) -> str | None:
    """Return the text as an address if the whole of it is an http or https address."""
    if text is None or not re.fullmatch(r"https?://[!-~]+", text):
        return None
    try:
        host = urlsplit(text).hostname
    except ValueError:
        return None
    return text if host else None


def _shown(character: str) -> str:
    if character in _BIDI_CONTROLS or unicodedata.category(character) in _HIDDEN_CATEGORIES:
        return character.encode("unicode_escape", "surrogatepass").decode()
    return character
