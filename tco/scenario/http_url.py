"""The URL of a server: scheme, host, port and path, nothing else."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from tco.quantity import fault, shown


def http_url(url: str, *, example: str, in_place_of_the_rest: str) -> str:
    """Return the URL without a trailing slash.

    Args:
        url: as stated.
        example: the remedy where it is no http or https URL.
        in_place_of_the_rest: the remedy where it holds a user, a query or a fragment.

    Raises:
        PydanticCustomError: it is not one, or holds more.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or re.search(r"\s", url):
        raise fault(f"must be an http or https URL, got {shown(url)}", example)
    if parts.username or parts.query or parts.fragment:
        raise fault("must be only scheme, host, port and path", in_place_of_the_rest)
    return url.rstrip("/")
