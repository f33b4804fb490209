"""The EngineHandle: a running engine as the load client and the measurement see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tco.finding import Finding
from tco.measure.engine_http import EngineClient, engine_name, resolved_settings
from tco.measurement import EngineFacts


@dataclass(frozen=True, slots=True)
class EngineHandle:
    """A ready engine.

    Attributes:
        url: its base, without a trailing slash or `/v1`.
        served_model: the name requests must ask for.
        api_key: what requests must send as a bearer token; never written anywhere.
        facts: what the measurement records of it.
        log_path: its log; None if it was not started by us.
        model_dir: the model's folder, if it is on this machine.
        pid: the process we started; None if attached.
        findings: what the reader must know about it.
        alive: how `is_alive` finds out.
    """

    url: str
    served_model: str
    api_key: str | None = field(repr=False)
    facts: EngineFacts
    log_path: Path | None
    model_dir: Path | None
    pid: int | None
    findings: tuple[Finding, ...]
    alive: Callable[[], bool] = field(repr=False)

    def is_alive(self) -> bool:
        """Say whether the engine still runs (attached: whether it still answers)."""
        return self.alive()


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server says of itself."""

    name: str
    version: str | None
    settings: dict[str, str]


def server_facts(client: EngineClient, metrics: str) -> ServerFacts:
    """Return name, version and resolved settings, by /version and a page of /metrics."""
    return ServerFacts(engine_name(metrics), client.version(), resolved_settings(metrics))
