"""The machine and the engine that all trials of a tuning have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tco.errors import InputError
from tco.measurement import HostFacts, Measurement
from tco.tune.records import WithMeasurement, measurement_of


class Setup:
    """Knows what the first trial ran on, and refuses a trial on anything else.

    Its faults name the record of the trials, in whose folder they lie.

    A ratio of rates of two machines, or of two versions of an engine, says nothing of a setting.
    """

    def __init__(self, record: Path) -> None:
        self._file = record
        self._host: dict[str, str] = {}
        self._engine: str | None = None

    def take_up(self, trials: Sequence[WithMeasurement], host: HostFacts) -> None:
        """Note what the trials of before ran on, and see that this machine is the same.

        Raises:
            InputError: it is another one.
        """
        folder = self._file.parent
        kept = (t for t in trials if t.measurement and (folder / t.measurement).is_file())
        if (first := next(kept, None)) and (found := measurement_of(first, folder)):
            self.see(found[0])
            self._see_host(host)

    def see(self, measurement: Measurement) -> None:
        """Note what a trial ran on, and see that the others ran on the same.

        Raises:
            InputError: the machine or the engine's version is another one.
        """
        if measurement.host is not None:
            self._see_host(measurement.host)
        if measurement.engine is not None:
            facts = measurement.engine
            engine = facts.name_and_version
            self._engine = self._engine or engine
            if engine != self._engine:
                raise self._other(f"the trials so far are of {self._engine}, and this is {engine}")

    def _see_host(self, host: HostFacts) -> None:
        now = {
            "CPU": host.cpu,
            "cores": str(host.cpu_count),
            "accelerators": ", ".join(host.accelerators) or "none",
        }
        self._host = self._host or now
        changed = [name for name, value in now.items() if value != self._host[name]]
        if changed:
            there, here = (", ".join(f"{n} {of[n]}" for n in changed) for of in (self._host, now))
            raise self._other(f"the trials so far are of another machine: {there}; here: {here}")

    def _other(self, message: str) -> InputError:
        return InputError(
            message,
            file=str(self._file),
            remedy="go on where it began, tune anew with --force, or name another folder with -o",
        )
