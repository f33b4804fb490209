"""A PowerRecorder keeps one meter's readings while the bench runs, and gives spans' energy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tco.finding import Finding
from tco.measure.power.instant import Instant, Span
from tco.measure.power.readings import Covers, Energy, MeterName
from tco.measurement import MeasuredPower


class PowerRecorder(Protocol):
    """One meter: started before the first point, stopped after the last one.

    Attributes:
        meter: its kind.
        covers: what its watts are of.
        accelerators: how many it sees.
        source: which one, in words.
        findings: what must be known of the meter as a whole; complete after `stop`.
    """

    @property
    def meter(self) -> MeterName: ...  # noqa: D102
    @property
    def covers(self) -> Covers: ...  # noqa: D102
    @property
    def accelerators(self) -> int | None: ...  # noqa: D102
    @property
    def source(self) -> str: ...  # noqa: D102
    @property
    def findings(self) -> tuple[Finding, ...]: ...  # noqa: D102

    def start(self) -> None:
        """Begin to take readings."""

    def stop(self) -> None:
        """Take the last reading and let go of the meter; harmless when called again."""

    def energy(self, start: Instant, stop: Instant) -> Energy | None:
        """Return the energy of a span, also while running; None where readings do not tell."""

    def doubts(self, start: Instant, stop: Instant) -> tuple[Finding, ...]:
        """Return what must be known of the energy of a span, or why there is none."""


def measured_power(
    recorder: PowerRecorder,
    *,
    window: Span,
    run: Span,
    idle: Span | None,
    output_tokens: int,
) -> MeasuredPower | None:
    """Return what one meter said of a point; None where it has no figure for the window.

    Args:
        recorder: the meter.
        window: the steady window, over which `load_w` is the mean.
        run: the point's whole run, from idle to idle.
        idle: a span with the engine loaded and no request; None where there was none.
        output_tokens: of the whole run.
    """
    load = recorder.energy(*window)
    if load is None:
        return None
    whole = recorder.energy(*run)
    rest = recorder.energy(*idle) if idle is not None else None
    return MeasuredPower(
        meter=recorder.meter,
        covers=recorder.covers,
        accelerators=recorder.accelerators,
        idle_w=rest.mean_w if rest is not None else None,
        load_w=load.mean_w,
        run_energy_j=whole.joules if whole is not None else None,
        joules_per_output_token=whole.joules / output_tokens if whole and output_tokens else None,
        samples=load.samples,
        source=recorder.source,
    )


@dataclass(frozen=True, slots=True)
class PointPower:
    """What all meters said of a point.

    Attributes:
        power: of the meter that stands for the point.
        other_power: of the meters beside it.
        findings: what must be known of them.
    """

    power: MeasuredPower | None
    other_power: tuple[MeasuredPower, ...]
    findings: tuple[Finding, ...]


NO_POWER = PointPower(None, (), ())
_RANK = ("wall", "dcgm", "nvml", "rapl")


def point_power(
    recorders: Sequence[PowerRecorder],
    *,
    window: Span,
    run: Span,
    idle: Span | None,
    output_tokens: int,
) -> PointPower:
    """Return a point's power: a wall meter's, or else the accelerators', or else a package's."""
    ranked = sorted(recorders, key=lambda recorder: _RANK.index(recorder.meter))
    seen = [
        measured_power(each, window=window, run=run, idle=idle, output_tokens=output_tokens)
        for each in ranked
    ]
    known = [power for power in seen if power is not None]
    return PointPower(
        power=known[0] if known else None,
        other_power=tuple(known[1:]),
        findings=tuple(finding for each in ranked for finding in each.doubts(*window)),
    )
