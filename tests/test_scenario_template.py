"""The scenarios that `tco init` writes: they load as they are, whatever fills them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.catalog import read_catalog
from tco.errors import InputError
from tco.scenario_file import load_scenario
from tco.scenario_template import PRESETS, scenario_text, write_new


@pytest.fixture
def load(tmp_path):
    def loader(text):
        path = tmp_path / "s.yaml"
        path.write_text(text, encoding="utf-8")
        return load_scenario(path).scenario

    return loader


@pytest.mark.parametrize("hardware", [None, *sorted(read_catalog())])
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_loads_on_every_row(load, preset, hardware):
    scenario = load(scenario_text(preset, hardware, "org/model"))
    assert scenario.engine.launch.model == "org/model"
    if hardware is not None:
        assert scenario.hardware.catalog == hardware


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_compared_measured_or_both(load, preset):
    scenario = load(scenario_text(preset))
    assert scenario.measurement is not None or scenario.engine.launch is not None
    assert scenario.alternatives


def test_the_cline_case_rests_on_the_published_rate(load):
    scenario = load(scenario_text("cline-512x512x256"))
    published = scenario.measurement.published
    assert published.output_tok_per_s.value == 11840
    assert published.source
    assert scenario.engine.concurrency.value == 256


def test_the_agent_case_has_the_traced_shape(load):
    shape = load(scenario_text("agent-coding")).traffic.shape
    assert (shape.input_tokens.value, shape.cached_input_share.value) == (153700, 0.958)
    assert shape.output_tokens.value == 523


def test_the_demo_is_small_and_leaves_the_weights_undeclared(load):
    scenario = load(scenario_text("demo", model="/models/tiny"))
    assert scenario.engine.launch.args == {
        "load-format": "dummy", "max-model-len": 2048, "enforce-eager": True, "max-num-seqs": 64,
    }  # fmt: skip
    assert scenario.hardware.rent.usd_per_hour.value == 0.10
    assert "example" in scenario.hardware.rent.usd_per_hour.source
    assert scenario.alternatives[0].same_weights is None
    assert scenario.slo
    assert scenario.engine.concurrency is None


@given(model=st.text(min_size=1))
def test_any_printable_model_name_survives_and_no_other_is_taken(tmp_path_factory, model):
    try:
        text = scenario_text("demo", model=model)
    except InputError:
        assert not (model.strip() and model.isprintable())
        return
    path = tmp_path_factory.mktemp("model") / "s.yaml"
    path.write_text(text, encoding="utf-8")
    assert load_scenario(path).scenario.engine.launch.model == model


def test_an_unknown_preset_names_the_nearest():
    with pytest.raises(InputError) as caught:
        scenario_text("agent-codin")
    assert "did you mean `agent-coding`?" in caught.value.remedy


def test_a_file_that_exists_is_kept_without_force(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="exists already"):
        write_new(path, "new")
    assert path.read_text(encoding="utf-8") == "mine"
    write_new(path, "new", force=True)
    assert path.read_text(encoding="utf-8") == "new"


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(InputError, match="cannot be written: no space left"):
        write_new(tmp_path / "s.yaml", "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["nowhere/s.yaml", "."])
def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path, name):
    with pytest.raises(InputError, match=r"cannot be written|is a folder"):
        write_new(tmp_path / name, "new")
