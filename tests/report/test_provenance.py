"""Where the rate comes from, as the report prints it."""

from tco.report.provenance import provenance_tables


def cells(tables, caption):
    table = next(each for each in tables if each.caption == caption)
    return [cell.text for row in table.rows for cell in row.cells]


def test_settings_that_are_not_set_are_left_out(make_measurement, measurement):
    settings = {"block_size": "128", "kv_layout": "None", "layers": "[]", "eager": "False"}
    engine = measurement.engine.model_copy(update={"settings": settings})
    tables = provenance_tables(make_measurement(engine=engine))
    assert cells(tables, "Settings the engine resolved") == [
        "block_size",
        "128",
        "eager",
        "False",
    ]


def test_spans_of_time_have_one_decimal(measurement):
    found = cells(provenance_tables(measurement), "Load at capacity")
    assert "20.0 s, 60.0 s, 90.0 s" in found


def test_a_published_rate_has_its_source_and_no_engine(make_measurement):
    from tco.measurement import PublishedFigure, Rates

    rates = Rates(requests_per_s=1, input_tok_per_s=2, output_tok_per_s=3, total_tok_per_s=5)
    published = make_measurement(
        origin="published",
        points=(),
        capacity_point=None,
        engine=None,
        published_rates=rates,
        published=PublishedFigure(source="a paper", date="2026-10-15"),
    )
    tables = provenance_tables(published)
    assert {"a paper", "2026-10-15", "none: no engine was run"} <= set(cells(tables, "Origin"))


def test_both_lags_of_the_client_stand_where_a_finding_may_name_them(make_measurement, measurement):
    point = measurement.points[0]
    late = point.client.model_copy(update={"stamp_lag_p50_ms": 0.25, "stamp_lag_p99_ms": 933.5})
    points = (point.model_copy(update={"client": late}),)
    found = cells(provenance_tables(make_measurement(points=points)), "Health of the load client")
    lags = found[found.index("Lag of its time stamps, p50 and p99") + 1]
    assert "933" in lags


def test_only_what_was_run_has_a_time_of_its_record(make_measurement, measurement):
    from tco.measurement import PublishedFigure, Rates

    assert "Recorded" in cells(provenance_tables(measurement), "Origin")
    published = make_measurement(
        origin="published",
        points=(),
        capacity_point=None,
        engine=None,
        published_rates=Rates(
            requests_per_s=1, input_tok_per_s=2, output_tok_per_s=3, total_tok_per_s=5
        ),
        published=PublishedFigure(source="a paper", date="2026-10-15"),
    )
    found = cells(provenance_tables(published), "Origin")
    assert "Recorded" not in found
    assert "2026-10-15" in found
    assert not any("UTC" in each for each in found)
