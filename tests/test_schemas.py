"""The committed JSON Schemas: they are what the models give, and take what the loader takes."""

import json
from pathlib import Path

import jsonschema
import pytest

from tco.scenario_template import PRESETS, scenario_text
from tco.schemas import schema, schema_files, write_schemas
from tco.yamltree import parse_yaml

COMMITTED = Path(__file__).parents[1] / "docs" / "schemas"


def as_json(text):
    return json.loads(json.dumps(parse_yaml(text, "f").root, default=float))


@pytest.mark.parametrize("name", sorted(schema_files()))
def test_the_committed_file_is_what_the_models_give(name):
    committed = (COMMITTED / name).read_text(encoding="utf-8")
    assert committed == schema_files()[name], "run `python -m tco.schemas`"


def test_writing_gives_the_same_files(tmp_path):
    write_schemas(tmp_path)
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == (
        schema_files()
    )


@pytest.mark.parametrize("name", ["scenario", "measurement", "comparison", "traffic_shape"])
def test_each_is_a_valid_schema(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_scenario_schema_takes_every_preset(preset):
    jsonschema.validate(as_json(scenario_text(preset)), schema("scenario"))


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        ("0.5", True),
        ("{value: 0.5, low: 0.4, high: 0.6, source: gateway}", True),
        ("66", False),
        ("half", False),
        ("{value: 0.5, lowest: 0.4}", False),
    ],
)
def test_a_number_may_be_bare_or_have_a_range_and_a_source(value, accepted):
    text = scenario_text().replace("target_utilisation: 1.0", f"target_utilisation: {value}")
    validator = jsonschema.Draft202012Validator(schema("scenario"))
    assert validator.is_valid(as_json(text)) is accepted


SESSION = "{session: {turns: 9, first_input_tokens: 5, tool_output_tokens: 5, answer_tokens: 5}}"


@pytest.mark.parametrize(
    ("shape", "accepted"),
    [
        ("{input_tokens: 5, output_tokens: 5}", True),
        ("{trace: requests.csv}", True),
        ("{trace: {file: requests.csv, speed_up: 2, arrivals: false}}", True),
        (SESSION, True),
        ("{mix: [{name: a, input_tokens: 5, output_tokens: {mean: 5, p95: 9}}]}", True),
        ("{mix: []}", False),
        ("{input_tokens: 5}", False),
        ("{session: {turns: 9}}", False),
    ],
)  # fmt: skip
def test_a_shape_is_lengths_or_a_trace_or_a_session_or_a_mix(shape, accepted):
    tree = as_json(scenario_text())
    tree["traffic"]["shape"] = as_json(f"shape: {shape}")["shape"]
    validator = jsonschema.Draft202012Validator(schema("scenario"))
    assert validator.is_valid(tree) is accepted
