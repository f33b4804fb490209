"""Which request a server takes: found by asking it once, from the most exact form down."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tco.errors import EngineError
from tco.finding import Finding
from tco.measure.engine_handle import EngineHandle
from tco.measure.engine_http import EngineClient, Reply
from tco.measure.on_measurement import on_measurement
from tco.measure.stream import Answer, TokenSource, read_answer

COMPLETIONS: Final = "/v1/completions"
CHAT: Final = "/v1/chat/completions"
_PROBE_TOKENS = 4
_PROBE_TIMEOUT_S = 60.0
_ROUNDS = (1, 4)
_SAMPLE = "The quick brown fox jumps over the lazy dog; 0123456789 reports of rain in spring."
_WORDS = (
    "time year people way day man thing woman life child world school state family student "
    "group country problem hand part place case week company system program question work "
    "number night point home water room mother area money story fact month lot right study "
    "book eye job word business issue side kind head house service friend father power hour"
)
WORDS: Final = tuple(_WORDS.split())
_TAKEN = (None, "wrong_finish_reason", "no_done", "no_usage")
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
_FULL: Final[dict[str, Any]] = {"stream": True, "temperature": 0.0, "ignore_eos": True}
_USAGE: Final[dict[str, Any]] = {"include_usage": True}
_RUNNING: Final[dict[str, Any]] = {"include_usage": True, "continuous_usage_stats": True}


@dataclass(frozen=True, slots=True)
class RequestForm:
    """The form of request a server took.

    Attributes:
        body: fields every request carries beside its prompt and lengths.
        source: how the tokens of an event are counted.
        vocabulary: token ids for prompts, [low, high); (0, 0) where prompts are text.
        tokens_per_word: of a prompt in text, as the server's usage counts it.
        frame_tokens: what its chat template adds to every prompt.
    """

    path: str
    body: dict[str, Any]
    asks_min_tokens: bool
    source: TokenSource
    vocabulary: tuple[int, int]
    findings: tuple[Finding, ...]
    tokens_per_word: float = 1.0
    frame_tokens: float = 0.0

    @property
    def is_chat(self) -> bool:
        """Say whether prompts are chat messages in text."""
        return self.path == CHAT


def find_form(handle: EngineHandle) -> RequestForm:
    """Ask the server for a few tokens in each form until one works as it must.

    Raises:
        EngineError: it streams no completion in any form.
    """
    reply, uncounted = Reply(None, "not asked"), False
    with EngineClient(handle.url, handle.api_key) as client:
        vocabulary = _vocabulary(handle, client)
        for path, fields, has_minimum, wanted in _forms(has_ids=vocabulary is not None):
            prompt: dict[str, Any] = {"messages": [{"role": "user", "content": "one two three"}]}
            if path == COMPLETIONS and vocabulary is not None:
                prompt = {"prompt": list(range(vocabulary[0], vocabulary[0] + 3))}
            body = {"model": handle.served_model, **fields}
            lengths = {"max_tokens": _PROBE_TOKENS}
            lengths |= {"min_tokens": _PROBE_TOKENS} if has_minimum else {}
            reply = client.ask(path, {**body, **prompt, **lengths}, timeout_s=_PROBE_TIMEOUT_S)
            answer = _answer(reply)
            if answer is not None and answer.failure != "no_usage" and answer.source == wanted:
                ids, findings = vocabulary or (0, 0), _findings(path, wanted)
                form = RequestForm(path, body, has_minimum, wanted, ids, findings)
                return _scaled(form, client) if form.is_chat else form
            uncounted |= answer is not None and answer.failure == "no_usage"
    if uncounted:
        raise EngineError(
            "the engine streams answers but says nowhere how many tokens they hold",
            remedy="it must send usage when stream_options.include_usage is set",
        )
    raise EngineError(
        f"the engine streams no completion: {reply.complaint()}",
        remedy="it must serve /v1/completions or /v1/chat/completions with stream: true",
    )


def _scaled(form: RequestForm, client: EngineClient) -> RequestForm:
    """Find how many tokens a word is, and the chat template: by two prompts of every word.

    A server that reports no input tokens leaves a word for a token.
    """
    counts = []
    for rounds in _ROUNDS:
        messages = [{"role": "user", "content": " ".join(WORDS * rounds)}]
        body = {**form.body, "messages": messages, "max_tokens": _PROBE_TOKENS}
        answer = _answer(client.ask(form.path, body, timeout_s=_PROBE_TIMEOUT_S))
        if answer is None or answer.input_tokens is None:
            return form
        counts.append(answer.input_tokens)
    per_word = (counts[1] - counts[0]) / (len(WORDS) * (_ROUNDS[1] - _ROUNDS[0]))
    if per_word <= 0:
        return form
    frame = max(0.0, counts[0] - per_word * len(WORDS) * _ROUNDS[0])
    return replace(form, tokens_per_word=per_word, frame_tokens=frame)


def _forms(*, has_ids: bool) -> Iterator[tuple[str, dict[str, Any], bool, TokenSource]]:
    for path in (COMPLETIONS, CHAT) if has_ids else (CHAT,):
        yield path, {**_FULL, "stream_options": _USAGE, "return_token_ids": True}, True, "token_ids"
        yield path, {**_FULL, "stream_options": _RUNNING}, True, "continuous_usage"
        yield path, {**_FULL, "stream_options": _USAGE}, True, "usage"
        yield path, {"stream": True, "stream_options": _USAGE}, False, "usage"


def _answer(reply: Reply) -> Answer | None:
    """Return what the probe streamed; None if it did not."""
    if not reply.is_ok:
        return None
    answer = read_answer([(0, _HEAD + reply.text.encode())], end="closed")
    return answer if answer.failure in _TAKEN else None


def _findings(path: str, source: TokenSource) -> tuple[Finding, ...]:
    found = []
    if source == "usage":
        found.append(
            on_measurement(
                "token_times_estimated",
                "warn",
                "the server does not say how many tokens an event holds; the final usage is "
                "spread evenly over the events",
                "use a server that takes return_token_ids or continuous_usage_stats",
            )
        )
    if path == CHAT:
        found.append(
            on_measurement(
                "prompt_is_text",
                "info",
                "the server takes no token ids; prompts are random words by chat, and the input "
                "length is what its usage says",
                "compare the measured input length with the one asked for",
            )
        )
    return tuple(found)


def _vocabulary(handle: EngineHandle, client: EngineClient) -> tuple[int, int] | None:
    """Return ids that are safe in a prompt; None if nothing tells of the vocabulary."""
    if handle.model_dir is not None:
        found = model_vocabulary(handle.model_dir)
        if found is not None:
            return found
    reply = client.ask("/tokenize", {"model": handle.served_model, "prompt": _SAMPLE})
    tree = reply.tree() if reply.is_ok else None
    ids = tree.get("tokens") if isinstance(tree, dict) else None
    if isinstance(ids, list) and len(ids) > 1 and all(isinstance(i, int) for i in ids):
        return min(ids), max(ids) + 1
    return None


def model_vocabulary(model_dir: Path) -> tuple[int, int] | None:
    """Return the longest run of ids in a model's vocabulary without a special one.

    Read from `config.json` (`vocab_size`, `*_token_id`) and the `added_tokens` of
    `tokenizer.json`; None if there is no config or no vocabulary in it.
    """
    config = _json(model_dir / "config.json")
    text = config.get("text_config") or config
    size = text.get("vocab_size")
    if not isinstance(size, int) or size < _PROBE_TOKENS:
        return None
    special = {-1, size}
    for name, value in {**config, **text}.items():
        if name.endswith("_token_id"):
            special |= set(value if isinstance(value, list) else [value])
    for token in _json(model_dir / "tokenizer.json").get("added_tokens") or ():
        special.add(token.get("id"))
    edges = sorted(i for i in special if isinstance(i, int) and -1 <= i <= size)
    low, high = max(((a + 1, b) for a, b in itertools.pairwise(edges)), key=lambda r: r[1] - r[0])
    return (low, high) if high - low >= _PROBE_TOKENS else None


def _json(path: Path) -> dict[str, Any]:
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return tree if isinstance(tree, dict) else {}
