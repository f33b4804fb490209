"""A brand's file: what is taken, and what is refused in a sentence."""

import base64
import io
import os
import re
import socket
import struct
import zlib

import pypdf
import pytest
from PIL import Image, PngImagePlugin

from tco.errors import InputError
from tco.report.brand import read_brand
from tco.report.document import compose
from tco.report.html import render_html
from tco.report.pdf import render_pdf
from tco.report.sheet import ACCENT


def png(width=4, height=2, comment=None):
    told = PngImagePlugin.PngInfo()
    if comment is not None:
        told.add_text("Comment", comment)
    made = io.BytesIO()
    Image.new("RGB", (width, height), "#0b6e4f").save(made, "PNG", pnginfo=told)
    return made.getvalue()


@pytest.fixture
def brand(tmp_path):
    def write(text, logo=None):
        if logo is not None:
            (tmp_path / "logo.png").write_bytes(logo)
        file = tmp_path / "brand.yaml"
        file.write_text(f"schema: tco.brand/1\n{text}", encoding="utf-8")
        return read_brand(file)

    return write


@pytest.fixture
def document(comparison, scenario, measurement):
    return compose(comparison, scenario, measurement)


def test_all_of_it_is_read(brand):
    text = 'name: Example\nlogo: logo.png\ncolour: "#0b6e4f"\nfooter: Confidential\n'
    read = brand(text, png())
    assert (read.name, read.accent, read.footer) == ("Example", "#0b6e4f", "Confidential")
    assert read.dark_accent not in {None, read.accent}


def test_a_name_alone_is_enough(brand):
    read = brand("name: Example\n")
    assert (read.logo, read.accent, read.dark_accent, read.footer) == (None,) * 4


def test_only_the_pixels_of_a_logo_are_kept(brand):
    read = brand("name: Example\nlogo: logo.png\n", png(comment="secret"))
    kept = base64.b64decode(read.logo.partition(",")[2])
    assert b"secret" not in kept
    with Image.open(io.BytesIO(kept)) as image:
        assert image.size == (4, 2)
        assert image.getpixel((0, 0)) == (0x0B, 0x6E, 0x4F, 255)


@pytest.mark.parametrize(
    ("text", "logo", "said"),
    [
        ("logo: logo.png\n", None, "`name` is missing"),
        ('name: E\ncolour: "#ffee00"\n', None, "too light to be read on white"),
        ("name: E\ncolour: green\n", None, "colour"),
        ("name: E\nlogo: logo.png\n", None, "there is no such file"),
        ("name: E\nlogo: logo.png\n", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a PNG"),
        ("name: E\nlogo: logo.png\n", png()[:40], "damaged PNG"),
        ("name: E\nlogo: logo.png\n", png(4001, 1), "4001 x 1 pixels"),
        ("name: E\nlogo: .\n", None, "is a folder"),
        ("name: E\nlogos: x\n", None, "did you mean `logo`"),
        (f"name: {'E' * 61}\n", None, "name"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(brand, text, logo, said):
    with pytest.raises(InputError) as refused:
        brand(text, logo)
    assert said in str(refused.value)
    assert "brand.yaml" in str(refused.value)


def test_a_page_carries_name_colour_and_footer_and_keeps_its_guard(document, brand):
    text = 'name: "<b>E</b>"\ncolour: "#7a1f5c"\nfooter: "</footer><script>"\n'
    page = render_html(document, "screen", brand(text))
    assert "&lt;b&gt;E&lt;/b&gt;" in page
    assert '<footer class="footer">&lt;/footer&gt;&lt;script&gt;</footer>' in page
    assert page.count(":root { --accent: #7a1f5c; }") == 2
    assert "default-src 'none'" in page
    assert "<script" not in page


def test_paper_shows_logo_colour_and_footer_on_every_page(document, brand):
    text = 'name: Example\nlogo: logo.png\ncolour: "#7a1f5c"\nfooter: Confidential\n'
    html = render_html(document, "paper", brand(text, png()))
    chart = re.search(r'data:image/svg\+xml;base64,([^"]+)', html)[1]
    assert b"#7a1f5c" in base64.b64decode(chart)
    assert ACCENT.encode() not in base64.b64decode(chart)
    reader = pypdf.PdfReader(io.BytesIO(render_pdf(html)))
    assert all("· Confidential" in page.extract_text() for page in reader.pages)


def test_without_a_brand_nothing_of_it_stands(document):
    page = render_html(document, "paper")
    assert 'class="brand"' not in page
    assert 'logo" src' not in page


def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def test_a_second_head_does_not_hide_the_size_of_a_picture(brand):
    small = png()
    at = len(b"\x89PNG\r\n\x1a\n") + 25  # the first head
    huge = chunk(b"IHDR", struct.pack(">IIBBBBB", 12_000, 12_000, 8, 6, 0, 0, 0))
    with pytest.raises(InputError, match="damaged PNG"):
        brand("name: E\nlogo: logo.png\n", small[:at] + huge + small[at:])


def test_a_comment_that_grows_when_unpacked_is_not_kept(brand, monkeypatch):
    small = png()
    at = len(small) - 12  # the end mark
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(80 << 20), 9))
    # WeasyPrint, once imported, lets Pillow pass over what it refuses by itself.
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", False)
    with pytest.raises(InputError, match="damaged PNG"):
        brand("name: E\nlogo: logo.png\n", small[:at] + bomb + small[at:])
    monkeypatch.setattr("PIL.ImageFile.LOAD_TRUNCATED_IMAGES", True)
    read = brand("name: E\nlogo: logo.png\n", small[:at] + bomb + small[at:])
    assert len(read.logo) < 1000


def test_a_link_to_what_is_no_picture_is_refused_and_not_shown(brand, tmp_path):
    (tmp_path / "secret").write_text("swordfish", encoding="utf-8")
    (tmp_path / "logo.png").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="not a PNG") as refused:
        brand("name: E\nlogo: logo.png\n")
    assert "swordfish" not in str(refused.value)


def test_a_pipe_is_no_logo_and_is_not_waited_for(brand, tmp_path):
    os.mkfifo(tmp_path / "logo.png")
    with pytest.raises(InputError, match="is not a file"):
        brand("name: E\nlogo: logo.png\n")


def test_addresses_in_a_picture_are_neither_kept_nor_fetched(document, brand, tmp_path):
    (tmp_path / "canary").write_text("CANARY", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        web = f"http://127.0.0.1:{server.getsockname()[1]}/x.png"
        lure = f"<svg><image href='{web}'/><image href='{(tmp_path / 'canary').as_uri()}'/></svg>"
        page = render_html(document, "paper", brand("name: E\nlogo: logo.png\n", png(comment=lure)))
        assert base64.b64encode(web.encode())[:20].decode() not in page
        assert b"CANARY" not in render_pdf(page)
        with pytest.raises(TimeoutError):
            server.accept()
