"""The files, read by other people's readers."""

import dataclasses
import io
import json
import re
import socket
import time
from pathlib import Path

import jinja2
import pypdf
import pypdfium2
import pytest

from tco.errors import InputError
from tco.finding import Finding
from tco.report.brand import Brand
from tco.report.document import DEMONSTRATION, compose, headline
from tco.report.html import render_html
from tco.report.pdf import may_fetch, render_pdf
from tco.report.render import check_folder, claim_folder, parse_formats, render
from tco.resources import data_dir

DEMO = Finding(
    kind="method_demonstration", severity="warn", path="engine", message="dummy", advice="none"
)
TEMPLATES = sorted(data_dir("templates").glob("*/*.j2"))


def words(text):
    return re.sub(r"\s+", " ", text.replace("\u00ad", "").replace("−", "-"))


def squeezed(text):
    return re.sub(r"\s", "", words(text))


@pytest.fixture(scope="session")
def document(comparison, scenario, measurement):
    return compose(comparison, scenario, measurement)


def brief(document):
    """Return the document with fewer tables, so that a test of what is left takes less time."""
    inputs = dataclasses.replace(document.inputs, rows=document.inputs.rows[:5])
    left_out = dict.fromkeys(("utilisation", "cash", "provenance", "load_tables"), ())
    return dataclasses.replace(document, inputs=inputs, **left_out)


def test_the_first_page_has_the_headline_of_the_json(files, demonstration):
    comparison, (pdf, html, as_json) = demonstration, files
    page = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
    assert squeezed(headline(comparison)) in squeezed(page)
    assert words(headline(comparison)) in words(html.read_text("utf-8"))
    tree = json.loads(as_json.read_text("utf-8"))
    assert f"{tree['alternatives'][0]['saving'] * 100:.1f}%" in squeezed(page)
    assert f"${tree['self_host']['usd_per_year']:,.0f}" in page
    assert f"${tree['alternatives'][0]['npv_usd']:,.0f}" in page


def test_pdf_and_html_hold_the_same_numbers(files, demonstration, scenario, measurement):
    document = compose(demonstration, scenario, measurement)
    pdf, html, _ = files
    text = squeezed("".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages))
    page = squeezed(re.sub(r"<[^>]*>", "", html.read_text("utf-8")))
    tables = (document.own, document.parts, document.prices, *document.against, *document.cash)
    cells = [cell.text for table in tables for row in table.rows for cell in row.cells]
    for figure in (*(each.value for each in document.key_figures), *cells):
        assert squeezed(figure) in text
        assert squeezed(figure) in page


@pytest.fixture(scope="session")
def searched_files(tmp_path_factory, make_comparison, scenario, searched):
    folder = tmp_path_factory.mktemp("searched")
    return render(make_comparison(), scenario, searched, formats=("pdf", "html"), out_dir=folder)


def test_both_outputs_carry_every_figure_of_the_loads(
    searched_files, make_comparison, scenario, searched
):
    pdf, html = searched_files
    document = compose(make_comparison(), scenario, searched)
    text = squeezed("".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages))
    page = squeezed(re.sub(r"<[^>]*>", "", html.read_text("utf-8"))).replace("&#39;", "'")
    tables = (*document.load_tables, *document.provenance)
    cells = [cell.text for table in tables for row in table.rows for cell in row.cells]
    assert len(cells) > 300
    for figure in (*document.load_words, *cells):
        assert squeezed(figure) in text
        assert squeezed(figure) in page


def test_the_chart_of_the_loads_stands_in_both_with_its_words(
    searched_files, make_comparison, scenario, searched
):
    pdf, html = searched_files
    words = compose(make_comparison(), scenario, searched).loads.description
    root = pypdf.PdfReader(pdf).trailer["/Root"]["/StructTreeRoot"]
    assert any(str(node.get("/Alt", "")) == words for node in _nodes(root))
    assert f'role="img" aria-label="{words}"' in html.read_text("utf-8")


def test_one_load_has_words_in_place_of_a_chart(files, demonstration, scenario, measurement):
    document = compose(demonstration, scenario, measurement)
    assert document.loads is None
    assert document.load_words[-1].startswith("One load was held, 256 streams")
    assert "Latency against throughput" not in files[1].read_text("utf-8")


