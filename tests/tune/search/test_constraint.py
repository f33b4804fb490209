"""Which settings go together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.tune.search.constraint import parse_constraint
from tco.tune.search.domain import Domain

NUMBERS = st.integers(-9, 9)


@given(NUMBERS, NUMBERS, st.sampled_from([">=", "<=", ">", "<"]))
def test_an_order_holds_as_python_has_it_and_a_text_is_its_number(a, b, verb):
    rule = parse_constraint(f"a {verb} b", {"a", "b"})
    holds = {">=": a >= b, "<=": a <= b, ">": a > b, "<": a < b}[verb]
    assert rule.allows({"a": a, "b": b}) is holds
    assert rule.allows({"a": str(a), "b": b}) is holds
    assert parse_constraint(f"a {verb} {b}", {"a"}).allows({"a": a}) is holds
    assert parse_constraint(f"{a} {verb} b", {"b"}).allows({"b": b}) is holds


@given(st.sampled_from([None, False, True, "auto"]), NUMBERS)
def test_what_is_no_number_is_compared_with_nothing(setting, number):
    assert parse_constraint("a > b", {"a", "b"}).allows({"a": setting, "b": number})
    assert parse_constraint("a > b", {"a", "b"}).allows({"b": number})


@given(st.booleans(), st.booleans())
def test_excludes_and_requires_are_opposites_where_the_first_is_set(a, b):
    settings, known = {"a": a, "b": b}, {"a", "b"}
    requires = parse_constraint("a requires b", known).allows(settings)
    excludes = parse_constraint("a excludes b", known).allows(settings)
    assert requires is (not a or b)
    assert excludes is (not a or not b)


@pytest.mark.parametrize(
    ("value", "setting"), [("true", True), ("false", False), ("null", None), ("2", 2), ("x", "x")]
)
def test_a_value_is_written_as_in_yaml(value, setting):
    rule = parse_constraint(f"b={value} excludes a", {"a", "b"})
    assert not rule.allows({"a": True, "b": setting})
    assert rule.allows({"a": True, "b": "other"})


def test_0_is_set_and_a_parameter_that_is_not_tried_is_not():
    rule = parse_constraint("a requires b", {"a", "b"})
    assert not rule.allows({"a": 0, "b": False})
    assert not rule.allows({"a": 1})
    assert rule.allows({"b": False})


@given(st.sampled_from(["a >= b", "a requires b=2", "a excludes b=3", "a < 3"]))
def test_no_place_that_is_forbidden_is_a_candidate(text):
    rule = parse_constraint(text, {"a", "b"})
    domain = Domain({"a": (None, 1, 2, 3), "b": (1, 2, 3)}, rule.allows)
    listed = set(domain.listed)
    every = [(a, b) for a in range(4) for b in range(3)]
    assert 0 < len(listed) < len(every)
    assert listed == {place for place in every if rule.allows(domain.settings(place))}


@pytest.mark.parametrize(
    "text", ["a >= b=2", "a=1 < b", "a >= c", "a requires 2", "a", "a = b", ""]
)
def test_what_is_none_is_refused_with_how_to_write_one(text):
    with pytest.raises(ValueError, match=r"is no constraint|which the space has not") as caught:
        parse_constraint(text, {"a", "b"})
    assert "write `a >= b`" in caught.value.context["remedy"]
