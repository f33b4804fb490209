"""`tco tune --search`, end to end, on an engine of known pace; two workers, one of them killed."""

import json
import time

import pytest
from paced_scenario import start_tco, write_paced

pytestmark = pytest.mark.slow
SPACE = """
schema: tco.space/1
name: mine
args:
  gap-s: {kind: choice, settings: [0.02, 0.04, 0.08], numerics: true}
  warp: {kind: bool}
  refuse-to-start: {kind: bool}
"""


def start(folder, *words):
    search = ("tune", "s.yaml", "--search", "space.yaml", "-o", "t", "--json")
    return start_tco(folder, *search, *words)


@pytest.fixture
def folder(tmp_path):
    write_paced(tmp_path / "s.yaml", args={"gap-s": 0.08})
    (tmp_path / "space.yaml").write_text(SPACE, encoding="utf-8")
    return tmp_path


def test_two_workers_run_no_trial_twice_and_one_that_is_killed_gives_its_trial_back(folder):
    first = start(folder, "--worker", "a", "--repeats", "1")
    try:
        while "trial" not in (line := first.stderr.readline()):
            assert line, "it ended without a trial"
        second = start(folder, "--worker", "b", "--repeats", "1")
        time.sleep(2)
    finally:
        first.kill()
        first.communicate()
    out, said = second.communicate(timeout=150)
    assert second.returncode == 0, said
    found = json.loads(out)
    assert found["is_complete"], found["stopped"]
    assert found["skipped"] == {"warp": "this engine takes no --warp"}
    trials = [t for t in found["trials"] if t["purpose"] not in {"confirm", "repeat"}]
    keys = [json.dumps(trial["settings"], sort_keys=True) for trial in trials]
    assert len(keys) == len(set(keys)) == 6
    assert sum(bool(trial["failure"]) for trial in trials) == 3
    # Each side is asked once; this engine tells nothing.
    assert found["confirmation"]["numerics"] == ["gap-s"]
    assert "tells no log-probabilities" in found["confirmation"]["quality"]["why"]
    asked = [trial["quality"] for trial in found["trials"] if trial["quality"]]
    assert len(asked) == 2
    assert all((folder / "t" / file).is_file() for file in asked)
    # One start a side decides nothing, whatever it shows.
    assert found["confirmation"]["decision"] in {"undecided", "reverted"}
    assert not (folder / "s-tuned.yaml").exists()
    written = ("search.pdf", "search.html", "search.md", "best.sh", "compose.yaml")
    for name in (*written, "kubernetes-patch.yaml"):
        assert f"written: t/{name}" in said
        assert (folder / "t" / name).stat().st_size > 0
    assert "this engine takes no --warp" in (folder / "t" / "search.md").read_text("utf-8")
    again = start(folder)
    assert "the search exists already" in "".join(again.communicate())
    assert again.returncode == 2
