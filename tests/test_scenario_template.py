"""The scenarios that `tco init` writes: they load as they are, whatever fills them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.catalog import read_catalog
from tco.errors import InputError
from tco.scenario_file import load_scenario
from tco.scenario_template import PRESETS, scenario_text, write_new

DATA = Path(__file__).parent / "data"
COMMENTED_KEY = re.compile(r"( *)# ( *)(?:(\w+):|- )(?: .*)?$")
UTILISATION = "  target_utilisation: "
# The lines that a commented key stands instead of, by how they begin.
INSTEAD = {
    "shape: {trace": ["  shape:"],
    "bill:": ["  shape:", UTILISATION],
    "demand:": [UTILISATION],
    "demand: {from_trace": ["  shape:", UTILISATION],
    "by_year:": [UTILISATION],
    "rent:": ["  purchase:", "  rent:", "power:"],
    "purchase:": ["  purchase:", "  rent:"],
    "power:": ["hardware:"],
    "attach:": ["  launch:"],
    "measurement:": ["measurement:"],
    "region:": ["  usd_per_kwh:"],
}
# What it needs beside it.
BESIDE = {
    "demand: {from_trace": ("traffic:", "  shape: {trace: requests.csv}"),
    "by_year:": ("traffic:", "  demand: {requests_per_day: 200000}"),
    "power:": ("hardware:", "  purchase: {price_usd: 100000, life_years: 3}"),
}


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


def commented(text):
    """Return the first and last line of each key, or list entry, that stands in a comment."""
    lines = text.splitlines()
    found, at = [], 0
    while at < len(lines):
        start = COMMENTED_KEY.match(lines[at])
        if not start:
            at += 1
            continue
        first, begin = at, start[1] + "# " + start[2] + " "
        at += 1
        while at < len(lines) and lines[at].startswith(begin):
            at += 1
        found.append((first, at))
    return found


def without(lines, begin):
    """Return the lines without the block that begins so."""
    out, inside = [], False
    indent = len(begin) - len(begin.lstrip())
    for line in lines:
        if inside and line.strip() and len(line) - len(line.lstrip()) <= indent:
            inside = False
        inside = inside or line.startswith(begin)
        if not inside:
            out.append(line)
    return out


def uncommented(text, first, end):
    """Return the text with one comment made a key, and what it excludes taken out."""
    lines = text.splitlines()
    keys = [line.replace("# ", "", 1) for line in lines[first:end]]
    name = keys[0].strip()
    mark = "<here>"
    rest = [*lines[:first], mark, *lines[end:]]
    for begin in [begin for key in INSTEAD if name.startswith(key) for begin in INSTEAD[key]]:
        kept = without(rest, begin)
        # A section that goes leaves the mark where it stood.
        rest = kept if mark in kept else [*kept, mark]
    at = rest.index(mark)
    rest[at : at + 1] = keys
    for key, (section, line) in BESIDE.items():
        if name.startswith(key):
            if section not in [each.split(" ")[0] for each in rest]:
                rest.append(section)
            at = next(i for i, each in enumerate(rest) if each.split(" ")[0] == section)
            rest.insert(at + 1, line)
    return "\n".join(rest) + "\n"


@pytest.mark.parametrize(
    ("preset", "hardware"),
    [(preset, None) for preset in PRESETS] + [("demo", "dgx-station-gb300")],
)
def test_every_commented_key_is_valid_when_the_comment_goes(load, tmp_path, preset, hardware):
    text = scenario_text(preset, hardware)
    for name, file in {
        "requests.csv": DATA / "traces" / "azure_llm_code_2023_first200.csv",
        "usage.json": DATA / "bills" / "openai_usage.json",
        "costs.json": DATA / "bills" / "openai_costs.json",
    }.items():
        (tmp_path / name).write_bytes(file.read_bytes())
    as_written = load(text)
    assert len(commented(text)) >= 15
    for first, end in commented(text):
        changed = uncommented(text, first, end)
        assert load(changed) != as_written, text.splitlines()[first]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_newcomer_finds_every_kind_of_key(preset):
    text = scenario_text(preset)
    keys = {text.splitlines()[first].split("# ")[1].strip() for first, _ in commented(text)}
    begins = ("bill:", "demand: {from_trace", "by_year:", "meter:", "one_off:", "horizon_years:",
              "refresh_price_change_per_year:", "tax_rate:", "other_hardware:")  # fmt: skip
    assert [begin for begin in begins if not any(key.startswith(begin) for key in keys)] == []
    is_bought = "\npower:" in text
    assert is_bought == any(key.startswith("region:") for key in keys)


def test_the_range_of_the_head_is_one(tmp_path):
    text = scenario_text()
    example = re.search(r"\{value: 1\.3.*?\}", text)[0]
    path = tmp_path / "s.yaml"
    path.write_text(text, encoding="utf-8")
    pue = load_scenario(path, [f"power.pue={example}"]).scenario.power.pue
    assert (pue.low, pue.high, pue.shape) == (1.1, 1.6, "triangular")


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
