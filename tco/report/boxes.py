"""A Box is a rectangle of a drawing; what tells where words hide nothing."""

from __future__ import annotations

from typing import NamedTuple

Place = tuple[float, float]


class Box(NamedTuple):
    """Left, top, right and foot of a rectangle [pt], from the top left."""

    left: float
    top: float
    right: float
    foot: float

    def overlaps(self, other: Box) -> bool:
        """Say whether the two share more than an edge."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.foot
            and other.top < self.foot
        )

    def holds(self, other: Box) -> bool:
        """Say whether the other lies within."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.foot <= self.foot
        )

    def wider_by(self, margin_pt: float) -> Box:
        """Return it with a margin all round."""
        return Box(
            self.left - margin_pt,
            self.top - margin_pt,
            self.right + margin_pt,
            self.foot + margin_pt,
        )

    def is_crossed(self, start: Place, end: Place) -> bool:
        """Say whether a straight line passes through (Liang and Barsky 1984, clipping)."""
        across, down = end[0] - start[0], end[1] - start[1]
        first, last = 0.0, 1.0
        for step, room in (
            (-across, start[0] - self.left),
            (across, self.right - start[0]),
            (-down, start[1] - self.top),
            (down, self.foot - start[1]),
        ):
            if step == 0:
                if room <= 0:
                    return False
            elif step < 0:
                first = max(first, room / step)
            else:
                last = min(last, room / step)
        return first < last


def box_around(place: Place, radius_pt: float) -> Box:
    """Return the box of a mark."""
    return Box(*place, *place).wider_by(radius_pt)
