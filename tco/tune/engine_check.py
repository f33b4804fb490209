"""Sees, before any engine is started, that a scenario's can be, and what arguments it takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tco.case import placed_errors
from tco.measure.bench_plan import bench_plan
from tco.measure.engine_command import engine_command
from tco.measure.engine_options import engine_options, unknown_options
from tco.scenario import Launch
from tco.scenario_file import LoadedScenario
from tco.tune.change import launch_of

_ANY_PORT: Final = 1
Options = frozenset[str] | None  # by name; None where the engine's help lists none


def options_of(base: LoadedScenario) -> Options:
    """Return the arguments that the scenario's engine takes.

    Raises:
        InputError: the scenario starts no engine, or cannot be measured.
        EngineError: the engine's command is not on this machine.
    """
    with placed_errors(base):
        launch = launch_of(base.scenario)
        bench_plan(base.scenario)
        check_command(launch)
    return engine_options(launch)


def check_command(launch: Launch) -> None:
    """See that it makes a command.

    Raises:
        InputError: it does not.
        EngineError: the command is not on this machine.
    """
    engine_command(launch, port=_ANY_PORT, api_key=None)


def why_unchecked(options: Options) -> str | None:
    """Return why arguments cannot be checked; None where they can."""
    return None if options is not None else "the engine's --help lists no arguments"


def why_not_taken(args: Iterable[str], options: Options) -> str | None:
    """Return which of the arguments the engine does not take; None where it may take all."""
    if options is None or not (unknown := unknown_options(args, options)):
        return None
    return "this engine takes no " + ", ".join(f"--{each}" for each in unknown)
