"""Serves the page on 127.0.0.1 until it is interrupted."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable

import uvicorn

from tco.errors import InputError
from tco.report.brand import Brand
from tco.ui.app import application
from tco.ui.board import Board
from tco.ui.guard import Door, new_token

_HOST = "127.0.0.1"
_LAST_ANSWERS_S = 1


def serve(
    board: Board, *, port: int, ready: Callable[[str], None], brand: Brand | None = None
) -> None:
    """Serve the board's page until Ctrl-C.

    Args:
        board: what the page asks.
        port: of 127.0.0.1; 0 takes a free one.
        ready: called with the page's address once it is answered.
        brand: of the PDF.

    Raises:
        InputError: the port cannot be had.
    """
    listening = _listening(port)
    door = Door(listening.getsockname()[1], new_token())
    config = uvicorn.Config(
        application(board, door, brand),
        lifespan="off",
        ws="none",
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
    )
    # The socket listens already, so that a browser opened now is answered in a moment.
    ready(door.address())
    with listening, contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((_HOST, port))
    except OSError as error:
        listening.close()
        raise InputError(
            f"port {port} cannot be had: {(error.strerror or str(error)).lower()}",
            key="--port",
            remedy="name another, or leave it out for a free one",
        ) from None
    listening.listen()
    return listening
