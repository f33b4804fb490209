"""What the load client is told: where to send, which workload, how many streams, which limits."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Self

# Two thirds of the rate at which one process was seen to be exact; see docs/client.md.
EVENTS_PER_S_OF_A_PROCESS: Final = 30_000.0


@dataclass(frozen=True, slots=True)
class ClientPlan:
    """One load on one server; lengths in tokens, times in seconds.

    In a closed loop a stream takes the next session of the workload, sends its turns one
    after the other, each `wait_s` after the answer before, and takes the next session; the
    rows are gone through again and again, each pass (a lap) with new tokens. In an open loop
    a session begins at its first row's `at_s` after the start of the clock, on any idle
    connection, and the rows are gone through once.

    Attributes:
        headers: sent with every request; may hold the API key, so a plan is passed on a
            pipe and never lies in a file.
        body: JSON object of a request without its prompt and lengths.
        prompt_key: `prompt` (token ids) or `messages` (chat, text).
        workload: path of a saved `Workload`.
        streams: connections opened before the clock starts; in a closed loop also the
            sessions at a time.
        is_open: whether sessions start by the clock, not as streams become free.
        vocabulary: token ids are drawn from [low, high).
        words: chat only: the words prompts are made of.
        tokens_per_word: chat only: of a word, as the server counts it.
        frame_tokens: chat only: what the server's template adds to a prompt.
        asks_min_tokens: whether `min_tokens` = `max_tokens` is sent too.
        requests: stop sending after so many (0: until told to stop).
        staggered: closed loop: a stream's first request has a random part of its output
            length, and its first session begins at a random turn; the trace marks that
            request, which is to be discarded. Else equal lengths march in lockstep.
        timeout_s: a request that takes longer is aborted and counts as failed.
        drain_s: how long requests in flight may take to end after `stop`.
        max_s: the client ends by itself after this time.
        processes: how many processes share the load; see `processes_for`.
        part: which of them this plan is for.
    """

    host: str
    port: int
    tls: bool
    path: str
    headers: dict[str, str]
    body: dict[str, object]
    prompt_key: str
    workload: str
    streams: int
    seed: int
    out_dir: str
    is_open: bool = False
    vocabulary: tuple[int, int] = (0, 0)
    words: tuple[str, ...] = ()
    tokens_per_word: float = 1.0
    frame_tokens: float = 0.0
    asks_min_tokens: bool = True
    requests: int = 0
    staggered: bool = True
    timeout_s: float = 300.0
    drain_s: float = 60.0
    max_s: float = 1800.0
    processes: int = 1
    part: int = 0

    def parts(self) -> tuple[Self, ...]:
        """Return the plan of each process: its share of streams, sessions and requests."""
        count = max(1, min(self.processes, self.streams, self.requests or self.streams))
        if count == 1:
            return (replace(self, processes=1),)
        return tuple(
            replace(
                self,
                part=part,
                processes=count,
                out_dir=str(Path(self.out_dir) / f"part-{part}"),
                streams=len(range(part, self.streams, count)),
                requests=len(range(part, self.requests, count)),
            )
            for part in range(count)
        )

    def as_json(self) -> str:
        """Return the plan as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the line that `as_json` wrote."""
        tree = json.loads(text)
        tree["vocabulary"] = tuple(tree["vocabulary"])
        tree["words"] = tuple(tree["words"])
        return cls(**tree)


def processes_for(events_per_s: float) -> int:
    """Return how many client processes a load needs; `events_per_s` are expected SSE events."""
    return max(1, math.ceil(events_per_s / EVENTS_PER_S_OF_A_PROCESS))
