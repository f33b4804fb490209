"""Findings on a terminal: a word for the severity in its colour, what it is, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.text import Text

from tco.finding import Finding
from tco.report.text import visible

STYLES: Final = {"info": "dim", "warn": "yellow", "invalid": "bold red"}


def print_findings(findings: Iterable[Finding], out: Console, *, names_path: bool = False) -> None:
    """Print a line a finding; with `names_path` it begins with what the finding is about."""
    for finding in findings:
        about = f"{finding.path} " if names_path else ""
        line = Text(visible(f"{finding.word}: {about}{finding.message}; {finding.advice}"))
        line.stylize(STYLES[finding.severity], 0, len(finding.word))
        out.print(line, soft_wrap=True)
