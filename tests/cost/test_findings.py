"""Each finding of a comparison, provoked."""

import datetime as dt

import pytest

from tco.cost.compare import compare
from tco.measurement import EngineFacts, Rates
from tco.measurement_file import published_measurement
from tco.prices import ListedOffer, Offer, PriceTables
from tco.scenario import Scenario

DAY = dt.date(2026, 12, 2)
OWN = {"name": "api", "usd_per_million": {"input": 0.1, "output": 0.5}, "same_weights": True}
FULL = {
    "maintenance_share_per_year": 0.01,
    "licence_usd_per_accelerator_year": 100,
    "hosting_usd_per_month": 10,
    "fte": 0.01,
    "fte_usd_per_year": 1000,
    "other_usd_per_year": 10,
}
TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "traffic": {"shape": {"input_tokens": 500, "output_tokens": 500}, "target_utilisation": 0.5},
    "slo": {"ttft_p95_ms": 2000},
    "measurement": {"published": {"output_tok_per_s": 1e4, "source": "s", "date": "2026-10-15"}},
    "hardware": {"purchase": {"price_usd": 10000, "life_years": 3}},
    "power": {"idle_w": 100, "load_w": 1000, "usd_per_kwh": 0.1},
    "operations": FULL,
    "alternatives": [OWN],
}


def offer(*prices, **changes):
    fields = {"model": "m", "source": "s", "date": "2026-12-01", "prices": prices} | changes
    return PriceTables({"p/m": ListedOffer("t.yaml", "p", Offer(**fields))})


ROW = {"usd_per_million": {"input": 0.1, "output": 0.5}}
LISTED = {"catalog": "p/m", "same_weights": True}


def compared(tables=None, change=lambda measurement: measurement, **changes):
    scenario = Scenario.model_validate(TREE | changes)
    measured = published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0")
    return compare(
        scenario,
        change(measured.model_copy(update={"origin": "measured"})),
        tables or PriceTables({}),
        scenario_sha256="0",
        measurement_sha256="0",
        date=DAY,
        tool_version="0",
    )


def kinds(*args, **changes):
    return {finding.kind for finding in compared(*args, **changes).findings}


def alternatives(**changes):
    return {"alternatives": [OWN | changes]}


def test_a_whole_case_has_no_findings(make_point):
    def with_point(measurement):
        point = make_point(rates=measurement.published_rates)
        return measurement.model_copy(update={"points": (point,), "capacity_point": 0})

    assert kinds(change=with_point) == set()


def test_what_several_alternatives_share_is_said_once_with_their_names():
    rivals = [OWN | {"name": name, "same_weights": None} for name in ("a", "b", "c")]
    found = compared(alternatives=[*rivals, OWN], slo={}).findings
    said = {each.kind: each for each in found}
    assert len(said) == len(found)
    unknown, level = said["unknown_weights"], said["no_service_level"]
    assert "whether a, b and c serve the same" in unknown.message
    assert unknown.path == "alternatives"
    assert "a, b, c and api sell interactive service" in level.message


def test_what_one_alternative_has_alone_is_said_at_its_key():
    found = compared(alternatives=[OWN, OWN | {"name": "b", "same_weights": False}]).findings
    other = next(each for each in found if each.kind == "other_weights")
    assert (other.path, other.message) == (
        "alternatives.1.same_weights",
        "b serves other weights than yours",
    )


RENTED_BY_THE_HOUR = {
    "hardware": {"rent": {"usd_per_hour": 1, "billing": "hourly", "power_included": False}}
}


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("other_weights", alternatives(same_weights=False)),
        ("unknown_weights", alternatives(same_weights=None)),
        ("method_demonstration", alternatives(same_weights=None)),
        ("zero_price", alternatives(usd_per_million={"input": 0, "output": 0})),
        ("no_alternative", {"alternatives": []}),
        ("no_service_level", {"slo": {}}),
        ("high_utilisation", {"traffic": TREE["traffic"] | {"target_utilisation": 0.81}}),
        ("not_included", {"operations": FULL | {"hosting_usd_per_month": 0}}),
        ("purchase_without_running_costs", {"power": None}),
        ("break_even_above_capacity", {"operations": FULL | {"other_usd_per_year": 1e7}}),
        ("does_not_pay_back", {"operations": FULL | {"other_usd_per_year": 1e7}}),
        ("hourly_without_profile", RENTED_BY_THE_HOUR),
        ("maintenance_without_purchase", RENTED_BY_THE_HOUR),
    ],
)
def test_the_scenario_provokes_it(kind, changes):
    assert kind in kinds(**changes)


