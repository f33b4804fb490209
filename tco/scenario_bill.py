"""A scenario whose traffic is a bill: shape, demand and today's spend are filled in from it.

As with a trace, that is done when the scenario is read, so that all that costs a request reads
the same keys. What the bill tells can be neither stated nor varied beside it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tco.bill import Bill, BillFacts, load_bill
from tco.bill.usage import bill_facts
from tco.finding import Finding
from tco.override import Override
from tco.quantity import shown
from tco.scenario import BillSource
from tco.scenario.bill import as_bill
from tco.traffic.error import TrafficError
from tco.yamlfile import YamlDocument, refuse
from tco.yamltree import Loc

BILL_NAME = "today's bill"
_AT: Loc = ("traffic", "bill")
# What a bill tells; a peak above the mean hour's may be stated, and so may what it is for.
_SHAPE = ("input_tokens", "output_tokens", "trace", "session", "mix")
_DEMAND = (
    "requests_per_day", "average_requests_per_s", "average_output_tok_per_s", "profile",
    "peak_output_tok_per_s", "trace",
)  # fmt: skip
_CACHED = "cached_input_share"
_ANY = {"input_tokens": 1, "output_tokens": 1}

Tree = dict[str, Any]


def with_bill(tree: Tree, document: YamlDocument, overrides: Sequence[Override]) -> Tree:
    """Return the scenario's tree with shape, demand and spend of its bill filled in.

    Args:
        tree: the document's tree.
        document: knows where keys stand, and the folder that files are relative to.
        overrides: a bill that one of them sets takes the place of stated traffic.

    Raises:
        InputError: traffic beside a bill, or a bill that does not tell what is needed.
    """
    _refuse_marks(tree, document)
    traffic = tree.get("traffic")
    if not isinstance(traffic, dict) or traffic.get("bill") is None:
        return tree
    traffic = stated_traffic(traffic, overrides)
    raw = as_bill(traffic["bill"])
    try:
        source = BillSource.model_validate(raw, context={"folder": document.path.parent})
    except ValidationError:
        source = None
    if source is None or not isinstance(raw, dict):
        return {**tree, "traffic": {"bill": raw, "shape": _ANY}}
    _refuse_beside(traffic, document)
    bill, facts = _read(source, document)
    facts = _with_peak_finding(facts, _stated(traffic, "demand"))
    found = {**raw, "sha256": sorted(file.sha256 for file in bill.files), "found": facts}
    filled = {
        **traffic,
        "bill": found,
        "shape": _shape(facts, _stated(traffic, "shape"), document),
        "demand": _demand(facts, _stated(traffic, "demand")),
    }
    return {**tree, "traffic": filled, "alternatives": _alternatives(tree, facts, source)}


def _stated(traffic: Mapping[str, Any], key: str) -> Tree:
    below = traffic.get(key)
    return below if isinstance(below, dict) else {}


def _refuse_marks(tree: Tree, document: YamlDocument) -> None:
    """Refuse what only a bill that is read may set."""
    listed = tree.get("alternatives")
    for index, each in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(each, dict) and "is_bill" in each:
            at = ("alternatives", index, "is_bill")
            refuse(document, at, "`is_bill` is set by traffic.bill", "leave it out")
    traffic = tree.get("traffic")
    bill = traffic.get("bill") if isinstance(traffic, dict) else None
    if isinstance(bill, dict) and "found" in bill:
        refuse(document, (*_AT, "found"), "`found` is found in the files", "leave it out")


def stated_traffic(traffic: Tree, overrides: Sequence[Override]) -> Tree:
    """Return traffic as its file and `--set` state it together: without the file's beside a bill.

    A bill that `--set` gives takes the place of the traffic that the file states.
    """
    if not any(one.loc in (_AT, (*_AT, "files")) for one in overrides):
        return traffic
    set_keys = {one.loc[1:3] for one in overrides if one.loc[:1] == ("traffic",)}
    kept = {
        part: {
            key: value
            for key, value in _stated(traffic, part).items()
            if (part, key) in set_keys or (part,) in set_keys or key not in (*told, _CACHED)
        }
        for part, told in (("shape", _SHAPE), ("demand", _DEMAND))
    }
    rest = {
        key: value
        for key, value in traffic.items()
        if key not in ("shape", "demand") and (key != "target_utilisation" or (key,) in set_keys)
    }
    return {**rest, **{part: below for part, below in kept.items() if below}}


def _refuse_beside(traffic: Tree, document: YamlDocument) -> None:
    beside: list[Loc] = [("shape", key) for key in _SHAPE if key in _stated(traffic, "shape")]
    beside += [("demand", key) for key in _DEMAND if key in _stated(traffic, "demand")]
    if traffic.get("target_utilisation") is not None:
        beside.append(("target_utilisation",))
    for path in beside:
        refuse(
            document,
            ("traffic", *path),
            f"`bill` and `{path[-1]}` exclude each other: the bill has its own",
            "drop one of them; what a bill tells can be neither set nor varied",
        )


def _read(source: BillSource, document: YamlDocument) -> tuple[Bill, BillFacts]:
    bill = _loaded(source, document)
    hashes = sorted(file.sha256 for file in bill.files)
    if source.sha256 is not None and sorted(source.sha256) != hashes:
        refuse(
            document,
            (*_AT, "sha256"),
            f"the files are not the ones stated: their SHA-256 are {', '.join(hashes)}",
            "leave sha256 out, or give the files it is of",
        )
    per_day = source.requests_per_day
    try:
        facts = bill_facts(
            bill,
            models=source.model or (),
            first=source.from_,
            last=source.to,
            requests_per_day=None if per_day is None else per_day.value,
        )
    except TrafficError as fault:
        loc = _AT if fault.key is None else (*_AT, fault.key)
        refuse(document, loc, f"the bill {fault.message}", fault.remedy)
    return bill, facts


def _loaded(source: BillSource, document: YamlDocument) -> Bill:
    stamps = []
    for path, name in zip(source.paths(), source.files, strict=True):
        try:
            at = path.stat()
        except (OSError, ValueError):
            refuse(
                document,
                (*_AT, "files"),
                f"the bill {shown(name)} cannot be found",
                f"name it relative to the scenario's folder, {document.path.parent}",
            )
        stamps.append((at.st_mtime_ns, at.st_size))
    return _bill(source.paths(), tuple(stamps))


@lru_cache(maxsize=8)
def _bill(paths: tuple[Path, ...], stamps: tuple[tuple[int, int], ...]) -> Bill:
    """Read files once, however many points of a sweep ask for them."""
    del stamps
    return load_bill(paths)


def _shape(facts: BillFacts, stated: Tree, document: YamlDocument) -> Tree:
    means: Tree = {
        "input_tokens": _quantity(facts.input_tokens / facts.requests),
        "output_tokens": _quantity(facts.output_tokens / facts.requests),
    }
    if facts.cached_tokens is not None:
        if _CACHED in stated:
            refuse(
                document,
                ("traffic", "shape", _CACHED),
                f"`bill` and `{_CACHED}` exclude each other: the bill has its own",
                "drop one of them; what a bill tells can be neither set nor varied",
            )
        means[_CACHED] = _quantity(facts.cached_tokens / facts.input_tokens)
    return {**stated, **means}


def _demand(facts: BillFacts, stated: Tree) -> Tree:
    demand = {**stated, "requests_per_day": _quantity(facts.requests_per_day())}
    if stated.get("peak_to_average") is None:
        if facts.profile is not None:
            demand["profile"] = list(facts.profile)
        else:
            demand["peak_to_average"] = {
                "value": facts.busiest_day_to_average,
                "source": "the busiest day of the bill",
            }
    return demand


def _quantity(value: float) -> Tree:
    return {"value": value, "source": "mean of the bill"}


def _alternatives(tree: Tree, facts: BillFacts, source: BillSource) -> Any:
    """Add what was paid as one more alternative; at the end, so that no other key moves."""
    listed, usd = tree.get("alternatives") or [], facts.usd_per_request()
    if usd is None or not isinstance(listed, list):
        return listed
    paid: Tree = {"name": BILL_NAME, "usd_per_request": usd, "is_bill": True}
    if source.same_weights is not None:
        paid["same_weights"] = source.same_weights
    return [*listed, paid]


def _with_peak_finding(facts: BillFacts, stated: Tree) -> BillFacts:
    """Say what the fleet is sized on, where the bill does not show its busiest hour."""
    if stated.get("peak_to_average") is not None:
        return facts
    return dataclasses.replace(facts, findings=(*facts.findings, *_peak_findings(facts)))


def _peak_findings(facts: BillFacts) -> list[Finding]:
    day = facts.busiest_day_to_average
    path, advice = "traffic.demand.peak_to_average", "state traffic.demand.peak_to_average"
    if facts.profile is None:
        message = (
            "the bill does not tell hours: the fleet is sized on its busiest day, "
            f"{day:.2f} times the mean one, as if all hours of a day were alike"
        )
        return [Finding.of("bill_without_hours", "warn", path, message, advice, value=day)]
    mean = sum(facts.profile) / len(facts.profile)
    highest, hour = max(facts.profile) / mean, facts.busiest_hour_to_average or 1.0
    if hour <= highest * (1 + 1e-9):
        return []
    message = (
        f"the busiest hour of the bill has {hour:.2f} times the mean hour's requests; the fleet "
        f"is sized on the profile, which peaks at {highest:.2f} times"
    )
    return [
        Finding.of("bill_busiest_hour", "info", path, message, advice, value=hour, limit=highest)
    ]
