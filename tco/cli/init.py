"""`tco init`: write a commented scenario to start from."""

from __future__ import annotations

from pathlib import Path

import click

_WITH_RATE = "cline-512x512x256"
_EXAMPLES = """
\b
Examples:
  tco init                                          scenario.yaml, the Cline report's case
  tco init my.yaml --hardware h100-sxm-runpod       on a rented H100
  tco init agents.yaml --preset agent-coding --model org/name
  tco init demo.yaml --preset demo --model ./tiny   a small model, to see the method

\b
Then:
  tco compare scenario.yaml
"""


@click.command(epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path), default="scenario.yaml")
@click.option(
    "--preset",
    default=_WITH_RATE,
    show_default=True,
    metavar="NAME",
    help="The traffic to start from: cline-512x512x256, rag-long-input, agent-coding or demo.",
)
@click.option("--hardware", metavar="ROW", help="A row of pricing/hardware/ to run on.")
@click.option("--model", metavar="NAME", help="The model to serve: a folder or a name.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def command(
    file: Path, preset: str, hardware: str | None, model: str | None, *, force: bool
) -> None:
    """Write a commented scenario to FILE, by default scenario.yaml.

    Each key says its unit and where to find its figure. The default preset compares as it
    is; the others want a bench, or a published rate that you fill in.
    """
    from tco.scenario_template import scenario_text, write_new

    write_new(file, scenario_text(preset, hardware, model), force=force)
    click.echo(f"wrote {file}; edit it, then: tco {_next_command(preset)} {file}", err=True)


def _next_command(preset: str) -> str:
    """Return what answers from the preset as it is: only the default holds a rate already."""
    return "compare" if preset == _WITH_RATE else "run"
