"""Makes the bytes of a request from a row of the workload, in microseconds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tco.measure.answer_content import Content
from tco.measure.client_plan import ClientPlan
from tco.measure.token_draw import draws, key_of
from tco.workload import Workload

_MARK = "\x00prompt\x00"
_FRESH, _STANDING, _BLOCK, _CONTEXT, _ANSWER, _LENGTH, _TURN = range(7)


@dataclass(frozen=True, slots=True)
class Context:
    """What a session's earlier turns put before a prompt: its text in the body, its tokens."""

    text: bytes
    tokens: int


EMPTY: Final = Context(b"", 0)


@dataclass(frozen=True, slots=True)
class Request:
    """A request ready to send, the lengths (tokens) it asks for, and the context it leaves.

    `prompt` is the text of context and prompt as the next turn repeats it, without the answer.
    """

    head_and_body: bytes
    input_tokens: int
    output_tokens: int
    prompt: bytes


class RequestMaker:
    """Makes requests one at a time; nothing is built ahead, and memory is a table of tokens.

    A token's id stands in that table as decimal text, padded to one width (JSON allows the
    spaces), so that a prompt is one array lookup and one copy.
    """

    def __init__(self, plan: ClientPlan, workload: Workload) -> None:
        self._plan = plan
        self._is_text = plan.prompt_key == "messages"
        self._table = _token_table(plan)
        self._fresh = workload.fresh_tokens.tolist()
        self._output = workload.output_tokens.tolist()
        self._offsets = workload.block_offsets.tolist()
        self._block_id = workload.block_id.tolist()
        self._block_tokens = workload.block_tokens.tolist()
        before, after = json.dumps({**plan.body, plan.prompt_key: _MARK}).split(json.dumps(_MARK))
        self._before = before.encode() + b"["
        self._after = b"]" + after.rstrip().removesuffix("}").encode()
        lines = [f"POST {plan.path} HTTP/1.1", *(f"{k}: {v}" for k, v in plan.headers.items())]
        self._head = "\r\n".join(lines).encode() + b"\r\nContent-Length: "

    def make(
        self, row: int, lap: int, context: Context = EMPTY, output_tokens: int | None = None
    ) -> Request:
        """Return the request of a row in a lap; its own output length unless one is given."""
        output = self._output[row] if output_tokens is None else output_tokens
        seed, blocks = self._plan.seed, range(self._offsets[row], self._offsets[row + 1])
        keys = [self._block_key(self._block_id[block], lap) for block in blocks]
        lengths = [self._block_tokens[block] for block in blocks]
        own = self._text(
            [*keys, key_of(seed, _FRESH, lap, row)],
            [*lengths, self._fresh[row]],
            is_first=not context.tokens,
        )
        if self._is_text:
            prompt = b'%b{"role": "user", "content": "%b"}' % (context.text, own)
        else:
            prompt = context.text + own
        body = b'%b%b%b, "max_tokens": %d' % (self._before, prompt, self._after, output)
        body += b', "min_tokens": %d}' % output if self._plan.asks_min_tokens else b"}"
        whole = self._head + b"%d\r\n\r\n" % len(body) + body
        return Request(whole, context.tokens + sum(lengths) + self._fresh[row], output, prompt)

    def grown(self, request: Request, content: Content, row: int, lap: int) -> Context:
        """Return the context after a request was answered.

        Where the server does not send the answer's token ids, drawn ones take their place.
        """
        if self._is_text:
            said = json.dumps(content.text).encode()
            text = b'%b, {"role": "assistant", "content": %b}, ' % (request.prompt, said)
            return Context(text, request.input_tokens + request.output_tokens)
        if content.ids is not None:
            answer, tokens = b",".join(b"%d" % n for n in content.ids), len(content.ids)
        else:
            tokens = request.output_tokens
            answer = self._text([key_of(self._plan.seed, _ANSWER, lap, row)], [tokens])
        return Context(b"%b,%b," % (request.prompt, answer), request.input_tokens + tokens)

    def drawn_context(self, row: int, lap: int, tokens: int) -> Context:
        """Return a context of drawn tokens, for a session that is begun in its middle."""
        if not tokens:
            return EMPTY
        key = key_of(self._plan.seed, _CONTEXT, lap, row)
        if not self._is_text:
            return Context(self._text([key], [tokens]) + b",", tokens)
        said = self._text([key], [tokens], is_first=True)
        half = said.find(b" ", len(said) // 2)
        pair = b'{"role": "user", "content": "%b"}, {"role": "assistant", "content": "%b"}, '
        return Context(pair % (said[:half], said[half + 1 :]), tokens)

    def first_turn(self, turns: int, session: int) -> int:
        """Return the turn at which a staggered stream's first session begins: any of them."""
        return int(draws([key_of(self._plan.seed, _TURN, session)], [1], turns)[0])

    def first_output(self, row: int, session: int) -> int:
        """Return a staggered stream's first output length: uniform from 1 to the row's own."""
        top = max(1, self._output[row])
        return 1 + int(draws([key_of(self._plan.seed, _LENGTH, session)], [1], top)[0])

    def _block_key(self, block: int, lap: int) -> int:
        if block < 0:
            return key_of(self._plan.seed, _STANDING, -block)
        return key_of(self._plan.seed, _BLOCK, lap, block)

    def _text(self, keys: list[int], lengths: list[int], *, is_first: bool = False) -> bytes:
        """Return a prompt's own tokens: ids with commas between, or words."""
        if self._is_text:
            lengths = self._words(keys, lengths, is_first=is_first)
        rows = self._table[draws(keys, lengths, len(self._table))]
        return b" ".join(rows.tolist()) if self._is_text else rows.tobytes().rstrip(b" ,")

    def _words(self, keys: list[int], lengths: list[int], *, is_first: bool) -> list[int]:
        """Return how many words make up these tokens, whole ones whose mean is right."""
        plan, counts = self._plan, []
        for key, tokens in zip(keys, lengths, strict=True):
            chance = (key & 0xFFFF) / (1 << 16)
            frame = plan.frame_tokens if key == keys[-1] and is_first else 0.0
            counts.append(int((tokens - frame) / plan.tokens_per_word + chance))
        return [*(max(0, n) for n in counts[:-1]), max(1, counts[-1])]


def _token_table(plan: ClientPlan) -> npt.NDArray[np.bytes_]:
    """Return the text of every token, ids with their comma and padded to one width."""
    if plan.prompt_key == "messages":
        return np.array([word.encode() for word in plan.words])
    raw = [f"{number},".encode() for number in range(*plan.vocabulary)]
    width = max(map(len, raw))
    return np.array([text.ljust(width) for text in raw], dtype=f"S{width}")
