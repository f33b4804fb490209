"""What a search came to, as a sentence, with what is missing said."""

from __future__ import annotations

from tco.measurement import Interval
from tco.report.numbers import NBSP, several, signed_percent
from tco.report.search_fields import COST, field_name, field_value
from tco.report.text import plain
from tco.search_document import Confirmation, Search, SearchTrial
from tco.tuning import TuneQuality

_STAY = "the scenario's own settings stay"


def search_headline(search: Search) -> str:
    """Return the result of a search, confirmed or not, and what is not used for its answers."""
    found = search.confirmation
    if found is None:
        return _unconfirmed(search)
    said = _by_turns(search, found)
    if search.blocked is None:
        return said
    names = plain(", ".join(search.blocked.numerics))
    why = _drop(search.blocked.quality)
    return f"{said} The best found is not used: with {names} changed, {why}."


def _by_turns(search: Search, found: Confirmation) -> str:
    if found.decision == "kept":
        return f"Better settings were found, and confirmed: {_gain(search, found)}."
    if found.is_blocked:
        names = plain(", ".join(found.numerics))
        return (
            f"Better settings were found: {_gain(search, found)}. With {names} changed, "
            f"{_drop(found.quality)}: {_STAY}."
        )
    if found.repeats == 0:
        return f"Nothing better was found: {_STAY}."
    if found.decision == "reverted":
        worse = f": {_gain(search, found)}" if found.ratio is not None else ""
        said = "were worse" if found.why == "worse" else "were not shown to be better"
        if found.why not in {"worse", "no gain shown"}:
            said = f"were not confirmed ({plain(found.why)})"
        return f"The best settings found {said} when measured by turns{worse}; {_STAY}."
    why = plain(found.why)
    return f"Whether the best settings found are better is undecided ({why}); {_STAY}."


def _drop(quality: TuneQuality | None) -> str:
    why = "" if quality is None else f" ({plain(quality.why)})"
    return f"the answers are not as good{why}"


def trial_of(search: Search, number: int | None) -> SearchTrial | None:
    """Return a trial by its number."""
    return next((trial for trial in search.trials if trial.number == number), None)


def best_single(search: Search) -> SearchTrial | None:
    """Return the full, valid trial of best objective, the confirmation left out."""
    good = [
        trial
        for trial in search.trials
        if trial.rung == "full" and trial.objective is not None
        and not trial.failure and not trial.invalid and trial.purpose != "confirm"
    ]  # fmt: skip
    sign = 1 if search.aim == "minimise" else -1
    return min(
        good, key=lambda trial: (sign * (trial.objective or 0.0), trial.number), default=None
    )


def ratio_words(search: Search, ratio: float) -> str:
    """Return how much the objective changes: `−25.0 %` of a cost that is 1/1.333 of what it was."""
    change = 1 / ratio - 1 if _is_made_low(search) else ratio - 1
    return signed_percent(change)


def interval_words(search: Search, held: Interval) -> str:
    """Return the interval of that change, the lower end first."""
    ends = [held.high, held.low] if _is_made_low(search) else [held.low, held.high]
    low, high = (ratio_words(search, end) for end in ends)
    return f"{low} to {high}"


def objective_words(search: Search) -> str:
    """Return what the ratio is of: a saving counts by what is left to pay."""
    return "what is left to pay" if search.objective == "saving" else field_name(search.objective)


def _is_made_low(search: Search) -> bool:
    return search.aim == "minimise" or search.objective == "saving"


def _gain(search: Search, found: Confirmation) -> str:
    if found.ratio is None:
        return plain(found.why)
    words = f"{objective_words(search)} {ratio_words(search, found.ratio)}"
    if found.interval is not None:
        words += f" (95{NBSP}% interval {interval_words(search, found.interval)})"
    own, best = (trial_of(search, number) for number in (found.own_trial, found.best_trial))
    shown = dict.fromkeys((search.objective, COST, "saving"))
    parts = [_after(search, field, own, best) for field in shown]
    return "; ".join([words, *filter(None, parts)])


def _after(search: Search, field: str, own: SearchTrial | None, best: SearchTrial | None) -> str:
    """Return `saving 34 % after 20 %`; nothing where either has none."""
    if own is None or best is None or not {field} <= own.figures.keys() & best.figures.keys():
        return ""
    before, now = (field_value(field, trial.figures[field]) for trial in (own, best))
    name = {search.objective: "", "saving": "saving "}.get(field, f"{field_name(field)} ")
    return f"{name}{now} after {before}"


def _unconfirmed(search: Search) -> str:
    tried = several(len(search.trials), "trial")
    best = best_single(search)
    if not search.trials:
        return "Nothing was measured yet."
    if all(trial.failure for trial in search.trials):
        return f"Every trial failed, {tried} in all: {_STAY}."
    if best is None:
        return f"None of {tried} is valid and whole: nothing can be said of the best settings."
    value = field_value(search.objective, best.objective or 0.0)
    whose = ", the scenario's own settings" if best.settings == search.own else ""
    return (
        f"After {tried} the best so far is trial {best.number}{whose}, "
        f"{field_name(search.objective)} {value}: not confirmed."
    )
