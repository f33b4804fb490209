"""The best settings as files to start an engine from: for a shell, Docker compose, Kubernetes.

A secret's value is in none of them: only its name, which is filled in where the engine starts.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from tco.measure.engine_command import names_folder, rendered_flags, shell_word
from tco.output_file import write_each
from tco.scenario import Launch
from tco.secret_names import SECRET_ARGUMENT, SECRET_NAME, without_secrets

_RELEASE = re.compile(r"\d+\.\d+\.\d+")
_LIKE_A_NUMBER = re.compile(r"[-+]?[.\d]")
_IMAGE = "vllm/vllm-openai"
_NO_IMAGE = "# Set the image: it cannot be known from the engine that was measured.\n"
_FOLDER = (
    "# The model is a folder of this machine: mount it, and give its place in the container.\n"
)
_SECRETS = "engine-secrets"


def best_files(launch: Launch, version: str | None) -> dict[str, str]:
    """Return the files by their names; `version` is the engine's, where it was seen."""
    known = launch.command == ("vllm", "serve") and bool(_RELEASE.fullmatch(version or ""))
    image = f"{_IMAGE}:v{version}" if known else "SET-THE-IMAGE"
    head = ("" if known else _NO_IMAGE) + (_FOLDER if names_folder(launch.model) else "")
    return {
        "best.sh": _shell(launch),
        "compose.yaml": head + _yaml(_compose(launch, image)),
        "kubernetes-patch.yaml": head + _yaml(_patch(launch, image)),
    }


def write_best_files(launch: Launch, version: str | None, folder: Path) -> tuple[Path, ...]:
    """Write the files and return their places.

    Raises:
        InputError: the folder cannot be written.
    """
    texts = best_files(launch, version)
    return write_each((folder / name, text) for name, text in texts.items())


def _shell(launch: Launch) -> str:
    flags, secrets = _flags(launch, str)
    words = [shell_word(each) for each in (*launch.command, launch.model)]
    words += [f'"${each[1:]}"' if each in secrets else shlex.quote(each) for each in flags]
    names = sorted({*_secret_names(launch), *(each[1:] for each in secrets)})
    lines = ["#!/bin/sh", "set -eu"]
    lines += [f': "${{{name}:?set it first}}"; export {name}' for name in names]
    lines += [
        f"export {name}={shlex.quote(value)}" for name, value in without_secrets(launch.env).items()
    ]
    return "\n".join((*lines, f'exec {" ".join(words)} "$@"')) + "\n"


def _compose(launch: Launch, image: str) -> dict[str, Any]:
    flags, secrets = _flags(launch, _dollars)
    command = [f"${{{each[1:]}}}" if each in secrets else each for each in flags]
    environment: dict[str, str | None] = {
        name: _dollars(value) for name, value in without_secrets(launch.env).items()
    }
    environment |= dict.fromkeys(_secret_names(launch))
    engine = {
        "image": image,
        "command": [_dollars(launch.model), *command],
        "environment": environment,
        "ports": ["127.0.0.1:8000:8000"],
        "ipc": "host",
    }
    return {"services": {"engine": engine}}


def _patch(launch: Launch, image: str) -> dict[str, Any]:
    flags, secrets = _flags(launch, _dollars)
    args = [f"$({each[1:]})" if each in secrets else each for each in flags]
    names = sorted({*_secret_names(launch), *(each[1:] for each in secrets)})
    env: list[dict[str, Any]] = [
        {"name": name, "value": _dollars(value)}
        for name, value in without_secrets(launch.env).items()
    ]
    env += [
        {"name": name, "valueFrom": {"secretKeyRef": {"name": _SECRETS, "key": name}}}
        for name in names
    ]
    engine = {"name": "engine", "image": image, "args": [_dollars(launch.model), *args], "env": env}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "engine"},
        "spec": {"template": {"spec": {"containers": [engine]}}},
    }


def _dollars(text: str) -> str:
    """Return a text in which neither compose nor Kubernetes sees a variable: both read `$$` as `$`.

    Kubernetes also does where no bracket follows.
    """
    return text.replace("$", "$$")


def _flags(launch: Launch, form: Callable[[str], str]) -> tuple[list[str], set[str]]:
    """Return the flags, each secret as a mark before a name, and these marks."""
    found: list[str] = []
    secrets: set[str] = set()
    for key, value in launch.args.items():
        if SECRET_ARGUMENT.search(key) and isinstance(value, str):
            name = re.sub(r"\W", "_", key).upper()
            secrets.add(f"\0{name}")
            found += [f"--{key}", f"\0{name}"]
            continue
        only = launch.model_copy(update={"args": {key: value}})
        found += [form(each) for each in rendered_flags(only)]
    return found, secrets


def _secret_names(launch: Launch) -> list[str]:
    return sorted(name for name in launch.env if SECRET_NAME.search(name))


def _yaml(tree: dict[str, Any]) -> str:
    text: str = yaml.dump(tree, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1000)
    return text


class _Dumper(yaml.SafeDumper):
    """Quotes all that looks like a number: YAML 1.2, as Go reads it, has more of them than 1.1."""


def _represented(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if _LIKE_A_NUMBER.match(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represented)
