"""The page in a real Chromium: it says what `tco compare` says, and takes it elsewhere."""

import re
import subprocess
import sys
from io import BytesIO

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from pypdf import PdfReader

from tco import answer, load_case
from tco.report.document import compose

# How long an answer takes says nothing about the code on a shared machine.
expect.set_options(timeout=20_000)
pytestmark = pytest.mark.slow
UTILISATION = "traffic.target_utilisation"


def headline_of(scenario, *sets):
    case = load_case(scenario, sets=sets)
    return compose(answer(case), case.loaded.scenario, case.measurement).headline


def compared(path, *arguments):
    argv = [sys.executable, "-m", "tco", "compare", str(path), "--json", *arguments]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout


def field(page, key):
    return page.locator(f'[name="{key}"]')


def slider(page, key):
    return page.locator(f'[data-key="{key}"] [type=range]')


def test_a_field_moves_the_headline_to_what_compare_says(page, address, scenario):
    page.goto(address)
    expect(page.locator("#headline")).to_have_text(headline_of(scenario))
    field(page, UTILISATION).fill("0.35")
    expect(page.locator("#headline")).to_have_text(headline_of(scenario, f"{UTILISATION}=0.35"))
    expect(page.locator("#changed code")).to_contain_text(f"--set {UTILISATION}=0.35")
    assert page.url == f"{address}?{UTILISATION}=0.35"


def test_a_slider_follows_the_keyboard_and_keeps_the_focus(page, address, scenario):
    page.goto(address)
    slider(page, UTILISATION).focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    now = field(page, UTILISATION).input_value()
    assert float(now) < 1
    expect(page.locator("#headline")).to_have_text(headline_of(scenario, f"{UTILISATION}={now}"))
    focused = page.evaluate("document.activeElement.closest('.input').dataset.key")
    assert focused == UTILISATION


def test_how_sure_follows_where_the_draws_take_long(page, serve, scenario):
    sets = (
        "traffic.target_utilisation=null",
        "traffic.demand={requests_per_day: {value: 9e5, low: 4e5, high: 1.5e6}, spares: 1}",
        "hardware.purchase.life_years={value: 3, low: 2, high: 5}",
        "power.usd_per_kwh={value: 0.15, low: 0.1, high: 0.2}",
    )
    with serve(scenario, *(part for each in sets for part in ("--set", each))) as (_, at):
        page.goto(at)
        for price in ("90000", "91000", "92000"):
            field(page, "hardware.purchase.price_usd").fill(price)
        expected = headline_of(scenario, *sets, "hardware.purchase.price_usd=92000")
        expect(page.locator("#headline")).to_have_text(expected)
        assert "interval" in expected


def test_a_bad_value_leaves_the_last_answer_marked_and_says_what_is_wrong(page, address, scenario):
    page.goto(address)
    page.locator("summary", has_text="Electricity").click()
    field(page, "power.pue").fill("0.5")
    wrong = page.locator('[data-key="power.pue"] .wrong')
    expect(wrong).to_contain_text("must be 1 or more, got 0.5")
    expect(page.locator("main")).to_have_class(re.compile("stale"))
    expect(page.locator("#headline")).to_have_text(headline_of(scenario))
    assert page.url == address
    field(page, "power.pue").fill("1.2")
    expect(wrong).to_have_text("")
    expect(page.locator("main")).not_to_have_class(re.compile("stale"))
    expect(page.locator("#headline")).to_have_text(headline_of(scenario, "power.pue=1.2"))


def test_each_change_is_listed_and_reset_alone_or_with_all(page, address, scenario):
    page.goto(f"{address}?{UTILISATION}=0.35&power.pue=1.2")
    expect(page.locator("#changed li")).to_have_count(2)
    expect(field(page, UTILISATION)).to_have_value("0.35")
    page.get_by_role("button", name="Reset PUE").click()
    expect(page.locator("#changed li")).to_have_count(1)
    expect(field(page, "power.pue")).to_have_value("1.54")
    page.get_by_role("button", name="Reset all").click()
    expect(page.locator("#headline")).to_have_text(headline_of(scenario))
    assert page.url == address


def test_the_downloaded_scenario_compares_to_the_same_figures(page, address, scenario, tmp_path):
    sets = (f"{UTILISATION}=0.35", "alternatives.0.usd_per_million.output=0.4", "power.pue=1.2")
    page.goto(f"{address}?{'&'.join(sets)}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download scenario").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "my-what-if.yaml"
    assert "# over which you write it off" in path.read_text(encoding="utf-8")
    stated = [part for each in sets for part in ("--set", each)]
    assert compared(path) == compared(scenario, *stated)


def test_the_pdf_has_the_changed_headline(page, browser, address, scenario):
    page.goto(f"{address}?{UTILISATION}=0.35")
    with browser.expect_page() as opened:
        page.get_by_role("link", name="PDF").click()
    content = httpx.get(opened.value.url, timeout=30).content
    opened.value.close()
    text = PdfReader(BytesIO(content)).pages[0].extract_text()
    headline = headline_of(scenario, f"{UTILISATION}=0.35")
    assert " ".join(headline.split()) in " ".join(text.split())


def test_nothing_leaves_this_machine_and_the_console_is_silent(page, address):
    page.goto(address)
    field(page, UTILISATION).fill("0.5")
    expect(page.locator("#changed li")).to_have_count(1)
    assert page.said == []
    assert all(url.startswith(address) for url in page.asked)
    assert page.evaluate("document.fonts.check('12px Inter')")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_axe_finds_nothing_that_hinders_a_reader(page, address, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}?{UTILISATION}=0.35")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = Axe().run(page).response
    assert [each["id"] for each in found["violations"]] == []
    assert len(found["passes"]) > 10
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_pdf_carries_the_brand(serve, scenario, tmp_path):
    brand = tmp_path / "brand.yaml"
    brand.write_text("schema: tco.brand/1\nname: Example Works\nfooter: Internal\n", "utf-8")
    with serve(scenario, "--brand", brand) as (_, at):
        content = httpx.get(f"{at}report.pdf", timeout=30).content
    text = PdfReader(BytesIO(content)).pages[0].extract_text()
    assert "Example Works" in text
    assert "Internal" in text
