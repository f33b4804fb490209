"""What a closed and an open loop both work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tco.measure.client_plan import ClientPlan
from tco.measure.exchange import Exchanges, Tally
from tco.measure.session_queue import SessionQueue
from tco.measure.timers import Timers
from tco.workload import Workload


@dataclass(frozen=True, slots=True)
class Kit:
    """The plan, its workload and sessions, the requests under way, and who is told of the end."""

    plan: ClientPlan
    workload: Workload
    sessions: SessionQueue
    exchanges: Exchanges
    timers: Timers
    tally: Tally
    on_idle: Callable[[], None]
