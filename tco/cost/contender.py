"""A contender is an alternative as it enters the comparison: priced, sourced, named."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from tco.comparison import PriceSource
from tco.cost.api_bill import ApiTerms, Tier, tier_for
from tco.cost.bill import bill_facts_of
from tco.cost.price_hours import hourly_weights, price_hours
from tco.errors import InputError
from tco.prices import PriceTables
from tco.scenario import Alternative, Scenario, alternative_names, stated_name

INTERACTIVE = frozenset({"standard", "priority"})


@dataclass(frozen=True, slots=True)
class Contender:
    """An alternative with the price that holds for the mean request.

    Attributes:
        path: its scenario key, for findings.
        tier: the list prices that hold, before any discount.
        source: where they come from.
        same_weights: None where nobody says.
        is_bill: it is what a bill says was paid.
        has_hours: its price also depends on the hour.
        share_at_price: of the requests, those that come at hours with this price.
    """

    path: str
    name: str
    tier: Tier
    source: PriceSource
    same_weights: bool | None
    interactive: bool
    has_hours: bool
    share_at_price: float
    is_bill: bool = False

    def writes_cost_more(self) -> bool:
        """Say whether writing to its cache costs other than fresh input."""
        writes = (self.tier.cache_write_5m_usd, self.tier.cache_write_1h_usd)
        return any(usd is not None and usd != self.tier.input_usd for usd in writes)


def with_batch_prices(scenario: Scenario, tables: PriceTables, date: dt.date) -> Scenario:
    """Return the scenario with batch prices beside interactive ones where no service level is set.

    A rate at saturation is batch service; so where the table sells the same model as batch,
    that price stands at the end of the alternatives.
    """
    if scenario.slo:
        return scenario
    stated = {(each.catalog, each.service) for each in scenario.alternatives}
    batch: list[Alternative] = []
    for index, each in enumerate(scenario.alternatives):
        if each.service not in INTERACTIVE or (each.catalog, "batch") in stated:
            continue
        as_batch = each.model_copy(
            update={"service": "batch", "name": f"{stated_name(each)} (batch)"}
        )
        if _is_sold(scenario, as_batch, index, tables, date):
            stated.add((each.catalog, "batch"))
            batch.append(as_batch)
    return scenario.model_copy(update={"alternatives": (*scenario.alternatives, *batch)})


def _is_sold(
    scenario: Scenario, alternative: Alternative, index: int, tables: PriceTables, date: dt.date
) -> bool:
    if alternative.catalog is None:
        return False
    try:
        return bool(price_hours(alternative, index, tables, date, hourly_weights(scenario)))
    except InputError:
        return False


def contenders(
    scenario: Scenario,
    terms: tuple[ApiTerms, ...],
    tables: PriceTables,
    input_tokens: float,
) -> tuple[Contender, ...]:
    """Return the alternatives, in order, with the price that holds for that much input."""
    return tuple(
        _contender(scenario, index, terms[index], tables, name=name, input_tokens=input_tokens)
        for index, name in enumerate(alternative_names(scenario.alternatives))
    )


def _contender(
    scenario: Scenario,
    index: int,
    terms: ApiTerms,
    tables: PriceTables,
    *,
    name: str,
    input_tokens: float,
) -> Contender:
    alternative = scenario.alternatives[index]
    weights, hours, source = None, False, _own_source(scenario, alternative)
    is_bill = alternative.is_bill is True
    if alternative.catalog is not None:
        listed = tables.find(alternative.catalog)
        weights = listed.offer.weights
        sold = [row for row in listed.offer.prices if row.service == alternative.service]
        hours = any(row.windows_utc for row in sold)
        source = PriceSource(
            table=listed.table,
            provider=listed.provider,
            model=listed.offer.model,
            service=alternative.service,
            date=listed.offer.date,
            row_sha256=listed.offer.sha256(),
        )
    return Contender(
        path="traffic.bill" if is_bill else f"alternatives.{index}",
        name=name,
        tier=tier_for(terms, input_tokens),
        source=source,
        same_weights=_same_weights(scenario, alternative, weights),
        interactive=alternative.service in INTERACTIVE and not is_bill,
        has_hours=hours,
        share_at_price=terms.by_hour()[0].share,
        is_bill=is_bill,
    )


def _own_source(scenario: Scenario, alternative: Alternative) -> PriceSource:
    bill = bill_facts_of(scenario) if alternative.is_bill else None
    return PriceSource(
        table="scenario" if bill is None else ", ".join(bill.files),
        provider=None,
        model=None,
        service=alternative.service,
        date=None,
        row_sha256=None,
    )


def _same_weights(scenario: Scenario, alternative: Alternative, weights: str | None) -> bool | None:
    """Equal where declared so, or where the table names the very weights we serve."""
    engine = scenario.engine
    served = (engine.launch or engine.attach) if engine is not None else None
    if alternative.same_weights is not None or weights is None or served is None:
        return alternative.same_weights
    return True if served.model.casefold() == weights.casefold() else None
