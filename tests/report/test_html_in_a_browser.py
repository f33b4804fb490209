"""The HTML report in a real Chromium: light and dark, wide and narrow, without a network."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tco.report.document import compose
from tco.report.html import render_html


@pytest.fixture(scope="module")
def address(tmp_path_factory, demonstration, scenario, searched):
    file = tmp_path_factory.mktemp("page") / "report.html"
    page = render_html(compose(demonstration, scenario, searched), "screen")
    file.write_text(page, encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_that_hinders_a_reader(page, address, scheme, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    found = Axe().run(page).response
    assert [each["id"] for each in found["violations"]] == []
    assert len(found["passes"]) > 10
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_asks_nobody_for_anything_and_its_console_stays_empty(page, address):
    page.goto(address)
    page.wait_for_load_state("networkidle")
    assert {asked.partition(":")[0] for asked in page.asked} <= {"file", "data"}
    assert page.said == []


def test_the_keyboard_reaches_the_answer_and_every_wide_table(page, address):
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the answer"
    tables = page.locator(".scroll").count()
    focusable = page.locator(".scroll[tabindex='0'][role='region'][aria-label]").count()
    assert 0 < tables == focusable
