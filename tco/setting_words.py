"""Settings of an engine in words: what differs from the scenario's own, and no secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from tco.secret_names import SECRET_ARGUMENT, SECRET_NAME
from tco.tuning import Setting

OWN: Final = "the scenario's own"
_ENV: Final = "env."


def settings_words(settings: Mapping[str, Setting], own: Mapping[str, Setting]) -> str:
    """Return the settings that differ from the scenario's own; a secret's value is left out."""
    differ = [_word(name, value) for name, value in settings.items() if value != own.get(name)]
    return ", ".join(differ) or OWN


def _word(name: str, value: Setting) -> str:
    bare = name.removeprefix(_ENV)
    if value is None:
        return f"without {bare}"
    is_secret = SECRET_NAME.search(bare) if name != bare else SECRET_ARGUMENT.search(bare)
    if is_secret and isinstance(value, str):
        return f"{bare}=***"
    return f"{bare}={value if isinstance(value, str) else json.dumps(value)}"
