"""Arrivals on the monotonic clock: the kernel's stamps, a clock that is set, and the bounds."""

import socket
import sys
import time

import numpy as np
import pytest

from tco.measure.client_log import CLOCK_ONLY, ENDS, REQUEST_FIELDS, read_records
from tco.measure.client_writer import ClientWriter

SO_TIMESTAMPNS = 35
S = 1_000_000_000


@pytest.fixture
def pair():
    listening = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(listening.getsockname())
    server, _ = listening.accept()
    client.settimeout(0)
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    yield client, server
    for sock in (client, server, listening):
        sock.close()


def one(folder):
    return read_records(folder).processes[0]


@pytest.mark.skipif(sys.platform != "linux", reason="no kernel stamps elsewhere")
def test_a_read_has_the_time_of_its_arrival_not_of_its_reading(pair, tmp_path):
    client, server = pair
    client.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    log = ClientWriter(tmp_path)
    log.read_clocks()
    since = time.monotonic_ns()
    server.send(b"hello")
    sent = time.monotonic_ns()
    time.sleep(0.05)
    assert log.receive(client, 7) == 5
    assert bytes(log.block[log.start : log.stop]) == b"hello"
    stamp = log.last_stamp_ns()
    log.poll(since, time.monotonic_ns())
    log.read_clocks()
    log.close()
    records = one(tmp_path)
    assert records.read_request.tolist() == [7]
    assert bytes(records.data) == b"hello"
    assert records.is_stamped.all()
    for arrived in (records.read_ns[0], stamp):
        assert since <= arrived
        assert arrived - sent < 25_000_000


def test_without_stamps_a_read_has_the_time_it_was_read(pair, tmp_path):
    client, server = pair
    log = ClientWriter(tmp_path)
    log.read_clocks()
    since = time.monotonic_ns()
    server.send(b"hello")
    time.sleep(0.02)
    log.receive_unstamped(client, 7)
    until = time.monotonic_ns()
    log.poll(since, until)
    log.close()
    records = one(tmp_path)
    assert not records.is_stamped.any()
    assert since + 20_000_000 <= records.read_ns[0] <= until
    assert records.read_since_ns[0] == since


def write(folder, **rows):
    for name in ("requests", "reads", "stamps", "polls", "clock", "late"):
        np.array(rows.get(name, []), dtype=np.int64).tofile(folder / f"{name}.bin")
    (folder / "bytes.bin").write_bytes(b"x" * int(sum(row[1] for row in rows["reads"])))


def test_a_wall_clock_that_is_being_set_is_followed_between_its_readings(tmp_path):
    # The wall clock gains 1 ms in each second on top of an offset of 100 s.
    clock = [(t * S, 100 * S + t * 1_000_000) for t in range(4)]
    arrived = [S // 2, 3 * S // 2, 5 * S // 2]
    wall = [t + 100 * S + t // 1000 for t in arrived]
    write(
        tmp_path, clock=clock, reads=[(0, 3), (1, 4), (2, 5)],
        stamps=[divmod(w, S) for w in wall], polls=[(0, 10 * S, 3)],
    )  # fmt: skip
    assert np.abs(one(tmp_path).read_ns - arrived).max() <= 1000


def test_a_jump_of_the_wall_clock_stays_within_the_bounds_of_the_poll(tmp_path):
    write(
        tmp_path, clock=[(0, 0), (S, 5 * S)], reads=[(0, 1), (1, 1), (2, 1)],
        stamps=[(0, S // 4), (CLOCK_ONLY, S // 2), (6, 0)],
        polls=[(S // 5, S // 3, 1), (S // 3, 3 * S // 4, 2), (3 * S // 4, S, 3)],
    )  # fmt: skip
    got = one(tmp_path).read_ns
    assert S // 5 <= got[0] <= S // 3
    assert got[1] == S // 2
    assert 3 * S // 4 <= got[2] <= S


def test_records_cut_short_are_read_as_far_as_they_go(tmp_path):
    request = [0] * len(REQUEST_FIELDS)
    write(
        tmp_path, clock=[(0, 0)], reads=[(0, 1), (0, 1)], stamps=[(0, 5), (0, 9)], polls=[(1, 6, 1)]
    )
    np.array([*request, 1, 2], dtype=np.int64).tofile(tmp_path / "requests.bin")
    records = one(tmp_path)
    assert len(records.requests) == 1
    assert records.read_ns.tolist() == [5, 9]
    assert ENDS[records.column("end")[0]] == "complete"


def test_blocks_are_written_whole_and_used_again(pair, tmp_path):
    client, server = pair
    log = ClientWriter(tmp_path)
    log.read_clocks()
    sent = bytearray()
    for number in range(60):
        piece = bytes([number]) * 50_000
        server.sendall(piece)
        sent += piece
        time.sleep(0.002)
        read = 0
        while read < len(piece):
            read += log.receive_unstamped(client, number)
        log.poll(0, time.monotonic_ns())
    assert log.total_bytes == len(sent)
    log.close()
    records = one(tmp_path)
    assert bytes(records.data) == sent
    assert records.offsets[-1] == len(sent)
    assert log.failure is None
