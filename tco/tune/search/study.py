"""The trials that several workers share: each claimed by one, and given back by one that died.

Optuna keeps them, in a file of the folder or in a database. A claim is one new trial that holds
its key from the first moment on; of two with the same key the lower number has it, and whoever
asks sees all lower numbers. No lock is needed, and none is left behind by a worker that dies.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psutil

from tco.errors import InputError
from tco.search_document import Purpose, Rung, SearchTrial
from tco.tuning import Setting

if TYPE_CHECKING:
    from optuna.storages import BaseStorage
    from optuna.trial import FrozenTrial

JOURNAL_NAME: Final = "study.journal"
BEAT_S: Final = 5.0
DEAD_AFTER_S: Final = 60.0
_NAME: Final = "tco"
_CLAIM, _RECORD, _BEAT, _IDENTITY, _BACK = "claim", "record", "alive_at", "identity", "given_back"


@dataclass(frozen=True, slots=True)
class Kept:
    """A trial of the study: ended with a record, or claimed by a worker that runs it."""

    number: int
    key: str
    settings: dict[str, Setting]
    rung: Rung
    purpose: Purpose
    worker: str
    expected_gain: float | None
    record: SearchTrial | None


class Study:
    """The shared trials of one search.

    Args:
        folder: of the search.
        url: of a database that workers on other hosts reach; None: a file of the folder.
        identity: what all workers must agree on, by name.
        levels: settings of each parameter, for who looks at the study with Optuna's tools.
        worker: the name of this one.

    Raises:
        InputError: the study that lies there is another one, or cannot be opened.
    """

    def __init__(
        self,
        folder: Path,
        url: str | None,
        *,
        identity: Mapping[str, Any],
        levels: Mapping[str, Sequence[Setting]],
        worker: str,
    ) -> None:
        self.worker, self.host = worker, socket.gethostname()
        self._where = url or str(folder / JOURNAL_NAME)
        self._storage = _storage(folder, url)
        self._levels = levels
        self._study = self._opened(dict(identity))

    def kept(self) -> list[Kept]:
        """Return all trials that ended or run, by number; what a dead worker held is given back."""
        found = list[Kept]()
        for trial in self._all():
            if trial.state.name == "RUNNING" and self._is_dead(trial):
                self._give_back(trial._trial_id)  # noqa: SLF001 - the storage knows it by no other
            elif (kept := _kept(trial)) is not None:
                found.append(kept)
        return found

    def tried(self) -> list[Kept]:
        """Return those of them that look for the best; the confirmation's are left out."""
        return [each for each in self.kept() if each.purpose != "confirm"]

    def claim(
        self,
        key: str,
        settings: Mapping[str, Setting],
        *,
        rung: Rung,
        purpose: Purpose,
        expected_gain: float | None = None,
    ) -> int | None:
        """Return the number of a trial that is now this worker's; None if another has it."""
        from optuna.distributions import CategoricalDistribution
        from optuna.trial import TrialState, create_trial

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            template = create_trial(
                state=TrialState.RUNNING,
                params=dict(settings),
                distributions={
                    name: CategoricalDistribution(tuple(levels))
                    for name, levels in self._levels.items()
                },
                user_attrs={
                    _CLAIM: {
                        "key": key, "settings": dict(settings), "rung": rung, "purpose": purpose,
                        "expected_gain": expected_gain, "worker": self.worker, "host": self.host,
                        "pid": os.getpid(), "begun_at": psutil.Process().create_time(),
                    },
                    _BEAT: time.time(),
                },
            )  # fmt: skip
            trial_id = self._storage.create_new_trial(self._study, template)
        number = self._storage.get_trial_number_from_id(trial_id) + 1
        if any(each.key == key and each.number < number for each in self.kept()):
            self._give_back(trial_id)
            return None
        return number

    @contextmanager
    def beating(self, number: int) -> Iterator[None]:
        """Show, as long as the block lasts, that the claim's worker is alive.

        Left by an error, the trial is given back.
        """
        trial_id = self._id(number)
        ended = threading.Event()

        def beat() -> None:
            while not ended.wait(BEAT_S):
                with suppress(Exception):  # the next beat may reach the storage again
                    self._storage.set_trial_user_attr(trial_id, _BEAT, time.time())

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()
        try:
            yield
        except BaseException:
            self._give_back(trial_id)
            raise
        finally:
            ended.set()
            thread.join()

    def finish(self, record: SearchTrial) -> None:
        """Keep what a claimed trial showed; of a claim that was given back meanwhile nothing."""
        from optuna.exceptions import UpdateFinishedTrialError
        from optuna.trial import TrialState

        trial_id = self._id(record.number)
        has_failed = record.failure is not None or record.objective is None
        state = TrialState.FAIL if has_failed else TrialState.COMPLETE
        values = [record.objective] if state is TrialState.COMPLETE else None
        with suppress(UpdateFinishedTrialError):
            text = record.model_dump_json(by_alias=True)
            self._storage.set_trial_user_attr(trial_id, _RECORD, text)
            self._storage.set_trial_state_values(trial_id, state, values)  # type: ignore[arg-type]

    def _all(self) -> list[FrozenTrial]:
        return self._storage.get_all_trials(self._study, deepcopy=False)

    def _id(self, number: int) -> int:
        return self._storage.get_trial_id_from_study_id_trial_number(self._study, number - 1)

    def _give_back(self, trial_id: int) -> None:
        from optuna.exceptions import UpdateFinishedTrialError
        from optuna.trial import TrialState

        with suppress(UpdateFinishedTrialError):
            self._storage.set_trial_user_attr(trial_id, _BACK, "yes")
            self._storage.set_trial_state_values(trial_id, TrialState.FAIL)

    def _is_dead(self, trial: FrozenTrial) -> bool:
        """Say whether a claim's worker is gone: by its process here, by its silence elsewhere."""
        claim = trial.user_attrs[_CLAIM]
        if claim["host"] == self.host:
            try:
                begun_at = psutil.Process(claim["pid"]).create_time()
            except psutil.NoSuchProcess:
                return True
            return bool(abs(begun_at - claim["begun_at"]) > 1.0)
        return bool(time.time() - trial.user_attrs[_BEAT] > DEAD_AFTER_S)

    def _opened(self, identity: dict[str, Any]) -> int:
        import optuna

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            study = optuna.create_study(
                study_name=_NAME, storage=self._storage, load_if_exists=True,
                direction=identity["aim"].replace("ise", "ize"),
            )  # fmt: skip
        if not study.user_attrs.get(_IDENTITY):
            study.set_user_attr(_IDENTITY, identity)
        there = study.user_attrs[_IDENTITY]
        other = [name for name, value in identity.items() if there.get(name) != value]
        if other:
            raise InputError(
                f"is the record of another search: other {', '.join(other)}",
                file=self._where,
                remedy="name another folder with -o, or begin afresh with --force",
            )
        return self._storage.get_study_id_from_name(_NAME)


def _kept(trial: FrozenTrial) -> Kept | None:
    attrs = trial.user_attrs
    if attrs.get(_BACK) or (trial.state.is_finished() and _RECORD not in attrs):
        return None
    claim = attrs[_CLAIM]
    has_ended = trial.state.is_finished()
    record = SearchTrial.model_validate_json(attrs[_RECORD]) if has_ended else None
    return Kept(
        trial.number + 1, claim["key"], claim["settings"], claim["rung"], claim["purpose"],
        claim["worker"], claim["expected_gain"], record,
    )  # fmt: skip


def _storage(folder: Path, url: str | None) -> BaseStorage:
    import optuna
    from optuna.storages import JournalStorage, RDBStorage
    from optuna.storages.journal import JournalFileBackend

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if url is None:
            folder.mkdir(parents=True, exist_ok=True)
            return JournalStorage(JournalFileBackend(str(folder / JOURNAL_NAME)))
        try:
            return RDBStorage(url)
        except Exception as error:
            raise InputError(
                f"the storage cannot be opened: {type(error).__name__}",
                key="--storage",
                remedy="give a URL that SQLAlchemy takes, such as sqlite:///study.db",
            ) from error
