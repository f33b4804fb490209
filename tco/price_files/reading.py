"""Reading price tables: the format is recognised from the content, never from the file's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from tco.errors import InputError
from tco.file_kind import refuse_other_kind
from tco.input_file import read_bytes, text_of
from tco.price_files.csv_table import is_csv, read_csv
from tco.price_files.genai_prices import is_genai_prices, read_genai_prices
from tco.price_files.json_text import read_json
from tco.price_files.litellm import is_litellm, read_litellm
from tco.price_files.models_dev import is_models_dev, read_models_dev
from tco.price_files.openrouter import is_openrouter, read_openrouter
from tco.price_files.own import SCHEMA, read_own
from tco.price_files.portkey import is_portkey, read_portkey
from tco.price_files.table import Table

MAX_BYTES: Final = 64 << 20
_KNOWN: Final = (
    "known are our own YAML and CSV, LiteLLM's model prices, models.dev's api.json, "
    "OpenRouter's /api/v1/models, Portkey's pricing files and genai-prices' data.json"
)


def read_price_file(path: Path, *, provider: str | None = None) -> Table:
    """Return the table in a file.

    Args:
        path: the file.
        provider: whose prices they are, for formats that do not say; the file's name if left out.

    Raises:
        InputError: the file cannot be read, is of no known format, or cannot be trusted.
    """
    text = _text(path)
    start = text.lstrip()[:1]
    if start and start in "{[":
        document = read_json(text, str(path))
        if not (isinstance(document, dict) and document.get("schema") == SCHEMA):
            return _of_json(document, path, provider or path.stem)
    elif is_csv(text.partition("\n")[0]):
        table = Table(path.name, "CSV")
        read_csv(text, table, str(path), provider)
        return table
    table = Table(path.name, "tco's own table")
    read_own(path, table)
    return table


def _of_json(document: Any, path: Path, provider: str) -> Table:
    # Portkey's rows and LiteLLM's both stand by model; each has a key that no other has.
    if is_portkey(document):
        table = Table(path.name, "Portkey's prices")
        read_portkey(document, table, provider)
    elif is_litellm(document):
        table = Table(path.name, "LiteLLM's model prices")
        read_litellm(document, table)
    elif is_models_dev(document):
        table = Table(path.name, "models.dev")
        read_models_dev(document, table)
    elif is_openrouter(document):
        table = Table(path.name, "OpenRouter's models")
        read_openrouter(document, table)
    elif is_genai_prices(document):
        table = Table(path.name, "genai-prices")
        read_genai_prices(document, table)
    else:
        raise InputError("is no price table of a known format", file=str(path), remedy=_KNOWN)
    return table


def _text(path: Path) -> str:
    raw = read_bytes(path, MAX_BYTES)
    refuse_other_kind(raw, "a price table", path)
    return text_of(raw, path)
