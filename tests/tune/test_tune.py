"""A tuning on simulated rates: what it tries, keeps, and does not measure twice."""

import datetime as dt
from dataclasses import replace

import pytest

from tco.errors import EngineError, InputError, InterruptedRunError
from tco.finding import Finding
from tco.measurement import Rates
from tco.measurement_file import write_measurement
from tco.quality import PromptProbe, QualityProbe
from tco.scenario_file import load_scenario
from tco.tune.figures import Priced
from tco.tune.ladder import Step, load_ladder
from tco.tune.plan import tune_plan
from tco.tune.records import read_tuning
from tco.tune.trial import measured
from tco.tune.tune import tune
from tco.tune.tuned_scenario import write_tuned
from tco.tuning import TuneTrial

SCENARIO = """
schema: tco.scenario/1
name: simulated
traffic: {shape: {input_tokens: 8, output_tokens: 8}}
engine:
  launch: {command: [/bin/echo, serve], model: a/b, args: {speed: 1}}
  accelerators: 1
  concurrency: 4
hardware: {rent: {usd_per_hour: 2, accelerators: 2}}
"""
FAST = "{name: fast, args: {speed: 2}}"
SLOW = "{name: slow, args: {speed: 0.5}}"

FAILURES = Finding.of("failures", "invalid", "points.0", "requests failed", "see the log")
UNEVEN = Finding.of("not_steady", "invalid", "points.0", "the rate changed", "measure longer")


class Engine:
    """Stands for engine starts: the rate follows the argument `speed`, with a little noise."""

    def __init__(self, make_measurement, make_point):
        self.make_measurement, self.make_point = make_measurement, make_point
        self.tried, self.stops_at, self.uneven = [], None, set()
        self.finding, self.version = UNEVEN, "0.32.0"

    def __call__(self, loaded, *, number, step, role, folder, progress, is_fresh):
        del progress, is_fresh
        if number == self.stops_at:
            raise InterruptedRunError("stopped by the user")
        launch = loaded.scenario.engine.launch
        self.tried.append((number, step, role, launch.args["speed"]))
        trial = TuneTrial(
            number=number, step=step, role=role, scenario_sha256=loaded.sha256,
            started_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), took_s=30.0,
        )  # fmt: skip
        if launch.args.get("broken"):
            return trial.model_copy(update={"failure": "it does not start"})
        rate = 1000.0 * launch.args["speed"] * (1 + 0.001 * (number % 3))
        rates = Rates(
            requests_per_s=rate / 8, input_tok_per_s=rate,
            output_tok_per_s=rate, total_tok_per_s=2 * rate,
        )  # fmt: skip
        findings = (self.finding,) if number in self.uneven else ()
        facts = self.make_measurement().engine.model_copy(update={"version": self.version})
        measurement = self.make_measurement(
            findings=findings, points=(self.make_point(rates=rates),), engine=facts
        )
        file = f"trials/{number}.json"
        (folder / "trials").mkdir(parents=True, exist_ok=True)
        write_measurement(measurement, folder / file)
        return measured(trial, measurement, file)


@pytest.fixture
def engine(make_measurement, make_point):
    return Engine(make_measurement, make_point)


@pytest.fixture
def planned(tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="utf-8")

    def make(*steps, sets=(), **more):
        text = f"schema: tco.ladder/1\nname: l\nsteps: [{', '.join(steps)}]\n"
        (tmp_path / "l.yaml").write_text(text, encoding="utf-8")
        base = load_scenario(tmp_path / "s.yaml", sets)
        ladder = load_ladder(str(tmp_path / "l.yaml"))
        return tune_plan(base, sets, ladder, **{"repeats": 3, "folder": tmp_path / "t", **more})

    return make


def price(scenario, measurement, sha256):
    del scenario, sha256
    return Priced(2e6 / 3600 / measurement.capacity().output_tok_per_s, None, None)


@pytest.fixture
def tuned(engine, make_measurement):
    def run(plan, **more):
        return tune(
            plan,
            **(
                {
                    "price": price,
                    "progress": lambda _: None,
                    "say": lambda _: None,
                    "measure": engine,
                    "host": lambda: make_measurement().host,
                }
                | more
            ),
        )

    return run


def decisions(tuning):
    return [step.decision for step in tuning.steps]


