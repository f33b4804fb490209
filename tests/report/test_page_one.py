"""Which findings the first page has room for."""

import pytest

from tco.report.findings import FindingLine
from tco.report.page_one import page_one


def finding(severity, words, number):
    return FindingLine(severity, severity, "p", f"{number} {words}", "advice")


def page(findings, **changes):
    values = {
        "name": "my hardware",
        "banner": None,
        "headline": "Own hardware saves 43 %.",
        "basis": "Own cost rests on a rate.",
        "figures": (),
        "notes": (None,),
        "omitted": "Not included: staff.",
    }
    return page_one(findings, **values | changes)


def test_short_findings_all_stand_there_and_nothing_says_more():
    few = [finding("warn", "short", n) for n in range(5)]
    assert page(few).findings == tuple(few)
    assert page(few).more is None


def test_a_longer_page_has_room_for_fewer_and_says_how_many_more():
    many = [finding("warn", "words " * 30, n) for n in range(30)]
    short, long = page(many), page(many, headline="A long headline " * 40, banner="Demonstration")
    assert 0 < len(long.findings) < len(short.findings) < 30
    assert short.more == f"{30 - len(short.findings)} more on the next page."


def test_what_makes_a_measurement_invalid_is_never_left_out():
    invalid = [finding("invalid", "words " * 30, n) for n in range(30)]
    assert len(page([*invalid, finding("warn", "w", 31)]).findings) == 30
    assert page([*invalid, finding("warn", "w", 31)]).more == "One more on the next page."


def test_long_messages_are_cut():
    (cut,) = page([finding("warn", "words " * 100, 1)]).findings
    assert len(cut.message) <= 230
    assert cut.message.endswith("…")


@pytest.mark.parametrize("wide", ["W", "漢"])
def test_a_name_of_wide_letters_leaves_room_for_fewer_findings(wide):
    many = [finding("warn", "words " * 30, n) for n in range(30)]
    narrow, broad = (page(many, name=each * 70, headline=each * 300) for each in ("i", wide))
    assert len(broad.findings) < len(narrow.findings)
