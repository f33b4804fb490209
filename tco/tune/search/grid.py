"""A Grid is every configuration of a few settings, measured several times: `tco.grid/1`.

A search is judged on it: replayed, it finds what the grid says, and pays the engine time that
the grid says.
"""

from __future__ import annotations

import datetime as dt
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from tco.errors import InputError
from tco.measurement import Figure, Record
from tco.quantity import fault
from tco.tuning import Setting

Positive = Annotated[float, Field(gt=0, le=1e40)]


class GridRun(Record):
    """One start of the engine with a configuration.

    Attributes:
        output_tok_per_s: at capacity; None of a run that failed.
        start_s: until the engine was ready, or until it had failed.
        run_s: warm-up, window, drain and the engine's end: all that is not `start_s`.
        load_average_1m: of the machine, while it was measured.
        failure: why there is no rate.
    """

    output_tok_per_s: Positive | None
    start_s: Figure
    run_s: Figure
    load_average_1m: Figure | None = None
    failure: str | None = None

    @model_validator(mode="after")
    def _rate_or_failure(self) -> Self:
        if (self.output_tok_per_s is None) == (self.failure is None):
            raise fault("must have either output_tok_per_s or failure")
        return self


class GridConfiguration(Record):
    """Settings and the runs with them.

    Attributes:
        settings: by argument without dashes, or by `env.NAME`; null where it is left out.
        runs: the repeats; as many for each configuration.
    """

    settings: dict[str, Setting]
    runs: tuple[GridRun, ...] = Field(min_length=1)

    @cached_property
    def rate(self) -> float | None:
        """Return the mean output rate; None where no run gave one."""
        rates = [run.output_tok_per_s for run in self.runs if run.output_tok_per_s is not None]
        return fmean(rates) if rates else None

    @cached_property
    def start_s(self) -> float:
        """Return the mean time of a start."""
        return fmean(run.start_s for run in self.runs)

    @cached_property
    def run_s(self) -> float:
        """Return the mean time of all that is not the start."""
        return fmean(run.run_s for run in self.runs)


class Grid(Record):
    """Configurations measured on one machine for one traffic.

    Attributes:
        engine: with its version.
        machine: processor, cores and memory, in words.
        window_s: the steady window of a run, a part of its `run_s`.
        own: the settings a search starts from: those of one of the configurations.
        configurations: each with every setting of the grid.
    """

    schema_: Literal["tco.grid/1"] = Field(alias="schema", default="tco.grid/1")
    name: str
    tool_version: str
    created_at: dt.datetime
    engine: str
    machine: str
    model: str
    traffic: str
    window_s: Figure
    own: dict[str, Setting]
    configurations: tuple[GridConfiguration, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        each = [configuration.settings for configuration in self.configurations]
        if any(settings.keys() != self.own.keys() for settings in each):
            raise fault("every configuration must have the same settings as own")
        if any(settings in each[:number] for number, settings in enumerate(each)):
            raise fault("a configuration stands twice")
        if self.own not in each:
            raise fault("own must be one of the configurations")
        return self

    @property
    def engine_s(self) -> float:
        """Return the engine time of all its runs."""
        return sum(run.start_s + run.run_s for each in self.configurations for run in each.runs)

    @property
    def best_rate(self) -> float:
        """Return the highest mean output rate."""
        return max(each.rate or 0.0 for each in self.configurations)


def read_grid(path: Path) -> Grid:
    """Read a grid.

    Raises:
        InputError: it is none.
    """
    try:
        return Grid.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(f"is not a grid: {error}", file=str(path)) from error
