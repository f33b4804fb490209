"""What the load client is told for one load: the server, the requests, their times, the limits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from tco import __version__
from tco.errors import InputError
from tco.measure.client_plan import ClientPlan, processes_for
from tco.measure.engine import EngineHandle
from tco.measure.hold import HoldLimits
from tco.measure.raw_folder import WORKLOAD_NAME
from tco.measure.replay import replay_for
from tco.measure.request import WORDS, RequestForm
from tco.measure.schedule import poisson_arrivals, with_arrivals, workload_for
from tco.measure.tried import Load
from tco.scenario import Scenario
from tco.workload import Workload

ROWS: Final = 4096
_DRAIN_SHARE = 0.25
_LEAST_DRAIN_S = 60.0
_HTTPS_PORT, _HTTP_PORT = 443, 80
_SPARE_SHARE, _SPARE = 1.5, 16  # connections opened for an open loop, beyond those expected
_MOST_CONNECTIONS = 4096
_LATENCIES_OF_WARM_UP, _LEAST_LATENCIES_OF_WARM_UP, _LEAST_WARM_UP_S = 5.0, 2.0, 2.0
_LATENCIES_OF_TAIL, _LEAST_TAIL_S = 1.5, 1.0


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """A load in full.

    Attributes:
        load: streams, or a rate.
        limits: how long its parts are.
        workload: its requests; of an open loop with their arrivals.
        connections: to open before the clock.
        processes: of the client, for the events expected.
        starts: sessions of an open loop that begin in the window.
    """

    load: Load
    limits: HoldLimits
    workload: Workload
    connections: int
    processes: int = 1
    starts: int = 0

    @property
    def offered_requests_per_s(self) -> float | None:
        """The requests of the sessions that begin in the window, by its length."""
        if not self.load.is_open:
            return None
        per_session = len(self.workload) / max(1, self.workload.sessions())
        return self.starts * per_session / self.limits.window_s


def load_limits(
    load: Load, *, window_s: float, limit_s: float, e2e_s: float, session_s: float | None = None
) -> HoldLimits:
    """Return how long the parts of a load are.

    An open loop warms up for five times as long as a session takes (a lone request is one),
    since it begins with nothing in flight (less where that is longer than the window, but twice
    as long in any case), and goes on for one and a half times a request's time after the window.

    Args:
        load: what is held.
        window_s: the steady window.
        limit_s: for all of it; an open loop is given more where its parts are longer.
        e2e_s: how long a request takes, by the points before.
        session_s: how long a session takes, from its start to its last answer; None: as a request.
    """
    if not load.is_open:
        return HoldLimits(window_s, limit_s)
    lasts_s = session_s or e2e_s
    longest_s = max(window_s, _LEAST_LATENCIES_OF_WARM_UP * lasts_s)
    warm_up_s = max(_LEAST_WARM_UP_S, min(_LATENCIES_OF_WARM_UP * lasts_s, longest_s))
    tail_s = max(_LEAST_TAIL_S, _LATENCIES_OF_TAIL * e2e_s)
    # The client ends by itself at the limit, which must not fall into the load.
    most_s = max(limit_s, warm_up_s + window_s + tail_s)
    return HoldLimits(window_s, most_s, warm_up_s=warm_up_s, tail_s=tail_s)


def session_s(scenario: Scenario, *, e2e_s: float) -> float:
    """Return how long a mean session takes, waits for tools included.

    Args:
        scenario: whose traffic it is.
        e2e_s: how long each of its requests takes.

    Raises:
        InputError: lengths that cannot be drawn as stated, or a trace that has changed.
    """
    drawn = workload_for(scenario, seed=scenario.bench.seed, rows=ROWS)
    waits_s = float(drawn.wait_s[~drawn.is_first_turn()].sum())
    return (len(drawn) * e2e_s + waits_s) / drawn.sessions()


def load_plan(
    load: Load,
    limits: HoldLimits,
    scenario: Scenario,
    *,
    seed: int,
    e2e_s: float,
    events_per_s: float,
) -> LoadPlan:
    """Return a load with its requests drawn.

    Args:
        load: what is held.
        limits: how long its parts are.
        scenario: whose traffic it is.
        seed: draws it.
        e2e_s: how long a request takes, by the points before.
        events_per_s: that the client must take in, as far as known.

    Raises:
        InputError: lengths that cannot be drawn as stated, a trace that has changed, or a window
            in which an open loop begins nothing.
    """
    rate = load.requests_per_s
    if rate is None:
        workload = workload_for(scenario, seed=seed, rows=ROWS)
        return LoadPlan(load, limits, workload, load.streams or 1, processes_for(events_per_s))
    parts_s = (limits.warm_up_s or 0.0, limits.window_s, limits.tail_s)
    if load.is_replay:
        workload = _replayed(scenario, sum(parts_s))
    else:
        drawn = workload_for(scenario, seed=seed, rows=round(rate * sum(parts_s)) + 1)
        starts_per_s = rate * drawn.sessions() / len(drawn)
        workload = with_arrivals(drawn, poisson_arrivals(starts_per_s, parts_s, seed))
    at_s = workload.at_s[workload.is_first_turn()]
    starts = int(((at_s >= parts_s[0]) & (at_s < sum(parts_s[:2]))).sum())
    if starts == 0:
        raise InputError(
            f"at {load.words()} nothing is due in a window of {limits.window_s:g} s",
            key="bench.window_s",
            remedy="make it long enough for many requests",
        )
    expected = int(min(_MOST_CONNECTIONS, _SPARE_SHARE * rate * e2e_s + _SPARE))
    return LoadPlan(load, limits, workload, expected, processes_for(events_per_s), starts)


def _replayed(scenario: Scenario, length_s: float) -> Workload:
    """Return the trace at its own times for that long: from its start, again and again."""
    trace = replay_for(scenario)
    if trace is None:
        raise ValueError("the scenario has no trace with arrivals")
    at_s = trace.at_s[trace.is_first_turn()]
    # The last arrival is followed by the first of the next pass after a mean gap.
    lap_s = float(at_s[-1]) * (1 + 1 / max(1, len(at_s) - 1)) or length_s
    laps = int(np.ceil(length_s / lap_s))
    times = np.concatenate([at_s + lap * lap_s for lap in range(laps)])
    return with_arrivals(trace, times[times < length_s])


def replay_load(scenario: Scenario) -> Load | None:
    """Return the replay of the scenario's trace; None without one that replays arrivals."""
    trace = replay_for(scenario)
    if trace is None or len(trace) == 0:
        return None
    span_s = float(np.nanmax(trace.at_s))
    rate = len(trace) / span_s if span_s > 0 else 1.0
    return Load(requests_per_s=float(f"{rate:.4g}"), is_replay=True)


