"""What vouches for the chosen loads."""

from tco.report.load_checks import check_tables


def lines(measurement, caption):
    table = next(each for each in check_tables(measurement) if each.caption == caption)
    return {row.cells[0].text: [cell.text for cell in row.cells[1:]] for row in table.rows}


def test_all_that_the_client_says_of_itself_is_shown(make_measurement, measurement):
    point = measurement.points[0]
    seen = {
        "wake_lag_p50_ms": 0.05,
        "wake_lag_p99_ms": 1.25,
        "cpu_wait_share": 0.41,
        "cpu_stolen_share": 0.0,
    }
    client = point.client.model_copy(update=seen)
    points = (point.model_copy(update={"client": client}),)
    found = lines(make_measurement(points=points), "Health of the load client")
    assert found["Lag of its wake-ups, p50 and p99"] == ["0.05 ms, 1.25 ms"]
    assert found["Without a core: waiting, throttled, stolen"] == [
        "41\u00a0%, not reported, 0\u00a0%"
    ]
