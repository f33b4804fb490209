"""What an engine's --help says of its options."""

import stat
import sys

import pytest

from tco.measure.engine_options import engine_options, options_in, unknown_options
from tco.scenario import Launch

HELP = """
  --async-scheduling, --no-async-scheduling
                        Async (see --max_num_seqs).
  --compilation-config COMPILATION_CONFIG, -cc COMPILATION_CONFIG
  --help
"""


def test_options_are_read_in_all_their_forms():
    assert options_in(HELP) == {
        "async-scheduling", "no-async-scheduling", "max-num-seqs", "compilation-config",
    }  # fmt: skip


def test_arguments_that_are_not_taken_are_told_in_any_spelling():
    args = ["async_scheduling", "compilation-config.mode", "mamba-backend"]
    assert unknown_options(args, options_in(HELP)) == ("mamba-backend",)


@pytest.fixture
def engine(tmp_path):
    """Return a maker of commands that print a help and count how often they were asked."""

    def make(code):
        script = tmp_path / "bin" / "vllm"
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!{sys.executable}\n{code}")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return Launch(command=(str(script), "serve"), model="m")

    return make


def test_a_command_without_help_for_all_is_asked_for_its_help(engine):
    code = "import sys\nif sys.argv[-1] != '--help': sys.exit(2)\nprint('--fast')"
    assert engine_options(engine(code)) == {"fast"}


def test_a_command_whose_help_lists_nothing_is_not_checked(engine):
    assert engine_options(engine("print('none')")) is None
    assert engine_options(engine("raise SystemExit(1)")) is None


def test_what_a_version_said_is_kept_until_another_is_there(engine, tmp_path):
    home = {"TCO_ENGINE_HOME": str(tmp_path / "engines"), "PATH": "/usr/bin"}
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    launch = engine(f"open({str(tmp_path / 'asked')!r}, 'a').write('x')\nprint('--fast')")
    for version in ("1", "1", "2"):
        for old in site.glob("*/METADATA"):
            old.unlink()
        info = site / f"vllm-{version}.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {version}\n")
        assert engine_options(launch, home) == {"fast"}
    assert (tmp_path / "asked").read_text() == "xx"
