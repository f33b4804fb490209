"""tco's client on a Load: `python -m benchmarks.own_client JSON`; writes own.json and own.npz.

All that a measurement does with its records is in here (reading, parsing, quantiles), so
that the CPU of this process and of its client can stand beside another tool's.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from benchmarks.load import Load
from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.engine_handle import EngineHandle
from tco.measure.load import load_client
from tco.measure.point import latencies, tokens_of, whole_run_rates
from tco.measure.request import RequestForm, find_form
from tco.measure.trace import Trace, parse
from tco.measurement import EngineFacts, MeasuredShape
from tco.workload import plain_workload

_LIMIT_S = 600.0


def handle_of(load: Load) -> EngineHandle:
    """Return the server as an engine that runs already."""
    facts = EngineFacts(
        name="any", version=None, model=load.model, model_is_dummy=True, attached=True,
        url=load.url, command=None, start_s=None, start_id="any",
    )  # fmt: skip
    return EngineHandle(
        url=load.url, served_model=load.model, api_key=os.environ.get("OPENAI_API_KEY"),
        facts=facts, log_path=None, model_dir=load.tokenizer, pid=None, findings=(),
        alive=lambda: True,
    )  # fmt: skip


def plan_of(load: Load, form: RequestForm, api_key: str | None) -> ClientPlan:
    """Return the client's orders: streams that all start at once, a fixed number of requests."""
    path = load.folder / "workload.npz"
    lengths = (
        np.full(load.requests, tokens, dtype=np.int64)
        for tokens in (load.input_tokens, load.output_tokens)
    )
    plain_workload(*lengths).save(path)
    url = urlsplit(load.url)
    return ClientPlan(
        host=url.hostname or "",
        port=url.port or 0,
        tls=False,
        path=form.path,
        headers={
            "Host": url.netloc,
            "Content-Type": "application/json",
            "Authorization": f"Bearer {api_key}",
        },
        body=form.body,
        prompt_key="prompt",
        workload=str(path),
        streams=load.streams,
        seed=load.seed,
        out_dir=str(load.folder / "records"),
        vocabulary=form.vocabulary,
        asks_min_tokens=form.asks_min_tokens,
        requests=load.requests,
        staggered=False,
        max_s=_LIMIT_S,
    )


def run(plan: ClientPlan) -> Trace:
    """Run the client to its end and parse what it kept."""
    deadline = time.monotonic() + _LIMIT_S
    with load_client(plan) as client:
        while not client.has_ended and time.monotonic() < deadline:
            client.wait(1.0)
    return parse(read_records(Path(plan.out_dir)))


def main() -> None:
    """Run the load of the argument; write what was seen."""
    tree = json.loads(sys.argv[1])
    load = Load(**{**tree, "tokenizer": Path(tree["tokenizer"]), "folder": Path(tree["folder"])})
    handle = handle_of(load)
    plan = plan_of(load, find_form(handle), handle.api_key)
    print("sending", flush=True)
    trace = run(plan)
    tokens, good = tokens_of(trace), trace.failure == ""
    latencies(trace, tokens, good)  # what a bench does with its records, so its CPU counts
    shape = MeasuredShape(
        input_tokens=load.input_tokens, cached_input_share=0.0, output_tokens=load.output_tokens
    )
    rates = whole_run_rates(trace, tokens, shape)
    result = {"completed": int(good.sum()), "output_tok_per_s": rates.output_tok_per_s}
    np.savez(
        load.folder / "own.npz",
        event_request=trace.event_request,
        event_ns=trace.event_ns,
        intended_ns=trace.intended_ns,
    )
    (load.folder / "own.json").write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
