"""The files around a search: what may not be overwritten, and the scenario of the best."""

from __future__ import annotations

import shutil
from pathlib import Path

from tco.output_file import check_place
from tco.search_document import Search
from tco.tune.records import TRIALS_NAME, read_record
from tco.tune.search.plan import SearchPlan
from tco.tune.search.record import SEARCH_NAME, write_search
from tco.tune.search.study import JOURNAL_NAME
from tco.tune.tuned_scenario import refuse_existing, tuned_path, write_best


def refuse_finished(folder: Path, scenario: Path, *, force: bool) -> None:
    """Refuse, before any engine starts, what a finished search wrote; an unfinished one goes on.

    Raises:
        InputError: it is finished, or a place cannot hold what is to be written.
    """
    record, tuned = folder / SEARCH_NAME, tuned_path(scenario)
    for place in (record, tuned):
        check_place(place)
    if not force:
        refuse_existing(record, tuned, is_complete=_is_complete, kind="search", again="search")


def _is_complete(record: Path) -> bool:
    return read_record(record, Search, "search").is_complete


def begin_afresh(folder: Path) -> None:
    """Forget an earlier search of the folder."""
    for name in (SEARCH_NAME, JOURNAL_NAME):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / TRIALS_NAME, ignore_errors=True)


def write_searched(search: Search, plan: SearchPlan) -> Search:
    """Write the scenario of the best settings, where they were confirmed; return what names it.

    Raises:
        InputError: it cannot be written.
    """
    if not search.best.sets:
        return search
    path = write_best(
        plan,
        search.best.sets,
        record=plan.folder / SEARCH_NAME,
        said="the best settings that `tco tune --search` confirmed",
        warnings=tuple(each.message for each in search.findings),
    )
    named = search.best.model_copy(update={"scenario_file": str(path)})
    search = search.model_copy(update={"best": named})
    write_search(search, plan.folder)
    return search
