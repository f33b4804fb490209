"""What the README tells a reader to type works as typed, and its figures are the tool's."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tco.cli import COMMANDS

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
WITHOUT_ENGINE = {"init", "compare", "sweep", "solve", "report", "workload", "prices", "bill"}
DATA = Path(__file__).parent / "data"
FILES = {
    "requests.csv": DATA / "traces" / "azure_llm_code_2023_first200.csv",
    "my-prices.yaml": DATA.parents[1] / "pricing" / "api" / "together.yaml",
    "other.yaml": DATA.parents[1] / "reports" / "66-percent-two-years" / "scenario.yaml",
    "usage.json": DATA / "bills" / "openai_usage.json",
    "costs.json": DATA / "bills" / "openai_costs.json",
}


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def commands():
    lines = "\n".join(blocks("sh")).splitlines()
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("tco ")]


def tco(*arguments, cwd):
    command = [sys.executable, "-m", "tco", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("readme")
    for name, file in FILES.items():
        (made / name).write_bytes(file.read_bytes())
    for words in commands():
        assert words[0] in COMMANDS
        if words[0] in WITHOUT_ENGINE:
            tco(*words, cwd=made)
    return made


def test_its_commands_run_in_the_order_it_gives_them(folder):
    assert (folder / "out" / "report.pdf").stat().st_size > 0


def test_its_python_prints_the_answer_of_the_command_line(folder):
    (code,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    saving, break_even = map(float, done.stdout.split())
    answer = json.loads(tco("compare", "my.yaml", "--json", cwd=folder))["alternatives"][0]
    assert (saving, break_even) == (answer["saving"], answer["break_even_utilisation"])


@pytest.mark.parametrize(
    ("sets", "shown"),
    [
        ((), "**83.2 %**"),
        (("traffic.target_utilisation=0.2",), "saves 20 %"),
        (
            ("traffic.target_utilisation=0.2", "hardware.purchase.life_years=2"),
            "loses 14 %",
        ),
        (
            (
                "measurement.published={total_tok_per_s: 11840, source: x, date: 2026-10-15}",
            ),
            "gives 66.4 %",
        ),
    ],
)  # fmt: skip
def test_its_savings_are_what_the_tool_says(folder, sets, shown):
    overrides = [word for key in sets for word in ("--set", key)]
    answer = json.loads(tco("compare", "my.yaml", "--json", *overrides, cwd=folder))
    saving = answer["alternatives"][0]["saving"]
    (stated,) = re.findall(r"[\d.]+", shown)
    digits = len(stated.partition(".")[2])
    assert shown in README
    assert round(abs(saving) * 100, digits) == float(stated)
    assert (saving < 0) == shown.startswith("loses")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (("self_host", "parts_usd_per_hour", "capital"), "$4.2965"),
        (("self_host", "parts_usd_per_hour", "power"), "$0.3541"),
        (("self_host", "usd_per_hour"), "$4.6506"),
        (("self_host", "usd_per_request"), "$0.00005586"),
        (("alternatives", 0, "usd_per_request"), "$0.00033280"),
    ],
)
def test_its_arithmetic_is_what_the_tool_says(folder, path, shown):
    value = json.loads(tco("compare", "my.yaml", "--json", cwd=folder))
    for part in path:
        value = value[part]
    digits = len(shown.partition(".")[2])
    assert shown in README
    assert f"${value:.{digits}f}" == shown
