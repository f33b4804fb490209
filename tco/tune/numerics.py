"""Says which settings of an engine change what the model computes, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from tco.scenario import Argument, Launch, effect_of, in_effect, plain_name

_PRECISION: Final = "precision of weights and activations"
_KV: Final = "precision of the KV cache"
_STATE: Final = "precision of the Mamba state"
_ROUNDING: Final = "rounding of the Mamba state"
_KERNEL: Final = "other kernels sum in another order"
_COMPILED: Final = "compiled code fuses and rounds otherwise than eager code"
_MODEL: Final = "another model, or another reading of it"
_SPECULATION: Final = "accepts drafts that the model itself would not have written"

# By the arguments' names without dashes and `no-`, as vLLM 0.32 and SGLang take them.
_ARGUMENTS: Final[dict[str, str]] = {
    "dtype": _PRECISION,
    "quantization": _PRECISION,
    "torchao-config": _PRECISION,
    "kv-cache-dtype": _KV,
    "kv-cache-dtype-skip-layers": _KV,
    "calculate-kv-scales": _KV,
    "quantization-param-path": _KV,
    "mamba-cache-dtype": _STATE,
    "mamba-ssm-cache-dtype": _STATE,
    "mamba-ssm-dtype": _STATE,
    "enable-mamba-cache-stochastic-rounding": _ROUNDING,
    "mamba-cache-philox-rounds": _ROUNDING,
    "attention-backend": _KERNEL,
    "attention-config": _KERNEL,
    "mamba-backend": _KERNEL,
    "linear-backend": _KERNEL,
    "moe-backend": _KERNEL,
    "kernel-config": _KERNEL,
    "disable-cascade-attn": _KERNEL,
    "enforce-eager": _COMPILED,
    "optimization-level": _COMPILED,
    "compilation-config": _COMPILED,
    "enable-torch-compile": _COMPILED,
    "model": _MODEL,
    "model-path": _MODEL,
    "revision": _MODEL,
    "load-format": _MODEL,
    "hf-overrides": _MODEL,
    "enable-lora": _MODEL,
    "speculative-accept-threshold-single": _SPECULATION,
    "speculative-accept-threshold-acc": _SPECULATION,
}
_VARIABLES: Final[dict[str, str]] = {
    "VLLM_ATTENTION_BACKEND": _KERNEL,
    "VLLM_USE_FLASHINFER_SAMPLER": "another sampler",
    "VLLM_CPU_SGL_KERNEL": _KERNEL,
    "VLLM_FLASHINFER_MOE_BACKEND": _KERNEL,
}
# With these alone a draft is checked against the model itself, whose answer stays.
_EXACT: Final = frozenset(
    {
        "method",
        "model",
        "num_speculative_tokens",
        "prompt_lookup_max",
        "prompt_lookup_min",
        "draft_tensor_parallel_size",
        "max_model_len",
        "revision",
        "disable_padded_drafter_batch",
    }
)


def numerics_of(args: Mapping[str, Argument], env: Mapping[str, str]) -> dict[str, str]:
    """Return which of these settings may change what the model answers, each with its reason."""
    found = {name: _VARIABLES[name] for name in env if name in _VARIABLES}
    for name, value in args.items():
        plain = plain_name(name.strip("-")).removeprefix("no-")
        if plain in _ARGUMENTS:
            found[name] = _ARGUMENTS[plain]
        elif plain == "speculative-config" and not _is_exact(value):
            found[name] = _SPECULATION
    return found


def changed_numerics(before: Launch, after: Launch) -> dict[str, str]:
    """Return the same for what differs between two ways to start an engine.

    Names are in one spelling; what is taken out counts by what it was.
    """
    mine = in_effect(before.args) | {"model": before.model}
    others = in_effect(after.args) | {"model": after.model}
    changed = [
        name
        for name in sorted(mine.keys() | others.keys())
        if effect_of(mine.get(name)) != effect_of(others.get(name))
    ]
    env = {n for n in before.env.keys() | after.env.keys() if before.env.get(n) != after.env.get(n)}
    found = numerics_of({}, dict.fromkeys(env, ""))
    for args in (mine, others):
        found |= numerics_of({name: args[name] for name in changed if name in args}, {})
    return found


def _is_exact(value: Argument) -> bool:
    """Say whether drafts are only proposed; what cannot be read is not taken to be exact."""
    if value is None or value is False:
        return True
    try:
        stated = json.loads(str(value))
    except ValueError:
        return False
    return isinstance(stated, dict) and stated.keys() <= _EXACT
