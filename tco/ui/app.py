"""The application behind the page: each path calls one function and returns what it gives."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tco.errors import InputError
from tco.report.brand import Brand
from tco.report.document import compose
from tco.report.html import render_html
from tco.report.pdf import render_pdf
from tco.scenario_shape import shape_of_trace
from tco.tuned_record import tuned_record
from tco.ui.board import Answer, Board
from tco.ui.changes import Changes
from tco.ui.guard import MAX_BODY_BYTES, Door, Guard
from tco.ui.page import answer_html, fault_of, page_html
from tco.ui.parts import PARTS, part_bytes
from tco.ui.scenario_copy import scenario_copy

_MAX_FIELDS = 300
# The PDF viewer of a browser brings its own styles and runs in a frame of its own.
_PDF_POLICY = "frame-ancestors 'none'"


def application(board: Board, door: Door, brand: Brand | None = None) -> Guard:
    """Return what a server runs: the page of the board, behind its guard; its PDF has the brand."""
    app = _Page(board, brand)
    at = f"/{door.token}"
    routes = [
        Route(f"{at}/", app.page),
        Route(f"{at}/answer", app.answer, methods=["POST"]),
        Route(f"{at}/scenario.yaml", app.scenario),
        Route(f"{at}/report.pdf", app.pdf),
        *(Route(f"{at}/{name}", _part(name)) for name in PARTS),
    ]
    return Guard(Starlette(routes=routes), door)


class _Page:
    def __init__(self, board: Board, brand: Brand | None) -> None:
        self._board = board
        self._brand = brand
        self._one_draw_at_a_time = asyncio.Lock()
        self._one_pdf_at_a_time = threading.Lock()

    async def page(self, request: Request) -> Response:
        return await run_in_threadpool(self._page, request.url.query)

    async def answer(self, request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                return PlainTextResponse("This request is too large.\n", 413)
        text = body.decode("utf-8", "replace")
        if request.url.query != "whole":
            return await run_in_threadpool(self._answer, text, whole=False)
        # A page gives up on what it no longer shows: draws that nobody waits for are not made.
        async with self._one_draw_at_a_time:
            if await request.is_disconnected():
                return Response(status_code=204)
            return await run_in_threadpool(self._answer, text, whole=True)

    async def scenario(self, request: Request) -> Response:
        return await run_in_threadpool(self._file, request.url.query, self._scenario)

    async def pdf(self, request: Request) -> Response:
        return await run_in_threadpool(self._file, request.url.query, self._pdf)

    def _page(self, query: str) -> Response:
        try:
            found = self._board.answer(self._read(query), whole=True)
        except InputError as error:
            stated = self._board.answer(Changes(), whole=True)
            typed = {key: text for key, text in _pairs(query) if key in self._board.inputs}
            fault = fault_of(error, self._board)
            return HTMLResponse(page_html(self._board, stated, typed, fault))
        typed = {each.input.key: each.text for each in found.changes.each}
        return HTMLResponse(page_html(self._board, found, typed, None))

    def _answer(self, body: str, *, whole: bool) -> Response:
        try:
            found = self._board.answer(self._read(body), whole=whole)
        except InputError as error:
            fault = fault_of(error, self._board)
            return JSONResponse({"message": fault.message, "key": fault.key}, 422)
        return HTMLResponse(answer_html(self._board, found))

    def _file(self, query: str, make: Callable[[Answer], Response]) -> Response:
        try:
            return make(self._board.answer(self._read(query), whole=True))
        except InputError as error:
            return PlainTextResponse(f"{fault_of(error, self._board).message}\n", 422)

    def _scenario(self, answer: Answer) -> Response:
        name = f"{self._board.file.path.stem}-what-if.yaml"
        return _download(scenario_copy(self._board, answer.changes).encode(), "text/yaml", name)

    def _pdf(self, answer: Answer) -> Response:
        loaded = answer.case.loaded
        document = compose(
            answer.comparison,
            loaded.scenario,
            answer.case.measurement,
            shape_of_trace(loaded.scenario),
            tuned_record(loaded),
        )
        with self._one_pdf_at_a_time:
            content = render_pdf(render_html(document, "paper", self._brand))
        headers = {"content-security-policy": _PDF_POLICY}
        return Response(content, media_type="application/pdf", headers=headers)

    def _read(self, text: str) -> Changes:
        return self._board.changes(_pairs(text))


def _pairs(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise InputError("too many fields", remedy="send the changed ones") from None


def _download(content: bytes, media_type: str, name: str) -> Response:
    safe = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
    headers = {"content-disposition": f'attachment; filename="{safe}"'}
    return Response(content, media_type=f"{media_type}; charset=utf-8", headers=headers)


def _part(name: str) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        del request
        return Response(part_bytes(name), media_type=PARTS[name])

    return answer
