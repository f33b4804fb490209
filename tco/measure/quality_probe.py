"""Asks a running engine for log-probabilities and greedy answers, one request at a time.

At another batch the same engine sums in another order: sequential requests leave that out.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from typing import Any, Final

from tco.measure.engine_handle import EngineHandle
from tco.measure.engine_http import EngineClient, Reply
from tco.measure.quality_prompts import passages, random_prompts
from tco.measure.request import COMPLETIONS, find_form
from tco.quality import PromptKind, PromptProbe, QualityProbe

_ANSWER_TOKENS: Final = 64
_TIMEOUT_S: Final = 300.0
_ASKED: Final[dict[str, Any]] = {
    "max_tokens": _ANSWER_TOKENS,
    "temperature": 0.0,
    "ignore_eos": True,
    "prompt_logprobs": 0,
    "return_token_ids": True,
}
_REFUSED: Final = (400, 500)


class _UnprobedError(Exception):
    """The engine does not tell what is asked."""


def probe_engine(handle: EngineHandle, *, twice: bool = False) -> QualityProbe:
    """Return what the engine makes of the fixed set; why not, where it does not tell.

    Args:
        handle: a ready engine without other load.
        twice: ask everything a second time, to see how far it differs from itself.
    """
    now = dt.datetime.now(dt.UTC)
    vocabulary = find_form(handle).vocabulary
    with EngineClient(handle.url, handle.api_key) as client:
        asked: list[tuple[PromptKind, Sequence[int] | str]] = []
        try:
            no_text = _text_refused(client, handle.served_model)
            asked += [("text", each) for each in passages() if no_text is None]
            if vocabulary[1] > vocabulary[0]:
                asked += [("random", each) for each in random_prompts(vocabulary)]
            rounds = [
                tuple(_probe(client, handle.served_model, kind, prompt) for kind, prompt in asked)
                for _ in range(2 if twice else 1)
            ]
        except _UnprobedError as error:
            return QualityProbe(created_at=now, prompts=(), unprobed=str(error))
    again = rounds[1] if twice else ()
    return QualityProbe(created_at=now, prompts=rounds[0], again=again, no_text=no_text)


def _text_refused(client: EngineClient, model: str) -> str | None:
    """Return why the engine takes no text, as one without a tokenizer; None if it does."""
    reply = client.ask(
        COMPLETIONS,
        {"model": model, "prompt": passages()[0], "max_tokens": 1},
        timeout_s=_TIMEOUT_S,
    )
    refused = reply.status is not None and _REFUSED[0] <= reply.status < _REFUSED[1]
    return reply.complaint() if refused else None


def _probe(
    client: EngineClient, model: str, kind: PromptKind, prompt: Sequence[int] | str
) -> PromptProbe:
    body = {"model": model, "prompt": prompt if isinstance(prompt, str) else list(prompt)}
    return read_probe(client.ask(COMPLETIONS, {**body, **_ASKED}, timeout_s=_TIMEOUT_S), kind)


def read_probe(reply: Reply, kind: PromptKind) -> PromptProbe:
    """Return what one answer tells.

    Raises:
        _UnprobedError: it lacks log-probabilities of the prompt, or token ids.
    """
    tree: Any = reply.tree() if reply.is_ok else None
    try:
        choice = tree["choices"][0]
        tokens, answer = choice["prompt_token_ids"], choice["token_ids"]
        rows = choice["prompt_logprobs"][1:]
        found = [float(row[str(token)]["logprob"]) for token, row in zip(tokens[1:], rows)]  # noqa: B905  checked below
        if not tokens or len(rows) != len(tokens) - 1:
            raise _UnprobedError("the engine tells not every log-probability of a prompt")
    except (TypeError, KeyError, IndexError, ValueError):
        why = "" if reply.is_ok else f": {reply.complaint()}"
        raise _UnprobedError(f"the engine tells no log-probabilities of prompts{why}") from None
    if not all(map(math.isfinite, found)):
        raise _UnprobedError("the engine gives log-probabilities that are no numbers")
    return PromptProbe(kind=kind, tokens=tuple(tokens), logprobs=tuple(found), answer=tuple(answer))
