"""The requests behind a scenario's mean one, as far as the scenario tells them apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from tco.lognormal import Lognormal, fitted_lognormal
from tco.request_mix import Floats, RequestMix
from tco.scenario import (
    Length,
    LengthSpread,
    MixEntry,
    SessionShape,
    Shape,
    mean_tokens,
    mix_shares,
)

# Slices of equal odds that stand for a lognormal; a step of a price falls within one of them.
SLICES = 2000


def requests_of(shape: Shape) -> RequestMix | None:
    """Return the requests by their length of input; None where all are alike, or not known.

    A trace's are its own. Of a session they are its calls, by the means. Of an input with a
    95th percentile they are slices of the lognormal that has it, each by its mean; answers are
    independent of them. A mix is all of its shapes'.
    """
    if shape.trace is not None:
        return shape.trace.requests()
    if shape.session is not None:
        return _calls(shape.session)
    if shape.mix is not None:
        return _mixed(shape.mix)
    if isinstance(shape.input_tokens, LengthSpread):
        return _spread(shape.input_tokens.mean.value, shape.input_tokens.p95.value)
    return None


@lru_cache(maxsize=64)
def _spread(mean: float, p95: float) -> RequestMix:
    tokens = _slices(fitted_lognormal(mean, p95, key="input_tokens"))
    # The slices' mean is the stated one, exactly: cost rests on it, whatever the slicing.
    return RequestMix.of(tokens * (mean / tokens.mean()))


def _mixed(mix: Sequence[MixEntry]) -> RequestMix:
    rows: list[Floats] = []
    for share, entry in zip(mix_shares(mix), mix, strict=True):
        lengths = _lengths(entry.input_tokens)
        cached = lengths * entry.cached_input_share.value
        output = np.full_like(lengths, mean_tokens(entry.output_tokens))
        weight = np.full_like(lengths, share / len(lengths))
        rows.append(np.array([lengths, cached, output, weight]))
    lengths, cached, output, weight = np.concatenate(rows, axis=1)
    return RequestMix.of(lengths, cached_tokens=cached, output_tokens=output, weights=weight)


def _lengths(length: Length) -> Floats:
    """Return equally likely lengths that stand for one."""
    if not isinstance(length, LengthSpread):
        return np.array([length.value])
    return _spread(length.mean.value, length.p95.value).input_tokens


def _slices(fitted: Lognormal) -> Floats:
    """Return the mean length (tokens, at least 1) of each slice of equal odds, ascending.

    The partial expectation of exp(mu + sigma Z) up to z is its mean x Phi(z - sigma).
    """
    normal = NormalDist()
    inner = [normal.inv_cdf(slice_ / SLICES) for slice_ in range(1, SLICES)]
    below = np.array([0.0, *(normal.cdf(edge - fitted.sigma) for edge in inner), 1.0])
    return np.asarray(np.maximum(1.0, fitted.mean() * SLICES * np.diff(below)))


def _calls(session: SessionShape) -> RequestMix:
    """Return the calls of a session: how often each comes, with whole turns around the mean.

    Call k = 1 … T carries system + first + (k - 1)(answer + tool output), of which the task, or
    the tool's output, is new to a cache.
    """
    low = math.floor(session.turns.value)
    more = session.turns.value - low
    first, tool = mean_tokens(session.first_input_tokens), mean_tokens(session.tool_output_tokens)
    answer, final = mean_tokens(session.answer_tokens), mean_tokens(session.final_answer())
    calls = np.arange(low + (more > 0))
    input_tokens = session.system_tokens.value + first + calls * (answer + tool)
    is_made = np.where(calls < low, 1.0, more)
    is_last = np.where(calls < low - 1, 0.0, np.where(calls == low - 1, 1 - more, 1.0))
    return RequestMix.of(
        input_tokens,
        cached_tokens=input_tokens - np.where(calls == 0, first, tool),
        output_tokens=answer + is_last * (final - answer),
        weights=is_made,
    )
