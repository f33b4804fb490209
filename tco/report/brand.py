"""A Brand is whose report it is: a name, a logo, one colour, a footer; read from a file."""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from tco.errors import InputError
from tco.input_file import read_bytes
from tco.quantity import Model, fault
from tco.report.colour import DARK_PAPER, contrast, readable_on
from tco.report.sheet import PAPER
from tco.report.text import plain
from tco.yamlfile import read_yaml, refuse, validate

LEAST_CONTRAST = 4.5
_LOGO_BYTES = 1 << 20
_LOGO_PX = 4000
_PNG = b"\x89PNG\r\n\x1a\n"


def _fits(most: int) -> Callable[[str], str]:
    def fits(text: str) -> str:
        if len(text) > most:
            raise fault(f"has room for {most} characters, got {len(text)}")
        return text

    return fits


def _colour(text: str) -> str:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        raise fault(f"must be a colour as `#0b5cad`, got {text[:40]!r}")
    return text.lower()


class BrandFile(Model):
    """What `--brand FILE` holds.

    Attributes:
        name: of the company; also what is read aloud for the logo.
        logo: a PNG, relative to the file.
        colour: the one accent colour, as `#rrggbb`.
        footer: at the foot of every page.
    """

    schema_: Literal["tco.brand/1"] = Field(alias="schema")
    name: Annotated[str, Field(min_length=1), AfterValidator(_fits(60))]
    logo: str | None = None
    colour: Annotated[str, AfterValidator(_colour)] | None = None
    footer: Annotated[str, Field(min_length=1), AfterValidator(_fits(80))] | None = None


@dataclass(frozen=True, slots=True)
class Brand:
    """A brand ready for a page.

    Attributes:
        logo: a data URI of the picture alone; None without one.
        accent: replaces the report's own colour, None where that stays.
        dark_accent: the same, light enough to be read on a dark page.
    """

    name: str
    logo: str | None
    accent: str | None
    dark_accent: str | None
    footer: str | None


def read_brand(path: Path) -> Brand:
    """Return the brand of a file.

    Raises:
        InputError: the file or its logo cannot be used, or its colour could not be read on paper.
    """
    document = read_yaml(path)
    stated = validate(BrandFile, document)
    if stated.colour is not None and contrast(stated.colour, PAPER) < LEAST_CONTRAST:
        ratio = contrast(stated.colour, PAPER)
        refuse(
            document,
            ("colour",),
            f"is too light to be read on white: a contrast of {ratio:.1f}, at least "
            f"{LEAST_CONTRAST} is needed",
            "take a darker shade of it",
        )
    logo = None
    if stated.logo is not None:
        try:
            logo = _picture(path.parent / stated.logo)
        except InputError as error:
            refuse(document, ("logo",), error.message, "name a PNG beside the brand's file")
    return Brand(
        name=plain(stated.name),
        logo=logo,
        accent=stated.colour,
        dark_accent=stated.colour and readable_on(stated.colour, DARK_PAPER, LEAST_CONTRAST),
        footer=stated.footer and plain(stated.footer),
    )


def _picture(path: Path) -> str:
    """Return a PNG's pixels as a PNG in a data URI; nothing else of the file is kept."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError("is not a file", file=str(path))  # a pipe would be waited for
    raw = read_bytes(path, _LOGO_BYTES)
    if not raw.startswith(_PNG):
        raise InputError("is not a PNG", file=str(path))
    width, height = (int.from_bytes(raw[at : at + 4], "big") for at in (16, 20))
    if not (0 < width <= _LOGO_PX and 0 < height <= _LOGO_PX):
        raise InputError(
            f"has {width} x {height} pixels; at most {_LOGO_PX} a side are taken", file=str(path)
        )
    from PIL import Image

    pixels = io.BytesIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(raw), formats=["PNG"])
        with image:
            if image.size != (width, height):
                raise ValueError  # of another head, later in the file
            image.convert("RGBA").save(pixels, "PNG")
    except (
        OSError,
        ValueError,
        SyntaxError,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ):
        raise InputError("is a damaged PNG", file=str(path)) from None
    return f"data:image/png;base64,{base64.b64encode(pixels.getvalue()).decode()}"
