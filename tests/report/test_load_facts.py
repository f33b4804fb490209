"""The chosen loads in full, side by side."""

from tco.report.load_checks import check_tables
from tco.report.load_facts import load_tables


def by_caption(measurement):
    return {
        table.caption: table for table in (*load_tables(measurement), *check_tables(measurement))
    }


def lines(table):
    return {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in table.rows}


def test_capacity_and_target_stand_side_by_side(searched):
    load = by_caption(searched)["Load at capacity and target"]
    assert [column.title for column in load.columns] == ["Fact", "At capacity", "At target"]
    found = lines(load)
    assert found["Load"] == ["19.73 requests/s", "15.62 requests/s"]
    assert found["Streams asked, in flight"] == ["none, not reported"] * 2
    assert found["Engine start"] == ["start-1", "start-2-of-another-day"]
    assert found["Load, offered by capacity"] == ["80\u00a0%", "80\u00a0%"]
    assert (
        found["Growth of requests in flight, a second"]
        == ["0.012, −0.01 to 0.034: not overloaded"] * 2
    )


def test_each_chosen_load_has_its_own_latencies_and_counts(searched):
    tables = by_caption(searched)
    assert "Latency at capacity, of requests in the window" in tables
    assert "Latency at target, of requests in the window" in tables
    counts = lines(tables["The same tokens counted three ways"])
    assert counts["Output, at target"] == ["1,228,800", "1,228,800", "not reported"]
    assert lines(tables["Failures"])["http_503"] == ["2", "2"]


def test_a_closed_loop_alone_has_no_rows_of_arrivals(measurement):
    found = lines(by_caption(measurement)["Load at capacity"])
    assert found["Load"] == ["256 streams"]
    assert "Arrivals a second, offered and sent" not in found


def test_a_load_of_another_tool_has_no_table_of_what_that_tool_does_not_say(
    make_measurement, make_point
):
    bare = make_point(tokens=None, client=None, whole_run_rates=None, loop=None, seed=None)
    tables = by_caption(make_measurement(points=(bare,), origin="imported"))
    assert set(tables) == {
        "Load at capacity", "Latency at capacity, of requests in the window", "Failures",
    }  # fmt: skip
    assert lines(tables["Load at capacity"])["Loop"] == ["not reported"]


def test_a_rate_without_loads_has_no_tables(make_measurement):
    bare = make_measurement(points=(), capacity_point=None)
    assert (load_tables(bare), check_tables(bare)) == ((), ())
