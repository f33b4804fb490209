"""The shape of a scenario's requests, where it is not stated as means: trace, session or mix.

Each is resolved to means when the scenario is read, so that all that costs a request reads
the same keys, however the traffic was stated.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from tco.override import Override
from tco.request_mix import RequestMix
from tco.scenario import MixEntry, RequestMeans, Scenario, SessionShape, Trace, mix_means
from tco.traffic import load_traffic
from tco.traffic.shape import TrafficShape, reusable_tokens, traffic_shape
from tco.yamlfile import YamlDocument, refuse
from tco.yamltree import Loc

_AT: Loc = ("traffic", "shape")
_MEANS = tuple(field.name for field in dataclasses.fields(RequestMeans))
_SOURCES = ("trace", "session", "mix")
# In the place of means where the source is at fault, so that only its own fault is said.
_ANY = RequestMeans(1.0, 0.0, 1.0)


@dataclasses.dataclass(frozen=True, slots=True)
class _Seen:
    """What a trace tells a scenario."""

    means: RequestMeans
    sha256: str
    has_times: bool
    knows_prefixes: bool
    requests_per_session: float | None
    longest_input_tokens: int
    shape: TrafficShape
    requests: RequestMix


def shape_of_trace(scenario: Scenario) -> TrafficShape | None:
    """Return the shape of the scenario's trace, as it was read with the scenario.

    None without a trace, or where its file is gone since.
    """
    trace = scenario.traffic.shape.trace
    if trace is None:
        return None
    return shape_of_file(trace.path())


def shape_of_file(path: Path) -> TrafficShape | None:
    """Return the shape of a file of requests, read once; None where it is gone.

    Raises:
        InputError: it holds no requests that can be read.
    """
    try:
        at = path.stat()
    except OSError:
        return None
    return _seen(path, at.st_mtime_ns, at.st_size).shape


def hold_requests(scenario: Scenario) -> None:
    """Let the scenario's trace keep the requests that its means were made of."""
    trace = scenario.traffic.shape.trace
    if trace is None:
        return
    path = trace.path()
    with contextlib.suppress(OSError):
        at = path.stat()
        trace.hold(_seen(path, at.st_mtime_ns, at.st_size).requests)


def with_means(
    tree: dict[str, Any], document: YamlDocument, overrides: Sequence[Override]
) -> dict[str, Any]:
    """Return the scenario's tree with the means of its trace, session or mix filled in.

    Args:
        tree: the document's tree, of which the given shape is replaced.
        document: knows where keys stand, and the folder that a trace is relative to.
        overrides: a trace or session that one of them sets takes the place of stated means.

    Raises:
        InputError: a source beside means, or a trace that cannot be used.
    """
    traffic = tree.get("traffic")
    shape = traffic.get("shape") if isinstance(traffic, dict) else None
    if not isinstance(traffic, dict) or not isinstance(shape, dict):
        return tree
    shape = stated_shape(shape, overrides)
    sources = [key for key in _SOURCES if shape.get(key) is not None]
    if not sources:
        return tree
    if len(sources) > 1:
        first, second = sources[:2]
        message = f"`{first}` and `{second}` exclude each other"
        _refuse(document, second, message, "keep one of them")
    filled = _FILLED[sources[0]]
    return {**tree, "traffic": {**traffic, "shape": filled(shape, document)}}


def stated_shape(shape: dict[str, Any], overrides: Sequence[Override]) -> dict[str, Any]:
    """Return the shape as its file and `--set` state it together.

    That leaves out the file's means, or its other source, where `--set` gives a source.
    """
    set_keys = {one.loc[2] for one in overrides if one.loc[:2] == _AT and len(one.loc) > 2}  # noqa: PLR2004  a key below the shape
    if not any(key in set_keys and shape.get(key) is not None for key in _SOURCES):
        return shape
    replaced = ({*_MEANS, *_SOURCES} - {"cached_input_share"} - set_keys) & shape.keys()
    if replaced:
        replaced |= {"cached_input_share"} - set_keys
    return {key: value for key, value in shape.items() if key not in replaced}


def _from_session(shape: dict[str, Any], document: YamlDocument) -> dict[str, Any]:
    _refuse_beside(shape, "session", _MEANS, document)
    try:
        means = SessionShape.model_validate(shape["session"]).request_means()
    except ValidationError:
        means = _ANY
    return {**shape, **_quantities(means, "of the session's turns")}


