"""What of a scenario a tuning rests on: its traffic, and the engine's settings."""

from __future__ import annotations

from tco.quantity import Quantity
from tco.scenario import Scenario, TunedSettings, TunedShape, mean_tokens
from tco.secret_names import SECRET_ARGUMENT, without_secrets


def traffic_of(scenario: Scenario) -> TunedShape:
    """Return the scenario's traffic by its means, with its streams and its service level."""
    shape, engine = scenario.traffic.shape, scenario.engine
    sessions = shape.requests_per_session()
    return TunedShape(
        input_tokens=_bare(mean_tokens(shape.input_tokens)),
        cached_input_share=_bare(shape.cached_input_share.value),
        output_tokens=_bare(mean_tokens(shape.output_tokens)),
        requests_per_session=None if sessions is None else _bare(sessions),
        concurrency=engine and engine.concurrency and _bare(engine.concurrency.value),
        slo={key: _bare(limit.value) for key, limit in scenario.slo.items()},
    )


def settings_of(scenario: Scenario) -> TunedSettings | None:
    """Return the settings of the engine that a scenario starts; None where it starts none.

    Secrets are left out.
    """
    engine = scenario.engine
    if engine is None or engine.launch is None:
        return None
    launch = engine.launch
    return TunedSettings(
        model=launch.model,
        args={
            name: value for name, value in launch.args.items() if not SECRET_ARGUMENT.search(name)
        },
        env=without_secrets(launch.env),
        accelerators=engine.accelerators and _bare(engine.accelerators.value),
    )


def _bare(value: float) -> Quantity:
    return Quantity(value=value)
