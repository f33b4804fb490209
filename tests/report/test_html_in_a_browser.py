"""The HTML report in a real Chromium: light and dark, wide and narrow, without a network."""

import contextlib
import io
import socket

import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe

from tco.comparison import SavingMap
from tco.report.document import compose
from tco.report.html import render_html

LEAST_CONTRAST = 4.5
MAP = SavingMap(
    alternative="Together Nemotron",
    along="utilisation",
    along_values=(0.2, 0.6, 1.0),
    along_stated=0.6,
    api_price_changes_per_year=(-0.3, 0.0),
    api_price_change_stated=0.0,
    levelised_saving=((-2.5, -0.1, 0.2), (-1.0, 0.41, 0.7)),
)
# Every text with its colour over the colours behind it, as WCAG 2 works out the ratio.
CONTRASTS = """() => {
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const painted = layers => {
    pixel.clearRect(0, 0, 1, 1);
    for (const layer of layers) { pixel.fillStyle = layer; pixel.fillRect(0, 0, 1, 1); }
    return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walker.nextNode();) {
    const words = node.data.trim(), holder = node.parentElement;
    if (!words || !holder.getClientRects().length) continue;
    const behind = [];
    for (let each = holder; each; each = each.parentElement)
      behind.unshift(getComputedStyle(each).backgroundColor);
    const style = getComputedStyle(holder);
    const front = holder.closest("svg") ? style.fill : style.color;
    const [one, other] = [luminance(painted(behind)), luminance(painted([...behind, front]))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found.push([ratio, words]);
  }
  return found;
}"""


def requests_to(server):
    """Return what was asked; a connection that says nothing asks nothing."""
    found = []
    with contextlib.suppress(TimeoutError):
        while True:
            connection, _ = server.accept()
            connection.settimeout(1)
            with connection, contextlib.suppress(TimeoutError):
                found += [line] if (line := connection.recv(1000).partition(b"\r")[0]) else []
    return found


@pytest.fixture(scope="module")
def html(make_comparison, demonstration, scenario, searched):
    shown = make_comparison(findings=demonstration.findings, saving_map=MAP)
    return render_html(compose(shown, scenario, searched), "screen")


@pytest.fixture(scope="module")
def address(tmp_path_factory, html):
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(html, encoding="utf-8")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_what_is_behind_it(page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    found = page.evaluate(CONTRASTS)
    assert len(found) > 500
    assert {words.replace("\u00a0", " ") for _, words in found} >= {"41.0 %", "\u2212250.0 %"}
    assert [each for each in found if each[0] < LEAST_CONTRAST] == []


def test_it_asks_nobody_for_anything_and_its_console_stays_empty(page, address):
    page.goto(address)
    page.wait_for_load_state("networkidle")
    assert {asked.partition(":")[0] for asked in page.asked} <= {"file", "data"}
    assert page.said == []


@pytest.mark.parametrize("is_guarded", [True, False])
def test_its_policy_keeps_even_smuggled_markup_from_a_listening_server(
    page, html, tmp_path, is_guarded
):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(1)
        web = f"http://127.0.0.1:{server.getsockname()[1]}/"
        lure = (
            f"<style>@import '{web}c'; body {{ background: url({web}b) }}</style>"
            f"<img src='{web}i'><iframe src='{web}f'></iframe><link rel=stylesheet href='{web}l'>"
            f"<script>fetch('{web}j')</script><object data='{web}o'></object>"
        )
        policy = "Content-Security-Policy"
        whole = html.replace("<main", f"{lure}<main", 1)
        file = tmp_path / "report.html"
        file.write_text(whole if is_guarded else whole.replace(policy, "none"), "utf-8")
        page.goto(file.as_uri(), wait_until="load" if is_guarded else "commit")
        assert (requests_to(server) == []) is is_guarded


def test_the_keyboard_reaches_the_answer_and_every_wide_table(page, address):
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the answer"
    tables = page.locator(".scroll").count()
    focusable = page.locator(".scroll[tabindex='0'][role='region'][aria-label]").count()
    assert 0 < tables == focusable


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_has_the_focus_is_framed(page, address, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    kinds = set()
    for _ in range(page.locator("a, [tabindex]").count()):
        page.keyboard.press("Tab")
        kind, frame = page.evaluate(
            "[document.activeElement.className || 'a', "
            "getComputedStyle(document.activeElement).outlineStyle]"
        )
        kinds.add(kind)
        assert frame in {"solid", "auto"}, kind
    assert kinds >= {"skip", "a", "scroll", "drawing"}


def test_printed_from_a_dark_screen_it_is_dark_on_white_and_the_map_keeps_its_shades(page, address):
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    printed = pypdfium2.PdfDocument(io.BytesIO(page.pdf(format="Letter")))
    of_map = next(
        each for each in printed if "over two inputs" in each.get_textpage().get_text_bounded()
    )
    pixels = of_map.render(scale=2).to_pil().convert("RGB")
    colours = sorted((count, colour) for count, colour in pixels.getcolors(1 << 24))
    assert min(colours[-1][1]) > 250
    bluish = sum(count for count, (red, _, blue) in colours if blue - red > 30)
    assert bluish > 2_000
