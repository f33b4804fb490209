"""CPU of a tree of processes."""

import subprocess
import sys

import pytest

from benchmarks.tree_cpu import tree_cpu_s

BURN = "import time\nwhile time.process_time() < 0.3: pass\n"
PARENT = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {BURN!r}])
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def parent():
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    yield process
    process.communicate()


def test_what_an_ended_grandchild_used_is_counted(parent):
    assert parent.stdout.readline() == b"ready\n"
    spent = tree_cpu_s(set()) - tree_cpu_s({parent.pid})
    assert spent >= 0.28


def test_it_stays_counted_when_the_child_has_ended():
    before = tree_cpu_s(set())
    subprocess.run([sys.executable, "-c", PARENT], input=b"", capture_output=True, check=True)
    assert tree_cpu_s(set()) - before >= 0.28