def test_what_is_not_included_is_named():
    found = compared(operations={"fte": 0}).findings
    message = next(each.message for each in found if each.kind == "not_included")
    assert message == "not included: maintenance, licence, hosting, staff, other"
    bare = next(each for each in found if each.kind == "purchase_without_running_costs")
    assert "staff, licence" in bare.message


def test_a_price_older_than_90_days_is_said_with_its_age():
    old = offer(ROW, date="2026-09-02")
    found = [f for f in compared(old, alternatives=[LISTED]).findings if f.kind == "price_is_old"]
    assert [(f.value, f.limit) for f in found] == [(91, 90)]
    assert "price_is_old" not in kinds(offer(ROW, date="2026-09-03"), alternatives=[LISTED])


def test_a_price_of_nothing_says_which_kind_of_nothing():
    free = Offer(
        model="m:free",
        source="s",
        date="2026-12-01",
        prices=[{"usd_per_million": {"input": 0, "output": 0}}],
    )
    tables = PriceTables({"p/m:free": ListedOffer("t.yaml", "p", free)})
    found = compared(tables, alternatives=[{"catalog": "p/m:free"}]).findings
    message = next(each.message for each in found if each.kind == "zero_price")
    assert message == "p/m:free has a price of 0 (free), so there is no saving against it"


def test_a_price_whose_table_gives_no_date_is_said():
    undated = offer(ROW, date=None)
    found = kinds(undated, alternatives=[LISTED])
    assert "price_without_date" in found
    assert "price_is_old" not in found
    assert "price_without_date" not in kinds(offer(ROW, date="2026-09-03"), alternatives=[LISTED])


def test_a_price_that_changes_by_the_hour_is_said():
    window = {"weekdays": [1], "from": "01:00:00", "to": "04:00:00"}
    hours = offer(ROW, ROW | {"windows_utc": [window]})
    traffic = TREE["traffic"]["shape"]
    profile = [0, *[1] * 23]
    demand = {"requests_per_day": 1e5, "profile": profile}
    said = [
        next(f for f in compared(hours, **changes).findings if f.kind == "price_by_hour")
        for changes in (
            {"alternatives": [LISTED]},
            {"alternatives": [LISTED], "traffic": {"shape": traffic, "demand": demand}},
        )
    ]
    assert [each.severity for each in said] == ["info", "info"]
    assert "all hours alike" in said[0].message
    assert said[0].value == pytest.approx(1 - 3 / 168)
    assert "weighed by your demand's profile" in said[1].message
    assert said[1].value == pytest.approx(1 - 3 / (7 * 23))
    batch = ROW | {"service": "batch"}
    other = offer(ROW, batch, batch | {"windows_utc": [window]})
    assert "price_by_hour" not in kinds(other, alternatives=[LISTED])


WRITES = {"input": 0.1, "cached_input": 0.01, "cache_write_5m": 0.125, "output": 0.5}


def test_a_price_for_cache_writes_that_nobody_counts_is_said():
    cached = {"traffic": {"shape": TREE["traffic"]["shape"] | {"cached_input_share": 0.5}}}
    own = alternatives(usd_per_million=WRITES)
    listed = {"alternatives": [LISTED]}
    row = offer({"usd_per_million": WRITES})
    assert "cache_writes_not_stated" in kinds(**cached, **own)
    assert "cache_writes_not_stated" in kinds(row, **cached, **listed)
    assert "cache_writes_not_stated" in kinds(
        **alternatives(usd_per_million=WRITES, cached_input_share=0.2)
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"usd_per_million": WRITES},
        {"usd_per_million": WRITES, "cached_input_share": 0.5, "cache_write_1h_share": 0},
        {"usd_per_million": WRITES | {"cache_write_5m": 0.1}, "cached_input_share": 0.5},
        {"cached_input_share": 0.5},
    ],
)
def test_where_writes_are_counted_or_cost_as_fresh_nothing_is_said(changes):
    assert "cache_writes_not_stated" not in kinds(**alternatives(**changes))


CACHED = {"input_tokens": 500, "cached_input_share": 0.3, "output_tokens": 500}
TRAFFIC = {"shape": CACHED, "target_utilisation": 0.5}


def test_cached_traffic_without_a_price_for_it_is_said():
    (found,) = [
        each for each in compared(traffic=TRAFFIC).findings if each.kind == "cached_billed_as_fresh"
    ]
    assert (found.severity, found.path) == ("info", "alternatives.0")
    assert found.message.startswith("api has no price for cached input")


