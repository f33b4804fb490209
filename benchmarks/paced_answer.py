"""What the paced server says: the bytes of streamed answers and of all other replies."""

from __future__ import annotations

import json
import time
from typing import Any

TOKENS = range(100, 500)
_HEAD = (
    b"HTTP/1.1 200 OK\r\nserver: paced\r\n"
    b"content-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n"
)
_CHOICE = (
    b'{"index":0,"text":" the","logprobs":null,"finish_reason":%b,"stop_reason":null,'
    b'"prompt_token_ids":null,"token_ids":%b}]'
)
_USAGE = b',"usage":{"prompt_tokens":%d,"total_tokens":%d,"completion_tokens":%d}'


class Answer:
    """One streamed answer: `asked` tokens, an event each; `sent` of them are on their way.

    Every event's text is the same word, a token of its own for the tokenizer the clients are
    given, so that those that count by tokenizing the text again count right.
    """

    __slots__ = (
        "_before",
        "_has_ids",
        "_has_running_usage",
        "_wants_usage",
        "asked",
        "first_due_ns",
        "input_tokens",
        "received_ns",
        "sent",
        "serial",
    )

    def __init__(self, serial: int, body: dict[str, Any], model: str, received_ns: int) -> None:
        options, prompt = body.get("stream_options") or {}, body.get("prompt", "")
        self.serial, self.received_ns = serial, received_ns
        self.sent = self.first_due_ns = 0
        self.asked = int(body.get("max_tokens") or body.get("max_completion_tokens") or 16)
        self.input_tokens = len(prompt) if isinstance(prompt, list) else len(prompt.split())
        self._has_ids = bool(body.get("return_token_ids"))
        self._wants_usage = bool(options.get("include_usage"))
        self._has_running_usage = bool(options.get("continuous_usage_stats"))
        self._before = (
            b'data: {"id":"cmpl-%016x","object":"text_completion","created":%d,"model":"%b",'
            b'"choices":[' % (serial, time.time(), model.encode())
        )

    def next_event(self) -> bytes:
        """Return the next event as an HTTP chunk; with the last one come usage and the end."""
        token = TOKENS[self.sent % len(TOKENS)]
        self.sent += 1
        is_last = self.sent >= self.asked
        ids = b"[%d]" % token if self._has_ids else b"null"
        choice = _CHOICE % (b'"length"' if is_last else b"null", ids)
        chunk = self._chunk(choice, has_usage=self._has_running_usage)
        if self.sent == 1:
            chunk = _HEAD + chunk
        if not is_last:
            return chunk
        if self._wants_usage:
            chunk += self._chunk(b"]", has_usage=True)
        return chunk + b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"

    def _chunk(self, choice: bytes, *, has_usage: bool) -> bytes:
        data = self._before + choice
        if has_usage:
            data += _USAGE % (self.input_tokens, self.input_tokens + self.sent, self.sent)
        return b"%x\r\n%b}\n\n\r\n" % (len(data) + 3, data)


def reply(
    path: str, body: dict[str, Any], model: str, counters: dict[str, int], *, tokenizes: bool
) -> bytes:
    """Return the response to anything that is no stream."""
    status, kind, text = "200 OK", "application/json", "{}"
    if path.endswith("/models"):
        entry = {"id": model, "object": "model", "max_model_len": 1 << 20}
        text = json.dumps({"object": "list", "data": [entry]})
    elif path == "/version":
        text = '{"version": "0.0.0-paced"}'
    elif path == "/tokenize" and tokenizes:
        words = str(body.get("prompt", "")).split()
        text = json.dumps({"tokens": [TOKENS[0], TOKENS[-1]], "count": len(words)})
    elif path == "/tokenize":
        status = "404 Not Found"
    elif path.endswith("/completions"):
        choices = [{"index": 0, "text": " the", "finish_reason": "length"}]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        text = json.dumps({"id": "cmpl-0", "choices": choices, "usage": usage})
    elif path == "/metrics":
        kind = "text/plain"
        rows = (f'vllm:{name}{{engine="0"}} {value}\n' for name, value in counters.items())
        text = "".join(rows)
    head = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(text)}\r\n\r\n"
    return (head + text).encode()
