"""Greenhouse gas of running the fleet: its energy at the grid's intensity, and its making."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tco.comparison import Reason
from tco.cost.answers import present
from tco.cost.evaluate import Evaluation, Inputs
from tco.cost.fleet import Fleet
from tco.cost.number import Number, non_negative
from tco.cost.ownership import Server
from tco.cost.power import energy_kwh_per_year
from tco.cost.reader import Reader
from tco.scenario import Scenario
from tco.units import G_PER_KG, SECONDS_PER_YEAR, TOKENS_PER_MILLION


def fleet_kwh_per_year(fleet: Fleet, server: Server) -> Number:
    """Return the energy of all paid servers, PUE included [kWh/yr].

    Raises:
        ValueError: as `energy_kwh_per_year`.
    """
    per_server = energy_kwh_per_year(server.idle_w, server.load_w, fleet.server_load, server.pue)
    return fleet.servers * per_server


def kg_co2e_per_year(
    kwh_per_year: Number, kg_co2e_per_kwh: Number, embodied_kg_co2e_per_year: Number = 0.0
) -> Number:
    """Return energy x grid intensity + the year's share of the making [kg CO2e/yr].

    GHG Protocol, Scope 2 Guidance; the share of the making as in ISO/IEC 21031 (SCI).

    Raises:
        ValueError: a negative number.
    """
    non_negative(
        kwh_per_year=kwh_per_year,
        kg_co2e_per_kwh=kg_co2e_per_kwh,
        embodied_kg_co2e_per_year=embodied_kg_co2e_per_year,
    )
    return kwh_per_year * kg_co2e_per_kwh + embodied_kg_co2e_per_year


def g_co2e_per_million(kg_per_year: Number, tok_per_s: Number) -> Number:
    """Return grams for a million of the tokens served, at their rate averaged over the year."""
    million_per_year = tok_per_s * SECONDS_PER_YEAR / TOKENS_PER_MILLION
    return kg_per_year * G_PER_KG / million_per_year


@dataclass(frozen=True, slots=True)
class CarbonTerms:
    """What a fleet's footprint rests on.

    Attributes:
        has_power: whether the scenario states watts; without them there is no energy.
        kg_co2e_per_kwh: of the grid; None where it is not stated.
        embodied_kg_co2e_per_year: of making one server, over its life; 0 of a rental.
    """

    has_power: bool
    kg_co2e_per_kwh: Number | None
    embodied_kg_co2e_per_year: Number


def carbon_terms_of(read: Reader) -> CarbonTerms:
    """Return the terms as the reader gives them; it then knows what they rest on."""
    intensity, embodied = "power.kg_co2e_per_kwh", "hardware.embodied_kg_co2e"
    has_embodied = read.scenario.hardware.purchase is not None and read.given(embodied)
    return CarbonTerms(
        has_power=read.scenario.power is not None,
        kg_co2e_per_kwh=read(intensity) if read.given(intensity) else None,
        embodied_kg_co2e_per_year=(
            read(embodied) / read("hardware.purchase.life_years") if has_embodied else 0.0
        ),
    )


@dataclass(frozen=True, slots=True)
class Carbon:
    """Energy and greenhouse gas of a fleet in a year; NaN where the scenario does not tell."""

    energy_kwh_per_year: Number
    kg_co2e_per_year: Number
    g_co2e_per_million_total: Number


def carbon(terms: CarbonTerms, inputs: Inputs, evaluation: Evaluation) -> Carbon:
    """Return the fleet's energy and gas; none of it without watts, no gas without an intensity."""
    if not terms.has_power:
        return Carbon(np.nan, np.nan, np.nan)
    kwh = fleet_kwh_per_year(evaluation.fleet, inputs.server)
    if terms.kg_co2e_per_kwh is None:
        return Carbon(kwh, np.nan, np.nan)
    embodied = evaluation.fleet.servers * terms.embodied_kg_co2e_per_year
    kg = kg_co2e_per_year(kwh, terms.kg_co2e_per_kwh, embodied)
    tok_per_s = evaluation.served_requests_per_s * (inputs.input_tokens + inputs.output_tokens)
    return Carbon(kwh, kg, g_co2e_per_million(kg, tok_per_s))


@dataclass(frozen=True, slots=True)
class Footprint:
    """Energy and greenhouse gas of a fleet in a year; None where the scenario does not tell."""

    energy_kwh_per_year: float | None = None
    energy_kwh_per_year_reason: Reason | None = None
    kg_co2e_per_year: float | None = None
    kg_co2e_per_year_reason: Reason | None = None
    g_co2e_per_million_total: float | None = None
    g_co2e_per_million_total_reason: Reason | None = None


def footprint(scenario: Scenario, inputs: Inputs, evaluation: Evaluation) -> Footprint:
    """Return the footprint of a single point, with the reason where there is none."""
    terms = carbon_terms_of(Reader(scenario))
    found = carbon(terms, inputs, evaluation)
    no_energy: Reason | None = None if terms.has_power else "no_power_stated"
    no_gas: Reason | None = no_energy or (
        "no_intensity_stated" if terms.kg_co2e_per_kwh is None else None
    )
    return Footprint(
        energy_kwh_per_year=present(found.energy_kwh_per_year),
        energy_kwh_per_year_reason=no_energy,
        kg_co2e_per_year=present(found.kg_co2e_per_year),
        kg_co2e_per_year_reason=no_gas,
        g_co2e_per_million_total=present(found.g_co2e_per_million_total),
        g_co2e_per_million_total_reason=no_gas,
    )
