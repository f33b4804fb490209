"""DCGM: the GPUs' energy and power that a DCGM exporter shows to a Prometheus.

`DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION` counts mJ, `DCGM_FI_DEV_POWER_USAGE` is in W (DCGM field
identifiers). A value that the GPU does not tell is written as a number far above any real one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tco.finding import Finding
from tco.measure.power.instant import Instant, now
from tco.measure.power.metered import Metered
from tco.measure.power.prometheus import Prometheus, PrometheusError, Samples, selector
from tco.measure.power.readings import LEAST_READINGS, Meter, Readings, power_finding
from tco.measure.power.series import Kind, Series
from tco.units import NS_PER_S

_LOOKBACK_S: Final = 300
_CLOCK_LEAD_S = 2.0


class DcgmError(Exception):
    """The Prometheus has no such series, or of more than one machine; the message says which."""


@dataclass(frozen=True, slots=True)
class _Metric:
    """A metric of the exporter: what it is, its unit in J or W, and what no real value reaches."""

    name: str
    kind: Kind
    unit: float
    blank: float


_METRICS = (
    _Metric("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "counter", 1e-3, 9e18),
    _Metric("DCGM_FI_DEV_POWER_USAGE", "power", 1.0, 1e14),
)


class DcgmMeter(Metered):
    """A recorder that asks a Prometheus for the samples of a span when they are wanted."""

    def __init__(self, server: Prometheus, url: str, labels: Mapping[str, tuple[str, ...]]) -> None:
        """Look for the series.

        Raises:
            PrometheusError: the server does not answer as it must.
            DcgmError: it has no such series, or of more than one machine.
        """
        self._server = server
        self._labels = labels
        self._metric, gpus = _first_metric(server, labels)
        instance = _one_instance(gpus)
        self._clock_lead_s = server.clock_lead_s()
        self._since_ns = now().unix_ns
        self._until_ns: int | None = self._since_ns
        self._failures: list[str] = []
        source = f"DCGM by Prometheus at {url}, {len(gpus)} GPUs of {instance}"
        meter = Meter("dcgm", "accelerators", len(gpus), source, "unix")
        self._readings = Readings(meter, _series(self._metric, gpus))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What must be known of the meter as a whole."""
        found = []
        if abs(self._clock_lead_s) > _CLOCK_LEAD_S:
            found.append(_clock_differs(self._clock_lead_s))
        if self._metric.kind == "power":
            found.append(_BY_POWER)
        if self._failures:
            found.append(_unanswered(len(self._failures), self._failures[-1]))
        return tuple(found)

    def start(self) -> None:
        """Do nothing: the Prometheus records by itself."""

    def stop(self) -> None:
        """Fetch what was scraped until now, and close the connection."""
        if self._until_ns is not None:
            self._fetch()
            self._until_ns = None
            self._server.close()

    def readings(self) -> Readings:
        """Return what was fetched so far."""
        return self._readings

    def readings_until(self, stop: Instant) -> Readings:
        """Return the samples up to a moment, asked for if that is later than the last time."""
        if self._until_ns is not None and self._until_ns < stop.unix_ns:
            self._fetch()
        return self._readings

    def _fetch(self) -> None:
        asked_at_ns = now().unix_ns
        last_s = math.ceil((asked_at_ns - self._since_ns) / NS_PER_S) + _LOOKBACK_S
        try:
            found = self._server.samples(self._metric.name, self._labels, last_s=last_s)
        except PrometheusError as error:
            self._failures.append(str(error))
            return
        gpus = _gpus(self._metric, found)
        if len(gpus) < len(self._readings.series):
            self._failures.append(f"only {len(gpus)} of {len(self._readings.series)} GPUs are told")
            return
        self._readings = Readings(self._readings.meter, _series(self._metric, gpus))
        self._until_ns = asked_at_ns


def _first_metric(
    server: Prometheus, labels: Mapping[str, tuple[str, ...]]
) -> tuple[_Metric, tuple[Samples, ...]]:
    """Return the first metric that every GPU has, and its samples a GPU."""
    best: tuple[_Metric, tuple[Samples, ...]] | None = None
    for metric in _METRICS:
        gpus = _gpus(metric, server.samples(metric.name, labels, last_s=_LOOKBACK_S))
        if gpus and (best is None or len(gpus) > len(best[1])):
            best = metric, gpus
    if best is None:
        wanted = f"{' or '.join(metric.name for metric in _METRICS)}{selector(labels)}"
        raise DcgmError(f"it has no two samples of {wanted} of the last {_LOOKBACK_S} s")
    return best


def _gpus(metric: _Metric, found: Sequence[Samples]) -> tuple[Samples, ...]:
    """Return the samples of each GPU: of all its series, as its pod's labels come and go."""
    merged: dict[tuple[str, str], dict[int, float]] = {}
    labels: dict[tuple[str, str], Mapping[str, str]] = {}
    for one in found:
        gpu = one.labels.get("UUID") or one.labels.get("gpu", "")
        key = (one.labels.get("instance", ""), gpu)
        labels[key] = one.labels
        told = zip(one.times_ns, one.values, strict=True)
        merged.setdefault(key, {}).update((at, v) for at, v in told if 0 <= v < metric.blank)
    return tuple(
        Samples(labels[key], tuple(sorted(values)), tuple(values[at] for at in sorted(values)))
        for key, values in sorted(merged.items())
        if len(values) >= LEAST_READINGS
    )


def _one_instance(gpus: Sequence[Samples]) -> str:
    instances = sorted({gpu.labels.get("instance", "?") for gpu in gpus})
    if len(instances) > 1:
        raise DcgmError(f"its GPUs are of several machines: {', '.join(instances)}")
    return instances[0]


def _series(metric: _Metric, gpus: Sequence[Samples]) -> tuple[Series, ...]:
    return tuple(
        Series(
            np.array(gpu.times_ns, dtype=np.int64),
            np.array(gpu.values, dtype=np.float64) * metric.unit,
            metric.kind,
        )
        for gpu in gpus
    )


def _clock_differs(lead_s: float) -> Finding:
    return power_finding(
        "power_clock_differs",
        "warn",
        f"the clock of the Prometheus is {lead_s:+.1f} s from ours, by which its samples are off",
        "set both by NTP",
        value=abs(lead_s),
        limit=_CLOCK_LEAD_S,
    )


def _unanswered(count: int, reason: str) -> Finding:
    return power_finding(
        "power_readings_lost",
        "warn",
        f"the Prometheus failed to answer {count} times: {reason}",
        "see its log",
        value=count,
        limit=0,
    )


_BY_POWER = power_finding(
    "power_by_readings",
    "info",
    "the exporter shows no energy counter; energy is the integral of its power readings",
    "short peaks between readings are missed; export DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
)
