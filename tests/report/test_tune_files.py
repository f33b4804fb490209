"""The report of a tuning, read by other people's readers."""

import io
import re
import socket

import pypdf
import pytest
from axe_playwright_python.sync_playwright import Axe
from markdown_it import MarkdownIt

from tco.report.pdf import render_pdf
from tco.report.tune_document import change_words, compose_tuning
from tco.report.tune_files import render_tuning, tuning_html
from tco.report.tune_markdown import tuning_markdown
from tests.report.tune_samples import MIXED, NASTY, NUMERIC, squeezed, step, tuning


def test_every_format_carries_every_cell(tmp_path):
    given = tuning(*MIXED, is_complete=False, findings=(NUMERIC,))
    pdf, html, markdown = render_tuning(given, tmp_path, engine="vllm 0.32.0")
    document = compose_tuning(given, engine="vllm 0.32.0")
    tables = (document.ladder, document.reasons, document.provenance)
    cells = [cell.text for table in tables for row in table.rows for cell in row.cells]
    pages = "".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages)
    texts = (
        pages,
        re.sub(r"<[^>]*>", "", html.read_text("utf-8")).replace("&#39;", "'"),
        markdown.read_text("utf-8").replace("\\", "").replace("\u200b", ""),
    )
    for text in texts:
        for said in (document.headline, document.banner, NUMERIC.message, document.serve, *cells):
            assert squeezed(said) in squeezed(text)


def test_the_gain_of_several_steps_is_their_product_and_has_no_interval():
    several = compose_tuning(tuning(*MIXED))
    assert "2 steps of 4 measured were kept: +37.5" in several.headline
    assert "interval" not in several.headline
    assert "+22.5" in compose_tuning(tuning(MIXED[0])).headline


@pytest.mark.parametrize(
    "steps", [(), (step(1),), tuple(step(n, name=f"{n} {'long ' * 12}") for n in range(1, 31))]
)
def test_none_kept_says_so_and_any_number_of_steps_is_drawn(steps):
    document = compose_tuning(tuning(*steps))
    assert "kept: the settings stay" in document.headline
    drawn = [bar for chart in document.charts for bar in chart.bars if bar.decision is not None]
    assert len(drawn) == len(steps)
    assert all(chart.bars[0].decision is None for chart in document.charts)


def test_the_pdf_is_tagged_and_its_charts_have_words_and_no_page_is_empty(tmp_path):
    given = tuning(*(step(n, "kept" if n == 2 else "reverted") for n in range(1, 31)))
    reader = pypdf.PdfReader(render_tuning(given, tmp_path)[0])
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert all(len(page.extract_text()) > 100 for page in reader.pages)
    nodes = list(_nodes(reader.trailer["/Root"]["/StructTreeRoot"]))
    alternates = [str(node["/Alt"]) for node in nodes if node.get("/S") == "/Figure"]
    assert alternates == [chart.description for chart in compose_tuning(given).charts]
    assert sum(node.get("/S") == "/Table" for node in nodes) >= 3  # one more a page break
    assert len({chart.most for chart in compose_tuning(given).charts}) == 1


def _nodes(node):
    node = node.get_object()
    if isinstance(node, list):
        for each in node:
            yield from _nodes(each)
    elif isinstance(node, dict):
        yield node
        if "/K" in node:
            yield from _nodes(node["/K"])


def test_any_name_is_text():
    document = compose_tuning(tuning(step(1, "kept", ratio=1.2, name=NASTY, why=NASTY)))
    page = tuning_html(document, "screen")
    assert not re.search(r"<(script|link|iframe|object)\b", page)
    tokens = MarkdownIt("commonmark").enable(["table"]).parse(tuning_markdown(document))
    inline = {child.type for token in tokens for child in token.children or ()}
    assert inline <= {"text", "strong_open", "strong_close", "softbreak"}
    assert not any(token.type == "html_block" for token in tokens)


def test_a_pdf_of_any_name_reads_no_file_and_opens_no_connection(tmp_path):
    canary = tmp_path / "canary.svg"
    canary.write_text("<svg xmlns='http://www.w3.org/2000/svg'><text>CANARY</text></svg>")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        web = f"http://127.0.0.1:{server.getsockname()[1]}/x.svg"
        lure = f"<img src='{web}'><img src='{canary.as_uri()}'><style>@import '{web}';</style>"
        document = compose_tuning(tuning(step(1, "kept", ratio=1.2, name=lure, why=lure)))
        pdf = render_pdf(tuning_html(document, "paper"))
        text = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages)
        assert "CANARY" not in text
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_secret_of_a_step_is_not_printed():
    said = change_words(step(1, args={}, env={"HF_TOKEN": "hf_abc", "OMP_NUM_THREADS": "1"}))
    assert said == "HF_TOKEN=*** OMP_NUM_THREADS=1"


def test_what_a_step_takes_out_stands_last_and_json_can_be_read():
    spec = '{"method": "mtp", "num_speculative_tokens": 3, "api_key": "sk-1", "on": [true, null]}'
    env = {"OMP_NUM_THREADS": None, "ODD": "1"}
    args = {"enforce-eager": None, "speculative-config": spec, "tokenizer": "a/b", "fast": True}
    assert change_words(step(1, args=args, env=env)) == (
        "ODD=1 --speculative-config {method: mtp, num_speculative_tokens: 3, api_key: ***, "
        "on: [true, null]} --tokenizer a/b --fast without OMP_NUM_THREADS, --enforce-eager"
    )
    for odd in ("{no json", "[" * 100_000, "", "{}"):
        assert change_words(step(1, args={"x": odd})) == f"--x {odd}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 400])
def test_a_browser_shows_it_whole_and_axe_finds_nothing(page, tmp_path, scheme, width):
    given = tuning(*MIXED, is_complete=False, findings=(NUMERIC,))
    address = render_tuning(given, tmp_path, formats=("html",))[0].as_uri()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    assert [each["id"] for each in Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    result = page.locator("table.ladder td", has_text="not reached")
    other = page.locator("table.ladder td", has_text="skipped")
    assert result.bounding_box()["height"] == pytest.approx(other.bounding_box()["height"], abs=1)


def test_two_renders_are_the_same_bytes(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = (
        [path.read_bytes() for path in render_tuning(tuning(*MIXED), tmp_path / name)]
        for name in ("one", "two")
    )
    assert one == two
