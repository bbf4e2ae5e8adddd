"""Workers: they run jobs, in any process and under any scheduler."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar, cast, overload

from ..blob import path_text
from ..engine import Engine
from ..errors import EngineClosedError, EngineDiedError, WorkerDiedError
from ..media_bytes import scheme_of
from .job import Job, JobContext, absolute
from .values import Row
from .worker_engine import EngineSettings, Run, WorkerEngine

__all__ = ["Worker", "row_name"]

T = TypeVar("T")
V = TypeVar("V")

#: The maximum number of engines that a file may end.
_ATTEMPTS = 2


class Worker(Generic[V]):
    """Runs jobs with its own engine: ``with Worker() as worker: worker.run(Probe(), "clip.mp4")``.

    The engine is started when the first job needs it, in the current process, and again when it has crashed.
    The file that was being processed is tried once more then. When it ends a second engine, that is its error, and this
    worker doesn't try it any more, unless it is changed. The same holds for ``WorkerDiedError``, of a worker process
    of the engine. Other errors are not retried.

    A worker can be pickled, and is a function of a path when it is made with a job:
    ``pool.map(Worker(Probe()), paths)`` returns a ``Row`` for each. Only its arguments are sent, and never an
    engine. Copies in a process share an engine there, if they start it the same way: until that
    process ends, or the last of these copies is closed. A fork starts its own engine, too.

    It may be used by several threads, whose jobs run concurrently in the one engine. When that crashes, each of
    them is tried again separately, so that only the file that ends engines has the error.
    """

    def __init__(
        self,
        job: Job[V] | None = None,
        *,
        engine_arguments: Iterable[str] = (),
        binary: str | os.PathLike[str] | None = None,
        path_map: Mapping[str, str] | None = None,
    ) -> None:
        """``engine_arguments`` follow ``reelwire serve``, and ``binary`` is that of ``Engine``.

        ``path_map`` is where folders are on the machine that does the jobs: ``{"/mnt/a": "/data"}``. It applies to
        all paths, also to those that a job names; results have the paths of the caller.
        """
        if job is not None and not isinstance(job, Job):
            raise TypeError(f"a worker's job is a Probe, Export or the like, not {job!r}")
        if isinstance(engine_arguments, str):
            raise TypeError(f"engine_arguments are several strings, not {engine_arguments!r}")
        settings = EngineSettings(
            None if binary is None else os.fspath(binary), tuple(map(str, engine_arguments))
        )
        self._fill(job, _folders(path_map or {}), WorkerEngine(settings))

    def _fill(
        self, job: Job[V] | None, path_map: dict[str, str], engine: WorkerEngine
    ) -> None:
        self._job = job
        self._path_map = path_map
        self._engine = engine
        self._runs: set[Run] = set()
        self._is_closed = False

    def __reduce__(self) -> Any:
        return _arrived, (type(self), self._job, self._path_map, self._engine.settings)

    @property
    def job(self) -> Job[V] | None:
        """The job that it runs when it is called."""
        return self._job

    @property
    def engine(self) -> Engine:
        """The engine of this process, started if need be; it is another one after it has died."""
        self._require_open()
        return self._engine.engine()

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._is_closed

    def run(self, job: Job[T], path: str | os.PathLike[str] | None = None) -> T:
        """Runs a job on a file and returns its value, or raises the file's error.

        A job that names its files itself, such as ``Compose``, gets no path.
        """
        return self.attempt(job, path).result()

    def attempt(self, job: Job[T], path: str | os.PathLike[str] | None = None) -> Row[T]:
        """Runs a job on a file and returns its row; the file's error is in the row.

        Other errors are raised: that no engine can be started, or that the worker is closed.
        """
        begin = time.monotonic()
        name = row_name(job, path)
        self._require_open()
        with self._engine.running() as run:
            self._runs.add(run)
            try:
                value, error, attempts = self._tried(run, job, None if path is None else name)
            finally:
                self._runs.discard(run)
        return Row(name, value, error, attempts, time.monotonic() - begin)

    @overload
    def __call__(self, item: Job[T]) -> Row[T]: ...
    @overload
    def __call__(self, item: Mapping[str, Any]) -> dict[str, Any]: ...
    @overload
    def __call__(self, item: str | os.PathLike[str]) -> Row[V]: ...
    def __call__(self, item: Any) -> Any:
        """Does the worker's job with a path, and returns its ``Row``; errors of the file are in it.

        Instead of a path it may be a job that names its files itself; or a dict with the path as its ``"path"``
        or ``"item"``, as Ray Data has it, which becomes a dict of the row.
        """
        if isinstance(item, Mapping):
            path = item["path"] if "path" in item else item["item"]
            return {**item, **self(path).to_dict()}
        if isinstance(item, Job):
            return self.attempt(item)
        if self._job is None:
            raise TypeError("this worker has no job: make it with one, or call run(job, path)")
        return self.attempt(self._job, item)

    def _tried(
        self, run: Run, job: Job[T], path: str | None
    ) -> tuple[T | None, Exception | None, int]:
        key, version = self._subject(job, path)
        known = self._engine.lethal.get(key)
        if known is not None and known[0] == version:
            return None, known[1], 0
        value, error, attempts = None, None, 0
        # Whether a file has ended the engine that others were using, too, shows only when it is alone.
        while attempts < _ATTEMPTS:
            alone = isinstance(error, EngineDiedError)
            value, error = self._engine.attempt(run, job, path, self._path_map, alone=alone)
            attempts += 1
            if not isinstance(error, (EngineDiedError, WorkerDiedError)):
                return value, error, attempts
        self._engine.lethal[key] = version, cast(Exception, error)
        return value, error, attempts

    def _subject(self, job: Job[Any], path: str | None) -> tuple[str, Any]:
        """The file that may end engines, and its state."""
        if path is None:
            return job.digest, None
        local = JobContext(cast(Any, None), path, self._path_map).local(path)
        try:
            status = os.stat(local)
        except (OSError, ValueError):
            return local, None
        return local, (status.st_size, status.st_mtime_ns, status.st_ino)

    def cancel(self) -> None:
        """Cancels this worker's jobs; from any thread.

        Jobs end within about a second, with ``OperationCancelledError``, and leave nothing; one that has just finished
        its file returns that. An engine that doesn't react is killed. The worker can be used again.
        """
        self._engine.cancel(list(self._runs))

    def close(self) -> None:
        """Cancels running work, and ends the engine. Closing again does nothing.

        Copies that came to this process have the engine together: the last one that is closed ends it.
        """
        if not self._is_closed:
            self._is_closed = True
            if _is_last(self):
                self._engine.close()

    def _require_open(self) -> None:
        if self._is_closed:
            raise EngineClosedError("the worker is closed", hint="Make another one.")

    def __enter__(self) -> Worker[V]:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        job = "" if self._job is None else f" {self._job!r}"
        return f"<Worker{job}{' closed' if self._is_closed else ''}>"


#: The engines of workers that came to this process, and these workers.
_shared: dict[EngineSettings, WorkerEngine] = {}
_users: weakref.WeakKeyDictionary[WorkerEngine, weakref.WeakSet[Worker[Any]]] = (
    weakref.WeakKeyDictionary()
)
_lock = threading.Lock()


def _arrived(
    cls: type[Worker[V]], job: Job[V] | None, path_map: dict[str, str], settings: EngineSettings
) -> Worker[V]:
    """A worker that was sent here."""
    worker = cls.__new__(cls)
    with _lock:
        engine = _shared.get(settings)
        if engine is None:
            engine = _shared[settings] = WorkerEngine(settings)
            _users[engine] = weakref.WeakSet()
        worker._fill(job, path_map, engine)
        _users[engine].add(worker)
    return worker


def _is_last(worker: Worker[Any]) -> bool:
    """True if no other worker here has the engine of one that is being closed."""
    engine = worker._engine
    with _lock:
        users = _users.get(engine)
        if users is None:
            return True
        users.discard(worker)
        if users:
            return False
        del _shared[engine.settings]
        return True


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def _folders(path_map: Mapping[str, str]) -> dict[str, str]:
    """Folders of the caller's, and where they are; a ``ValueError`` for a relative path."""
    made = {}
    for folder, place in path_map.items():
        there, here = (path_text(each, "a folder") for each in (folder, place))
        for each in (there, here):
            if not os.path.isabs(each) and scheme_of(each) is None:
                raise ValueError(f"a path_map has absolute paths, and {each!r} is relative")
        made[absolute(there).rstrip("/") or "/"] = absolute(here).rstrip("/") or "/"
    return made


def row_name(job: Job[Any], path: str | os.PathLike[str] | None) -> str:
    """The file's name in a row."""
    if not isinstance(job, Job):
        raise TypeError(f"a job is a Probe, Export or the like, not {job!r}")
    if not job.names_its_files:
        if path is None:
            raise TypeError(f"{type(job).__name__} is done with a file: give its path")
        return path_text(path, "a file")
    if path is not None:
        raise TypeError(f"{type(job).__name__} names its files itself, and is given no path")
    return str(getattr(job, "output", type(job).__name__))
