"""Tables and sentences of the terminal."""

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tco.cli.terminal_table import add_row, broken, print_table, print_words, table_of

NAME = "baseten/nemotron-3.5-super-vl"


def printed(width, *rows, heads=("against", "saving", "USD a year")):
    table = table_of("Title", *heads)
    for cells in rows:
        add_row(table, *cells)
    return drawn(width, print_table, table)


def drawn(width, show, what, **options):
    out = io.StringIO()
    show(what, Console(file=out, width=width, highlight=False), **options)
    return out.getvalue().splitlines()


def test_a_table_is_as_wide_as_it_must_be_and_lines_end_without_blanks():
    assert printed(80, ("api", "12\u00a0%", "$1,000"), ("b", "\u22125\u00a0%")) == [
        "Title",
        "Against  Saving  USD a year",
        "───────────────────────────",
        "api        12 %      $1,000",
        "b          -5 %",
    ]


def test_a_terminal_without_unicode_is_printed_to():
    table = table_of("Title", "", "saving")
    add_row(table, "api", "\u22125\u00a0%")
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    print_table(table, Console(file=out, width=80))
    assert out.buffer.getvalue().decode() == "Title\n     Saving\n-----------\napi    -5 %\n"


def test_a_name_breaks_between_its_parts_where_heads_take_no_more_lines():
    lines = printed(36, (NAME, "12.5\u00a0%", "$1,000,000"))
    assert [line.split()[0] for line in lines[-2:]] == ["baseten/", "nemotron-3.5-super-vl"] or [
        line.split()[0] for line in lines[-3:]
    ] == ["baseten/", "nemotron-3.5-", "super-vl"]
    assert max(map(len, lines)) <= 36


def test_numbers_are_whole_even_where_the_table_is_wider_than_the_terminal():
    lines = printed(12, ("api", "12.5\u00a0%", "$1,000,000"))
    assert any("12.5 %" in line and "$1,000,000" in line for line in lines)


names = st.text(st.sampled_from("ab3/-_. "), min_size=1, max_size=60)


@given(names, st.integers(1, 40))
def test_a_broken_name_loses_no_character_and_keeps_to_its_width(name, width):
    lines = broken(name, width)
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    assert all(len(line) <= width for line in lines)


def test_a_word_after_one_that_was_cut_stays_a_word():
    assert broken("abcdefgh i", 5) == ["abcde", "fgh i"]


def test_wide_characters_count_as_the_two_columns_they_take():
    assert broken("\u540d\u524d\u540d\u524d\u540d", 4) == ["\u540d\u524d", "\u540d\u524d", "\u540d"]


@given(st.integers(30, 60))
def test_a_part_of_a_name_that_fits_is_never_cut(width):
    for line in broken("together/nvidia/nemotron-3.5-super_vl.instruct", width)[:-1]:
        assert line[-1] in "/-_."


@given(st.lists(st.tuples(names, st.integers(0, 10**9), st.integers(0, 10**9)), min_size=1),
       st.integers(60, 120))  # fmt: skip
def test_a_table_that_can_fit_does(rows, width):
    lines = printed(width, *((name, f"{one:,}", f"${other:,}") for name, one, other in rows))
    assert max(map(len, lines)) <= width
    text = " ".join(lines)
    for _, one, other in rows:
        assert f"{one:,}" in text
        assert f"${other:,}" in text


@given(st.integers(20, 60))
def test_a_number_stays_beside_its_unit_and_a_path_is_whole(width):
    words = "The 90\u00a0% interval of a-long-name/with-parts is 71.4\u00a0% \u2264 80\u00a0%."
    lines = drawn(width, print_words, words)
    assert any("90 %" in line for line in lines)
    assert any("71.4 %" in line for line in lines)
    assert any("a-long-name/with-parts" in line for line in lines)
    assert "<= 80 %." in " ".join(lines)


def test_markup_in_words_is_shown_as_it_is_written():
    assert drawn(80, print_words, " [red]x", first="warning:", style="yellow") == [
        "warning: [red]x"
    ]
