"""A fleet's plugin of a Dask worker: an engine, and the jobs that are run in it."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from distributed import WorkerPlugin, get_worker

from .. import __version__
from ..errors import OperationCancelledError, ReelwireError
from ..jobs import Job, Row, Worker

__all__ = ["EnginePlugin", "Item", "WorkerNotReadyError", "cancel", "check", "do_batch"]

#: A job, and the file that it is done with; ``None`` for one that names its files.
Item = tuple[Job[Any], "str | None"]

#: The seconds without a job after which an engine is ended; it is started again for the next.
_IDLE = 60.0


class WorkerNotReadyError(ReelwireError):
    """A Dask worker can't do a fleet's jobs."""


class EnginePlugin(WorkerPlugin):  # type: ignore[misc]
    """The engine of a Dask worker: one for all its threads, from the first job on.

    It ends with the worker, with the fleet, and when it has been unused for a minute, as after a crash of the
    client: such a fleet leaves only this object, which has no process.
    """

    def __init__(
        self, name: str, arguments: Sequence[str], binary: str | None, path_map: Mapping[str, str]
    ) -> None:
        self.name = name
        self._settings: dict[str, Any] = {
            "engine_arguments": tuple(arguments),
            "binary": binary,
            "path_map": dict(path_map),
        }

    def setup(self, worker: Any) -> None:
        """Called on the Dask worker that it has come to."""
        self._lock = threading.Lock()
        self._base: Worker[Any] | None = None
        #: The workers of jobs, by the tokens of runs. All of them share one engine.
        self._workers: dict[str, Worker[Any]] = {}
        #: Those of runs that have ended, of which a task may still come.
        self._ended: set[str] = set()
        self._users = 0
        self._used = time.monotonic()
        self._watch = asyncio.get_running_loop().create_task(self._close_idle())

    def teardown(self, worker: Any) -> None:
        """Called when the worker, or the fleet, ends."""
        self._watch.cancel()
        self.close()

    def close(self) -> None:
        """Ends the engine, and its work."""
        with self._lock:
            workers, self._workers = self._workers, {}
            base, self._base = self._base, None
        for each in (*workers.values(), base):
            if each is not None:
                each.close()

    async def _close_idle(self) -> None:
        while True:
            await asyncio.sleep(_IDLE / 4)
            if self._users == 0 and time.monotonic() - self._used > _IDLE:
                await asyncio.get_running_loop().run_in_executor(None, self.close)

    @contextlib.contextmanager
    def worker(self, token: str) -> Any:
        """The worker for the jobs of a run, while it is used here."""
        with self._lock:
            if token in self._ended:
                raise OperationCancelledError("the run was cancelled", code=-11878)
            if self._base is None:
                # A copy that came here has its engine together with the copies of it.
                self._base = pickle.loads(pickle.dumps(Worker(**self._settings)))
            if token not in self._workers:
                self._workers[token] = pickle.loads(pickle.dumps(self._base))
            found = self._workers[token]
            self._users += 1
        try:
            yield found
        finally:
            with self._lock:
                self._users -= 1
                self._used = time.monotonic()

    def cancel(self, token: str) -> None:
        """Cancels the jobs of a run, and has none of its begin any more."""
        with self._lock:
            self._ended.add(token)
            worker = self._workers.pop(token, None)
        if worker is not None:
            # It begins no other job, and ends the one that it is at.
            worker.close()
            worker.cancel()


def do_batch(name: str, token: str, items: Sequence[Item]) -> list[Row[Any]]:
    """Does jobs one after the other, on a thread of a Dask worker."""
    try:
        plugin = get_worker().plugins[name]
    except (KeyError, ValueError):
        raise WorkerNotReadyError(
            "there is no engine here: the fleet is closed, or this isn't done by its Dask workers",
            hint="Compute it with the fleet's client, before the fleet is closed.",
        ) from None
    with plugin.worker(token) as worker:
        return [worker.attempt(job, path) for job, path in items]


async def cancel(name: str, token: str, dask_worker: Any = None) -> None:
    """Cancels a run on a Dask worker, whose threads may all be busy."""
    plugin = dask_worker.plugins.get(name)
    if plugin is not None:
        await asyncio.get_running_loop().run_in_executor(None, plugin.cancel, token)


async def check(name: str, version: str, dask_worker: Any = None) -> str | None:
    """The reason why a Dask worker can't run the fleet's jobs; ``None`` if it can."""
    if __version__ != version:
        return f"it has reelwire {__version__}, and this program {version}"

    def start() -> None:
        with dask_worker.plugins[name].worker(name) as worker:
            _ = worker.engine

    try:
        await asyncio.get_running_loop().run_in_executor(None, start)
    except OperationCancelledError:
        return None
    except Exception as error:
        return str(error)
    return None
