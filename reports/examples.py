"""What `make examples` runs: every committed report, and the picture of page one, made anew.

A folder holds its scenario, and its measurement where it rests on one; the rest is written here.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORMATS = "pdf,html,xlsx,json"
FOLDERS = (
    "reports/66-percent-dearest-offer",
    "reports/66-percent-output-tokens",
    "reports/66-percent-two-years",
    "reports/66-percent-with-staff",
    "reports/demo-vllm-cpu",
    "reports/rental-fleet",
)
# The measured record of its ladder, tune.json, is made on an engine: nothing here can make it anew.
LADDER = "reports/cline-hybrid-on-cpu"
PICTURED = "reports/demo-vllm-cpu"
PICTURE = ROOT / "docs" / "page-1.png"
DOTS_PER_POINT = 1.9


def options(folder: str) -> list[str]:
    """Return the scenario of a folder, and `-m` with its measurement where it has one."""
    measured = [name for name in (f"{folder}/measurement.json",) if (ROOT / name).exists()]
    return [f"{folder}/scenario.yaml", *(word for name in measured for word in ("-m", name))]


def remake(folder: str) -> None:
    """Write the report of a folder, as a user would."""
    words = ["report", *options(folder), "-o", folder, "--format", FORMATS, "--force"]
    done = subprocess.run([sys.executable, "-m", "tco", *words], cwd=ROOT, check=False)
    # 4: a finding is invalid; the files are written, and say so on their first page.
    if done.returncode not in (0, 4):
        sys.exit(done.returncode)


def remake_ladder(folder: str) -> None:
    """Write the report of a tuning from its record; nothing where no record is committed."""
    record = f"{folder}/tune.json"
    if (ROOT / record).exists():
        words = ["report", record, "-o", folder, "--force"]
        subprocess.run([sys.executable, "-m", "tco", *words], cwd=ROOT, check=True)


def picture() -> None:
    """Write page one of the measured example as the README shows it."""
    import pypdfium2

    with pypdfium2.PdfDocument(ROOT / PICTURED / "report.pdf") as pdf:
        pdf[0].render(scale=DOTS_PER_POINT).to_pil().save(PICTURE, optimize=True)


if __name__ == "__main__":
    for each in FOLDERS:
        remake(each)
    remake_ladder(LADDER)
    picture()
