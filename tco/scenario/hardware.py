"""What the engine runs on: a server bought or rented, and its electricity."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, StrictBool, model_validator

from tco.quantity import (
    Amount,
    AtLeastOne,
    Change,
    Model,
    PositiveCount,
    Quantity,
    Share,
    Years,
    at_most_one,
    fault,
)
from tco.scenario.money import OtherOperations


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
        at_most_one(self, "residual_usd", "residual_share")
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


class OneOff(Model):
    """What is paid once for the whole fleet, bought or rented."""

    network_usd: Amount = Quantity(value=0.0)
    rack_usd: Amount = Quantity(value=0.0)
    migration_usd: Amount = Quantity(value=0.0)


class Hardware(Model):
    """What the engine runs on: bought or rented; a catalog row fills what is not given.

    Attributes:
        embodied_kg_co2e: of making one server, spread over a purchase's life.
    """

    catalog: str | None = None
    purchase: Purchase | None = None
    rent: Rent | None = None
    embodied_kg_co2e: Amount | None = None
    one_off: OneOff = OneOff()

    @model_validator(mode="after")
    def _buy_or_rent(self) -> Self:
        at_most_one(self, "purchase", "rent")
        if self.catalog is None and self.purchase is None and self.rent is None:
            raise fault("needs `purchase`, `rent` or `catalog`")
        if self.embodied_kg_co2e is not None and self.rent is not None:
            raise fault(
                "is spread over the life of a purchase, and a rental has none",
                "leave it out, or add its share of an hour to power.kg_co2e_per_kwh",
                key="embodied_kg_co2e",
            )
        return self


class Power(Model):
    """Electricity of one server.

    Attributes:
        region: a row of pricing/electricity/, which fills the two below it where they are left out.
        kg_co2e_per_kwh: carbon intensity of the grid.
    """

    region: str | None = None
    idle_w: Amount = Quantity(value=0.0)
    load_w: Amount
    rest_of_server_w: Amount | None = None
    pue: AtLeastOne = Quantity(value=1.0)
    usd_per_kwh: Amount
    kg_co2e_per_kwh: Amount | None = None
    price_growth_per_year: Change = Quantity(value=0.0)

    @model_validator(mode="after")
    def _idle_below_load(self) -> Self:
        if self.idle_w.value > self.load_w.value:
            raise fault(
                f"must not be above load_w ({self.load_w.value:g}), got {self.idle_w.value:g}",
                "give both in watts, not kilowatts",
                key="idle_w",
            )
        return self


class OtherHardware(Hardware):
    """Another way to run the same measured engine, beside the scenario's own.

    Attributes:
        power: left out, the scenario's own, unless the rental includes it.
        operations: what is left out of them is the scenario's.
    """

    name: str = Field(min_length=1)
    power: Power | None = None
    operations: OtherOperations = OtherOperations()

    @model_validator(mode="after")
    def _power_is_paid_once(self) -> Self:
        if self.power is not None and self.rent is not None and self.rent.power_included:
            raise fault(
                "cannot stand beside a rental that includes it",
                "drop `power`, or set rent.power_included to false",
                key="power",
            )
        return self

    def power_beside(self, scenarios: Power | None) -> Power | None:
        """Return its electricity: its own, else the scenario's; None where the rent includes it."""
        if self.power is not None:
            return self.power
        return None if self.rent is not None and self.rent.power_included else scenarios
