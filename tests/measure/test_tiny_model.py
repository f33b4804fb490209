from __future__ import annotations

import sys

import pytest

from tco.errors import EngineError
from tco.measure.engine_home import engine_python
from tco.measure.tiny_model import _FILES, ensure_tiny_model


def test_complete_model_is_left_as_it_is(tmp_path):
    for name in _FILES:
        (tmp_path / name).write_text("kept")
    assert ensure_tiny_model(tmp_path, tmp_path / "no-python") == tmp_path


def test_python_without_the_libraries_is_named_and_leaves_no_half_model(tmp_path):
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')
    python.chmod(0o755)
    with pytest.raises(EngineError, match="cannot make the tiny model") as caught:
        ensure_tiny_model(tmp_path / "model", python)
    assert "tokenizers" in caught.value.log_tail[-1]
    assert not (tmp_path / "model").exists()
    with pytest.raises(EngineError, match="cannot make the tiny model"):
        ensure_tiny_model(tmp_path / "model", tmp_path / "no-python")


def test_python_of_a_command_is_that_of_its_first_line(tmp_path):
    vllm = tmp_path / "vllm"
    vllm.write_text(f"#!{sys.executable}\nimport vllm\n")
    assert str(engine_python(vllm)) == sys.executable
    vllm.write_text("#!/bin/sh\nexec something\n")
    assert engine_python(vllm) == tmp_path / "python"
