"""A Ladder is a list of steps, each a change of the engine's arguments and environment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import Field, StrictInt, model_validator

from tco.quantity import Model, fault
from tco.scenario import Argument, plain_name
from tco.tune.shipped import load_named

_SHIPPED: Final = "ladders"
_TAKES_ACCELERATORS: Final = tuple(f"{way}-parallel-size" for way in ("tensor", "pipeline", "data"))


class Step(Model):
    """One change, made to the best settings so far.

    `args` are the engine's, without dashes, `env` its variables; null takes one out. `numerics`
    marks a change of what the model computes, and so perhaps of what it answers. `accelerators`
    are those of a replica, where the step changes how many it takes.
    """

    name: str = Field(min_length=1)
    args: dict[str, Argument] = Field(default_factory=dict)
    env: dict[str, str | None] = Field(default_factory=dict)
    numerics: bool = False
    accelerators: Annotated[StrictInt, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.args and not self.env:
            raise fault("must have args or env", "say what the step changes")
        for key in self.args if self.accelerators is None else ():
            if plain_name(key) in _TAKES_ACCELERATORS:
                raise fault(
                    f"with --{key} must say how many accelerators a replica takes",
                    "add for example accelerators: 2, whose cost is then reckoned",
                )
        return self


class Ladder(Model):
    """Steps in the order in which they are tried."""

    schema_: Literal["tco.ladder/1"] = Field(alias="schema")
    name: str = Field(min_length=1)
    steps: tuple[Step, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class LoadedLadder:
    """A ladder and the hash of its file."""

    ladder: Ladder
    path: Path
    sha256: str


def load_ladder(named: str) -> LoadedLadder:
    """Read a shipped ladder by its name, or else a file.

    Raises:
        InputError: there is neither, or the file is not as a ladder must be.
    """
    return LoadedLadder(*load_named(named, Ladder, kind="ladder", folder=_SHIPPED))
