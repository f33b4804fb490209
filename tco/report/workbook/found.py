"""The sheets of words: findings, method, and what of the report no formula can give."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Comparison
from tco.measurement import Measurement
from tco.report.findings import findings
from tco.report.ways import WAY_HEADS, way_rows
from tco.report.workbook.page import Page
from tco.report.workbook.steps import STEPS
from tco.units import HOURS_PER_MONTH, HOURS_PER_YEAR

_SEVERITY, _MESSAGE, _ADVICE = range(3)


@dataclass(frozen=True, slots=True)
class _Formula:
    figure: str
    words: str
    source: str = ""


_METHOD = (
    _Formula(
        "Capital",
        "(P − S ÷ (1+r)^n) × r(1+r)^n ÷ ((1+r)^n − 1), in a spreadsheet PMT(r, n, −P, S); "
        "straight line: (P − S) ÷ n",
        "Short, Packey & Holt 1995, NREL/TP-462-5173; IAS 16",
    ),
    _Formula(
        "Electricity",
        "watts between idle and full load in a straight line, × PUE × price of a kWh",
        "Fan, Weber & Barroso 2007, Power provisioning for a warehouse-sized computer; "
        "ISO/IEC 30134-2",
    ),
    _Formula(
        "Fleet",
        "replicas = ⌈peak ÷ (capacity × target × availability)⌉ + spares; servers = ⌈replicas"
        " × accelerators of one ÷ accelerators of a server⌉; all are paid, busy or not",
        "NVIDIA, LLM Inference Benchmarking: How Much Does Your LLM Inference Cost?; Barroso,"
        " Hölzle & Ranganathan, The Datacenter as a Computer",
    ),
    _Formula(
        "Bill of an API",
        "(fresh × price + cached × price + written × price + output × price) ÷ 10^6 + fee, "
        "less the discount; a tier's prices hold for the whole of a request above its "
        "threshold",
        "the vendors' price pages",
    ),
    _Formula(
        "Saving",
        "1 − own cost ÷ bill, for one request; never cut off at 0",
    ),
    _Formula(
        "Break-even utilisation",
        "own cost when idle ÷ (bill at full load − what full load adds to electricity); with "
        "constant electricity: own cost ÷ bill at full load",
        "cost-volume-profit analysis: Horngren, Cost Accounting",
    ),
    _Formula(
        "Cash flow",
        "at each year's end bill × (1+d)^(t−1) − rent − electricity × (1+p)^(t−1) − "
        "operations × (1+g)^(t−1); with tax τ: (bill − running) × (1 − τ) + τ × what is "
        "written off",
        "Brealey, Myers & Allen, Principles of Corporate Finance",
    ),
    _Formula(
        "Net present value",
        "Σ flow ÷ (1+r)^t, each from its own time",
        "as above",
    ),
    _Formula(
        "Internal rate of return",
        "the rate at which the net present value is 0; none where no rate does or several do. It "
        "is looked for between trial rates: of two rates that lie between the same two trials "
        "neither is seen, and this file may then say none, or name a third one, where tco itself "
        "says that there are several",
        "as above; sheet Workings",
    ),
    _Formula(
        "Payback",
        "when the sum of the flows, without sales, first reaches 0; each year's flow spread evenly",
        "NREL/TP-462-5173; sheet Workings",
    ),
    _Formula(
        "Levelised saving",
        "1 − present value of owning, less sales ÷ present value of the bill, over the horizon",
        "NREL/TP-462-5173",
    ),
    _Formula(
        "Time",
        f"{HOURS_PER_YEAR:,} hours a year, {HOURS_PER_MONTH} a month; rates nominal, growth from "
        "the second year on",
    ),
)


def findings_page(comparison: Comparison, measurement: Measurement, banner: str | None) -> Page:
    """Return the sheet of findings, the worst first."""
    page = Page("Findings", (18, 90, 70), landscape=True)
    page.head("Findings", banner, "What must be said of the figures, as tco found them.")
    page.heading("Kind", "Finding", "What to do", words=(1, 2), frozen=True)
    for each in findings(comparison, measurement):
        page.put(_SEVERITY, each.severity_words, "label")
        page.put(_MESSAGE, each.message, "text")
        page.put(_ADVICE, each.advice, "text")
        page.row += 1
    return page


def ways_page(comparison: Comparison, banner: str | None) -> Page | None:
    """Return the ways to serve the same requests; None where the scenario has only its own."""
    if not comparison.ways:
        return None
    page = Page("Other ways", (40, 18, *(16,) * 6, 20), landscape=True)
    page.head(
        "Ways to serve the same requests, over one horizon",
        banner,
        "As tco found them, the cheapest first: they do not follow the inputs.",
    )
    page.heading(*WAY_HEADS, words=(1,), frozen=True)
    for row in way_rows(comparison):
        for column, text in enumerate(row):
            page.put(column, text, "fixed" if column else "label")
        page.row += 1
    return page


def method_page(comparison: Comparison, banner: str | None) -> Page:
    """Return the sheet of the formulas in words, and what the file was made from."""
    page = Page("Method", (34, 90, 70), landscape=True)
    page.head("Method", banner, "Every formula in words, with its source.")
    page.heading("Figure", "Formula", "Source", words=(1, 2), frozen=True)
    for each in _METHOD:
        page.put(0, each.figure, "label")
        page.put(1, each.words, "text")
        page.put(2, each.source, "words")
        page.row += 1
    page.section("The steps of the sheet Cost")
    for step in STEPS.values():
        page.put(0, f"{step.label}, {step.unit}", "label")
        page.put(1, step.words, "text")
        page.row += 1
    page.section("What this file was made from")
    for title, words in (
        ("Written by", f"tco {comparison.tool_version}"),
        ("Prices in force on", comparison.date.isoformat()),
        ("Scenario, SHA-256", comparison.scenario_sha256),
        ("Measurement file, SHA-256", comparison.measurement_sha256 or "none: no file"),
    ):
        page.put(0, title, "label")
        page.put(1, words, "text")
        page.row += 1
    return page
