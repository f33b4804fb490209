"""Greenhouse gas of running the fleet: its energy at the grid's intensity, and its making."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import Reason
from tco.cost.evaluate import Evaluation, Inputs
from tco.cost.fleet import Fleet
from tco.cost.number import Number, non_negative
from tco.cost.ownership import Server
from tco.cost.power import energy_kwh_per_year
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
class Footprint:
    """Energy and greenhouse gas of a fleet in a year; None where the scenario does not tell."""

    energy_kwh_per_year: float | None = None
    energy_kwh_per_year_reason: Reason | None = None
    kg_co2e_per_year: float | None = None
    kg_co2e_per_year_reason: Reason | None = None
    g_co2e_per_million_total: float | None = None
    g_co2e_per_million_total_reason: Reason | None = None


def footprint(scenario: Scenario, inputs: Inputs, evaluation: Evaluation) -> Footprint:
    """Return the fleet's footprint; none of it without watts, no gas without an intensity."""
    power, purchase = scenario.power, scenario.hardware.purchase
    if power is None:
        return Footprint(
            energy_kwh_per_year_reason="no_power_stated",
            kg_co2e_per_year_reason="no_power_stated",
            g_co2e_per_million_total_reason="no_power_stated",
        )
    kwh = float(fleet_kwh_per_year(evaluation.fleet, inputs.server))
    if power.kg_co2e_per_kwh is None:
        return Footprint(
            energy_kwh_per_year=kwh,
            kg_co2e_per_year_reason="no_intensity_stated",
            g_co2e_per_million_total_reason="no_intensity_stated",
        )
    embodied = scenario.hardware.embodied_kg_co2e
    embodied_per_year = 0.0
    if embodied is not None and purchase is not None:
        servers = float(evaluation.fleet.servers)
        embodied_per_year = servers * embodied.value / purchase.life_years.value
    kg = float(kg_co2e_per_year(kwh, power.kg_co2e_per_kwh.value, embodied_per_year))
    tok_per_s = evaluation.served_requests_per_s * (inputs.input_tokens + inputs.output_tokens)
    return Footprint(
        energy_kwh_per_year=kwh,
        kg_co2e_per_year=kg,
        g_co2e_per_million_total=float(g_co2e_per_million(kg, tok_per_s)),
    )
