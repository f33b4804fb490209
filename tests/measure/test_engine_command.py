from __future__ import annotations

import sys

import pytest

from tco.errors import EngineError, InputError
from tco.measure.engine_command import EngineCommand, engine_command, serve_line
from tco.scenario import Launch


def command(model, environ=None, **launch):
    stated = Launch(**{"command": [sys.executable], "model": str(model), **launch})
    return engine_command(stated, port=1234, api_key="random", environ=environ or {})


def flags(built):
    return list(built.argv[built.argv.index("1234") + 1 :])


def test_arguments_become_flags(model_folder):
    args = {"max-num-seqs": 8, "enforce-eager": True, "off": False, "none": None, "bias": "-1"}
    built = command(model_folder, args=args)
    assert flags(built) == [
        "--max-num-seqs",
        "8",
        "--enforce-eager",
        "--bias=-1",
        "--served-model-name",
        "model",
    ]
    assert built.argv[1:6] == (str(model_folder), "--host", "127.0.0.1", "--port", "1234")


@pytest.mark.parametrize("key", ["host", "port", "api-key", "api_key", "model", "--x", "x y", ""])
def test_flag_that_tco_sets_or_that_is_none_is_refused(model_folder, key):
    with pytest.raises(InputError):
        command(model_folder, args={key: "1"})


def test_served_name_of_the_user_is_kept(model_folder):
    built = command(model_folder, args={"served_model_name": "mine"})
    assert built.served_model == "mine"
    assert flags(built) == ["--served_model_name", "mine"]


def test_key_goes_by_environment_only(model_folder):
    built = command(model_folder)
    assert built.env["VLLM_API_KEY"] == "random"
    assert "random" not in repr(built)
    own = command(model_folder, env={"VLLM_API_KEY": "own"})
    assert own.api_key == "own"
    assert "own" not in own.stated_env.values()


def test_secrets_among_the_arguments_are_not_recorded(model_folder):
    args = {"hf-token": "s1", "max-num-batched-tokens": 8, "tokenizer": "t"}
    built = command(
        model_folder, command=[sys.executable, "--api-key", "s2", "--x-secret=s3"], args=args
    )
    stated = " ".join(built.stated_argv)
    assert "--hf-token ***" in stated
    assert "--api-key *** --x-secret=***" in stated
    assert "--max-num-batched-tokens 8 --tokenizer t" in stated
    assert not {"s1", "s2", "s3"} & set(repr(built).replace("'", " ").split())


def test_defaults_give_way_to_the_users_environment(model_folder):
    built = command(model_folder, {"HF_HUB_OFFLINE": "0", "X": "inherited"})
    assert built.env["HF_HUB_OFFLINE"] == "0"
    assert built.env["X"] == "inherited"
    assert built.env["VLLM_NO_USAGE_STATS"] == "1"
    assert "X" not in built.stated_env
    own = command(model_folder, env={"VLLM_CPU_KVCACHE_SPACE": "7"})
    assert own.stated_env["VLLM_CPU_KVCACHE_SPACE"] == "7"


def test_hub_stays_in_reach_for_a_model_by_name():
    built = command("org/name")
    assert "HF_HUB_OFFLINE" not in built.env
    assert built.argv[1] == "org/name"
    assert built.served_model == "name"
    assert built.model_dir is None


def test_model_folder_without_weights_is_a_dummy(model_folder):
    assert command(model_folder).model_is_dummy
    (model_folder / "model.safetensors").write_text("")
    assert not command(model_folder).model_is_dummy
    assert command(model_folder, args={"load-format": "dummy"}).model_is_dummy


@pytest.mark.parametrize("model", ["./none", "/none/at/all", "~/none", "a/b/c"])
def test_missing_model_folder_is_refused(model):
    with pytest.raises(InputError, match="is not there"):
        command(model)


def test_folder_without_a_configuration_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no config\.json"):
        command(tmp_path)


def test_command_that_is_not_there_is_an_engine_error(model_folder):
    with pytest.raises(EngineError, match="'no-such-command' is not on this machine"):
        command(model_folder, command=["no-such-command"])


def test_vllm_is_taken_from_its_places_in_order(model_folder, tmp_path):
    own, on_path, installed = (tmp_path / name for name in ("own", "path", "home"))
    environ = {"TCO_ENGINE_HOME": str(installed), "PATH": str(tmp_path / "nowhere")}
    with pytest.raises(EngineError, match="vllm is not installed"):
        command(model_folder, environ, command=["vllm", "serve"])
    for folder in (own / "bin", on_path):
        folder.mkdir(parents=True)
        (folder / "vllm").write_text("")
        (folder / "vllm").chmod(0o755)
    environ["PATH"] = str(on_path)
    assert command(model_folder, environ, command=["vllm"]).argv[0] == str(on_path / "vllm")
    environ["TCO_ENGINE_DIR"] = str(own)
    assert command(model_folder, environ, command=["vllm"]).argv[0] == str(own / "bin" / "vllm")
    environ["TCO_ENGINE_DIR"] = str(installed)
    with pytest.raises(EngineError, match="holds no bin/vllm"):
        command(model_folder, environ, command=["vllm"])


def test_a_recorded_command_names_no_folder_of_the_user(tmp_path, monkeypatch):
    home, here = tmp_path / "home", tmp_path / "work"
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(here)
    words = (f"{home}/bin/vllm", f"--cache={home}/c", f"{here}/model", "/opt/model", f"{here}2")
    command = EngineCommand(
        argv=words,
        env={},
        stated_env={},
        port=1,
        served_model="m",
        api_key=None,
        model_dir=None,
        model_is_dummy=False,
    )
    assert command.stated_argv == (
        "~/bin/vllm", "--cache=~/c", "model", "/opt/model", f"{here}2",
    )  # fmt: skip


def test_the_line_to_serve_with_works_in_a_shell_and_holds_no_secret():
    launch = Launch(
        model="~/m",
        args={"max-num-seqs": 8, "hf-token": "s3cret", "speculative-config": '{"a": 1}'},
        env={"OMP_NUM_THREADS": "1", "HF_TOKEN": "s3cret", "BIND": "0 1"},
    )
    assert serve_line(launch) == (
        "BIND='0 1' OMP_NUM_THREADS=1 vllm serve ~/m --max-num-seqs 8 --hf-token '***' "
        "--speculative-config '{\"a\": 1}'"
    )
