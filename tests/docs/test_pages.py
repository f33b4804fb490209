"""What the pages of docs/ tell a reader to type works as typed, and prints what they show."""

import re
import shlex
from pathlib import Path

import pytest

from tco.cli import COMMANDS, main

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in ROOT.glob("docs/*.md")}
# The others start an engine, put load on a server, install one, or stay until they are stopped.
RUN_HERE = set(COMMANDS) - {"run", "bench", "engine", "doctor", "ui", "tune"}
FILES = {
    "requests.csv": DATA / "traces" / "azure_llm_code_2023_first200.csv",
    "my-prices.yaml": ROOT / "pricing" / "api" / "together.yaml",
    "usage.json": DATA / "bills" / "openai_usage.json",
    "costs.json": DATA / "bills" / "openai_costs.json",
    "fleet.yaml": ROOT / "reports" / "rental-fleet" / "scenario.yaml",
    "m.json": DATA / "measurement.json",
}
DEMAND = "traffic.demand={requests_per_day: 200000, peak_to_average: 2.5}"


def blocks(text, *languages):
    found = re.findall(r"^```(\w+)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [(language, code) for language, code in found if language in languages]


def commands(code):
    lines = [shlex.split(line, comments=True) for line in code.replace("\\\n", " ").splitlines()]
    return [words[1:] for words in lines if words[:1] == ["tco"]]


def with_commands(text):
    return any(words[0] in RUN_HERE for _, code in blocks(text, "sh") for words in commands(code))


def run(capsys, *words):
    with pytest.raises(SystemExit) as end:
        main(words)
    said = capsys.readouterr()
    # 4: the measurement kept for tests has an invalid finding, which every report of it says.
    expected = (0, 4) if "m.json" in words else (0,)
    assert end.value.code in expected, f"tco {shlex.join(words)}: {said.err}"
    return said.out


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """Return a folder with the files that the pages speak of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for name, file in FILES.items():
        (tmp_path / name).write_bytes(file.read_bytes())
    run(capsys, "init", "my.yaml")
    return tmp_path


@pytest.mark.parametrize("page", [name for name, text in PAGES.items() if with_commands(text)])
def test_its_commands_run_and_print_what_it_shows(page, folder, capsys):
    printed = ""
    for language, code in blocks(PAGES[page], "sh", "text"):
        if language == "text":
            shown = [line.strip() for line in code.splitlines()]
            assert [line for line in shown if line not in printed] == [], printed
            continue
        (folder / "my.yaml").unlink(missing_ok=True)
        if not any(words[0] == "init" for words in commands(code)):
            run(capsys, "init", "my.yaml")
        wanted = [words for words in commands(code) if words[0] in RUN_HERE]
        printed = "".join(run(capsys, *_with_demand(words)) for words in wanted)


def _with_demand(words):
    """Give a command on a key of the demand a scenario that has one."""
    if "fleet.yaml" in words or not any("traffic.demand." in word for word in words):
        return words
    return [*words, "--set", "traffic.target_utilisation=null", "--set", DEMAND]


@pytest.mark.usefixtures("folder")
def test_the_notebook_page_runs(capsys):
    names = {}
    for _, code in blocks(PAGES["notebook.md"], "python"):
        exec(compile(code, "notebook.md", "exec"), names)  # noqa: S102  the page is ours
    saving = names["comparison"].alternatives[0].saving
    assert f"open model on an API {saving}" in capsys.readouterr().out
    assert len(names["frame"]) == 10
