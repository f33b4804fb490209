"""A Scenario is what the user states: traffic, service level, engine, hardware, money, rivals.

Every number is a `Quantity` (bare, or with a range and a source) in the unit its key
carries. Reading one from a file, with line numbers in errors, is `load_scenario`.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    Tag,
    field_validator,
    model_validator,
)

from tco.quantity import (
    Amount,
    AtLeastOne,
    Change,
    Count,
    Date,
    Model,
    Positive,
    PositiveCount,
    PositiveShare,
    Price,
    Quantity,
    Rate,
    Share,
    ShareBelowOne,
    Streams,
    Tokens,
    Years,
    fault,
    shown,
)

Service = Literal["standard", "batch", "flex", "priority"]
PROFILE_LENGTHS = (24, 168)
_API_KEY_NAME = re.compile(r"[A-Z0-9_]*_API_KEY|TCO_[A-Z0-9_]+")
SLO_KEYS = tuple(
    f"{latency}_p{percent}_ms"
    for latency in ("ttft", "tpot", "itl", "e2e")
    for percent in (50, 90, 95, 99)
)


class LengthSpread(Model):
    """A length in tokens by its mean and 95th percentile."""

    mean: Tokens
    p95: Tokens

    @model_validator(mode="after")
    def _p95_above_mean(self) -> Self:
        if self.p95.value < self.mean.value:
            raise fault(
                f"must not be below mean ({self.mean.value:g}), got {self.p95.value:g}", key="p95"
            )
        return self


def _length_kind(raw: object) -> str:
    spread = isinstance(raw, LengthSpread) or (
        isinstance(raw, Mapping) and not raw.keys().isdisjoint(LengthSpread.model_fields)
    )
    return "(spread)" if spread else "(number)"


# The tags stand in brackets so that an error's key leaves them out.
Length = Annotated[
    Annotated[Tokens, Tag("(number)")] | Annotated[LengthSpread, Tag("(spread)")],
    Discriminator(_length_kind),
]


class Shape(Model):
    """The tokens of one request; means, which may be fractional."""

    input_tokens: Length
    cached_input_share: Share = Quantity(value=0.0)
    output_tokens: Length

    @model_validator(mode="before")
    @classmethod
    def _no_trace(cls, raw: object) -> object:
        if isinstance(raw, Mapping) and "trace" in raw:
            raise fault(
                "takes no trace file in this version",
                "state input_tokens, cached_input_share and output_tokens instead",
                key="trace",
            )
        return raw


class Demand(Model):
    """How much traffic there is; exactly one of the three averages."""

    requests_per_day: Positive | None = None
    average_requests_per_s: Positive | None = None
    average_output_tok_per_s: Positive | None = None
    peak_to_average: AtLeastOne | None = None
    peak_output_tok_per_s: Positive | None = None
    profile: tuple[Amount, ...] | None = None
    target_peak_utilisation: PositiveShare = Quantity(value=1.0)
    spares: Count = Quantity(value=0.0)

    @model_validator(mode="after")
    def _one_average_one_peak(self) -> Self:
        _exactly_one(self, "requests_per_day", "average_requests_per_s", "average_output_tok_per_s")
        _at_most_one(self, "peak_to_average", "profile", "peak_output_tok_per_s")
        average, peak = self.average_output_tok_per_s, self.peak_output_tok_per_s
        if average and peak and peak.value < average.value:
            raise fault(
                f"must not be below average_output_tok_per_s ({average.value:g}), "
                f"got {peak.value:g}",
                key="peak_output_tok_per_s",
            )
        return self

    @field_validator("profile")
    @classmethod
    def _whole_days(cls, profile: tuple[Quantity, ...] | None) -> tuple[Quantity, ...] | None:
        if profile is not None and len(profile) not in PROFILE_LENGTHS:
            raise fault(f"must have 24 or 168 hourly weights, got {len(profile)}")
        if profile is not None and not any(weight.value > 0 for weight in profile):
            raise fault("must have a weight above 0, got only zeros")
        return profile


class Traffic(Model):
    """The shape of a request, and either a utilisation or a demand."""

    shape: Shape
    target_utilisation: PositiveShare | None = None
    demand: Demand | None = None

    @model_validator(mode="after")
    def _utilisation_or_demand(self) -> Self:
        _at_most_one(self, "target_utilisation", "demand")
        return self


def _as_argument(raw: object) -> object:
    if isinstance(raw, Decimal):
        raw = float(raw)
    if isinstance(raw, float) and not math.isfinite(raw):
        raise fault(f"must be finite, got {shown(raw)}")
    if raw is None or isinstance(raw, str | bool | int | float):
        return raw
    raise fault(f"must be text, a number or true, got {shown(raw)}", "put JSON in quotes")


Argument = Annotated[str | bool | int | float | None, BeforeValidator(_as_argument)]


class Launch(Model):
    """An engine to start: a command as a list, never a shell string."""

    command: tuple[str, ...] = Field(default=("vllm", "serve"), min_length=1)
    model: str = Field(min_length=1)
    args: dict[str, Argument] = Field(default_factory=dict)
    env: dict[str, str] = Field(default_factory=dict)


class Attach(Model):
    """A server that already runs."""

    url: str
    model: str = Field(min_length=1)
    api_key_env: str | None = None

    @field_validator("url")
    @classmethod
    def _http(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError:
            usable = False
        if not usable or re.search(r"\s", url):
            raise fault(
                f"must be an http or https URL, got {shown(url)}",
                "write for example http://127.0.0.1:8000",
            )
        if parts.username or parts.query or parts.fragment:
            raise fault(
                "must be only scheme, host, port and path", "name the key's variable in api_key_env"
            )
        return url.rstrip("/")

    @field_validator("api_key_env")
    @classmethod
    def _key_name(cls, name: str | None) -> str | None:
        if name is not None and not _API_KEY_NAME.fullmatch(name):
            raise fault(
                f"must be a name that ends in _API_KEY or starts with TCO_, got {shown(name)}",
                "rename the variable; no other is ever read",
            )
        return name


class Engine(Model):
    """The engine that serves one replica."""

    launch: Launch | None = None
    attach: Attach | None = None
    accelerators: PositiveCount | None = None
    concurrency: Streams | None = None

    @model_validator(mode="after")
    def _launch_or_attach(self) -> Self:
        _at_most_one(self, "launch", "attach")
        return self


class Bench(Model):
    """How long and how often to measure."""

    seed: Annotated[StrictInt, Field(ge=0)] = 1
    window_s: Positive = Quantity(value=60.0)
    max_minutes: Positive = Quantity(value=20.0)
    repeats: PositiveCount = Quantity(value=1.0)


class Published(Model):
    """Somebody's figure for one replica at capacity; exactly one rate."""

    output_tok_per_s: Positive | None = None
    total_tok_per_s: Positive | None = None
    requests_per_s: Positive | None = None
    source: str = Field(min_length=1)
    date: Date

    @model_validator(mode="after")
    def _one_rate(self) -> Self:
        _exactly_one(self, "output_tok_per_s", "total_tok_per_s", "requests_per_s")
        return self


