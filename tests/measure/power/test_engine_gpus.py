"""Which GPUs an engine uses: its processes tell, else CUDA_VISIBLE_DEVICES, else nobody."""

import pytest

from tco.measure.power.engine_gpus import engine_gpus
from tco.measure.power.nvml import Gpu

UUIDS = ("GPU-aa11", "GPU-ab22", "GPU-cc33", "GPU-dd44")


def gpus(*pids, names=("H100",) * 4):
    return [
        Gpu(i, UUIDS[i], names[i], frozenset(pids[i] if i < len(pids) else ()), None)
        for i in range(4)
    ]


def chosen(found, pids=(), **environ):
    picked = engine_gpus(found, frozenset(pids), environ)
    return [gpu.index for gpu in picked.gpus], [finding.kind for finding in picked.findings]


def test_the_engines_own_processes_tell():
    assert chosen(gpus((7,), (), (8,)), (7, 8, 9), CUDA_VISIBLE_DEVICES="3") == ([0, 2], [])


def test_a_gpu_shared_with_others_is_said():
    assert chosen(gpus((7, 99)), (7,)) == ([0], ["gpu_shared"])


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        ("1,2", [1, 2]),
        (" 3 , 0 ", [3, 0]),
        ("GPU-cc33", [2]),
        ("GPU-c,GPU-aa", [2, 0]),
        ("1,-1,2", [1]),
        ("1,9,2", [1]),
    ],
)
def test_visible_devices_tell_where_processes_do_not(visible, expected):
    assert chosen(gpus(), (7,), CUDA_VISIBLE_DEVICES=visible) == (expected, [])


@pytest.mark.parametrize("visible", ["", "GPU-a", "MIG-1234", "-1"])
def test_a_list_that_names_no_gpu_leaves_all_with_a_finding(visible):
    assert chosen(gpus(), CUDA_VISIBLE_DEVICES=visible) == ([0, 1, 2, 3], ["power_of_all_gpus"])


def test_numbers_among_unlike_gpus_tell_only_in_the_order_of_the_bus():
    unlike = gpus(names=("H100", "H100", "L4", "L4"))
    assert chosen(unlike, CUDA_VISIBLE_DEVICES="1") == ([0, 1, 2, 3], ["power_of_all_gpus"])
    environ = {"CUDA_VISIBLE_DEVICES": "1", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    assert chosen(unlike, **environ) == ([1], [])


def test_nobody_telling_measures_all_and_says_so_unless_there_is_but_one():
    assert chosen(gpus((99,)), (7,)) == ([0, 1, 2, 3], ["power_of_all_gpus"])
    assert chosen(gpus()[:1]) == ([0], [])
