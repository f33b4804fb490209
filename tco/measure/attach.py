"""Attaches to a server that already runs, and leaves it running."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tco.errors import EngineError, InputError
from tco.finding import Finding
from tco.measure.engine_command import lacks_weights
from tco.measure.engine_handle import EngineHandle, server_facts
from tco.measure.engine_http import (
    EngineClient,
    ModelCard,
    host_of,
    is_completion,
    is_loopback,
    process_start,
)
from tco.measurement import EngineFacts
from tco.scenario import Attach

_URL_KEY = "engine.attach.url"
_NO_HEALTH_PAGE = (404, 405)
_REFUSED = (401, 403)
_FIRST_COMPLETION_S = 120.0


@contextmanager
def attached_engine(
    attach: Attach,
    *,
    allow_remote: frozenset[str] = frozenset(),
    environ: Mapping[str, str] = os.environ,
) -> Iterator[EngineHandle]:
    """Check a running server with one real request, and hand it out.

    Args:
        attach: the scenario's part.
        allow_remote: hosts beyond this machine that may be put under load.
        environ: where the key's variable is looked up.

    Raises:
        InputError: the host is not allowed, or the key is missing or would travel in clear.
        EngineError: no server answers, it lacks the model, or it fails the request.
    """
    url = attach.url.removesuffix("/v1")
    if not is_loopback(url) and host_of(url) not in allow_remote:
        raise InputError(
            f"{host_of(url)!r} is not this machine, and measuring puts it under full load",
            key=_URL_KEY,
            remedy=f"if it is yours to load, add --allow-remote {host_of(url)}",
        )
    api_key = _api_key(attach, url, environ)
    with EngineClient(url, api_key) as client:
        card = _listed(client, attach.model, url)
        reply = client.complete(card.name, timeout_s=_FIRST_COMPLETION_S)
        if not is_completion(reply):
            raise EngineError(
                f"the server at {url} failed a request for one token: {reply.complaint()}"
            )
        yield _handle(client, attach, url, api_key, card)


def _api_key(attach: Attach, url: str, environ: Mapping[str, str]) -> str | None:
    if attach.api_key_env is None:
        return None
    place = "engine.attach.api_key_env"
    if not environ.get(attach.api_key_env):
        raise InputError(
            f"the variable {attach.api_key_env} is not set", key=place, remedy="export it first"
        )
    if not url.startswith("https://") and not is_loopback(url):
        raise InputError(
            f"a key is not sent to {url}, where anyone on the way could read it",
            key=place,
            remedy="use an https URL",
        )
    return environ[attach.api_key_env]


def _listed(client: EngineClient, model: str, url: str) -> ModelCard:
    health = client.ask("/health")
    if health.status is None:
        raise EngineError(
            f"no server answers at {url} ({health.text})",
            key=_URL_KEY,
            remedy="start it first, or let tco start one with engine.launch",
        )
    if 300 <= health.status < 400:  # noqa: PLR2004  the redirects
        raise EngineError(
            f"{url} redirects, which is not followed", key=_URL_KEY, remedy="give the final address"
        )
    if not health.is_ok and health.status not in _NO_HEALTH_PAGE:
        raise EngineError(f"the server at {url} is not healthy: {health.complaint()}", key=_URL_KEY)
    reply, cards = client.model_cards()
    if reply.status in _REFUSED:
        raise EngineError(
            f"the server at {url} refuses our key: {reply.complaint()}",
            key="engine.attach.api_key_env",
            remedy="name the variable that holds its key",
        )
    if not reply.is_ok:
        raise EngineError(f"{url}/v1/models does not answer: {reply.complaint()}", key=_URL_KEY)
    for card in cards:
        if card.name == model:
            return card
    names = ", ".join(card.name for card in cards) or "none"
    raise EngineError(
        f"the server at {url} does not have the model {model!r}; it has: {names}",
        key="engine.attach.model",
        remedy="name one of those",
    )


def _handle(
    client: EngineClient, attach: Attach, url: str, api_key: str | None, card: ModelCard
) -> EngineHandle:
    root = Path(card.root) if card.root else None
    model_dir = root if is_loopback(url) and root and (root / "config.json").is_file() else None
    metrics = client.metrics()
    server = server_facts(client, metrics)
    facts = EngineFacts(
        name=server.name,
        version=server.version,
        model=attach.model,
        model_is_dummy=lacks_weights(model_dir),
        attached=True,
        url=url,
        command=None,
        settings=server.settings,
        start_s=None,
        start_id=f"attached-{process_start(metrics) or url}",
    )
    return EngineHandle(
        url=url,
        served_model=card.name,
        api_key=api_key,
        facts=facts,
        log_path=None,
        model_dir=model_dir,
        pid=None,
        findings=() if model_dir else (_WEIGHTS_UNSEEN,),
        alive=client.is_reachable,
    )


_WEIGHTS_UNSEEN = Finding(
    kind="weights_unseen",
    severity="info",
    path="engine",
    message="the server was attached to, and whether it serves real weights cannot be seen",
    advice="a server with random weights shows the method only; check how it was started",
)
