"""A constraint says which settings go together: `a >= b`, `a requires b=1`, `a excludes b`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from tco.quantity import fault
from tco.tune.search.domain import Settings, number_of
from tco.tuning import Setting

_ORDERS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_ORDER: Final = re.compile(r"\s*(\S+)\s+(>=|<=|>|<)\s+(\S+)\s*")
_TOGETHER: Final = re.compile(r"\s*(\S+)\s+(requires|excludes)\s+(\S+)\s*")
_FORMS: Final = (
    "write `a >= b` (or <=, >, <; b may be a number), `a requires b`, or `a excludes b=setting`"
)


@dataclass(frozen=True, slots=True)
class Constraint:
    """Two sides and what must be between them."""

    left: str
    verb: str
    right: str

    def allows(self, settings: Settings) -> bool:
        """Say whether the settings go together; what is left out is compared with nothing."""
        if self.verb in _ORDERS:
            sides = [_side(self.left, settings), _side(self.right, settings)]
            if any(side is None for side in sides):
                return True
            return _ORDERS[self.verb](*(side for side in sides if side is not None))
        return not _is(self.left, settings) or _is(self.right, settings) == (
            self.verb == "requires"
        )


def parse_constraint(text: str, known: Collection[str]) -> Constraint:
    """Return a constraint; a fault where it is none, or names no parameter of the space."""
    found = _ORDER.fullmatch(text) or _TOGETHER.fullmatch(text)
    if found is None:
        raise fault(f"is no constraint: {text}", _FORMS)
    is_order = found[2] in _ORDERS
    for side in (found[1], found[3]):
        name = side if is_order else side.partition("=")[0]
        if name not in known and not (is_order and number_of(side) is not None):
            raise fault(f"names `{name}`, which the space has not", _FORMS)
    return Constraint(found[1], found[2], found[3])


def _side(side: str, settings: Settings) -> float | None:
    return number_of(settings[side]) if side in settings else number_of(side)


def _is(side: str, settings: Settings) -> bool:
    name, has_value, value = side.partition("=")
    # A parameter that this engine does not take is not tried, and so not set.
    setting = settings.get(name)
    if has_value:
        return _text(setting) == value
    return setting is not None and setting is not False


def _text(setting: Setting) -> str:
    if setting is None:
        return "null"
    return str(setting).lower() if isinstance(setting, bool) else str(setting)
