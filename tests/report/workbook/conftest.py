"""Workbooks as LibreOffice recalculates them: all in one start, in a profile of their own."""

import copy
import datetime as dt
import functools
import json
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

# A scenario is written as JSON, which is YAML too.
ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data"
TODAY = dt.date(2026, 12, 2)
# LibreOffice takes a file's stored values for granted unless it is told to reckon again.
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode"
 oor:op="fuse"><value>0</value></prop></item></oor:items>"""
# Cheaper at night, and dearer for long prompts, so that tiers and hours meet.
BY_HOUR = {
    "schema": "tco.prices/1",
    "provider": "night",
    "offers": [
        {
            "model": "owl",
            "source": "https://example.com/prices",
            "date": "2026-11-30",
            "prices": [
                {"usd_per_million": {"input": 0.4, "cached_input": 0.1, "output": 1.6}},
                {
                    "usd_per_million": {"input": 0.8, "cached_input": 0.2, "output": 2.4},
                    "context_gt": 9000,
                },
                {
                    "usd_per_million": {"input": 0.2, "output": 0.8},
                    "windows_utc": [{"weekdays": [1, 2, 3, 4, 5], "from": "00:30", "to": "08:30"}],
                },
            ],
        }
    ],
}
PRICE_FILE = "night.yaml"
OWN_API = {
    "name": "a contract",
    "usd_per_million": {"input": 0.3, "cached_input": 0.06, "output": 1.2},
    "discount": 0.05,
}
# Every alternative has another way to be billed.
ALTERNATIVES = [
    OWN_API,
    {"catalog": "google/gemini-2.5-pro", "token_ratio": 1.1, "cached_input_share": 0.2},
    {"catalog": "night/owl", "discount": 0.1},
    {
        "name": "writes its cache",
        "usd_per_million": {
            "input": 1,
            "cached_input": 0.1,
            "cache_write_5m": 1.25,
            "cache_write_1h": 2,
            "output": 5,
        },
        "cache_write_5m_share": 0.2,
        "cache_write_1h_share": 0.1,
        "usd_per_request": 0.0001,
    },
]
# What a spreadsheet might run, what no cell can hold, and what no page can set.
HOSTILE = (
    '=HYPERLINK("https://example.com","x")',
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "\t=1+1",
    "long " * 9000,
    "\U0001f600 \u05d0\u05d1\u05d2 \u202e rtl",
    "quote \" apostrophe ' & < > {=1}",
    "+cmd|' /C calc'!A0",
    "\U0001f469\u200d\U0001f467" * 20_000,
)
PROFILE = [1] * 8 + [3] * 12 + [2] * 4
BASE = {
    "schema": "tco.scenario/1",
    "date": "2026-12-02",
    "traffic": {
        "shape": {"input_tokens": 6000, "cached_input_share": 0.5, "output_tokens": 400},
        "target_utilisation": 0.6,
    },
    "engine": {"accelerators": 4},
    "measurement": {"published": {"output_tok_per_s": 4300, "source": "s", "date": "2026-10-15"}},
    "hardware": {
        "purchase": {
            "price_usd": 250_000,
            "accelerators": 8,
            "life_years": 2.5,
            "residual_share": 0.15,
            "one_off_usd": 4000,
        },
        "one_off": {"network_usd": 60_000},
        "embodied_kg_co2e": 3000,
    },
    "power": {
        "idle_w": 1500,
        "load_w": 8000,
        "pue": 1.3,
        "usd_per_kwh": 0.12,
        "price_growth_per_year": 0.05,
        "kg_co2e_per_kwh": 0.37,
    },
    "operations": {
        "maintenance_share_per_year": 0.04,
        "failures_per_accelerator_year": 0.09,
        "repair_usd_per_failure": 3000,
        "licence_usd_per_accelerator_year": 4500,
        "hosting_usd_per_month": 120,
        "colocation_usd_per_kw_month": 190,
        "fte": 1.5,
        "fte_usd_per_year": 180_000,
        "other_usd_per_year": 9000,
        "growth_per_year": 0.03,
    },
    "finance": {"discount_rate": 0.1, "api_price_change_per_year": -0.2},
    "alternatives": [OWN_API],
}
DEMAND = {
    "requests_per_day": 900_000,
    "target_peak_utilisation": 0.8,
    "availability": 0.97,
    "spares": 2,
}
RENT = {"usd_per_hour": 21.5, "accelerators": 8}


def of(**changes):
    """Return the base scenario with parts replaced by their dotted key (`__` for the dot)."""
    tree = copy.deepcopy(BASE)
    for key, value in changes.items():
        *parents, last = key.split("__")
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
        if value is None:
            node.pop(last, None)
        else:
            node[last] = value
    return tree


# One scenario a way in which the arithmetic may go, and what is then typed into its workbook.
CASES = {
    "one server": (
        of(alternatives=ALTERNATIVES),
        {
            "traffic.shape.cached_input_share": 0.3,
            "engine.accelerators": 2,
            "hardware.purchase.residual_share": 0.3,
            "alternatives.1.token_ratio": 1.3,
            "alternatives.3.cache_write_1h_share": 0.25,
            "hardware.embodied_kg_co2e": 4000,
        },
    ),
    "long prompts": (
        of(
            alternatives=ALTERNATIVES[1:3],
            traffic__shape={"input_tokens": 190_000, "output_tokens": 900},
        ),
        {"traffic.shape.input_tokens": 8000},
    ),
    "reserved rent for a demand": (
        of(
            hardware={"rent": RENT},
            power=None,
            operations__colocation_usd_per_kw_month=None,
            traffic__target_utilisation=None,
            traffic__demand=DEMAND | {"peak_to_average": 2.5},
            alternatives=ALTERNATIVES[:2],
        ),
        {
            "traffic.demand.requests_per_day": 1_500_000,
            "traffic.demand.spares": 1,
            "hardware.rent.usd_per_hour": 30,
            "traffic.demand.availability": 0.9,
        },
    ),
    "hourly rent with a profile": (
        of(
            hardware={"rent": RENT | {"billing": "hourly", "power_included": False}},
            traffic__target_utilisation=None,
            traffic__demand=DEMAND | {"profile": PROFILE},
            traffic__by_year=[1, 1.5, 0.7],
            alternatives=[ALTERNATIVES[2]],
        ),
        {
            "traffic.demand.requests_per_day": 2_000_000,
            "traffic.by_year.1": 2.5,
        },
    ),
    "purchase over the years": (
        of(
            traffic__target_utilisation=None,
            traffic__demand=DEMAND | {"profile": PROFILE},
            traffic__by_year=[1, 1.4, 2.2, 1.1],
            finance={
                "discount_rate": 0.1,
                "horizon_years": 5.5,
                "api_price_change_per_year": -0.1,
                "refresh_price_change_per_year": -0.15,
                "tax_rate": 0.21,
                "tax_book_value_share": 0.05,
            },
        ),
        {
            "finance.tax_rate": 0.3,
            "finance.horizon_years": 4.25,
            "hardware.purchase.life_years": 2,
            "finance.refresh_price_change_per_year": -0.3,
            "traffic.by_year.2": 3,
            "operations.growth_per_year": 0.08,
            "traffic.demand.profile.9": 4.5,
            "power.price_growth_per_year": 0.1,
        },
    ),
    "pays back": (
        of(
            operations=None,
            traffic__target_utilisation=0.9,
            hardware__purchase={"price_usd": 90_000, "life_years": 4, "residual_usd": 9000},
            engine=None,
            finance={"discount_rate": 0.07, "tax_rate": 0.25, "method": "straight_line"},
        ),
        {
            "hardware.purchase.price_usd": 150_000,
            "hardware.purchase.life_years": 3.5,
            "finance.tax_rate": 0,
        },
    ),
    "renewed and pays back": (
        of(
            operations=None,
            hardware__purchase={"price_usd": 90_000, "life_years": 1.5, "residual_usd": 9000},
            engine=None,
            finance={"discount_rate": 0.07, "horizon_years": 4},
        ),
        {"hardware.purchase.price_usd": 75_000, "finance.discount_rate": 0},
    ),
    "thirty years": (
        of(operations=None, finance={"discount_rate": 0.1, "horizon_years": 30}),
        {"hardware.purchase.price_usd": 90_000},
    ),
    "peak in tokens": (
        of(
            traffic__target_utilisation=None,
            traffic__demand={"average_output_tok_per_s": 9000, "peak_output_tok_per_s": 30_000},
            measurement={
                "published": {"total_tok_per_s": 50_000, "source": "s", "date": "2026-10-15"}
            },
        ),
        {"traffic.demand.peak_output_tok_per_s": 44_000},
    ),
    "spread lengths": (
        of(
            traffic__shape={
                "input_tokens": {"mean": 9000, "p95": 34_000},
                "cached_input_share": 0.4,
                "output_tokens": 300,
            },
            alternatives=[OWN_API, ALTERNATIVES[2]],
        ),
        {"power.pue": 1.1, "alternatives.0.usd_per_million.input": 0.5},
    ),
    "mix": (
        of(
            measurement=None,
            traffic__shape={
                "mix": [
                    {"name": "short", "weight": 3, "input_tokens": 900, "output_tokens": 200,
                     "requests_per_s": 20, "cached_input_share": 0.1},
                    {"name": "long", "input_tokens": 12_000, "output_tokens": 700,
                     "requests_per_s": 4, "cached_input_share": 0.7},
                ]
            },
        ),
        {"traffic.shape.mix.1.requests_per_s": 6, "power.usd_per_kwh": 0.3},
    ),
    "trace": (
        of(
            traffic__shape={"trace": str(DATA / "traces" / "azure_llm_code_2023_first200.csv")},
            traffic__target_utilisation=None,
            traffic__demand={"from_trace": True, "scale": 40, "spares": 1},
            alternatives=ALTERNATIVES[2:],
        ),
        {"traffic.demand.scale": 90, "hardware.purchase.price_usd": 200_000},
    ),
    "hostile words": (
        of(
            name=HOSTILE[0],
            alternatives=[
                {**OWN_API, "name": words, "source": words} for words in HOSTILE
            ],
        ),
        {"alternatives.3.usd_per_million.output": 9},
    ),
    "euros": (
        of(
            currency={"code": "EUR", "usd_per_unit": 1.09, "source": "a bank"},
            alternatives=ALTERNATIVES[:2],
        ),
        {"currency.usd_per_unit": 1.25, "power.pue": 1.4},
    ),
    "nothing to compare with": (of(alternatives=[]), {"power.pue": 1.5}),
    "free and dear": (
        of(
            alternatives=[
                {"name": "free", "usd_per_million": {"input": 0, "output": 0}},
                {"name": "dear", "usd_per_million": {"input": 0.001, "output": 0.001}},
            ]
        ),
        {"alternatives.1.usd_per_million.output": 40},
    ),
}  # fmt: skip
# Of the committed reports one is enough to type into.
SAME_ONLY = {"66-percent-dearest-offer", "66-percent-output-tokens", "66-percent-two-years"}
SAME_CHANGES = {
    "traffic.target_utilisation": 0.25,
    "finance.method": "annuity",
    "power.idle_w": 400,
    "operations.hosting_usd_per_month": 80,
    "alternatives.0.usd_per_million.output": 0.9,
}
DEFAULT_CHANGES = {
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
}


@dataclass
class Book:
    """A workbook, the same recalculated, and what tco says of the same case."""

    path: Path
    case: object
    comparison: object
    recalculated: Path = field(default=Path())

    @functools.cached_property
    def stored(self):
        """What the file says before anybody recalculates it."""
        return openpyxl.load_workbook(self.path, data_only=True)

    @functools.cached_property
    def values(self):
        """What LibreOffice makes of its formulas."""
        return openpyxl.load_workbook(self.recalculated, data_only=True)


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


def bytes_of(case):
    """Return a case's comparison and the workbook of it."""
    comparison = answer(case)
    scenario, measurement = case.loaded.scenario, case.measurement
    document = compose(comparison, scenario, measurement)
    sheets = workbook_of(comparison, scenario, measurement)
    return comparison, write_workbook(sheets, document.title, document.author, comparison.date)


