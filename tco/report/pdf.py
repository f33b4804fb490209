"""A page as PDF/UA-1: tagged, fonts embedded, nothing fetched, same bytes every time."""

from __future__ import annotations

import gc
import hashlib
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tco.resources import data_dir

_EPOCH_NAME = "SOURCE_DATE_EPOCH"
_POINTS_PER_PIXEL = 0.75


def render_pdf(html: str) -> bytes:
    """Return the page as a PDF; its identifier is derived from its content.

    Where no font of this machine has some character, a box stands for it, and the foot of every
    page says so.
    """
    with _fixed_font_dates(), _quiet_fonts(), _no_collection(), _without_glyph() as boxes:
        pdf = _laid_out(html)
        if boxes:
            pdf = _laid_out(html.replace("</style>", f"{_said_at_foot(len(boxes))}</style>", 1))
    return pdf


def _laid_out(html: str) -> bytes:
    from weasyprint import HTML

    folder = data_dir("templates").resolve()
    identifier = hashlib.sha256(html.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    page = HTML(string=html, base_url=f"{folder.as_uri()}/", url_fetcher=_fetcher(folder))
    pdf: bytes = page.write_pdf(
        pdf_variant="pdf/ua-1", pdf_identifier=identifier.encode(), finisher=_finish
    )
    return pdf


def _said_at_foot(boxes: int) -> str:
    said = f" · boxes stand for letters that no font had: {boxes}"
    return f'@page {{ @bottom-left {{ content: string(name) string(footer) "{said}"; }} }}'


def may_fetch(address: str, folder: Path) -> bool:
    """Say whether an address is a data URI or a file inside the folder."""
    parts = urlsplit(address)
    if parts.scheme == "data":
        return True
    if parts.scheme != "file" or parts.netloc:
        return False
    return Path(unquote(parts.path)).resolve().is_relative_to(folder)


def _finish(document: Any, pdf: Any) -> None:
    """Say of which cells a head is, and where on its page a figure is [pt from its foot]."""
    height_pt = document.pages[0].height * _POINTS_PER_PIXEL
    elements = {each.reference: each for each in pdf.objects if hasattr(each, "get")}
    for each in elements.values():
        if each.get("S") == "/TH":
            group = elements[elements[each["P"]]["P"]]
            each["A"]["Scope"] = "/Column" if group["S"] == "/THead" else "/Row"
        elif each.get("S") == "/Figure":
            left, top, right, bottom = (edge * _POINTS_PER_PIXEL for edge in each["A"]["BBox"])
            each["A"]["BBox"][:] = left, height_pt - bottom, right, height_pt - top


class _Boxes(logging.Handler):
    """Collects what WeasyPrint draws a box for: it warns of each."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.characters: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the character of a warning about one."""
        if record.getMessage().startswith(".notdef glyph") and isinstance(record.args, tuple):
            self.characters.add(str(record.args[0]))


@contextmanager
def _without_glyph() -> Iterator[set[str]]:
    """Give the characters that no font has, as they are found."""
    logger, boxes = logging.getLogger("weasyprint"), _Boxes()
    logger.addHandler(boxes)
    try:
        yield boxes.characters
    finally:
        logger.removeHandler(boxes)


@contextmanager
def _fixed_font_dates() -> Iterator[None]:
    """Let no embedded font carry the time of rendering; the font subsetter reads this name."""
    before = os.environ.get(_EPOCH_NAME)
    os.environ[_EPOCH_NAME] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_EPOCH_NAME]
        else:
            os.environ[_EPOCH_NAME] = before


@contextmanager
def _quiet_fonts() -> Iterator[None]:
    """Keep the font subsetter's remarks (our fonts are known to be whole) off the terminal."""
    logger = logging.getLogger("fontTools")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the cycle collector: layout makes boxes by the ten thousand and drops none of them.

    It looks through them again and again otherwise, a third of the time of a report.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _fetcher(folder: Path) -> Any:
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class _OwnFilesOnly(URLFetcher):  # type: ignore[misc]  # the base has no types
        """Answers for our templates and data URIs; everything else is refused."""

        def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
            if not may_fetch(url, folder):
                raise ValueError(f"refused to fetch {url[:80]!r}")
            return super().fetch(url, headers)

    return _OwnFilesOnly(allowed_protocols={"file", "data"}, allow_redirects=False)
