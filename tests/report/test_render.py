"""The files, read by other people's readers."""

import json
import re
import socket
from pathlib import Path

import jinja2
import pypdf
import pypdfium2
import pytest

from tco.errors import InputError
from tco.finding import Finding
from tco.report.document import DEMONSTRATION, compose, headline
from tco.report.html import render_html
from tco.report.pdf import may_fetch, render_pdf
from tco.report.render import claim_folder, parse_formats, render
from tco.resources import data_dir

TEMPLATES = sorted((data_dir("templates") / "report").glob("*.j2"))
DEMO = Finding(
    kind="method_demonstration", severity="warn", path="engine", message="dummy", advice="none"
)


def words(text):
    return re.sub(r"\s+", " ", text.replace("\u00ad", "").replace("−", "-"))


def squeezed(text):
    return re.sub(r"\s", "", words(text))


@pytest.fixture
def files(tmp_path, make_comparison, scenario, measurement):
    comparison = make_comparison(findings=(DEMO,))
    return comparison, render(
        comparison, scenario, measurement, formats=("pdf", "html", "json"), out_dir=tmp_path
    )


def test_the_first_page_has_the_headline_of_the_json(files):
    comparison, (pdf, html, as_json) = files
    page = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_range()
    assert squeezed(headline(comparison)) in squeezed(page)
    assert words(headline(comparison)) in words(html.read_text("utf-8"))
    tree = json.loads(as_json.read_text("utf-8"))
    assert f"{tree['alternatives'][0]['saving'] * 100:.1f}%" in squeezed(page)
    assert f"${tree['self_host']['usd_per_year']:,.0f}" in page


def test_pdf_and_html_hold_the_same_numbers(comparison, scenario, measurement):
    document = compose(comparison, scenario, measurement)
    pdf = pypdf.PdfReader(_as_file(render_pdf(render_html(document, "paper"))))
    text = squeezed("".join(page.extract_text() for page in pdf.pages))
    page = squeezed(render_html(document, "screen"))
    for figure in document.key_figures:
        assert squeezed(figure.value) in text
        assert squeezed(figure.value) in page


def test_every_page_of_a_demonstration_says_so(files):
    _, (pdf, *_) = files
    for page in pypdf.PdfReader(pdf).pages:
        assert squeezed(DEMONSTRATION) in squeezed(page.extract_text())


def test_a_business_case_has_no_such_banner(comparison, scenario, measurement):
    assert compose(comparison, scenario, measurement).banner is None


def test_the_pdf_is_tagged_titled_and_has_its_fonts(files):
    _, (pdf, *_) = files
    reader = pypdf.PdfReader(pdf)
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader.metadata.title == "Cost comparison: Nemotron on a DGX Station"
    assert reader.metadata.author == "tco 0.1.0"
    assert b"pdfuaid" in root["/Metadata"].get_data()
    assert len(reader.outline[1]) > 3
    fonts = [font for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    assert fonts
    for font in fonts:
        descriptor = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        assert {"/FontFile2", "/FontFile3"} & set(descriptor.get_object())


def test_charts_have_their_words_in_the_structure_tree(files):
    _, (pdf, *_) = files
    root = pypdf.PdfReader(pdf).trailer["/Root"]["/StructTreeRoot"]
    alternatives = [str(node["/Alt"]) for node in _nodes(root) if "/Alt" in node]
    assert any("own cost per million output tokens" in words for words in alternatives)
    assert any(node.get("/S") == "/TH" for node in _nodes(root))


def test_two_renders_are_the_same_bytes(tmp_path, comparison, scenario, measurement):
    first, second = (
        render(comparison, scenario, measurement, formats=("pdf", "html"), out_dir=tmp_path / each)
        for each in ("a", "b")
    )
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_the_html_refers_to_nothing_outside(files):
    _, (_, html, _) = files
    page = html.read_text("utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|link|iframe|object)\b", page)
    for address in re.findall(r"""(?:src|href)=["']([^"']*)|url\(([^)]*)\)""", page):
        assert re.match(r"data:|#|https://example\.com/offer", "".join(address))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_an_invalid_finding_is_first_and_on_every_page(make_comparison, scenario, measurement):
    bad = Finding(
        kind="not_steady", severity="invalid", path="points.0", message="Not steady", advice="Rerun"
    )
    document = compose(make_comparison(findings=(DEMO, bad)), scenario, measurement)
    assert document.findings[0].message == "Not steady."
    assert "must not be used" in document.banner


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
    from tco.report.html import _environment

    with pytest.raises(jinja2.UndefinedError):
        _environment().from_string("{{ nothing_of_that_name }}").render()


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
    pdf = render_pdf(render_html(document, "paper"))
    assert len(pypdfium2.PdfDocument(pdf)) < 16
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
        page = render_html(document, "paper")
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
    with pytest.raises(InputError, match=r"'docx'.*pdf, html, json"):
        parse_formats("pdf,docx")


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


def test_no_half_written_file_is_left(tmp_path, comparison, scenario, measurement):
    render(comparison, scenario, measurement, formats=("json",), out_dir=tmp_path)
    assert [path.name for path in Path(tmp_path).iterdir()] == ["comparison.json"]


def _as_file(content):
    import io

    return io.BytesIO(content)


def _nodes(node):
    node = node.get_object()
    yield node
    kids = node.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        if isinstance(found := kid.get_object(), dict):
            yield from _nodes(found)
