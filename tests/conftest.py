"""Settings, the load point that tests share, and the Chromium that shows a page."""

import datetime as dt
import shutil

import pytest
from hypothesis import settings

from tco.measurement import (
    ClientHealth,
    EngineFacts,
    Failures,
    HostFacts,
    Interval,
    Latency,
    LoadPoint,
    MeasuredShape,
    Measurement,
    Quantiles,
    Rates,
    TokenCounts,
)

_QUIET = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

# How long an example takes says nothing about the code on a shared machine.
settings.register_profile("tco", deadline=None)
settings.load_profile("tco")


def quantiles(scale: float) -> Quantiles:
    return Quantiles(
        count=1024,
        mean_ms=scale,
        p50_ms=scale * 0.9,
        p90_ms=scale * 1.5,
        p95_ms=scale * 1.8,
        p99_ms=None,
        max_ms=scale * 4,
    )


@pytest.fixture(scope="session")
def make_quantiles():
    """Return a maker of a latency's quantiles (no p99) with that mean in ms."""
    return quantiles


@pytest.fixture(scope="session")
def make_point():
    """Return a maker of load points: a closed loop of 256 streams, with any field changed."""

    def make(**changes) -> LoadPoint:
        rates = Rates(
            requests_per_s=23.125,
            input_tok_per_s=11840.0,
            output_tok_per_s=11840.0,
            total_tok_per_s=23680.0,
            output_tok_per_s_interval=Interval(low=11700.0, high=11980.0),
        )
        values = LoadPoint(
            loop="closed",
            concurrency_asked=256,
            concurrency_delivered=255.6,
            offered_requests_per_s=None,
            started_at=dt.datetime(2026, 12, 2, 10, 0, tzinfo=dt.UTC),
            warm_up_s=20.0,
            window_s=60.0,
            run_s=90.0,
            seed=7,
            engine_start_id="start-1",
            requests_sent=2400,
            requests_in_window=1387,
            requests_unfinished=256,
            rates=rates,
            whole_run_rates=rates,
            latency=Latency(
                ttft=quantiles(420.0), tpot=quantiles(21.0), itl=quantiles(21.5), e2e=None
            ),
            failures=Failures(count=2, share=0.0008, by_kind={"http_503": 2}),
            tokens=TokenCounts(
                client_output=1_228_800,
                usage_output=1_228_800,
                metrics_output=None,
                client_input=1_228_800,
                usage_input=1_228_800,
                metrics_input=1_228_800,
                cached_input=None,
            ),
            tokens_per_event_mean=1.02,
            token_count_source="token_ids",  # noqa: S106  no password
            client=ClientHealth(
                send_lag_p50_ms=0.1,
                send_lag_p99_ms=0.6,
                cpu_s=12.0,
                cpu_share=0.13,
                events=1_204_705,
                round_trip_ms=0.2,
            ),
            server=None,
            power=None,
            load_average_1m=1.4,
        )
        return LoadPoint.model_validate(values.model_dump() | changes)

    return make


@pytest.fixture(scope="session")
def make_measurement(make_point):
    def make(**changes) -> Measurement:
        values = {
            "tool_version": "0.1.0",
            "created_at": dt.datetime(2026, 12, 2, 10, 2, tzinfo=dt.UTC),
            "origin": "measured",
            "shape": MeasuredShape(input_tokens=512, cached_input_share=0, output_tokens=512),
            "points": (make_point(),),
            "capacity_point": 0,
            "engine": EngineFacts(
                name="vllm",
                version="0.32.0",
                model="nvidia/nemotron",
                model_is_dummy=False,
                attached=False,
                url="http://127.0.0.1:8000",
                command=("vllm", "serve", "nvidia/nemotron", "--max-num-seqs", "256"),
                settings={"max_num_seqs": "256"},
                start_s=41.0,
                start_id="start-1",
            ),
            "host": HostFacts(
                system="Linux 6.8", cpu="Xeon", cpu_count=16, memory_gib=251.0, python="3.11.9"
            ),
        }
        return Measurement.model_validate(values | changes)

    return make


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    assert program, "these tests need Chromium on PATH (make test installs it where it may)"
    profile = tmp_path_factory.mktemp("profile")
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=program, args=_QUIET, accept_downloads=True
        )
        yield context
        context.close()


@pytest.fixture
def page(browser):
    """A tab that collects what its console says and whom it asks."""
    tab = browser.new_page()
    tab.said, tab.asked = [], []
    tab.on("console", lambda message: tab.said.append(message.text))
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    tab.on("request", lambda request: tab.asked.append(request.url))
    yield tab
    tab.close()
