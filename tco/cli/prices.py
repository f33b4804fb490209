"""`tco prices`: the price tables, looked at, checked, compared and imported."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

from tco.cli.options import force_option, json_option, prices_option
from tco.plural import several

_EXAMPLES = """
\b
Examples:
  tco prices show openai/gpt-oss-120b            every provider of these weights, cheapest first
  tco prices list nemotron                       rows whose name has this in it
  tco prices check mine.yaml                     units, dates, doubles, disagreements
  tco prices import models.json -o pricing/api/openrouter.yaml --model qwen --date 2026-12-02

docs/prices.md lists the formats that are read as they are.
"""
date_option = click.option(
    "--date",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="The day whose prices count; today (UTC) if left out.",
)
_file = click.Path(path_type=Path)


@click.group(epilog=_EXAMPLES)
def command() -> None:
    """Look at price tables: the shipped ones, your own, and genai-prices behind them."""


@command.command("list")
@click.argument("text", metavar="[FILTER]", default="")
@prices_option
@date_option
@json_option
def list_(
    text: str, price_files: tuple[Path, ...], date: dt.datetime | None, *, as_json: bool
) -> None:
    """List the rows of all tables; with FILTER those of genai-prices too."""
    from tco.cli.prices_tables import print_listing
    from tco.price_listing import listing
    from tco.prices import load_tables

    found = listing(load_tables(price_files), text, _day(date))
    if as_json:
        click.echo(found.model_dump_json(by_alias=True, indent=1))
    else:
        print_listing(found)


@command.command()
@click.argument("model")
@click.option("--input-tokens", default=1000.0, show_default=True, help="Of the request.")
@click.option("--output-tokens", default=500.0, show_default=True, help="Of the request.")
@click.option("--cached-input-share", default=0.0, show_default=True, help="Of its input, 0 to 1.")
@prices_option
@date_option
@json_option
def show(
    *,
    model: str,
    input_tokens: float,
    output_tokens: float,
    cached_input_share: float,
    price_files: tuple[Path, ...],
    date: dt.datetime | None,
    as_json: bool,
) -> None:
    """Price one request at all providers of the same weights, cheapest first.

    MODEL is a row `provider/model`, a model's name, or its weights as their maker names them.
    """
    from tco.cli.prices_tables import print_quotes
    from tco.price_quotes import quotes, request_of
    from tco.prices import load_tables

    counts = request_of(input_tokens, output_tokens, cached_input_share)
    found = quotes(model, load_tables(price_files), counts, _day(date))
    if as_json:
        click.echo(found.model_dump_json(by_alias=True, indent=1))
    else:
        print_quotes(found)


@command.command()
@click.argument("files", metavar="[FILE]…", nargs=-1, type=_file)
@date_option
@json_option
def check(files: tuple[Path, ...], date: dt.datetime | None, *, as_json: bool) -> int:
    """Check the given tables, or the shipped ones: units, zeros, dates, doubles, disagreements.

    Exit codes: 0 done; 2 bad input; 4 a row is invalid, such as one in another unit.
    """
    from tco.cli.prices_tables import print_check
    from tco.price_check import check_files

    found = check_files(files, _day(date))
    if as_json:
        click.echo(found.model_dump_json(by_alias=True, indent=1))
    else:
        print_check(found)
    return 4 if any(finding.severity == "invalid" for finding in found.findings) else 0


@command.command()
@click.argument("old", type=_file)
@click.argument("new", type=_file)
@json_option
def diff(old: Path, new: Path, *, as_json: bool) -> None:
    """Say what the table NEW says otherwise than OLD; they may be of different formats."""
    from tco.cli.prices_tables import print_changes
    from tco.price_changes import changes_between
    from tco.price_files.reading import read_price_file

    found = changes_between(read_price_file(old), read_price_file(new))
    if as_json:
        click.echo(found.model_dump_json(by_alias=True, indent=1))
    else:
        print_changes(found)


@command.command("import")
@click.argument("file", type=_file)
@click.option("-o", "--output", required=True, type=_file, help="The .yaml file to write.")
@click.option("--provider", help="Whose rows to take, where FILE holds several or does not say.")
@click.option("--model", default="", metavar="FILTER", help="Only models with this in their name.")
@click.option(
    "--date",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="When FILE was fetched; needed where it does not say when its prices were seen.",
)
@force_option
def import_(
    *,
    file: Path,
    output: Path,
    provider: str | None,
    model: str,
    date: dt.datetime | None,
    force: bool,
) -> None:
    """Write one provider's rows of FILE as a table of ours, whole or not at all.

    What is left out is said, with its reason, on stderr and at the head of the table.
    """
    from tco.output_file import check_output, write_whole
    from tco.price_import import check_new, import_prices, left_out_words

    check_output(output, ".yaml", ".yml")
    check_new(output, force=force)
    found = import_prices(file, provider=provider, model=model, date=date and date.date())
    write_whole(output, found.text)
    for line in left_out_words(found.left_out):
        click.echo(line, err=True)
    models = several(found.offers, "model")
    click.echo(f"wrote {output}: {models} of {found.provider}", err=True)


def _day(date: dt.datetime | None) -> dt.date:
    return date.date() if date is not None else dt.datetime.now(tz=dt.UTC).date()
