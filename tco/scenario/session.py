"""A session of agent turns, by its means: one context that grows from call to call."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tco.quantity import Amount, AnyTokens, Model, Quantity, Turns
from tco.scenario.length import Length, mean_tokens


@dataclass(frozen=True, slots=True)
class RequestMeans:
    """The mean request of some traffic: tokens, and the share of input a cache can answer."""

    input_tokens: float
    cached_input_share: float
    output_tokens: float


class SessionShape(Model):
    """A task given to an agent: model calls with tools between them, and a final answer.

    The first call's prompt is the system prompt and the task. Every later call sends the whole
    conversation before it and the output of a tool.

    Attributes:
        turns: model calls of a session; a fraction is met by whole numbers around it.
        system_tokens: alike in all sessions.
        first_input_tokens: the task.
        tool_output_tokens: new in each later call.
        answer_tokens: of every call but the last.
        final_answer_tokens: of the last; as the others if left out.
        tool_wait_s: mean time a tool takes, after an answer.
        think_s: mean time before the user gives the next task (a closed loop's streams).
    """

    turns: Turns
    system_tokens: AnyTokens = Quantity(value=0.0)
    first_input_tokens: Length
    tool_output_tokens: Length
    answer_tokens: Length
    final_answer_tokens: Length | None = None
    tool_wait_s: Amount = Quantity(value=0.0)
    think_s: Amount = Quantity(value=0.0)

    def final_answer(self) -> Length:
        """Return the length of the last call's answer."""
        return self.answer_tokens if self.final_answer_tokens is None else self.final_answer_tokens

    def longest_input_tokens(self) -> float:
        """Return the mean prompt of the last call of a session with the most calls."""
        grown = mean_tokens(self.answer_tokens) + mean_tokens(self.tool_output_tokens)
        prompt = self.system_tokens.value + mean_tokens(self.first_input_tokens)
        return prompt + (math.ceil(self.turns.value) - 1) * grown

    def request_means(self) -> RequestMeans:
        """Return the mean request of a session, each of its requests weighing equally.

        With T turns (whole ones around the mean) call k = 1 … T carries system + first +
        (k - 1)(answer + tool output), so a session's input is
        E[T](system + first) + E[T(T - 1) / 2](answer + tool output). New to a cache are the task
        and the tools' outputs alone.
        """
        turns = self.turns.value
        low = math.floor(turns)
        more = turns - low
        calls_before = low * (low - 1) / 2 + more * low
        first, tool = mean_tokens(self.first_input_tokens), mean_tokens(self.tool_output_tokens)
        answer = mean_tokens(self.answer_tokens)
        prompt = self.system_tokens.value + first
        total = turns * prompt + calls_before * (answer + tool)
        output = (turns - 1) * answer + mean_tokens(self.final_answer())
        return RequestMeans(
            input_tokens=total / turns,
            cached_input_share=1 - (first + (turns - 1) * tool) / total,
            output_tokens=output / turns,
        )
