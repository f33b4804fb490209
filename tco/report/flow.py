"""A value in JSON as words that can be read, and broken over lines, in a narrow cell."""

from __future__ import annotations

import json

from tco.secret_names import SECRET_ARGUMENT


def flow_words(text: str) -> str:
    """Return an object or a list in JSON as `{method: mtp, tokens: 3}`; other text as it is.

    What its names say is secret is left out.
    """
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return _words(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _words(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {_named(name, each)}' for name, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_words, value))}]"
    return value if isinstance(value, str) else json.dumps(value)


def _named(name: str, value: object) -> str:
    return "***" if isinstance(value, str) and SECRET_ARGUMENT.search(name) else _words(value)
