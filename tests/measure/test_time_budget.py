"""How many points the time lasts for, by what points took."""

from tco.measure.time_budget import TimeBudget


def test_points_cost_what_the_longest_of_the_last_three_did():
    budget = TimeBudget(600, window_s=60)
    budget.spend(80, 60)
    budget.spend(100, 60)
    assert budget.left_s == 420
    assert budget.point_s() == 100
    assert budget.points() == 4
    assert budget.points(reserved_s=100) == 3


def test_a_long_overhead_is_forgotten_after_three_points():
    budget = TimeBudget(6000, window_s=60)
    budget.spend(1000, 60)
    for _ in range(3):
        budget.spend(70, 60)
    assert budget.point_s() == 70


def test_time_that_is_used_up_is_not_negative():
    budget = TimeBudget(60, window_s=20)
    budget.spend(100, 20)
    assert (budget.left_s, budget.points()) == (0.0, 0)
