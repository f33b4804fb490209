"""All clients on one load, in turn and several times over; what each costs and how true it is."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from benchmarks.client import Client
from benchmarks.load import Load, Pace
from benchmarks.peer_home import MissingPeerError
from benchmarks.tokenizer import ensure_tokenizer
from benchmarks.trial import FailedTrialError, Trial, run_trial

SHORT_TOKENS = 16
_US_PER_S = 1e6


@dataclass(frozen=True, slots=True)
class Pair:
    """A full run and the same with answers of SHORT_TOKENS, one after the other."""

    full: Trial
    short: Trial

    @property
    def cpu_us_per_event(self) -> float:
        """Return the CPU (µs) of one more event, to the end of the client's last process.

        What a client does before its first request is in neither run, and what it does but
        once at its end is in both.
        """
        events = self.full.truth.events - self.short.truth.events
        return (self.full.cpu_s - self.short.cpu_s) / events * _US_PER_S

    @property
    def run_cpu_us_per_event(self) -> float:
        """Return the CPU (µs) between first request and last event, an event."""
        return self.full.cpu_run_s / self.full.truth.events * _US_PER_S


@dataclass(frozen=True, slots=True)
class Row:
    """One client over all rounds; `missing` says why there is none."""

    client: str
    pairs: tuple[Pair, ...]
    missing: str | None = None


def measure(
    clients: Sequence[Client],
    load: Load,
    rounds: int,
    pace: Pace,
    say: Callable[[str], None],
) -> list[Row]:
    """Run every client `rounds` times; each round begins with another one."""
    found, missing = _found(clients)
    load = replace(load, tokenizer=ensure_tokenizer())
    pairs: dict[str, list[Pair]] = {client.name: [] for client in found}
    for number in range(rounds):
        turn = list(found)[number % len(found) :] + list(found)[: number % len(found)]
        for client in turn:
            if client.name in missing:
                continue
            seeded = replace(load, seed=load.seed + 2 * number)
            try:
                pair = _pair(client, found[client], seeded, pace)
            except FailedTrialError as error:
                missing[client.name] = str(error)
                say(f"{client.name}: {error}")
                continue
            pairs[client.name].append(pair)
            say(
                f"round {number + 1}: {client.name:18}{pair.cpu_us_per_event:8.1f} us/event"
                f"{pair.full.truth.served_tok_per_s:9,.0f} tok/s"
                f"   load average {pair.full.load_average:.1f}"
            )
    return [Row(c.name, tuple(pairs.get(c.name, ())), missing.get(c.name)) for c in clients]


def _found(clients: Sequence[Client]) -> tuple[dict[Client, list[str]], dict[str, str]]:
    found, missing = {}, {}
    for client in clients:
        try:
            found[client] = client.find()
        except MissingPeerError as error:
            missing[client.name] = str(error)
    return found, missing


def _pair(client: Client, command: list[str], load: Load, pace: Pace) -> Pair:
    def run(load: Load) -> Trial:
        shutil.rmtree(load.folder, ignore_errors=True)
        load.folder.mkdir(parents=True)
        return run_trial(client, command, load, pace.options())

    short = replace(load, output_tokens=SHORT_TOKENS, seed=load.seed + 1)
    return Pair(full=run(load), short=run(short))
