"""The quality guard on real vLLM: an engine that computes the same passes, a damaged one does not.

The tiny model is trained for seconds on the texts that are asked: of random weights nothing shows.
"""

from __future__ import annotations

import sys

import pytest

from benchmarks.quality import OTHER_ROPE, Change, scenario, trained
from tco.measure.engine import running_engine
from tco.scenario.quality import QualityLimits
from tco.tune.quality import judged
from tco.tune.quality_trial import probed

pytestmark = pytest.mark.engine

# The share of a text that the model knows by heart; run as a user's own command would be.
SCORER = """
import json, os, urllib.request
text = "It was the best of times, it was the worst of times, it was the age of wisdom"
body = {"model": os.environ["TCO_SERVED_MODEL"], "prompt": text[:40], "max_tokens": 32,
        "temperature": 0}
request = urllib.request.Request(
    os.environ["TCO_BASE_URL"] + "/completions", json.dumps(body).encode(),
    {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["TCO_API_KEY"]})
said = json.load(urllib.request.urlopen(request))["choices"][0]["text"]
print(json.dumps({"score": len(os.path.commonprefix([said, text[40:]])) / len(text[40:])}))
"""


def test_an_identical_engine_passes_and_a_damaged_one_is_caught(real_engine, tmp_path):
    model = trained(tmp_path / "model", real_engine.vllm)
    limits = QualityLimits(command=(sys.executable, "-c", SCORER))

    def asked(change, *, is_baseline=False):
        stated = scenario(real_engine.vllm, model, change)
        log = tmp_path / "engine.log"
        with running_engine(stated, log_path=log, on_progress=lambda _: None) as handle:
            return probed(handle, limits, is_baseline=is_baseline)

    before = asked(None, is_baseline=True)
    assert {each.kind for each in before.prompts} == {"text", "random"}
    # The texts are known, so that the model's word on them is far from an even guess (6.2 nats).
    known = [p for each in before.prompts if each.kind == "text" for p in each.logprobs]
    assert -sum(known) / len(known) < 4.5

    same = judged(before, asked(None), limits, is_allowed=False)
    assert same.passes is True
    assert same.mean_logprob_drift < 1e-3
    assert same.greedy_prompt_agreement == 1
    assert same.score == same.baseline_score is not None

    rope = Change("damaged", "another RoPE base", {"hf-overrides": OTHER_ROPE}, {})
    damaged = judged(before, asked(rope), limits, is_allowed=False)
    assert damaged.passes is False
    assert damaged.mean_logprob_drift > limits.mean_logprob_drift.value
    assert "log-probabilities moved by" in damaged.why
