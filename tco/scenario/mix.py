"""A mix is several shapes of requests on one fleet, each with its weight."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pydantic import Field

from tco.quantity import Model, Positive, Quantity, Share, fault
from tco.scenario.length import Length, mean_tokens
from tco.scenario.session import RequestMeans


class MixEntry(Model):
    """One shape of a mix.

    Attributes:
        weight: of its requests among all, in any unit.
        requests_per_s: capacity of one replica with this shape alone; of all entries or of none.
    """

    name: str = Field(min_length=1)
    weight: Positive = Quantity(value=1.0)
    input_tokens: Length
    cached_input_share: Share = Quantity(value=0.0)
    output_tokens: Length
    requests_per_s: Positive | None = None


Number = float | npt.NDArray[np.float64]
Mix = tuple[MixEntry, ...]


def check_mix(mix: Mix) -> None:
    """Raise the fault of no entry, two with one name, or a capacity that only some state."""
    # Not by a least length: entries at fault do not count towards it, and theirs is to be said.
    if not mix:
        raise fault("must not be empty", "list a shape of requests a line, each with its name")
    names = [entry.name for entry in mix]
    for place, entry in enumerate(mix):
        if entry.name in names[:place]:
            raise fault(f"stands twice: `{entry.name}`", key=f"{place}.name")
        if (entry.requests_per_s is None) != (mix[0].requests_per_s is None):
            without = place if entry.requests_per_s is None else 0
            raise fault(
                f"states no requests_per_s, and `{mix[place - without].name}` does",
                "state the capacity of every shape alone, or of none",
                key=f"{without}",
            )


def mix_shares(mix: Sequence[MixEntry]) -> tuple[float, ...]:
    """Return the share (0 to 1) of each entry in all requests."""
    whole = math.fsum(entry.weight.value for entry in mix)
    return tuple(entry.weight.value / whole for entry in mix)


def mix_means(mix: Sequence[MixEntry]) -> RequestMeans:
    """Return the mean request; the cached share is of all input, so long prompts weigh more."""
    inputs = [mean_tokens(entry.input_tokens) for entry in mix]
    shares = mix_shares(mix)
    input_tokens = math.fsum(share * each for share, each in zip(shares, inputs, strict=True))
    cached = math.fsum(
        share * each * entry.cached_input_share.value
        for share, each, entry in zip(shares, inputs, mix, strict=True)
    )
    output_tokens = math.fsum(
        share * mean_tokens(entry.output_tokens) for share, entry in zip(shares, mix, strict=True)
    )
    return RequestMeans(input_tokens, cached / input_tokens, output_tokens)


def states_capacity(mix: Sequence[MixEntry] | None) -> bool:
    """Say whether each shape's own capacity is stated."""
    return bool(mix) and all(entry.requests_per_s is not None for entry in mix or ())


def mix_requests_per_s(shares: Sequence[float], requests_per_s: Sequence[Number]) -> Number:
    """Return the capacity of one replica for the mix [requests/s].

    A request takes 1 / r replica-seconds of its shape's capacity r, and these add up:
    1 / sum(share / r), the weighted harmonic mean.
    """
    seconds = [share / each for share, each in zip(shares, requests_per_s, strict=True)]
    return 1 / sum(seconds[1:], start=seconds[0])
