"""What a configuration serves and costs, by its engine start of median rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tco.measurement import Measurement
from tco.scenario_file import LoadedScenario
from tco.tune.records import measurement_of
from tco.tuning import TuneFigures, TuneTrial


@dataclass(frozen=True, slots=True)
class Priced:
    """What a configuration costs: USD per million output tokens, and the saving."""

    usd_per_million_output: float
    alternative: str | None
    saving: float | None


# From the scenario, its measurement and the hash of that one's file.
Pricer = Callable[[LoadedScenario, Measurement, str], Priced]


def figures_of(
    loaded: LoadedScenario, trials: Sequence[TuneTrial], folder: Path, price: Pricer
) -> TuneFigures | None:
    """Return the figures of the valid trial of median rate; of two in the middle the lower.

    None where no trial is valid.
    """
    valid = [trial for trial in trials if trial.output_tok_per_s and not trial.invalid]
    if not valid:
        return None
    ranked = sorted(valid, key=lambda trial: trial.output_tok_per_s or 0.0)
    trial = ranked[(len(ranked) - 1) // 2]
    found = measurement_of(trial, folder)
    if found is None or trial.measurement is None:
        return None
    measurement, sha256 = found
    priced = price(loaded, measurement, sha256)
    rates = measurement.capacity()
    return TuneFigures(
        output_tok_per_s=rates.output_tok_per_s,
        requests_per_s=rates.requests_per_s,
        measurement=trial.measurement,
        usd_per_million_output=priced.usd_per_million_output,
        alternative=priced.alternative,
        saving=priced.saving,
    )
