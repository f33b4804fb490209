"""Makes a real vLLM's steps even: a logits processor that ends each step no sooner than planned.

Loaded by the engine itself (`--logits-processors`), in its own environment. With it the engine's
rate hangs on its batch size and the step's length, not on how fast the machine is just then.
"""

from __future__ import annotations

import os
import time
from typing import Any

from vllm.v1.sample.logits_processor import LogitsProcessor


class EvenSteps(LogitsProcessor):  # type: ignore[misc]  # vLLM is not in this environment
    """Changes no logit; waits until the step has its length."""

    def __init__(self, vllm_config: Any, device: Any, is_pin_memory: bool) -> None:  # noqa: FBT001  vLLM's signature
        del vllm_config, device, is_pin_memory
        self._step_s = float(os.environ["TCO_BENCHMARK_STEP_MS"]) / 1000
        self._due_s = time.monotonic()

    def is_argmax_invariant(self) -> bool:
        """Say False: what is True is left out where tokens are chosen greedily."""
        return False

    def update_state(self, batch_update: Any) -> None:
        """Keep nothing of the batch."""

    def apply(self, logits: Any) -> Any:
        """Return the logits as they are, at the end of the step."""
        now = time.monotonic()
        self._due_s = max(now, self._due_s + self._step_s)
        time.sleep(self._due_s - now)
        return logits
