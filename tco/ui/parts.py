"""The page's own style, script, icon and fonts: a fixed list of files, served from this machine."""

from __future__ import annotations

from functools import lru_cache

from tco.resources import data_dir

# Each served name and its media type.
PARTS = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "Inter-Regular.woff2": "font/woff2",
    "Inter-SemiBold.woff2": "font/woff2",
    "DejaVuSansMono-ASCII.woff2": "font/woff2",
}
_STYLES = ("report/report.css", "report/screen.css", "ui/page.css")


@lru_cache(maxsize=len(PARTS))
def part_bytes(name: str) -> bytes:
    """Return the content of a name of PARTS; the style is the report's own, and what we add."""
    folder = data_dir("templates")
    if name == "page.css":
        return b"\n".join((folder / style).read_bytes() for style in _STYLES)
    below = "fonts" if name.endswith(".woff2") else "ui"
    return (folder / below / name).read_bytes()
