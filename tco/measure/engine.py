"""The running engine of a scenario: started by us, or attached to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tco.errors import InputError
from tco.measure.attach import attached_engine
from tco.measure.engine_handle import EngineHandle
from tco.measure.launch import START_TIMEOUT_S, launched_engine
from tco.scenario import Scenario

__all__ = ["EngineHandle", "running_engine"]


@contextmanager
def running_engine(
    scenario: Scenario,
    *,
    log_path: Path,
    on_progress: Callable[[str], None],
    allow_remote: frozenset[str] = frozenset(),
    timeout_s: float = START_TIMEOUT_S,
) -> Iterator[EngineHandle]:
    """Hand out the scenario's engine once it has answered one real request.

    An engine that we start is ended, with every process of it, however the block is
    left; one that was attached to keeps running.

    Args:
        scenario: says `engine.launch` or `engine.attach`.
        log_path: where a started engine's log goes (replaced).
        on_progress: told in words what happens; first of all the command.
        allow_remote: hosts beyond this machine that may be put under load.
        timeout_s: how long a started engine may take to be ready.

    Raises:
        InputError: the scenario has no engine, or one that cannot be used.
        EngineError: it did not start, answer or stop as it must.
    """
    engine = scenario.engine
    if engine is not None and engine.launch is not None:
        with launched_engine(
            engine.launch, log_path=log_path, on_progress=on_progress, timeout_s=timeout_s
        ) as handle:
            yield handle
    elif engine is not None and engine.attach is not None:
        on_progress(f"attaching to {engine.attach.url}")
        with attached_engine(engine.attach, allow_remote=allow_remote) as handle:
            yield handle
    else:
        raise InputError(
            "the scenario has no engine to measure",
            key="engine",
            remedy="add engine.launch or engine.attach (docs/gpu-machine.md, docs/attach.md)",
        )
