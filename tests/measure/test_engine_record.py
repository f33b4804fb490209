from __future__ import annotations

import datetime as dt
import subprocess
import sys

import pytest

from tco.measure.engine_process import START_ID_VARIABLE
from tco.measure.engine_record import (
    EngineRecord,
    end_abandoned,
    end_abandoned_and_kept,
    records,
    records_folder,
    write_record,
)
from tco.measure.process_mark import ProcessMark, process_state, this_process

GONE = ProcessMark(pid=2**22 + 1, started="1")


def record(**more):
    stated = {
        "start_id": "0123456789abcdef",
        "owner": GONE,
        "url": "http://127.0.0.1:1",
        "model": "m",
        "log_path": "log",
        "started_at": dt.datetime(2026, 12, 2, tzinfo=dt.UTC),
    }
    return EngineRecord(**{**stated, **more})


@pytest.fixture
def bystander():
    """A process of a session of its own that no engine of ours started."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
    )
    yield process
    process.kill()
    process.wait()


def test_record_comes_back_as_written():
    written = record(leader=this_process())
    write_record(written)
    assert records() == (written,)


def test_reused_process_number_is_not_taken_for_the_engine(bystander):
    mark = process_state(bystander.pid).mark
    write_record(record(leader=mark.model_copy(update={"started": mark.started + "1"})))
    assert end_abandoned(print) == ()
    assert bystander.poll() is None
    assert records() == ()


def test_session_of_a_gone_leader_is_not_ours_without_our_start_id(bystander):
    # A leader that is gone, and whose number another session's leader has now.
    write_record(record(leader=ProcessMark(pid=bystander.pid, started="1")))
    assert end_abandoned_and_kept(print) == ()
    assert bystander.poll() is None


def test_reused_number_of_the_owner_does_not_keep_an_engine():
    mine = this_process()
    assert record(owner=mine.model_copy(update={"started": "1"})).is_abandoned()
    assert not record(owner=mine).is_abandoned()
    assert not record(owner=None).is_abandoned()


def test_engine_whose_leader_was_never_recorded_is_found_by_its_start_id():
    stray = subprocess.Popen(
        [sys.executable, "-c", "import time; print(flush=True); time.sleep(600)"],
        env={START_ID_VARIABLE: "0123456789abcdef"},
        start_new_session=True,
        stdout=subprocess.PIPE,
    )
    stray.stdout.readline()
    write_record(record())
    assert len(end_abandoned(print)) == 1
    stray.wait(timeout=30)
    stray.stdout.close()


def test_record_from_before_a_restart_is_deleted(bystander):
    write_record(record(boot_id="another", leader=process_state(bystander.pid).mark))
    assert end_abandoned(print) == ()
    assert bystander.poll() is None
    assert list(records_folder().glob("*.json")) == []


def test_record_of_another_machine_is_left_alone(bystander):
    write_record(record(host="another", leader=process_state(bystander.pid).mark))
    assert end_abandoned_and_kept(print) == ()
    assert bystander.poll() is None
    assert len(list(records_folder().glob("*.json"))) == 1


def test_file_that_is_no_record_is_passed_over():
    write_record(record(owner=this_process()))
    records_folder().joinpath("notes.json").write_text("[1")
    assert len(records()) == 1
