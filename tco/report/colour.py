"""Whether a colour can be read on another, by the contrast ratio of WCAG 2.2.

https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
"""

from __future__ import annotations

DARK_PAPER = "#14171b"
_LINEAR_BELOW = 0.04045  # of sRGB's transfer curve
_WHITE = (255, 255, 255)
_STEPS = 20


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (`#rrggbb`), from 1 to 21."""
    lower, higher = sorted((_luminance(_parts(one)), _luminance(_parts(other))))
    return (higher + 0.05) / (lower + 0.05)


def readable_on(colour: str, ground: str, least: float) -> str:
    """Return the colour, or the first mix of it with white that has the contrast on the ground."""
    parts = _parts(colour)
    mixes = (
        [
            round(part + (white - part) * step / _STEPS)
            for part, white in zip(parts, _WHITE, strict=True)
        ]
        for step in range(_STEPS + 1)
    )
    texts = ("#" + "".join(f"{part:02x}" for part in mix) for mix in mixes)
    return next((text for text in texts if contrast(text, ground) >= least), "#ffffff")


def mixed(colour: str, ground: str, share: float) -> str:
    """Return what a colour looks like on a ground that shows through all but a share of it."""
    pairs = zip(_parts(colour), _parts(ground), strict=True)
    return "#" + "".join(f"{round(under + (over - under) * share):02x}" for over, under in pairs)


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _luminance(parts: tuple[int, int, int]) -> float:
    red, green, blue = (_linear(part / 255) for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    return share / 12.92 if share <= _LINEAR_BELOW else float(((share + 0.055) / 1.055) ** 2.4)
