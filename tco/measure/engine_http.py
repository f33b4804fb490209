"""The control requests to an engine (health, models, version, metrics, one completion)."""

from __future__ import annotations

import ipaddress
import json
import socket
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx
from prometheus_client.parser import text_string_to_metric_families

_CONTROL_TIMEOUT_S = 5.0
_BODY_CHARACTERS = 300
_HTTPS_PORT, _HTTP_PORT = 443, 80


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; `status` None: no answer, with the reason in `text`."""

    status: int | None
    text: str

    @property
    def is_ok(self) -> bool:
        """Say whether the status is 200."""
        return self.status == httpx.codes.OK

    def tree(self) -> Any:
        """Return the JSON body; None if it is not JSON."""
        try:
            return json.loads(self.text)
        except ValueError:
            return None

    def complaint(self) -> str:
        """Return the server's own error message, or what there is of an answer."""
        tree = self.tree()
        error = tree.get("error") if isinstance(tree, dict) else None
        message = error.get("message") if isinstance(error, dict) else error
        plain = "" if self.text.lstrip().startswith("<") else self.text  # a page of HTML says less
        said = " ".join((message if isinstance(message, str) else plain).split())
        said = said[:_BODY_CHARACTERS]
        return said if self.status is None else f"HTTP {self.status}: {said}".rstrip(": ")


@dataclass(frozen=True, slots=True)
class ModelCard:
    """A model the server lists: its name, and the path or repository it was loaded from."""

    name: str
    root: str | None


def host_of(url: str) -> str:
    """Return the host of a URL."""
    return urlsplit(url).hostname or ""


def is_loopback(url: str) -> bool:
    """Say whether a URL's host is this machine's loopback."""
    host = host_of(url)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class EngineClient:
    """Control requests to one server: no proxy, no redirect, the key in a header only."""

    def __init__(self, url: str, api_key: str | None) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = httpx.Client(
            base_url=url,
            headers=headers,
            trust_env=False,
            follow_redirects=False,
            timeout=_CONTROL_TIMEOUT_S,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def ask(
        self, path: str, body: object = None, *, timeout_s: float = _CONTROL_TIMEOUT_S
    ) -> Reply:
        """GET a path, or POST a JSON body to it; never raises for what the server does."""
        method = "GET" if body is None else "POST"
        try:
            answer = self._http.request(method, path, json=body, timeout=timeout_s)
        except httpx.HTTPError as error:
            return Reply(None, str(error) or type(error).__name__)
        return Reply(answer.status_code, answer.text)

    def is_reachable(self) -> bool:
        """Say whether something accepts connections there; under load it may answer late."""
        url = self._http.base_url
        port = url.port or (_HTTPS_PORT if url.scheme == "https" else _HTTP_PORT)
        try:
            socket.create_connection((url.host, port), _CONTROL_TIMEOUT_S).close()
        except TimeoutError:
            return True
        except OSError:
            return False
        return True

    def model_cards(self) -> tuple[Reply, tuple[ModelCard, ...]]:
        """Return the answer of /v1/models and the models in it."""
        reply = self.ask("/v1/models")
        tree = reply.tree() if reply.is_ok else None
        listed = tree.get("data") if isinstance(tree, dict) else None
        cards = tuple(
            ModelCard(row["id"], row.get("root"))
            for row in (listed if isinstance(listed, list) else ())
            if isinstance(row, dict) and isinstance(row.get("id"), str)
        )
        return reply, cards

    def complete(self, model: str, *, timeout_s: float) -> Reply:
        """Ask for one token; by chat where the server has no plain completions."""
        body: dict[str, object] = {"model": model, "max_tokens": 1}
        reply = self.ask("/v1/completions", {**body, "prompt": "1"}, timeout_s=timeout_s)
        if reply.status in (httpx.codes.NOT_FOUND, httpx.codes.METHOD_NOT_ALLOWED):
            messages = [{"role": "user", "content": "1"}]
            path = "/v1/chat/completions"
            reply = self.ask(path, {**body, "messages": messages}, timeout_s=timeout_s)
        return reply

    def version(self) -> str | None:
        """Return the server's version; None if it does not say."""
        tree = self.ask("/version").tree()
        version = tree.get("version") if isinstance(tree, dict) else None
        return version if isinstance(version, str) else None

    def metrics(self) -> str:
        """Return the text of /metrics; empty if there is none."""
        reply = self.ask("/metrics")
        return reply.text if reply.is_ok else ""


def is_completion(reply: Reply) -> bool:
    """Say whether an answer is a completion, not an error under status 200."""
    tree = reply.tree() if reply.is_ok else None
    return isinstance(tree, dict) and bool(tree.get("choices")) and not tree.get("error")


def engine_name(metrics: str) -> str:
    """Return which engine a /metrics page is from; `unknown` if it does not show."""
    for name in ("vllm", "sglang"):
        if f"\n{name}:" in metrics:
            return name
    return "unknown"


def resolved_settings(metrics: str) -> dict[str, str]:
    """Return the settings a vLLM server states as labels of `vllm:cache_config_info`."""
    for sample in _samples(metrics, "vllm:cache_config_info"):
        return {name: value for name, value in sorted(sample.items()) if name != "engine"}
    return {}


def process_start(metrics: str) -> str | None:
    """Return when the server's process started, as its metrics state it; None if they don't."""
    for line in metrics.splitlines():
        if line.startswith("process_start_time_seconds "):
            return line.split()[1]
    return None


def _samples(metrics: str, name: str) -> list[dict[str, str]]:
    lines = [line for line in metrics.splitlines() if line.startswith(name + "{")]
    try:
        families = list(text_string_to_metric_families("\n".join(lines) + "\n"))
    except ValueError:
        return []
    return [dict(sample.labels) for family in families for sample in family.samples]
