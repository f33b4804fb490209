"""What the load client is told: where to send, which workload, how many streams, which limits."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Self


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
