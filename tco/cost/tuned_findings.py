"""What must be said of tuned settings: of another traffic than this, or changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tco.engine_settings import ran_with
from tco.finding import Finding
from tco.measurement import Measurement
from tco.quantity import Quantity
from tco.scenario import Scenario, Tuned, TunedSettings, TunedShape, effect_of
from tco.tuned_traffic import settings_of, traffic_of

MATERIAL_SHARE: Final = 0.1


@dataclass(frozen=True, slots=True)
class _Difference:
    """Between the tuned traffic and the scenario's: in words, and as a share of the tuned.

    `share` is None where one of the two has none.
    """

    words: str
    share: float | None


def tuned_findings(scenario: Scenario, measurement: Measurement) -> Iterator[Finding]:
    """Yield what must be said where the engine's settings were found by a tuning.

    The traffic is another where a mean, the streams or a limit differs by more than a tenth, or
    one of them is there on one side only; of the cached share it is the share not cached that
    counts, which is what is computed.
    """
    tuned = scenario.engine.tuned if scenario.engine is not None else None
    if tuned is None:
        return
    if changes := _changes(tuned, settings_of(scenario)):
        yield _changed(changes)
    if differences := _differences(tuned.shape, traffic_of(scenario)):
        yield _on_another_shape(differences, is_measured=_is_of(scenario, measurement))


def _changed(changes: list[str]) -> Finding:
    return Finding.of(
        "tuned_settings_changed",
        "warn",
        "engine.launch",
        f"the engine's settings are not those that `tco tune` found: {', '.join(changes)}",
        "measure these with `tco bench`, tune anew, or drop engine.tuned",
    )


def _on_another_shape(differences: list[_Difference], *, is_measured: bool) -> Finding:
    shares = [each.share for each in differences]
    found = "the engine's settings were found on another traffic"
    said = f"({', '.join(each.words for each in differences)})"
    if is_measured:
        message = f"{found} {said}: measured on this one, and not tuned for it"
        advice = "try whether other settings serve this traffic better, with `tco tune`"
    else:
        message = f"{found} {said}, and were not measured on this one"
        advice = "measure them with `tco bench`, or tune for this traffic with `tco tune`"
    return Finding.of(
        "tuned_on_another_shape",
        "info" if is_measured else "warn",
        "engine.tuned.shape",
        message,
        advice,
        value=None if None in shares else max(share for share in shares if share is not None),
        limit=MATERIAL_SHARE,
    )


def _differences(tuned: TunedShape, asked: TunedShape) -> list[_Difference]:
    found = [
        _difference(name, getattr(tuned, name), getattr(asked, name))
        for name in ("input_tokens", "output_tokens", "requests_per_session", "concurrency")
    ]
    found.insert(1, _cached(tuned.cached_input_share.value, asked.cached_input_share.value))
    found += [
        _difference(f"slo.{key}", tuned.slo.get(key), asked.slo.get(key))
        for key in sorted(tuned.slo.keys() | asked.slo.keys())
    ]
    return [each for each in found if each is not None]


def _difference(name: str, tuned: Quantity | None, asked: Quantity | None) -> _Difference | None:
    if tuned is None or asked is None:
        return None if tuned is asked else _Difference(_words(name, tuned, asked), None)
    share = abs(asked.value - tuned.value) / tuned.value
    return _Difference(_words(name, tuned, asked), share) if share > MATERIAL_SHARE else None


def _words(name: str, tuned: Quantity | None, asked: Quantity | None) -> str:
    there, here = ("none" if each is None else f"{each.value:g}" for each in (tuned, asked))
    return f"{name} {there} there, {here} here"


def _cached(tuned: float, asked: float) -> _Difference | None:
    words = f"cached_input_share {tuned:g} there, {asked:g} here"
    fresh_there, fresh_here = 1 - tuned, 1 - asked
    if fresh_there == 0:
        return _Difference(words, None) if fresh_here else None
    share = abs(fresh_here - fresh_there) / fresh_there
    return _Difference(words, share) if share > MATERIAL_SHARE else None


def _changes(tuned: Tuned, now: TunedSettings | None) -> list[str]:
    """Return each setting that is no longer as it was found."""
    then = tuned.settings
    if then is None or now is None:
        return []
    changes = [] if then.model == now.model else [f"model {now.model} for {then.model}"]
    changes += _mapped("", then.args, now.args) + _mapped("env.", then.env, now.env)
    before, after = (each.accelerators and each.accelerators.value for each in (then, now))
    if before != after:
        changes.append(f"accelerators {after or 'none stated'} for {before or 'none stated'}")
    return changes


def _mapped(prefix: str, then: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    return [
        f"{prefix}{name} {_shown(now.get(name))} for {_shown(then.get(name))}"
        for name in sorted(then.keys() | now.keys())
        if effect_of(now.get(name)) != effect_of(then.get(name))
    ]


def _shown(value: object) -> str:
    if value is None or value is False:
        return "none"
    return "set" if value is True else str(value)


def _is_of(scenario: Scenario, measurement: Measurement) -> bool:
    """Say whether tco measured this engine, with these settings, on this traffic."""
    engine, facts = scenario.engine, measurement.engine
    index = measurement.capacity_point
    if measurement.origin != "measured" or engine is None or facts is None or index is None:
        return False
    ran = facts.attached if engine.launch is None else ran_with(facts, engine.launch)
    point, seen = measurement.points[index], measurement.shape
    asked = traffic_of(scenario)
    level = point.service_level.terms if point.service_level is not None else ()
    measured = TunedShape(
        input_tokens=Quantity(value=seen.input_tokens),
        cached_input_share=Quantity(value=seen.cached_input_share or 0.0),
        output_tokens=Quantity(value=seen.output_tokens),
        requests_per_session=asked.requests_per_session,  # the means tell how far they grew
        concurrency=asked.concurrency and _streams(point.concurrency_asked),
        slo={
            f"{term.latency}_p{round(100 * term.quantile)}_ms": Quantity(value=term.limit_ms)
            for term in level
        },
    )
    return ran and not _differences(measured, asked)


def _streams(count: int | None) -> Quantity | None:
    return None if count is None else Quantity(value=count)
