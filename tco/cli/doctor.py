"""`tco doctor`: what works on this machine and what does not."""

from __future__ import annotations

import click

from tco.cli.options import json_option

_EXAMPLES = """
\b
Examples:
  tco doctor                a line for each thing looked at, and what to do
  tco doctor --json         the same for a script
"""
_SIGNS = {"ok": "ok     ", "limited": "limited", "missing": "MISSING"}
_GATE_FAILED = 5


@click.command(epilog=_EXAMPLES)
@json_option
def command(*, as_json: bool) -> int:
    """Say what works here: reports, engine, GPU, power meters, memory, disk, engines left over.

    Exit code 0: reports can be made (an engine may be missing: attach to one, or run `tco
    engine install`). 5: something is missing that every report needs.
    """
    import json

    from tco.measure.doctor import can_report, diagnose

    checks = diagnose()
    works = can_report(checks)
    if as_json:
        rows = [check.model_dump() for check in checks]
        document = {"schema": "tco.doctor/1", "can_report": works, "checks": rows}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return 0 if works else _GATE_FAILED
    for check in checks:
        click.echo(f"{_SIGNS[check.state]}  {check.name:<16} {check.seen}")
        if check.remedy:
            click.echo(f"{'':<27}{check.remedy}")
    return 0 if works else _GATE_FAILED