@pytest.mark.parametrize("origin", ["measured", "imported", "published"])
def test_the_origin_of_the_rate_stands_beside_what_rests_on_it(
    origin, make_comparison, scenario, measurement
):
    capacity = make_comparison().capacity.model_copy(update={"origin": origin})
    document = compose(make_comparison(capacity=capacity), scenario, measurement)
    said = f"on {'an' if origin == 'imported' else 'a'} {origin} rate"
    captions = (
        document.own.caption,
        document.parts.caption,
        *(table.caption for table in (*document.against, *document.utilisation, *document.cash)),
        document.curve_caption,
        document.bars_caption,
    )
    assert all(caption.endswith(said) for caption in captions)
    assert said in document.years
    assert (said in document.headline) is (origin != "measured")


def test_names_from_a_result_file_act_in_neither_output(make_comparison, scenario, searched):
    name = "</table><script>alert(1)</script>\u202e$x$" + "y" * 500
    source = {
        "tool": name,
        "tool_version": name,
        "file_name": name,
        "file_sha256": "0" * 64,
        "lacks": (name,),
    }
    power = {
        "meter": "wall", "covers": "wall", "accelerators": None, "idle_w": 1.0, "load_w": 2.0,
        "source": name,
    }  # fmt: skip
    tree = searched.model_dump(mode="json", by_alias=True) | {
        "origin": "imported",
        "imported": source,
    }
    tree["points"][8] |= {"engine_start_id": name, "power": power}
    whole = compose(make_comparison(), scenario, type(searched).model_validate(tree))
    document = dataclasses.replace(
        brief(whole), provenance=whole.provenance, load_tables=whole.load_tables
    )
    page = render_html(document, "screen")
    assert "<script" not in page
    assert "\u202e" not in page
    assert len(pypdfium2.PdfDocument(render_pdf(render_html(document, "paper")))) < 16


def test_every_page_of_a_demonstration_says_so(files):
    pdf = files[0]
    for page in pypdf.PdfReader(pdf).pages:
        assert squeezed(DEMONSTRATION) in squeezed(page.extract_text())


def test_a_demonstration_says_why_before_anything_else(files, demonstration, scenario, measurement):
    page = squeezed(pypdf.PdfReader(files[0]).pages[0].extract_text())
    banner = compose(demonstration, scenario, measurement).banner
    assert banner == f"{DEMONSTRATION}: the measured model has dummy weights"
    assert page.index(squeezed(banner)) < page.index(squeezed("own hardware saves"))
    assert headline(demonstration).startswith("Method demonstration: own hardware saves")


def test_the_first_page_stands_alone_and_no_page_is_nearly_empty(files):
    first, second, *rest = (page.extract_text() for page in pypdf.PdfReader(files[0]).pages)
    assert "What to know before using it" in first
    assert "Cost of the fleet" not in first
    assert "Cost of the fleet" in second
    assert all(len(page) > 500 for page in rest)


def test_the_first_page_has_what_fits_and_the_second_every_finding(
    make_comparison, scenario, measurement
):
    many = tuple(
        Finding(kind=f"k{n}", severity="warn", path="p", message=f"m{n} " * 40, advice="a")
        for n in range(14)
    )
    document = compose(make_comparison(findings=many), scenario, measurement)
    pages = pypdf.PdfReader(io.BytesIO(render_pdf(render_html(brief(document), "paper")))).pages
    first, second = (page.extract_text() for page in pages[:2])
    shown = len(document.first.findings)
    assert 2 < shown < 14
    assert f"{14 - shown} more on the next page." in first
    assert "Cost of the fleet" not in first
    assert second.strip().startswith("Findings")
    assert "m13" in second


