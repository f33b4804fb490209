"""Real result files of other tools, and copies of them with one thing changed."""

import datetime as dt
import json
from pathlib import Path

import pytest

from tco.importers.import_result import import_result

FILES = Path(__file__).resolve().parents[1] / "data" / "imports"
NOW = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)


@pytest.fixture
def imported():
    """Import one of the real files."""
    return lambda name: import_result(FILES / name, created_at=NOW)


@pytest.fixture
def changed(tmp_path):
    """Import a copy of a real file in which `key` (dotted) is another value, or gone (None)."""

    def make(name, **changes):
        tree = json.loads((FILES / name).read_text(encoding="utf-8"))
        for key, value in changes.items():
            *way, last = key.split("__")
            node = tree
            for step in way:
                node = node[int(step) if isinstance(node, list) else step]
            if value is None:
                del node[last]
            else:
                node[int(last) if isinstance(node, list) else last] = value
        path = tmp_path / name
        path.write_text(json.dumps(tree), encoding="utf-8")
        return import_result(path, created_at=NOW)

    return make


@pytest.fixture
def kinds():
    """Return the kinds of a measurement's findings, each with its severity."""
    return lambda measurement: {f.kind: f.severity for f in measurement.all_findings()}