@pytest.mark.parametrize(
    "own",
    [
        {"usd_per_million": {"input": 0.1, "cached_input": 0.1, "output": 0.5}},
        {"cached_input_share": 0},
        {"usd_per_million": {"input": 0, "output": 0.5}},
    ],
)
def test_where_no_cached_token_is_billed_as_fresh_nothing_is_said(own):
    found = compared(traffic=TRAFFIC, alternatives=[OWN | own]).findings
    assert "cached_billed_as_fresh" not in [each.kind for each in found]


def test_without_a_service_level_the_batch_price_stands_beside_the_interactive_one():
    cheap = {"usd_per_million": {"input": 0.05, "output": 0.25}, "service": "batch"}
    both = offer(ROW, cheap)
    got = compared(both, alternatives=[LISTED], slo={}).alternatives
    assert [each.name for each in got] == ["p/m", "p/m (batch)"]
    assert got[1].usd_per_request == pytest.approx(got[0].usd_per_request / 2)
    assert got[1].price_source.service == "batch"
    assert len(compared(both, alternatives=[LISTED]).alternatives) == 1


def test_weights_named_by_the_table_and_served_by_us_are_the_same():
    same = offer(ROW, weights="Org/Name")
    engine = {"launch": {"model": "org/name"}}
    listed = {"catalog": "p/m"}
    assert compared(same, alternatives=[listed], engine=engine).alternatives[0].same_weights is True
    assert compared(same, alternatives=[listed]).alternatives[0].same_weights is None


def test_a_published_rate_is_said():
    assert "published_rate" in kinds(change=lambda m: m.model_copy(update={"origin": "published"}))


def test_a_measurement_of_another_shape_is_said():
    def other(measurement):
        shape = measurement.shape.model_copy(update={"input_tokens": 100, "cached_input_share": 1})
        return measurement.model_copy(update={"shape": shape})

    found = [f for f in compared(change=other).findings if f.kind == "shape_differs"]
    assert "input_tokens 100 for 500, cached_input_share 1 for 0" in found[0].message


@pytest.mark.parametrize(
    ("measured", "severities"),
    [(505, []), (545, ["warn"]), (551, ["invalid"]), (449, ["invalid"])],
)
def test_a_rate_of_lengths_more_than_a_tenth_off_must_not_be_used(measured, severities):
    def other(measurement):
        shape = measurement.shape.model_copy(update={"output_tokens": measured})
        return measurement.model_copy(update={"shape": shape})

    found = [f for f in compared(change=other).findings if f.kind == "shape_differs"]
    assert [f.severity for f in found] == severities


@pytest.mark.parametrize(("asked", "said"), [(0.0, False), (0.3, True)])
def test_a_cached_share_that_the_measurement_does_not_state_is_said_where_one_is_asked(asked, said):
    def unstated(measurement):
        shape = measurement.shape.model_copy(update={"cached_input_share": None})
        return measurement.model_copy(update={"shape": shape})

    traffic = TREE["traffic"] | {"shape": TREE["traffic"]["shape"] | {"cached_input_share": asked}}
    assert ("shape_differs" in kinds(change=unstated, traffic=traffic)) is said


def test_a_dummy_model_makes_it_a_method_demonstration():
    engine = EngineFacts(
        name="vllm", version=None, model="m", model_is_dummy=True, attached=True,
        url="http://127.0.0.1:1", command=None, start_s=None, start_id="0",
    )  # fmt: skip
    found = compared(change=lambda m: m.model_copy(update={"engine": engine})).findings
    assert [f.message for f in found if f.kind == "method_demonstration"] == [
        "method demonstration, not a business case: the measured model is a dummy"
    ]


def test_a_rate_with_an_interval_gives_the_saving_one():
    def with_interval(measurement):
        rates = Rates.model_validate(
            measurement.published_rates.model_dump()
            | {"output_tok_per_s_interval": {"low": 8000, "high": 12500}}
        )
        return measurement.model_copy(update={"published_rates": rates})

    got = compared(change=with_interval)
    saving, interval = got.alternatives[0].saving, got.alternatives[0].saving_interval
    assert 1 - interval.low == pytest.approx((1 - saving) * 10000 / 8000)
    assert 1 - interval.high == pytest.approx((1 - saving) * 10000 / 12500)
    assert got.capacity.interval.high == 12500


