"""Text from files in Markdown: a real parser sees nothing but that text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tco.report.markdown_text import ZERO_WIDTH_SPACE, code_block, escaped, markdown_table
from tco.report.table import Column, Table, row
from tco.report.text import plain

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
SIGNS = "\\`*_{}[]()<>#+-.!|~$&;:@=\"'/ \n\t"
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=SIGNS + "aZ09", max_size=40),
    st.lists(
        st.sampled_from(
            [
                "<script>", "</td>", "[a](http://x.y)", "![i](u)", "@user", "#12", "GH-7", "`x`",
                "```", "|", "\\|", "\\", "**", "__", "~~", "https://x.y", "www.x.y", "a@b.co",
                "&amp;", "&#64;", "- ", "1. ", "# ", "> ", "---", "===", "$x$", ":tada:", "<!--",
            ]
        ),
        max_size=6,
    ).map("".join),
)  # fmt: skip


def shown(tokens):
    """The words that a reader sees, and the kinds of inline tokens that carry them."""
    inline = [child for token in tokens for child in token.children or ()]
    return "".join(child.content for child in inline), {child.type for child in inline}


@given(TEXTS)
def test_a_text_is_shown_as_it_is_and_nothing_in_it_acts(text):
    tokens = PARSER.parse(escaped(text))
    said, kinds = shown(tokens)
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    assert kinds <= {"text"}
    assert said.replace(ZERO_WIDTH_SPACE, "") == plain(text).replace(ZERO_WIDTH_SPACE, "").strip()


@given(TEXTS)
def test_nothing_is_left_that_github_would_link_or_notify(text):
    said, _ = shown(PARSER.parse(escaped(text)))
    assert not re.search(r"@\w|#\d|\bGH-\d|://|\bwww\.", said, re.IGNORECASE)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4), TEXTS)
def test_a_table_keeps_its_cells_whatever_they_hold(pairs, caption):
    table = Table(caption or "c", (Column("A"), Column("B", numeric=True)), ())
    rows = tuple(row(*pair) for pair in pairs)
    written = markdown_table(Table(table.caption, table.columns, rows))
    tokens = PARSER.parse(written)
    cells = [
        "".join(child.content for child in tokens[at + 1].children)
        for at, token in enumerate(tokens)
        if token.type == "td_open"
    ]
    plain_cells = [cell.text for each in rows for cell in each.cells]
    assert [cell.replace(ZERO_WIDTH_SPACE, "") for cell in cells] == [
        cell.replace(ZERO_WIDTH_SPACE, "").strip() for cell in plain_cells
    ]


@given(TEXTS)
def test_a_code_block_holds_its_lines_to_its_end(text):
    lines = plain(text) or "x"
    (token,) = PARSER.parse(code_block(lines))
    assert (token.type, token.content) == ("fence", f"{lines}\n")


@pytest.mark.parametrize(
    "text", ["usd_per_kwh 0.14", "$0.28 instead of $0.50", "65.9 % (512 in)", "2026-12-02", "a.b"]
)
def test_common_text_stays_legible_in_a_plain_viewer(text):
    assert escaped(text) == text
