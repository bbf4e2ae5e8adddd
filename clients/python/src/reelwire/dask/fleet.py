"""Fleets: jobs on many files, by the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import builtins
import os
import uuid
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping
from typing import Any, Callable, TypeVar, cast

from distributed import Client, LocalCluster, get_client

from .. import __version__
from ..errors import FileFailedToParseError, OperationCancelledError
from ..jobs import Export, ExportPart, Job, JoinParts, PlanExport, Row, Worker, WrittenFile
from ..jobs.export_parts import FinishedExport, part_paths
from ..jobs.job import absolute
from ..jobs.output_paths import output_path
from ..jobs.worker import row_name
from ..progress import ProgressLike, reporting
from .batches import Batches
from .run import PlacedRow, Run
from .worker_plugin import EnginePlugin, Item, WorkerNotReadyError, check, do_batch

__all__ = ["AsyncFleet", "Fleet"]

V = TypeVar("V")
T = TypeVar("T")


class AsyncFleet:
    """The workers of a Dask cluster, each with an engine; ``async with AsyncFleet(client) as fleet``.

    Files are found by their paths on each worker: they are on a disk that all of them share, or in the folders of
    ``path_map``. Only the results of jobs pass through the scheduler.
    """

    def __init__(
        self,
        client: Any = None,
        *,
        engine_arguments: Iterable[str] = (),
        binary: str | None = None,
        path_map: Mapping[str, str] | None = None,
    ) -> None:
        """``client`` is Dask's, or the address or cluster to make one of.

        The default is the current one, or without any, that of a new cluster on this machine with a
        process for each core, which ends with the fleet. ``engine_arguments``, ``binary`` and ``path_map`` are those of
        ``jobs.Worker``; ``--worker-memory`` among the arguments bounds the memory of an engine in addition to its Dask worker,
        whose limit doesn't include it.
        """
        # Their errors are raised here, and not on a worker.
        Worker(engine_arguments=engine_arguments, binary=binary, path_map=path_map)
        self._given = client
        self._name = f"reelwire-fleet-{uuid.uuid4().hex}"
        self._plugin = EnginePlugin(self._name, tuple(engine_arguments), binary, path_map or {})
        self._client: Client | None = None
        self._owned: list[Any] = []
        self._runs: set[Run] = set()
        self._is_closed = False

    # From its start to its end

    async def __aenter__(self) -> AsyncFleet:
        if isinstance(self._given, Client):
            self._client = self._given
        elif self._given is not None:
            self._client = await Client(self._given, asynchronous=True)
            self._owned = [self._client]
        else:
            cluster = await LocalCluster(
                threads_per_worker=1, dashboard_address=":0", asynchronous=True
            )
            self._client = await Client(cluster, asynchronous=True)
            self._owned = [self._client, cluster]
        try:
            await self._start()
        except BaseException:
            await self.close()
            raise
        return self

    async def _start(self) -> None:
        """Gives each Dask worker an engine, and checks that it can be used.

        Raises ``WorkerNotReadyError`` with all unusable ones, and the reasons.
        """
        client = self.client
        try:
            await _done(client.register_plugin(self._plugin, name=self._name))
            wrong = await _done(
                client.run(
                    check, self._name, __version__, asynchronous=True, on_error="return"
                )
            )
        except ImportError as error:
            wrong = {"the workers": error}
        found = {address: reason for address, reason in wrong.items() if reason is not None}
        if found:
            reasons = "; ".join(f"{address}: {reason}" for address, reason in found.items())
            raise WorkerNotReadyError(
                f"{len(found)} of the Dask workers can't do jobs: {reasons}",
                hint="Each needs this version of reelwire and its engine, as 'pip install reelwire' has them, or a "
                "binary= that is there.",
            )

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def close(self) -> None:
        """Cancels running work, and ends the engines; a cluster that it has made ends, too."""
        if self._is_closed:
            return
        self._is_closed = True
        await self.cancel()
        client = self._client
        if client is not None and client.status == "running":
            await _done(client.unregister_worker_plugin(self._name))
        for each in self._owned:
            await _done(each.close())

    @property
    def client(self) -> Client:
        """Dask's client."""
        if self._client is None or self._is_closed:
            raise RuntimeError("the fleet isn't open: use it in a with statement")
        return self._client

    # Jobs

    async def map(
        self,
        job: Job[V] | Iterable[Job[V]],
        paths: Iterable[Any] | None = None,
        *,
        ordered: bool = False,
        batch_size: int | None = None,
        raise_errors: bool = False,
        progress: Any = None,
    ) -> AsyncIterator[Row[V]]:
        """Runs a job on each of the paths, and yields a ``Row`` for each as they are completed.

        Without ``paths``, ``job`` is several jobs that name their files, such as ``Compose``. Paths may come from a
        generator without end: two batches for each thread of the workers are taken in advance. A batch has the files of
        about ten seconds, or ``batch_size`` files. With ``ordered`` the rows are in the order of the paths, and wait
        for those before them.

        A file's error is in its row, also if it crashed two Dask workers. With ``raise_errors`` they are raised at
        the end, as an ``ExceptionGroup`` if Python has that. ``progress`` is a function of the number of completed
        files, and of all files if that is known; or ``True``, to show it.

        Leaving the loop cancels the rest, and reaches the engines within about a second.
        """
        rows = self._map(
            _items(job, paths),
            _length(job if paths is None else paths),
            ordered=ordered,
            batch_size=batch_size,
            raise_errors=raise_errors,
            progress=progress,
        )
        try:
            async for row in rows:
                yield row
        finally:
            await rows.aclose()  # type: ignore[attr-defined]

    async def _map(
        self,
        items: Iterable[Item],
        total: int | None,
        *,
        ordered: bool = False,
        batch_size: int | None = None,
        raise_errors: bool = False,
        progress: Any = None,
    ) -> AsyncIterator[Row[Any]]:
        run = Run(self.client, self._name, Batches(items, total, batch_size))
        self._runs.add(run)
        errors: list[Exception] = []
        rows = run.rows()
        done = 0
        try:
            with _reporting(progress, total) as report:
                async for row in _ordered(rows) if ordered else _unordered(rows):
                    done += 1
                    if row.error is not None and raise_errors:
                        errors.append(row.error)
                    if report is not None:
                        report((done, total))
                    yield row
        finally:
            self._runs.discard(run)
            await rows.aclose()  # type: ignore[attr-defined]
        if run.is_cancelled:
            raise OperationCancelledError(
                "the fleet's work was cancelled", code=-11878, hint="Have the rest done again."
            )
        if errors:
            raise _group(errors)

    async def gather(
        self,
        job: Job[V] | Iterable[Job[V]],
        paths: Iterable[Any] | None = None,
        *,
        ordered: bool = True,
        batch_size: int | None = None,
        raise_errors: bool = False,
        progress: Any = None,
    ) -> list[Row[V]]:
        """The rows of all paths, in their order; the options are those of ``map``."""
        rows = self.map(
            job,
            paths,
            ordered=ordered,
            batch_size=batch_size,
            raise_errors=raise_errors,
            progress=progress,
        )
        return [row async for row in rows]

    async def export(
        self,
        source: str | os.PathLike[str],
        output: str | os.PathLike[str],
        preset: str | None = None,
        *,
        parts: int | None = None,
        workspace: str | os.PathLike[str] | None = None,
        progress: ProgressLike = None,
        **options: Any,
    ) -> WrittenFile:
        """Exports one long file to a new one, its parts by all workers at the same time.

        The options are those of ``jobs.Export``. The video is divided at sync samples into ``parts`` parts, by default of
        thirty seconds; audio is one part. Number of frames, their times and audio are those of an export by one
        engine. The parts are hidden files in ``workspace``, a folder that all workers share, by default that of the new file:
        parts of an earlier attempt aren't made again, unless they are damaged, and they are removed when the new file is
        complete.
        """
        job = Export(preset, output, **options)
        path = row_name(job, source)
        finished = await self._one(FinishedExport(job), path)
        if finished is not None:
            return finished
        plan = await self._one(PlanExport(job, parts), path)
        folder = None if workspace is None else absolute(workspace)
        files = part_paths(plan, output_path(str(job.output), absolute(path)), folder)
        # Audio is one part, however long the file is: it begins first.
        order = sorted(
            range(len(files)), key=lambda number: plan["parts"][number]["mediaType"] != "audio"
        )
        made = [ExportPart(job, plan, number, files[number]) for number in order]
        done = 0
        with reporting(progress, "export", lambda item: float(item)) as report:
            rows = self._map(((each, path) for each in made), len(made), batch_size=1)
            try:
                async for row in rows:
                    row.result()
                    done += 1
                    if report is not None:
                        report(done / (len(made) + 1))
            finally:
                await rows.aclose()  # type: ignore[attr-defined]
            result = await self._joined(job, plan, files, path)
            if report is not None:
                report(1)
        return result

    async def _joined(self, job: Export, plan: Any, files: list[str], path: str) -> WrittenFile:
        """The new file of all parts; of those from an earlier try the damaged ones are made once more."""
        # By their names alone: workers may have the folder elsewhere.
        replaceable = {os.path.basename(file): number for number, file in enumerate(files)}
        while True:
            try:
                return await self._one(JoinParts(job, plan, tuple(files)), path)
            except FileFailedToParseError as error:
                number = replaceable.pop(os.path.basename(error.data.get("path") or ""), None)
                if number is None:
                    raise
            await self._one(ExportPart(job, plan, number, files[number], replaces=True), path)

    async def _one(self, job: Job[V], path: str) -> V:
        rows = [row async for row in self._map([(job, path)], 1, batch_size=1)]
        return cast(V, rows[0].result())

    async def dataframe(self, job: Job[Any], paths: Iterable[Any], **options: Any) -> Any:
        """The rows as a pandas ``DataFrame``: ``path``, ``error``, ``worker``, ``attempts``, ``seconds``, and the value.

        A value that is a dict, as that of ``Probe``, has a column for each key; others are in the column ``value``.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("dataframe needs pandas: pip install pandas") from error
        records = [_record(row) for row in await self.gather(job, paths, **options)]
        return pandas.DataFrame.from_records(records)

    def bag(self, job: Job[Any], paths: Iterable[Any], *, partition_size: int = 100) -> Any:
        """The rows as a ``dask.bag``, for further work with Dask; it is computed by the fleet's workers.

        A file that ends a Dask worker ends the computation with it: use ``map`` for files that may do so.
        """
        try:
            import dask.bag
        except ImportError as error:
            raise ImportError("bag needs dask.bag: pip install 'dask[bag]'") from error
        items = list(_items(job, paths))
        bag = dask.bag.from_sequence(items, partition_size=partition_size)
        return bag.map_partitions(_Partition(self._name))

    async def cancel(self) -> None:
        """Cancels all that is being done; loops over it end with ``OperationCancelledError``."""
        for run in list(self._runs):
            run.cancel()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{' closed' if self._is_closed else ''}>"


class Fleet:
    """The workers of a Dask cluster, each with an engine: ``with Fleet(client) as fleet``.

    It is ``AsyncFleet`` for programs without an event loop.
    """

    def __init__(self, client: Any = None, **options: Any) -> None:
        """``client`` is Dask's, an address, or a cluster; the options are those of ``AsyncFleet``."""
        self._owned: list[Any] = []
        if client is None:
            try:
                client = get_client()
            except ValueError:
                client = LocalCluster(threads_per_worker=1, dashboard_address=":0")
                self._owned.append(client)
        if not isinstance(client, Client):
            client = Client(client)
            self._owned.insert(0, client)
        self._client: Client = client
        self._core = AsyncFleet(client, **options)

    def __enter__(self) -> Fleet:
        try:
            self._call(self._core.__aenter__())
        except BaseException:
            self._close_owned()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Cancels running work, and ends the engines; a cluster that it has made ends, too."""
        if self._client.status == "running":
            self._call(self._core.close())
        self._close_owned()

    def _close_owned(self) -> None:
        for each in self._owned:
            each.close()
        self._owned = []

    @property
    def client(self) -> Client:
        """Dask's client."""
        return self._core.client

    def map(
        self, job: Job[V] | Iterable[Job[V]], paths: Iterable[Any] | None = None, **options: Any
    ) -> Iterator[Row[V]]:
        """Runs a job on each of the paths, and yields a ``Row`` for each, as ``AsyncFleet.map`` does."""
        rows = self._core.map(job, paths, **options)
        try:
            while True:
                try:
                    yield self._call(_next(rows))
                except StopAsyncIteration:
                    return
        finally:
            self._call(rows.aclose())  # type: ignore[attr-defined]

    def gather(
        self, job: Job[V] | Iterable[Job[V]], paths: Iterable[Any] | None = None, **options: Any
    ) -> list[Row[V]]:
        """The rows of all paths, in their order."""
        return list(self.map(job, paths, **{"ordered": True, **options}))

    def export(
        self,
        source: str | os.PathLike[str],
        output: str | os.PathLike[str],
        preset: str | None = None,
        **options: Any,
    ) -> WrittenFile:
        """Exports one long file, its parts by all workers, as ``AsyncFleet.export`` does."""
        return self._call(self._core.export(source, output, preset, **options))

    def dataframe(self, job: Job[Any], paths: Iterable[Any], **options: Any) -> Any:
        """The rows as a pandas ``DataFrame``, as ``AsyncFleet.dataframe`` has it."""
        return self._call(self._core.dataframe(job, paths, **options))

    def bag(self, job: Job[Any], paths: Iterable[Any], *, partition_size: int = 100) -> Any:
        """The rows as a ``dask.bag``, as ``AsyncFleet.bag`` has it."""
        return self._core.bag(job, paths, partition_size=partition_size)

    def cancel(self) -> None:
        """Cancels all that is being done, from any thread; loops over it end with ``OperationCancelledError``."""
        self._call(self._core.cancel())

    def _call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        async def run() -> T:
            return await coroutine

        return cast(T, self._client.sync(run))

    def __repr__(self) -> str:
        return f"<Fleet{' closed' if self._core._is_closed else ''}>"


