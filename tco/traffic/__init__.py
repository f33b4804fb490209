"""Traffic is a file of real requests, read into a Workload whatever tool wrote it."""

from __future__ import annotations

from tco.traffic.reading import Traffic, load_traffic, parsed_traffic

__all__ = ["Traffic", "load_traffic", "parsed_traffic"]
