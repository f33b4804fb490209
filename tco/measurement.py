"""A Measurement is what was observed of one replica: load points, provenance and findings.

`measure` writes it, `cost` and `report` read it; they meet nowhere else. Latencies are
in milliseconds, rates in tokens or requests a second, power in watts, shares from 0 to 1.
`None` means "not known" or "not reported", never zero.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tco.finding import Finding
from tco.quantity import fault
from tco.scenario import Shape, mean_tokens

Origin = Literal["measured", "imported", "published"]
# Wide enough for what any scenario's figures give, and no product of such overflows.
Figure = Annotated[float, Field(ge=0, le=1e40)]
Share = Annotated[float, Field(ge=0, le=1)]


class Record(BaseModel):
    """What every part of a measurement file shares."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Interval(Record):
    """A confidence interval and what it covers (`within one run`, …).

    `level` is None for the bracket of a search, which is no confidence interval.
    """

    low: float
    high: float
    level: float | None = 0.95
    covers: str = "within one run"

    @model_validator(mode="after")
    def _low_below_high(self) -> Self:
        if self.low > self.high:
            raise fault(f"must not be above high ({self.high:g}), got {self.low:g}", key="low")
        return self


class Quantiles(Record):
    """A latency in ms: count, mean, and quantiles (None with too few values for one).

    `max_ms` is None where another tool's result file does not state it.
    """

    count: int
    mean_ms: float
    p50_ms: float | None
    p90_ms: float | None
    p95_ms: float | None
    p99_ms: float | None
    max_ms: float | None


class SloTerm(Record):
    """One limit of the service level, and what was seen (None: too few requests to tell)."""

    latency: Literal["ttft", "tpot", "itl", "e2e"]
    quantile: Share
    limit_ms: Figure
    seen_ms: Figure | None
    holds: bool | None


class ServiceLevel(Record):
    """Whether a point kept the service level, and what it delivered within it.

    `holds` is None where a quantile could not be told. Goodput counts the requests that keep
    every limit by themselves (an ITL limit by the request's own quantile of gaps); failed
    requests keep none.
    """

    holds: bool | None
    terms: tuple[SloTerm, ...]
    goodput_requests_per_s: Figure
    goodput_share: Share


class OpenLoop(Record):
    """What an open loop asked and did: arrivals a second offered and sent, and its queue.

    `in_flight_slope_per_s` is the growth of requests in flight over the window, with its 95 %
    interval; `is_overloaded` where that interval is above 0. `load` is offered / capacity.
    """

    offered_requests_per_s: Figure
    sent_requests_per_s: Figure
    in_flight_slope_per_s: float
    in_flight_slope_interval: Interval | None
    is_overloaded: bool
    load: Figure | None = None


class Sessions(Record):
    """Agent sessions: those that ended in the window, and how long each took (job latency).

    `job` is from a session's start to its final answer's last token, waits included;
    `busy` is the same without tool waits and think time.
    """

    concurrent_asked: int
    completed: int
    requests_mean: Figure
    job: Quantiles | None
    busy: Quantiles | None


class MeasuredShape(Record):
    """The request that was sent: mean lengths in tokens, and the cached share asked for.

    `cached_input_share` is None where another tool's result file does not state it.
    """

    input_tokens: Figure
    cached_input_share: Share | None
    output_tokens: Figure


class Rates(Record):
    """Four rates of one replica; total is the sum of input and output, exactly."""

    requests_per_s: Figure
    input_tok_per_s: Figure
    output_tok_per_s: Figure
    total_tok_per_s: Figure
    output_tok_per_s_interval: Interval | None = None


class Latency(Record):
    """Latencies of the requests completed in the window; ITL is over pooled gaps."""

    ttft: Quantiles | None
    tpot: Quantiles | None
    itl: Quantiles | None
    e2e: Quantiles | None


class Failures(Record):
    """Failed requests by kind, and their share of those that ended."""

    count: int
    share: float
    by_kind: dict[str, int]


class TokenCounts(Record):
    """The same tokens counted three ways over the whole run, from idle to idle.

    `client_*` is counted from events, `usage_*` from the server's usage of each
    request, `metrics_*` from its /metrics counters; None where not reported.
    """

    client_output: int
    usage_output: int | None
    metrics_output: int | None
    client_input: int
    usage_input: int | None
    metrics_input: int | None
    cached_input: int | None


