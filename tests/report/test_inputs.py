"""Every value of the scenario, with its unit, range and source."""

from tco.report.inputs import default_words, inputs_table, is_share, stated_table, unit_of


def rows(scenario):
    return {
        line.cells[0].text: [cell.text for cell in line.cells[1:]]
        for line in inputs_table(scenario).rows
    }


def test_a_value_has_its_unit_range_and_source(scenario):
    found = rows(scenario)
    assert found["traffic.target_utilisation"] == [
        "60\u00a0%",
        "40\u00a0% to 80\u00a0%",
        "plan 2027",
    ]
    assert found["hardware.purchase.price_usd"][0] == "96,995.99 USD"
    assert found["alternatives.0.usd_per_million.input"][0] == "0.10 USD per million tokens"


def test_ranges_have_a_column_only_when_a_value_has_one(scenario, make_scenario):
    shape = {"shape": {"input_tokens": 512, "output_tokens": 512}}
    without = inputs_table(make_scenario(traffic=shape))
    assert [column.title for column in without.columns] == ["Key", "Value", "Source"]
    assert {len(line.cells) for line in without.rows} == {3}
    assert [column.title for column in inputs_table(scenario).columns][2] == "Range"


def test_a_default_is_marked(scenario):
    assert rows(scenario)["finance.discount_rate"] == ["8\u00a0%", "", "default"]


def test_a_secret_in_the_environment_is_not_printed(scenario):
    found = rows(scenario)
    assert found["engine.launch.env.OMP_NUM_THREADS"][0] == "1"
    assert "swordfish" not in str(found)


def test_units_come_from_the_end_of_a_key():
    assert unit_of("power.usd_per_kwh") == "USD per kWh"
    assert unit_of("operations.hosting_usd_per_month") == "USD per month"
    assert not is_share("operations.other_usd_per_year")
    assert is_share("operations.growth_per_year")


def test_what_is_stated_and_what_is_left_at_its_default_are_together_every_value(scenario):
    every, stated = inputs_table(scenario).rows, stated_table(scenario).rows
    words = default_words(scenario)
    assert 0 < len(stated) < len(every)
    assert not any(line.cells[-1].text == "default" for line in stated)
    for line in every:
        if line not in stated:
            assert f"{line.cells[0].text} {line.cells[1].text}" in words
