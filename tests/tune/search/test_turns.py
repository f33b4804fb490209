"""What is confirmed by turns where the best settings touch numerics, on simulated answers."""

import datetime as dt

import pytest

from tco.errors import InputError, InterruptedRunError
from tco.quality import PromptProbe, QualityProbe
from tco.scenario_file import load_scenario
from tco.tune.search.tuned import refuse_finished, write_searched

SPACE = """
schema: tco.space/1
name: numeric
args:
  speed: {kind: choice, settings: [1, 2, 3]}
  kv-cache-dtype: {kind: choice, settings: [null, fp8]}
"""
OWN, SAME, DAMAGED = -1.0, -1.0, -3.0


@pytest.fixture
def probing(engine):
    """Return what stands for trials that are asked; those with an FP8 cache answer so."""

    def make(logprob):
        def probe(loaded, *, number, folder, role, **more):
            trial = engine(loaded, number=number, folder=folder, role=role, **more)
            is_fp8 = loaded.scenario.engine.launch.args.get("kv-cache-dtype") == "fp8"
            one = PromptProbe(
                kind="text", tokens=(1, 2), logprobs=(logprob if is_fp8 else OWN,), answer=(3,)
            )
            at = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
            file = f"trials/{number}-quality.json"
            probe = QualityProbe(created_at=at, prompts=(one,))
            (folder / file).write_text(probe.model_dump_json(by_alias=True), encoding="utf-8")
            return trial.model_copy(update={"quality": file})

        return probe

    return make


@pytest.fixture
def fast_in_fp8(engine):
    """Let the engine be half as fast again with an FP8 cache."""
    engine.gains = {"kv-cache-dtype": 1.5}
    return engine


def kinds(found):
    return [finding.kind for finding in found.findings]


@pytest.mark.usefixtures("fast_in_fp8")
def test_a_best_that_answers_as_before_is_kept_and_called_checked(planned, searched, probing):
    found = searched(planned(space=SPACE), probe=probing(SAME))
    held = found.confirmation
    assert (held.decision, held.why, held.numerics) == ("kept", "better", ("kv-cache-dtype",))
    assert (held.quality.passes, held.quality.mean_logprob_drift) == (True, 0.0)
    assert found.best.settings == {"speed": 3, "kv-cache-dtype": "fp8"}
    assert kinds(found) == []
    asked = [trial for trial in found.trials if trial.quality]
    assert [(t.purpose, t.role) for t in asked] == [
        ("confirm", "candidate"), ("confirm", "incumbent"),
    ]  # fmt: skip


@pytest.mark.usefixtures("fast_in_fp8")
def test_one_whose_answers_drop_is_not_used_and_the_best_that_is_left_is_confirmed(
    planned, searched, probing, tmp_path
):
    plan = planned(space=SPACE)
    found = write_searched(searched(plan, probe=probing(DAMAGED)), plan)
    blocked = found.blocked
    assert (blocked.decision, blocked.is_blocked) == ("reverted", True)
    assert blocked.why.startswith("better, but the quality drops: log-probabilities moved by 2")
    assert blocked.ratio == pytest.approx(2.25, rel=0.02)
    assert (found.confirmation.decision, found.confirmation.quality) == ("kept", None)
    assert found.best.settings == {"speed": 3, "kv-cache-dtype": None}
    assert kinds(found) == ["quality_drop"]
    assert "kv-cache-dtype" in found.findings[0].message
    assert "--allow-quality-drop kv-cache-dtype" in found.findings[0].advice
    tuned = (tmp_path / "s-tuned.yaml").read_text("utf-8")
    assert "fp8" not in tuned
    assert "quality" not in tuned


def test_where_nothing_else_is_better_the_scenarios_own_settings_stay(
    planned, searched, probing, fast_in_fp8, tmp_path
):
    space = SPACE.replace("settings: [1, 2, 3]", "settings: [1, 2]")
    plan = planned(space=space)
    found = write_searched(searched(plan, probe=probing(DAMAGED)), plan)
    assert found.confirmation.is_blocked
    assert found.blocked is None
    assert (found.best.settings, found.best.sets) == (found.own, ())
    assert not (tmp_path / "s-tuned.yaml").exists()
    assert sum(trial.purpose == "confirm" for trial in found.trials) == 6
    assert found.is_complete
    assert len(fast_in_fp8.tried) == len(found.trials)


def test_a_drop_allowed_by_name_goes_through_and_measures_nothing_anew(
    planned, searched, probing, fast_in_fp8, tmp_path
):
    searched(planned(space=SPACE), probe=probing(DAMAGED))
    count = len(fast_in_fp8.tried)
    with pytest.raises(InputError, match="exists already"):
        refuse_finished(tmp_path / "t", tmp_path / "s.yaml", force=False, allowed={"speed"})
    allowed = frozenset({"kv-cache-dtype"})
    refuse_finished(tmp_path / "t", tmp_path / "s.yaml", force=False, allowed=allowed)
    plan = planned(space=SPACE, allowed=allowed)
    found = write_searched(searched(plan, probe=probing(DAMAGED)), plan)
    assert len(fast_in_fp8.tried) == count
    assert (found.confirmation.decision, found.blocked) == ("kept", None)
    assert "a drop is allowed" in found.confirmation.why
    assert kinds(found) == ["quality_drop_allowed"]
    tuned = tmp_path / "s-tuned.yaml"
    assert load_scenario(tuned).scenario.engine.launch.args["kv-cache-dtype"] == "fp8"
    assert "# Kept though the answers differ" in tuned.read_text("utf-8")


def test_a_drop_can_be_allowed_of_a_parameter_of_the_space_only(planned):
    with pytest.raises(InputError, match="no parameter named 'fp8'"):
        planned(space=SPACE, allowed=frozenset({"fp8"}))


@pytest.mark.parametrize("left", [1, 2, 3, 7, 8])
def test_an_interrupted_confirmation_goes_on_and_asks_no_engine_twice(
    planned, searched, probing, fast_in_fp8, left
):
    """The turns of the best are six trials, of which two are asked; six more are of the next."""
    whole = searched(planned(space=SPACE, folder=planned().folder / "whole"),
                     probe=probing(DAMAGED))  # fmt: skip
    turns = sum(trial.purpose == "confirm" for trial in whole.trials)
    assert turns == 12
    fast_in_fp8.tried.clear()
    fast_in_fp8.stops_after = len(whole.trials) - turns + left
    with pytest.raises(InterruptedRunError):
        searched(planned(space=SPACE), probe=probing(DAMAGED))
    fast_in_fp8.stops_after = None
    found = searched(planned(space=SPACE), probe=probing(DAMAGED))
    assert len(found.trials) == len(fast_in_fp8.tried) == len(whole.trials)
    assert [t.role for t in found.trials if t.quality] == ["candidate", "incumbent"]
    assert found.blocked.quality == whole.blocked.quality
    assert found.best == whole.best


@pytest.mark.usefixtures("fast_in_fp8")
def test_what_was_not_asked_is_said_to_be_unchecked(planned, searched, engine):
    found = searched(planned(space=SPACE), probe=engine)
    assert found.confirmation.decision == "kept"
    assert found.confirmation.quality.passes is None
    assert kinds(found) == ["quality_not_checked"]


def test_settings_that_touch_no_numerics_are_not_asked(planned, searched, probing):
    found = searched(planned(), probe=probing(DAMAGED))
    assert found.confirmation.decision == "kept"
    assert (found.confirmation.numerics, found.confirmation.quality) == ((), None)
    assert not any(trial.quality for trial in found.trials)
    assert kinds(found) == []
