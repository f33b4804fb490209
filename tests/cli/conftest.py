"""What a command changes in our own process is put back."""

import signal

import pytest


@pytest.fixture(autouse=True)
def _keep_signals():
    before = {signum: signal.getsignal(signum) for signum in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for signum, handler in before.items():
        signal.signal(signum, handler)