def test_a_step_is_tried_on_the_best_so_far(planned, tuned, engine):
    tuning = tuned(planned(FAST, SLOW))
    assert decisions(tuning) == ["kept", "reverted"]
    assert tuning.best.steps == (1,)
    assert tuning.best.serve == "/bin/echo serve a/b --speed 2"
    assert tuning.steps[0].ratio == pytest.approx(2, rel=0.01)
    incumbents = {step: speed for _, step, role, speed in engine.tried if role == "incumbent"}
    assert incumbents == {0: 1, 1: 1, 2: 2}
    assert len(engine.tried) == 1 + 6 + 6


def test_a_look_at_what_runs_starts_one_engine_a_step(planned, tuned, engine):
    tuning = tuned(planned(FAST, SLOW, repeats=1))
    assert decisions(tuning) == ["undecided", "undecided"]
    assert [(step, role) for _, step, role, _ in engine.tried] == [
        (0, "incumbent"), (1, "candidate"), (2, "candidate"),
    ]  # fmt: skip
    assert tuning.steps[0].ratio == pytest.approx(2, rel=0.01)


def test_a_look_takes_no_trial_that_a_busy_machine_spoilt(planned, tuned, engine):
    engine.uneven = {1, 2}
    tuned(planned(FAST, repeats=1))
    assert [(step, role) for _, step, role, _ in engine.tried] == [
        (0, "incumbent"), (1, "candidate"), (1, "incumbent"), (1, "candidate"), (1, "incumbent"),
    ]  # fmt: skip


def test_a_step_that_is_so_already_or_does_not_start_is_passed_over(planned, tuned, engine):
    broken = "{name: broken, args: {broken: true}}"
    tuning = tuned(planned(broken, FAST, FAST))
    assert decisions(tuning) == ["failed", "kept", "skipped"]
    assert tuning.steps[0].why == "it does not start"
    assert [speed for _, step, _, speed in engine.tried if step == 1] == [1]


def test_an_interrupted_tuning_goes_on_and_measures_no_trial_twice(planned, tuned, engine):
    engine.stops_at = 5
    with pytest.raises(InterruptedRunError):
        tuned(planned(FAST, SLOW))
    assert [number for number, *_ in engine.tried] == [1, 2, 3, 4]
    engine.stops_at = None
    tuning = tuned(planned(FAST, SLOW))
    assert [number for number, *_ in engine.tried] == list(range(1, 14))
    assert decisions(tuning) == ["kept", "reverted"]


def test_a_trial_whose_measurement_is_gone_is_measured_again(planned, tuned, engine, tmp_path):
    engine.stops_at = 5
    with pytest.raises(InterruptedRunError):
        tuned(planned(FAST))
    (tmp_path / "t" / "trials" / "3.json").unlink()
    engine.stops_at = None
    tuned(planned(FAST))
    assert [number for number, *_ in engine.tried] == [1, 2, 3, 4, 3, 4, 5, 6, 7]


def test_a_start_that_failed_at_first_is_tried_again_by_the_same_command(planned, tuned, tmp_path):
    plan = planned(FAST, sets=("engine.launch.args.broken=true",))
    with pytest.raises(EngineError, match="own settings cannot be measured"):
        tuned(plan)
    assert not (tmp_path / "t" / "tune.json").exists()


def test_more_accelerators_must_gain_more_than_they_cost(planned, tuned):
    step = "{name: two, args: {speed: 1.5, tensor-parallel-size: 2}, accelerators: 2}"
    tuning = tuned(planned(step))
    assert decisions(tuning) == ["reverted"]
    assert tuning.steps[0].ratio == pytest.approx(0.75, rel=0.01)


def test_accelerators_that_are_not_there_or_not_stated_are_skipped(planned):
    step = "{name: many, args: {tensor-parallel-size: 4}, accelerators: 4}"
    assert planned(step).skipped == {1: "a server has 2, and it takes 4"}
    unstated = planned(step, sets=("engine.accelerators=null",)).skipped[1]
    assert "engine.accelerators" in unstated


def test_time_that_is_up_leaves_the_rest_for_another_run(planned, tuned):
    tuning = tuned(planned(FAST, SLOW, limit_s=29.0))
    assert decisions(tuning) == ["not_reached", "not_reached"]
    assert not tuning.is_complete
    again = tuned(planned(FAST, SLOW))
    assert decisions(again) == ["kept", "reverted"]
    assert again.is_complete