class ClientHealth(Record):
    """What the load client did itself: lag of its sends and of its stamps, CPU, events.

    `send_lag` is from a request's intended time to its being sent; `stamp_lag` is by how much a
    token may have arrived earlier than it was stamped (0: the kernel stamped it); `wake_lag` is
    how late the client's loop woke. Over the window: `cpu_wait_share` of the time the client
    could run and had no core; `cpu_throttled_share` of it a CPU quota held its control group;
    `cpu_stolen_share` of the cores' time the hypervisor gave to others. `is_real_time`: the
    scheduler ran the client before ordinary processes.
    """

    send_lag_p50_ms: float | None
    send_lag_p99_ms: float | None
    stamp_lag_p50_ms: float | None = None
    stamp_lag_p99_ms: float | None = None
    wake_lag_p50_ms: float | None = None
    wake_lag_p99_ms: float | None = None
    cpu_s: float
    cpu_share: float
    cpu_wait_share: float | None = None
    cpu_throttled_share: float | None = None
    cpu_stolen_share: float | None = None
    is_real_time: bool | None = None
    events: int
    round_trip_ms: float | None


class ServerLoad(Record):
    """What the server's /metrics said during the window; gauges are means of samples."""

    samples: int
    running_mean: float | None
    waiting_mean: float | None
    kv_cache_usage_max: float | None
    preemptions: int | None
    prefix_cache_hit_share: float | None
    output_tok_per_s: float | None


class MeasuredPower(Record):
    """What a power meter said: `accelerators` or `package` never stand for the wall.

    `load_w` is the mean over the window, `idle_w` that before the first point with the engine
    loaded and no request. `run_energy_j` is over the whole run of the point, from idle to idle,
    and `joules_per_output_token` is that by the run's output tokens. `source` names the meter.
    """

    meter: Literal["nvml", "dcgm", "rapl", "wall"]
    covers: Literal["accelerators", "package", "wall"]
    accelerators: Annotated[int, Field(ge=1)] | None
    idle_w: Figure | None
    load_w: Figure
    run_energy_j: Figure | None = None
    joules_per_output_token: Figure | None = None
    samples: int | None = None
    source: str | None = None


class LoadPoint(Record):
    """One load held on the engine: what was asked, what was delivered, what was seen.

    `purpose`: `curve` (a closed loop at one concurrency), `search` (an open loop that looks for
    the capacity at the service level) or `target` (the load to verify). `key_sha256` is of all
    that makes a point reusable: shape, service level, engine, host, load. `other_power` are the
    meters beside the one that stands in `power`.
    """

    purpose: Literal["curve", "search", "target"] = "curve"
    loop: Literal["closed", "open"] | None
    concurrency_asked: int | None
    concurrency_delivered: float | None
    offered_requests_per_s: float | None
    started_at: dt.datetime | None
    warm_up_s: float
    window_s: float
    run_s: float
    seed: int | None
    engine_start_id: str | None
    requests_sent: int
    requests_in_window: int
    requests_unfinished: int
    rates: Rates
    whole_run_rates: Rates | None
    latency: Latency
    failures: Failures
    tokens: TokenCounts | None
    tokens_per_event_mean: float | None
    token_count_source: Literal["token_ids", "continuous_usage", "usage"] | None
    client: ClientHealth | None
    server: ServerLoad | None
    power: MeasuredPower | None
    load_average_1m: float | None
    findings: tuple[Finding, ...] = ()
    service_level: ServiceLevel | None = None
    open_loop: OpenLoop | None = None
    sessions: Sessions | None = None
    other_power: tuple[MeasuredPower, ...] = ()
    key_sha256: str | None = None

    @property
    def is_overloaded(self) -> bool:
        """Say whether an open loop's requests came faster than they were answered."""
        return self.open_loop is not None and self.open_loop.is_overloaded


