"""Several scenarios side by side: what differs, and what each difference does by itself."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tco import answer, load_case
from tco.errors import InputError
from tco.explore.side_by_side import MOST_SCENARIOS, side_by_side

BASE = {
    "schema": "tco.scenario/1",
    "name": "base",
    "date": "2026-12-02",
    "traffic": {"shape": {"input_tokens": 512, "output_tokens": 512}, "target_utilisation": 0.6},
    "measurement": {"published": {"output_tok_per_s": 11840, "source": "s", "date": "2026-10-15"}},
    "hardware": {"purchase": {"price_usd": 96996, "life_years": 3}},
    "power": {"idle_w": 300, "load_w": 1300, "pue": 1.3, "usd_per_kwh": 0.1437},
    "alternatives": [
        {"name": "api", "usd_per_million": {"input": 0.1, "output": 0.5}, "same_weights": True}
    ],
}


def changed(**changes):
    """Return the base with dotted keys (`__` for a dot) set; None takes a key out."""
    tree = yaml.safe_load(yaml.safe_dump(BASE))
    for key, value in changes.items():
        *above, last = key.split("__")
        node = tree
        for part in above:
            node = node.setdefault(part, {})
        if value is None:
            node.pop(last)
        else:
            node[last] = value
    return tree


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sides")


@pytest.fixture
def compared(folder):
    def run(*trees, measured=()):
        paths = [folder / f"{place}.yaml" for place in range(len(trees))]
        for path, tree in zip(paths, trees, strict=True):
            path.write_text(yaml.safe_dump(tree, sort_keys=False))
        cases = [load_case(path) for path in paths]
        found = side_by_side(cases, [path.name for path in paths], measured or [None] * len(paths))
        return found, cases

    return run


def keys(found):
    return [each.key for each in found.inputs]


def test_what_differs_is_listed_and_the_rest_counted(compared):
    found, _ = compared(BASE, changed(power__pue=1.1, hardware__purchase__price_usd=80000))
    assert set(keys(found)) == {"power.pue", "hardware.purchase.price_usd"}
    pue = next(each for each in found.inputs if each.key == "power.pue")
    assert [value.value for value in pue.values] == [1.3, 1.1]
    same, _ = compared(BASE, BASE)
    assert same.inputs == ()
    assert found.equal_inputs == same.equal_inputs - 2


def test_a_default_and_the_same_value_stated_are_no_difference(compared):
    found, _ = compared(BASE, changed(traffic__shape__cached_input_share=0.0))
    assert found.inputs == ()


def test_a_source_is_no_input_and_a_range_is(compared):
    sourced, _ = compared(BASE, changed(power__pue={"value": 1.3, "source": "the plate"}))
    assert keys(sourced) == []
    ranged, _ = compared(BASE, changed(power__pue={"value": 1.3, "low": 1.1, "high": 1.5}))
    assert keys(ranged) == ["power.pue"]
    assert ranged.inputs[0].values[1].low == 1.1


@settings(max_examples=25, deadline=None)
@given(st.floats(1, 3), st.floats(20_000, 200_000), st.floats(0.2, 1), st.floats(0.05, 2))
def test_each_step_is_the_answer_with_that_key_set(tmp_path_factory, pue, price, use, output):
    path = tmp_path_factory.mktemp("steps")
    first, other = path / "a.yaml", path / "b.yaml"
    first.write_text(yaml.safe_dump(BASE))
    tree = changed(power__pue=pue, hardware__purchase__price_usd=price)
    tree["traffic"]["target_utilisation"] = use
    tree["alternatives"][0]["usd_per_million"]["output"] = output
    other.write_text(yaml.safe_dump(tree))
    sets = {
        "power.pue": pue,
        "hardware.purchase.price_usd": price,
        "traffic.target_utilisation": use,
        "alternatives.0.usd_per_million.output": output,
    }
    found = side_by_side([load_case(first), load_case(other)], ["a", "b"], [None, None])
    (way,) = found.attributions
    base = found.sides[0].comparison.alternatives[0].saving
    for step in way.steps:
        (key,) = step.keys
        by_set = answer(load_case(first, sets=[f"{key}={sets[key]!r}"])).alternatives[0].saving
        assert step.saving == pytest.approx(by_set, abs=1e-12)
        assert step.saving_change == pytest.approx(by_set - base, abs=1e-12)
    assert way.saving_change == pytest.approx(
        found.sides[1].comparison.alternatives[0].saving - base
    )
    assert set(way.changes_nothing) | {key for step in way.steps for key in step.keys} == set(
        keys(found)
    )


def test_keys_that_need_each_other_are_one_step_and_others_stay_apart(compared):
    found, _ = compared(
        BASE,
        changed(
            operations__fte=0.25,
            operations__fte_usd_per_year=200000,
            operations__hosting_usd_per_month=100,
        ),
    )
    groups = {step.keys for step in found.attributions[0].steps}
    assert groups == {
        ("operations.fte", "operations.fte_usd_per_year"),
        ("operations.hosting_usd_per_month",),
    }


def test_buying_against_renting_with_power_is_one_step(compared):
    rent = {"usd_per_hour": 2.69, "accelerators": 1, "billing": "hourly", "power_included": True}
    tree = changed(hardware={"rent": rent}, power=None, finance={"horizon_years": 3})
    found, cases = compared(BASE, tree)
    (way,) = found.attributions
    assert way.not_alone == ()
    step = next(each for each in way.steps if "hardware.rent.usd_per_hour" in each.keys)
    assert {"hardware.purchase.price_usd", "power.pue"} <= set(step.keys)
    rented = answer(cases[1]).alternatives[0].saving
    assert step.saving == pytest.approx(rented)


def test_other_alternatives_are_one_step_that_says_against_whom(compared):
    others = [
        {"name": "other", "usd_per_million": {"input": 0.2, "output": 0.2}, "same_weights": True},
        {"name": "third", "usd_per_million": {"input": 9, "output": 9}},
    ]
    found, _ = compared(BASE, changed(alternatives=others))
    assert keys(found) == ["alternatives"]
    assert [value.value for value in found.inputs[0].values] == ["api", "other, third"]
    (step,) = found.attributions[0].steps
    assert step.against == "other"


def test_a_published_rate_and_its_unit_are_one_step(compared):
    figure = {"total_tok_per_s": 11840, "source": "s", "date": "2026-10-15"}
    found, _ = compared(BASE, changed(measurement={"published": figure}))
    (step,) = found.attributions[0].steps
    assert len(step.keys) == 2
    assert step.saving == pytest.approx(found.sides[1].comparison.alternatives[0].saving)


def test_another_request_or_volume_is_said(compared):
    same, _ = compared(BASE, changed(power__pue=1.1))
    assert (same.same_request, same.same_volume) == (True, True)
    longer, _ = compared(BASE, changed(traffic__shape__input_tokens=5000))
    assert not longer.same_request
    busier, _ = compared(BASE, changed(traffic__target_utilisation=0.9))
    assert (busier.same_request, busier.same_volume) == (True, False)


def test_names_that_are_equal_are_told_apart_by_file_measurement_or_number(compared):
    found, _ = compared(BASE, BASE, changed(name="third"))
    assert [side.label for side in found.sides] == ["base (0.yaml)", "base (1.yaml)", "third"]
    case = load_case(Path(__file__).parents[2] / "reports" / "66-percent-two-years/scenario.yaml")
    twice = side_by_side([case, case], ["s", "s"], ["m1", "m2"])
    name = case.loaded.scenario.name
    assert [side.label for side in twice.sides] == [f"{name} (m1)", f"{name} (m2)"]
    again = side_by_side([case, case], ["s", "s"], [None, None])
    assert [side.label for side in again.sides] == [f"{name} (1)", f"{name} (2)"]


def test_a_secret_is_not_printed(compared):
    engine = {"launch": {"model": "m", "env": {"HF_TOKEN": "swordfish"}}, "concurrency": 2}
    found, _ = compared(BASE, changed(engine=engine))
    assert "engine.launch.env.HF_TOKEN" in keys(found)
    assert "swordfish" not in found.model_dump_json()


def test_more_than_can_be_read_are_refused(compared):
    with pytest.raises(InputError, match=f"at most {MOST_SCENARIOS} scenarios"):
        compared(*[BASE] * (MOST_SCENARIOS + 1))
