"""`tco ui`: a scenario's numbers as sliders, its answer beside them, in a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from tco.cli.options import measurement_option, prices_option, scenario_argument, set_option

_EXAMPLES = """
\b
Examples:
  tco ui my.yaml                                 opens the page in your browser
  tco ui my.yaml -m reports/my/measurement.json
  tco ui my.yaml --port 8080 --no-open           prints the address only
"""
_HIGHEST_PORT = 65_535


@click.command(epilog=_EXAMPLES)
@scenario_argument
@measurement_option
@prices_option
@click.option(
    "--port",
    type=click.IntRange(0, _HIGHEST_PORT),
    default=0,
    help="The port of 127.0.0.1 to serve on; a free one if left out.",
)
@click.option(
    "--brand",
    "brand_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A company's name, logo, colour and footer for the PDF (docs/report-files.md).",
)
@click.option("--no-open", is_flag=True, help="Open no browser; print the address only.")
@set_option
def command(  # noqa: PLR0917  click passes by name
    scenario: Path,
    measurement_file: Path | None,
    price_files: tuple[Path, ...],
    port: int,
    brand_file: Path | None,
    sets: tuple[str, ...],
    *,
    no_open: bool,
) -> None:
    """Change a scenario's numbers on a page, and see the answer follow.

    The page is served to this machine only, at an address that nobody can guess, until
    Ctrl-C. The scenario's file is never written: the page offers what it shows as a scenario
    file of its own, and as the report's PDF.
    """
    from tco.report.brand import read_brand
    from tco.ui.board import load_board
    from tco.ui.serve import serve

    brand = None if brand_file is None else read_brand(brand_file)
    board = load_board(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )

    def ready(address: str) -> None:
        click.echo(address)
        click.echo("Ctrl-C ends it.", err=True)
        if not no_open and _has_windows():
            click.launch(address)

    serve(board, port=port, ready=ready, brand=brand)


def _has_windows() -> bool:
    """Say whether a browser could open beside the terminal."""
    if sys.platform != "linux":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