class MeasurementSource(Model):
    """Figures used instead of a bench."""

    published: Published


class Purchase(Model):
    """A server that is bought."""

    price_usd: Amount
    accelerators: PositiveCount = Quantity(value=1.0)
    life_years: Years
    residual_usd: Amount | None = None
    residual_share: Share | None = None
    one_off_usd: Amount = Quantity(value=0.0)

    @model_validator(mode="after")
    def _one_residual(self) -> Self:
        _at_most_one(self, "residual_usd", "residual_share")
        price, residual = self.price_usd.value, self.residual_usd
        if residual is not None and residual.value > price:
            raise fault(
                f"must not be above price_usd ({price:g}), got {residual.value:g}",
                key="residual_usd",
            )
        return self


class Rent(Model):
    """A server that is rented: reserved by the year, or by the hour as demand asks."""

    usd_per_hour: Amount
    accelerators: PositiveCount = Quantity(value=1.0)
    billing: Literal["reserved", "hourly"] = "reserved"
    power_included: StrictBool = True


class Hardware(Model):
    """What the engine runs on: bought or rented; a catalog row fills what is not given."""

    catalog: str | None = None
    purchase: Purchase | None = None
    rent: Rent | None = None

    @model_validator(mode="after")
    def _buy_or_rent(self) -> Self:
        _at_most_one(self, "purchase", "rent")
        if self.catalog is None and self.purchase is None and self.rent is None:
            raise fault("needs `purchase`, `rent` or `catalog`")
        return self


