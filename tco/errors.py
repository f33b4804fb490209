"""What can go wrong, as one family of exceptions that the command line catches once.

TcoError                 one sentence, the place, and what to do
├── InputError           exit 2: what the user wrote cannot be used
├── EngineError          exit 3: the engine did not start, answer or stop as it must
└── InterruptedRunError  exit 130: stopped by the user; partial results are kept

Neither exit 4 (a finding is `invalid`) nor 5 (a check that was asked for does not hold) is an
error: files are written, and what was found is printed.
"""

from __future__ import annotations

from typing import ClassVar


class TcoError(Exception):
    """A failure with one sentence, the place it happened, and the remedy.

    Args:
        message: what is wrong, with the value and the rule, in one sentence.
        remedy: what the user can do about it.
        file: the file the fault lies in, if any.
        line: its 1-based line, if known.
        key: the dotted scenario key (`hardware.purchase.price_usd`), if any.
    """

    exit_code: ClassVar[int] = 1
    kind: ClassVar[str] = "error"

    def __init__(
        self,
        message: str,
        *,
        remedy: str | None = None,
        file: str | None = None,
        line: int | None = None,
        key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.file = file
        self.line = line
        self.key = key

    def place(self) -> str:
        """Return `file:line: key` with the parts that are known, or an empty string."""
        where = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        return ": ".join(part for part in (where, self.key) if part)

    def __str__(self) -> str:
        head = f"{self.place()}: {self.message}" if self.place() else self.message
        return f"{head}; {self.remedy}" if self.remedy else head

    def as_json(self) -> dict[str, object]:
        """Return the `tco.error/1` document that `--json` prints."""
        return {
            "schema": "tco.error/1",
            "exit_code": self.exit_code,
            "kind": self.kind,
            "file": self.file,
            "line": self.line,
            "key": self.key,
            "message": self.message,
            "remedy": self.remedy,
        }


class InputError(TcoError):
    """What the user wrote cannot be used."""

    exit_code = 2
    kind = "input"


class EngineError(TcoError):
    """The engine did not start, answer or stop as it must.

    Args:
        log_tail: the last lines of the engine's own log, shown under the sentence.
    """

    exit_code = 3
    kind = "engine"

    def __init__(
        self,
        message: str,
        *,
        remedy: str | None = None,
        file: str | None = None,
        key: str | None = None,
        log_tail: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, remedy=remedy, file=file, key=key)
        self.log_tail = log_tail


class InterruptedRunError(TcoError):
    """The user stopped the run; what was measured until then is kept."""

    exit_code = 130
    kind = "interrupted"
