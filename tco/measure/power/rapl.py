"""RAPL: the energy counters of processor packages, as Linux shows them.

`energy_uj` of each zone `intel-rapl:N` named `package-…` counts microjoules up to
`max_energy_range_uj` and starts again at 0 (Linux, Documentation/power/powercap). AMD's counters
stand under the same name. Memory and the rest of the server are not in a package.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tco.measure.power.readings import Meter
from tco.measure.power.sampled import MeterFaultError, SampledMeter, Sensors

POWERCAP: Final = Path("/sys/class/powercap")
RAPL_REMEDY: Final = (
    "on a machine that nobody else uses: sudo chmod o+r "
    "/sys/class/powercap/intel-rapl:*/energy_uj (until the next boot)"
)
_PER_MICRO = 1e-6


class RaplError(Exception):
    """The counters are not there, or not for us; the message says which."""

    def __init__(self, message: str, *, is_closed: bool = False) -> None:
        super().__init__(message)
        self.is_closed = is_closed


@dataclass(frozen=True, slots=True)
class _Package:
    name: str
    energy_uj: Path
    wraps_at_j: float

    def read_j(self) -> float:
        return int(self.energy_uj.read_text(encoding="ascii")) * _PER_MICRO


def rapl_meter(folder: Path = POWERCAP) -> SampledMeter:
    """Return the recorder of all processor packages.

    Raises:
        RaplError: there is none, or they may not be read.
    """
    packages = _packages(folder)
    if not packages:
        raise RaplError("this machine shows no RAPL counters")
    for package in packages:
        try:
            package.read_j()
        except PermissionError as error:
            raise RaplError(f"{package.energy_uj} may not be read", is_closed=True) from error
        except (OSError, ValueError) as error:
            raise RaplError(f"{package.energy_uj} cannot be read: {error}") from error
    meter = Meter(
        meter="rapl",
        covers="package",
        accelerators=None,
        source=f"RAPL, {', '.join(package.name for package in packages)}",
        clock="monotonic",
    )

    def read() -> tuple[float, ...]:
        try:
            return tuple(package.read_j() for package in packages)
        except (OSError, ValueError) as error:
            raise MeterFaultError(str(error)) from error

    wraps_at_j = tuple(package.wraps_at_j for package in packages)
    return SampledMeter(meter, Sensors(read, "counter", wraps_at_j))


def _packages(folder: Path) -> tuple[_Package, ...]:
    found = []
    for zone in sorted(folder.glob("intel-rapl:*")):
        try:
            name = (zone / "name").read_text(encoding="ascii").strip()
            wraps_at_j = (
                int((zone / "max_energy_range_uj").read_text(encoding="ascii")) * _PER_MICRO
            )
        except (OSError, ValueError):
            continue  # a zone without a counter
        if name.startswith("package"):
            found.append(_Package(name, zone / "energy_uj", wraps_at_j))
    return tuple(found)
