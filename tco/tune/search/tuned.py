"""The files around a search: what may not be overwritten, and the scenario of the best."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from pydantic import ValidationError

from tco.errors import InputError
from tco.output_file import check_place, write_whole
from tco.override import parse_override
from tco.scenario_rewrite import rewritten
from tco.search_document import Search
from tco.tune.records import TRIALS_NAME
from tco.tune.search.plan import SearchPlan
from tco.tune.search.record import SEARCH_NAME, write_search
from tco.tune.search.study import JOURNAL_NAME
from tco.tune.tuned_scenario import tuned_origin, tuned_path
from tco.yamlfile import read_yaml


def refuse_finished(folder: Path, scenario: Path, *, force: bool) -> None:
    """Refuse, before any engine starts, what a finished search wrote; an unfinished one goes on.

    Raises:
        InputError: it is finished, or a place cannot hold what is to be written.
    """
    record, tuned = folder / SEARCH_NAME, tuned_path(scenario)
    for place in (record, tuned):
        check_place(place)
    if force:
        return
    if tuned.exists() and not record.is_file():
        raise InputError(
            "exists already, and the best settings would be written there",
            file=str(tuned),
            remedy="move it away, or give --force to overwrite it",
        )
    if record.is_file():
        try:
            is_complete = Search.model_validate_json(record.read_bytes()).is_complete
        except ValidationError as error:
            raise InputError(
                "is not the record of a search",
                file=str(record),
                remedy="begin afresh with --force, or name another folder with -o",
            ) from error
        if is_complete:
            raise InputError(
                "the search exists already",
                file=str(record),
                remedy="give --force to search anew, or another folder with -o",
            )


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
    path = tuned_path(plan.base.path)
    name = f"name={json.dumps(f'{search.name}, tuned', ensure_ascii=False)}"
    best = plan.scenario(search.best.sets).scenario
    origin = tuned_origin(best, plan.folder / SEARCH_NAME, path)
    overrides = [parse_override(each) for each in (*plan.sets, *search.best.sets, name, origin)]
    text = plan.base.path.read_text(encoding="utf-8-sig")
    head = f"# {plan.base.path.name} with the best settings that `tco tune --search` confirmed\n"
    warned = "# Whether the answers are as good was not checked.\n" if search.findings else ""
    write_whole(path, head + warned + rewritten(read_yaml(plan.base.path), text, overrides))
    named = search.best.model_copy(update={"scenario_file": str(path)})
    search = search.model_copy(update={"best": named})
    write_search(search, plan.folder)
    return search
