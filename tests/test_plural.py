"""A number of things in words."""

import pytest

from tco.plural import several


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 servers"), (1, "1 server"), (1234, "1,234 servers")]
)
def test_one_thing_is_single_and_any_other_number_is_not(count, words):
    assert several(count, "server") == words