def test_the_best_settings_become_a_scenario_of_another_name(planned, tuned, tmp_path):
    plan = planned(FAST, sets=("engine.concurrency=8",))
    tuning = write_tuned(tuned(plan), plan)
    found = load_scenario(tmp_path / "s-tuned.yaml").scenario
    assert found.name == "simulated, tuned"
    assert found.engine.launch.args["speed"] == 2
    assert found.engine.concurrency.value == 8
    assert read_tuning(tmp_path / "t" / "tune.json") == tuning
    assert tuning.best.scenario_file == str(tmp_path / "s-tuned.yaml")


def test_without_a_kept_step_no_scenario_is_written(planned, tuned, tmp_path):
    plan = planned(SLOW)
    tuning = write_tuned(tuned(plan), plan)
    assert tuning.best.scenario_file is None
    assert not (tmp_path / "s-tuned.yaml").exists()


def test_a_figure_that_must_not_be_used_is_not_shown(planned, tuned, engine):
    engine.uneven = {2, 4, 7, 9, 10, 12}
    tuning = tuned(planned(FAST))
    assert (tuning.steps[0].decision, tuning.steps[0].ratio) == ("undecided", None)
    assert tuning.steps[0].figures is None
    assert tuning.baseline is not None


def test_the_scenarios_own_figures_are_of_all_its_starts(planned, tuned, engine):
    engine.uneven = {1}
    tuning = tuned(planned(SLOW))
    assert [number for number, _, role, _ in engine.tried if role == "incumbent"] == [1, 3, 4, 7]
    assert tuning.baseline.output_tok_per_s == pytest.approx(1001)
    assert tuning.baseline.measurement in {"trials/4.json", "trials/7.json"}


def test_the_tuned_scenario_says_on_which_traffic_its_settings_were_found(planned, tuned, tmp_path):
    plan = planned(FAST, sets=("engine.concurrency=8", "traffic.shape.cached_input_share=0.25"))
    write_tuned(tuned(plan), plan)
    found = load_scenario(tmp_path / "s-tuned.yaml").scenario.engine.tuned
    assert (tmp_path / found.record).resolve() == tmp_path / "t" / "tune.json"
    assert (found.shape.input_tokens.value, found.shape.output_tokens.value) == (8, 8)
    assert found.shape.concurrency.value == 8
    assert found.shape.cached_input_share.value == 0.25
    assert found.settings.args == {"speed": 2}
    assert found.settings.accelerators.value == 1


def test_a_scenario_that_was_tuned_can_be_tuned_again(planned, tuned, tmp_path):
    plan = planned(FAST)
    write_tuned(tuned(plan), plan)
    again = load_scenario(tmp_path / "s-tuned.yaml")
    faster = load_ladder(str(tmp_path / "l.yaml"))
    faster = replace(faster, ladder=faster.ladder.model_copy(update={
        "steps": (Step(name="faster", args={"speed": 3}),)
    }))  # fmt: skip
    plan = tune_plan(again, (), faster, repeats=3, folder=tmp_path / "u")
    write_tuned(tuned(plan), plan)
    found = load_scenario(tmp_path / "s-tuned-tuned.yaml").scenario
    assert found.engine.tuned.settings.args == {"speed": 3}


def test_a_pair_that_a_busy_machine_spoilt_is_measured_once_more(planned, tuned, engine):
    engine.uneven = {3}
    tuning = tuned(planned(FAST))
    assert decisions(tuning) == ["kept"]
    assert len(engine.tried) == 1 + 6 + 2
    again = {trial.number: trial.retry_of for trial in tuning.trials if trial.retry_of}
    assert again == {4: 2, 5: 3}
    assert tuning.trials[2].invalid == ("not_steady",)


def test_a_pair_spoilt_twice_leaves_the_step_undecided(planned, tuned, engine):
    engine.uneven = {3, 5}
    tuning = tuned(planned(FAST))
    assert decisions(tuning) == ["undecided"]
    assert tuning.steps[0].why == "1 of 6 measurements is invalid: not steady"
    assert len(engine.tried) == 1 + 6 + 2


def test_what_the_setting_does_wrong_is_not_tried_again(planned, tuned, engine):
    engine.uneven, engine.finding = {2}, FAILURES
    assert decisions(tuned(planned(FAST))) == ["undecided"]
    assert len(engine.tried) == 1 + 6


