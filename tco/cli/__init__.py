"""The command line: parse, call one library function, print."""

from __future__ import annotations

import importlib
import json
import keyword
import signal
import sys
from collections.abc import Sequence

import click

from tco import __version__
from tco.errors import EngineError, InputError, InterruptedRunError, TcoError

# The short helps stand here so that `tco --help` imports no command.
COMMANDS = {
    "init": "Write a commented scenario to start from.",
    "run": "Measure, compare and write the report: bench, then report.",
    "bench": "Measure the engine of a scenario.",
    "tune": "Try other settings of the engine, and keep those shown to be faster.",
    "report": "Write the report of a scenario and its measurement.",
    "compare": "Print own cost against the alternatives.",
    "sweep": "Print a what-if grid over one or more keys.",
    "ui": "Change a scenario's numbers on a page, and see the answer follow.",
    "solve": "Find the value of a key at which a target is met.",
    "import": "Read another load tool's result file.",
    "prices": "List, show, check, compare and import price tables.",
    "bill": "Show what a provider's usage or cost export holds.",
    "workload": "Show the shape of a trace: lengths, arrivals, shared prefixes.",
    "engine": "Install, start or stop the engine.",
    "doctor": "Say what works on this machine and what does not.",
}

_EXAMPLES = """
\b
Examples:
  tco init my.yaml                       write a commented scenario
  tco run my.yaml                        measure it and write reports/<name>/
  tco compare my.yaml --json             the answer for a script
  tco sweep my.yaml --vary traffic.target_utilisation=0.2:1:0.2
"""


class _Commands(click.Group):
    """Imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = f"tco.cli.{cmd_name}_" if keyword.iskeyword(cmd_name) else f"tco.cli.{cmd_name}"
        command: click.Command = importlib.import_module(module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, epilog=_EXAMPLES, context_settings={"max_content_width": 100})
@click.version_option(__version__, prog_name="tco")
def cli() -> None:
    """Is my own hardware cheaper than the LLM API, by how much, and how sure is that?

    Exit codes: 0 done; 2 bad input; 3 the engine failed; 4 a finding is invalid (files are
    written, and marked); 5 a gate failed; 130 interrupted. `--debug` shows tracebacks.
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    if debug:
        arguments.remove("--debug")
    as_json = "--json" in arguments
    _end_orderly()
    try:
        code = cli.main(arguments, prog_name="tco", standalone_mode=False)
    except BrokenPipeError:
        sys.exit(0)
    except click.ClickException as error:
        sys.exit(_say(_usage_error(error), as_json=as_json))
    except (TcoError, OSError, KeyboardInterrupt, click.Abort) as error:
        if debug:
            raise
        sys.exit(_say(_as_tco_error(error), as_json=as_json))
    sys.exit(code if isinstance(code, int) else 0)


def _end_orderly() -> None:
    """Let SIGTERM, or a closed terminal, end things as Ctrl-C does: the engine is stopped."""
    for signum in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, _raise_interrupt)


def _raise_interrupt(signum: int, frame: object) -> None:
    del signum, frame
    raise KeyboardInterrupt


def _as_tco_error(error: BaseException) -> TcoError:
    """A command's own error; what the system refused unforeseen (a full disk); or an interrupt."""
    if isinstance(error, TcoError):
        return error
    if isinstance(error, OSError):
        reason = (error.strerror or str(error)).lower()
        file = error.filename if isinstance(error.filename, str) else None
        remedy = "name another place"
        return InputError(f"the system refuses this: {reason}", file=file, remedy=remedy)
    return InterruptedRunError("stopped by the user")


def _usage_error(error: click.ClickException) -> TcoError:
    remedy = None
    if isinstance(error, click.UsageError) and error.ctx is not None:
        remedy = f"see `{error.ctx.command_path} --help`"
    return InputError(error.format_message().rstrip("."), remedy=remedy)


def _say(error: TcoError, *, as_json: bool) -> int:
    if as_json:
        document = json.dumps(error.as_json(), ensure_ascii=False)
        try:
            click.echo(document)
        except OSError:  # stdout is what failed
            click.echo(document, err=True)
    else:
        from tco.report.text import visible

        click.echo(f"tco: {visible(str(error))}", err=True)
        if isinstance(error, EngineError) and error.log_tail:
            click.echo("last lines of the engine's log:", err=True)
            for line in error.log_tail:
                click.echo(f"  {visible(line)}", err=True)
    return error.exit_code
