from __future__ import annotations

import os
import signal
import threading

import pytest

from tco.measure.interrupts import held_interrupts


def test_interrupt_waits_until_the_block_is_done():
    done = []

    def block():
        with held_interrupts() as held:
            os.kill(os.getpid(), signal.SIGINT)
            done.append(held.count)

    with pytest.raises(KeyboardInterrupt):
        block()
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with held_interrupts() as held:
            os.kill(os.getpid(), signal.SIGHUP)
        assert held.count == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_other_threads_hold_nothing_and_work():
    counts = []

    def work():
        with held_interrupts() as held:
            counts.append(held.count)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert counts == [0]
