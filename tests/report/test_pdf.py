"""The PDF's structure, by the rules of PDF/UA-1 (ISO 14289-1) that veraPDF checks by machine."""

import io
import itertools
from collections import Counter

import pypdf
import pypdfium2
import pytest
from pypdf.generic import ContentStream

from tco.comparison import SavingMap
from tco.report.document import compose
from tco.report.html import render_html
from tco.report.pdf import render_pdf

PAINTS = {
    b"Tj", b"TJ", b"'", b'"', b"S", b"s", b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*", b"Do",
    b"sh", b"INLINE IMAGE",
}  # fmt: skip
MAP = SavingMap(
    alternative="Together Nemotron",
    along="utilisation",
    along_values=(0.2, 0.6, 1.0),
    along_stated=0.6,
    api_price_changes_per_year=(-0.3, 0.0),
    api_price_change_stated=0.0,
    levelised_saving=((-2.5, -0.1, 0.2), (-1.0, 0.41, 0.7)),
)


@pytest.fixture(scope="module")
def reader(make_comparison, demonstration, scenario, searched):
    shown = make_comparison(findings=demonstration.findings, saving_map=MAP)
    page = render_html(compose(shown, scenario, searched), "paper")
    return pypdf.PdfReader(io.BytesIO(render_pdf(page)))


@pytest.fixture(scope="module")
def elements(reader):
    """Every structure element with its parent, in reading order."""
    return list(walk(reader.trailer["/Root"]["/StructTreeRoot"]["/K"], None))


def walk(node, parent):
    node = node.get_object()
    if isinstance(node, list):
        for each in node:
            yield from walk(each, parent)
    elif isinstance(node, dict) and "/S" in node:
        yield node, parent
        yield from walk(node.get("/K", []), node)


def kids(node, *kinds):
    found = (each.get_object() for each in node["/K"])
    return [each for each in found if isinstance(each, dict) and each.get("/S") in kinds]


def of_kind(elements, kind):
    return [node for node, _ in elements if node["/S"] == kind]


def widths(rows):
    """Return how many columns the rows have, spans counted."""
    taken = Counter()
    for at, row in enumerate(rows):
        for cell in kids(row, "/TH", "/TD"):
            for down in range(int(cell["/A"].get("/RowSpan", 1))):
                taken[at + down] += int(cell["/A"].get("/ColSpan", 1))
    return set(taken.values())


def marks_of(operands, operator):
    """Return what a marked part of a page is: an artifact, tagged by a number, or neither."""
    number = operands[1].get("/MCID") if operator == b"BDC" else None
    return ("artifact", None) if operands[0] == "/Artifact" else ("tagged", number)


def test_all_that_is_painted_is_tagged_or_an_artifact_and_never_both(reader):
    owners = reader.trailer["/Root"]["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    owner_of = dict(zip(owners[::2], owners[1::2], strict=True))
    painted = 0
    for page in reader.pages:
        tags, opened = owner_of[page["/StructParents"]].get_object(), []
        for operands, operator in ContentStream(page.get_contents(), reader).operations:
            if operator in {b"BDC", b"BMC"}:
                kind, number = marks_of(operands, operator)
                opened.append(kind)
                assert set(opened) in ({"tagged"}, {"artifact"})
                assert kind == "artifact" or "/S" in tags[number].get_object()
            elif operator == b"EMC":
                opened.pop()
            elif operator in PAINTS:
                painted += 1
                assert opened
        assert opened == []
    assert painted > 1000


def test_the_document_names_its_language_title_standard_and_tab_order(reader):
    root = reader.trailer["/Root"]
    assert (root["/Lang"], root["/MarkInfo"]["/Marked"]) == ("en", True)
    assert "/Suspects" not in root["/MarkInfo"]
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert reader.metadata.title == "Cost comparison: Nemotron on a DGX Station"
    assert reader.metadata.author == "tco 0.1.0"
    facts = root["/Metadata"].get_data().decode()
    assert 'pdfuaid:part="1"' in facts
    assert f"{reader.metadata.title}</rdf:li></rdf:Alt></dc:title>" in facts
    assert {page["/Tabs"] for page in reader.pages} == {"/S"}


def test_headings_begin_at_the_first_level_and_leap_over_none(elements):
    levels = [int(node["/S"][2:]) for node, _ in elements if node["/S"][:2] == "/H"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in itertools.pairwise(levels))


def test_every_figure_has_words_and_the_place_where_it_is(elements, reader):
    figures = of_kind(elements, "/Figure")
    assert len(figures) > 3
    margin_pt, width_pt, height_pt = 50, *map(float, reader.pages[0].mediabox[2:])
    for figure in figures:
        assert str(figure["/Alt"]).strip()
        left, low, right, high = map(float, figure["/A"]["/BBox"])
        assert right - left == pytest.approx(width_pt - 2 * left, abs=0.5)
        assert left > margin_pt
        assert margin_pt < low < high < height_pt - margin_pt


def test_tables_are_regular_and_every_head_says_of_which_cells(elements):
    tables = of_kind(elements, "/Table")
    assert len(tables) > 10
    told = 0
    for table in tables:
        groups = kids(table, "/THead", "/TBody")
        assert len(widths([row for group in groups for row in kids(group, "/TR")])) == 1
        for group in groups:
            scope = "/Column" if group["/S"] == "/THead" else "/Row"
            heads = [head for row in kids(group, "/TR") for head in kids(row, "/TH")]
            assert {head["/A"]["/Scope"] for head in heads} <= {scope}
            told += len(heads)
    assert told == len(of_kind(elements, "/TH")) > 100


def test_every_link_is_in_the_reading_order_and_says_where_it_goes(reader, elements):
    links = [each.get_object() for page in reader.pages for each in page.get("/Annots", [])]
    assert {each["/A"]["/URI"] for each in links} == {"https://example.com/offer?a=1&b=2"}
    assert all(each["/Contents"] for each in links)
    inside = [
        kid.get_object()
        for link in of_kind(elements, "/Link")
        for node, _ in walk(link, None)
        for kid in node["/K"]
    ]
    told = [kid["/Obj"] for kid in inside if isinstance(kid, dict) and "/Obj" in kid]
    assert sorted(each["/Rect"] for each in told) == sorted(each["/Rect"] for each in links)


def test_every_font_is_inside_and_every_letter_has_a_glyph_and_a_meaning(reader):
    fonts = [font for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    assert fonts
    for font in (each.get_object() for each in fonts):
        descriptor = font["/DescendantFonts"][0].get_object()["/FontDescriptor"]
        assert {"/FontFile2", "/FontFile3"} & set(descriptor.get_object())
        assert "/ToUnicode" in font
        assert font["/Encoding"] == "/Identity-H"


def test_a_character_that_no_font_has_is_said_at_the_foot_of_every_page(
    make_comparison, scenario, measurement
):
    document = compose(make_comparison(), scenario, measurement)
    page = render_html(document, "paper")
    for strange, times in (("", 0), ("\U0010fffd", 1)):
        pdf = render_pdf(page.replace("Nemotron ", f"Nemotron{strange}{strange} "))
        for each in pypdfium2.PdfDocument(pdf):
            text = " ".join(each.get_textpage().get_text_bounded().split())
            assert text.count("boxes stand for letters that no font had: 1 ") == times
