"""The folders read as the pipeline, and imports point one way."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

import tco

PACKAGE = Path(tco.__file__).parent
LAYERS = {
    "": set(),
    "measure": {""},
    "cost": {""},
    "explore": {"", "cost"},
    "report": {""},
    "importers": {""},
    "ui": {"", "explore", "report"},
    "tune": {"", "measure"},
    "cli": {"", "measure", "tune", "cost", "explore", "report", "importers", "ui"},
}
IMPURE = {
    "asyncio", "httpx", "os", "pathlib", "random", "secrets", "shutil", "socket",
    "subprocess", "tempfile", "time", "urllib",
}  # fmt: skip
MODULES = sorted(PACKAGE.rglob("*.py"))


def layer(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else ""


def name_of(path: Path) -> str:
    parts = ("tco", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(part for part in parts if part != "__init__")


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_imports_only_from_its_own_layer_and_those_below(path):
    own = layer(name_of(path))
    if own == "" and path.name in {"__init__.py", "__main__.py"} and path.parent == PACKAGE:
        return  # the two doors of the package: the library and the command line
    used = {layer(name) for name in imports(path) if name.startswith("tco.")}
    assert used <= LAYERS[own] | {own}


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if layer(name_of(path)) in {"cost", "explore"}],
    ids=name_of,
)
def test_the_economics_touch_no_file_clock_network_or_randomness(path):
    assert not {name.split(".")[0] for name in imports(path)} & IMPURE


def test_no_two_modules_import_each_other():
    graph = {name_of(path): {n for n in imports(path) if n.startswith("tco.")} for path in MODULES}
    # Raises CycleError, which names the modules of the circle.
    assert set(graphlib.TopologicalSorter(graph).static_order()) >= graph.keys()


def test_help_imports_nothing_that_costs_time():
    code = (
        "import sys\nfrom tco.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted(set(sys.modules) & {'pandas', 'matplotlib', 'weasyprint', 'numpy', "
        "'scipy', 'pydantic', 'httpx', 'jinja2', 'rich'}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "sweep" in done.stdout
