"""The load client over https: whole answers, times of the reading clock, checked certificates."""

import ssl
from pathlib import Path

import numpy as np
import pytest
from echo_server import echo_server

from tco.errors import EngineError
from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.load import load_client
from tco.measure.trace import parse
from tco.workload import plain_workload

TLS = Path(__file__).parents[1] / "data" / "tls"


def run(folder, server, input_tokens=20_000):
    # A prompt of so many tokens fills the socket, so that it is sent in parts.
    plain_workload(*(np.full(12, n) for n in (input_tokens, 30))).save(folder / "w.npz")
    plan = ClientPlan(
        host="127.0.0.1", port=server.server_port, tls=True, path="/v1/completions",
        headers={"Host": "x"}, body={"stream": True, "return_token_ids": True},
        prompt_key="prompt", workload=str(folder / "w.npz"), streams=3, seed=1,
        out_dir=str(folder / "r"), vocabulary=(5, 2000), requests=12, staggered=False,
    )  # fmt: skip
    with load_client(plan) as client:
        while not client.has_ended:
            client.wait(1)
    return parse(read_records(folder / "r"))


@pytest.fixture
def server():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "cert.pem", TLS / "key.pem")
    with echo_server(context) as running:
        yield running


def test_answers_over_https_are_whole_and_say_that_the_kernel_did_not_stamp_them(
    server, tmp_path, monkeypatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "cert.pem"))
    trace = run(tmp_path, server)
    assert trace.failure.tolist() == [""] * 12
    assert (np.bincount(trace.event_request, trace.event_tokens) == 30).all()
    assert (trace.event_slack_ns > 0).all()
    assert {len(body["prompt"]) for body, _ in server.asked} == {20_000}
    assert (np.diff(trace.event_ns)[np.diff(trace.event_request) == 0] >= 0).all()


def test_a_certificate_nobody_vouches_for_is_refused(server, tmp_path):
    with pytest.raises(
        EngineError, match=r"cannot connect to the engine.*CERTIFICATE_VERIFY_FAILED"
    ):
        run(tmp_path, server)
    assert server.asked == []
