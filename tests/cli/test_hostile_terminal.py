"""No name from a file acts on the terminal: it is shown with its control characters as escapes."""

import json
from pathlib import Path

import pytest

from tco.cli import main

BILLS = Path(__file__).parents[1] / "data" / "bills"
NAME = "x\x1b]0;owned\x07\x1b[2J\u202eY"
SHOWN = "x\\x1b]0;owned\\x07\\x1b[2J\\u202eY"
PRICES = {
    "schema": "tco.prices/1",
    "provider": "ev",
    "offers": [
        {
            "model": NAME,
            "source": NAME,
            "date": "2026-11-30",
            "prices": [{"usd_per_million": {"input": 0.4, "output": 1.6}}],
        }
    ],
}


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    bill = (BILLS / "openai_usage.json").read_text("utf-8")
    named = bill.replace("model-a-2026-05-01", json.dumps(NAME)[1:-1])
    (tmp_path / "bill.json").write_text(named, encoding="utf-8")
    (tmp_path / "p.yaml").write_text(json.dumps(PRICES), encoding="utf-8")
    (tmp_path / "key.yaml").write_text(
        f"schema: tco.scenario/1\n{json.dumps(NAME)}: 1\n", encoding="utf-8"
    )
    (tmp_path / f"{NAME}.yaml").write_text("schema: x\n", encoding="utf-8")

    def invoke(*arguments):
        with pytest.raises(SystemExit):
            main([*arguments])
        out, err = capsys.readouterr()
        return out + err

    return invoke


@pytest.mark.parametrize(
    "command",
    [
        ("bill", "show", "bill.json"),
        ("prices", "list", "--prices", "p.yaml"),
        ("prices", "show", f"ev/{NAME}", "--prices", "p.yaml"),
        ("compare", "key.yaml"),
        ("compare", f"{NAME}.yaml"),
        ("compare", f"no {NAME}"),
        ("compare", "key.yaml", "--set", f"{NAME}=1"),
        (f"compa{NAME}re",),
    ],
    ids=lambda command: f"{command[0][:5]} {len(command)}",
)
def test_a_name_is_shown_and_acts_in_no_terminal(said, command):
    printed = said(*command)
    assert not {"\x1b", "\x07", "\u202e"} & set(printed)
    assert printed.strip()


def test_it_is_shown_with_its_escapes(said):
    assert SHOWN in said("prices", "show", f"ev/{NAME}", "--prices", "p.yaml")
    assert SHOWN in said("compare", "key.yaml")
