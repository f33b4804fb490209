"""Text from outside is shown and does nothing."""

import pytest

from tco.report.text import cut_words, link, plain, shorten


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\x1bb", "a\\x1bb"),
        ("a\u202eb", "a\\u202eb"),
        ("two\n lines", "two lines"),
        ("<b>$x_1$</b>", "<b>$x_1$</b>"),
        ("日本 😀 שלום", "日本 😀 שלום"),
        ("\ud800", "\\ud800"),
    ],
)
def test_control_characters_are_shown_as_escapes_and_the_rest_as_it_is(raw, shown):
    assert plain(raw) == shown


@pytest.mark.parametrize("raw", ["javascript:alert(1)", "file:///etc/passwd", "http://", "x"])
def test_only_http_addresses_become_links(raw):
    assert link(raw) is None


def test_an_http_address_is_a_link():
    assert link("https://example.com/a?b=1") == "https://example.com/a?b=1"


def test_a_long_text_is_cut_with_an_ellipsis():
    assert shorten("x" * 100, 10) == "x" * 9 + "…"


def test_a_long_word_is_cut_and_its_neighbours_are_not():
    assert cut_words("a " + "x" * 50 + " b", 5) == "a xxxx… b"