class _Partition:
    """Does the jobs of a partition of a bag."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, items: Iterable[Item]) -> list[Row[Any]]:
        return do_batch(self._name, "bag", list(items))


def _items(job: Any, paths: Iterable[Any] | None) -> Iterator[Item]:
    """Jobs with the paths that they are done with."""
    if isinstance(job, Job):
        if paths is None:
            raise TypeError(f"{type(job).__name__} is done with files: give their paths")
        return ((job, row_name(job, path)) for path in paths)
    if paths is not None:
        raise TypeError(f"a job is a Probe, Export or the like, not {job!r}")
    return ((each, None) for each in job if row_name(each, None))


def _length(items: Any) -> int | None:
    try:
        return len(items)
    except TypeError:
        return None


async def _next(rows: AsyncIterator[T]) -> T:
    return await rows.__anext__()


async def _done(result: Any) -> Any:
    """The result of a method of Dask's, which may have to be awaited."""
    return await result if asyncio.iscoroutine(result) or hasattr(result, "__await__") else result


async def _unordered(rows: AsyncIterator[PlacedRow]) -> AsyncIterator[Row[Any]]:
    async for _, row in rows:
        yield row


async def _ordered(rows: AsyncIterator[PlacedRow]) -> AsyncIterator[Row[Any]]:
    waiting: dict[int, Row[Any]] = {}
    next_index = 0
    async for index, row in rows:
        waiting[index] = row
        while next_index in waiting:
            yield waiting.pop(next_index)
            next_index += 1


def _record(row: Row[Any]) -> dict[str, Any]:
    record = row.to_dict()
    value = record.pop("value")
    return {**record, **(value if isinstance(value, dict) else {"value": value})}


def _group(errors: list[Exception]) -> Exception:
    try:
        return cast(Any, builtins).ExceptionGroup(f"{len(errors)} files have errors", errors)  # type: ignore[no-any-return]
    except AttributeError:
        return errors[0]


def _same(item: Any) -> Any:
    return item


def _reporting(progress: Any, total: int | None) -> Any:
    """The function that is called with the number of completed files, and the number of all."""
    if callable(progress):
        called = progress
        return reporting(lambda item: called(*cast(Any, item)), "files", _same)
    return reporting(progress and total is not None, "files", lambda item: item[0] / item[1])
