"""The scenario reference names every key that the models know."""

import typing
from pathlib import Path

import pytest
from pydantic import BaseModel

from tco.scenario import Scenario

REFERENCE = (Path(__file__).parents[1] / "docs" / "scenario.md").read_text(encoding="utf-8")


def keys(model):
    for name, info in model.model_fields.items():
        yield info.alias or name
        for below in models(info.annotation):
            yield from keys(below)


def models(annotation):
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in typing.get_args(annotation) for found in models(part)]


@pytest.mark.parametrize("key", sorted(set(keys(Scenario))))
def test_every_key_stands_in_the_reference(key):
    assert any(f"{before}{key}{after}" in REFERENCE for before in "`.{ " for after in "`,}.")
