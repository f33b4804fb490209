"""What the load client is told: where to send, how many streams, which bodies, which limits."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

_TEXT_MARK = "\x00prompt\x00"


@dataclass(frozen=True, slots=True)
class ClientPlan:
    """One closed loop of `streams` connections; lengths in tokens, times in seconds.

    Attributes:
        headers: sent with every request; may hold the API key, so a plan is passed on a
            pipe and never lies in a file.
        body: JSON object of a request without its prompt and lengths.
        prompt_key: `prompt` (token ids) or `messages` (chat, text).
        input_tokens: mean tokens of a prompt (chat: words); a fraction is met by whole lengths
            around it.
        output_tokens: mean tokens of an answer, in the same way.
        cached_input_share: the leading share of every prompt that all requests have alike.
        vocabulary: token ids are drawn from [low, high).
        words: chat only: the words prompts are made of.
        asks_min_tokens: whether `min_tokens` = `max_tokens` is sent too.
        requests: stop sending after so many, none of them of random length (0: until told
            to stop); for comparing with a client that sends a fixed number.
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
    streams: int
    input_tokens: float
    output_tokens: float
    seed: int
    out_dir: str
    cached_input_share: float = 0.0
    vocabulary: tuple[int, int] = (0, 0)
    words: tuple[str, ...] = ()
    asks_min_tokens: bool = True
    requests: int = 0
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


@dataclass(frozen=True, slots=True)
class Request:
    """A request ready to send, and the lengths (tokens) it asks for."""

    head_and_body: bytes
    input_tokens: int
    output_tokens: int


class RequestMaker:
    """Makes requests one at a time, each with a prompt of its own, in microseconds.

    Nothing is built ahead: token ids are rows of a table of their decimal text, padded to
    one width (JSON allows the spaces), so that a prompt is one array lookup and one copy
    (about 10 µs for 512 tokens, under 1 ms for 150,000). Memory is the table alone.
    """

    def __init__(self, plan: ClientPlan) -> None:
        self._plan = plan
        self._random = np.random.default_rng(plan.seed)
        self._table = _token_table(plan)
        self._shared_tokens = round(plan.input_tokens * plan.cached_input_share)
        self._shared = self._draw(self._shared_tokens)
        frame = {**plan.body, plan.prompt_key: _TEXT_MARK}
        if plan.prompt_key == "messages":
            frame["messages"] = [{"role": "user", "content": _TEXT_MARK}]
        before, after = json.dumps(frame).split(json.dumps(_TEXT_MARK))
        self._before = before.encode()
        self._after = after.rstrip().removesuffix("}").encode()
        lines = [f"POST {plan.path} HTTP/1.1", *(f"{k}: {v}" for k, v in plan.headers.items())]
        self._head = "\r\n".join(lines).encode() + b"\r\nContent-Length: "

    def first(self) -> Request:
        """Return a stream's first request: its output length is uniform in 1..mean."""
        if self._plan.requests:
            return self.next()
        top = max(1, round(self._plan.output_tokens))
        return self._make(int(self._random.integers(1, top + 1)))

    def next(self) -> Request:
        """Return a request of the asked lengths."""
        return self._make(self._whole(self._plan.output_tokens))

    def _whole(self, mean: float) -> int:
        """Draw floor or ceiling so that the mean holds."""
        low = int(mean)
        return max(1, low + int(self._random.random() < mean - low))

    def _draw(self, count: int) -> bytes:
        rows = self._table[self._random.integers(0, len(self._table), count)]
        return b" ".join(rows.tolist()) if self._plan.words else rows.tobytes()

    def _make(self, output_tokens: int) -> Request:
        input_tokens = self._whole(self._plan.input_tokens)
        own = self._draw(max(1, input_tokens - self._shared_tokens))
        if self._plan.words:
            quoted = b'"%b %b"' % (self._shared, own)
        else:
            quoted = b"[%b]" % (self._shared + own).rstrip(b" ,")
        body = b'%b%b%b, "max_tokens": %d' % (self._before, quoted, self._after, output_tokens)
        body += b', "min_tokens": %d}' % output_tokens if self._plan.asks_min_tokens else b"}"
        return Request(self._head + b"%d\r\n\r\n" % len(body) + body, input_tokens, output_tokens)


def _token_table(plan: ClientPlan) -> npt.NDArray[np.bytes_]:
    """Return the text of every token, ids with their comma and padded to one width."""
    if plan.words:
        return np.array([word.encode() for word in plan.words])
    raw = [f"{number},".encode() for number in range(*plan.vocabulary)]
    width = max(map(len, raw))
    return np.array([text.ljust(width) for text in raw], dtype=f"S{width}")
