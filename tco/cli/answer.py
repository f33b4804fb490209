"""The comparison of a case, as `compare`, `report` and `run` ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tco.case import Case
    from tco.comparison import Comparison


def compared(case: Case) -> Comparison:
    """Return the case's comparison, with how sure it is.

    Raises:
        InputError: as `tco.answer`, with the file and line of the key at fault.
    """
    from tco.explore.answer import answer

    return answer(case)
