"""The grid of settings that a search is judged on: what is measured, and in what order."""

from collections import Counter

from benchmarks import tune_grid
from benchmarks.tune_grid import OWN, configurations, document, grid_of, order


def test_there_are_at_least_24_different_configurations_and_own_is_one():
    cells = configurations()
    assert len({tuple(cell.items()) for cell in cells}) == len(cells) >= 24
    assert cells[0] == OWN


def test_each_round_measures_all_once_in_an_order_of_its_own():
    plan = order(24, 3)
    assert plan == order(24, 3)
    rounds = [[cell for turn, cell in plan if turn == n] for n in range(3)]
    assert [turn for turn, _ in plan] == sorted(turn for turn, _ in plan)
    assert all(Counter(each) == Counter(range(24)) for each in rounds)
    assert len({tuple(each) for each in rounds}) == 3


def test_a_setting_is_an_argument_or_of_the_environment_and_none_is_left_out(tmp_path):
    settings = {"max-num-seqs": 8, "enforce-eager": None, "env.VLLM_CPU_OMP_THREADS_BIND": "0-1"}
    launch = document(settings, tmp_path / "vllm", tmp_path)["engine"]["launch"]
    assert launch["args"]["max-num-seqs"] == 8
    assert "enforce-eager" not in launch["args"]
    assert launch["env"]["VLLM_CPU_OMP_THREADS_BIND"] == "0-1"


def test_an_interrupted_grid_measures_only_what_is_missing(tmp_path, monkeypatch):
    asked = []

    def measured(scenario):
        asked.append(scenario["engine"]["launch"]["args"])
        if len(asked) == 4:
            raise KeyboardInterrupt
        return {"started_at": "", "output_tok_per_s": 5.0, "start_s": 1.0, "run_s": 2.0,
                "load_average_1m": 0.5, "failure": None, "invalid": []}  # fmt: skip

    monkeypatch.setattr(tune_grid, "measured", measured)
    monkeypatch.setattr(tune_grid, "find_vllm", lambda: tmp_path / "bin" / "vllm")
    monkeypatch.setattr(tune_grid, "ensure_tiny_model", lambda *_: tmp_path)
    monkeypatch.setattr(tune_grid, "engine_python", lambda vllm: vllm)
    out = tmp_path / "grid.json"
    monkeypatch.setattr("sys.argv", ["tune_grid", "-o", str(out), "--rounds", "2", "--only", "3"])
    try:
        tune_grid.main()
    except KeyboardInterrupt:
        assert not out.exists()
    tune_grid.main()
    assert len(asked) == 4 + 3
    grid = tune_grid.Grid.model_validate_json(out.read_bytes())
    assert [len(each.runs) for each in grid.configurations] == [2, 2, 2]
    assert grid.engine_s == 2 * 3 * 3.0


def test_a_refused_configuration_keeps_its_reason():
    failed = {"round": 0, "cell": 0, "output_tok_per_s": None, "start_s": 11.0, "run_s": 0.0,
              "failure": "too many sequences", "invalid": []}  # fmt: skip
    (found,) = grid_of([OWN], [failed], 1, "0.32.0").configurations
    assert found.rate is None
    assert found.runs[0].failure == "too many sequences"
