"""The engine of a worker: started when it is needed first, and again when it has died.

Each process has engines of its own. A fork inherits none: there, the next job starts another one. All
functions here may be called from any thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from ..engine import Engine
from ..errors import EngineClosedError, EngineDiedError, OperationCancelledError
from .job import Job, JobContext, PathMap

__all__ = ["EngineSettings", "Run", "WorkerEngine"]

V = TypeVar("V")

#: The maximum time in which a cancelled job ends before its engine is killed, in seconds.
_PATIENCE = 5.0


class EngineSettings(NamedTuple):
    """The arguments for starting an engine."""

    binary: str | None
    arguments: tuple[str, ...]

    def start(self) -> Engine:
        """Starts one; once more where the first has ended before it was ready."""
        try:
            return Engine(self.binary, arguments=self.arguments)
        except EngineDiedError:
            return Engine(self.binary, arguments=self.arguments)


class Run:
    """A job that is being done, from its first attempt to its last, and can be cancelled meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._task: asyncio.Task[Any] | None = None
        self._pid = 0
        self._is_cancelled = False

    async def perform(self, job: Job[V], context: JobContext) -> V:
        """Does the job, on its engine's loop."""
        with self._lock:
            self.require_uncancelled()
            self._task = asyncio.current_task()
            self._pid = context.engine.pid
        try:
            return await job.perform(context)
        except BaseException:
            self.require_uncancelled()
            raise
        finally:
            with self._lock:
                self._task = None

    def require_uncancelled(self) -> None:
        """Raises ``OperationCancelledError`` after a cancel."""
        if self._is_cancelled:
            raise OperationCancelledError(
                "the job was cancelled", code=-11878, hint="Have it done again."
            )

    def cancel(self) -> None:
        """Cancels its work in the engine, and all further attempts."""
        with self._lock:
            self._is_cancelled = True
            if self._task is not None:
                with contextlib.suppress(RuntimeError):  # The loop is closed, and so is the engine.
                    self._task.get_loop().call_soon_threadsafe(self._cancel, self._task)

    def _cancel(self, task: asyncio.Task[Any]) -> None:
        task.cancel()
        task.get_loop().call_later(_PATIENCE, self._give_up, task)

    def _give_up(self, task: asyncio.Task[Any]) -> None:
        """Kills an engine that doesn't react: all waiting calls end with it."""
        if self._task is task and not task.done():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)


class _Started:
    """An engine, and how many threads are using it: the last one closes it when it has been replaced."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.users = 0


class WorkerEngine:
    """An engine that is started when it is needed, and the work in it."""

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        #: Files that have ended two engines: by their names, their identities and errors.
        self.lethal: dict[str, tuple[Any, Exception]] = {}
        self._started: _Started | None = None
        self._is_closed = False
        self._make_locks()
        _all.add(self)

    def _make_locks(self) -> None:
        self._runs: set[Run] = set()
        #: The number of running attempts, or -1 while one has the engine exclusively.
        self._attempts = 0
        self._waiting_alone = 0
        #: Guards all of the above; notified when any of it changes.
        self._changed = threading.Condition()
        #: Held while an engine is started or ended.
        self._starting = threading.Lock()

    def after_fork(self) -> None:
        """Drops the objects of the process that has forked this one, without closing them."""
        self._make_locks()
        _inherited.append(self._started)
        self._started = None

    @property
    def is_closed(self) -> bool:
        """True if it was closed."""
        return self._is_closed

    def engine(self) -> Engine:
        """The engine, started if need be."""
        with self._using() as engine:
            return engine

    @contextlib.contextmanager
    def running(self) -> Iterator[Run]:
        """A run, which ``cancel`` and ``close`` reach until the block ends."""
        run = Run()
        with self._changed:
            self._require_open()
            self._runs.add(run)
        try:
            yield run
        finally:
            with self._changed:
                self._runs.discard(run)
                self._changed.notify_all()

    def attempt(
        self, run: Run, job: Job[V], path: str | None, path_map: PathMap, *, alone: bool
    ) -> tuple[V | None, Exception | None]:
        """Runs a job once, with ``alone`` without other work in the engine; returns its value, or its error.

        Raises other errors: that no engine can be started, or that the worker is closed.
        """
        try:
            run.require_uncancelled()
            with self._turn(run, alone), self._using() as engine:
                context = JobContext(engine._core, path, path_map)
                try:
                    return engine._portal.call(run.perform, job, context), None
                except Exception as error:
                    return None, error
        except OperationCancelledError as error:
            return None, error

    @contextlib.contextmanager
    def _turn(self, run: Run, alone: bool) -> Iterator[None]:
        """Waits until an attempt may begin: those that are to be alone go before others."""
        with self._changed:
            self._waiting_alone += alone
            try:
                while self._attempts != 0 if alone else self._attempts < 0 or self._waiting_alone:
                    run.require_uncancelled()
                    self._changed.wait()
            finally:
                self._waiting_alone -= alone
                self._changed.notify_all()
            self._attempts += -1 if alone else 1
        try:
            yield
        finally:
            with self._changed:
                self._attempts -= -1 if alone else 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def _using(self) -> Iterator[Engine]:
        """The engine, which isn't closed before the block ends."""
        with self._starting:
            started = self._living()
            started.users += 1
        try:
            yield started.engine
        finally:
            with self._starting:
                started.users -= 1
                is_over = started.users == 0 and started is not self._started
            if is_over:
                started.engine.close()

    def _living(self) -> _Started:
        self._require_open()
        started = self._started
        if started is not None and not started.engine.closed:
            return started
        self._started = None
        if started is not None and started.users == 0:
            started.engine.close()
        self._started = _Started(self.settings.start())
        return self._started

    def _require_open(self) -> None:
        if self._is_closed:
            raise EngineClosedError("the worker is closed", hint="Make another one.")

    def cancel(self, runs: Iterable[Run] | None = None) -> None:
        """Cancels some of the running jobs, or all."""
        with self._changed:
            for run in self._runs if runs is None else runs:
                run.cancel()
            self._changed.notify_all()

    def close(self) -> None:
        """Cancels all that is being done, waits for its end, and ends the engine."""
        with self._changed:
            self._is_closed = True
        self.cancel()
        self._wait_until_idle()
        with self._starting:
            started, self._started = self._started, None
        if started is not None:
            started.engine.close()

    def _wait_until_idle(self) -> None:
        end = time.monotonic() + 2 * _PATIENCE
        with self._changed:
            while self._runs and time.monotonic() < end:
                self._changed.wait(end - time.monotonic())


#: All of this process, for its forks.
_all: weakref.WeakSet[WorkerEngine] = weakref.WeakSet()
#: The objects that a fork has inherited. They are retained, because their end would close their pipes.
_inherited: list[Any] = []


def _after_fork() -> None:
    for each in list(_all):
        each.after_fork()


os.register_at_fork(after_in_child=_after_fork)