def _from_mix(shape: dict[str, Any], document: YamlDocument) -> dict[str, Any]:
    _refuse_beside(shape, "mix", _MEANS, document)
    raw = shape["mix"]
    try:
        entries = [MixEntry.model_validate(each) for each in raw if isinstance(raw, list)]
        means = mix_means(entries) if entries else _ANY
    except (ValidationError, TypeError):
        means = _ANY
    return {**shape, **_quantities(means, "of the mix")}


def _from_trace(shape: dict[str, Any], document: YamlDocument) -> dict[str, Any]:
    _refuse_beside(shape, "trace", ("input_tokens", "output_tokens"), document)
    raw = {"file": shape["trace"]} if isinstance(shape["trace"], str) else shape["trace"]
    try:
        trace = Trace.model_validate(raw, context={"folder": document.path.parent})
    except ValidationError:
        return {**shape, **_quantities(_ANY, "")}
    seen = _read(trace, document)
    _check_stated(trace, seen, document)
    if seen.knows_prefixes:
        _refuse_beside(shape, "trace", ("cached_input_share",), document)
    means = _quantities(seen.means, "of the trace")
    if not seen.knows_prefixes:
        del means["cached_input_share"]
    found: dict[str, Any] = {"sha256": seen.sha256}
    found["longest_input_tokens"] = seen.longest_input_tokens
    found["arrivals"] = seen.has_times if trace.arrivals is None else trace.arrivals
    if seen.requests_per_session is not None:
        found["requests_per_session"] = seen.requests_per_session
    return {**shape, **means, "trace": {**raw, **found}}


def _read(trace: Trace, document: YamlDocument) -> _Seen:
    path = trace.path()
    try:
        at = path.stat()
    except (OSError, ValueError):
        _refuse(
            document,
            "trace",
            f"the trace {trace.file} cannot be found",
            f"name it relative to the scenario's folder, {document.path.parent}",
        )
    return _seen(path, at.st_mtime_ns, at.st_size)


@lru_cache(maxsize=16)
def _seen(path: Path, changed_ns: int, size: int) -> _Seen:
    """Read a trace once, however many points of a sweep ask for it."""
    del changed_ns, size
    traffic = load_traffic(path)
    workload = traffic.workload
    sessions = workload.sessions()
    input_tokens = workload.input_tokens()
    reused = reusable_tokens(workload)
    share = int(reused.sum()) / int(input_tokens.sum()) if traffic.knows_prefixes else 0.0
    return _Seen(
        means=RequestMeans(
            input_tokens=float(input_tokens.mean()),
            cached_input_share=share,
            output_tokens=float(workload.output_tokens.mean()),
        ),
        sha256=traffic.sha256,
        has_times=len(traffic.arrivals_s) > 0,
        knows_prefixes=traffic.knows_prefixes,
        requests_per_session=len(workload) / sessions if len(workload) > sessions else None,
        longest_input_tokens=int(input_tokens.max()),
        shape=traffic_shape(traffic, path.name),
        requests=RequestMix.of(
            input_tokens,
            cached_tokens=reused if traffic.knows_prefixes else None,
            output_tokens=workload.output_tokens,
        ),
    )


def _check_stated(trace: Trace, seen: _Seen, document: YamlDocument) -> None:
    if trace.sha256 is not None and trace.sha256 != seen.sha256:
        _refuse(
            document,
            "trace.sha256",
            f"the trace {trace.file} is not the one stated: its SHA-256 is {seen.sha256}",
            "leave sha256 out, or give the file it is of",
        )
    if trace.arrivals and not seen.has_times:
        _refuse(
            document,
            "trace.arrivals",
            f"the trace {trace.file} states no times, so its arrivals cannot be replayed",
            "leave arrivals out",
        )
    for key in ("requests_per_session", "longest_input_tokens"):
        if getattr(trace, key) is not None:
            _refuse(document, f"trace.{key}", f"{key} is found in the trace", "leave it out")


def _refuse_beside(
    shape: Mapping[str, Any], source: str, keys: Sequence[str], document: YamlDocument
) -> None:
    for key in keys:
        if key in shape:
            _refuse(
                document,
                key,
                f"`{source}` and `{key}` exclude each other: the {source} has its own",
                f"drop one of them; what a {source} tells can be neither set nor varied",
            )


def _quantities(means: RequestMeans, of: str) -> dict[str, Any]:
    sources = dict.fromkeys(_MEANS, f"mean {of}") | {"cached_input_share": f"shared prefixes {of}"}
    return {name: {"value": getattr(means, name), "source": sources[name]} for name in _MEANS}


_FILLED = {"trace": _from_trace, "session": _from_session, "mix": _from_mix}


def _refuse(document: YamlDocument, key: str, message: str, remedy: str) -> NoReturn:
    refuse(document, (*_AT, *key.split(".")), message, remedy)
