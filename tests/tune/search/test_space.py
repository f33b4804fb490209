"""Spaces: those that come with tco, their constraints, and faults of a file."""

import pytest

from tco.errors import InputError
from tco.tune.search.constraint import parse_constraint
from tco.tune.search.space import load_space, shipped_spaces


def test_two_spaces_are_shipped_under_their_names():
    assert set(shipped_spaces()) == {"vllm-cpu", "vllm-general"}
    assert {load_space(name).space.name for name in shipped_spaces()} == set(shipped_spaces())


def test_a_range_with_log_is_doubled():
    levels = load_space("vllm-cpu").space.args["max-num-seqs"].levels()
    assert levels == (8, 16, 32, 64, 128, 256)


@pytest.mark.parametrize(
    ("text", "settings", "goes"),
    [
        ("a >= b", {"a": 2, "b": 2}, True),
        ("a >= b", {"a": 1, "b": 2}, False),
        ("a >= b", {"a": None, "b": 2}, True),
        ("a < 8", {"a": 8, "b": 0}, False),
        ("a requires b=x", {"a": True, "b": "y"}, False),
        ("a requires b=x", {"a": False, "b": "y"}, True),
        ("a excludes b", {"a": True, "b": 1}, False),
        ("a excludes b", {"a": True, "b": None}, True),
    ],
)
def test_a_constraint_says_what_goes_together(text, settings, goes):
    assert parse_constraint(text, settings).allows(settings) is goes


@pytest.mark.parametrize("text", ["__import__('os')", "a >= c", "a is b"])
def test_what_is_no_constraint_is_refused(tmp_path, text):
    path = tmp_path / "s.yaml"
    body = "args: {a: {kind: bool}, b: {kind: bool}}\n"
    path.write_text(f'schema: tco.space/1\nname: s\n{body}constraints: ["{text}"]\n')
    with pytest.raises(InputError, match=r"constraint|names"):
        load_space(str(path))
