"""The processes of a session, as its leader's id finds them."""

import os

import psutil


def session_of(leader):
    """Return the running processes of a session."""
    found = []
    for process in psutil.process_iter():
        try:
            running = process.status() != psutil.STATUS_ZOMBIE
            if running and os.getsid(process.pid) == leader:
                found.append(process.pid)
        except (ProcessLookupError, psutil.Error):
            continue
    return found
