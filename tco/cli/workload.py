"""`tco workload`: what a file of requests holds."""

from __future__ import annotations

from pathlib import Path

import click

from tco.cli.options import json_option

_GROUP_EXAMPLES = """
\b
Examples:
  tco workload show requests.csv           lengths, arrivals, what prompts share
"""
_SHOW_EXAMPLES = """
\b
Examples:
  tco workload show requests.csv
  tco workload show mooncake.jsonl --json
  tco workload show access.jsonl -o shape.png

\b
The format is recognised from the content: our own CSV or JSON lines, the Azure and Mooncake
traces, access logs of OpenAI-style APIs, agent sessions. docs/scenario.md lists their columns.
"""


@click.group(epilog=_GROUP_EXAMPLES)
def command() -> None:
    """Look at a file of requests before it is used as a scenario's traffic."""


@command.command(epilog=_SHOW_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "out_file",
    type=click.Path(path_type=Path),
    help="An .svg or .png file to plot lengths and arrivals to.",
)
@json_option
def show(file: Path, out_file: Path | None, *, as_json: bool) -> None:
    """Print the shape of a trace: lengths, arrivals by minute, reusable prefix share."""
    from tco.cli.workload_tables import print_shape
    from tco.output_file import check_output, write_whole
    from tco.report.traffic_chart import draw_traffic
    from tco.report.traffic_figure import traffic_figure
    from tco.traffic import load_traffic
    from tco.traffic.shape import traffic_shape

    check_output(out_file, ".svg", ".png")
    traffic = load_traffic(file)
    shape = traffic_shape(traffic, file.name)
    if out_file is not None:
        suffix = out_file.suffix.lower()
        write_whole(out_file, draw_traffic(traffic_figure(traffic, shape), suffix))
        click.echo(f"wrote {out_file}", err=True)
    if as_json:
        click.echo(shape.model_dump_json(by_alias=True, indent=1))
    else:
        print_shape(shape)
