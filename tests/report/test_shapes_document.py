"""The report of one ladder on several traffics."""

import datetime as dt
import re

import pypdf
import pytest

from tco.measurement import Interval
from tco.report.sectioned import sectioned_html
from tco.report.shapes_document import compose_shapes, render_shapes, shapes_headline
from tco.report.table import Table
from tco.shapes import CrossCell, ShapeGain, ShapePair, Shapes, ShapesStep, ShapeTuned

HELD = Interval(low=0.85, high=0.95)


def shape(name, *steps):
    return ShapeTuned(
        name=name, scenario_file=f"{name}.yaml", scenario_sha256="a" * 64, input_tokens=512.0,
        cached_input_share=0.5, output_tokens=64.0, concurrency=8.0, slo={"ttft_p95_ms": 2000.0},
        record=f"{name}/tune.json", best_steps=steps, serve=f"vllm serve {name}", took_s=60.0,
    )  # fmt: skip


def shapes(winner="changes", *, is_complete=True, names=("chat", "code")):
    away = "worse" if winner == "changes" else winner
    measured = {"ratio": 0.9, "interval": HELD} if away == "worse" else {}
    return Shapes(
        tool_version="0.1.0", created_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), ladder="mine",
        ladder_sha256="b" * 64, repeats=3, is_complete=is_complete, took_s=600.0,
        shapes=tuple(shape(name, "large batches") for name in names),
        steps=(
            ShapesStep(
                number=1, name="large batches", differs=True,
                gains=tuple(
                    ShapeGain(shape=n, decision="kept", ratio=1.1,
                              interval=Interval(low=1.05, high=1.15))
                    for n in names
                ),
            ),
        ),
        cross=tuple(
            CrossCell(shape=a, best_of=b, decision=away, why="slower", **measured)
            for a, b in ((names[0], names[1]), (names[1], names[0]))
        ),
        pairs=(ShapePair(shapes=names, winner=winner, why="so it was measured"),),
    )  # fmt: skip


def squeezed(text):
    return re.sub(r"\s", "", text.replace("\u00ad", "").replace("−", "-"))


def test_every_format_carries_every_cell(tmp_path):
    pdf, html, markdown = render_shapes(shapes(), tmp_path)
    report = compose_shapes(shapes())
    tables = [part for each in report.sections for part in each.parts if isinstance(part, Table)]
    cells = [cell.text for table in tables for row in table.rows for cell in row.cells]
    assert any(cell.startswith("worse: −10.0") for cell in cells)
    texts = (
        "".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages),
        re.sub(r"<[^>]*>", "", html.read_text("utf-8")).replace("&#39;", "'"),
        markdown.read_text("utf-8").replace("\\", "").replace("\u200b", ""),
    )
    for text in texts:
        for said in (report.headline, "vllm serve code", *cells):
            assert squeezed(said) in squeezed(text)


@pytest.mark.parametrize(
    ("winner", "said"),
    [
        ("changes", "follow the traffic: each one's are worse"),
        ("same", "The same settings are best"),
        ("undecided", "not shown"),
        ("not_reached", "not measured yet"),
    ],
)
def test_the_headline_says_whether_the_winner_changes(winner, said):
    assert said in shapes_headline(shapes(winner))


def test_what_is_unfinished_says_so_and_a_name_is_text():
    report = compose_shapes(shapes(is_complete=False, names=("<script>x</script>", "code")))
    page = sectioned_html(report, "screen")
    assert "Unfinished" in page
    assert "<script" not in page
