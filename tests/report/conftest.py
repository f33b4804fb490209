"""A small report to render: hand-made, with every kind of value once."""

from __future__ import annotations

import datetime as dt

import pytest

from tco.comparison import (
    AlternativeResult,
    Capacity,
    Comparison,
    CostParts,
    PriceSource,
    SelfHost,
    Served,
    UtilisationRow,
)
from tco.finding import Finding
from tco.measurement import Measurement
from tco.scenario import Scenario

OWN_AT_FULL_USD = 0.17
PRICE_USD = 0.5


def scenario_tree() -> dict[str, object]:
    return {
        "schema": "tco.scenario/1",
        "name": "Nemotron on a DGX Station",
        "date": "2026-12-02",
        "traffic": {
            "shape": {"input_tokens": 512, "output_tokens": 512},
            "target_utilisation": {"value": 0.6, "low": 0.4, "high": 0.8, "source": "plan 2027"},
        },
        "engine": {
            "launch": {
                "model": "nvidia/nemotron",
                "args": {"max-num-seqs": 256},
                "env": {"OMP_NUM_THREADS": "1", "HF_TOKEN": "swordfish"},
            },
            "concurrency": 256,
        },
        "hardware": {
            "purchase": {
                "price_usd": {"value": 96995.99, "source": "https://example.com/offer?a=1&b=2"},
                "life_years": 3,
            }
        },
        "power": {"idle_w": 300, "load_w": 1300, "pue": 1.3, "usd_per_kwh": 0.1437},
        "alternatives": [
            {
                "name": "Together Nemotron",
                "usd_per_million": {"input": "0.10", "output": "0.40"},
                "same_weights": True,
            }
        ],
    }


@pytest.fixture(scope="session")
def make_scenario():
    def make(**changes) -> Scenario:
        from decimal import Decimal

        tree = scenario_tree() | changes
        tree["alternatives"] = [
            {
                "name": "Together Nemotron",
                "usd_per_million": {"input": Decimal("0.10"), "output": Decimal("0.40")},
                "same_weights": True,
            }
        ]
        return Scenario.model_validate(tree)

    return make


@pytest.fixture(scope="session")
def scenario(make_scenario) -> Scenario:
    return make_scenario()


def rival(**changes) -> AlternativeResult:
    values = {
        "name": "Together Nemotron",
        "price_source": PriceSource(
            table="scenario",
            provider="together",
            model="nemotron-3.5-super",
            service="standard",
            date=dt.date(2026, 11, 20),
            row_sha256="ab" * 32,
        ),
        "usd_per_million_input": 0.10,
        "usd_per_million_cached_input": None,
        "usd_per_million_output_price": 0.40,
        "usd_per_request": 0.000256,
        "usd_per_year": 112_000.0,
        "usd_per_million_output": PRICE_USD,
        "usd_per_million_total": PRICE_USD / 2,
        "saving": 0.4333333333,
        "saving_interval": None,
        "saving_usd_per_year": 48_533.0,
        "levelised_saving": 0.41,
        "break_even_utilisation": 0.34,
        "break_even_requests_per_month": 20_656_250.0,
        "break_even_within_capacity": True,
        "npv_usd": 121_456.7,
        "irr": 0.61,
        "payback_years": 1.2,
        "discounted_payback_years": 1.35,
        "net_flows_usd": (-96_995.99, 72_000.0, 72_000.0, 72_000.0),
        "flow_times_years": (0.0, 1.0, 2.0, 3.0),
        "paid_by": tuple(
            {"years": years, "own_usd": own_usd, "api_usd": api_usd, "ahead_usd": api_usd - own_usd}
            for years, own_usd, api_usd in (
                (0.0, 0.0, 0.0),
                (0.0, 96_995.99, 0.0),
                (1.0, 136_995.99, 112_000.0),
                (2.0, 176_995.99, 224_000.0),
                (3.0, 216_995.99, 336_000.0),
            )
        ),
        "same_weights": True,
    }
    return AlternativeResult.model_validate(values | changes)


def parts_of(factor: float) -> CostParts:
    lines = {"capital": 3.9, "rental": 0.0, "power": 0.2, "maintenance": 0.0, "licence": 0.0}
    lines |= {"hosting": 0.0, "staff": 0.0, "other": 0.0}
    return CostParts(**{name: usd * factor for name, usd in lines.items()})


def own(utilisation: float = 0.6) -> SelfHost:
    per_million = OWN_AT_FULL_USD / utilisation
    return SelfHost(
        utilisation=utilisation,
        servers=1,
        replicas=1,
        usd_per_hour=4.1,
        usd_per_year=35_916.0,
        requests_per_year=437_500_000.0,
        usd_per_request=per_million * 512 / 1e6,
        usd_per_million_output=per_million,
        usd_per_million_total=per_million / 2,
        parts_usd_per_hour=parts_of(1.0),
        parts_usd_per_year=parts_of(8760),
        parts_usd_per_million_output=parts_of(per_million / 4.1),
        parts_share=parts_of(1 / 4.1),
        cash_at_start_usd=96_995.99,
    )


@pytest.fixture(scope="session")
def make_rival():
    return rival


