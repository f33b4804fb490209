"""`python -m tco` is the command `tco`."""

from __future__ import annotations

from tco.cli import main

if __name__ == "__main__":
    main()
