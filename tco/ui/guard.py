"""The guard lets through what this machine's browser asks of our own page, and nothing else.

Any web page may send requests to 127.0.0.1, and may point a name of its own there. So: the
host must be ours by its number or as `localhost`, a secret stands in the path, and what tells
figures or works is answered to our own page alone (`Origin`, `Sec-Fetch-Site`).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY_BYTES = 1 << 14
_CHART_STYLES = "style-src 'self'; style-src-attr 'unsafe-inline'"
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; "
    f"{_CHART_STYLES}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Door:
    """Where the page is served.

    Attributes:
        port: of 127.0.0.1.
        token: the secret first part of every path.
    """

    port: int
    token: str

    def address(self) -> str:
        """Return the page's own address."""
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    def hosts(self) -> tuple[str, str]:
        """Return the values of `Host` that are ours."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"


def new_token() -> str:
    """Return a secret that nobody guesses."""
    return secrets.token_urlsafe(24)


class Guard:
    """Wraps the application; what it refuses never reaches it."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it in a sentence."""
        if scope["type"] != "http":
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._refusal(scope)
        app = self._app if refused is None else refused
        await app(scope, receive, sealed)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if headers.get("host") not in self._door.hosts():
            return _refused(421, "This server answers only as 127.0.0.1 and localhost.")
        if not self._is_ours(scope, headers):
            return _refused(403, "This request comes from another page.")
        first = scope["path"].split("/")[1]
        if not secrets.compare_digest(first.encode(), self._door.token.encode()):
            return _refused(403, "Open the whole address that `tco ui` printed.")
        if (length := headers.get("content-length")) and not _fits(length):
            return _refused(413, "This request is too large.")
        return None

    def _is_ours(self, scope: Scope, headers: Headers) -> bool:
        """Say whether our own page asks, or a person who opens it."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin not in {f"http://{host}" for host in self._door.hosts()}:
            return False
        if scope["method"] not in {"GET", "HEAD"}:
            return (origin is not None or site is not None) and site in {None, "same-origin"}
        # A link to the page may stand anywhere: the secret in it is what lets a person in.
        follows_link = headers.get("sec-fetch-mode") == "navigate" and (
            headers.get("sec-fetch-dest") == "document" and scope["path"].endswith("/")
        )
        return site in {None, "same-origin", "none"} or follows_link


def _fits(length: str) -> bool:
    return length.isdigit() and int(length) <= MAX_BODY_BYTES


def _refused(status: int, sentence: str) -> PlainTextResponse:
    return PlainTextResponse(f"{sentence}\n", status)