@pytest.fixture(scope="session")
def make_comparison():
    def make(**changes) -> Comparison:
        alternatives = changes.pop("alternatives", (rival(),))
        rates = {
            "requests_per_s": 23.125,
            "input_tok_per_s": 11840.0,
            "output_tok_per_s": 11840.0,
            "total_tok_per_s": 23680.0,
        }
        rows = tuple(
            UtilisationRow(
                utilisation=hundredth / 100,
                usd_per_million_output=OWN_AT_FULL_USD * 100 / hundredth,
                saving=tuple(
                    1 - OWN_AT_FULL_USD * 100 / hundredth / PRICE_USD for _ in alternatives
                ),
            )
            for hundredth in range(1, 101)
        )
        values = {
            "tool_version": "0.1.0",
            "date": dt.date(2026, 12, 2),
            "scenario_sha256": "1" * 64,
            "measurement_sha256": "2" * 64,
            "name": "Nemotron on a DGX Station",
            "currency": "USD",
            "capacity": Capacity(**rates, origin="measured", interval=None),
            "served": Served(**{name: rate * 0.6 for name, rate in rates.items()}),
            "self_host": own(),
            "alternatives": alternatives,
            "utilisation": rows,
            "findings": (
                Finding(
                    kind="no_service_level",
                    severity="warn",
                    path="slo",
                    message="No service level is stated; a saturated rate is batch service.",
                    advice="State slo, or compare with the batch price.",
                ),
            ),
        }
        return Comparison.model_validate(values | changes)

    return make


@pytest.fixture(scope="session")
def comparison(make_comparison) -> Comparison:
    return make_comparison()


@pytest.fixture(scope="session")
def measurement(make_measurement) -> Measurement:
    return make_measurement()


DEMO = Finding(
    kind="method_demonstration", severity="warn", path="engine", message="dummy", advice="none"
)


@pytest.fixture(scope="session")
def demonstration(make_comparison) -> Comparison:
    return make_comparison(findings=(DEMO,))


@pytest.fixture(scope="session")
def write_files(demonstration, scenario, measurement):
    from tco.report.render import DEFAULT_FORMATS, render

    def write(folder):
        return render(demonstration, scenario, measurement, formats=DEFAULT_FORMATS, out_dir=folder)

    return write


@pytest.fixture(scope="session")
def files(tmp_path_factory, write_files):
    """The demonstration's files, written once: a test only reads them."""
    return write_files(tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="session")
def make_load(make_point, make_quantiles):
    """Return a maker of judged loads by rate (output tok/s) and p95 latencies (ms)."""

    def make(rate, ttft_ms, tpot_ms, *, streams=None, limits=(2000.0, 50.0), **changes):
        seen = {"ttft": ttft_ms, "tpot": tpot_ms}
        terms = tuple(
            {
                "latency": name,
                "quantile": 0.95,
                "limit_ms": limit_ms,
                "seen_ms": seen[name],
                "holds": None if seen[name] is None else seen[name] <= limit_ms,
            }
            for name, limit_ms in zip(seen, limits or (), strict=False)
        )
        verdicts = [term["holds"] for term in terms]
        holds = False if False in verdicts else None if None in verdicts else True
        level = {
            "holds": holds,
            "terms": terms,
            "goodput_requests_per_s": rate / 512 * 0.9,
            "goodput_share": 0.9,
        }
        slope = {
            "offered_requests_per_s": rate / 512,
            "sent_requests_per_s": rate / 512,
            "in_flight_slope_per_s": 0.012,
            "in_flight_slope_interval": {"low": -0.01, "high": 0.034},
            "is_overloaded": False,
            "load": 0.8,
        }
        rates = {
            "requests_per_s": rate / 512,
            "input_tok_per_s": rate,
            "output_tok_per_s": rate,
            "total_tok_per_s": 2 * rate,
            "output_tok_per_s_interval": {"low": rate * 0.98, "high": rate * 1.02},
        }
        latency = {
            name: None if ms is None else make_quantiles(ms / 1.8) for name, ms in seen.items()
        }
        values = {
            "loop": "open" if streams is None else "closed",
            "purpose": "search" if streams is None else "curve",
            "concurrency_asked": streams,
            "concurrency_delivered": streams,
            "offered_requests_per_s": rate / 512 if streams is None else None,
            "open_loop": slope if streams is None else None,
            "rates": rates,
            "latency": latency | {"itl": latency["tpot"], "e2e": None},
            "service_level": level if terms else None,
        }
        return make_point(**values | changes)

    return make


@pytest.fixture(scope="session")
def searched(make_measurement, make_load):
    """A capacity found by search: five closed loops, four open ones, and the load to verify."""
    closed = [
        make_load(12000 * n / (n + 90), 60 + 3.1 * n, 8 + 0.16 * n, streams=n)
        for n in (1, 4, 16, 64, 128)
    ]
    opened = [
        make_load(9000, 500, 38),
        make_load(10600, 4200, 58),
        make_load(10200, 2100, 51),
        make_load(10100, 1300, 49.3),
        make_load(8000, 420, 33, purpose="target", engine_start_id="start-2-of-another-day"),
    ]
    bracket = {"low": 10100, "high": 10200, "level": None, "covers": "bracket of the search"}
    return make_measurement(
        points=(*closed, *opened), capacity_point=8, target_point=9, capacity_interval=bracket
    )
