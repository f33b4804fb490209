"""What a user installs is the wheel, not the checkout."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*command, cwd):
    words = [str(part) for part in command]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder / "dist", ROOT, cwd=folder)
    (wheel,) = (folder / "dist").glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    pip = folder / "env" / "bin" / "python"
    run(pip, "-m", "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel, cwd=folder)
    return folder / "env" / "bin" / "tco", folder


@pytest.mark.slow
def test_the_installed_wheel_carries_its_prices_and_templates(installed):
    tco, folder = installed
    run(tco, "init", "s.yaml", "--preset", "cline-512x512x256", cwd=folder)
    run(tco, "report", "s.yaml", "-o", "out", cwd=folder)
    assert (folder / "out" / "report.pdf").read_bytes().startswith(b"%PDF-")
    assert "saving" in (folder / "out" / "comparison.json").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_installed_wheel_answers_with_its_version(installed):
    tco, folder = installed
    assert "0.1.0" in run(tco, "--version", cwd=folder)
