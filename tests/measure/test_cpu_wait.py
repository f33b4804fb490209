"""What kept a process from its cores, from the files of either kind of control group."""

import pytest

from tco.measure.cpu_wait import CpuWait, cpu_wait


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


PROC = {
    "proc/self/schedstat": "1663708 2500000000 24\n",
    "proc/stat": "cpu  950297 89102 163630 1680746 6480 0 10051 18314 0 0\ncpu0 1 2\n",
}


def test_the_new_control_groups_count_microseconds_and_a_parents_quota_counts(tmp_path):
    write(tmp_path, PROC)
    write(tmp_path, {"proc/self/cgroup": "0::/pod/box\n"})
    write(tmp_path, {"sys/fs/cgroup/cpu.stat": "usage_usec 5\n"})
    write(tmp_path, {"sys/fs/cgroup/pod/cpu.stat": "usage_usec 5\nthrottled_usec 1500000\n"})
    write(tmp_path, {"sys/fs/cgroup/pod/box/cpu.stat": "usage_usec 5\nthrottled_usec 20\n"})
    got = cpu_wait(tmp_path)
    assert (got.waited_s, got.throttled_s) == (2.5, 1.5)
    assert got.stolen_s == pytest.approx(183.14)


def test_the_old_control_groups_count_nanoseconds(tmp_path):
    write(tmp_path, {"proc/self/cgroup": "9:name=systemd:/\n2:cpuacct:/\n1:cpu,cpuacct:/a\n0::/\n"})
    stat = "nr_periods 3\nthrottled_time 7000000\n"
    write(tmp_path, {"sys/fs/cgroup/cpu,cpuacct/a/cpu.stat": stat})
    assert cpu_wait(tmp_path) == CpuWait(throttled_s=0.007)


def test_where_nothing_is_counted_nothing_is_known(tmp_path):
    assert cpu_wait(tmp_path) == CpuWait()
