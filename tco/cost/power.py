"""What electricity costs: power between idle and full load, PUE, and a price per kWh."""

from __future__ import annotations

import numpy as np

from tco.cost.number import Number, at_most_one, non_negative, require
from tco.units import HOURS_PER_YEAR, W_PER_KW


def mean_power_w(idle_w: Number, load_w: Number, utilisation: Number) -> Number:
    """Return the mean IT power at a utilisation [W].

    Linear between idle and load (Fan, Weber & Barroso 2007, Power provisioning for a
    warehouse-sized computer).

    Raises:
        ValueError: a power is negative, or the utilisation outside 0 to 1.
    """
    non_negative(idle_w=idle_w, load_w=load_w)
    at_most_one(utilisation=utilisation)
    return idle_w + (load_w - idle_w) * utilisation


def energy_kwh_per_year(
    idle_w: Number, load_w: Number, utilisation: Number, pue: Number = 1.0
) -> Number:
    """Return the energy of a year at the wall of the building [kWh/yr].

    PUE multiplies all IT power (ISO/IEC 30134-2).

    Raises:
        ValueError: as `mean_power_w`, or PUE below 1.
    """
    require(np.asarray(pue) >= 1, "pue must be 1 or more")
    return mean_power_w(idle_w, load_w, utilisation) * pue * HOURS_PER_YEAR / W_PER_KW


def power_usd_per_hour(
    idle_w: Number, load_w: Number, utilisation: Number, pue: Number, usd_per_kwh: Number
) -> Number:
    """Return what electricity costs an hour [USD/h].

    Raises:
        ValueError: as `energy_kwh_per_year`, or a negative price.
    """
    non_negative(usd_per_kwh=usd_per_kwh)
    kwh_per_year = energy_kwh_per_year(idle_w, load_w, utilisation, pue)
    return kwh_per_year * usd_per_kwh / HOURS_PER_YEAR
