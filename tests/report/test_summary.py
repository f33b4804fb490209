"""The answer in twelve lines of eighty columns."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tco.finding import Finding
from tco.report.numbers import percent, usd
from tco.report.summary import MOST_COLUMNS, MOST_LINES, cut, summary_lines


def finding(place):
    return Finding(
        kind=f"k{place}", severity="warn", path="p", message=f"m{place} " * 40, advice="a"
    )


def test_it_holds_the_answer_and_both_costs(comparison, measurement):
    text = "\n".join(summary_lines(comparison, measurement)).replace("\xa0", " ")
    rival = comparison.headline_alternative()
    for figure in (
        percent(rival.saving),
        usd(comparison.self_host.usd_per_year),
        usd(rival.usd_per_year),
        usd(rival.npv_usd),
        percent(rival.levelised_saving),
        percent(rival.break_even_utilisation),
        "1.2 years",
    ):
        assert figure.replace("\xa0", " ") in text


@pytest.mark.parametrize("many", [0, 1, 3, 4, 30])
def test_the_worst_findings_fill_the_lines_and_the_others_are_counted(
    many, make_comparison, measurement
):
    bad = Finding(kind="bad", severity="invalid", path="p", message="Bad", advice="Rerun")
    lines = summary_lines(make_comparison(findings=(*map(finding, range(many)), bad)), measurement)
    assert len(lines) <= MOST_LINES
    assert any(line.startswith("invalid: Bad.") for line in lines)
    shown = sum(line.startswith("warning: ") for line in lines)
    if shown < many:
        assert len(lines) == MOST_LINES
        assert f"and {many - shown} more finding" in lines[-1]


def test_an_invalid_measurement_is_said_before_a_demonstration(
    make_comparison, demonstration, measurement
):
    bad = Finding(kind="bad", severity="invalid", path="p", message="Bad", advice="Rerun")
    both = make_comparison(findings=(*demonstration.findings, bad))
    assert summary_lines(both, measurement)[1].startswith(
        "Invalid measurement: its figures must not be used. Method demonstration"
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(max_size=200), st.none() | st.floats(-1e6, 1))
def test_it_is_twelve_lines_of_eighty_columns_whatever_it_says(
    make_comparison, make_rival, measurement, name, saving
):
    reason = "zero_price" if saving is None else None
    none = dict.fromkeys(("break_even_utilisation", "payback_years", "npv_usd"))
    why = {f"{key}_reason": "not_buying_against_renting" for key in none}
    rival = make_rival(name=name, saving=saving, saving_reason=reason, **none, **why)
    found = make_comparison(
        name=name, alternatives=(rival,), findings=tuple(map(finding, range(9)))
    )
    lines = summary_lines(found, measurement)
    assert len(lines) <= MOST_LINES
    assert all(cell_len(line) <= MOST_COLUMNS for line in lines)
    assert all(line.isprintable() or not set(line) & set("\n\r\x1b\x07") for line in lines)


def test_wide_characters_count_twice():
    assert cut("日本語", 6) == "日本語"
    assert cut("日本語", 5) == "日本…"
