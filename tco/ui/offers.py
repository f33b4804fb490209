"""An Offer is a key that the what-if page may show, with the words and the span of its slider."""

from __future__ import annotations

from dataclasses import dataclass

_SHARE, _YEARLY, _USD = "share, 0 to 1", "a year, 0.1 is 10 %", "USD"
_TOKENS, _TIMES, _WATTS = "tokens a request", "times", "watts"
_RATE = "tokens a second"
_ABOVE_0 = 1e-3  # the slider's first step
_PER_MILLION = "USD per million tokens"


@dataclass(frozen=True, slots=True)
class Offer:
    """A scenario key, or a pattern whose `*` stands for the entries of a list.

    Attributes:
        least: where its slider begins.
        most: where it ends at least; None: at twice the value, to a round number.
        rare: shown only where the scenario states something other than 0 or 1.
        whole: takes whole numbers only.
    """

    key: str
    label: str
    unit: str
    least: float = 0.0
    most: float | None = None
    rare: bool = False
    whole: bool = False


TRAFFIC = (
    Offer("traffic.target_utilisation", "Utilisation", _SHARE, 0.01, 1),
    Offer("traffic.demand.requests_per_day", "Requests", "a day", _ABOVE_0),
    Offer("traffic.demand.average_requests_per_s", "Requests, average", "a second", _ABOVE_0),
    Offer("traffic.demand.average_output_tok_per_s", "Output, average", _RATE, _ABOVE_0),
    Offer("traffic.demand.scale", "Demand of the trace", _TIMES, _ABOVE_0),
    Offer("traffic.demand.peak_to_average", "Peak", "times the average", 1, 5),
    Offer("traffic.demand.peak_output_tok_per_s", "Output, peak", _RATE, _ABOVE_0),
    Offer("traffic.demand.target_peak_utilisation", "Load at the peak", _SHARE, 0.01, 1),
    Offer("traffic.demand.availability", "Availability of a replica", _SHARE, 0.5, 1),
    Offer("traffic.demand.spares", "Spare replicas", "beyond the peak", 0, 4, whole=True),
    Offer("traffic.shape.input_tokens", "Input", _TOKENS, 1),
    Offer("traffic.shape.cached_input_share", "Cached input", _SHARE, 0, 1),
    Offer("traffic.shape.output_tokens", "Output", _TOKENS, 1),
    Offer("traffic.shape.session.turns", "Model calls", "a session", 1),
    Offer("traffic.shape.session.system_tokens", "System prompt", "tokens"),
    Offer("traffic.shape.session.first_input_tokens", "Task", "tokens", 1),
    Offer("traffic.shape.session.tool_output_tokens", "Output of a tool", "tokens", 1),
    Offer("traffic.shape.session.answer_tokens", "Answer of a call", "tokens", 1),
    Offer("traffic.shape.session.final_answer_tokens", "Final answer", "tokens", 1),
    Offer("traffic.shape.mix.*.weight", "weight", "in the mix", _ABOVE_0),
    Offer("traffic.shape.mix.*.input_tokens", "input", _TOKENS, 1),
    Offer("traffic.shape.mix.*.cached_input_share", "cached input", _SHARE, 0, 1, rare=True),
    Offer("traffic.shape.mix.*.output_tokens", "output", _TOKENS, 1),
    Offer("traffic.shape.mix.*.requests_per_s", "capacity", "requests a second", _ABOVE_0),
    Offer("measurement.published.output_tok_per_s", "Capacity", "output tokens a second", _ABOVE_0),
    Offer("measurement.published.total_tok_per_s", "Capacity", "total tokens a second", _ABOVE_0),
    Offer("measurement.published.requests_per_s", "Capacity", "requests a second", _ABOVE_0),
)
HARDWARE = (
    Offer("hardware.purchase.price_usd", "Price of a server", _USD),
    Offer("hardware.purchase.life_years", "Life of the hardware", "years", 1, 7),
    Offer("hardware.purchase.residual_share", "Residual value", "share of the price", 0, 1),
    Offer("hardware.purchase.residual_usd", "Residual value", _USD),
    Offer("hardware.purchase.one_off_usd", "Paid once, a server", _USD, 0, 10_000),
    Offer("hardware.rent.usd_per_hour", "Rent of a server", "USD an hour"),
    Offer("hardware.one_off.network_usd", "Network, once", _USD, rare=True),
    Offer("hardware.one_off.rack_usd", "Racks, once", _USD, rare=True),
    Offer("hardware.one_off.migration_usd", "Migration, once", _USD, rare=True),
    Offer("other_hardware.*.purchase.price_usd", "price", _USD),
    Offer("other_hardware.*.purchase.life_years", "life", "years", 1, 7),
    Offer("other_hardware.*.rent.usd_per_hour", "rent", "USD an hour"),
)
POWER = (
    Offer("power.idle_w", "Server, idle", _WATTS),
    Offer("power.load_w", "Server, under load", _WATTS),
    Offer("power.pue", "PUE", "facility by server power", 1, 2),
    Offer("power.usd_per_kwh", "Electricity", "USD per kWh", 0, 0.5),
    Offer("power.price_growth_per_year", "Growth of its price", _YEARLY, -0.2, 0.2),
)
OPERATIONS = (
    Offer("operations.fte", "Staff", "people for the fleet", 0, 2),
    Offer("operations.fte_usd_per_year", "Salary of one", "USD a year", 0, 300_000),
    Offer("operations.maintenance_share_per_year", "Maintenance", "share of price a year", 0, 0.25),
    Offer("operations.licence_usd_per_accelerator_year", "Licence", "USD an accelerator and year",
          0, 10_000),
    Offer("operations.hosting_usd_per_month", "Hosting", "USD a server and month", 0, 2_000),
    Offer("operations.colocation_usd_per_kw_month", "Colocation", "USD a kW and month", rare=True),
    Offer("operations.failures_per_accelerator_year", "Failures", "an accelerator and year",
          rare=True),
    Offer("operations.repair_usd_per_failure", "Repair", "USD a failure", rare=True),
    Offer("operations.other_usd_per_year", "Other costs", "USD a year", 0, 50_000),
    Offer("operations.growth_per_year", "Growth of these costs", _YEARLY, -0.1, 0.2),
)  # fmt: skip
FINANCE = (
    Offer("finance.discount_rate", "Discount rate", _YEARLY, 0, 0.25),
    Offer("finance.api_price_change_per_year", "Change of API prices", _YEARLY, -0.5, 0.2),
    Offer("finance.horizon_years", "Horizon", "years", 1, 10),
    Offer("finance.refresh_price_change_per_year", "Change of hardware prices", _YEARLY, -0.5, 0.2,
          rare=True),
    Offer("finance.tax_rate", "Tax on savings", _SHARE, 0, 0.5, rare=True),
)  # fmt: skip
ALTERNATIVE = (
    Offer("alternatives.*.usd_per_million.input", "Input", _PER_MILLION),
    Offer("alternatives.*.usd_per_million.cached_input", "Cached input", _PER_MILLION),
    Offer("alternatives.*.usd_per_million.output", "Output", _PER_MILLION),
    Offer("alternatives.*.usd_per_request", "Beside tokens", "USD a request", rare=True),
    Offer("alternatives.*.discount", "Discount", _SHARE, 0, 0.99),
    Offer("alternatives.*.cached_input_share", "Cached by it", "share of the input", 0, 1),
    Offer("alternatives.*.token_ratio", "Its tokens", "per token of ours", 0.5, 2, rare=True),
)
GROUPS = (
    ("Traffic and capacity", TRAFFIC),
    ("Hardware", HARDWARE),
    ("Electricity", POWER),
    ("People and upkeep", OPERATIONS),
    ("Finance", FINANCE),
)
