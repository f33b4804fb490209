"""The commented scenarios that `tco init` writes, filled from templates/scenario/."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tco.catalog import catalog_row
from tco.errors import InputError
from tco.output_file import write_whole
from tco.resources import data_dir
from tco.validation import nearest

# Each preset and the hardware it stands on unless another row is asked for.
PRESETS: dict[str, str | None] = {
    "cline-512x512x256": "dgx-station-gb300",
    "rag-long-input": "h100-sxm-runpod",
    "agent-coding": "dgx-station-gb300",
    "demo": None,
}
DEFAULT_PRESET = "cline-512x512x256"
_MODEL_PLACEHOLDER = "org/name"
# Assumptions for the examples only; each is written with a note to replace it.
_EXAMPLE_LIFE_YEARS = 3
_EXAMPLE_IDLE_W, _EXAMPLE_LOAD_W = 300, 1300


def scenario_text(
    preset: str = DEFAULT_PRESET, hardware: str | None = None, model: str | None = None
) -> str:
    """Return a preset's commented scenario.

    Args:
        preset: a key of PRESETS.
        hardware: a row of the hardware catalog, in place of the preset's own.
        model: the model to launch, a folder or a name.

    Raises:
        InputError: an unknown preset or row, or a model name that is no name.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    if preset not in PRESETS:
        close = nearest(preset, PRESETS)
        known = f"the presets are {', '.join(PRESETS)}"
        raise InputError(
            f"there is no preset `{preset}`",
            remedy=f"did you mean `{close}`? {known}" if close else known,
        )
    if model is not None and not (model.strip() and model.isprintable()):
        raise InputError("a model's name must be printable text", remedy="name a folder or a model")
    row_id = hardware or PRESETS[preset]
    environment = Environment(
        loader=FileSystemLoader(data_dir("templates") / "scenario"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701  YAML, and every inserted text is quoted by `text`
        keep_trailing_newline=True,
    )
    environment.filters["text"] = lambda value: json.dumps(value, ensure_ascii=False)
    needs_launch = preset != DEFAULT_PRESET
    text = environment.get_template(f"{preset}.yaml").render(
        row_id=row_id,
        row=catalog_row(row_id) if row_id else None,
        model=model or (_MODEL_PLACEHOLDER if needs_launch else None),
        life_years=_EXAMPLE_LIFE_YEARS,
        idle_w=_EXAMPLE_IDLE_W,
        load_w=_EXAMPLE_LOAD_W,
    )
    return re.sub(r"\n{3,}", "\n\n", text)


def write_new(path: Path, text: str, *, force: bool = False) -> None:
    """Write the file whole or not at all; an existing one only with `force`.

    Raises:
        InputError: it exists, or its place cannot be written.
    """
    if path.is_dir():
        raise InputError("is a folder, not a file", file=str(path), remedy="name a file in it")
    if path.exists() and not force:
        raise InputError(
            "exists already", file=str(path), remedy="name another file, or add --force"
        )
    write_whole(path, text)
