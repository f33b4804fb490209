"""A Document as HTML: one self-contained page for a browser, or the source of the PDF."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from tco.report.arrivals_chart import draw_arrivals
from tco.report.brand import Brand
from tco.report.charts import draw_cost_curve
from tco.report.colour import mixed
from tco.report.document import Document
from tco.report.lengths_chart import draw_lengths
from tco.report.load_chart import draw_load_curve
from tco.report.paid_chart import draw_paid
from tco.report.part_chart import draw_part_bars
from tco.report.ranking_chart import draw_ranking
from tco.report.saving_map import MapCell
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, RULE
from tco.report.tornado_chart import draw_tornado
from tco.report.tune_chart import draw_tune_bars
from tco.report.tune_document import TuneDocument
from tco.resources import data_dir

if TYPE_CHECKING:
    from jinja2 import Environment

Medium = Literal["screen", "paper"]

_VARIABLES = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    RULE: "var(--rule)",
    ACCENT: "var(--accent)",
    PAPER: "var(--paper)",
}


class Described(Protocol):
    """A chart that says in words what it shows."""

    @property
    def description(self) -> str:
        """The words, for who cannot see it."""


Chart = TypeVar("Chart", bound=Described)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart ready for a template: `svg` for a browser, in the page's colours; else for paper."""

    svg: str
    paper_svg: str
    description: str

    @property
    def address(self) -> str:
        """Return the chart of the paper as a data URI."""
        encoded = base64.b64encode(self.paper_svg.encode()).decode()
        return f"data:image/svg+xml;base64,{encoded}"

    def in_accent(self, accent: str | None) -> Drawing:
        """Return the chart with another accent on paper; a browser takes the page's anyway."""
        if accent is None:
            return self
        return replace(self, paper_svg=self.paper_svg.replace(ACCENT, accent))


def render_html(document: Document, medium: Medium, brand: Brand | None = None) -> str:
    """Return the page; on `screen` fonts and charts are inside it and nothing is fetched."""
    accent = None if brand is None else brand.accent
    return page(
        "report/report.html.j2",
        document,
        medium,
        brand,
        ladder_charts=[each.in_accent(accent) for each in _ladder_of(document)],
        shade=partial(_shade, medium, accent or ACCENT),
        **{name: each and each.in_accent(accent) for name, each in drawings(document).items()},
    )


def page(
    template: str, document: object, medium: Medium, brand: Brand | None = None, **more: object
) -> str:
    """Return a document in a page's template: for a browser, or the source of the PDF.

    On `screen` the fonts are inside it, so that nothing is fetched.
    """
    fonts = font_addresses() if medium == "screen" else {}
    filled = environment().get_template(template)
    return filled.render(doc=document, medium=medium, brand=brand, fonts=fonts, **more)


def ladder_drawings(document: TuneDocument) -> tuple[Drawing, ...]:
    """Return the charts of a tuning's ladder."""
    return tuple(drawing(draw_tune_bars(each), each.description) for each in document.charts)


def _ladder_of(document: Document) -> tuple[Drawing, ...]:
    section = document.tuned
    return () if section is None or section.ladder is None else ladder_drawings(section.ladder)


def _shade(medium: Medium, accent: str, cell: MapCell) -> str:
    """Return the style of a cell: on screen the colours are the page's, which may be dark."""
    if medium == "screen":
        return f"--tint: {cell.tint:.0%}"
    return f"background: {mixed(accent if cell.saves else MUTED, PAPER, cell.tint)}"


def drawings(document: Document) -> dict[str, Drawing | None]:
    """Return every chart by its name in the document; None where it has none."""
    return {
        "curve": _drawn(document.curve, draw_cost_curve),
        "bars": _drawn(document.bars, draw_part_bars),
        "ranking": _drawn(document.ranking, draw_ranking),
        "tornado": _drawn(document.tornado, draw_tornado),
        "paid": _drawn(document.paid, draw_paid),
        "arrivals": _drawn(document.arrivals, draw_arrivals),
        "lengths": _drawn(document.lengths, draw_lengths),
        "loads": _drawn(document.loads, draw_load_curve),
    }


def _drawn(chart: Chart | None, draw: Callable[[Chart], str]) -> Drawing | None:
    return None if chart is None else drawing(draw(chart), chart.description)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return what reads the templates: all is escaped, and a name that is not given is a fault."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(data_dir("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def drawing(svg: str, description: str) -> Drawing:
    """Return a chart whose colours follow the page's."""
    themed = svg
    for colour, variable in _VARIABLES.items():
        themed = themed.replace(colour, variable)
    return Drawing(themed, svg, description)


def font_addresses() -> dict[str, str]:
    """Return the fonts of a page that loads nothing, as data URIs."""
    folder = data_dir("templates") / "fonts"
    return {
        name: "data:font/woff2;base64,"
        + base64.b64encode((folder / f"{name}.woff2").read_bytes()).decode()
        for name in ("Inter-Regular", "Inter-SemiBold", "DejaVuSansMono-ASCII")
    }
