"""Hostile text in every free place of a scenario, through the command line into every format."""

import csv
import io
import json
import re
import socket
import unicodedata
import zipfile
from html.parser import HTMLParser

import openpyxl
import pypdf
import pypdfium2
import pytest
import yaml
from markdown_it import MarkdownIt

from tco.cli import main

MOST_UNITS_OF_A_CELL = 32_767
MOST_LETTERS_OF_A_LITERAL = 255
MOST_LETTERS_OF_A_FORMULA = 8_192
REFERENCE = r"('[\w ]+'|\w+)!\$[A-Z]+\$\d+(:\$[A-Z]+\$\d+)?"
TEXTS = {
    "html": "</title></td><script>alert(1)</script><img src=x onerror=alert(1)>&amp;'\"",
    "latex": "$\\frac{1}{2}$ \\input{/etc/passwd} {{ 7 * 7 }} {% raw %}",
    "control": "bell\x07 red\x1b[31m title\x1b]0;owned\x07 back\x08 end",
    "rtl": "\u202eright to left\u2066 שלום مرحبا",
    "long": "W" * 10_000,
    "many words": "seven words that go on and on " * 1_300,
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈" * 2_000,
    "cjk": "日本語の名前、한국어 이름" * 40,
    "formula": '=HYPERLINK("http://127.0.0.1/","x")',
    "plus": "+cmd|' /C calc'!A0",
    "minus": "-2+3",
    "at": "@SUM(1)",
    "markdown": "a | b `c` ``` ![i](http://127.0.0.1/x) [l](file:///etc/passwd)\n\n# Heading\n---",
}  # fmt: skip
PLACES = (
    "name", "model", "price source", "published source", "alternative", "alternative's source",
    "hardware", "currency's source", "electricity's source",
)  # fmt: skip


def tree(words):
    """A scenario with words of `words` in each of the PLACES."""
    return {
        "schema": "tco.scenario/1",
        "name": words("name"),
        "date": "2026-12-02",
        "currency": {
            "code": "EUR", "usd_per_unit": 1.1, "source": words("currency's source"),
            "date": "2026-12-01",
        },
        "traffic": {
            "shape": {"input_tokens": 512, "output_tokens": 512}, "target_utilisation": 0.6,
        },
        "engine": {"launch": {"model": words("model")}},
        "measurement": {
            "published": {
                "output_tok_per_s": 11840, "source": words("published source"),
                "date": "2026-10-15",
            }
        },
        "hardware": {
            "purchase": {
                "price_usd": {"value": 96995.99, "source": words("price source")},
                "life_years": 3,
            }
        },
        "power": {
            "idle_w": 300, "load_w": 1300, "pue": 1.3,
            "usd_per_kwh": {"value": 0.14, "source": words("electricity's source")},
        },
        "other_hardware": [{"name": words("hardware"), "rent": {"usd_per_hour": 2}}],
        "alternatives": [
            {
                "name": words("alternative"), "source": words("alternative's source"),
                "usd_per_million": {"input": 0.1, "output": 0.5}, "same_weights": True,
            },
            {"name": "plain", "usd_per_million": {"input": 0.2, "output": 0.4}},
        ],
    }  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments):
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        out, err = capsys.readouterr()
        assert ended.value.code in {0, 4}, err
        return out + err

    return invoke


def write(path, words):
    text = yaml.safe_dump(tree(words), allow_unicode=True)
    path.write_text(text, encoding="utf-8")
    return path


def acting(text):
    """Return the characters that would act on a terminal or turn a page's text around."""
    return {
        each
        for each in text
        if each != "\n"
        and (unicodedata.category(each) in {"Cc", "Cs"} or each in "\u202a\u202b\u202d\u202e\u2066")
    }


class Page(HTMLParser):
    """Collects what a browser would do."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.addresses, self.handlers = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.addresses += [v for k, v in attrs if k in {"src", "href", "xlink:href", "data"}]
        self.handlers += [k for k, _ in attrs if k.startswith("on")]


def check_html(text):
    page = Page(text)
    assert not page.tags & {"script", "iframe", "object", "embed", "link", "base", "form"}
    assert page.handlers == []
    assert all(each.startswith(("data:", "#")) for each in page.addresses)
    assert acting(text) == set()


def check_markdown(text):
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table"]).parse(text)
    inline = {child.type for token in tokens for child in token.children or ()}
    assert not inline & {"html_inline", "image", "link_open"}
    assert "html_block" not in {token.type for token in tokens}
    assert acting(text) == set()


def check_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    assert {len(row) for row in rows} == {len(rows[0])}
    for cell in (cell for row in rows for cell in row):
        assert units(cell) <= MOST_UNITS_OF_A_CELL
        assert not re.match(r"[=@+\t\r]|-(?![\d.])|-\d+[^\d.e-]", cell), cell[:60]


def units(text):
    """The length as a spreadsheet counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_workbook(content):
    files = zipfile.ZipFile(io.BytesIO(content))
    assert files.testzip() is None
    for name in files.namelist():
        if name.startswith("xl/charts/chart"):
            references = re.findall(r"<c:f>(.*?)</c:f>", files.read(name).decode())
            assert references
            assert all(re.fullmatch(REFERENCE, each) for each in references), references
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert units(book.properties.title) <= MOST_LETTERS_OF_A_LITERAL
    for cell in (cell for sheet in book for row in sheet.iter_rows() for cell in row):
        if cell.data_type == "s":
            assert units(cell.value) <= MOST_UNITS_OF_A_CELL, cell
            assert cell.quotePrefix or not cell.value.startswith(("=", "+", "-", "@")), cell
        if cell.data_type == "f":
            assert len(cell.value) <= MOST_LETTERS_OF_A_FORMULA, cell
            literals = re.findall(r'"((?:[^"]|"")*)"', cell.value)
            assert all(units(each) <= MOST_LETTERS_OF_A_LITERAL for each in literals), cell
            assert "HYPERLINK" not in cell.value
            assert "127.0.0.1" not in cell.value


