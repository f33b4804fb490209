"""Attaching to a server that runs: what is refused, and that it is left running."""

from __future__ import annotations

import os

import pytest

from tco.errors import EngineError, InputError
from tco.measure.attach import attached_engine
from tco.measure.engine import running_engine


def attach(scenario, **options):
    return attached_engine(scenario.engine.attach, **options)


def test_attached_server_keeps_running(attach_scenario, running_server, tmp_path):
    scenario = attach_scenario(f"http://127.0.0.1:{running_server()}/v1")
    log = tmp_path / "log"
    for _ in range(2):
        with running_engine(scenario, log_path=log, on_progress=print) as one:
            assert one.is_alive()
            assert one.facts.attached
            assert one.pid is None
            assert not one.url.endswith("/v1")
            assert [finding.kind for finding in one.findings] == ["weights_unseen"]
    assert not log.exists()


@pytest.mark.parametrize(
    ("mode", "model", "sentence"),
    [
        ("serves", "other", "does not have the model 'other'; it has: tiny"),
        ("redirects", "tiny", "redirects, which is not followed"),
        ("error_under_200", "tiny", "failed a request for one token: HTTP 200: no kernel"),
    ],
)
def test_server_that_cannot_serve_is_exit_3(attach_scenario, running_server, mode, model, sentence):
    scenario = attach_scenario(f"http://127.0.0.1:{running_server(mode)}", model)
    with pytest.raises(EngineError, match=sentence), attach(scenario):
        pass


def test_url_without_a_server_is_exit_3(attach_scenario, unused_tcp_port):
    scenario = attach_scenario(f"http://127.0.0.1:{unused_tcp_port}")
    with pytest.raises(EngineError, match="no server answers") as caught, attach(scenario):
        pass
    assert caught.value.exit_code == 3


def test_key_comes_from_the_named_variable(attach_scenario, running_server):
    port = running_server(env={**os.environ, "VLLM_API_KEY": "right"})
    scenario = attach_scenario(f"http://localhost:{port}", api_key_env="MY_API_KEY")
    with attach(scenario, environ={"MY_API_KEY": "right"}) as one:
        assert one.api_key == "right"
    with (
        pytest.raises(EngineError, match="refuses our key"),
        attach(scenario, environ={"MY_API_KEY": "wrong"}),
    ):
        pass
    with pytest.raises(InputError, match="MY_API_KEY is not set"), attach(scenario, environ={}):
        pass


def test_other_hosts_want_to_be_allowed(attach_scenario):
    scenario = attach_scenario("https://models.example")
    with pytest.raises(InputError, match=r"--allow-remote models\.example"), attach(scenario):
        pass


def test_key_is_not_sent_in_clear_to_another_host(attach_scenario):
    scenario = attach_scenario("http://models.example", api_key_env="MY_API_KEY")
    with (
        pytest.raises(InputError, match=r"a key is not sent to http://models\.example"),
        attach(
            scenario,
            allow_remote=frozenset({"models.example"}),
            environ={"MY_API_KEY": "secret"},
        ),
    ):
        pass
