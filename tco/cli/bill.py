"""`tco bill`: what a provider's usage or cost export holds."""

from __future__ import annotations

from pathlib import Path

import click

from tco.cli.options import json_option

_GROUP_EXAMPLES = """
\b
Examples:
  tco bill show usage.json costs.json      period, requests, tokens, spend, and what is not told
"""
_SHOW_EXAMPLES = """
\b
Examples:
  tco bill show usage.json
  tco bill show usage.json costs.csv
  tco bill show spend_logs.jsonl --json

\b
The format is recognised from the content: exports of OpenAI, Anthropic, OpenRouter, LiteLLM and
FOCUS. docs/bill.md lists their keys, and traffic.bill of a scenario starts from such files.
"""


@click.group(epilog=_GROUP_EXAMPLES)
def command() -> None:
    """Look at a provider's bill before it is used as a scenario's traffic."""


@command.command(epilog=_SHOW_EXAMPLES)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@json_option
def show(files: tuple[Path, ...], *, as_json: bool) -> None:
    """Print what the files of one bill hold together: by model, by hour, and what they lack."""
    from tco.bill import load_bill
    from tco.bill.summary import bill_summary
    from tco.cli.bill_tables import print_bill

    summary = bill_summary(load_bill(files))
    if as_json:
        click.echo(summary.model_dump_json(by_alias=True, indent=1))
    else:
        print_bill(summary)