@pytest.mark.parametrize("kind", TEXTS)
def test_every_place_of_a_scenario_shows_it_as_text(run, tmp_path, kind):
    text = TEXTS[kind]
    write(tmp_path / "s.yaml", lambda place: f"{text} {place}")
    said = run("report", "s.yaml", "--format", "html,md,csv,json,xlsx", "-o", "out")
    said += run("compare", "s.yaml") + run("report", "s.yaml", "--summary")
    assert acting(said) == set()
    assert max(map(len, said.splitlines())) < 2_000
    check_html((tmp_path / "out" / "report.html").read_text("utf-8"))
    check_markdown((tmp_path / "out" / "report.md").read_text("utf-8"))
    with (tmp_path / "out" / "comparison.csv").open(encoding="utf-8", newline="") as file:
        check_csv(file.read())
    check_workbook((tmp_path / "out" / "report.xlsx").read_bytes())
    stored = json.loads((tmp_path / "out" / "comparison.json").read_text("utf-8"))
    assert stored["name"] == f"{text} name"


@pytest.mark.parametrize("kind", ["html", "control", "many words", "markdown"])
def test_scenarios_side_by_side_show_it_as_text(run, tmp_path, kind):
    text = TEXTS[kind]
    names = ("=1 <b>|`é日😀.yaml", "-b $x$ [l](u).yaml")
    for at, name in enumerate(names):
        write(tmp_path / name, lambda place, at=at: f"{text} {place} {at}")
    files = [tmp_path / name for name in names]
    said = run("report", *files, "--format", "html,md,csv,json,xlsx", "-o", "out")
    assert acting(said) == set()
    check_html((tmp_path / "out" / "report.html").read_text("utf-8"))
    check_markdown((tmp_path / "out" / "report.md").read_text("utf-8"))
    with (tmp_path / "out" / "side_by_side.csv").open(encoding="utf-8", newline="") as file:
        check_csv(file.read())
    check_workbook((tmp_path / "out" / "report.xlsx").read_bytes())


def test_a_pdf_of_it_all_reads_no_file_and_opens_no_connection(run, tmp_path):
    """Every text once, each in another place, with such a brand; alone and side by side."""
    canary = tmp_path / "canary.svg"
    canary.write_text("<svg xmlns='http://www.w3.org/2000/svg'><text>CANARY</text></svg>")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        web = f"http://127.0.0.1:{server.getsockname()[1]}/x.svg"
        lure = f"<img src='{web}'><img src='{canary.as_uri()}'><style>@import '{web}';</style>"
        texts = [lure, *TEXTS.values()]
        for turn in range(2):
            # Two scenarios hold all texts between them, the lure in both.
            words = {
                place: f"{texts[(at + turn * len(PLACES)) % len(texts)]} {lure}"
                for at, place in enumerate(PLACES)
            }
            write(tmp_path / f"{turn}.yaml", words.__getitem__)
        brand = {"schema": "tco.brand/1", "name": lure[:60], "footer": f"{TEXTS['html'][:40]}\x1b"}
        (tmp_path / "brand.yaml").write_text(json.dumps(brand), encoding="utf-8")
        for files in (["0.yaml"], ["1.yaml"], ["0.yaml", "1.yaml"]):
            out = tmp_path / f"of {len(files)} from {files[0][0]}"
            run("report", *files, "--brand", "brand.yaml", "--format", "pdf", "-o", out)
            pdf = (out / "report.pdf").read_bytes()
            text = "".join(
                page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf)
            )
            # The file's name is a part of the words; its content is not.
            assert ">CANARY<" not in text
            assert "CANARY" not in text.replace("canary", "")
            assert len(pypdf.PdfReader(io.BytesIO(pdf)).pages) < 40
        with pytest.raises(TimeoutError):
            server.accept()
