"""What works on this machine and what does not, as findings of a kind of its own: checks."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from typing import Literal

import psutil

from tco.errors import EngineError
from tco.measure.engine_home import engine_folder, find_vllm, has_nvidia_gpu, version_beside
from tco.measure.engine_record import records
from tco.measure.power.nvml import Nvml, NvmlError, nvml_meter
from tco.measure.power.rapl import RAPL_REMEDY, RaplError, rapl_meter
from tco.measurement import Record
from tco.resources import data_dir
from tco.units import BYTES_PER_GIB

_PROBE_TIMEOUT_S = 60
_LEAST_DISK_GIB = 5
_LEAST_MEMORY_GIB = 6


class Check(Record):
    """One thing looked at.

    Attributes:
        name: what was looked at.
        state: `ok`; `limited`: something does not work, the main job does; `missing`:
            without it no report can be made.
        seen: what was found, in words.
        remedy: what to do about it.
    """

    name: str
    state: Literal["ok", "limited", "missing"]
    seen: str
    remedy: str | None = None


def diagnose() -> tuple[Check, ...]:
    """Look at everything a run needs; starts no engine, and imports none."""
    return (
        _python(),
        _pdf(),
        _data(),
        _engine(),
        _gpu(),
        _gpu_meter(),
        _package_meter(),
        _processor(),
        _memory(),
        _disk(),
        _left_over(),
    )


def can_report(checks: tuple[Check, ...]) -> bool:
    """Say whether nothing is missing that every report needs."""
    return all(check.state != "missing" for check in checks)


def _python() -> Check:
    return Check(name="python", state="ok", seen=f"{platform.python_version()}, {sys.executable}")


def _pdf() -> Check:
    """Write a PDF in a process of its own: a broken system library may end the process."""
    program = "import weasyprint; weasyprint.HTML(string='<p>x').write_pdf(); "
    program += "from weasyprint.text import ffi; "
    program += "print(weasyprint.__version__, bool(getattr(ffi, 'harfbuzz_subset', None)))"
    try:
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=False,
            timeout=_PROBE_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return Check(name="pdf", state="missing", seen="WeasyPrint does not answer")
    if done.returncode == 0:
        version, _, subsets_fast = done.stdout.strip().partition(" ")
        if subsets_fast == "False":
            return Check(
                name="pdf",
                state="limited",
                seen=f"WeasyPrint {version} writes PDF, without harfbuzz-subset and so slower",
                remedy="install it (Debian: apt install libharfbuzz-subset0)",
            )
        return Check(name="pdf", state="ok", seen=f"WeasyPrint {version} writes PDF")
    reason = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
    return Check(
        name="pdf",
        state="missing",
        seen=f"WeasyPrint cannot write PDF: {reason}",
        remedy="install Pango 1.44 or newer (Debian: apt install libpango-1.0-0 "
        "libpangoft2-1.0-0 libharfbuzz-subset0)",
    )


def _data() -> Check:
    try:
        fonts = [path for path in data_dir("templates").rglob("*") if path.suffix in _FONT_SUFFIXES]
        rows = list(data_dir("pricing").rglob("*.yaml"))
    except FileNotFoundError as error:
        return Check(name="data", state="missing", seen=str(error), remedy="install tco again")
    complete = bool(fonts and rows)
    return Check(
        name="data",
        state="ok" if complete else "missing",
        seen=f"{len(rows)} price files, {len(fonts)} fonts",
        remedy=None if complete else "install tco again",
    )


_FONT_SUFFIXES = {".ttf", ".otf", ".woff", ".woff2"}


def _engine() -> Check:
    try:
        vllm = find_vllm()
    except EngineError as error:
        return Check(name="engine", state="limited", seen=error.message, remedy=error.remedy)
    version = version_beside(vllm)
    if vllm == engine_folder() / "bin" / "vllm":
        where = f"{vllm}, of `tco engine install`"
    else:
        where = str(vllm)
    return Check(name="engine", state="ok", seen=f"vLLM {version or 'of unknown version'}, {where}")


def _gpu() -> Check:
    if has_nvidia_gpu():
        return Check(name="gpu", state="ok", seen="an NVIDIA GPU is seen")
    return Check(
        name="gpu",
        state="limited",
        seen="no NVIDIA GPU is seen; an engine here runs on the CPU",
        remedy="to measure a GPU, run tco on its machine, or attach to a server there",
    )


def _gpu_meter() -> Check:
    try:
        nvml = Nvml()
        try:
            meter = nvml_meter(nvml, nvml.gpus(), ())
        except NvmlError:
            nvml.close()
            raise
    except NvmlError as error:
        return Check(
            name="gpu_power",
            state="limited",
            seen=f"no meter: {error}",
            remedy="the scenario's own watts are costed, or a wall meter's (bench.meter)",
        )
    meter.stop()
    by_power = any(finding.kind == "power_by_readings" for finding in meter.findings)
    how = "power readings" if by_power else "energy counters"
    return Check(name="gpu_power", state="ok", seen=f"{meter.source}: {how}")


def _package_meter() -> Check:
    try:
        meter = rapl_meter()
    except RaplError as error:
        return Check(
            name="package_power",
            state="limited",
            seen=f"no meter: {error}",
            remedy=RAPL_REMEDY if error.is_closed else None,
        )
    return Check(name="package_power", state="ok", seen=f"{meter.source}: energy counters")


def _processor() -> Check:
    count = psutil.cpu_count() or 1
    load = os.getloadavg()[0]
    busy = load > count / 2
    return Check(
        name="processor",
        state="limited" if busy else "ok",
        seen=f"{count} CPUs, load average {load:.1f}",
        remedy="other work is running; a measurement now would be too low" if busy else None,
    )


def _memory() -> Check:
    free_gib = psutil.virtual_memory().available / BYTES_PER_GIB
    total_gib = psutil.virtual_memory().total / BYTES_PER_GIB
    enough = free_gib >= _LEAST_MEMORY_GIB
    return Check(
        name="memory",
        state="ok" if enough else "limited",
        seen=f"{free_gib:.1f} of {total_gib:.1f} GiB free",
        remedy=None if enough else "an engine on the CPU takes about 4 GiB beyond its weights",
    )


def _disk() -> Check:
    folder = engine_folder()
    while not folder.exists():
        folder = folder.parent
    free_gib = shutil.disk_usage(folder).free / BYTES_PER_GIB
    enough = free_gib >= _LEAST_DISK_GIB
    return Check(
        name="disk",
        state="ok" if enough else "limited",
        seen=f"{free_gib:.1f} GiB free in {folder}",
        remedy=None if enough else "set TCO_ENGINE_HOME to a folder on a larger disk",
    )


def _left_over() -> Check:
    left = [record for record in records() if record.is_abandoned()]
    kept = [record for record in records() if record.owner is None]
    seen = f"{len(left)} left behind by a killed tco, {len(kept)} started to stay"
    return Check(
        name="engines_running",
        state="limited" if left or kept else "ok",
        seen=seen,
        remedy="run `tco engine stop`" if left or kept else None,
    )
