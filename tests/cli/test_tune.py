"""`tco tune`, end to end, on an engine of known pace."""

import json

import pytest
from paced_scenario import run_tco, write_paced

from tco.scenario_file import load_scenario

pytestmark = pytest.mark.slow
API = "alternatives: [{name: an API, usd_per_million: {input: 100, output: 1000}}]"
LADDER = """
schema: tco.ladder/1
name: mine
steps:
  - {name: no such thing, args: {warp: 9}}
  - {name: half the gap, args: {gap-s: 0.04}, env: {PACED_TTFT_S: "0.04"}, numerics: true}
  - {name: a kernel, args: {refuse-to-start: true}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("tune")
    for name in ("s.yaml", "other.yaml"):
        write_paced(made / name, args={"gap-s": 0.08}, more=API)
    (made / "l.yaml").write_text(LADDER, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def first(folder):
    """A tuning whose time is up after the baseline."""
    words = ("tune", "s.yaml", "--ladder", "l.yaml", "--max-minutes", "0.01", "-o", "t")
    return run_tco(folder, *words)


@pytest.fixture(scope="module")
def tuned(folder, first):
    """The same tuning, gone on with."""
    del first
    return run_tco(folder, "tune", "s.yaml", "--ladder", "l.yaml", "-o", "t", "--json")


def test_a_tuning_that_ran_out_of_time_says_so_and_goes_on(first, tuned):
    assert first.returncode == 0, first.stderr
    assert "the same command goes on where this one stopped" in first.stderr
    assert "not reached" in first.stdout
    assert "written: t/tune.pdf" in first.stderr
    assert "trial 1," in first.stderr
    assert "trial 1," not in tuned.stderr
    assert "trial 2, step 2, half the gap: with it; " in tuned.stderr


def test_each_step_is_decided_by_what_was_measured(tuned):
    assert tuned.returncode == 0, tuned.stderr
    tuning = json.loads(tuned.stdout)
    steps = {step["name"]: step for step in tuning["steps"]}
    assert steps["no such thing"]["decision"] == "skipped"
    assert steps["no such thing"]["why"] == "this engine takes no --warp"
    half = steps["half the gap"]
    # A busy machine may make the rates too uneven for a decision, never the gain a loss.
    assert half["decision"] in {"kept", "reverted", "undecided"}
    assert "invalid" in half["why"] if half["ratio"] is None else 1.1 < half["ratio"] < 2.5
    if half["figures"] and tuning["baseline"]:
        cost = [of["usd_per_million_output"] for of in (tuning["baseline"], half["figures"])]
        assert cost[0] > cost[1]
    kernel = steps["a kernel"]
    assert kernel["decision"] == "failed"
    assert "ImportError: no kernel of that kind here" in kernel["why"]
    assert tuning["is_complete"]
    # Not those that stand in for what a busy machine spoilt.
    own = [trial["role"] for trial in tuning["trials"] if trial["retry_of"] is None]
    assert own[1:7] == [
        "candidate", "incumbent", "incumbent", "candidate", "candidate", "incumbent",
    ]  # fmt: skip
    assert len({trial["measurement"] for trial in tuning["trials"]}) > 7


def test_the_best_settings_are_a_scenario_that_keeps_its_comments(tuned, folder):
    tuning = json.loads(tuned.stdout)
    if not tuning["best"]["steps"]:
        assert not (folder / "s-tuned.yaml").exists()
        return
    text = (folder / "s-tuned.yaml").read_text(encoding="utf-8")
    assert "# the gap between two tokens" in text
    assert "was not checked" in text
    launch = load_scenario(folder / "s-tuned.yaml").scenario.engine.launch
    assert launch.args["gap-s"] == 0.04
    assert launch.env == {"PACED_TTFT_S": "0.04"}
    assert "--gap-s 0.04" in tuning["best"]["serve"]
    assert "quality_not_checked" in {finding["kind"] for finding in tuning["findings"]}


@pytest.mark.usefixtures("tuned")
def test_a_finished_tuning_is_kept_unless_forced(folder):
    done = run_tco(folder, "tune", "s.yaml", "--ladder", "l.yaml", "-o", "t")
    assert done.returncode == 2
    assert "the tuning exists already" in done.stderr


@pytest.mark.usefixtures("first")
def test_the_record_of_another_ladder_is_not_taken_up(folder):
    words = ("--ladder", "vllm-cpu", "-o", "other")
    other = folder / "other"
    other.mkdir()
    record = json.loads((folder / "t" / "tune.json").read_text())
    record["is_complete"] = False
    (other / "tune.json").write_text(json.dumps(record))
    done = run_tco(folder, "tune", "s.yaml", *words)
    assert done.returncode == 2
    assert "another tuning" in done.stderr


def test_an_engine_that_does_not_start_as_the_scenario_has_it_is_exit_3(folder):
    words = ("--ladder", "l.yaml", "-o", "none", "--set", "engine.launch.args.refuse-to-start=true")
    done = run_tco(folder, "tune", "other.yaml", *words)
    assert done.returncode == 3
    assert "the scenario's own settings cannot be measured" in done.stderr
    assert "no kernel of that kind" in done.stderr


def test_a_scenario_that_starts_no_engine_is_refused(folder):
    attach = "engine.attach={url: 'http://127.0.0.1:1', model: m}"
    words = ("--ladder", "l.yaml", "--set", "engine.launch=null", "--set", attach)
    done = run_tco(folder, "tune", "other.yaml", *words)
    assert done.returncode == 2
    assert "the scenario starts none" in done.stderr


def findings(folder, *arguments):
    done = run_tco(folder, "compare", "s-tuned.yaml", "--json", *arguments)
    assert done.returncode in {0, 4}, done.stderr
    return {found["kind"]: found for found in json.loads(done.stdout)["findings"]}


def test_the_tuned_scenario_warns_where_it_serves_another_traffic(tuned, folder):
    tuning = json.loads(tuned.stdout)
    if not tuning["best"]["steps"]:
        return
    own = ("-m", "t/" + tuning["steps"][1]["figures"]["measurement"])
    assert not {kind for kind in findings(folder, *own) if kind.startswith("tuned_")}
    streams = findings(folder, *own, "--set", "engine.concurrency=8")["tuned_on_another_shape"]
    assert streams["severity"] == "warn"
    assert "concurrency 4 there, 8 here" in streams["message"]
    gap = findings(folder, *own, "--set", "engine.launch.args.gap-s=0.06")
    assert "gap-s 0.06 for 0.04" in gap["tuned_settings_changed"]["message"]
    # The measurement is of 4 streams: the scenario asks for them, and was tuned on 16.
    noted = findings(folder, *own, "--set", "engine.tuned.shape.concurrency=16")
    assert noted["tuned_on_another_shape"]["severity"] == "info"
