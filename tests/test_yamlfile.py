"""Reading YAML: what is a number, what is refused, and where a fault is said to be."""

import contextlib
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tco.errors import InputError
from tco.yamlfile import MAX_BYTES, read_yaml
from tco.yamltree import MAX_DEPTH, parse_yaml


@pytest.fixture
def read(tmp_path):
    def reader(content):
        path = tmp_path / "s.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_yaml(path)

    return reader


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2e5", Decimal("2e5")),
        ("1.10", Decimal("1.10")),
        ("-.5", Decimal("-0.5")),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("no", "no"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        ("2026-12-02", "2026-12-02"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("'2e5'", "2e5"),
        (".inf", Decimal("Infinity")),
        ("-.INF", Decimal("-Infinity")),
        ("=", "="),
    ],
)
def test_a_plain_value_follows_the_core_rules_of_yaml_1_2(read, text, value):
    found = read(f"a: {text}\n").tree["a"]
    assert found == value
    assert type(found) is type(value)


def test_not_a_number_is_kept_for_the_rule_that_refuses_it(read):
    assert read("a: .nan").tree["a"].is_nan()


def test_a_price_keeps_the_digits_it_was_written_with(read):
    assert str(read("a: 0.10").tree["a"]) == "0.10"


def test_a_byte_order_mark_and_windows_line_ends_are_fine(read):
    document = read(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert document.tree == {"a": 1, "b": 2}
    assert document.line(("b",)) == 2


def test_a_line_is_that_of_the_key_or_of_the_nearest_key_above_it(read):
    document = read("a:\n  b:\n    - 1\n    - c: 2\n")
    assert document.line(("a", "b", 1, "c")) == 4
    assert document.line(("a", "b", "missing", "deeper")) == 2
    assert document.line(("nowhere",)) is None


@pytest.mark.parametrize(
    ("content", "line", "key", "says"),
    [
        ("", None, None, "is empty"),
        ("# only a comment\n", None, None, "is empty"),
        ("- a\n- b\n", 1, None, "must be a mapping of keys to values, got a list"),
        ("just words\n", 1, None, "must be a mapping of keys to values, got a single value"),
        ("a: 1\nb: 2\na: 3\n", 3, "a", "the key `a` stands twice, first on line 1"),
        ("a: &x 1\nb: *x\n", 1, "a", "anchor or alias"),
        ("a: *x\n", 1, "a", "anchor or alias"),
        ("*x : 1\n", 1, None, "anchor or alias"),
        ("a: 1\nb: !!python/object/apply:os.system [ls]\n", 2, "b", "tag"),
        ("a: !!float 3\n", 1, "a", "tag !!float"),
        ("a: ! 3\n", 1, "a", "tag"),
        ("<<: {a: 1}\n", 1, None, "merge keys"),
        ("a: 1\n---\nb: 2\n", 2, None, "more than one document"),
        ("1: a\n", 1, None, "a key must be text, got `1`"),
        ("? [a, b]\n: c\n", 1, None, "a key must be text, got a collection"),
        ("a: 1\n b: 2\n", 2, None, "is not valid YAML"),
        ("a: [1, 2\n", 2, None, "is not valid YAML"),
        ("a: 1e999999999999999999999\n", 1, "a", "further from 1"),
        ("a: " + "9" * 5000 + "\n", 1, "a", "more digits"),
        (b"a: 1\nb: \x00\n", 2, None, "is not a text file: it holds the character U+0000"),
        (b"\xff\xfea\x00", None, None, "is not a UTF-8 text file"),
        (b"\x89PNG\r\n\x1a\n\x00", None, None, "is a PNG, not YAML"),
        ('a: "x\\0y"\n', 1, "a", "U+0000"),
    ],
)
def test_what_is_refused_is_said_with_its_line_and_key(read, tmp_path, *, content, line, key, says):
    with pytest.raises(InputError) as caught:
        read(content)
    error = caught.value
    assert says in error.message
    assert (error.file, error.line, error.key) == (str(tmp_path / "s.yaml"), line, key)


def test_deep_nesting_is_refused_without_running_out_of_stack(read):
    assert read("a: " + "[" * MAX_DEPTH + "]" * MAX_DEPTH).tree
    with pytest.raises(InputError, match=f"more than {MAX_DEPTH} levels"):
        read("a: " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))
    with pytest.raises(InputError, match="nest"):
        read("a: " + "[" * 400_000)


def test_a_file_above_the_limit_is_refused_and_one_at_the_limit_is_not(read):
    head = b"a: 1\n#"
    assert read(head + b"x" * (MAX_BYTES - len(head))).tree == {"a": 1}
    with pytest.raises(InputError, match="larger than 1 MiB"):
        read(head + b"x" * MAX_BYTES)


def test_a_missing_file_a_folder_and_an_impossible_name_are_each_one_sentence(tmp_path):
    for path, says in [
        (tmp_path / "none.yaml", "no such file"),
        (tmp_path, "is a folder, not a file"),
        (tmp_path / ("x" * 5000), "cannot be read"),
        (tmp_path / "a\0b", "cannot be read"),
    ]:
        with pytest.raises(InputError, match=says) as caught:
            read_yaml(path)
        assert caught.value.file == str(path)


def test_an_unreadable_file_is_one_sentence(tmp_path, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(InputError, match="cannot be read: permission denied"):
        read_yaml(tmp_path / "s.yaml")


def test_the_same_bytes_have_the_same_hash(read):
    assert read("a: 1").sha256 == read("a: 1").sha256 != read("a: 2").sha256


@given(st.text())
@example('"\\ud800": 1')
@example("a: \ud800")
@example("%YAML 9.9\n---\na: 1")
@example("a: 0x" + "f" * 200)
def test_no_text_raises_anything_but_an_input_error(text):
    with contextlib.suppress(InputError):
        parse_yaml(text, "f")


yamlish = st.text(alphabet="ab:-{}[],#&*!|>'\"%@`?~. \n01e<=\\x", max_size=60)


@given(yamlish)
def test_no_text_that_looks_like_yaml_raises_anything_but_an_input_error(text):
    with contextlib.suppress(InputError):
        parse_yaml(text, "f")


@given(content=st.binary())
def test_no_bytes_raise_anything_but_an_input_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("fuzz") / "s.yaml"
    path.write_bytes(content)
    with contextlib.suppress(InputError):
        assert isinstance(read_yaml(path).tree, dict)


@pytest.mark.parametrize("escape", ["\\ud800", "\\ud83d\\ude00"])
def test_half_a_character_written_as_an_escape_is_named(tmp_path, escape):
    path = tmp_path / "a.json"
    path.write_text('{"schema": "x",\n "name": "' + escape + '"}')
    with pytest.raises(InputError, match=r"writes half a character as ..d8") as caught:
        read_yaml(path)
    assert caught.value.line == 2
    assert "write the character itself" in caught.value.remedy
