"""What a step changes in a scenario's engine, as overrides like those of `--set`."""

from __future__ import annotations

import json

from tco.errors import InputError
from tco.scenario import Launch, Scenario, effect_of, plain_name
from tco.tune.ladder import Step

_NO = "no-"


def overrides_of(step: Step, scenario: Scenario) -> tuple[str, ...]:
    """Return the overrides that make the step's change; none where all is so already."""
    overrides = launch_overrides(step, launch_of(scenario))
    if step.accelerators is None or step.accelerators == accelerators_of(scenario):
        return overrides
    return (*overrides, f"engine.accelerators={step.accelerators}")


def accelerators_of(scenario: Scenario) -> float | None:
    """Return how many accelerators a replica takes; None where the scenario does not say."""
    stated = scenario.engine.accelerators if scenario.engine is not None else None
    return None if stated is None else stated.value


def launch_of(scenario: Scenario) -> Launch:
    """Return the engine that a scenario starts.

    Raises:
        InputError: it starts none.
    """
    launch = scenario.engine.launch if scenario.engine is not None else None
    if launch is None:
        raise InputError(
            "tuning starts the engine with other settings, and the scenario starts none",
            key="engine.launch",
            remedy="add engine.launch with the model",
        )
    return launch


def launch_overrides(step: Step, launch: Launch) -> tuple[str, ...]:
    """Return the overrides of `engine.launch`.

    An argument replaces one of the same name in another spelling (`max_num_seqs`), and a
    switch its opposite (`no-async-scheduling`).
    """
    changes: dict[str, object] = {}
    for key, value in step.args.items():
        same = [each for each in launch.args if plain_name(each) == plain_name(key)]
        if value is True:
            opposite = _opposite(key)
            off = [each for each in launch.args if plain_name(each) == opposite]
            changes |= {f"args.{each}": None for each in off if effect_of(launch.args[each])}
        target = same[0] if same else key
        if effect_of(launch.args.get(target)) != effect_of(value):
            changes[f"args.{target}"] = value
    changes |= {
        f"env.{name}": value for name, value in step.env.items() if launch.env.get(name) != value
    }
    return tuple(f"engine.launch.{key}={_yaml(value)}" for key, value in changes.items())


def _opposite(key: str) -> str:
    plain = plain_name(key)
    return plain.removeprefix(_NO) if plain.startswith(_NO) else _NO + plain


def _yaml(value: object) -> str:
    """Return the value as YAML has it; JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)
