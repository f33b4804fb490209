"""Job latencies as the report prints them."""

from tco.report.sessions import sessions_table


def test_a_job_has_its_latency_with_and_without_waits(make_measurement, make_point, make_quantiles):
    seen = {
        "concurrent_asked": 32,
        "completed": 140,
        "requests_mean": 6.25,
        "job": make_quantiles(40_000.0),
        "busy": None,
    }
    table = sessions_table(make_measurement(points=(make_point(sessions=seen),)))
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        [
            "32 at once, at capacity: whole job", "140", "6.25", "40.00", "36.00", "60.00",
            "72.00", "none", "160.00",
        ],
        ["32 at once, at capacity: without waits", "140", "6.25", *["none"] * 6],
    ]  # fmt: skip
    assert "measured by tco" in table.caption


def test_without_sessions_there_is_no_table(measurement):
    assert sessions_table(measurement) is None