@pytest.mark.parametrize("stop", [4, 5, 6])
def test_an_interrupted_retry_goes_on_too(planned, tuned, engine, stop):
    engine.uneven, engine.stops_at = {3}, stop
    with pytest.raises(InterruptedRunError):
        tuned(planned(FAST))
    engine.stops_at = None
    tuning = tuned(planned(FAST))
    assert [number for number, *_ in engine.tried] == list(range(1, 10))
    assert decisions(tuning) == ["kept"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cpu_count": 8}, "another machine: cores 16; here: cores 8"),
        ({"cpu": "EPYC"}, "CPU Xeon; here: CPU EPYC"),
        ({"accelerators": ("H200",)}, "accelerators none; here: accelerators H200"),
    ],
)
def test_trials_of_another_machine_are_not_gone_on_with(planned, tuned, engine, change, words):
    engine.stops_at = 3
    with pytest.raises(InterruptedRunError):
        tuned(planned(FAST))
    engine.stops_at = None
    other = engine.make_measurement().host.model_copy(update=change)
    with pytest.raises(InputError, match=words) as caught:
        tuned(planned(FAST), host=lambda: other)
    assert "--force" in caught.value.remedy
    assert len(engine.tried) == 2


def test_trials_of_another_version_of_the_engine_are_not_gone_on_with(planned, tuned, engine):
    engine.stops_at = 4
    with pytest.raises(InterruptedRunError):
        tuned(planned(FAST))
    engine.stops_at, engine.version = None, "0.33.0"
    with pytest.raises(InputError, match=r"of vllm 0\.32\.0, and this is vllm 0\.33\.0"):
        tuned(planned(FAST))
    engine.version = "0.32.0"
    assert decisions(tuned(planned(FAST))) == ["kept"]


def test_a_tuning_begun_afresh_leaves_no_trials_of_the_one_before(planned, tuned, tmp_path):
    tuned(planned(FAST, SLOW))
    folder = tmp_path / "t" / "trials"
    for number in range(1, 14):
        (folder / f"{number:03d}" / "raw").mkdir(parents=True)
    (folder / "notes").mkdir()
    (folder / "077").mkdir()
    tuned(planned(FAST, is_fresh=True))
    assert {path.name for path in folder.iterdir() if path.is_dir()} == {"notes", "077"}


def test_a_finished_tuning_leaves_no_trial_beyond_its_own(planned, tuned, tmp_path):
    left = tmp_path / "t" / "trials"
    for number in (7, 8):
        (left / f"{number:03d}" / "raw").mkdir(parents=True)
    tuned(planned(FAST))
    assert {path.name for path in left.iterdir() if path.is_dir()} == {"007"}


def test_the_money_that_is_left_to_spend_is_said_with_the_time(planned, tuned):
    said = []
    tuned(planned(FAST), usd_per_hour=12.0, say=said.append)
    assert said[1].endswith("at most 6 trials and about 3 min left (about $0.60 of the machine)")


def probe_file(folder, file, logprob):
    one = PromptProbe(kind="text", tokens=(1, 2), logprobs=(logprob,), answer=(3,))
    at = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
    probe = QualityProbe(created_at=at, prompts=(one,))
    (folder / file).write_text(probe.model_dump_json(by_alias=True), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "case", [(-1.0, (), "kept"), (-3.0, (), "reverted"), (-3.0, ("fast",), "kept")]
)
def test_a_faster_step_whose_answers_drift_is_kept_only_where_allowed_by_name(
    planned, tuned, engine, case
):
    logprob, allowed, decision = case

    def measure(loaded, *, number, folder, role, **more):
        trial = engine(loaded, number=number, folder=folder, role=role, **more)
        said = -1.0 if role == "incumbent" else logprob
        file = probe_file(folder, f"trials/{number}-quality.json", said)
        return trial.model_copy(update={"quality": file})

    step = "{name: fast, args: {speed: 2}, numerics: true}"
    tuning = tuned(planned(step, allowed=frozenset(allowed)), measure=measure)
    assert decisions(tuning) == [decision]
    quality = tuning.steps[0].quality
    assert quality.passes is (logprob == -1.0)
    assert quality.mean_logprob_drift == -1.0 - logprob
    kinds = [finding.kind for finding in tuning.findings]
    assert kinds == (["quality_drop_allowed"] if allowed else [])
    assert ("quality drops" in tuning.steps[0].why) is (decision == "reverted")


def test_a_drop_can_be_allowed_of_a_step_of_the_ladder_only(planned):
    with pytest.raises(InputError, match="no step named 'other'"):
        planned(FAST, allowed=frozenset({"other"}))