def test_long_names_and_many_alternatives_leave_page_one_one_page(
    make_comparison, make_rival, make_scenario, measurement
):
    name = "A very long name of a provider and of its model " * 4
    wide = {"saving_usd_per_year": -123_456_789_012.0, "npv_usd": -9_876_543_210_123.0}
    rivals = tuple(make_rival(name=f"{n} {name}", **wide) for n in range(8))
    euro = {"code": "EUR", "usd_per_unit": 1.25, "source": "a bank", "date": "2026-12-01"}
    many = tuple(
        Finding(kind=f"k{n}", severity="warn", path="p", message=name, advice="a") for n in range(9)
    )
    comparison = make_comparison(name=name, alternatives=rivals, findings=(*many, DEMO))
    document = compose(comparison, make_scenario(name=name, currency=euro), measurement)
    pages = pypdf.PdfReader(io.BytesIO(render_pdf(render_html(brief(document), "paper")))).pages
    assert "Not included" in pages[0].extract_text()
    assert "more on the next page." in pages[0].extract_text()
    assert pages[1].extract_text().replace(document.running_banner, "").strip().startswith("Findi")


def test_letter_prints_all_of_a_page_to_its_top_its_middle_or_its_foot(
    document, make_comparison, make_scenario, measurement
):
    point_mm, letter_mm, unprinted_mm = 25.4 / 72, 279.4, 4.2
    name = "A name of two lines, as the foot of every page has it with a brand's"
    brand = Brand("Example", None, None, None, "Confidential, of Example " * 3)
    long_name = compose(make_comparison(name=name, findings=(DEMO,)), make_scenario(), measurement)
    for each in (brief(document), brief(long_name)):
        pdf = pypdfium2.PdfDocument(render_pdf(render_html(each, "paper", brand)))
        for page in pdf:
            width, height = page.get_size()
            assert (round(width * point_mm), round(height * point_mm)) == (210, 297)
            text = page.get_textpage()
            for place in range(text.count_rects()):
                left, bottom, right, top = (edge * point_mm for edge in text.get_rect(place))
                assert bottom > 297 - letter_mm + unprinted_mm
                assert top < letter_mm - unprinted_mm
                assert left > 17
                assert right < 193


def test_the_same_finding_about_several_alternatives_is_one(
    make_comparison, make_rival, scenario, measurement
):
    said = [
        Finding(kind="old", severity="warn", path="p", message=f"{name} is {age}", advice="check")
        for name, age in (("one api", "old"), ("two api", "old"), ("one", "young"))
    ]
    rivals = tuple(make_rival(name=name) for name in ("one", "one api", "two api"))
    document = compose(
        make_comparison(findings=tuple(said), alternatives=rivals), scenario, measurement
    )
    assert [each.message for each in document.findings] == [
        "one api is old. The same holds for two api.",
        "one is young.",
    ]


def test_a_second_currency_stands_beside_the_main_figures(comparison, make_scenario, measurement):
    euro = {"code": "EUR", "usd_per_unit": 1.25, "source": "a bank", "date": "2026-12-01"}
    document = compose(comparison, make_scenario(currency=euro), measurement)
    assert document.key_figures[1].also == "EUR\u00a038,826"
    assert document.rate.startswith("1 EUR = 1.25 USD (a bank, 2026-12-01)")
    own, rival = ([cell.text for cell in row.cells] for row in document.exchange.rows)
    assert own[1:3] == ["0.227", "28,733"]
    assert rival[1:] == ["0.400", "89,600", "38,826", "\u221277,597", "97,165"]
    assert compose(comparison, make_scenario(), measurement).exchange is None


def test_every_file_shows_both_currencies_with_the_rate_its_source_and_its_day(
    comparison, make_scenario, measurement, tmp_path
):
    euro = {"code": "EUR", "usd_per_unit": 1.25, "source": "a bank", "date": "2026-12-01"}
    formats = ("pdf", "html", "md")
    pdf, html, markdown = render(
        comparison, make_scenario(currency=euro), measurement, formats=formats, out_dir=tmp_path
    )
    texts = (
        "".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages),
        re.sub(r"<[^>]*>", "", html.read_text("utf-8")),
        markdown.read_text("utf-8"),
    )
    yearly_usd = comparison.alternatives[0].saving_usd_per_year
    for text in map(squeezed, texts):
        assert f"${yearly_usd:,.0f}" in text
        assert f"EUR{yearly_usd / 1.25:,.0f}" in text
        assert "1EUR=1.25USD(abank,2026-12-01);whatisnotmarkedEURisinUSD." in text
        assert squeezed("The main figures in EUR") in text
        assert "28,733" in text


