import numpy as np

from tco.workload import Workload, plain_workload


def session_of_three():
    return Workload(
        at_s=np.array([0.0, np.nan, np.nan, 1.0]),
        session=np.array([7, 7, 7, 8]),
        wait_s=np.array([0.0, 2.0, 3.0, 0.0]),
        fresh_tokens=np.array([10, 5, 6, 20]),
        output_tokens=np.array([4, 3, 2, 1]),
        block_offsets=np.array([0, 1, 1, 1, 3]),
        block_id=np.array([-1, -1, 4]),
        block_tokens=np.array([100, 100, 50]),
    )


def test_a_turn_carries_all_of_its_session_before_it():
    workload = session_of_three()
    assert workload.own_tokens().tolist() == [110, 5, 6, 170]
    assert workload.context_tokens().tolist() == [0, 114, 122, 0]
    assert workload.input_tokens().tolist() == [110, 119, 128, 170]
    assert workload.is_first_turn().tolist() == [True, False, False, True]


def test_a_workload_reads_back_as_it_was_written(tmp_path):
    workload = session_of_three()
    workload.save(tmp_path / "w.npz")
    again = Workload.load(tmp_path / "w.npz")
    assert again.input_tokens().tolist() == workload.input_tokens().tolist()
    assert np.isnan(again.at_s[1])
    assert again.block_id.tolist() == [-1, -1, 4]


def test_plain_requests_share_only_the_prefix_they_are_asked_to():
    workload = plain_workload(np.array([100, 60, 30]), np.array([5, 6, 7]), shared_tokens=40)
    assert workload.input_tokens().tolist() == [100, 60, 30]
    assert workload.fresh_tokens.tolist() == [60, 20, 0]
    assert set(workload.block_id.tolist()) == {-1}
    assert np.isnan(workload.at_s).all()


def test_plain_requests_without_a_prefix_have_no_blocks():
    workload = plain_workload(np.array([3, 4]), np.array([5, 6]), at_s=np.array([0.0, 0.5]))
    assert workload.block_offsets.tolist() == [0, 0, 0]
    assert workload.input_tokens().tolist() == [3, 4]
    assert len(workload) == 2


def test_an_empty_workload_has_no_rows():
    none = np.empty(0, dtype=np.int64)
    workload = plain_workload(none, none)
    assert len(workload) == 0
    assert workload.input_tokens().tolist() == []


def test_sessions_are_taken_whole_and_in_any_order():
    taken = session_of_three().taken(np.array([1, 0]), np.array([0, 0]))
    assert taken.session.tolist() == [0, 1, 1, 1]
    assert taken.fresh_tokens.tolist() == [20, 10, 5, 6]
    assert taken.block_offsets.tolist() == [0, 2, 3, 3, 3]
    assert taken.block_id.tolist() == [-1, 4, -1]
    assert taken.input_tokens().tolist() == [170, 110, 119, 128]


def test_a_session_taken_in_another_lap_shares_only_the_blocks_below_0():
    taken = session_of_three().taken(np.array([1, 1]), np.array([0, 2]))
    assert taken.block_id.tolist() == [-1, 4, -1, 14]


def test_a_row_whose_part_of_the_prefix_is_nothing_has_no_block():
    workload = plain_workload(np.array([5, 6]), np.array([1, 1]), shared_tokens=np.array([0, 2]))
    assert workload.block_offsets.tolist() == [0, 0, 1]
    assert workload.input_tokens().tolist() == [5, 6]
