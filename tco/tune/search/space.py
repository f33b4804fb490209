"""A Space is which settings a search may try: parameters of the engine, and constraints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StrictInt, model_validator

from tco.quantity import Model, fault
from tco.scenario import Argument
from tco.tune.search.constraint import Constraint, parse_constraint
from tco.tune.shipped import load_named, shipped
from tco.tuning import Setting

ENV: Final = "env."
_SHIPPED: Final = "spaces"
_MOST_LEVELS: Final = 200


class Parameter(Model):
    """What every kind of parameter says.

    `numerics`: it changes what the model computes. `accelerators`: its value is how many
    accelerators a replica takes.
    """

    numerics: bool = False
    accelerators: bool = False


class Choice(Parameter):
    """One of a list of settings; null leaves the argument out."""

    kind: Literal["choice"]
    settings: tuple[Argument, ...] = Field(min_length=2)

    def levels(self) -> tuple[Setting, ...]:
        """Return the settings."""
        return self.settings


class Whole(Parameter):
    """Whole numbers from low to high, in steps or in doublings."""

    kind: Literal["int"]
    low: StrictInt
    high: StrictInt
    step: Annotated[StrictInt, Field(ge=1)] = 1
    log: bool = False

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.low >= self.high:
            raise fault(f"must be below high ({self.high}), got {self.low}", key="low")
        if self.log and self.low < 1:
            raise fault("must be 1 or more where log is true", key="low")
        if not self.log and (self.high - self.low) // self.step >= _MOST_LEVELS:
            raise fault(f"has over {_MOST_LEVELS} numbers", "give a larger step, or log: true")
        return self

    def levels(self) -> tuple[Setting, ...]:
        """Return the numbers; with log those doubled from the lowest."""
        if not self.log:
            return tuple(range(self.low, self.high + 1, self.step))
        return tuple(
            self.low * 2**n for n in range(self.high.bit_length()) if self.low * 2**n <= self.high
        )


class Switch(Parameter):
    """An argument without a value. Negated, it has an opposite, and may be left out too."""

    kind: Literal["bool"]
    negated: bool = False

    def levels(self) -> tuple[Setting, ...]:
        """Return on, off, and with an opposite neither."""
        return (None, True, False) if self.negated else (False, True)


AnyParameter = Annotated[Choice | Whole | Switch, Field(discriminator="kind")]


class Space(Model):
    """Parameters by the engine's argument, without dashes, or by variable."""

    schema_: Literal["tco.space/1"] = Field(alias="schema")
    name: str = Field(min_length=1)
    args: dict[str, AnyParameter] = Field(default_factory=dict)
    env: dict[str, Choice] = Field(default_factory=dict)
    constraints: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if not self.parameters():
            raise fault("must have args or env", "say what may be tried")
        for name, choice in self.env.items():
            if not all(each is None or isinstance(each, str) for each in choice.settings):
                raise fault("must be texts or null", 'put numbers in quotes: "1"', f"env.{name}")
        self.rules()
        return self

    def parameters(self) -> dict[str, Choice | Whole | Switch]:
        """Return all, those of the environment as `env.NAME`."""
        return {**self.args, **{f"{ENV}{name}": each for name, each in self.env.items()}}

    def rules(self) -> tuple[Constraint, ...]:
        """Return its constraints."""
        known = self.parameters()
        return tuple(parse_constraint(text, known) for text in self.constraints)


@dataclass(frozen=True, slots=True)
class LoadedSpace:
    """A space and the hash of its file."""

    space: Space
    path: Path
    sha256: str


def shipped_spaces() -> dict[str, Path]:
    """Return the file of each space that comes with tco, by its name."""
    return shipped(_SHIPPED)


def load_space(named: str) -> LoadedSpace:
    """Read a shipped space by its name, or else a file.

    Raises:
        InputError: there is neither, or the file is not as a space must be.
    """
    return LoadedSpace(*load_named(named, Space, kind="space", folder=_SHIPPED))
