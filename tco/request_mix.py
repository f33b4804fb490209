"""A RequestMix is the requests of some traffic by length, summed so that each can be billed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RequestMix:
    """Requests sorted by input, as sums from the shortest one on.

    Bills are linear in the tokens, so the requests between two lengths of input cost what the
    difference of two sums does. Entry i of a sum is over the first i distinct lengths, per
    request of the whole mix; the last entry is the mean request's.

    Attributes:
        input_tokens: the distinct lengths of input, ascending.
        requests: share of all requests (0 to 1).
        input_sums: tokens; `cached_sums` and `output_sums` likewise.
        cached_sums: None where every request has the share that the scenario states.
        output_sums: None where the answers do not depend on the length of the input.
    """

    input_tokens: Floats
    requests: Floats
    input_sums: Floats
    cached_sums: Floats | None
    output_sums: Floats | None

    @classmethod
    def of(
        cls,
        input_tokens: npt.ArrayLike,
        *,
        cached_tokens: npt.ArrayLike | None = None,
        output_tokens: npt.ArrayLike | None = None,
        weights: npt.ArrayLike | None = None,
    ) -> Self:
        """Return the mix of these requests, one an entry; each weighs equally unless said.

        Args:
            input_tokens: whole prompts, cached tokens included.
            cached_tokens: of each prompt; None where the scenario states a share.
            output_tokens: of each answer; None where they do not depend on the prompt.
            weights: how often each request comes; any unit.
        """
        lengths, places = np.unique(np.asarray(input_tokens, dtype=float), return_inverse=True)
        each = np.ones(len(places)) if weights is None else np.asarray(weights, dtype=float)
        count = each.sum()

        def sums(tokens: npt.ArrayLike) -> Floats:
            per_length = np.bincount(places, each * np.asarray(tokens, dtype=float), len(lengths))
            # Whole tokens add up without error, so they are divided once they are summed.
            return np.asarray(np.concatenate([[0.0], np.cumsum(per_length)]) / count)

        return cls(
            input_tokens=lengths,
            requests=sums(1.0),
            input_sums=sums(np.asarray(input_tokens)),
            cached_sums=None if cached_tokens is None else sums(cached_tokens),
            output_sums=None if output_tokens is None else sums(output_tokens),
        )

    def share_above(self, tokens: float, *, inclusive: bool = False) -> float:
        """Return the share of requests (0 to 1) with an input above (or from) so many tokens."""
        below = int(np.searchsorted(self.input_tokens, tokens, "left" if inclusive else "right"))
        return float(self.requests[-1] - self.requests[below])
