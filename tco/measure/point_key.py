"""The key of a point: a hash of all that its figures depend on, so that a like one is reused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from tco import __version__
from tco.measurement import EngineFacts, HostFacts
from tco.scenario import Scenario

_SEED_POLICY = "a new seed for every point, from bench.seed and its number"
_BY_START: Final = {"start_s", "start_id", "command", "settings"}
_PLACE_FLAGS: Final = ("--port", "--host")
# Counted from the memory that is free at a start, which differs by a few blocks.
_COUNTED: Final = ("num_gpu_blocks", "kv_cache_size_tokens", "num_cpu_blocks")


@dataclass(frozen=True, slots=True)
class PointKey:
    """What a point rests on.

    Attributes:
        scenario: its traffic, service level, power meter and seed count.
        engine: name, version, model, command, resolved settings.
        host: the machine.
        load: in words, with its purpose.
        window_s: the steady window.
        number: of the point, on which its seed depends.
    """

    scenario: Scenario
    engine: EngineFacts
    host: HostFacts
    load: str
    window_s: float
    number: int

    def sha256(self) -> str:
        """Return the hash of the canonical JSON of all that."""
        tree: dict[str, Any] = {
            "tool": __version__,
            "traffic": self.scenario.traffic.shape.model_dump(mode="json"),
            "slo": {k: v.value for k, v in self.scenario.slo.items()},
            "engine": self.engine.model_dump(mode="json", exclude=_BY_START | {"url"}),
            # Of a server that we start the port is any free one.
            "url": self.engine.url if self.engine.attached else None,
            "command": _without_place(self.engine.command),
            "settings": {k: v for k, v in self.engine.settings.items() if k not in _COUNTED},
            "meter": self.scenario.bench.meter.model_dump(mode="json"),
            "host": self.host.model_dump(mode="json"),
            "load": self.load,
            "window_s": self.window_s,
            "seed": [self.scenario.bench.seed, self.number, _SEED_POLICY],
        }
        text = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def _without_place(command: tuple[str, ...] | None) -> list[str] | None:
    """Leave out where the engine listened: a free port, another at each start."""
    if command is None:
        return None
    kept, is_value = [], False
    for word in command:
        is_flag = word in _PLACE_FLAGS
        if not is_flag and not is_value:
            kept.append(word)
        is_value = is_flag
    return kept
