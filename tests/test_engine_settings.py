"""Whether a measured engine ran with a scenario's settings, by the command that was recorded."""

import pytest

from tco.engine_settings import ran_with
from tco.measure.engine_command import engine_command
from tco.measurement import EngineFacts
from tco.scenario import Launch

ARGS = {
    "max-num-seqs": 256, "enforce-eager": True, "seed": -1, "no-log": False, "hf-token": "secret",
}  # fmt: skip
ENV = {"OMP_NUM_THREADS": "1", "HF_TOKEN": "secret"}


def launch(args=ARGS, env=ENV, model="a/b"):
    return Launch(command=("/bin/echo", "serve"), model=model, args=args, env=env)


def recorded(run):
    command = engine_command(run, port=8123, api_key="k", environ={})
    return EngineFacts(
        name="vllm", version="1", model=run.model, model_is_dummy=False, attached=False,
        url="http://127.0.0.1:8123", command=command.stated_argv, env=command.stated_env,
        start_s=1.0, start_id="1",
    )  # fmt: skip


def test_the_command_that_tco_records_is_known_again():
    assert ran_with(recorded(launch()), launch())


def test_an_argument_in_another_spelling_is_the_same():
    assert ran_with(recorded(launch({"max_num_seqs": 256})), launch({"max-num-seqs": "256"}))


def test_a_folder_is_known_by_its_shortened_path(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    asked = launch({"chat-template": str(tmp_path / "t.jinja")})
    facts = recorded(asked)
    assert "~/t.jinja" in facts.command
    assert ran_with(facts, asked)


@pytest.mark.parametrize(
    "other",
    [
        launch(ARGS | {"max-num-seqs": 128}),
        launch(ARGS | {"enforce-eager": False}),
        launch(ARGS | {"kv-cache-dtype": "fp8"}),
        launch(env=ENV | {"OMP_NUM_THREADS": "2"}),
        launch(model="a/c"),
    ],
)
def test_other_settings_are_others(other):
    assert not ran_with(recorded(launch()), other)


def test_an_engine_whose_command_is_not_known_is_not_taken_for_it():
    facts = recorded(launch()).model_copy(update={"command": None})
    assert not ran_with(facts, launch())
