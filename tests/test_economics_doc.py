"""The figures of docs/economics.md are what its examples give, and it leaves no cost line out."""

import doctest
import re
from pathlib import Path

import pytest

from tco.comparison import CostParts

PAGE = Path(__file__).resolve().parents[1] / "docs" / "economics.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
WITH_EXAMPLES = [section for section in SECTIONS if "```pycon" in section]


@pytest.mark.parametrize("section", WITH_EXAMPLES, ids=lambda text: text.partition("\n")[0])
def test_its_examples_give_the_figures_it_shows(section):
    found = re.findall(r"^```pycon\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    test = doctest.DocTestParser().get_doctest("".join(found), names, PAGE.name, None, 0)
    words = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=words.append)
    assert runner.tries > 0
    assert runner.failures == 0, "".join(words)


def test_every_cost_line_is_explained():
    table = next(section for section in SECTIONS if section.startswith("What each cost line"))
    assert re.findall(r"^\| `(\w+)`", table, flags=re.MULTILINE) == list(CostParts.model_fields)


def test_its_links_lead_somewhere():
    links = re.findall(r"\]\((?!http)([^)#]+)", TEXT)
    named = re.findall(r"`(tests/[\w/.]+)`", TEXT)
    found = [PAGE.parent / link for link in links] + [PAGE.parents[1] / path for path in named]
    assert [path for path in found if not path.exists()] == []
