"""Observers of the levels of captured audio, which are iterators."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from .calls import CaptureOutputLevels
from .errors import EngineClosedError, HandleClosedError, UnknownHandleError, WorkerDiedError
from .playback import Events
from .portal import ClosableFace, iterating
from .remote import OfThisProcess
from .time import MediaTime

if TYPE_CHECKING:
    from .capture_output import AsyncCaptureOutput

__all__ = ["AsyncLevelObserver", "LevelObserver"]

L = TypeVar("L", bound="AsyncLevelObserver")


def _levels(wire: Any) -> CaptureOutputLevels:
    return CaptureOutputLevels(MediaTime.of(wire["time"]), wire["channels"])


class AsyncLevelObserver(OfThisProcess):
    """An observer of the levels of audio: ``async for levels in observer``, until the session stops, whose error is raised.

    Of more than 1000 unread levels, the last one replaces the one before it.
    """

    def __init__(self, output: AsyncCaptureOutput) -> None:
        self._output = output
        self._events = Events(lambda _, later: later)
        self._closed = False

    def _deliver(self, method: str, params: Any) -> None:
        self._events.put(method, params)

    def _end(self, error: Exception) -> None:
        self._events.end(error)

    async def measured(self) -> AsyncIterator[CaptureOutputLevels]:
        """The levels as they are measured, until the session stops or the observer is closed."""
        async for params in self._events.until_closed():
            yield _levels(params)

    def __aiter__(self) -> AsyncIterator[CaptureOutputLevels]:
        return self.measured()

    def arrived(self) -> list[CaptureOutputLevels]:
        """The levels that have arrived and weren't read, without waiting."""
        return [_levels(params) for params in self._events.untaken()]

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._closed

    async def close(self) -> None:
        """Ends it: nothing comes any more. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        self._end(HandleClosedError("the observer is closed", hint="Make another one."))
        # The output may be closed, or its worker process dead, and the observation with it.
        with contextlib.suppress(
            HandleClosedError, UnknownHandleError, EngineClosedError, WorkerDiedError
        ):
            await self._output._observed_no_more(self)

    async def __aenter__(self: L) -> L:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class LevelObserver(ClosableFace):
    """An observer of the levels of audio: ``for levels in observer``, until the session stops, whose error is raised.

    Of more than 1000 unread levels, the last one replaces the one before it.
    """

    _core: AsyncLevelObserver

    measured = iterating(AsyncLevelObserver.measured)

    def __iter__(self) -> Iterator[CaptureOutputLevels]:
        return self.measured()

    def arrived(self) -> list[CaptureOutputLevels]:
        """The levels that have arrived and weren't read, without waiting."""
        return self._core.arrived()
