"""The engine's processes: of the one we started, or that listens on its port."""

import os

import psutil

from tco.measure.power.engine_processes import engine_processes, is_here


class Handle:
    def __init__(self, url, pid=None, env=None):
        self.url, self.pid = url, pid
        self.facts = type("Facts", (), {"env": env or {}})


def test_an_attached_servers_processes_are_those_that_listen_on_its_port(running_server):
    port = running_server(env={**os.environ, "CUDA_VISIBLE_DEVICES": "3"})
    found = engine_processes(Handle(f"http://127.0.0.1:{port}"))
    ours = {child.pid for child in psutil.Process().children(recursive=True)}
    assert found.pids
    assert found.pids <= ours
    assert found.environ["CUDA_VISIBLE_DEVICES"] == "3"


def test_a_started_engine_has_our_environment_and_its_own_stated_one():
    handle = Handle("http://127.0.0.1:1", os.getpid(), {"A": "theirs"})
    found = engine_processes(handle, {"A": "ours", "B": "ours"})
    assert os.getpid() in found.pids
    assert found.environ == {"A": "theirs", "B": "ours"}


def test_nobody_listening_is_no_process(unused_tcp_port):
    assert engine_processes(Handle(f"http://127.0.0.1:{unused_tcp_port}")).pids == frozenset()


def test_loopback_and_our_own_addresses_are_here_and_no_other():
    assert is_here(Handle("http://localhost:8000"))
    own = [a.address for each in psutil.net_if_addrs().values() for a in each if "." in a.address]
    assert all(is_here(Handle(f"http://{address}:8000")) for address in own)
    assert not is_here(Handle("http://198.51.100.7:8000"))
