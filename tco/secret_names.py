"""By what name a setting is a secret, whose value is neither shown nor written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

# Of a key, or of a variable of the environment.
SECRET_NAME: Final = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH", re.IGNORECASE)
# Of an engine's argument: many of them count tokens, so that only the last word tells.
SECRET_ARGUMENT: Final = re.compile(r"(?:key|token|secret|password)$", re.IGNORECASE)


def without_secrets(env: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that may be shown and written, by name in order."""
    return {name: value for name, value in sorted(env.items()) if not SECRET_NAME.search(name)}