def typed_into(path, changes, to):
    """Type other inputs into a workbook: the cells of the keys, by their names."""
    book = openpyxl.load_workbook(path)
    for key, value in changes.items():
        (sheet, address), *_ = book.defined_names[key.replace(".", "_")].destinations
        book[sheet][address].value = value
    book.save(to)


def scenarios(folder):
    """Yield name, file, measurement and changes of every case."""
    default = folder / "default.yaml"
    default.write_text(scenario_text(), encoding="utf-8")
    yield "default", default, None, DEFAULT_CHANGES
    for report in sorted((ROOT / "reports").glob("66-percent-*")):
        yield report.name, report / "scenario.yaml", None, SAME_CHANGES
    for name, (tree, changes) in CASES.items():
        path = folder / f"{name}.yaml"
        text = json.dumps({"name": name} | tree, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        yield name, path, None, changes
    measured = folder / "measured.yaml"
    tree = {"name": "measured", **of(measurement=None, engine=None)}
    measured.write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    yield "measured", measured, DATA / "measurement.json", {"power.pue": 1.2}


@pytest.fixture(scope="session")
def books(tmp_path_factory):
    """Return every case's workbook by its name, and by `NAME, changed` with other inputs."""
    folder = tmp_path_factory.mktemp("workbooks")
    prices = folder / PRICE_FILE
    prices.write_text(json.dumps(BY_HOUR, ensure_ascii=False), encoding="utf-8")
    found = {}
    for name, path, measurement, changes in scenarios(folder):

        def case(sets=(), path=path, measurement=measurement):
            return load_case(
                path, sets=sets, measurement_file=measurement, price_files=[prices], today=TODAY
            )

        first, second = folder / f"{name}.xlsx", folder / f"{name}, changed.xlsx"
        comparison, content = bytes_of(case())
        first.write_bytes(content)
        found[name] = Book(first, case, comparison)
        if name in SAME_ONLY:
            continue
        typed_into(first, changes, second)
        sets = [f"{key}={value}" for key, value in changes.items()]
        found[f"{name}, changed"] = Book(second, case, answer(case(sets)))
    for book, path in zip(
        found.values(), recalculate([each.path for each in found.values()], folder), strict=True
    ):
        book.recalculated = path
    return found


@pytest.fixture(scope="session")
def of_other_requests(tmp_path_factory):
    """Return workbooks: as written, and with other requests than the bill was found for."""
    folder = tmp_path_factory.mktemp("other requests")
    tree = of(
        name="stepped",
        alternatives=[{"catalog": "google/gemini-2.5-pro", "cached_input_share": 0.2}],
        traffic__shape={"input_tokens": {"mean": 90_000, "p95": 260_000}, "output_tokens": 500},
    )
    scenario = folder / "stepped.yaml"
    scenario.write_text(json.dumps(tree), encoding="utf-8")
    _, content = bytes_of(load_case(scenario, today=TODAY))
    first = folder / "as written.xlsx"
    first.write_bytes(content)
    paths = [first]
    for key, value in (
        ("traffic.shape.output_tokens", 900),
        ("alternatives.0.cached_input_share", 0.6),
        ("power.pue", 1.1),
    ):
        paths.append(folder / f"{key}.xlsx")
        typed_into(first, {key: value}, paths[-1])
    again = recalculate(paths, folder)
    return [openpyxl.load_workbook(path, data_only=True) for path in again]


@pytest.fixture(scope="session")
def value_of():
    return named


@pytest.fixture(scope="session")
def workbook_bytes():
    return bytes_of


@pytest.fixture(scope="session")
def recalculated():
    return recalculate


@pytest.fixture(scope="session")
def type_into():
    return typed_into
