"""Findings as they are printed."""

import pytest

from tco.finding import Finding
from tco.report.findings import finding_lines, findings


def late(index, lag_ms, severity="warn"):
    return Finding(
        kind="client_late",
        severity=severity,
        path=f"points.{index}",
        message=f"the load client was {lag_ms:g} ms late",
        advice="use a machine of its own",
        value=lag_ms,
        limit=10.0,
    )


def said(comparison, measured, *found):
    made = comparison.model_copy(update={"findings": found})
    return [line.message for line in findings(made, measured)]


def test_the_same_at_several_loads_is_one_line_at_the_chosen_load(comparison, searched):
    found = (late(0, 90), late(8, 12), late(3, 20))
    assert said(comparison, searched, *found) == [
        "At 19.73 requests/s: the load client was 12 ms late. The same is found at 2 other loads."
    ]


def test_at_loads_that_were_not_chosen_the_greatest_is_said(comparison, searched):
    assert said(comparison, searched, late(0, 20), late(3, 90), late(1, 30)) == [
        "At 64 streams: the load client was 90 ms late. The same is found at 2 other loads."
    ]
    assert said(comparison, searched, late(0, 20)) == [
        "At 1 stream: the load client was 20 ms late."
    ]


def test_a_graver_one_of_the_same_kind_stays_a_line_of_its_own_and_comes_first(
    comparison, searched
):
    assert said(comparison, searched, late(0, 20), late(1, 90, "invalid")) == [
        "At 4 streams: the load client was 90 ms late.",
        "At 1 stream: the load client was 20 ms late.",
    ]


def test_the_only_load_of_a_measurement_is_not_named(comparison, measurement):
    assert said(comparison, measurement, late(0, 20)) == ["The load client was 20 ms late."]


def test_a_path_that_names_no_load_of_this_measurement_is_no_load(comparison, searched):
    assert said(comparison, searched, late(99, 20)) == ["The load client was 20 ms late."]


def test_a_finding_of_both_comparison_and_measurement_is_said_once(comparison, searched):
    measured = searched.model_copy(update={"findings": (late(0, 20),)})
    assert len(said(comparison, measured, late(0, 20))) == 1


def test_a_message_that_names_its_load_is_not_given_the_name_again(comparison, searched):
    told = late(8, 12).model_copy(update={"message": "at 19.73 requests/s the client was late"})
    assert said(comparison, searched, told) == ["At 19.73 requests/s the client was late."]


def test_a_sentence_that_starts_with_a_name_keeps_it(make_comparison, make_rival, measurement):
    rivals = [make_rival(name=name) for name in ("me", "me/big")]
    source = rivals[0].price_source.model_copy(update={"table": "genai-prices"})
    rivals[0] = rivals[0].model_copy(update={"price_source": source})
    comparison = make_comparison(alternatives=tuple(rivals))

    def about(message):
        return Finding(kind=message, severity="info", path="", message=message, advice="look")

    messages = (
        "me has other weights",
        "me/big has other weights",
        "prices.yaml does not say when",
        "genai-prices does not say when",
        "medium load was seen",
        "break-even takes 51.7% of it",
    )
    assert said(comparison, measurement, *map(about, messages)) == [
        "me has other weights.",
        "me/big has other weights.",
        "prices.yaml does not say when.",
        "genai-prices does not say when.",
        "Medium load was seen.",
        "Break-even takes 51.7\u00a0% of it.",
    ]


@pytest.mark.parametrize("name", ["W" * 10_000, "two words " * 1_000])
def test_a_long_name_is_shortened_where_a_finding_quotes_it(
    make_comparison, make_rival, measurement, name
):
    name = name.strip()
    said = Finding(
        kind="weights_unknown",
        severity="warn",
        path="alternatives.0",
        message=f"nothing says whether {name} serves the same weights as yours",
        advice="state same_weights",
    )
    compared = make_comparison(alternatives=(make_rival(name=name),), findings=(said,))
    (line,) = [each for each in findings(compared, measurement) if "weights" in each.message]
    assert len(line.message) < 200
    assert line.message.endswith("serves the same weights as yours.")


def test_each_severity_has_one_word_of_its_own():
    listed = [Finding.of("k", each, "p", "seen", "do it") for each in ("info", "warn", "invalid")]
    words = {line.severity: line.severity_words for line in finding_lines(listed)}
    assert words == {"invalid": "Invalid", "warn": "Warning", "info": "Note"}
    assert [each.word for each in listed] == ["note", "warning", "invalid"]
