"""What charts drawn with matplotlib share: font, colours, a frame, the same bytes every time."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tco.report.sheet import FONT_FAMILY, MUTED, PAPER, RULE
from tco.resources import data_dir

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TEXT_PT, TITLE_PT = 8.0, 9.5
_DPI = 160


@contextmanager
def plotting() -> Iterator[None]:
    """Set the report's font, and ids that are the same every time."""
    import matplotlib as mpl

    _register_fonts()
    settings: dict[Any, Any] = {
        "font.family": [FONT_FAMILY, "DejaVu Sans"],
        "font.size": TEXT_PT,
        "svg.hashsalt": "tco",
        "text.parse_math": False,
    }
    with mpl.rc_context(settings):
        yield


def frame(axes: Axes, title: str) -> None:
    """Give axes their title above, lines across and one below."""
    axes.set_title(title, loc="left", size=TEXT_PT, color=MUTED, pad=5)
    axes.set_facecolor(PAPER)
    axes.grid(axis="y", color=RULE, lw=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(which="both", length=0, pad=4, colors=MUTED)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)


def saved(drawing: Figure, suffix: str) -> bytes:
    """Return the drawing; `suffix` is .svg or .png."""
    out = io.BytesIO()
    kind = suffix.removeprefix(".")
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # in a file's name
        drawing.savefig(out, format=kind, dpi=_DPI, metadata=metadata)
    return out.getvalue()


@lru_cache(maxsize=1)
def _register_fonts() -> None:
    from matplotlib import font_manager

    for file in sorted((data_dir("templates") / "fonts").glob(f"{FONT_FAMILY}-*.ttf")):
        font_manager.fontManager.addfont(file)
