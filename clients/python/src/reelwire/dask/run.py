"""One run of jobs over files: the assignment of batches to Dask workers, and the retries after a worker's crash."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import math
import time
import uuid
import warnings
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from distributed import Client, Future, KilledWorker

from ..errors import EngineClosedError, ReelwireError
from ..jobs import Row
from ..jobs.worker import row_name
from .batches import Batch, Batches
from .worker_plugin import cancel, do_batch

__all__ = ["DaskWorkerDiedError", "PlacedRow", "Run"]

#: A row with the place of its item among all.
PlacedRow = tuple[int, Row[Any]]

#: The number of batches of a Dask worker's thread: the running one, and the next.
_BATCHES = 2
#: The maximum number of Dask workers that a file may crash.
_DEATHS = 2
#: The interval of checks for missing Dask workers, in seconds.
_POLL = 0.5
#: The time without any before a warning, in seconds.
_EMPTY = 60.0


class DaskWorkerDiedError(ReelwireError):
    """Dask workers have died, each while it had nothing but this file."""


class Run:
    """Jobs on items, as rows in the order in which they are completed. To be used on the client's loop.

    Each batch is assigned to one Dask worker, so that the batches of a crashed worker are known. They are tried again in
    halves, each of them isolated on a worker: a file that ends workers harms none of its neighbours.
    """

    def __init__(self, client: Client, name: str, batches: Batches) -> None:
        self._token = uuid.uuid4().hex
        self._client = client
        self._name = name
        #: The new batches; ``None`` at their end.
        self._batches: Batches | None = batches
        #: The batches to try again, before any new one.
        self._again: deque[Batch] = deque()
        self._tasks: dict[str, tuple[Future, Batch, str]] = {}
        #: The number of threads of each Dask worker, and the batches assigned to it.
        self._threads: dict[str, int] = {}
        self._given: dict[str, list[Batch]] = {}
        self._looked = 0.0
        #: Since when there is none; infinite once there was a warning.
        self._empty_since: float | None = None
        self._is_cancelled = False
        #: The keys of tasks that have ended, with their rows or their error.
        self._ended: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self._fetching: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    async def rows(self) -> AsyncIterator[PlacedRow]:
        """Each row, as soon as its batch is complete."""
        try:
            while not self._is_cancelled:
                for row in await self._lost_rows():
                    yield row
                self._assign()
                if self._batches is None and not self._again and not self._tasks:
                    return
                with contextlib.suppress(asyncio.TimeoutError):
                    for row in self._rows(*await asyncio.wait_for(self._ended.get(), _POLL)):
                        yield row
        finally:
            await self._end()

    def cancel(self) -> None:
        """Has ``rows`` end soon, and the engines' work with it."""
        self._is_cancelled = True
        self._ended.put_nowait(("", None))

    @property
    def is_cancelled(self) -> bool:
        """True if it was cancelled before its end."""
        return self._is_cancelled

    # Assignment of batches

    def _assign(self) -> None:
        while self._again:
            address = self._free(is_suspect=self._again[0].is_suspect)
            if address is None:
                return
            self._give(self._again.popleft(), address)
        while self._batches is not None:
            address = self._free(is_suspect=False)
            if address is None:
                return
            batch = self._batches.next(sum(self._threads.values()))
            if batch is None:
                self._batches = None
            else:
                self._give(batch, address)

    def _free(self, *, is_suspect: bool) -> str | None:
        """A Dask worker that can take a batch; a suspect needs one for itself."""
        free = []
        for address, threads in self._threads.items():
            given = self._given.get(address, [])
            limit = 1 if is_suspect else _BATCHES * threads
            if len(given) < limit and not any(batch.is_suspect for batch in given):
                free.append((len(given) / threads, address))
        return min(free)[1] if free else None

    def _give(self, batch: Batch, address: str) -> None:
        key = f"reelwire-{uuid.uuid4().hex}"
        future = self._client.submit(
            do_batch,
            self._name,
            self._token,
            batch.items,
            key=key,
            workers=[address],
            allow_other_workers=False,
            retries=0,
            pure=False,
        )
        self._tasks[key] = future, batch, address
        self._given.setdefault(address, []).append(batch)
        # Without delaying other results meanwhile: those of a worker that crashes never arrive.
        fetching = self._loop.create_task(self._fetch(key, future))
        self._fetching.add(fetching)
        fetching.add_done_callback(self._fetching.discard)

    async def _fetch(self, key: str, future: Future) -> None:
        try:
            result = await self._client.gather(future, asynchronous=True)
        except Exception as error:
            result = error
        await self._ended.put((key, result))

    def _take(self, key: str) -> tuple[Future, Batch, str]:
        future, batch, address = self._tasks.pop(key)
        self._given[address].remove(batch)
        return future, batch, address

    # Results

    def _rows(self, key: str, result: Any) -> list[PlacedRow]:
        """The rows of a task that has ended; raises what isn't a file's error."""
        if key not in self._tasks:
            return []
        future, batch, address = self._take(key)
        future.release()
        if isinstance(result, (KilledWorker, asyncio.CancelledError)):
            return self._try_again(batch)
        if isinstance(result, Exception):
            raise result
        if self._batches is not None:
            self._batches.took(row.seconds for row in result)
        return [
            (batch.index + place, dataclasses.replace(row, worker=address))
            for place, row in enumerate(result)
        ]

    async def _lost_rows(self) -> list[PlacedRow]:
        """Checks for missing Dask workers, retries their batches, and fails the files that crashed them."""
        if time.monotonic() - self._looked < _POLL:
            return []
        if self._client.status in ("closing", "closed"):
            raise EngineClosedError("the Dask client is closed", hint="Make another fleet.")
        seen = await self._client.scheduler.identity(n_workers=-1)
        self._looked = time.monotonic()
        self._threads = {each: max(1, of["nthreads"]) for each, of in seen["workers"].items()}
        self._warn_if_empty()
        lost = [key for key, task in self._tasks.items() if task[2] not in self._threads]
        rows = []
        for key in lost:
            future, batch, _ = self._take(key)
            await self._client.cancel([future], asynchronous=True)
            rows += self._try_again(batch)
        return rows

    def _warn_if_empty(self) -> None:
        """A cluster may have no workers yet; or none will come any more, which only its user knows."""
        if self._threads:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = self._looked
        elif self._looked - self._empty_since > _EMPTY:
            self._empty_since = math.inf
            warnings.warn(
                f"the Dask cluster has had no worker for {_EMPTY:.0f} s: the fleet waits for one",
                RuntimeWarning,
            )

    def _try_again(self, batch: Batch) -> list[PlacedRow]:
        """Has a batch tried again whose worker is gone; a row for a file that this has happened to too often."""
        if len(batch.items) > 1:
            self._again.extend(batch.halves())
            return []
        batch.deaths += batch.is_suspect
        batch.is_suspect = True
        if batch.deaths < _DEATHS:
            self._again.append(batch)
            return []
        job, path = batch.items[0]
        name = row_name(job, path)
        error = DaskWorkerDiedError(
            f"{batch.deaths} Dask workers have died while they had nothing but '{name}'",
            hint="Do it by itself, on a machine with more memory; the workers' logs show how they ended.",
        )
        return [(batch.index, Row(name, None, error, batch.deaths, 0.0))]

    async def _end(self) -> None:
        """Cancels unfinished work, and waits until the engines have ended it."""
        for fetching in self._fetching:
            fetching.cancel()
        unfinished = [task[0] for task in self._tasks.values()]
        self._tasks.clear()
        if self._client.status in ("closing", "closed"):
            return
        if unfinished:
            await self._client.cancel(unfinished, asynchronous=True)
        await self._client.run(
            cancel, self._name, self._token, asynchronous=True, on_error="ignore"
        )
