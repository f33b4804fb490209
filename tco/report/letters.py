"""How wide letters are, from the report's own fonts, and how many lines a text takes."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

# The advances of space to tilde in templates/fonts/Inter-*.ttf, in thousandths of the size;
# a test holds them to the fonts.
# fmt: off
_REGULAR = (
    281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360,
    631, 407, 610, 618, 646, 593, 620, 566, 619, 620, 288, 302, 662, 662, 662, 511,
    966, 690, 654, 730, 722, 601, 590, 746, 743, 269, 571, 672, 565, 903, 753, 765,
    639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471, 456,
    323, 562, 612, 571, 612, 583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600,
    612, 612, 376, 528, 327, 591, 562, 818, 546, 562, 552, 426, 333, 426, 662,
)
_SEMI_BOLD = (
    252, 321, 523, 644, 650, 1004, 663, 326, 373, 373, 540, 673, 319, 465, 319, 379,
    660, 423, 623, 636, 666, 612, 640, 576, 640, 640, 319, 329, 673, 673, 673, 543,
    999, 728, 659, 737, 722, 605, 588, 749, 746, 277, 580, 703, 565, 922, 759, 769,
    645, 773, 652, 650, 660, 736, 728, 1020, 720, 713, 652, 373, 379, 373, 481, 469,
    351, 574, 624, 583, 624, 591, 389, 625, 612, 262, 262, 569, 262, 900, 612, 609,
    624, 624, 397, 549, 353, 612, 587, 839, 569, 588, 566, 455, 359, 455, 673,
)
# fmt: on
_FIRST = 32
# Letters of other scripts come from whatever font a reader has: about as wide as a capital,
# those of East Asia a square.
_OTHER, _SQUARE, _NOTHING = 700, 1000, 0


def width_em(text: str, *, bold: bool = False) -> float:
    """Return how wide a line is, in sizes of its letters [em]; kerning is left out."""
    table = _SEMI_BOLD if bold else _REGULAR
    return sum(_thousandths(each, table) for each in text) / 1000


def line_count(text: str, wide_em: float, *, bold: bool = False) -> int:
    """Return how many lines a text takes: broken at spaces, a longer word wherever it must."""
    lines, used = 0, wide_em
    space = width_em(" ", bold=bold)
    for word in text.split():
        wide = width_em(word, bold=bold)
        if lines and used + space + wide <= wide_em:
            used += space + wide
            continue
        lines, used = lines + 1, 0.0
        if wide <= wide_em:
            used = wide
            continue
        for each in word:
            one = width_em(each, bold=bold)
            if used and used + one > wide_em:
                lines, used = lines + 1, 0.0
            used += one
    return lines


def _thousandths(letter: str, table: tuple[int, ...]) -> int:
    place = ord(letter) - _FIRST
    if 0 <= place < len(table):
        return table[place]
    if combining(letter):
        return _NOTHING
    return _SQUARE if east_asian_width(letter) in "WF" else _OTHER