def test_hourly_rent_follows_the_profile_and_has_no_break_even_volume():
    """Half the hours at 30 requests/s and half at 10, 10 a replica: 3 and 1 servers, mean 2."""
    profile = [3.0] * 12 + [1.0] * 12
    got = compared(
        hardware={"rent": {"usd_per_hour": 2, "billing": "hourly"}},
        power=None,
        operations={},
        measurement={"published": {"requests_per_s": 10, "source": "s", "date": "2026-10-15"}},
        traffic={
            "shape": TREE["traffic"]["shape"],
            "demand": {"average_requests_per_s": 20, "profile": profile},
        },
    )
    assert got.self_host.usd_per_hour == pytest.approx(4)
    assert got.self_host.servers == 3
    assert got.self_host.utilisation == pytest.approx(1)
    assert got.self_host.usd_per_request == pytest.approx(4 / (20 * 3600))
    rival = got.alternatives[0]
    assert rival.break_even_requests_per_month is None
    assert rival.break_even_requests_per_month_reason == "scales_with_demand"
    assert rival.levelised_saving == pytest.approx(rival.saving)


def test_hourly_rent_without_a_profile_has_the_break_even_volume_of_reserved_rent():
    """No hour needs fewer servers than another, so it is paid around the clock as well."""
    volumes = [
        compared(
            hardware={"rent": {"usd_per_hour": 2, "billing": billing}},
            power=None,
            operations={},
            measurement={"published": {"requests_per_s": 10, "source": "s", "date": "2026-10-15"}},
            traffic={"shape": TREE["traffic"]["shape"], "demand": {"average_requests_per_s": 20}},
        )
        .alternatives[0]
        .break_even_requests_per_month
        for billing in ("hourly", "reserved")
    ]
    assert volumes[0] == volumes[1] > 0


def test_reserved_rent_pays_the_peak_of_the_profile_all_day():
    profile = [3.0] * 12 + [1.0] * 12
    got = compared(
        hardware={"rent": {"usd_per_hour": 2}},
        power=None,
        measurement={"published": {"requests_per_s": 10, "source": "s", "date": "2026-10-15"}},
        traffic={
            "shape": TREE["traffic"]["shape"],
            "demand": {"requests_per_day": 20 * 86400, "profile": profile},
        },
    )
    assert got.self_host.parts_usd_per_hour.rental == pytest.approx(6)
    assert got.self_host.utilisation == pytest.approx(20 / 30)


def test_power_that_the_rental_includes_is_not_called_left_out():
    rented = {"hardware": {"rent": {"usd_per_hour": 2}}, "power": None}
    unpowered = {"hardware": {"rent": {"usd_per_hour": 2, "power_included": False}}, "power": None}
    for changes, named in ((rented, False), (unpowered, True)):
        found = compared(operations={"fte": 0}, **changes).findings
        message = next(each.message for each in found if each.kind == "not_included")
        assert ("power" in message) is named


def test_the_advice_names_only_the_keys_that_are_missing():
    found = compared(operations=FULL | {"fte": 0}).findings
    advice = [each.advice for each in found if each.kind == "purchase_without_running_costs"]
    assert advice == ["state operations.fte"]


def test_a_purchase_that_pays_back_and_then_loses_is_said():
    """The API gets cheaper by 90 % a year, and staff stays: the first year alone pays."""
    bought = {
        "hardware": {"purchase": {"price_usd": 60000, "life_years": 3}},
        "operations": FULL | {"other_usd_per_year": 30000},
        "finance": {"api_price_change_per_year": -0.9},
    }
    assert "pays_back_then_loses" in kinds(**bought)
    (against,) = compared(**bought).alternatives
    assert against.payback_years < 1
    assert against.npv_usd < 0
    assert "pays_back_then_loses" not in kinds(**bought | {"finance": {}})


def test_a_payback_that_discounting_turns_into_a_loss_is_said():
    bought = {
        "hardware": {"purchase": {"price_usd": 250000, "life_years": 3}},
        "finance": {"discount_rate": 0.2},
    }
    (against,) = compared(**bought).alternatives
    assert against.payback_years is not None
    assert against.npv_usd < 0
    assert "pays_back_then_loses" in kinds(**bought)


def test_other_hardware_without_electricity_is_said():
    bare = {"name": "bare", "purchase": {"price_usd": 9000, "life_years": 3}}
    rented = {"name": "rented", "rent": {"usd_per_hour": 1}}
    found = compared(power=None, other_hardware=[bare, rented]).findings
    said = [each for each in found if each.kind == "other_hardware_without_power"]
    assert [each.path for each in said] == ["other_hardware.0"]
    assert "other_hardware_without_power" not in kinds(other_hardware=[bare, rented])
