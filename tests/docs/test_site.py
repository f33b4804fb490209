"""The documentation site builds without a warning and holds what the code tells."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tco.cli import COMMANDS
from tco.schemas import schema

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def read(site, name):
    return (site / name).read_text(encoding="utf-8")


def test_every_page_is_reached_from_the_navigation(site):
    pages = {page.stem for page in ROOT.glob("docs/*.md")}
    home = read(site, "index.html")
    assert {name for name in pages if f'href="{name}.html"' not in home} <= {"index"}


def test_every_command_is_in_the_reference(site):
    page = read(site, "reference/cli.html")
    assert [name for name in COMMANDS if f'id="tco-{name}"' not in page] == []


def test_every_key_of_a_scenario_is_in_the_reference(site):
    page = read(site, "reference/scenario-keys.html")
    document = schema("scenario")
    parts = [document, *document["$defs"].values()]
    keys = {key for part in parts for key in part.get("properties", {})}
    assert [key for key in keys if f"<code>{key}</code>" not in page] == []


def test_no_page_loads_anything_from_the_network(site):
    loads = r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(https?:[^"]+|//[^"]+)"'
    found = [
        (page.name, address)
        for page in site.rglob("*.html")
        for address in re.findall(loads, page.read_text(encoding="utf-8"))
    ]
    assert found == []
