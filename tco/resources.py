"""Where the package's own data (price tables, templates) lies, in a checkout or installed."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """Return the folder `pricing` or `templates`.

    A checkout's own folder comes first: an editable install also leaves copies in
    the environment, which go stale.

    Raises:
        FileNotFoundError: the package was installed without its data.
    """
    checkout = _PACKAGE.parent
    candidates = [_PACKAGE / "_data" / name]
    if _is_our_checkout(checkout):
        candidates.insert(0, checkout / name)
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"tco was installed without its {name} folder")


def _is_our_checkout(folder: Path) -> bool:
    project = folder / "pyproject.toml"
    return project.is_file() and 'name = "tco"' in project.read_text(encoding="utf-8")
