"""A search in the terminal."""

from tco.cli.search_tables import print_search
from tco.tuning import TuneQuality
from tests.report.search_samples import OWN, confirmed, search, trial


def test_a_secret_of_the_space_is_not_shown(capsys):
    own = OWN | {"env.HF_TOKEN": None}
    secret = own | {"env.HF_TOKEN": "hf_abc"}
    print_search(search(trial(1, usd=2.0, settings=secret), own=own))
    out = capsys.readouterr().out
    assert "HF_TOKEN=***" in out
    assert "hf_abc" not in out


def test_the_answers_are_said_beside_what_turns_decided(capsys):
    found = confirmed()
    drop = TuneQuality(passes=False, why="other answers", mean_logprob_drift=0.5,
                       worst_logprob_drift=2.0)  # fmt: skip
    held = found.confirmation.model_copy(
        update={"decision": "reverted", "numerics": ("dtype",), "quality": drop,
                "is_blocked": True}
    )  # fmt: skip
    print_search(found.model_copy(update={"blocked": held}))
    out = " ".join(capsys.readouterr().out.split())
    assert "Not used: trial 8, reverted" in out
    assert "dtype changed: quality drops; log-probabilities moved by 0.5 nats a token" in out
    assert "Confirmed by turns: trial 8, kept: better; 1.500 times as good" in out
