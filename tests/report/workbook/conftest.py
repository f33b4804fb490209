"""Workbooks as LibreOffice recalculates them: all in one start, in a profile of their own."""

import datetime as dt
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import openpyxl
import pytest

from tco import answer, load_case
from tco.report.document import compose
from tco.report.workbook.book import workbook_of
from tco.report.workbook.write import write_workbook
from tco.scenario_file import scenario_text

TODAY = dt.date(2026, 12, 2)
REPORTS = Path(__file__).resolve().parents[3] / "reports"
# LibreOffice takes a file's stored values for granted unless it is told to reckon again.
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode"
 oor:op="fuse"><value>0</value></prop></item></oor:items>"""


@dataclass
class Book:
    """A workbook of ours, the same recalculated, and what tco says of the same case."""

    path: Path
    comparison: object
    recalculated: Path = field(default=Path())

    def values(self, *, again: bool = True):
        return openpyxl.load_workbook(self.recalculated if again else self.path, data_only=True)


def named(book, name):
    """The value of the cell that a name stands for."""
    (sheet, address), *_ = book.defined_names[name].destinations
    return book[sheet][address].value


def recalculate(paths, folder):
    """Let one LibreOffice recalculate all files; without one this fails, it does not skip."""
    settings = folder / "profile" / "user" / "registrymodifications.xcu"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(ALWAYS_RECALCULATE, encoding="utf-8")
    command = ["soffice", f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless"]
    command += ["--convert-to", "xlsx", "--outdir", str(folder / "recalculated")]
    subprocess.run([*command, *map(str, paths)], check=True, capture_output=True, timeout=300)
    found = [folder / "recalculated" / path.name for path in paths]
    assert all(path.is_file() for path in found), "LibreOffice wrote no file"
    return found


def written(case, path):
    """Write a case's workbook; return its comparison."""
    comparison = answer(case)
    scenario, measurement = case.loaded.scenario, case.measurement
    document = compose(comparison, scenario, measurement)
    sheets = workbook_of(comparison, scenario, measurement)
    path.write_bytes(write_workbook(sheets, document.title, document.author, comparison.date))
    return comparison


def changed(path, changes, to):
    """Type other inputs into a workbook: the cells of the keys, by their names."""
    book = openpyxl.load_workbook(path)
    for key, value in changes.items():
        (sheet, address), *_ = book.defined_names[key.replace(".", "_")].destinations
        book[sheet][address].value = value
    book.save(to)


FILES = {
    f"66-{folder.name.removeprefix('66-percent-')}": folder / "scenario.yaml"
    for folder in sorted(REPORTS.glob("66-percent-*"))
}
# What is typed into each workbook, and given to tco with --set.
SAME_CHANGES = {
    "traffic.target_utilisation": 0.25,
    "finance.method": "annuity",
    "power.idle_w": 400,
    "operations.hosting_usd_per_month": 80,
    "alternatives.0.usd_per_million.output": 0.9,
}
CHANGES = dict.fromkeys(FILES, SAME_CHANGES) | {
    "default": {
        "traffic.target_utilisation": 0.4,
        "traffic.shape.input_tokens": 900,
        "measurement.published.output_tok_per_s": 7000,
        "hardware.purchase.price_usd": 120_000,
        "hardware.purchase.life_years": 4,
        "hardware.purchase.residual_share": 0.1,
        "hardware.one_off.rack_usd": 9000,
        "power.pue": 1.2,
        "operations.fte": 0.25,
        "operations.colocation_usd_per_kw_month": 150,
        "finance.discount_rate": 0.1,
        "alternatives.0.usd_per_million.input": 0.3,
        "alternatives.0.discount": 0.05,
    },
}


@pytest.fixture(scope="session")
def books(tmp_path_factory):
    """Return every case's workbook by its name, and by `NAME changed` with other inputs."""
    folder = tmp_path_factory.mktemp("workbooks")
    found = {}
    for name, path in {"default": default_scenario(folder), **FILES}.items():
        first = folder / f"{name}.xlsx"
        found[name] = Book(first, written(load_case(path, today=TODAY), first))
        second = folder / f"{name} changed.xlsx"
        changes = CHANGES[name]
        changed(first, changes, second)
        sets = [f"{key}={value}" for key, value in changes.items()]
        found[f"{name} changed"] = Book(second, answer(load_case(path, sets=sets, today=TODAY)))
    recalculated = recalculate([book.path for book in found.values()], folder)
    for book, path in zip(found.values(), recalculated, strict=True):
        book.recalculated = path
    return found


def default_scenario(folder):
    path = folder / "default.yaml"
    path.write_text(scenario_text(), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def value_of():
    return named