class EngineFacts(Record):
    """Which engine was measured, and with which settings."""

    name: str
    version: str | None
    model: str
    model_is_dummy: bool
    attached: bool
    url: str
    command: tuple[str, ...] | None
    env: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, str] = Field(default_factory=dict)
    start_s: float | None
    start_id: str

    @property
    def name_and_version(self) -> str:
        """Return both, as far as they are known: `vllm 0.32.0`."""
        return " ".join(filter(None, (self.name, self.version)))


class HostFacts(Record):
    """The machine of engine and client."""

    system: str
    cpu: str
    cpu_count: int
    memory_gib: float
    python: str
    accelerators: tuple[str, ...] = ()
    driver: str | None = None


class PublishedFigure(Record):
    """A figure somebody else stated."""

    source: str
    date: dt.date | None


class ImportedFrom(Record):
    """The result file of another tool: what it was, and what it does not tell.

    `recorded` is when the run was, in the file's own words (often without a time zone).
    """

    tool: str
    tool_version: str | None
    recorded: str | None = None
    model: str | None = None
    file_name: str
    file_sha256: str
    lacks: tuple[str, ...]


class Measurement(Record):
    """One replica's load points; `capacity_point` is the index of the one that is capacity.

    A published figure has no points: `published_rates` holds its rates. `capacity_interval` is
    of the capacity's output rate (tok/s) where it is not the point's own: the bracket of the
    search, or the interval across engine starts. `target_point` is the point at the load to
    verify; the same as the capacity point where the target is the full load. `is_complete` is
    False of a bench that has not ended: a later one takes it up.
    """

    schema_: Literal["tco.measurement/1"] = Field(alias="schema", default="tco.measurement/1")
    tool_version: str
    created_at: dt.datetime
    origin: Origin
    shape: MeasuredShape
    points: tuple[LoadPoint, ...] = ()
    capacity_point: Annotated[int, Field(ge=0)] | None = None
    capacity_interval: Interval | None = None
    target_point: Annotated[int, Field(ge=0)] | None = None
    is_complete: bool = True
    published_rates: Rates | None = None
    published: PublishedFigure | None = None
    imported: ImportedFrom | None = None
    engine: EngineFacts | None = None
    host: HostFacts | None = None
    scenario_sha256: str | None = None
    findings: tuple[Finding, ...] = ()

    @model_validator(mode="after")
    def _chosen_points_exist(self) -> Self:
        for key in ("capacity_point", "target_point"):
            chosen = getattr(self, key)
            if chosen is not None and chosen >= len(self.points):
                raise fault(f"must be one of the {len(self.points)} points, got {chosen}", key=key)
        return self

    def capacity(self) -> Rates:
        """Return the rates of one replica at capacity.

        Raises:
            ValueError: the measurement has neither a capacity point nor published rates.
        """
        if self.capacity_point is not None:
            return self.points[self.capacity_point].rates
        if self.published_rates is not None:
            return self.published_rates
        raise ValueError("the measurement has no capacity point")

    def rate_interval(self) -> Interval | None:
        """Return the interval of the capacity's output rate (tok/s): across, else within."""
        if self.capacity_interval is not None:
            return self.capacity_interval
        point = self.capacity_point
        rates = self.published_rates if point is None else self.points[point].rates
        return None if rates is None else rates.output_tok_per_s_interval

    def all_findings(self) -> tuple[Finding, ...]:
        """Return the findings of the whole and of every point."""
        return self.findings + tuple(f for point in self.points for f in point.findings)


def measured_shape(shape: Shape) -> MeasuredShape:
    """Return a scenario's shape as means (tokens; cached share 0 to 1)."""
    return MeasuredShape(
        input_tokens=mean_tokens(shape.input_tokens),
        cached_input_share=shape.cached_input_share.value,
        output_tokens=mean_tokens(shape.output_tokens),
    )


def rates_of(requests_per_s: float, shape: MeasuredShape) -> Rates:
    """Return the four rates (tok/s) of requests of that mean shape; total is the exact sum."""
    input_tok_per_s = requests_per_s * shape.input_tokens
    output_tok_per_s = requests_per_s * shape.output_tokens
    return Rates(
        requests_per_s=requests_per_s,
        input_tok_per_s=input_tok_per_s,
        output_tok_per_s=output_tok_per_s,
        total_tok_per_s=input_tok_per_s + output_tok_per_s,
    )
