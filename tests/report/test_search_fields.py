"""Names and values of a search's fields."""

import pytest

from tco.report.search_fields import field_name, field_value, limit_of


@pytest.mark.parametrize(
    ("field", "name", "value", "text"),
    [
        ("usd_per_million_output", "USD per million output tokens", 2.5, "$2.50"),
        ("output_tok_per_s", "Output tokens per second", 1234.5, "1,234"),
        ("ttft_p95_ms", "TTFT p95", 80.0, "80\u00a0ms"),
        ("saving", "Saving", 0.25, "25\u00a0%"),
        ("goodput_share", "Goodput share", 0.5, "50\u00a0%"),
    ],
)
def test_a_field_has_a_name_and_its_value_a_unit(field, name, value, text):
    assert field_name(field) == name
    assert field_value(field, value) == text


def test_a_limit_is_said_with_its_unit():
    assert limit_of("tpot_p99_ms", {"tpot_p99_ms": 2000.0}) == "TPOT p99 ≤\u00a02\u00a0s"
