"""One ladder on several traffics, on simulated rates: where the winner changes, and where not."""

import datetime as dt
import json
import math

import numpy as np
import pytest

from tco.errors import InputError, InterruptedRunError
from tco.measurement import Rates
from tco.measurement_file import write_measurement
from tco.scenario_file import load_scenario
from tco.shapes import Shapes
from tco.tune.figures import Priced
from tco.tune.ladder import load_ladder
from tco.tune.plan import tune_plan
from tco.tune.shapes import tune_shapes
from tco.tune.trial import measured
from tco.tune.tune import tune
from tco.tuning import TuneTrial

SCENARIO = """
schema: tco.scenario/1
name: {name}
traffic: {{shape: {{input_tokens: {tokens}, output_tokens: 8}}}}
engine:
  launch: {{command: [/bin/echo, serve], model: {model}, args: {{seqs: 1}}}}
  accelerators: 1
  concurrency: 4
hardware: {{rent: {{usd_per_hour: 2}}}}
"""
LADDER = """
schema: tco.ladder/1
name: l
steps:
  - {name: large batches, args: {batch: large}}
  - {name: more sequences, args: {seqs: 2}}
  - {name: one thread, env: {THREADS: "1"}}
"""
SHORT, LONG = 8, 2048


class Engine:
    """Stands for engine starts: `gains` tells the factor of each setting by the prompt's length."""

    def __init__(self, make_measurement, make_point, gains, spread=0.004, seed=1):
        self.make_measurement, self.make_point = make_measurement, make_point
        self.gains, self.spread = gains, spread
        self.rng = np.random.default_rng(seed)
        self.tried, self.stops_after = [], math.inf

    def __call__(self, loaded, *, number, step, role, folder, progress, is_fresh):
        del progress, is_fresh
        if len(self.tried) >= self.stops_after:
            raise InterruptedRunError("stopped by the user")
        scenario = loaded.scenario
        launch, tokens = scenario.engine.launch, scenario.traffic.shape.input_tokens.value
        is_on = {
            "batch": launch.args.get("batch") == "large",
            "seqs": launch.args.get("seqs") == 2,
            "threads": launch.env.get("THREADS") == "1",
        }
        self.tried.append((scenario.name, str(folder), number))
        rate = 1000.0 * math.exp(self.rng.normal(0, self.spread))
        for name, on in is_on.items():
            rate *= self.gains.get(name, {}).get(tokens, 1.0) if on else 1.0
        rates = Rates(
            requests_per_s=rate / 8, input_tok_per_s=rate, output_tok_per_s=rate,
            total_tok_per_s=2 * rate,
        )  # fmt: skip
        measurement = self.make_measurement(points=(self.make_point(rates=rates),))
        file = f"trials/{number}.json"
        (folder / "trials").mkdir(parents=True, exist_ok=True)
        write_measurement(measurement, folder / file)
        trial = TuneTrial(
            number=number, step=step, role=role, scenario_sha256=loaded.sha256,
            started_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), took_s=30.0,
        )  # fmt: skip
        return measured(trial, measurement, file)


@pytest.fixture
def shaped(tmp_path, make_measurement, make_point):
    """Tunes short and long prompts on an engine of these gains."""

    def price(scenario, measurement, sha256):
        del scenario, sha256
        return Priced(2e6 / 3600 / measurement.capacity().output_tok_per_s, None, None)

    def run(engine, folder="t", *, model="a/b", names=("short", "long"), tokens=(SHORT, LONG)):
        (tmp_path / "l.yaml").write_text(LADDER, encoding="utf-8")
        plans = []
        for name, length, its_model in zip(names, tokens, ("a/b", model), strict=False):
            path = tmp_path / f"{length}.yaml"
            text = SCENARIO.format(name=name, tokens=length, model=its_model)
            path.write_text(text, encoding="utf-8")
            ladder = load_ladder(str(tmp_path / "l.yaml"))
            own = tmp_path / folder / name
            plans.append(tune_plan(load_scenario(path), (), ladder, repeats=3, folder=own))

        def tuned(plan):
            return tune(
                plan, price=price, progress=lambda _: None, say=lambda _: None, measure=engine,
                host=lambda: make_measurement().host,
            )  # fmt: skip

        return tune_shapes(plans, folder=tmp_path / folder, tune=tuned, say=lambda _: None)

    def simulate(gains, folder="t", *, engine=None, **more):
        noise = {name: more.pop(name) for name in ("spread", "seed") if name in more}
        engine = engine or Engine(make_measurement, make_point, gains, **noise)
        return run(engine, folder, **more), engine

    return simulate


# Large batches help long prompts and hurt short ones; more sequences help both.
CROSSING = {"batch": {SHORT: 0.9, LONG: 1.2}, "seqs": {SHORT: 1.3, LONG: 1.3}}
ALIKE = {"seqs": {SHORT: 1.3, LONG: 1.3}, "batch": {SHORT: 0.9, LONG: 0.9}}
# A thread fewer helps short prompts, large batches long ones, neither harms the other.
ONE_SIDED = {"threads": {SHORT: 1.2}, "batch": {LONG: 1.2}}


def by_key(shapes):
    return {(cell.shape, cell.best_of): cell for cell in shapes.cross}