class Power(Model):
    """Electricity of one server."""

    idle_w: Amount = Quantity(value=0.0)
    load_w: Amount
    rest_of_server_w: Amount | None = None
    pue: AtLeastOne = Quantity(value=1.0)
    usd_per_kwh: Amount

    @model_validator(mode="after")
    def _idle_below_load(self) -> Self:
        if self.idle_w.value > self.load_w.value:
            raise fault(
                f"must not be above load_w ({self.load_w.value:g}), got {self.idle_w.value:g}",
                key="idle_w",
            )
        return self


class Operations(Model):
    """What it takes to run the fleet, in its first year."""

    maintenance_share_per_year: Rate = Quantity(value=0.0)
    licence_usd_per_accelerator_year: Amount = Quantity(value=0.0)
    hosting_usd_per_month: Amount = Quantity(value=0.0)
    fte: Amount = Quantity(value=0.0)
    fte_usd_per_year: Amount = Quantity(value=0.0)
    other_usd_per_year: Amount = Quantity(value=0.0)
    growth_per_year: Change = Quantity(value=0.0)

    @model_validator(mode="after")
    def _staff_has_a_price(self) -> Self:
        if self.fte.value > 0 and "fte_usd_per_year" not in self.model_fields_set:
            raise fault("needs fte_usd_per_year beside it", "say what one costs a year", key="fte")
        return self


class Finance(Model):
    """How money of different years is put on one footing."""

    method: Literal["annuity", "straight_line"] = "annuity"
    discount_rate: Rate = Quantity(value=0.08)
    horizon_years: Years | None = None
    api_price_change_per_year: Change = Quantity(value=0.0)


class ApiPrice(Model):
    """An API's price; a missing `cached_input` bills cached tokens as fresh."""

    input: Price
    cached_input: Price | None = None
    output: Price


class Alternative(Model):
    """An API the same request could go to."""

    catalog: str | None = None
    name: str | None = None
    usd_per_million: ApiPrice | None = None
    usd_per_request: Price | None = None
    service: Service = "standard"
    discount: ShareBelowOne = Quantity(value=0.0)
    same_weights: StrictBool | None = None
    cached_input_share: Share | None = None
    token_ratio: Positive = Quantity(value=1.0)
    source: str | None = None

    @model_validator(mode="after")
    def _catalog_or_price(self) -> Self:
        if (self.catalog is None) == (self.usd_per_million is None):
            raise fault("needs either `catalog`, or `name` with `usd_per_million`")
        if self.catalog is None and not self.name:
            raise fault("needs a `name` beside `usd_per_million`")
        return self

    @field_validator("catalog")
    @classmethod
    def _provider_and_model(cls, catalog: str | None) -> str | None:
        if catalog is not None and not re.fullmatch(r"[^/\s]+/\S+", catalog):
            raise fault(f"must be provider/model, got {shown(catalog)}")
        return catalog


