"""Exports that run while the program does something else."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any, Callable, TypeVar

from .errors import OperationCancelledError
from .export_result import ExportResult
from .operation import Operation
from .portal import ClosableFace, blocking, iterating
from .remote import OfThisProcess
from .work import Work, require_success

__all__ = ["AsyncExportJob", "ExportJob"]

J = TypeVar("J", bound="AsyncExportJob")


class AsyncExportJob(OfThisProcess):
    """A running export: ``async for`` yields the completed fraction, ``await job.result()`` returns the file.

    Its end by ``close()``, or by the end of an ``async with``, cancels an unfinished export, and
    then no file is left.
    """

    def __init__(
        self,
        work: Work,
        operation: Operation,
        output_file_type: str,
        cancel: Callable[[], Awaitable[None]],
        close: Callable[[], Awaitable[None]] | None,
    ) -> None:
        """``cancel`` and ``close`` are the session's; without ``close`` it stays open."""
        #: The part that is done, from 0 to 1, as far as it was asked for.
        self.progress = 0.0
        self._work = work
        self._operation = operation
        self._output_file_type = output_file_type
        self._cancel = cancel
        self._close = close
        self._result: ExportResult | None = None
        self._error: BaseException | None = None
        self._closed = False

    @property
    def done(self) -> bool:
        """True if the export has ended, with or without success."""
        return self._operation.ended

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._closed

    async def parts(self) -> AsyncIterator[float]:
        """The completed fraction, from 0 to 1, until the export has ended.

        Raises the error of the export.
        """
        while self._result is None:
            if self._error is not None:
                raise self._error
            name, item = await self._operation.next()
            if name == self._operation.terminal:
                self._end(item)
                continue
            self.progress = item["progress"]
            yield self.progress

    def __aiter__(self) -> AsyncIterator[float]:
        return self.parts()

    def _end(self, wire: Any) -> None:
        try:
            require_success(wire, "the export", "No file was left behind.")
        except Exception as error:
            self._error = error
        else:
            self.progress = 1.0
            self._result = ExportResult(wire)

    async def result(self) -> ExportResult:
        """Waits for the end; the file that was made, or the error that there is none for."""
        async for _ in self.parts():
            pass
        assert self._result is not None
        return self._result

    async def cancel(self) -> None:
        """Cancels the export, which ends with ``OperationCancelledError`` and without a file."""
        await self._cancel()

    async def close(self) -> None:
        """Cancels an unfinished export. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            if self.done:
                with contextlib.suppress(Exception):
                    await self.result()
            elif self._error is None:
                self._error = OperationCancelledError(
                    "the export was left before its end", hint="Wait for its result first."
                )
            await self._work.end()
        finally:
            if self._close is not None:
                await self._close()

    async def __aenter__(self: J) -> J:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        state = "failed" if self._error else "done" if self._result else f"{self.progress:.0%}"
        return f"<{type(self).__name__} {state} to {self._output_file_type}>"


class ExportJob(ClosableFace):
    """A running export: ``for`` yields the completed fraction, ``result()`` returns the file.

    Its end by ``close()``, or by the end of a ``with``, cancels an unfinished export, and then no
    file is left.
    """

    _core: AsyncExportJob

    result = blocking(AsyncExportJob.result)
    cancel = blocking(AsyncExportJob.cancel)
    parts = iterating(AsyncExportJob.parts)

    @property
    def progress(self) -> float:
        """The part that is done, from 0 to 1, as far as it was asked for."""
        return self._core.progress

    @property
    def done(self) -> bool:
        """True if the export has ended, with or without success."""
        return self._core.done

    def __iter__(self) -> Iterator[float]:
        return self.parts()
