"""On the real engine a session's turns find their context in the prefix cache."""

from urllib.parse import urlsplit

import numpy as np
import pytest

from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.engine import running_engine
from tco.measure.load import load_client
from tco.measure.request import find_form
from tco.measure.trace import parse
from tco.workload import Workload

pytestmark = pytest.mark.engine

SESSIONS, TURNS, SYSTEM, FRESH, OUTPUT, BLOCK = 8, 4, 256, 150, 60, 128


def sessions():
    rows = SESSIONS * TURNS
    is_first = np.arange(rows) % TURNS == 0
    return Workload(
        at_s=np.full(rows, np.nan),
        session=np.repeat(np.arange(SESSIONS), TURNS),
        wait_s=np.zeros(rows),
        fresh_tokens=np.full(rows, FRESH),
        output_tokens=np.full(rows, OUTPUT),
        block_offsets=np.concatenate([[0], np.cumsum(is_first)]),
        block_id=np.full(SESSIONS, -1),
        block_tokens=np.full(SESSIONS, SYSTEM),
    )


def test_the_cached_share_is_what_the_sessions_imply(real_engine, tmp_path):
    cached = {"no-enable-prefix-caching": False, "enable-prefix-caching": True}
    scenario = real_engine.scenario(args={**cached, "enable-prompt-tokens-details": True})
    rows = sessions()
    rows.save(tmp_path / "w.npz")
    with running_engine(scenario, log_path=tmp_path / "log", on_progress=print) as handle:
        form, url = find_form(handle), urlsplit(handle.url)
        plan = ClientPlan(
            host=url.hostname, port=url.port, tls=False, path=form.path, body=form.body,
            headers={
                "Host": url.netloc, "Content-Type": "application/json",
                "Authorization": f"Bearer {handle.api_key}",
            },
            prompt_key="prompt", workload=str(tmp_path / "w.npz"), streams=2, seed=5,
            out_dir=str(tmp_path / "r"), vocabulary=form.vocabulary, requests=len(rows),
            staggered=False,
        )  # fmt: skip
        with load_client(plan) as client:
            while not client.has_ended:
                client.wait(1)
    trace = parse(read_records(tmp_path / "r"))
    assert set(trace.failure) == {""}
    inputs, contexts = rows.input_tokens()[trace.row], rows.context_tokens()[trace.row]
    assert (trace.usage_input == inputs).all()
    # The cache holds whole blocks, and not the answer's last token, which was never an input.
    later = trace.turn > 0
    implied = (contexts - 1) // BLOCK * BLOCK
    assert (trace.usage_cached[later] == implied[later]).all()
    # Two streams begin at once; every session after theirs finds the system prompt.
    assert (trace.usage_cached[trace.turn == 0][2:] == SYSTEM).all()
    share = trace.usage_cached[later].sum() / trace.usage_input[later].sum()
    assert share == pytest.approx(contexts[later].sum() / inputs[later].sum(), abs=0.15)