def test_a_winner_that_follows_the_traffic_is_shown_on_both(shaped):
    shapes, _ = shaped(CROSSING)
    assert [shape.best_steps for shape in shapes.shapes] == [
        ("more sequences",),
        ("large batches", "more sequences"),
    ]
    (pair,) = shapes.pairs
    assert (pair.shapes, pair.winner) == (("short", "long"), "changes")
    cells = by_key(shapes)
    assert cells["short", "long"].ratio == pytest.approx(0.9, rel=0.02)
    assert cells["long", "short"].ratio == pytest.approx(1 / 1.2, rel=0.02)
    for cell in cells.values():
        assert cell.decision == "worse"
        assert cell.interval.low < cell.ratio < cell.interval.high < 1
    assert [step.differs for step in shapes.steps] == [True, False, False]
    assert shapes.is_complete


def test_the_same_winner_on_both_needs_no_trial_across(shaped):
    shapes, engine = shaped(ALIKE)
    (pair,) = shapes.pairs
    assert pair.winner == "same"
    assert {cell.decision for cell in shapes.cross} == {"same"}
    assert len(engine.tried) == 2 * (1 + 3 * 6)


def test_settings_that_differ_without_harm_are_no_changed_winner_if_one_serves_both(shaped):
    gains = {"threads": {SHORT: 1.2}}
    shapes, _ = shaped(gains)
    (pair,) = shapes.pairs
    assert pair.winner == "undecided"
    assert pair.why == (
        "those of long are worse on short; those of short are not shown worse on long"
    )


def test_what_the_ladder_tried_on_a_traffic_is_not_tried_there_again(shaped, tmp_path):
    shapes, engine = shaped({"threads": {SHORT: 1.2}})
    # Both sides differ by a step that each ladder measured itself.
    assert len(engine.tried) == 2 * (1 + 3 * 6)
    cells = by_key(shapes)
    there = cells["short", "long"]
    record = json.loads((tmp_path / "t" / there.record).read_text(encoding="utf-8"))
    step = record["steps"][there.step - 1]
    assert there.ratio == pytest.approx(1 / step["ratio"])
    assert there.interval.low == pytest.approx(1 / step["interval"]["high"])


def test_a_variable_that_only_one_best_sets_is_taken_out_for_the_other(shaped, tmp_path):
    shapes, engine = shaped(ONE_SIDED)
    cells = by_key(shapes)
    assert cells["long", "short"].ratio == pytest.approx(1 / 1.2, rel=0.02)
    assert cells["short", "long"].ratio == pytest.approx(1 / 1.2, rel=0.02)
    assert shapes.pairs[0].winner == "changes"
    record = json.loads((tmp_path / "t/cross/short/long/tune.json").read_text(encoding="utf-8"))
    assert record["steps"][0]["env"] == {"THREADS": None}
    assert record["steps"][0]["args"] == {"batch": "large"}
    assert len(engine.tried) == 2 * (1 + 3 * 6) + 2 * (1 + 6)


@pytest.mark.parametrize("stop", [3, 19, 24, 38, 41, 47])
def test_an_interrupted_one_goes_on_and_measures_nothing_twice(shaped, stop):
    _, whole = shaped(ONE_SIDED, "whole")
    engine = Engine(whole.make_measurement, whole.make_point, ONE_SIDED)
    engine.stops_after = stop
    with pytest.raises(InterruptedRunError):
        shaped(None, engine=engine)
    engine.stops_after = math.inf
    shapes, _ = shaped(None, engine=engine)
    assert shapes.pairs[0].winner == "changes"
    assert len(engine.tried) == len(set(engine.tried)) == len(whole.tried)


def test_a_finished_one_is_answered_from_its_records(shaped, tmp_path):
    first, engine = shaped(ONE_SIDED)
    count = len(engine.tried)
    again, _ = shaped(None, engine=engine)
    assert len(engine.tried) == count
    assert again == first
    text = (tmp_path / "t" / "shapes.json").read_text(encoding="utf-8")
    assert Shapes.model_validate_json(text) == again


def test_each_traffic_keeps_its_tuned_scenario_with_its_own_shape(shaped, tmp_path):
    shapes, _ = shaped(CROSSING)
    for shape, tokens in zip(shapes.shapes, (SHORT, LONG), strict=True):
        found = load_scenario(tmp_path / f"{tokens}-tuned.yaml").scenario
        assert found.engine.tuned.shape.input_tokens.value == tokens == shape.input_tokens
    assert not list(tmp_path.glob("*-tuned-tuned.yaml"))


def test_noise_alone_seldom_makes_a_winner_change(shaped):
    winners = [shaped({}, f"n{seed}", spread=0.03, seed=seed)[0].pairs[0] for seed in range(60)]
    assert sum(pair.winner == "changes" for pair in winners) == 0
    assert sum(pair.winner == "same" for pair in winners) > 40


def test_steps_that_help_alike_seldom_seem_to_make_the_winner_change(shaped):
    gains = {"seqs": {SHORT: 1.06, LONG: 1.06}}
    found = [shaped(gains, f"n{seed}", spread=0.03, seed=seed)[0] for seed in range(40)]
    assert sum(each.pairs[0].winner == "changes" for each in found) <= 1
    assert sum(any(step.differs for step in each.steps) for each in found) <= 4


def test_a_winner_that_changes_is_found_in_most_tunings(shaped):
    found = [shaped(CROSSING, f"n{seed}", spread=0.01, seed=seed)[0] for seed in range(20)]
    assert sum(each.pairs[0].winner == "changes" for each in found) > 15


def test_scenarios_of_one_name_or_two_models_are_refused(shaped):
    with pytest.raises(InputError, match="has the name of another"):
        shaped({}, names=("same", "Same"))
    with pytest.raises(InputError, match="starts another engine or model"):
        shaped({}, model="c/d")
    with pytest.raises(InputError, match="one scenario is given"):
        shaped({}, names=("short",), tokens=(SHORT,))
