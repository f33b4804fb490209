"""The whole of a scenario, and the rules between its parts."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from tco.bounds import MAX_LIVES
from tco.quantity import Date, Model, Positive, fault
from tco.scenario.alternative import Alternative
from tco.scenario.engine import Bench, Engine, MeasurementSource
from tco.scenario.hardware import Hardware, OtherHardware, Power
from tco.scenario.mix import states_capacity
from tco.scenario.money import Currency, Finance, Operations
from tco.scenario.quality import Tune
from tco.scenario.traffic import Traffic

SLO_KEYS = tuple(
    f"{latency}_p{percent}_ms"
    for latency in ("ttft", "tpot", "itl", "e2e")
    for percent in (50, 90, 95, 99)
)
# Shares that add up to 1 but for rounding are the whole.
_ROUNDING = 1e-9


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
    tune: Tune = Tune()
    measurement: MeasurementSource | None = None
    hardware: Hardware
    other_hardware: tuple[OtherHardware, ...] = Field(default=(), max_length=20)
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
        if purchase and horizon and horizon.value > MAX_LIVES * purchase.life_years.value:
            raise fault(
                f"finance.horizon_years ({horizon.value:g}) must be at most {MAX_LIVES} times "
                f"hardware.purchase.life_years ({purchase.life_years.value:g})",
                "nobody buys hardware that often",
                key="finance.horizon_years",
            )
        self._replica_fits()
        self._colocation_has_a_load()
        self._other_operations_fit()
        self._input_is_billed_once()
        self._one_capacity()
        return self

    def _one_capacity(self) -> None:
        """A published rate is of the whole mix; so is what its shapes' own rates give."""
        if self.measurement is not None and states_capacity(self.traffic.shape.mix):
            raise fault(
                "cannot stand beside the requests_per_s of each shape in traffic.shape.mix",
                "keep one of them",
                key="measurement",
            )

    def _input_is_billed_once(self) -> None:
        """A token of input is read from an API's cache, written to it, or neither."""
        for index, each in enumerate(self.alternatives):
            cached = (each.cached_input_share or self.traffic.shape.cached_input_share).value
            billed = cached
            for name in ("cache_write_5m_share", "cache_write_1h_share"):
                written = getattr(each, name)
                if written is None or written.value == 0:
                    continue
                if billed + written.value > 1 + _ROUNDING:
                    raise fault(
                        f"must be at most {1 - billed:g}, got {written.value:g}: the other "
                        f"{billed:g} of the input is cached, or written for longer or shorter",
                        "a token of input is read from the cache, written to it, or neither",
                        key=f"alternatives.{index}.{name}",
                    )
                billed += written.value

    def _colocation_has_a_load(self) -> None:
        """Colocation is per kW, so it needs the watts that are contracted."""
        if self.operations.colocation_usd_per_kw_month.value > 0 and self.power is None:
            raise fault(
                "is per kW of a server's load, and the scenario states none",
                "state power.load_w (and usd_per_kwh: 0 where colocation includes electricity)",
                key="operations.colocation_usd_per_kw_month",
            )

    def _other_operations_fit(self) -> None:
        """What other hardware states needs its counterpart, its own or the scenario's."""
        for index, other in enumerate(self.other_hardware):
            under = f"other_hardware.{index}.operations."
            other.operations.over(self.operations).hold_pairs(under)
            colocation = other.operations.colocation_usd_per_kw_month
            if colocation is None or other.power_beside(self.power) is not None:
                continue
            if colocation.value > 0:
                raise fault(
                    "is per kW of a server's load, and none is stated for this hardware",
                    "state its power.load_w, or what a server costs as hosting_usd_per_month",
                    key=f"{under}colocation_usd_per_kw_month",
                )

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
