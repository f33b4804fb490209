"""What settings of a space are on a scenario's engine: its own place, a domain, and steps."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from tco.scenario import Launch, Scenario, effect_of, plain_name
from tco.tune.change import launch_of, overrides_of
from tco.tune.ladder import Step
from tco.tune.numerics import numerics_of
from tco.tune.search.domain import Domain, Settings
from tco.tune.search.space import ENV, AnyParameter, Space, Switch
from tco.tuning import Setting


def own_settings(space: Space, launch: Launch) -> dict[str, Setting]:
    """Return what the scenario has now of each parameter of the space.

    As the space writes it: text and number are the same word of a command.
    """
    args = {plain_name(name): value for name, value in launch.args.items()}
    own: dict[str, Setting] = {}
    for name, parameter in space.parameters().items():
        if name.startswith(ENV):
            own[name] = launch.env.get(name.removeprefix(ENV))
            continue
        plain = plain_name(name)
        own[name] = _as_stated(parameter, args.get(plain))
        if isinstance(parameter, Switch):
            is_on = bool(args.get(plain))
            off = None if parameter.negated and not args.get(f"no-{plain}") else False
            own[name] = True if is_on else off
    return own


def _as_stated(parameter: AnyParameter, value: Setting) -> Setting:
    alike = (each for each in parameter.levels() if effect_of(each) == effect_of(value))
    return next(alike, value)


def domain_of(
    space: Space, scenario: Scenario, skipped: Collection[str], also: Sequence[Settings] = ()
) -> Domain:
    """Return what may be tried on a scenario: the space's settings and the scenario's own.

    Args:
        space: all parameters.
        scenario: with the engine as it is now.
        skipped: parameters to leave as they are.
        also: further settings that are known to run.
    """
    launch = launch_of(scenario)
    own = own_settings(space, launch)
    levels: dict[str, tuple[Setting, ...]] = {}
    for name, parameter in space.parameters().items():
        if name in skipped:
            continue
        known = (own[name], *(settings[name] for settings in also))
        every = dict.fromkeys((type(value), value) for value in (*known, *parameter.levels()))
        levels[name] = tuple(value for _, value in every)
    rules = space.rules()
    server = scenario.hardware.purchase or scenario.hardware.rent
    most = server.accelerators.value if server is not None else math.inf
    running = [{name: known[name] for name in levels} for known in (own, *also)]
    left = {name: value for name, value in own.items() if name not in levels}

    def allows(settings: Settings) -> bool:
        if settings in running:
            return True
        if (accelerators_in(space, settings) or 0) > most:
            return False
        return all(rule.allows({**left, **settings}) for rule in rules)

    return Domain(levels, allows)


def accelerators_in(space: Space, settings: Settings) -> int | None:
    """Return how many accelerators a replica takes by its settings; None where none says."""
    named = [name for name, each in space.parameters().items() if each.accelerators]
    stated = [settings[name] for name in named if settings.get(name) is not None]
    return math.prod(int(each) for each in stated if each is not None) if stated else None


def overrides_for(space: Space, settings: Settings, scenario: Scenario) -> tuple[str, ...]:
    """Return the overrides that make the scenario's engine have these settings."""
    args: dict[str, Setting] = {}
    env: dict[str, str | None] = {}
    for name, value in settings.items():
        parameter = space.parameters()[name]
        if name.startswith(ENV):
            env[name.removeprefix(ENV)] = None if value is None else str(value)
        elif isinstance(parameter, Switch) and parameter.negated:
            args |= {name: True if value is True else None}
            args |= {f"no-{name}": True} if value is False else {}
            args |= {f"no-{name}": None} if value is None else {}
        else:
            args[name] = value
    if not args and not env:
        return ()
    step = Step.model_construct(
        name="search", args=args, env=env, numerics=False,
        accelerators=accelerators_in(space, settings),
    )  # fmt: skip
    return overrides_of(step, scenario)


def changes_numerics(space: Space, settings: Settings, own: Settings) -> tuple[str, ...]:
    """Return the parameters by which the model may answer otherwise than with its own settings.

    By the space's own word, or by their names; what is taken out counts by what it was.
    """
    parameters = space.parameters()
    changed = [name for name, value in settings.items() if value != own[name]]
    return tuple(
        name
        for name in changed
        if parameters[name].numerics or _is_known(name, own[name], settings[name])
    )


def _is_known(name: str, *values: Setting) -> bool:
    variable = name.removeprefix(ENV)
    if name != variable:
        return bool(numerics_of({}, {variable: ""}))
    return any(numerics_of({name: value}, {}) for value in values)