def fresh_seed(seed: int, number: int, *extra: int) -> int:
    """Return the seed of a point: no two have alike prompts, which a cache would answer."""
    return int(np.random.SeedSequence([seed, number, *extra]).generate_state(1)[0])


def client_plan(
    plan: LoadPlan, handle: EngineHandle, form: RequestForm, *, seed: int, folder: Path
) -> ClientPlan:
    """Write the workload into the point's folder; return what the load client is told."""
    folder.mkdir(parents=True, exist_ok=True)
    plan.workload.save(folder / WORKLOAD_NAME)
    url = urlsplit(handle.url)
    is_tls = url.scheme == "https"
    headers = {
        "Host": url.netloc.rpartition("@")[2],
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
        "User-Agent": f"tco/{__version__}",
    }
    if handle.api_key:
        headers["Authorization"] = f"Bearer {handle.api_key}"
    limit_s = plan.limits.limit_s
    return ClientPlan(
        host=url.hostname or "",
        port=url.port or (_HTTPS_PORT if is_tls else _HTTP_PORT),
        tls=is_tls,
        path=url.path.rstrip("/") + form.path,
        headers=headers,
        body=form.body,
        prompt_key="messages" if form.is_chat else "prompt",
        workload=os.fspath(folder / WORKLOAD_NAME),
        streams=plan.connections,
        is_open=plan.load.is_open,
        processes=plan.processes,
        seed=seed,
        out_dir=os.fspath(folder),
        vocabulary=form.vocabulary,
        words=WORDS if form.is_chat else (),
        tokens_per_word=form.tokens_per_word,
        frame_tokens=form.frame_tokens,
        asks_min_tokens=form.asks_min_tokens,
        timeout_s=limit_s,
        drain_s=max(_LEAST_DRAIN_S, _DRAIN_SHARE * limit_s),
        max_s=limit_s + max(_LEAST_DRAIN_S, _DRAIN_SHARE * limit_s),
    )
