"""The leaves of a scenario: each value at its key; and a scenario with some of them as in another.

A part that other files fill (a trace, a bill), or whose entries do not match (alternatives of other
names), is one leaf.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ValidationError

from tco.errors import InputError
from tco.quantity import PriceQuantity, Quantity
from tco.scenario import Scenario, Shape, alternative_names, hardware_names
from tco.secret_names import SECRET_NAME
from tco.side_by_side import InputValue
from tco.yamltree import Loc

_NOT_COMPARED = {("name",), ("schema",)}
_NO_INPUT = {"source", "tuned"}  # where values come from


def atoms_of(scenarios: Sequence[Scenario]) -> frozenset[Loc]:
    """Return the keys that count as one leaf in all of these scenarios."""
    found: set[Loc] = set()
    if any(each.traffic.bill is not None for each in scenarios):
        found.add(("traffic",))
    shapes = [each.traffic.shape for each in scenarios]
    if any(shape.trace or shape.session or shape.mix for shape in shapes):
        found.add(("traffic", "shape"))
    if len({alternative_names(each.alternatives) for each in scenarios}) > 1:
        found.add(("alternatives",))
    if len({hardware_names(each.other_hardware) for each in scenarios}) > 1:
        found.add(("other_hardware",))
    return frozenset(found)


def leaves(scenario: Scenario, atoms: frozenset[Loc]) -> dict[Loc, Any]:
    """Return every value by its key, defaults included; what is not there has none."""
    found = _walk((), scenario, atoms)
    return {loc: value for loc, value in found if loc not in _NOT_COMPARED}


def same(one: Any, other: Any) -> bool:
    """Say whether two values are the same input; where they come from does not count."""
    return bool(_bare(one) == _bare(other))


def replaced(
    scenario: Scenario, other: Scenario, keys: Iterable[Loc], atoms: frozenset[Loc]
) -> Scenario:
    """Return the scenario with what stands at these keys as in the other, validated.

    Raises:
        InputError: the keys cannot be changed by themselves.
    """
    tree, source = _tree((), scenario, atoms), _tree((), other, atoms)
    for loc in keys:
        _put(tree, source, loc)
    try:
        return Scenario.model_validate(tree)
    except ValidationError as error:
        raise InputError("these keys cannot be changed by themselves") from error


def shown_value(loc: Loc, value: Any) -> InputValue:
    """Return a leaf as it may be printed: a secret's value is left out."""
    if isinstance(value, Quantity | PriceQuantity):
        low, high = value.low, value.high
        return InputValue(
            value=float(value.value),
            low=None if low is None else float(low),
            high=None if high is None else float(high),
        )
    if isinstance(value, Decimal):
        return InputValue(value=float(value))
    if value is None or isinstance(value, bool):
        return InputValue(value=value)
    if isinstance(value, int | float):
        return InputValue(value=float(value))
    if isinstance(value, str) and SECRET_NAME.search(str(loc[-1])):
        return InputValue(value="(set; not printed)")
    return InputValue(value=_words(value))


def _words(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_words, value))
    if isinstance(value, Quantity | PriceQuantity):
        return f"{value.value:g}"
    if isinstance(value, BaseModel):
        name = getattr(value, "name", None) or getattr(value, "catalog", None)
        return name if isinstance(name, str) else _shape_words(value)
    return str(value)


def _shape_words(value: Any) -> str:
    """Return a shape, or traffic with one, in words: its source and its means; else its kind."""
    shape = getattr(value, "shape", value)
    if not isinstance(shape, Shape):
        published = getattr(value, "published", None)
        return "stated otherwise" if published is None else f"published: {published.source}"
    bill = getattr(value, "bill", None)
    source = [f"trace {shape.trace.file}"] if shape.trace else []
    source += [name for name in ("session", "mix") if getattr(shape, name)]
    source += [f"bill {', '.join(bill.files)}"] if bill else []
    means = f"{_words(shape.input_tokens)} in, {_words(shape.output_tokens)} out"
    return ", ".join([*source, means])


def _walk(loc: Loc, value: Any, atoms: frozenset[Loc]) -> Iterator[tuple[Loc, Any]]:
    if value is None or value in ({}, ()) or (loc and loc[-1] in _NO_INPUT):
        return
    below = None if loc in atoms else _below(value)
    if below is None:
        yield loc, value
        return
    for part, inner in below:
        yield from _walk((*loc, part), inner, atoms)


def _below(value: Any) -> list[tuple[str | int, Any]] | None:
    """Return what stands one key further down; None where the value is a leaf."""
    if isinstance(value, Quantity | PriceQuantity):
        return None
    if isinstance(value, BaseModel):
        fields = type(value).model_fields.items()
        return [(field.alias or name, getattr(value, name)) for name, field in fields]
    if isinstance(value, Mapping):
        return [(str(name), inner) for name, inner in value.items()]
    return list(enumerate(value)) if _is_parts(value) else None


def _tree(loc: Loc, value: Any, atoms: frozenset[Loc]) -> Any:
    """Return what is stated as the tree that a scenario is made of."""
    if loc in atoms or isinstance(value, Quantity | PriceQuantity):
        return value
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        stated = [name for name in fields if name in value.model_fields_set]
        names = {name: fields[name].alias or name for name in stated}
        return {key: _tree((*loc, key), getattr(value, name), atoms) for name, key in names.items()}
    if isinstance(value, Mapping):
        return {name: _tree((*loc, str(name)), inner, atoms) for name, inner in value.items()}
    if _is_parts(value):
        return [_tree((*loc, place), inner, atoms) for place, inner in enumerate(value)]
    return value


def _is_parts(value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(each, BaseModel) and not isinstance(each, Quantity | PriceQuantity)
        for each in value
    )


def _put(tree: Any, source: Any, loc: Loc) -> None:
    """Put what the source has at the key in its place, or take it out."""
    absent = object()
    found: Any = source
    for part in loc:
        found = _at(found, part, absent)
    node = tree
    for part in loc[:-1]:
        below = _at(node, part, absent)
        if below is absent or below is None:
            if found is absent:
                return
            below = node[part] = {}
        node = below
    if found is not absent:
        node[loc[-1]] = copy.copy(found)
    elif isinstance(node, dict):
        node.pop(loc[-1], None)


def _at(node: Any, part: str | int, absent: object) -> Any:
    if isinstance(node, dict):
        return node.get(part, absent)
    if isinstance(node, list) and isinstance(part, int) and part < len(node):
        return node[part]
    return absent


def _bare(value: Any) -> Any:
    """Return the value without the words on where it comes from."""
    if isinstance(value, Quantity | PriceQuantity):
        return value.value, value.low, value.high, value.shape
    if isinstance(value, BaseModel):
        names = [name for name in type(value).model_fields if name not in _NO_INPUT]
        return {name: _bare(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    return value
