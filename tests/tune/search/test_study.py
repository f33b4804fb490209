"""Claims of trials that workers share."""

import subprocess
import sys

import pytest

from tco.errors import InputError
from tco.tune.search.study import Study

CLAIM = """
import sys, time
from pathlib import Path
from tco.tune.search.study import Study
identity = {"aim": "minimise"}
study = Study(Path(sys.argv[1]), None, identity=identity, levels={"a": (1, 2)}, worker="b")
print(study.claim("one", {"a": 1}, rung="full", purpose="start"), flush=True)
time.sleep(60)
"""


def opened(folder, **more):
    identity = {"aim": "minimise", **more}
    return Study(folder, None, identity=identity, levels={"a": (1, 2)}, worker="w")


def test_a_trial_is_claimed_by_one_and_given_back_when_its_process_is_killed(tmp_path):
    other = subprocess.Popen(
        [sys.executable, "-c", CLAIM, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout.readline().strip() == "1"
        study = opened(tmp_path)
        assert study.claim("one", {"a": 1}, rung="full", purpose="start") is None
        assert [each.worker for each in study.kept()] == ["b"]
    finally:
        other.kill()
        other.wait()
    assert study.kept() == []
    assert study.claim("one", {"a": 1}, rung="full", purpose="start") == 3


def test_a_trial_left_by_an_error_is_given_back(tmp_path):
    study = opened(tmp_path)
    number = study.claim("one", {"a": 1}, rung="full", purpose="start")
    with pytest.raises(ZeroDivisionError), study.beating(number):
        raise ZeroDivisionError
    assert study.kept() == []


def test_another_search_in_the_same_place_is_refused(tmp_path):
    opened(tmp_path, objective="a")
    with pytest.raises(InputError, match="other objective"):
        opened(tmp_path, objective="b")
