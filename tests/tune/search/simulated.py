"""A scenario, a space, and what stands for starts of its engine, at rates that are known."""

import datetime as dt
import hashlib
import math

from tco.errors import InterruptedRunError
from tco.measurement import Rates
from tco.measurement_file import write_measurement
from tco.tune.trial import measured
from tco.tuning import TuneTrial

SCENARIO = """
schema: tco.scenario/1
name: simulated
traffic: {shape: {input_tokens: 8, output_tokens: 8}}
engine:
  launch: {command: [/bin/echo, serve], model: a/b, args: {speed: 2}}
  accelerators: 1
  concurrency: 4
bench: {window_s: 100}
hardware: {rent: {usd_per_hour: 2, accelerators: 2}}
"""
SPACE = """
schema: tco.space/1
name: mine
args:
  speed: {kind: choice, settings: [1, 2, 3, 4, 5, 6]}
  odd: {kind: choice, settings: [null, fails, slow]}
"""


class Engine:
    """Stands for engine starts: the rate follows `speed`, with noise that a seed fixes."""

    def __init__(self, make_measurement, make_point):
        self.make_measurement, self.make_point = make_measurement, make_point
        self.tried, self.stops_after, self.version, self.start_s = [], None, "0.32.0", 200.0
        self.gains = {}  # by the argument that is set

    def __call__(self, loaded, *, number, step, role, folder, progress, is_fresh):
        del progress, is_fresh
        if self.stops_after is not None and len(self.tried) >= self.stops_after:
            raise InterruptedRunError("stopped by the user")
        args = loaded.scenario.engine.launch.args
        window_s = loaded.scenario.bench.window_s.value
        self.tried.append((args["speed"], args.get("odd"), window_s))
        trial = TuneTrial(
            number=number, step=step, role=role, scenario_sha256=loaded.sha256,
            started_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), took_s=self.start_s + window_s,
        )  # fmt: skip
        if args.get("odd") == "fails":
            return trial.model_copy(update={"failure": "it does not start"})
        noise = int(hashlib.sha256(str(number).encode()).hexdigest()[:4], 16) / 65536 - 0.5
        rate = 1000.0 * args["speed"] * (0.5 if args.get("odd") else 1) * (1 + 0.01 * noise)
        rate *= math.prod(gain for name, gain in self.gains.items() if args.get(name))
        rates = Rates(
            requests_per_s=rate / 8, input_tok_per_s=rate,
            output_tok_per_s=rate, total_tok_per_s=2 * rate,
        )  # fmt: skip
        like = self.make_measurement()
        facts = like.engine.model_copy(update={"version": self.version, "start_s": self.start_s})
        point = self.make_point(rates=rates, window_s=window_s)
        file = f"trials/{number}.json"
        (folder / "trials").mkdir(parents=True, exist_ok=True)
        write_measurement(self.make_measurement(points=(point,), engine=facts), folder / file)
        return measured(trial, self.make_measurement(points=(point,), engine=facts), file)


def score(scenario, measurement, sha256):
    del scenario, sha256
    rate = measurement.capacity().output_tok_per_s
    usd = 2e6 / 3600 / rate
    return {"usd_per_million_output": usd, "output_tok_per_s": rate, "ttft_p95_ms": rate / 10}
