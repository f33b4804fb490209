"""The command and environment that start a scenario's engine."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tco.errors import EngineError, InputError
from tco.measure.engine_home import find_vllm, has_nvidia_gpu
from tco.scenario import Launch, plain_name
from tco.secret_names import SECRET_ARGUMENT, without_secrets
from tco.units import BYTES_PER_GIB

_OWN_FLAGS = ("host", "port", "api-key", "model", "uds")
_FLAG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_WEIGHTS = ("*.safetensors", "*.bin", "*.pt", "*.pth", "*.gguf")
_HIDDEN = "***"
_MOST_KV_GIB = 4
_KV_SHARE_OF_MEMORY = 4  # the cache takes a quarter of the memory: weights and work need the rest


@dataclass(frozen=True, slots=True)
class EngineCommand:
    """How an engine is started.

    Attributes:
        argv: the command, which never holds our key.
        env: its whole environment, the key among it.
        stated_env: what scenario and tco set of it, secrets left out; may be recorded.
        model_dir: the model's folder, if it is one on this machine.
        model_is_dummy: the weights are random.
    """

    argv: tuple[str, ...] = field(repr=False)
    env: dict[str, str] = field(repr=False)
    stated_env: dict[str, str]
    port: int
    served_model: str
    api_key: str | None = field(repr=False)
    model_dir: Path | None
    model_is_dummy: bool

    @property
    def stated_argv(self) -> tuple[str, ...]:
        """Return the command with the scenario's own secrets left out; may be recorded.

        A report travels further than the machine: a path below the working folder is written
        from there, one below the user's home folder from `~`.
        """
        return tuple(_without_places(part) for part in _hiding_secrets(self.argv))


def _hiding_secrets(argv: Sequence[str]) -> list[str]:
    shown: list[str] = []
    hides_next = False
    for part in argv:
        flag, equals, _ = part.partition("=")
        is_flag = part.startswith("--")
        is_secret = is_flag and SECRET_ARGUMENT.search(flag) is not None
        shown.append(_HIDDEN if hides_next and not is_flag else part)
        if is_secret and equals:
            shown[-1] = f"{flag}={_HIDDEN}"
        hides_next = is_secret and not equals
    return shown


def _without_places(part: str) -> str:
    for folder, shown in ((Path.cwd(), ""), (Path.home(), "~/")):
        part = re.sub(rf"(^|=){re.escape(str(folder))}/", rf"\g<1>{shown}", part)
    return part


def serve_line(launch: Launch) -> str:
    """Return the command line that starts the scenario's engine, without its secrets."""
    env = [f"{n}={shlex.quote(v)}" for n, v in without_secrets(launch.env).items()]
    named = [shell_word(_without_places(part)) for part in (*launch.command, launch.model)]
    flags = shlex.join(_hiding_secrets(rendered_flags(launch)))
    return " ".join([*env, *named, flags]).rstrip()


def shell_word(text: str) -> str:
    """Return a word for a shell, which is to expand `~` itself."""
    return f"~/{shlex.quote(text[2:])}" if text.startswith("~/") else shlex.quote(text)


def engine_command(
    launch: Launch, *, port: int, api_key: str | None, environ: Mapping[str, str] = os.environ
) -> EngineCommand:
    """Return the command that serves the scenario's model on a port of the loopback.

    Args:
        launch: the scenario's part.
        port: the free port to listen on.
        api_key: what clients must send; None for none. The scenario's own
            `env.VLLM_API_KEY` wins.
        environ: the environment `tco` runs in, which the engine inherits.

    Raises:
        InputError: the model's folder is missing or no model; a flag that tco sets itself.
        EngineError: the command is not on this machine.
    """
    model_dir = _model_dir(launch.model)
    served = _flag(launch, "served-model-name") or launch.model.rstrip("/").rpartition("/")[2]
    flags = rendered_flags(launch)
    if _flag(launch, "served-model-name") is None:
        flags += ["--served-model-name", str(served)]
    argv = [*resolved_command(launch.command, environ), str(model_dir or launch.model)]
    argv += ["--host", "127.0.0.1", "--port", str(port), *flags]
    stated = {**_defaults(model_dir, {**environ, **launch.env}), **launch.env}
    key = launch.env.get("VLLM_API_KEY", api_key)
    return EngineCommand(
        argv=tuple(argv),
        env={**environ, **stated, **({"VLLM_API_KEY": key} if key else {})},
        stated_env=without_secrets(stated),
        port=port,
        served_model=str(served),
        api_key=key,
        model_dir=model_dir,
        model_is_dummy=_flag(launch, "load-format") == "dummy" or lacks_weights(model_dir),
    )


