"""An Offer is a key that the what-if page may show, with the unit and the span of its slider."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.key_words import WORDS

_SHARE, _YEARLY, _USD = "share, 0 to 1", "a year, 0.1 is 10 %", "USD"
_TOKENS, _TIMES, _WATTS = "tokens", "times", "watts"
_RATE = "tokens a second"
_ABOVE_0 = 1e-3  # the slider's first step
_PER_MILLION = "USD per million tokens"


@dataclass(frozen=True, slots=True)
class Offer:
    """A scenario key, or a pattern whose `*` stands for the entries of a list.

    What it is called stands in `tco.report.key_words`.

    Attributes:
        least: where its slider begins.
        most: where it ends at least; None: at twice the value, to a round number.
        rare: shown only where the scenario states something other than 0 or 1.
        whole: takes whole numbers only.
    """

    key: str
    unit: str
    least: float = 0.0
    most: float | None = None
    rare: bool = False
    whole: bool = False

    @property
    def label(self) -> str:
        """What the key is called."""
        words = WORDS[self.key]
        return words[:1].upper() + words[1:]


TRAFFIC = (
    Offer("traffic.target_utilisation", _SHARE, 0.01, 1),
    Offer("traffic.demand.requests_per_day", "requests", _ABOVE_0),
    Offer("traffic.demand.average_requests_per_s", "requests", _ABOVE_0),
    Offer("traffic.demand.average_output_tok_per_s", _RATE, _ABOVE_0),
    Offer("traffic.demand.scale", _TIMES, _ABOVE_0),
    Offer("traffic.demand.peak_to_average", _TIMES, 1, 5),
    Offer("traffic.demand.peak_output_tok_per_s", _RATE, _ABOVE_0),
    Offer("traffic.demand.target_peak_utilisation", _SHARE, 0.01, 1),
    Offer("traffic.demand.availability", _SHARE, 0.5, 1),
    Offer("traffic.demand.spares", "beyond the peak", 0, 4, whole=True),
    Offer("traffic.shape.input_tokens", _TOKENS, 1),
    Offer("traffic.shape.cached_input_share", _SHARE, 0, 1),
    Offer("traffic.shape.output_tokens", _TOKENS, 1),
    Offer("traffic.shape.session.turns", "calls", 1),
    Offer("traffic.shape.session.system_tokens", "tokens"),
    Offer("traffic.shape.session.first_input_tokens", "tokens", 1),
    Offer("traffic.shape.session.tool_output_tokens", "tokens", 1),
    Offer("traffic.shape.session.answer_tokens", "tokens", 1),
    Offer("traffic.shape.session.final_answer_tokens", "tokens", 1),
    Offer("traffic.shape.mix.*.weight", "in the mix", _ABOVE_0),
    Offer("traffic.shape.mix.*.input_tokens", _TOKENS, 1),
    Offer("traffic.shape.mix.*.cached_input_share", _SHARE, 0, 1, rare=True),
    Offer("traffic.shape.mix.*.output_tokens", _TOKENS, 1),
    Offer("traffic.shape.mix.*.requests_per_s", "requests a second", _ABOVE_0),
    Offer("measurement.published.output_tok_per_s", "output tokens a second", _ABOVE_0),
    Offer("measurement.published.total_tok_per_s", "total tokens a second", _ABOVE_0),
    Offer("measurement.published.requests_per_s", "requests a second", _ABOVE_0),
)
HARDWARE = (
    Offer("hardware.purchase.price_usd", _USD),
    Offer("hardware.purchase.life_years", "years", 1, 7),
    Offer("hardware.purchase.residual_share", _SHARE, 0, 1),
    Offer("hardware.purchase.residual_usd", _USD),
    Offer("hardware.purchase.one_off_usd", _USD, 0, 10_000),
    Offer("hardware.rent.usd_per_hour", "USD an hour"),
    Offer("hardware.one_off.network_usd", _USD, rare=True),
    Offer("hardware.one_off.rack_usd", _USD, rare=True),
    Offer("hardware.one_off.migration_usd", _USD, rare=True),
    Offer("other_hardware.*.purchase.price_usd", _USD),
    Offer("other_hardware.*.purchase.life_years", "years", 1, 7),
    Offer("other_hardware.*.rent.usd_per_hour", "USD an hour"),
)
POWER = (
    Offer("power.idle_w", _WATTS),
    Offer("power.load_w", _WATTS),
    Offer("power.pue", _TIMES, 1, 2),
    Offer("power.usd_per_kwh", "USD per kWh", 0, 0.5),
    Offer("power.price_growth_per_year", _YEARLY, -0.2, 0.2),
)
OPERATIONS = (
    Offer("operations.fte", "people for the fleet", 0, 2),
    Offer("operations.fte_usd_per_year", "USD a year", 0, 300_000),
    Offer("operations.maintenance_share_per_year", _SHARE, 0, 0.25),
    Offer("operations.licence_usd_per_accelerator_year", "USD an accelerator and year",
          0, 10_000),
    Offer("operations.hosting_usd_per_month", "USD a server and month", 0, 2_000),
    Offer("operations.colocation_usd_per_kw_month", "USD a kW and month", rare=True),
    Offer("operations.failures_per_accelerator_year", "an accelerator and year",
          rare=True),
    Offer("operations.repair_usd_per_failure", "USD a failure", rare=True),
    Offer("operations.other_usd_per_year", "USD a year", 0, 50_000),
    Offer("operations.growth_per_year", _YEARLY, -0.1, 0.2),
)  # fmt: skip
FINANCE = (
    Offer("finance.discount_rate", _YEARLY, 0, 0.25),
    Offer("finance.api_price_change_per_year", _YEARLY, -0.5, 0.2),
    Offer("finance.horizon_years", "years", 1, 10),
    Offer("finance.refresh_price_change_per_year", _YEARLY, -0.5, 0.2,
          rare=True),
    Offer("finance.tax_rate", _SHARE, 0, 0.5, rare=True),
)  # fmt: skip
ALTERNATIVE = (
    Offer("alternatives.*.usd_per_million.input", _PER_MILLION),
    Offer("alternatives.*.usd_per_million.cached_input", _PER_MILLION),
    Offer("alternatives.*.usd_per_million.output", _PER_MILLION),
    Offer("alternatives.*.usd_per_request", "USD a request", rare=True),
    Offer("alternatives.*.discount", _SHARE, 0, 0.99),
    Offer("alternatives.*.cached_input_share", _SHARE, 0, 1),
    Offer("alternatives.*.token_ratio", "per token of ours", 0.5, 2, rare=True),
)
GROUPS = (
    ("Traffic and capacity", TRAFFIC),
    ("Hardware", HARDWARE),
    ("Electricity", POWER),
    ("People and upkeep", OPERATIONS),
    ("Finance", FINANCE),
)
