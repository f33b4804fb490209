"""What `tco tune` is asked, of one scenario or several, and what it says on the way."""

from __future__ import annotations

import datetime as dt
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.units import SECONDS_PER_MINUTE

if TYPE_CHECKING:
    from tco.prices import PriceTables
    from tco.scenario_file import LoadedScenario
    from tco.tune.plan import TunePlan
    from tco.tune.tune import Pricer


@dataclass(frozen=True, slots=True)
class Asked:
    """What the options ask for, alike for every scenario."""

    sets: tuple[str, ...]
    price_files: tuple[Path, ...]
    repeats: int
    max_minutes: float | None
    out_dir: Path | None

    @property
    def limit_s(self) -> float | None:
        """Return the most it may take."""
        return None if self.max_minutes is None else self.max_minutes * SECONDS_PER_MINUTE


def pricer(loaded: LoadedScenario, tables: PriceTables) -> tuple[Pricer, float | None]:
    """Return what prices a measurement, and what a server costs [USD/h].

    Faults of money are found before any engine runs.
    """
    from tco.case import Case
    from tco.cli.answer import any_measurement, compared
    from tco.measurement import Measurement
    from tco.report.headline import label
    from tco.tune.tune import Priced

    date = loaded.scenario.date or dt.datetime.now(dt.UTC).date()

    def price(scenario: LoadedScenario, measurement: Measurement, sha256: str) -> Priced:
        found = compared(Case(scenario, measurement, sha256, tables, date))
        rival = found.headline_alternative()
        return Priced(
            usd_per_million_output=found.self_host.usd_per_million_output,
            alternative=None if rival is None else label(rival),
            saving=None if rival is None else rival.saving,
        )

    own = compared(Case(loaded, any_measurement(loaded), "", tables, date)).self_host
    return price, own.usd_per_hour / own.servers if own.usd_per_hour else None


def say(words: str) -> None:
    """Print a line on stderr."""
    click.echo(words, err=True)


def say_plan(plan: TunePlan) -> None:
    """Print what is left out of a plan."""
    say_scoring(plan.base)
    if plan.unchecked is not None:
        say(f"the steps' arguments are not checked: {plan.unchecked}")
    for number, why in plan.skipped.items():
        say(f"step {number}, {plan.ladder.ladder.steps[number - 1].name}: skipped: {why}")


def say_scoring(loaded: LoadedScenario) -> None:
    """Print which command will be run to score the endpoint, if any."""
    if (command := loaded.scenario.tune.quality.command) is not None:
        say(f"scoring command: {shlex.join(command)}")
