"""The steps from the inputs to the cost of a request: what each is called, and its formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tco.report.workbook.formula import Operand, Term, term
from tco.units import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic, as it is printed."""

    label: str
    unit: str
    form: str
    words: str = ""


RATE, WHOLE, SHARE, HOURLY, TINY, MONEY = (
    "#,##0.000",
    "#,##0.00",
    "0.0##%",
    "$#,##0.0000",
    "$0.0000000000",
    "$#,##0;[Red]-$#,##0",
)
PER_MILLION = "$#,##0.0000"
CENTS = "$#,##0.00;[Red]-$#,##0.00"

STEPS: Mapping[str, Step] = {
    "capacity_requests_per_s": Step(
        "Capacity of one replica", "requests/s", RATE, "its rate ÷ the tokens of one request"
    ),
    "accelerators_per_replica": Step(
        "Accelerators of one replica", "accelerators", "#,##0.##", "stated, else the whole server's"
    ),
    "average_requests_per_s": Step("Average demand", "requests/s", RATE, "averaged over a year"),
    "peak_requests_per_s": Step(
        "Peak demand", "requests/s", RATE, "what the fleet is sized on, not below the average"
    ),
    "replicas": Step(
        "Paid replicas",
        "replicas",
        "#,##0.##",
        "peak ÷ (capacity × target × availability), rounded up, + spares; as many as a server "
        "holds where there is no demand",
    ),
    "servers": Step(
        "Paid servers",
        "servers",
        "#,##0.##",
        "replicas × accelerators of one ÷ accelerators of a server, rounded up",
    ),
    "utilisation": Step(
        "Utilisation",
        "share",
        SHARE,
        "requests served ÷ (paid replicas × capacity), over the year; or as stated",
    ),
    "filled_share": Step(
        "Accelerators that hold a replica",
        "share",
        SHARE,
        "of all accelerators paid; the others idle",
    ),
    "full_load_requests_per_s": Step(
        "Fleet at full load", "requests/s", RATE, "replicas × capacity"
    ),
    "requests_per_hour": Step(
        "Requests served", "requests/hour", "#,##0.0", "full load × utilisation × 3,600 s"
    ),
    "server_capital_usd_per_year": Step(
        "Capital of one server",
        "USD/year",
        CENTS,
        "annuity: PMT(rate, life, price + one-off, residual); straight line: (price + one-off − "
        "residual) ÷ life",
    ),
    "one_off_usd_per_year": Step(
        "One-off sums of the fleet", "USD/year", CENTS, "spread likewise over the horizon"
    ),
    "capital": Step("Capital", "USD/hour", HOURLY, "(servers × capital + one-off) ÷ 8,760 h"),
    "rental": Step("Rental", "USD/hour", HOURLY, "servers × rent, busy or idle"),
    "idle_usd_per_hour": Step(
        "Electricity when idle", "USD/hour", HOURLY, "servers × idle W ÷ 1,000 × PUE × price"
    ),
    "full_usd_per_hour": Step(
        "Electricity at full load",
        "USD/hour",
        HOURLY,
        "servers × (idle W + (load W − idle W) × filled accelerators) ÷ 1,000 × PUE × price",
    ),
    "power": Step(
        "Electricity", "USD/hour", HOURLY, "a straight line between the two, at the utilisation"
    ),
    "maintenance": Step(
        "Maintenance",
        "USD/hour",
        HOURLY,
        "servers × (share × price + accelerators × failures × repair) ÷ 8,760 h",
    ),
    "licence": Step("Licences", "USD/hour", HOURLY, "servers × accelerators × licence ÷ 8,760 h"),
    "hosting": Step(
        "Hosting",
        "USD/hour",
        HOURLY,
        f"servers × (hosting + load kW × colocation) ÷ {HOURS_PER_MONTH:g} h",
    ),
    "staff": Step("Staff", "USD/hour", HOURLY, "people × cost of one ÷ 8,760 h"),
    "other": Step("Other", "USD/hour", HOURLY, "÷ 8,760 h"),
    "reachable_utilisation": Step(
        "Highest utilisation that still serves the peak",
        "share",
        SHARE,
        "target × availability × (replicas − spares) ÷ replicas ÷ peak-to-average; at most 1",
    ),
    "usd_per_hour": Step("Own cost", "USD/hour", HOURLY, "sum of the eight lines"),
    "usd_per_request": Step(
        "Own cost of a request", "USD/request", TINY, "USD per hour ÷ requests served per hour"
    ),
}
LINES = ("capital", "rental", "power", "maintenance", "licence", "hosting", "staff", "other")

# Places a step's formula in a cell and returns the cell.
Let = Callable[[str, Term], Term]


@dataclass(frozen=True, slots=True)
class Given:
    """The inputs by scenario key."""

    terms: Mapping[str, Term]

    def __call__(self, key: str, default: Operand = 0.0) -> Term:
        """Return the input, or the default where there is none."""
        return self.terms.get(key, term(default))

    def has(self, key: str) -> bool:
        """Say whether there is such an input."""
        return key in self.terms

    def replaced(self, key: str, by: Term) -> Given:
        """Return the inputs with another one in the place of one."""
        return Given({**self.terms, key: by})
