"""Prometheus: asked for the raw samples of a metric, each with the time it was scraped at."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx

from tco.units import NS_PER_S

_TIMEOUT_S = 10.0
_WHOLE_ANSWER_S = 30.0
_LARGEST_BYTES = 256 * 1024 * 1024
_LATEST_S = 9e9  # in ns it still fits 64 bits
_COMPLAINT_CHARACTERS = 300


class PrometheusError(Exception):
    """Prometheus does not answer as it must; the message says how."""


@dataclass(frozen=True, slots=True)
class Samples:
    """One time series: its labels, and its samples in order of time."""

    labels: Mapping[str, str]
    times_ns: tuple[int, ...]
    values: tuple[float, ...]


class Prometheus:
    """One server; no proxy, no redirect."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(
            base_url=url, trust_env=False, follow_redirects=False, timeout=_TIMEOUT_S
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def samples(
        self, metric: str, labels: Mapping[str, tuple[str, ...]], *, last_s: int
    ) -> tuple[Samples, ...]:
        """Return the samples of the last seconds of each series with those labels.

        A range selector is asked for, not a range of steps: steps repeat the last sample, and
        hide when it was taken.

        Raises:
            PrometheusError: no answer, or one that is not as it must be.
        """
        result = self._ask(f"{metric}{selector(labels)}[{last_s}s]")
        try:
            return tuple(_samples(one) for one in result)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise PrometheusError("its answer is not as Prometheus writes it") from error

    def clock_lead_s(self) -> float:
        """Return how far its clock is ahead of ours [s], to half the time of a request.

        Raises:
            PrometheusError: as `samples`.
        """
        before_s = time.time()
        try:
            theirs_s = _time_s(self._ask("time()")[1])
        except (IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise PrometheusError("its answer is not as Prometheus writes it") from error
        return theirs_s - (before_s + time.time()) / 2

    def _ask(self, query: str) -> Any:
        try:
            with self._http.stream("GET", "api/v1/query", params={"query": query}) as reply:
                status, raw = reply.status_code, _whole(reply)
            tree = json.loads(raw)
        except httpx.HTTPError as error:
            raise PrometheusError(str(error) or type(error).__name__) from error
        except (ValueError, RecursionError) as error:
            raise PrometheusError(f"HTTP {status}, and no JSON") from error
        if not isinstance(tree, dict) or tree.get("status") != "success":
            said = tree.get("error") if isinstance(tree, dict) else None
            raise PrometheusError(f"HTTP {status}: {said}"[:_COMPLAINT_CHARACTERS])
        try:
            return tree["data"]["result"]
        except (KeyError, TypeError) as error:
            raise PrometheusError("its answer is not as Prometheus writes it") from error


def selector(labels: Mapping[str, tuple[str, ...]]) -> str:
    """Return a PromQL selector of series whose labels have one of the values each, whole."""
    parts = []
    for name, values in sorted(labels.items()):
        pattern = "|".join(re.escape(value) for value in values)
        parts.append(f"{name}=~{json.dumps(pattern)}")
    return "{" + ",".join(parts) + "}"


def _whole(reply: httpx.Response) -> bytes:
    """Return the body; an answer may not take for ever, however often a byte of it comes."""
    until_s = time.monotonic() + _WHOLE_ANSWER_S
    raw = bytearray()
    for chunk in reply.iter_bytes():
        raw += chunk
        if len(raw) > _LARGEST_BYTES:
            raise PrometheusError(f"its answer is larger than {_LARGEST_BYTES >> 20} MiB")
        if time.monotonic() > until_s:
            raise PrometheusError(f"its answer took more than {_WHOLE_ANSWER_S:g} s")
    return bytes(raw)


def _time_s(raw: Any) -> float:
    time_s = float(raw)
    if not 0 <= time_s <= _LATEST_S:
        raise ValueError(raw)
    return time_s


def _samples(one: Any) -> Samples:
    pairs = [(round(_time_s(at_s) * NS_PER_S), float(value)) for at_s, value in one["values"]]
    return Samples(
        labels={str(name): str(value) for name, value in one["metric"].items()},
        times_ns=tuple(at_ns for at_ns, _ in pairs),
        values=tuple(value for _, value in pairs),
    )
