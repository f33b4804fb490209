"""Where the load client connects to: a resolved address that answers."""

from __future__ import annotations

import contextlib
import socket
import ssl
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Address:
    """A resolved address; with `tls` the connection is encrypted, and `host` checked."""

    family: int
    address: Any
    tls: ssl.SSLContext | None
    host: str


def find_address(host: str, port: int, *, tls: bool, timeout_s: float) -> Address:
    """Return the first address of a host that takes a connection (the only one: untried).

    Raises:
        OSError: the host is unknown.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    context = ssl.create_default_context() if tls else None
    for family, _, _, _, address in found if len(found) > 1 else ():
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.settimeout(timeout_s)
            trial.connect(address)
            return Address(family, address, context, host)
    return Address(found[0][0], found[0][4], context, host)
