"""The settings of an engine as they take effect, and the step from some to others."""

from __future__ import annotations

from dataclasses import dataclass

from tco.scenario import Argument, Scenario, in_effect
from tco.tune.change import accelerators_of, launch_of
from tco.tune.ladder import Step


@dataclass(frozen=True, slots=True)
class Settings:
    """What a scenario sets of its engine; equal where two start the same one.

    Attributes:
        args: by name in one spelling, as the words of a command; those without effect left out.
        accelerators: of a replica; None where that is not stated.
    """

    command: tuple[str, ...]
    args: frozenset[tuple[str, str]]
    env: frozenset[tuple[str, str]]
    accelerators: float | None


def settings_in_effect(scenario: Scenario) -> Settings:
    """Return the settings of the engine that a scenario starts.

    Raises:
        InputError: it starts none.
    """
    launch = launch_of(scenario)
    return Settings(
        command=(*launch.command, launch.model),
        args=frozenset((name, str(value)) for name, value in in_effect(launch.args).items()),
        env=frozenset(launch.env.items()),
        accelerators=accelerators_of(scenario),
    )


def step_between(here: Scenario, there: Scenario, name: str) -> Step | None:
    """Return the step that gives an engine the settings it has there; None where it has them."""
    mine, wanted = in_effect(launch_of(here).args), in_effect(launch_of(there).args)
    args: dict[str, Argument] = {key: None for key in mine if key not in wanted}
    args |= {key: value for key, value in wanted.items() if str(mine.get(key)) != str(value)}
    before, after = launch_of(here).env, launch_of(there).env
    env: dict[str, str | None] = {key: None for key in before if key not in after}
    env |= {key: value for key, value in after.items() if before.get(key) != value}
    if not args and not env:
        return None
    count = accelerators_of(there)
    takes = int(count) if count is not None and count != accelerators_of(here) else None
    # What the step sets is known to fit: it is what another scenario's engine runs with.
    return Step.model_construct(name=name, args=args, env=env, numerics=False, accelerators=takes)
