"""Every load as a row, and the service level limit by limit."""

from tco.report.points import point_tables, service_table


def texts(table):
    return [[cell.text.replace("\u00a0", " ") for cell in row.cells] for row in table.rows]


def test_each_load_has_its_rates_verdict_and_engine_start(searched):
    rates, _ = point_tables(searched)
    rows = texts(rates)
    assert rows[0] == [
        "1 stream", "closed, curve", "0.258", "132", "0.232", "0.1 %", "none", "kept", "start-1",
    ]  # fmt: skip
    assert rows[7][-2:] == ["not kept", "start-1"]
    assert rows[8][:4] == ["19.73 requests/s", "open, capacity", "19.727", "10,100"]
    assert rows[9][6:] == ["0.012", "kept", "start-2-"]
    assert [row.strong for row in rates.rows] == [False] * 8 + [True] * 2
    assert rates.caption == "Loads held, measured by tco"


def test_each_load_has_its_latencies_and_none_where_there_is_no_quantile(searched):
    _, latencies = point_tables(searched)
    heads = [column.title for column in latencies.columns]
    last = dict(zip(heads, texts(latencies)[-1], strict=True))
    assert (last["TTFT p95"], last["TPOT p95"], last["TTFT p99"], last["e2e p50"]) == (
        "420", "33.0", "none", "none",
    )  # fmt: skip


def test_an_overloaded_load_says_so(make_measurement, make_load):
    load = make_load(9000, 9e3, 40)
    queue = load.open_loop.model_copy(update={"is_overloaded": True, "in_flight_slope_per_s": 3.2})
    points = (make_load(8000, 1, 1), load.model_copy(update={"open_loop": queue}))
    rates, _ = point_tables(make_measurement(points=points))
    assert texts(rates)[1][6:8] == ["3.2", "overloaded"]
    points = (make_load(8000, 1, 1).model_copy(update={"open_loop": queue}),) * 2
    rates, _ = point_tables(make_measurement(points=points))
    assert texts(rates)[0][7] == "kept, overloaded"


def test_a_load_of_another_tool_that_says_little_is_shown_with_what_it_has(
    make_measurement, make_point
):
    bare = make_point(
        loop=None, concurrency_asked=None, engine_start_id=None, service_level=None,
        latency=dict.fromkeys(("ttft", "tpot", "itl", "e2e")),
    )  # fmt: skip
    rates, latencies = point_tables(make_measurement(points=(bare, bare), origin="imported"))
    assert texts(rates)[1] == [
        "streams not stated", "not stated", "23.12", "11,840", "none", "0.1 %", "none",
        "none", "not stated",
    ]  # fmt: skip
    assert set(texts(latencies)[0][1:]) == {"none"}
    assert "imported" in rates.caption


def test_a_single_load_needs_no_such_table(measurement):
    assert point_tables(measurement) == ()


def test_each_limit_shows_what_was_seen_at_capacity_and_at_target(searched):
    table = service_table(searched)
    assert [column.title for column in table.columns] == [
        "Limit", "At most", "At capacity", "At target",
    ]  # fmt: skip
    assert texts(table) == [
        ["TTFT p95", "2 s", "1,300 ms, kept", "420 ms, kept"],
        ["TPOT p95", "50 ms", "49.3 ms, kept", "33 ms, kept"],
        ["Whole service level", "", "kept", "kept"],
        ["Requests within it, a second", "", "17.75 (90 % of all)", "14.06 (90 % of all)"],
    ]


def test_a_limit_that_is_broken_or_not_told_says_so(make_measurement, make_load):
    table = service_table(make_measurement(points=(make_load(100, None, 60),)))
    assert [row[2] for row in texts(table)] == [
        "not told: too few requests", "60 ms, not kept", "not kept", "0.1758 (90 % of all)",
    ]  # fmt: skip


def test_without_a_judged_load_there_is_no_such_table(measurement, make_measurement):
    assert service_table(measurement) is None
    assert service_table(make_measurement(points=(), capacity_point=None)) is None
