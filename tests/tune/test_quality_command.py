"""The user's scoring command: its last line is the score."""

import sys
from types import SimpleNamespace

import pytest

from tco.tune.quality_command import NoScoreError, read_score, score_of

HANDLE = SimpleNamespace(url="http://127.0.0.1:1", served_model="tiny", api_key="secret")


@pytest.mark.parametrize("out", ["0.75\n", "words\n0.75\n", '{"score": 0.75, "n": 4}\n'])
def test_the_last_line_is_the_score(out):
    assert read_score(out) == 0.75


@pytest.mark.parametrize("out", ["", "good\n", "0.5\ndone\n", "NaN\n", "true\n", '{"acc": 1}\n'])
def test_anything_else_is_no_score(out):
    with pytest.raises(NoScoreError):
        read_score(out)


def test_the_command_finds_the_endpoint_in_its_environment():
    code = "import os; print(os.environ['TCO_BASE_URL'] == 'http://127.0.0.1:1/v1' and 0.5)"
    assert score_of(HANDLE, (sys.executable, "-c", code), 60) == 0.5


@pytest.mark.parametrize(
    ("code", "said"), [("raise SystemExit('bad')", "bad"), ("import time; time.sleep(60)", "took")]
)
def test_one_that_fails_or_hangs_gives_no_score(code, said):
    with pytest.raises(NoScoreError, match=said):
        score_of(HANDLE, (sys.executable, "-c", code), 3)