def free_port() -> int:
    """Return a port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def lacks_weights(model_dir: Path | None) -> bool:
    """Say whether a folder holds a model's configuration but no weights."""
    if model_dir is None or not (model_dir / "config.json").is_file():
        return False
    return not any(True for pattern in _WEIGHTS for _ in model_dir.glob(pattern))


def names_folder(model: str) -> bool:
    """Say whether a model's name is the path of a folder, not an `org/name`."""
    return model.startswith((".", "~", "/")) or model.count("/") > 1


def _model_dir(model: str) -> Path | None:
    folder = Path(model).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise InputError(
                f"the model folder {model!r} has no config.json",
                key="engine.launch.model",
                remedy="give the folder that holds the model's config.json",
            )
        return folder.resolve()
    if names_folder(model) and not folder.exists():
        raise InputError(
            f"the model folder {model!r} is not there",
            key="engine.launch.model",
            remedy="give a folder that holds a model, or an org/name",
        )
    return None


def resolved_command(command: tuple[str, ...], environ: Mapping[str, str]) -> list[str]:
    """Return the command with its program's path.

    Raises:
        EngineError: it is not on this machine.
    """
    if command[0] == "vllm":
        return [str(find_vllm(environ)), *command[1:]]
    found = shutil.which(command[0], path=environ.get("PATH"))
    if found is None:
        raise EngineError(
            f"the engine's command {command[0]!r} is not on this machine",
            key="engine.launch.command",
            remedy="give a command that is on PATH, or its path",
        )
    return [found, *command[1:]]


def _flag(launch: Launch, name: str) -> str | bool | int | float | None:
    for key, value in launch.args.items():
        if plain_name(key) == name:
            return value
    return None


def rendered_flags(launch: Launch) -> list[str]:
    """Render `key: value` as `--key value`; true is a bare flag, false and null are left out."""
    flags: list[str] = []
    for key, value in launch.args.items():
        place = f"engine.launch.args.{key}"
        if not _FLAG.fullmatch(key):
            raise InputError(f"{key!r} is no flag", key=place, remedy="write it without its dashes")
        if plain_name(key) in _OWN_FLAGS:
            raise InputError(f"tco sets --{key} itself", key=place, remedy="leave it out")
        if value is None or value is False:
            continue
        flags += [f"--{key}"] if value is True else _valued(f"--{key}", str(value))
    return flags


def _valued(flag: str, value: str) -> list[str]:
    # A value that starts with a dash would be read as the next flag.
    return [f"{flag}={value}"] if value.startswith("-") else [flag, value]


def _defaults(model_dir: Path | None, given: Mapping[str, str]) -> dict[str, str]:
    defaults = {"VLLM_NO_USAGE_STATS": "1"}
    if model_dir is not None:
        defaults["HF_HUB_OFFLINE"] = "1"
    if not has_nvidia_gpu():
        memory_gib = psutil.virtual_memory().total // BYTES_PER_GIB
        kv_gib = max(1, min(_MOST_KV_GIB, memory_gib // _KV_SHARE_OF_MEMORY))
        defaults["VLLM_CPU_KVCACHE_SPACE"] = str(kv_gib)
    return {name: value for name, value in defaults.items() if name not in given}