def test_cost_lines_are_shown_by_hour_year_million_and_share(comparison, scenario, measurement):
    parts = compose(comparison, scenario, measurement).parts
    assert [cell.text for cell in parts.rows[0].cells] == [
        "Hardware, capital",
        "$3.900",
        "$34,164",
        "$0.2695",
        "95.1\u00a0%",
    ]
    assert parts.rows[-1].cells[-1].text == "100.0\u00a0%"


def test_without_the_fast_font_library_a_pdf_is_the_same_each_time_and_quiet(
    monkeypatch, capfd, document
):
    from weasyprint.pdf import fonts

    monkeypatch.setattr(fonts, "harfbuzz_subset", None)
    page = render_html(brief(document), "paper")
    assert render_pdf(page) == render_pdf(page)
    assert capfd.readouterr() == ("", "")


def test_a_business_case_has_no_such_banner(comparison, scenario, measurement):
    assert compose(comparison, scenario, measurement).banner is None


def test_charts_have_their_words_in_the_structure_tree(files):
    pdf = files[0]
    root = pypdf.PdfReader(pdf).trailer["/Root"]["/StructTreeRoot"]
    alternatives = [str(node["/Alt"]) for node in _nodes(root) if "/Alt" in node]
    assert any("own cost per million output tokens" in words for words in alternatives)
    assert any(node.get("/S") == "/TH" for node in _nodes(root))


def test_two_renders_are_the_same_bytes(monkeypatch, files, write_files, tmp_path):
    later = time.time() + 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    again = write_files(tmp_path)
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in again]


def test_the_html_refers_to_nothing_outside(files):
    page = files[1].read_text("utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|link|iframe|object)\b", page)
    for address in re.findall(r"""(?:src|href)=["']([^"']*)|url\(([^)]*)\)""", page):
        assert re.match(r"data:|#|https://example\.com/offer", "".join(address))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_an_invalid_finding_is_first_and_on_every_page(
    make_comparison, demonstration, scenario, measurement
):
    bad = Finding(
        kind="not_steady", severity="invalid", path="points.0", message="Not steady", advice="Rerun"
    )
    due = (*demonstration.findings, bad)
    document = compose(make_comparison(findings=due), scenario, measurement)
    assert document.findings[0].message == "Not steady."
    assert "must not be used" in document.banner
    assert "must not be used" in document.running_banner


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_do_no_arithmetic(template):
    source = template.read_text("utf-8")
    tree = jinja2.Environment(autoescape=True).parse(source)
    kinds = (
        jinja2.nodes.Add,
        jinja2.nodes.Sub,
        jinja2.nodes.Mul,
        jinja2.nodes.Div,
        jinja2.nodes.FloorDiv,
        jinja2.nodes.Mod,
        jinja2.nodes.Pow,
    )
    assert not list(tree.find_all(kinds))
    names = {node.name for node in tree.find_all(jinja2.nodes.Filter)}
    assert names <= {"safe"}


def test_a_misspelt_name_in_a_template_is_an_error():
    from tco.report.html import environment

    with pytest.raises(jinja2.UndefinedError):
        environment().from_string("{{ nothing_of_that_name }}").render()


@pytest.mark.parametrize(
    "name",
    [
        "x" * 10_000,
        "<script>alert(1)</script><h1>&amp;",
        "$\\frac{1}{2}$ \\input{/etc/passwd}",
        "bell\x07 escape\x1b nul\x00",
        "\u202eright to left שלום مرحبا",
        "日本語 😀 한국어",
    ],
    ids=["long", "html", "latex", "control", "rtl", "cjk"],
)
def test_any_name_is_shown_and_breaks_nothing(
    name, make_comparison, make_rival, make_scenario, measurement
):
    comparison = make_comparison(name=name, alternatives=(make_rival(name=name),))
    document = compose(comparison, make_scenario(name=name), measurement)
    pdf = render_pdf(render_html(brief(document), "paper"))
    assert len(pypdfium2.PdfDocument(pdf)) < 7
    page = render_html(document, "screen")
    assert "<script" not in page
    assert "\x07" not in page
    assert "\u202e" not in page


