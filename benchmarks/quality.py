"""How often the quality guard of `tco tune` is wrong: of identical engines and of damaged ones.

`python -m benchmarks.quality`: real vLLM with a tiny model trained for seconds (`trained_model`).
Engines with the scenario's own settings are started anew and judged against the first; then ones
with a change that should do no harm, with less precision, and with deliberate damage. Only answers
count, no times, so that other work on the machine does no harm.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from scipy.stats import beta

from tco.measure.engine import running_engine
from tco.measure.engine_home import engine_python, engines_folder, find_vllm
from tco.measure.quality_probe import probe_engine
from tco.measure.quality_prompts import passages
from tco.measure.tiny_model import ensure_tiny_model
from tco.output_file import write_whole
from tco.quality import QualityProbe
from tco.scenario import Argument, Scenario
from tco.scenario.quality import QualityLimits
from tco.tune.quality import judged
from tco.tuning import TuneQuality

SCRIPT: Final = Path(__file__).with_name("trained_model.py")
SURE: Final = 0.95
# Noise on the weights, as a share of their own spread.
NOISES: Final = (0.01, 0.03, 0.1, 0.3)
OTHER_ROPE: Final = '{"rope_parameters": {"rope_type": "default", "rope_theta": 1000.0}}'


@dataclass(frozen=True, slots=True)
class Change:
    """An engine to be judged against the scenario's own settings."""

    kind: str
    name: str
    args: dict[str, Argument]
    env: dict[str, str]
    noise: float | None = None


CHANGES: Final = (
    Change("harmless", "8 sequences at once", {"max-num-seqs": 8}, {}),
    Change("harmless", "one thread", {}, {"OMP_NUM_THREADS": "1"}),
    Change("harmless", "compiled, not eager", {"enforce-eager": False}, {}),
    Change("harmless", "float32", {"dtype": "float32"}, {}),
    Change("less precise", "KV cache in FP8", {"kv-cache-dtype": "fp8"}, {}),
    Change("damaged", "RoPE base 1,000", {"hf-overrides": OTHER_ROPE}, {}),
    *(Change("damaged", f"weights with {each:.0%} noise", {}, {}, each) for each in NOISES),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the guard said of one engine, with its default limits."""

    kind: str
    name: str
    quality: TuneQuality


def trained(folder: Path, vllm: Path, noises: Sequence[float] = ()) -> Path:
    """Make the trained model in a folder, with a damaged copy beside it for each noise."""
    python = engine_python(vllm)
    shutil.copytree(ensure_tiny_model(engines_folder() / "tiny-model", python), folder)
    text = folder.with_name("passages.txt")
    text.write_text("\n".join(passages()), encoding="utf-8")
    words = [word for each in noises for word in ("--noise", str(each))]
    subprocess.run([python, SCRIPT, folder, text, *words], check=True, capture_output=True)
    return folder


def scenario(vllm: Path, model: Path, change: Change | None = None) -> Scenario:
    """Return the scenario of the model, with a change of its engine or without."""
    args: dict[str, Argument] = {
        "max-model-len": 2048,
        "enforce-eager": True,
        "served-model-name": "trained",
        "no-enable-prefix-caching": True,
    }
    env = {"VLLM_CPU_KVCACHE_SPACE": "1"}
    if change is not None:
        args |= change.args
        env |= change.env
        if change.noise is not None:
            model = model.with_name(f"{model.name}-{change.noise:g}")
    launch = {"command": [str(vllm), "serve"], "model": str(model), "args": args, "env": env}
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "quality",
            "traffic": {"shape": {"input_tokens": 64, "output_tokens": 64}},
            "engine": {"launch": launch},
            "hardware": {"rent": {"usd_per_hour": 0}},
        }
    )


def probe(stated: Scenario, folder: Path, *, twice: bool = False) -> QualityProbe:
    """Start the engine, ask it the fixed set, and end it."""
    log = folder / "engine.log"
    with running_engine(stated, log_path=log, on_progress=lambda _: None) as handle:
        return probe_engine(handle, twice=twice)


def most_share(events: int, trials: int) -> float:
    """Return the upper bound of a share, as Clopper and Pearson (1934) have it, 95 % sure."""
    return 1.0 if events >= trials else float(beta.ppf(SURE, events + 1, trials - events))


def main() -> None:
    """Judge all engines, and write what was said of each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("build/quality.json"))
    parser.add_argument("--starts", type=int, default=20, help="of an identical engine")
    args = parser.parse_args()
    vllm = find_vllm()
    found: list[Judged] = []
    with tempfile.TemporaryDirectory(prefix="tco-quality-") as place:
        folder = Path(place)
        model = trained(folder / "model", vllm, NOISES)
        before = probe(scenario(vllm, model), folder, twice=True)
        tokens = sum(len(each.logprobs) for each in before.prompts)
        print(f"{len(before.prompts)} prompts, {tokens} prompt tokens", file=sys.stderr)
        same = [Change("identical", f"start {number + 1}", {}, {}) for number in range(args.starts)]
        for change in (*same, *CHANGES):
            after = probe(scenario(vllm, model, change), folder)
            said = judged(before, after, QualityLimits(), is_allowed=False)
            found.append(Judged(change.kind, change.name, said))
            print(found[-1], file=sys.stderr, flush=True)
            tree = [asdict(each) | {"quality": each.quality.model_dump()} for each in found]
            write_whole(args.output, json.dumps({"judged": tree}, indent=1) + "\n")
    alarms = [each.quality.passes is False for each in found if each.kind == "identical"]
    if alarms:
        print(
            f"false alarms of identical engines: {sum(alarms)} of {len(alarms)}, so at most "
            f"{most_share(sum(alarms), len(alarms)):.1%} (95 % sure)"
        )


if __name__ == "__main__":
    main()
