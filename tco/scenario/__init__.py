"""A Scenario is what the user states: traffic, service level, engine, hardware, money, rivals.

Every number is a `Quantity` (bare, or with a range and a source) in the unit its key
carries. Reading one from a file, with line numbers in errors, is `load_scenario`.
"""

from __future__ import annotations

from tco.scenario.alternative import Alternative, ApiPrice, Service
from tco.scenario.argument import Argument, effect_of, in_effect, plain_name
from tco.scenario.bill import BillSource
from tco.scenario.document import Scenario
from tco.scenario.engine import (
    Attach,
    Bench,
    Engine,
    Launch,
    MeasurementSource,
    Published,
)
from tco.scenario.hardware import Hardware, OtherHardware, Power, Purchase, Rent
from tco.scenario.length import Length, LengthSpread, mean_tokens
from tco.scenario.meter import PowerMeter
from tco.scenario.mix import MixEntry, mix_means, mix_requests_per_s, mix_shares, states_capacity
from tco.scenario.money import Currency, Finance, Operations, OtherOperations
from tco.scenario.names import alternative_names, hardware_names, stated_name
from tco.scenario.quality import QualityLimits, Tune
from tco.scenario.session import RequestMeans, SessionShape
from tco.scenario.traffic import Demand, Shape, Trace, Traffic
from tco.scenario.tuned import Tuned, TunedSettings, TunedShape

__all__ = [
    "Alternative",
    "ApiPrice",
    "Argument",
    "Attach",
    "Bench",
    "BillSource",
    "Currency",
    "Demand",
    "Engine",
    "Finance",
    "Hardware",
    "Launch",
    "Length",
    "LengthSpread",
    "MeasurementSource",
    "MixEntry",
    "Operations",
    "OtherHardware",
    "OtherOperations",
    "Power",
    "PowerMeter",
    "Published",
    "Purchase",
    "QualityLimits",
    "Rent",
    "RequestMeans",
    "Scenario",
    "Service",
    "SessionShape",
    "Shape",
    "Trace",
    "Traffic",
    "Tune",
    "Tuned",
    "TunedSettings",
    "TunedShape",
    "alternative_names",
    "effect_of",
    "hardware_names",
    "in_effect",
    "mean_tokens",
    "mix_means",
    "mix_requests_per_s",
    "mix_shares",
    "plain_name",
    "stated_name",
    "states_capacity",
]