def test_nothing_named_in_the_text_is_fetched(
    tmp_path, make_comparison, make_rival, make_scenario, measurement
):
    canary = tmp_path / "canary.svg"
    canary.write_text("<svg xmlns='http://www.w3.org/2000/svg'><text>CANARY</text></svg>")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        web = f"http://127.0.0.1:{server.getsockname()[1]}/x.svg"
        name = f"<img src='{web}'><img src='{canary.as_uri()}'><style>@import '{web}';</style>"
        comparison = make_comparison(name=name, alternatives=(make_rival(name=name),))
        document = compose(comparison, make_scenario(name=name), measurement)
        page = render_html(brief(document), "paper")
        for raw in (page, page.replace("<main", f"{name}<main")):
            text = pypdfium2.PdfDocument(render_pdf(raw))[0].get_textpage().get_text_range()
            assert "CANARY" not in text
        with pytest.raises(TimeoutError):
            server.accept()


def test_only_our_own_files_and_data_may_be_fetched(tmp_path):
    folder = tmp_path / "templates"
    folder.mkdir()
    assert may_fetch((folder / "a.css").as_uri(), folder)
    assert may_fetch("data:text/plain,x", folder)
    for address in (
        "file:///etc/passwd",
        f"{folder.as_uri()}/../secret",
        f"{folder.as_uri()}/%2e%2e/secret",
        f"file://host{folder}/a.css",
        "http://127.0.0.1/",
        "ftp://127.0.0.1/",
    ):
        assert not may_fetch(address, folder)


def test_an_unknown_format_names_those_that_exist():
    with pytest.raises(InputError, match=r"'docx'.*pdf, html, md"):
        parse_formats("pdf,docx")
    with pytest.raises(InputError, match="there is no xlsx of this report"):
        parse_formats("pdf,xlsx", ("pdf", "html"))


def test_an_existing_report_is_kept_unless_forced(tmp_path):
    (tmp_path / "report.pdf").write_text("old")
    with pytest.raises(InputError, match="--force"):
        claim_folder(tmp_path, ("pdf",), force=False)
    claim_folder(tmp_path, ("pdf",), force=True)
    claim_folder(tmp_path, ("html",), force=False)


def test_a_folder_that_cannot_be_written_fails_at_once(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        claim_folder(tmp_path / "file" / "out", ("pdf",), force=False)


def test_looking_whether_a_folder_can_be_written_leaves_nothing_there(tmp_path):
    check_folder(tmp_path / "new" / "out", ("pdf",), force=False)
    assert not list(tmp_path.iterdir())


def test_no_half_written_file_is_left(tmp_path, comparison, scenario, measurement):
    render(comparison, scenario, measurement, formats=("json",), out_dir=tmp_path)
    assert [path.name for path in Path(tmp_path).iterdir()] == ["comparison.json"]


def _nodes(node):
    node = node.get_object()
    yield node
    kids = node.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        if isinstance(found := kid.get_object(), dict):
            yield from _nodes(found)


def test_every_figure_has_its_words_and_every_cell_of_a_table_its_heads(
    searched_files, make_comparison, scenario, searched
):
    root = pypdf.PdfReader(searched_files[0]).trailer["/Root"]
    nodes = list(_nodes(root["/StructTreeRoot"]))
    words = [str(node.get("/Alt", "")) for node in nodes if node.get("/S") == "/Figure"]
    document = compose(make_comparison(), scenario, searched)
    charts = (document.curve, document.bars, document.ranking, document.paid, document.loads)
    assert words == [chart.description for chart in charts]
    heads = {str(node["/ID"]) for node in nodes if node.get("/S") == "/TH"}
    cells = [node for node in nodes if node.get("/S") == "/TD"]
    assert len(cells) > 300
    for cell in cells:
        named = [str(head) for head in cell["/A"]["/Headers"]]
        assert named
        assert set(named) <= heads


def test_the_bookmarks_name_the_sections_in_order(files):
    reader = pypdf.PdfReader(files[0])
    titles = [
        each.title
        for part in reader.outline
        for each in (part if isinstance(part, list) else [part])
    ]
    sections = ["Findings", "Own cost", "Alternatives", "Utilisation", "Cash over the years"]
    assert [title for title in titles if title in sections] == sections
    assert titles[-2:] == ["Method", "Nomenclature"]
