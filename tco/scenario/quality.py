"""How far answers may change for speed: the limits that a step of a tuning must keep."""

from __future__ import annotations

from pydantic import Field

from tco.quantity import Amount, Model, Positive, Quantity, Share


class QualityLimits(Model):
    """Limits on a change of what the model computes, against the scenario's own settings.

    Attributes:
        mean_logprob_drift: mean of the absolute changes of the log-probabilities of a prompt's
            tokens [nats a token]; 0.02 bounds the change of a perplexity to a factor exp(0.02),
            2 %.
        worst_logprob_drift: the largest change of one token [nats]; at 1 a token became 2.7 times
            as likely or as unlikely.
        greedy_token_agreement: share of the tokens of greedy answers that come before the first
            that differs, at least.
        greedy_prompt_agreement: share of the prompts whose whole greedy answer is the same, at
            least.
        command: scores the endpoint; a list, never a shell string. None: nothing is scored.
        timeout_s: for the command.
        score_drop: the most that its score may fall, in the score's own unit; higher is better.
    """

    mean_logprob_drift: Positive = Quantity(value=0.02)
    worst_logprob_drift: Positive = Quantity(value=1.0)
    greedy_token_agreement: Share = Quantity(value=0.5)
    greedy_prompt_agreement: Share = Quantity(value=0.25)
    command: tuple[str, ...] | None = Field(default=None, min_length=1)
    timeout_s: Positive = Quantity(value=1800.0)
    score_drop: Amount = Quantity(value=0.01)


class Tune(Model):
    """What `tco tune` holds to beside the service level; says nothing of what is costed."""

    quality: QualityLimits = QualityLimits()