class Currency(Model):
    """The currency a report shows; money in the scenario is always USD."""

    code: str
    usd_per_unit: Positive = Quantity(value=1.0)
    source: str | None = None
    date: Date | None = None

    @model_validator(mode="after")
    def _code_and_rate(self) -> Self:
        if not re.fullmatch(r"[A-Z]{3}", self.code):
            raise fault(f"must be three capitals like EUR, got {shown(self.code)}")
        if self.code != "USD" and "usd_per_unit" not in self.model_fields_set:
            raise fault(
                f"needs a rate to show {self.code}",
                f"write {{code: {self.code}, usd_per_unit: 1.09}} with today's rate",
            )
        if self.code == "USD" and self.usd_per_unit.value != 1:
            raise fault(f"must be 1 for USD, got {self.usd_per_unit.value:g}", key="usd_per_unit")
        return self


def _as_currency(raw: object) -> object:
    return {"code": raw} if isinstance(raw, str) else raw


class Scenario(Model):
    """Everything the user states; the contract is in the documentation's scenario reference."""

    schema_: Literal["tco.scenario/1"] = Field(alias="schema")
    name: str = Field(min_length=1)
    currency: Annotated[
        Currency, BeforeValidator(_as_currency, json_schema_input_type=str | Currency)
    ] = Currency(code="USD")
    date: Date | None = None
    traffic: Traffic
    slo: dict[str, Positive] = Field(default_factory=dict)
    engine: Engine | None = None
    bench: Bench = Bench()
    measurement: MeasurementSource | None = None
    hardware: Hardware
    power: Power | None = None
    operations: Operations = Operations()
    finance: Finance = Finance()
    alternatives: tuple[Alternative, ...] = Field(default=(), min_length=0)

    @field_validator("slo", mode="before")
    @classmethod
    def _slo_keys(cls, slo: object) -> object:
        for key in slo if isinstance(slo, Mapping) else ():
            if key not in SLO_KEYS:
                close = difflib.get_close_matches(key, SLO_KEYS, n=1)
                remedy = f"did you mean `{close[0]}`? " if close else ""
                remedy += "the keys are {ttft|tpot|itl|e2e}_p{50|90|95|99}_ms"
                raise fault(f"unknown key `{key}`", remedy, key=key)
        return slo

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        rent, purchase = self.hardware.rent, self.hardware.purchase
        if self.power is not None and rent is not None and rent.power_included:
            raise fault(
                "`power` cannot stand beside a rental that includes it",
                "drop `power`, or set hardware.rent.power_included to false",
                key="power",
            )
        horizon = self.finance.horizon_years
        if purchase and horizon and horizon.value != purchase.life_years.value:
            raise fault(
                f"finance.horizon_years ({horizon.value:g}) must equal "
                f"hardware.purchase.life_years ({purchase.life_years.value:g})",
                "leave horizon_years out, or make the two equal",
                key="finance.horizon_years",
            )
        self._replica_fits()
        return self

    def _replica_fits(self) -> None:
        """Without demand there is one server, so a replica must fit in it."""
        server = self.hardware.purchase or self.hardware.rent
        if server is None or self.engine is None or self.engine.accelerators is None:
            return
        replica = self.engine.accelerators.value
        if self.traffic.demand is None and replica > server.accelerators.value:
            raise fault(
                f"must not be above the server's {server.accelerators.value:g}, got {replica:g}",
                "state traffic.demand to size a fleet of several servers",
                key="engine.accelerators",
            )


def _given(model: Model, *names: str) -> list[str]:
    return [name for name in names if getattr(model, name) is not None]


def _at_most_one(model: Model, *names: str) -> None:
    given = _given(model, *names)
    if len(given) > 1:
        listed = " and ".join(f"`{name}`" for name in given)
        raise fault(f"{listed} exclude each other", "keep one of them", key=given[-1])


def _exactly_one(model: Model, *names: str) -> None:
    _at_most_one(model, *names)
    if not _given(model, *names):
        raise fault("needs one of " + ", ".join(f"`{name}`" for name in names))
