"""The folder a scenario's results go to, unless another is named."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

_FALLBACK = "scenario"
_MAX_LETTERS = 60


def results_folder(scenario_name: str) -> Path:
    """Return `reports/<name>` under the working directory.

    The name becomes letters a to z, digits and hyphens, at most 60 of them.
    """
    ascii_name = unicodedata.normalize("NFKD", scenario_name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "-", ascii_name.lower()).strip("-")
    return Path("reports") / (words[:_MAX_LETTERS].strip("-") or _FALLBACK)
