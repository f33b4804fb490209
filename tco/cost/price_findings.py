"""What must be said of the alternatives' prices and weights; what several share is said once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence

from tco.cost.contender import Contender
from tco.finding import Finding
from tco.price_row import PRICE_MAX_AGE_DAYS
from tco.scenario import Scenario


def price_findings(
    scenario: Scenario, rivals: Sequence[Contender], date: dt.date
) -> Iterator[Finding]:
    """Yield each finding once, with the names of all alternatives it is about."""
    yield from _weights(rivals)
    if not scenario.slo:
        yield from _no_service_level([rival for rival in rivals if rival.interactive])
    for rival in rivals:
        yield from _age(rival, date)
        if rival.has_hours:
            yield _hours(scenario, rival)
    yield from _writes(scenario, rivals)
    yield from _cached_as_fresh(scenario, rivals)


def _hours(scenario: Scenario, rival: Contender) -> Finding:
    demand = scenario.traffic.demand
    by_profile = demand is not None and demand.profile is not None
    return Finding(
        kind="price_by_hour",
        severity="info",
        path=rival.path,
        message=f"{rival.name} changes its price by the hour; its bill is the mean over the week, "
        + ("weighed by your demand's profile" if by_profile else "all hours alike")
        + f". {rival.share_at_price:.1%} of the requests come at the price shown",
        advice="see that the profile's hours are UTC"
        if by_profile
        else "state traffic.demand.profile (hours in UTC) if your traffic comes at other hours",
        value=rival.share_at_price,
    )


def _writes(scenario: Scenario, rivals: Sequence[Contender]) -> Iterator[Finding]:
    unsaid = [
        rival
        for rival, alternative in zip(rivals, scenario.alternatives, strict=True)
        if rival.writes_cost_more()
        and (alternative.cached_input_share or scenario.traffic.shape.cached_input_share).value > 0
        and alternative.cache_write_5m_share is None
        and alternative.cache_write_1h_share is None
    ]
    if unsaid:
        yield Finding(
            kind="cache_writes_not_stated",
            severity="warn",
            path=_path(unsaid, ".cache_write_5m_share"),
            message=f"{_names(unsaid)} {_verb(unsaid, 'asks', 'ask')} a price for what is written "
            "to the cache, and only reading from it is billed here",
            advice="state cache_write_5m_share or cache_write_1h_share, of all input tokens "
            "(0 if nothing is)",
        )


def _cached_as_fresh(scenario: Scenario, rivals: Sequence[Contender]) -> Iterator[Finding]:
    traffics = scenario.traffic.shape.cached_input_share
    unsaid = [
        rival
        for rival, alternative in zip(rivals, scenario.alternatives, strict=True)
        if not rival.is_bill
        and rival.tier.cached_input_usd is None
        and rival.tier.input_usd > 0
        and (alternative.cached_input_share or traffics).value > 0
    ]
    if unsaid:
        yield Finding(
            kind="cached_billed_as_fresh",
            severity="info",
            path=_path(unsaid, ""),
            message=f"{_names(unsaid)} {_verb(unsaid, 'has', 'have')} no price for cached input: "
            "cached tokens are billed as fresh",
            advice="state usd_per_million.cached_input if the provider sells them for less, "
            "or cached_input_share: 0 if it keeps no cache",
        )


def _weights(rivals: Sequence[Contender]) -> Iterator[Finding]:
    other = [rival for rival in rivals if rival.same_weights is False]
    if other:
        yield Finding(
            kind="other_weights",
            severity="warn",
            path=_path(other, ".same_weights"),
            message=f"{_names(other)} {_verb(other, 'serves', 'serve')} other weights than yours",
            advice="compare the quality of the answers before the price",
        )
    unknown = [rival for rival in rivals if rival.same_weights is None]
    if unknown:
        yield Finding(
            kind="unknown_weights",
            severity="warn",
            path=_path(unknown, ".same_weights"),
            message=f"nothing says whether {_names(unknown)} "
            f"{_verb(unknown, 'serves', 'serve')} the same weights as yours",
            advice="state same_weights: true or false"
            + (" (of the bill, in traffic.bill)" if any(one.is_bill for one in unknown) else ""),
        )


def _no_service_level(interactive: Sequence[Contender]) -> Iterator[Finding]:
    if interactive:
        yield Finding(
            kind="no_service_level",
            severity="warn",
            path="slo",
            message=f"no service level is set, but {_names(interactive)} "
            f"{_verb(interactive, 'sells', 'sell')} interactive service: "
            "a rate at saturation is batch service",
            advice="state slo and measure under it, or compare with a batch price",
        )


def _age(rival: Contender, date: dt.date) -> Iterator[Finding]:
    if rival.source.date is None:
        if rival.source.provider is not None:
            yield Finding(
                kind="price_without_date",
                severity="warn",
                path=rival.path,
                message=f"{rival.source.table} does not say when the price of {rival.name} was "
                "last checked",
                advice="check it on the provider's page, and keep the file's own date with it",
            )
        return
    age_days = (date - rival.source.date).days
    if age_days > PRICE_MAX_AGE_DAYS:
        yield Finding(
            kind="price_is_old",
            severity="warn",
            path=rival.path,
            message=f"the price of {rival.name} was last checked on {rival.source.date}, "
            f"{age_days} days before",
            advice="check it on the provider's page and give a table with --prices",
            value=age_days,
            limit=PRICE_MAX_AGE_DAYS,
        )


def _path(about: Sequence[Contender], key: str) -> str:
    return f"{about[0].path}{key}" if len(about) == 1 else "alternatives"


def _verb(about: Sequence[Contender], one: str, several: str) -> str:
    return one if len(_unique(about)) == 1 else several


def _names(about: Sequence[Contender]) -> str:
    *first, last = _unique(about)
    return f"{', '.join(first)} and {last}" if first else last


def _unique(about: Iterable[Contender]) -> list[str]:
    return list(dict.fromkeys(rival.name for rival in about))
