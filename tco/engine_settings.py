"""Whether an engine that was measured ran with the settings that a scenario states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tco.measurement import EngineFacts
from tco.scenario import Launch, in_effect, plain_name
from tco.secret_names import without_secrets

_HIDDEN: Final = "***"
# What tco adds by itself, so that a scenario need not state it.
_ADDED: Final = frozenset({"host", "port", "served-model-name"})


def ran_with(facts: EngineFacts, launch: Launch) -> bool:
    """Say whether a measured engine ran the model with just these arguments and this environment.

    Secrets are not recorded, and count as alike. False where the command is not known.
    """
    if facts.command is None or facts.model != launch.model:
        return False
    asked = in_effect(launch.args)
    seen = dict(_flags(facts.command))
    own = {plain_name(word.removeprefix("--")) for word in launch.command if word.startswith("--")}
    if seen.keys() - own - _ADDED != asked.keys() - own - _ADDED:
        return False
    is_alike = all(_is_alike(seen.get(key), value) for key, value in asked.items())
    env = without_secrets(launch.env)
    return is_alike and all(facts.env.get(name) == value for name, value in env.items())


def _flags(command: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Yield each flag of a command with its value; None for a bare one."""
    for word, following in zip(command, [*command[1:], "--"], strict=True):
        if not word.startswith("--"):
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        is_bare = not equals and following.startswith("--")
        yield plain_name(name), None if is_bare else value if equals else following


def _is_alike(seen: str | None, value: object) -> bool:
    """Compare with a recorded value, in which a path is shortened."""
    if value is True or seen is None:
        return value is True and seen is None
    text = str(value)
    is_same_path = text.startswith("/") and text.endswith("/" + seen.removeprefix("~/"))
    return seen in (text, _HIDDEN) or is_same_path
