"""No two alternatives, and no two ways, have the same name in what is printed."""

from hypothesis import given
from hypothesis import strategies as st

from tco.scenario import Alternative, OtherHardware, alternative_names, hardware_names
from tco.scenario.names import told_apart

PRICE = {"input": 1, "output": 2}


def named(*alternatives):
    return alternative_names([Alternative.model_validate(each) for each in alternatives])


def test_names_that_differ_stay_as_they_are():
    assert named({"catalog": "a/m"}, {"name": "own", "usd_per_million": PRICE}) == ("a/m", "own")


def test_equal_names_are_followed_by_what_differs():
    assert named({"catalog": "a/m"}, {"catalog": "a/m", "service": "batch"}) == (
        "a/m (standard)",
        "a/m (batch)",
    )
    assert named({"name": "x", "catalog": "a/m"}, {"name": "x", "usd_per_million": PRICE}) == (
        "x (a/m)",
        "x (own price)",
    )


def test_what_differs_in_nothing_named_is_numbered():
    own = {"name": "x", "usd_per_million": PRICE}
    assert named(own, own, {**own, "name": "x #2"}, own) == ("x #1", "x #3", "x #2", "x #4")


def test_other_hardware_is_told_apart_by_how_it_is_paid():
    rents = [{"usd_per_hour": 1}, {"usd_per_hour": 2, "billing": "hourly"}, {"usd_per_hour": 3}]
    others = [OtherHardware.model_validate({"name": "h", "rent": rent}) for rent in rents]
    assert hardware_names(others) == (
        "h (rented, reserved) #1",
        "h (rented, hourly)",
        "h (rented, reserved) #2",
    )


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "a #2", "a (p)"]), st.sampled_from("pq"))))
def test_no_two_are_ever_alike(rows):
    names = told_apart([name for name, _ in rows], [(part,) for _, part in rows])
    assert len(set(names)) == len(rows)
    assert all(full.startswith(name) for full, (name, _) in zip(names, rows, strict=True))
