"""The search of `tco tune` against Optuna's samplers on a measured grid, in the same engine time.

`python -m benchmarks.tune_samplers [GRID]`: each looks for the best of the grid within a quarter
of its engine time, from ten seeds. The samplers start from the same settings as the search; what
they ask for a second time costs them nothing, and they stop only where the time is up.
"""

from __future__ import annotations

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Final

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.samplers import BaseSampler, RandomSampler, TPESampler
from optuna.trial import TrialState

from tco.tune.search.domain import Settings
from tco.tune.search.grid import Grid, read_grid
from tco.tune.search.replay import grid_domain, replay

GRID: Final = Path(__file__).parents[1] / "tests" / "data" / "tune" / "grid_vllm_cpu.json"
SHARE: Final = 0.25
ENOUGH: Final = 0.98
SEEDS: Final = range(1, 11)
MOST_ASKED: Final = 1000
SAMPLERS: Final[dict[str, Callable[[int], BaseSampler]]] = {
    "Optuna's TPE": lambda seed: TPESampler(seed=seed),
    "Optuna's TPE, multivariate": lambda seed: TPESampler(seed=seed, multivariate=True),
    "random": lambda seed: RandomSampler(seed=seed),
}


def sampled(grid: Grid, sampler: BaseSampler, share: float) -> tuple[float, float]:
    """Return the share of the best rate that a sampler found, and of the time it took."""
    cells = {_key(each.settings): each for each in grid.configurations}
    levels = grid_domain(grid).levels
    ranges: dict[str, BaseDistribution] = {n: CategoricalDistribution(v) for n, v in levels.items()}
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.enqueue_trial(dict(grid.own))
    spent_s, best, seen = 0.0, 0.0, set[str]()
    for _ in range(MOST_ASKED):
        trial = study.ask(ranges)
        key = _key(trial.params)
        cell = cells[key]
        took_s = 0.0 if key in seen else cell.start_s + cell.run_s
        if spent_s + took_s > share * grid.engine_s:
            break
        spent_s += took_s
        seen.add(key)
        if cell.rate is None:
            study.tell(trial, state=TrialState.FAIL)
        else:
            study.tell(trial, cell.rate)
            best = max(best, cell.rate)
    return best / grid.best_rate, spent_s / grid.engine_s


def _key(settings: Settings) -> str:
    return json.dumps(dict(settings), sort_keys=True)


def line(name: str, found: list[tuple[float, float]]) -> str:
    """Return how often a way reached the best, its worst case and the time it took."""
    reached = sum(best >= ENOUGH for best, _ in found)
    shares = [share for _, share in found]
    return (
        f"{name}: {reached} of {len(found)} reached {ENOUGH:.0%}, the worst {min(found)[0]:.1%}, "
        f"in {min(shares):.1%} to {max(shares):.1%} of the time"
    )


def main() -> None:
    """Print a line for the search and for each sampler."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tune_samplers", description=__doc__)
    parser.add_argument("grid", type=Path, nargs="?", default=GRID)
    grid = read_grid(parser.parse_args().grid)
    warnings.simplefilter("ignore")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    own = [replay(grid, seed=seed, most_share=SHARE) for seed in SEEDS]
    print(line("tco tune --search", [(each.share_of_best, each.share_of_time) for each in own]))
    for name, of_seed in SAMPLERS.items():
        print(line(name, [sampled(grid, of_seed(seed), SHARE) for seed in SEEDS]))


if __name__ == "__main__":
    main()
