"""A scenario file: the rules of its keys, each fault with its place, and its hash."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.errors import InputError
from tco.scenario import Scenario
from tco.scenario_file import load_scenario, scenario_sha256

GOOD = """\
schema: tco.scenario/1
name: test
traffic:
  shape: {input_tokens: 512, output_tokens: 512}
  target_utilisation: 0.5
hardware:
  purchase: {price_usd: 96995.99, life_years: 3}
power: {idle_w: 300, load_w: 1300, pue: {value: 1.3, low: 1.1, high: 1.6, source: meter}, usd_per_kwh: 0.14}
alternatives:
  - {name: api, usd_per_million: {input: 0.10, output: 0.50}}
"""  # noqa: E501  one line per section


@pytest.fixture
def load(tmp_path):
    def loader(text=GOOD, *sets, name="s.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return load_scenario(path, sets)

    return loader


def fault(load, text, *sets):
    with pytest.raises(InputError) as caught:
        load(text, *sets)
    return caught.value


def test_a_good_file_is_read_with_exact_prices(load):
    loaded = load()
    price = loaded.scenario.alternatives[0].usd_per_million.input
    assert str(price.value) == "0.10"
    assert loaded.scenario.power.pue.high == 1.6
    assert loaded.place_of("power.pue").line == 8


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "message", "remedy"),
    [
        (
            "target_utilisation: 0.5", "target_utilisation: 66", 5, "traffic.target_utilisation",
            "target_utilisation must be in (0, 1], got 66", "write 0.66",
        ),
        (
            "target_utilisation: 0.5", "target_utilisation: .nan", 5, "traffic.target_utilisation",
            "target_utilisation must be in (0, 1], got NaN", None,
        ),
        (
            "target_utilisation: 0.5", "target_utilisation: .inf", 5, "traffic.target_utilisation",
            "target_utilisation must be in (0, 1], got Infinity", None,
        ),
        (
            "target_utilisation: 0.5", "target_utilisation: 0", 5, "traffic.target_utilisation",
            "target_utilisation must be in (0, 1], got 0", None,
        ),
        (
            "target_utilisation", "target_utilization", 5, "traffic.target_utilization",
            "unknown key `target_utilization`", "did you mean `target_utilisation`?",
        ),
        (
            "output_tokens", "ouput_tokens", 4, "traffic.shape.ouput_tokens",
            "unknown key `ouput_tokens`", "did you mean `output_tokens`?",
        ),
        (
            "name: test", "name: test\nzzz: 1", 3, "zzz",
            "unknown key `zzz`", "known here: `alternatives`, `bench`",
        ),
        (
            "value: 1.3, low", "value: 1.3, lowest", 8, "power.pue.lowest",
            "unknown key `lowest`", "did you mean `low`?",
        ),
        (
            "input: 0.10", "input: -0.10", 10, "alternatives.0.usd_per_million.input",
            "input must be 0 or more, got -0.10", None,
        ),
        (
            "price_usd: 96995.99", "price_usd: -1", 7, "hardware.purchase.price_usd",
            "price_usd must be 0 or more, got -1", None,
        ),
        (
            "output_tokens: 512", "output_tokens: 512, cached_input_share: 1.2", 4,
            "traffic.shape.cached_input_share",
            "cached_input_share must be in [0, 1], got 1.2", "shares go from 0 to 1",
        ),
        (
            "output_tokens: 512", "output_tokens: 0", 4, "traffic.shape.output_tokens",
            "output_tokens must be above 0, got 0", None,
        ),
        (
            "output_tokens: 512", "output_tokens: {mean: 512}", 4,
            "traffic.shape.output_tokens.p95", "the key `p95` is missing",
            "add it under `traffic.shape.output_tokens`",
        ),
        (
            "output_tokens: 512", "output_tokens: {mean: 512, p95: 100}", 4,
            "traffic.shape.output_tokens.p95", "p95 must not be below mean (512), got 100", None,
        ),
        (
            "output_tokens: 512", "output_tokens: {mean: 100, p95: 500}", 4,
            "traffic.shape.output_tokens.p95",
            "no lognormal of lengths from 1 token on has the mean 100 and", "lower p95, or give",
        ),
        (
            "output_tokens: 512", "output_tokens: lots", 4, "traffic.shape.output_tokens",
            "output_tokens must be a number, got 'lots'", "write a bare number",
        ),
        (
            "output_tokens: 512", "output_tokens: null", 4, "traffic.shape.output_tokens",
            "output_tokens must be a number, got nothing", None,
        ),
        (
            "{input_tokens: 512, output_tokens: 512}", "{trace: requests.csv}", 4,
            "traffic.shape.trace", "the trace requests.csv cannot be found",
            "name it relative to the scenario's folder",
        ),
        (
            ", output_tokens: 512", "", 4, "traffic.shape.output_tokens",
            "the key `output_tokens` is missing", "add it under `traffic.shape`",
        ),
        (
            "  target_utilisation: 0.5",
            "  target_utilisation: 0.5\n  demand: {requests_per_day: 5}", 6, "traffic.demand",
            "`target_utilisation` and `demand` exclude each other", "keep one of them",
        ),
        (
            "target_utilisation: 0.5", "demand: {spares: 1}", 5, "traffic.demand",
            "demand needs one of `requests_per_day`", None,
        ),
        (
            "target_utilisation: 0.5", "demand: {requests_per_day: 5, profile: [1, 2]}", 5,
            "traffic.demand.profile", "profile must have 24 or 168 hourly weights, got 2", None,
        ),
        (
            "target_utilisation: 0.5", "demand: {requests_per_day: 5, spares: 0.5}", 5,
            "traffic.demand.spares", "spares must be a whole number, got 0.5", None,
        ),
        (
            "hardware:\n", "hardware:\n  rent: {usd_per_hour: 1, power_included: false}\n", 7,
            "hardware.rent", "`purchase` and `rent` exclude each other", "keep one of them",
        ),
        (
            "  purchase: {price_usd: 96995.99, life_years: 3}", "  rent: {usd_per_hour: 2.69}", 8,
            "power", "`power` cannot stand beside a rental that includes it", "drop `power`",
        ),
        (
            "  purchase: {price_usd: 96995.99, life_years: 3}", "  {}", 6,
            "hardware", "hardware needs `purchase`, `rent` or `catalog`", None,
        ),
        (
            "life_years: 3", "life_years: 3, residual_usd: 100000", 7,
            "hardware.purchase.residual_usd",
            "residual_usd must not be above price_usd (96996), got 100000", None,
        ),
        (
            "target_utilisation: 0.5", "by_year: [1, 2]", 5, "traffic.by_year",
            "by_year needs `demand`", "state the first year's traffic.demand",
        ),
        (
            "target_utilisation: 0.5", "demand: {requests_per_day: 9}\n  by_year: [1.5, 2]", 6,
            "traffic.by_year", "by_year must begin with 1, got 1.5",
            "traffic.demand is the first year's, and each factor is of that",
        ),
        (
            "- {name: api,",
            ("- {name: b, usd_per_million: {input: 1, output: 1}}\n  - {name: api, "
             "cached_input_share: 0.7, cache_write_5m_share: 0.2, cache_write_1h_share: 0.2,"),
            11, "alternatives.1.cache_write_1h_share",
            "cache_write_1h_share must be at most 0.1, got 0.2: the other 0.9 of the input",
            "read from the cache, written to it, or neither",
        ),
        (
            "life_years: 3}", "life_years: 0.02}\nfinance: {horizon_years: 5}", 8,
            "finance.horizon_years", "finance.horizon_years (5) must be at most 100 times",
            "nobody buys hardware that often",
        ),
        (
            "name: test", "name: 5", 2, "name", "name must be text, got 5", "put it in quotes",
        ),
        (
            "name: test", "name: test\ndate: 2026-02-30", 3, "date",
            "date must be a date, got '2026-02-30'", "write it as YYYY-MM-DD",
        ),
        (
            "name: test", "name: test\ncurrency: EUR", 3, "currency",
            "currency needs a rate to show EUR", "write {code: EUR, usd_per_unit: 1.09}",
        ),
        (
            "name: test", "name: test\nslo: {ttft_p96_ms: 1}", 3, "slo.ttft_p96_ms",
            "unknown key `ttft_p96_ms`", "did you mean `ttft_p9",
        ),
        (
            "name: test", "name: test\nengine: {launch: {model: m, command: vllm serve}}", 3,
            "engine.launch.command", "command must be a list, got 'vllm serve'", "write [a, b]",
        ),
        (
            "name: test", "name: test\nengine: {launch: {model: m, env: {OMP_NUM_THREADS: 1}}}",
            3, "engine.launch.env.OMP_NUM_THREADS", "OMP_NUM_THREADS must be text, got 1",
            "put it in quotes",
        ),
        (
            "name: test", "name: test\nengine: {launch: {model: m, args: {a: [1]}}}", 3,
            "engine.launch.args.a", "a must be text, a number or true, got a list", None,
        ),
        (
            "name: test", "name: test\nengine: {attach: {url: 'ftp://h', model: m}}", 3,
            "engine.attach.url", "url must be an http or https URL, got 'ftp://h'", None,
        ),
        (
            "name: test",
            "name: test\nengine: {attach: {url: 'http://h', model: m, api_key_env: HOME}}", 3,
            "engine.attach.api_key_env", "api_key_env must be a name that ends in _API_KEY",
            None,
        ),
        (
            "name: test", "name: test\nengine: {accelerators: 8}", 3, "engine.accelerators",
            "accelerators must not be above the server's 1, got 8", "state traffic.demand",
        ),
        (
            "name: test", "name: test\noperations: {fte: 0.5}", 3, "operations.fte",
            "fte needs fte_usd_per_year beside it", None,
        ),
        (
            "idle_w: 300", "idle_w: 3000", 8, "power.idle_w",
            "idle_w must not be above load_w (1300), got 3000", "in watts, not kilowatts",
        ),
        (
            "{name: api, usd_per_million: {input: 0.10, output: 0.50}}", "{catalog: nemotron}", 10,
            "alternatives.0.catalog", "catalog must be provider/model, got 'nemotron'", None,
        ),
        (
            "name: api, usd_per_million: {input: 0.10, output: 0.50}", "name: api", 10,
            "alternatives.0", "alternatives[0] needs either `catalog`, or `name` with", None,
        ),
        (
            "name: api, usd_per_million: {input: 0.10, output: 0.50}",
            "catalog: p/m, usd_per_million: {input: {value: 0.10, low: 0.05}}", 10,
            "alternatives.0.usd_per_million", "`catalog` and `usd_per_million` exclude each other",
            "discount: {value: 0, low: 0, high: 0.2}",
        ),
        (
            "name: test",
            "name: test\nengine: {launch: {model: m}, attach: {url: 'http://h', model: m}}", 3,
            "engine.attach", "`launch` and `attach` exclude each other", "keep one of them",
        ),
        (
            "name: test", "name: test\nengine: {launch: {model: ''}}", 3, "engine.launch.model",
            "model must not be empty", None,
        ),
        (
            "name: test", "name: test\nengine: {launch: {model: m, args: {a: .inf}}}", 3,
            "engine.launch.args.a", "a must be finite, got inf", None,
        ),
        (
            "name: test", "name: test\nengine: {attach: {url: 'http://u:p@h', model: m}}", 3,
            "engine.attach.url", "url must be only scheme, host, port and path", "api_key_env",
        ),
        (
            "name: test", "name: test\nengine: {attach: {url: 'http://h:99999', model: m}}", 3,
            "engine.attach.url", "url must be an http or https URL", None,
        ),
        (
            "name: test", "name: test\nbench: {seed: -1}", 3, "bench.seed",
            "seed must be at least 0, got -1", None,
        ),
        (
            "name: test", "name: test\ncurrency: {code: USD, usd_per_unit: 2}", 3,
            "currency.usd_per_unit", "usd_per_unit must be 1 for USD, got 2", None,
        ),
        (
            "name: test", "name: test\ncurrency: euro", 3, "currency",
            "currency must be three capitals like EUR, got 'euro'", None,
        ),
        (
            "target_utilisation: 0.5",
            "demand: {average_output_tok_per_s: 9, peak_output_tok_per_s: 5}", 5,
            "traffic.demand.peak_output_tok_per_s",
            "peak_output_tok_per_s must not be below average_output_tok_per_s (9), got 5", None,
        ),
        (
            "target_utilisation: 0.5",
            "demand: {requests_per_day: 5, profile: [" + ", ".join("0" * 24) + "]}", 5,
            "traffic.demand.profile", "profile must have a weight above 0, got only zeros", None,
        ),
        (
            "{value: 1.3, low: 1.1, high: 1.6, source: meter}", "{low: 1.1}", 8, "power.pue",
            "pue needs a `value`", "write a bare number",
        ),
        (
            "output_tokens: 512", "output_tokens: .nan", 4, "traffic.shape.output_tokens",
            "output_tokens must be a finite number, got NaN", None,
        ),
        (
            "load_w: 1300", "load_w: .inf", 8, "power.load_w",
            "load_w must be a finite number, got Infinity", None,
        ),
        (
            "output_tokens: 512", "output_tokens: 1e12", 4, "traffic.shape.output_tokens",
            "output_tokens must be at most 100,000,000, got 1E+12", None,
        ),
        (
            "load_w: 1300", "load_w: 1e200", 8, "power.load_w",
            "load_w must be 0 or between 1e-12 and 1e+15 in size, got 1E+200", None,
        ),
        (
            "price_usd: 96995.99", "price_usd: 1e-99", 7, "hardware.purchase.price_usd",
            "price_usd must be 0 or between 1e-12 and 1e+15 in size, got 1E-99", None,
        ),
        (
            "life_years: 3", "life_years: 300", 7, "hardware.purchase.life_years",
            "life_years must be at most 100, got 300", None,
        ),
        (
            "name: test", "name: test\noperations: {growth_per_year: 30}", 3,
            "operations.growth_per_year", "growth_per_year must be in (-1, 10], got 30",
            "write 0.3 (shares go from 0 to 1, not percent)",
        ),
        (
            "low: 1.1", "low: 1.4", 8, "power.pue",
            "pue must have low <= value <= high, got 1.4, 1.3, 1.6", "put the three in order",
        ),
        (
            "low: 1.1", "low: 0.9", 8, "power.pue.low", "low must be 1 or more, got 0.9", None,
        ),
        (
            "name: api, ", "", 10, "alternatives.0",
            "alternatives[0] needs a `name` beside `usd_per_million`", None,
        ),
        (
            "name: api, ", "name: api, service: bach, ", 10, "alternatives.0.service",
            "service must be 'standard', 'batch', 'flex' or 'priority', got 'bach'", None,
        ),
        (
            "name: test",
            "name: test\nmeasurement: {published: {output_tok_per_s: 1, date: 2026-10-15}}", 3,
            "measurement.published.source", "the key `source` is missing", None,
        ),
        (
            "schema: tco.scenario/1", "schema: tco.measurement/1", 1, "schema",
            "is a measurement, not a scenario", "give it with -m",
        ),
    ],
)  # fmt: skip
def test_each_fault_is_one_sentence_at_its_line_and_key(
    load, tmp_path, *, old, new, line, key, message, remedy
):
    assert old in GOOD
    error = fault(load, GOOD.replace(old, new))
    assert error.message.startswith(message)
    assert (error.file, error.line, error.key) == (str(tmp_path / "s.yaml"), line, key)
    if remedy is not None:
        assert remedy in error.remedy
    assert "\n" not in str(error)
    assert error.exit_code == 2


WRITE_A_RANGE = "write a range as {value: …, low: …, high: …}"


@pytest.mark.parametrize(
    ("wrong", "below", "message", "remedy"),
    [
        ("{low: 0.2, high: 0.8}", "", "target_utilisation needs a `value`", "write a bare number"),
        ("{}", "", "target_utilisation needs a `value`", "write a bare number"),
        ("{mean: 0.5, p95: 0.8}", "", "target_utilisation needs a `value`", "{value, low, high"),
        ("[0.2, 0.5, 0.8]", "", "target_utilisation must be a number, got a list", WRITE_A_RANGE),
        ("0.2-0.8", "", "target_utilisation must be a number, got '0.2-0.8'", WRITE_A_RANGE),
        ("0.5 ± 0.1", "", "target_utilisation must be a number, got '0.5 ± 0.1'", WRITE_A_RANGE),
        ("{value: , low: 0.2}", "", "target_utilisation must be a number, got nothing", "bare"),
        ("{value: '0.5', low: 0.1}", "", "target_utilisation must be a number, got '0.5'", "bare"),
        ("{value: 0.5, low: 10%}", ".low", "low must be a number, got '10%'", "write 0.1 (shares"),
        ("60 %", "", "target_utilisation must be a number, got '60 %'", "write 0.6 (shares go"),
        ("{value: 0.5, high: [1]}", ".high", "high must be a number, got a list", "bare number"),
        ("{value: 0.5, low: true}", ".low", "low must be a number, got true", "bare number"),
        ("{value: 0.5, low: -0.1}", ".low", "low must be in (0, 1], got -0.1", None),
        ("{value: 0.5, low: 0}", ".low", "low must be in (0, 1], got 0", None),
        ("{value: 0.5, low: .nan}", ".low", "low must be in (0, 1], got NaN", None),
        ("{value: 0.5, high: 80}", ".high", "high must be in (0, 1], got 80", "write 0.8 "),
        ("{value: 0.5, low: 0.6}", ".low", "low must not be above the value (0.5), got 0.6", None),
        ("{value: 0.5, high: 0.4}", ".high", "high must not be below the value (0.5), got", None),
        (
            "{value: 0.5, low: 0.9, high: 0.2}", "",
            "target_utilisation must have low <= value <= high, got 0.9, 0.5, 0.2", "in order",
        ),
        ("{value: 0.5, min: 0.1}", ".min", "unknown key `min`", "`high`, `low`, `shape`"),
        ("{value: 0.5, hi: 0.8}", ".hi", "unknown key `hi`", "did you mean `high`?"),
        (
            "{value: 0.5, low: 0.2, shape: normal}", ".shape",
            "shape must be 'uniform' or 'triangular', got 'normal'", None,
        ),
        ("{value: 0.5, shape: triangular}", "", "target_utilisation needs `low` or", "drop"),
    ],
)  # fmt: skip
def test_a_wrong_range_is_one_sentence_at_its_own_key(load, wrong, below, message, remedy):
    error = fault(load, GOOD.replace("utilisation: 0.5", f"utilisation: {wrong}"))
    assert error.message.startswith(message)
    assert (error.line, error.key) == (5, f"traffic.target_utilisation{below}")
    assert remedy is None or remedy in error.remedy
    assert "fault" not in error.message


def test_a_whole_number_must_be_whole_at_its_ends_too(load):
    text = GOOD.replace("life_years: 3", "life_years: 3, accelerators: {value: 2, low: 1.5}")
    error = fault(load, text)
    assert error.key == "hardware.purchase.accelerators.low"
    assert error.message == "low must be a whole number, got 1.5"


def test_a_length_is_a_range_or_a_mean_and_a_percentile(load):
    text = GOOD.replace("input_tokens: 512", "input_tokens: {value: 512, low: 100, p95: 900}")
    error = fault(load, text)
    assert error.key == "traffic.shape.input_tokens"
    assert error.message.endswith("a number with its range or a mean with its 95th percentile, "
                                  "got both")  # fmt: skip
    assert "{value, low, high}, or {mean" in error.remedy


def test_an_unknown_key_goes_before_the_missing_one_it_explains(load):
    error = fault(load, GOOD.replace("traffic:", "trafic:"))
    assert error.message == "unknown key `trafic`"
    assert error.remedy == "did you mean `traffic`?"


def test_further_faults_are_counted(load):
    text = GOOD.replace("idle_w: 300", "idle_w: -1").replace("input: 0.10", "input: -1")
    assert fault(load, text).message == "idle_w must be 0 or more, got -1 (and 1 more fault)"


def test_a_file_full_of_faults_counts_them_all(load):
    text = GOOD + "".join(f"zzz{number}: 1\n" for number in range(20_000))
    assert fault(load, text).message == "unknown key `zzz0` (and 19999 more faults)"


def test_an_unknown_hardware_row_names_the_nearest_and_where_to_look(load):
    error = fault(load, GOOD.replace("  purchase", "  catalog: dgx-station-gb30\n  purchase"))
    assert error.message == "there is no hardware row `dgx-station-gb30`"
    assert "did you mean `dgx-station-gb300`?" in error.remedy
    assert "pricing/hardware/" in error.remedy
    assert (error.line, error.key) == (7, "hardware.catalog")


def test_an_override_replaces_the_whole_of_a_number_with_a_range(load):
    pue = load(GOOD, "power.pue=1.7").scenario.power.pue
    assert (pue.value, pue.low, pue.source) == (1.7, None, None)


def test_an_override_of_one_part_keeps_the_others(load):
    power = load(GOOD, "power.pue.value=1.2", "power.idle_w.low=100").scenario.power
    assert (power.pue.value, power.pue.high) == (1.2, 1.6)
    assert (power.idle_w.value, power.idle_w.low) == (300, 100)


def test_an_override_reaches_into_a_list_and_keeps_its_digits(load):
    loaded = load(GOOD, "alternatives.0.usd_per_million.input=0.20")
    assert str(loaded.scenario.alternatives[0].usd_per_million.input.value) == "0.20"


def test_an_override_makes_the_mappings_it_needs(load):
    scenario = load(GOOD, "engine.launch.model=m", "engine.launch.args.a=2e5").scenario
    assert scenario.engine.launch.args == {"a": 2e5}


@pytest.mark.parametrize(
    ("argument", "key", "message"),
    [
        ("power.pue=0.5", "power.pue", "pue must be 1 or more, got 0.5"),
        ("power.pu=2", "power.pu", "unknown key `pu`"),
        ("bench.window_s=x", "bench.window_s", "window_s must be a number, got 'x'"),
        ("alternatives.4.name=x", "alternatives.4", "`alternatives` has 1 entry, numbered from 0"),
        ("alternatives.name=x", "alternatives.name", "`alternatives` is a list"),
        ("name.x.y=1", "name.x", "`name` is 'test' and has no keys below it"),
        ("power.0=1", "power.0", "`power` has keys, not numbered entries"),
        ("power=[1", None, "is not valid YAML"),
        ("hardware.catalog=zzz", "hardware.catalog", "there is no hardware row `zzz`"),
        ("finance.horizon_years=1e-9", "finance.horizon_years", "horizon_years must be 0.001 or"),
        (f"alternatives.{'1' * 5000}=x", f"alternatives.{'1' * 5000}", "`alternatives` is a list"),
    ],
)
def test_a_fault_in_an_override_names_the_argument_as_its_place(load, argument, key, message):
    error = fault(load, GOOD, argument)
    assert error.message.startswith(message)
    assert error.file == f"--set {argument}"
    assert error.key == key


@pytest.mark.parametrize("argument", ["power.pue", "=3", "power..pue=3", ""])
def test_an_override_without_key_and_value_is_refused(load, argument):
    assert "--set needs KEY=VALUE" in fault(load, GOOD, argument).message


def test_a_fault_of_the_file_keeps_its_line_beside_an_override(load):
    error = fault(load, GOOD.replace("load_w: 1300", "load_w: -1"), "name=other")
    assert (error.line, error.key) == (8, "power.load_w")


def test_the_hash_leaves_out_path_layout_and_comments(load):
    other = GOOD.replace("name: test", "# a comment\nname:    'test'").replace("0.50", "5e-1")
    hashes = {load(GOOD).sha256, load(other, name="t.yaml").sha256, load(GOOD).sha256}
    assert len(hashes) == 1
    assert load(GOOD, "name=other").sha256 not in hashes


def test_a_catalog_row_fills_what_is_left_out_and_own_keys_win(load):
    text = GOOD.replace("price_usd: 96995.99, ", "").replace(
        "  purchase", "  catalog: dgx-station-gb300\n  purchase"
    )
    purchase = load(text).scenario.hardware.purchase
    assert purchase.price_usd.value == 96995.99
    assert "seen 2026-06-02" in purchase.price_usd.source
    assert (
        load(text, "hardware.purchase.price_usd=5").scenario.hardware.purchase.price_usd.value == 5
    )


def test_a_catalog_row_fills_the_watts_only_beside_a_price_of_energy(load):
    text = GOOD.replace("  purchase", "  catalog: dgx-station-gb300\n  purchase")
    assert load(text.replace("load_w: 1300, ", "")).scenario.power.load_w.value == 1600
    without = "\n".join(line for line in text.splitlines() if not line.startswith("power"))
    assert load(without).scenario.power is None


def test_a_row_to_buy_gives_a_rental_only_its_accelerators(load):
    text = GOOD.replace(
        "  purchase: {price_usd: 96995.99, life_years: 3}",
        "  catalog: example-8x-server\n  rent: {usd_per_hour: 9, power_included: false}",
    )
    rent = load(text).scenario.hardware.rent
    assert (rent.usd_per_hour.value, rent.accelerators.value) == (9, 8)
    assert load(text).scenario.hardware.purchase is None


def test_a_row_to_rent_stands_by_itself(load):
    text = GOOD.replace(
        "  purchase: {price_usd: 96995.99, life_years: 3}", "  catalog: h100-sxm-runpod"
    )
    without = "\n".join(line for line in text.splitlines() if not line.startswith("power"))
    assert load(without).scenario.hardware.rent.usd_per_hour.value == 2.69


values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats().map(str), st.text(max_size=8),
    st.sampled_from(["{}", "[]", "{value: 1}", "[1, 2]", "{a: {b: 1}}", ".nan", "1e300", "-0"]),
)  # fmt: skip
keys = st.sampled_from(
    [
        "name", "schema", "date", "currency", "traffic", "traffic.shape", "traffic.demand",
        "traffic.shape.input_tokens", "traffic.shape.input_tokens.value", "slo", "engine",
        "traffic.shape.trace", "traffic.shape.trace.file", "traffic.shape.session",
        "traffic.shape.session.turns",
        "engine.launch", "engine.attach.url", "bench.seed", "measurement.published",
        "hardware", "hardware.catalog", "hardware.purchase", "hardware.rent", "power",
        "power.pue", "operations", "finance.discount_rate", "alternatives", "alternatives.0",
        "alternatives.0.usd_per_million", "alternatives.0.catalog", "alternatives.0.discount",
    ]
)  # fmt: skip


@given(st.lists(st.tuples(keys, values), max_size=3))
def test_no_override_raises_anything_but_an_input_error(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("fuzz") / "s.yaml"
    path.write_text(GOOD, encoding="utf-8")
    with contextlib.suppress(InputError):
        assert load_scenario(path, [f"{key}={value}" for key, value in pairs]).sha256


def test_a_scenario_survives_being_dumped_and_read_again(load):
    scenario = load(GOOD, "slo={ttft_p95_ms: 2000}", "traffic.shape.input_tokens={mean: 5, p95: 9}")
    again = Scenario.model_validate(scenario.scenario.model_dump(by_alias=True))
    assert again == scenario.scenario
    assert scenario_sha256(again) == scenario.sha256


def test_a_decimal_at_its_lowest_is_within(load):
    loaded = load(GOOD, "finance.horizon_years=0.001")
    assert loaded.scenario.finance.horizon_years.value == 0.001


def test_a_comparison_in_a_scenarios_place_is_told_before_its_keys(load):
    text = '{"schema": "tco.comparison/1",\n "alternatives": [{"name": "a", "is_bill": false}]}'
    error = fault(load, text)
    assert error.message == "is a comparison that tco wrote, not a scenario"
    assert (error.line, error.key, error.remedy) == (1, "schema", "give the scenario it is of")
