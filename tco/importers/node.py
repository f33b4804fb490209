"""A Node is one value of a result file, and where it stands: faults name file, line and key."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tco.errors import InputError

Floats = npt.NDArray[np.float64]
_LONGEST_SHOWN = 40
_TOLERANCE = 0.01
_LARGEST = 1e24  # above any time of day in ns
_REMEDY = "give the file as the tool wrote it"


@dataclass(frozen=True, slots=True)
class Node:
    """A value out of a JSON document; `key` is the dotted way to it.

    Attributes:
        line: of a file with one document a line.
    """

    value: object
    file: str
    key: str = ""
    line: int | None = None

    def fault(self, message: str, remedy: str = _REMEDY) -> InputError:
        """Return the error that says what is wrong here."""
        return InputError(
            message, file=self.file, line=self.line, key=self.key or None, remedy=remedy
        )

    def without_answers(self) -> InputError:
        """Return the error that a run without a completed request is."""
        return self.fault(
            "no request was completed, so there is no rate",
            "see the errors of that run, and import one that ended well",
        )

    def maybe(self, *names: str) -> Node | None:
        """Go down the keys; None where one is absent or null.

        Raises:
            InputError: a value on the way is no mapping.
        """
        node = self
        for name in names:
            if not isinstance(node.value, dict):
                raise node.fault(f"must be a mapping of keys to values, got {node.shown()}")
            below = node.value.get(name)
            if below is None:
                return None
            node = Node(below, node.file, f"{node.key}.{name}".lstrip("."), node.line)
        return node

    def at(self, *names: str) -> Node:
        """Go down the keys.

        Raises:
            InputError: one is absent or null.
        """
        found = self.maybe(*names)
        if found is None:
            raise self.fault(f"the key `{'.'.join(names)}` is missing")
        return found

    def number(self) -> float:
        """Return a finite number of at least 0.

        Raises:
            InputError: it is none.
        """
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fault(f"must be a number, got {self.shown()}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.fault(f"must be a finite number, got {self.shown()}")
        if not 0 <= number <= _LARGEST:
            raise self.fault(f"must be from 0 to {_LARGEST:g}, got {self.shown()}")
        return number

    def positive(self) -> float:
        """Return a number above 0.

        Raises:
            InputError: it is none.
        """
        number = self.number()
        if number <= 0:
            raise self.fault("must be above 0, got 0")
        return number

    def moment(self, per_s: float = 1.0) -> dt.datetime:
        """Return a time of day (UTC) that is given since 1970, `per_s` to a second.

        Raises:
            InputError: it is none.
        """
        try:
            return dt.datetime.fromtimestamp(self.number() / per_s, dt.UTC)
        except (OverflowError, ValueError, OSError) as error:
            raise self.fault(f"must be a time since 1970, got {self.shown()}") from error

    def whole(self) -> int:
        """Return a whole number of at least 0 (16.0 is one).

        Raises:
            InputError: it is none.
        """
        number = self.number()
        if not number.is_integer():
            raise self.fault(f"must be a whole number, got {self.shown()}")
        return int(number)

    def text(self) -> str:
        """Return a text.

        Raises:
            InputError: it is none.
        """
        if not isinstance(self.value, str):
            raise self.fault(f"must be text, got {self.shown()}")
        return self.value

    def items(self) -> Iterator[Node]:
        """Yield the items of a list.

        Raises:
            InputError: it is none.
        """
        if not isinstance(self.value, list):
            raise self.fault(f"must be a list, got {self.shown()}")
        for index, item in enumerate(self.value):
            yield Node(item, self.file, f"{self.key}.{index}", self.line)

    def numbers(self) -> Floats:
        """Return a list of numbers.

        Raises:
            InputError: it is no list, or one item is no number.
        """
        value = self.value
        if isinstance(value, list) and all(type(item) is float for item in value):
            found = np.array(value, dtype=np.float64)
            if bool(((found >= 0) & (found <= _LARGEST)).all()):
                return found
        # Only what is not plain is looked at one by one, to name the item at fault.
        return np.array([item.number() for item in self.items()], dtype=np.float64)

    def shown(self) -> str:
        """Return the value as a message shows it."""
        if isinstance(self.value, dict | list):
            return "a mapping" if isinstance(self.value, dict) else "a list"
        text = repr(self.value) if isinstance(self.value, str) else str(self.value)
        return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def check_alike(stated: Node | None, computed: float, what: str) -> None:
    """Refuse a figure that others of the same file contradict: a wrong unit, or an edit.

    One that the file does not state contradicts nothing.

    Raises:
        InputError: they are more than 1 % apart.
    """
    if stated is not None and abs(stated.number() - computed) > _TOLERANCE * computed:
        raise stated.fault(f"is {stated.number():g} where {what} gives {computed:g}")


def number_at(node: Node, *names: str) -> float | None:
    """Return the number below a node; None where there is none."""
    found = node.maybe(*names)
    return None if found is None else found.number()


def text_at(node: Node, *names: str) -> str | None:
    """Return the text below a node; None where there is none."""
    found = node.maybe(*names)
    return None if found is None else found.text()
