"""The files around a search: what may not be overwritten, and the scenario of the best."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path

from tco.output_file import check_place
from tco.search_document import Search
from tco.tune.records import TRIALS_NAME, read_record
from tco.tune.search.plan import SearchPlan
from tco.tune.search.record import SEARCH_NAME, write_search
from tco.tune.search.study import JOURNAL_NAME
from tco.tune.tune_findings import OF_QUALITY
from tco.tune.tuned_scenario import refuse_existing, tuned_path, write_best


def refuse_finished(
    folder: Path, scenario: Path, *, force: bool, allowed: Collection[str] = ()
) -> None:
    """Refuse, before any engine starts, what a finished search wrote; an unfinished one goes on.

    So does one whose best was not used for answers that are now allowed to be worse.

    Raises:
        InputError: it is finished, or a place cannot hold what is to be written.
    """
    record, tuned = folder / SEARCH_NAME, tuned_path(scenario)
    for place in (record, tuned):
        check_place(place)
    if not force:
        refuse_existing(
            record,
            tuned,
            is_complete=lambda path: _is_complete(read_record(path, Search, "search"), allowed),
            kind="search",
            again="search",
            shown_by=f"; `tco report {record}` shows this one",
        )


def _is_complete(search: Search, allowed: Collection[str]) -> bool:
    tried = (search.blocked, search.confirmation)
    blocked = next((each for each in tried if each is not None and each.is_blocked), None)
    return search.is_complete and (blocked is None or not set(blocked.numerics) <= set(allowed))


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
        warnings=tuple(each.message for each in search.findings if each.kind in OF_QUALITY),
    )
    named = search.best.model_copy(update={"scenario_file": str(path)})
    search = search.model_copy(update={"best": named})
    write_search(search, plan.folder)
    return search
