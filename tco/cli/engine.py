"""`tco engine`: install, start and stop the engine."""

from __future__ import annotations

from pathlib import Path

import click

from tco.cli.options import scenario_argument, set_option
from tco.plural import several

_GROUP_EXAMPLES = """
\b
Examples:
  tco engine install             vLLM in an environment of its own; once
  tco engine start my.yaml       start a scenario's engine and let it run
  tco engine stop                end it, and any that a killed tco left behind
"""
_INSTALL_EXAMPLES = """
\b
Examples:
  tco engine install
  TCO_ENGINE_HOME=/data/engines tco engine install    on a larger disk
"""
_START_EXAMPLES = """
\b
Examples:
  tco engine start my.yaml
  TCO_ENGINE_API_KEY=secret tco engine start my.yaml     ask clients for that key
  tco engine start my.yaml --set engine.launch.args.max-num-seqs=64
"""
_STOP_EXAMPLES = """
\b
Examples:
  tco engine stop
"""


@click.group(epilog=_GROUP_EXAMPLES)
def command() -> None:
    """Install, start or stop the engine.

    `tco run` and `tco bench` start and stop it themselves; `start` is for trying things
    on an engine that stays.
    """


@command.command(epilog=_INSTALL_EXAMPLES)
def install() -> None:
    """Install vLLM in an environment of its own, unless it is there.

    On Linux x86-64 without an NVIDIA GPU this is a third party's CPU build, for trying
    and testing (2.4 GB); where an NVIDIA GPU is seen it is the vLLM project's own. Prints
    the folder.
    """
    from tco.measure.engine_install import install_engine

    engine = install_engine(_say)
    _say(f"vLLM {engine.version} " + ("was already there" if engine.was_there else "is installed"))
    click.echo(engine.folder)


@command.command(epilog=_START_EXAMPLES)
@scenario_argument
@set_option
@click.option(
    "--log",
    "log_path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("engine.log"),
    show_default=True,
    help="Where the engine's log goes.",
)
def start(scenario: Path, sets: tuple[str, ...], log_path: Path) -> None:
    """Start a scenario's engine and let it run; prints its URL.

    It listens on 127.0.0.1 only. With TCO_ENGINE_API_KEY set it asks for that key,
    otherwise for none.
    """
    import os

    from tco.measure.launch import start_launched_to_stay
    from tco.scenario_file import load_scenario

    handle = start_launched_to_stay(
        load_scenario(scenario, sets).scenario,
        log_path=log_path.absolute(),
        api_key=os.environ.get("TCO_ENGINE_API_KEY"),
        on_progress=_say,
    )
    _say("to measure it, put this into a scenario; to end it: tco engine stop")
    key = ", api_key_env: TCO_ENGINE_API_KEY" if handle.api_key else ""
    _say(f'  engine: {{attach: {{url: "{handle.url}", model: {handle.served_model}{key}}}}}')
    click.echo(handle.url)


@command.command(epilog=_STOP_EXAMPLES)
def stop() -> None:
    """End the engine that `tco engine start` started, and any that a killed tco left behind.

    An engine whose `tco` still runs is never ended, nor one that tco did not start.
    """
    from tco.measure.engine_record import end_abandoned_and_kept

    ended = end_abandoned_and_kept(_say)
    _say(f"ended {several(len(ended), 'engine')}" if ended else "no engine to end")


def _say(message: str) -> None:
    click.echo(message, err=True)
