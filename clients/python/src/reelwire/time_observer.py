"""Observers of a player's time, which are iterators."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple

from . import protocol
from .errors import HandleClosedError
from .playback import Events
from .portal import RemoteFace, iterating
from .remote import Remote
from .time import MediaTime
from .transport import Transport

__all__ = ["AsyncTimeObserver", "Firing", "TimeObserver"]


class Firing(NamedTuple):
    """A time that an observer is for."""

    #: The exact time of the interval or boundary, else the item's time.
    time: MediaTime
    #: Its cause: ``"interval"``, ``"boundary"``, ``"jump"``, ``"start"``, ``"stop"`` or ``"registered"``.
    cause: protocol.TimeObserverCause
    #: The number of the boundary time in the list of times.
    boundary: int | None
    #: The time of the player's clock.
    host_time: MediaTime
    #: The delay of the report.
    lateness: MediaTime
    #: The number of firings that are missing before this one.
    coalesced: int
    #: The number of jumps of the item's time.
    revision: int


def _firing(wire: protocol.TimeObserverDidFire) -> Firing:
    return Firing(
        MediaTime.of(wire["time"]),
        wire["cause"],
        wire.get("index"),
        MediaTime.of(wire["hostTime"]),
        MediaTime.of(wire["lateness"]),
        wire["coalesced"],
        wire["revision"],
    )


def _merged(earlier: Any, later: Any) -> Any:
    """The later one of two intervals, which counts the earlier one as missing."""
    if earlier["cause"] != "interval" or later["cause"] != "interval":
        return None
    return {**later, "coalesced": later["coalesced"] + earlier["coalesced"] + 1}


class AsyncTimeObserver(Remote):
    """An observer of a player's time: ``async for firing in observer``, until it is closed.

    Of more than 1000 unread firings, an interval replaces the one before it, and ``coalesced`` counts that.
    """

    def __init__(self, transport: Transport, handle: str, player: Remote) -> None:
        super().__init__(transport, handle)
        #: Kept with it: it ends with its player, and one that is dropped is closed.
        self._player = player
        self._events = Events(_merged)
        transport.playback.add(handle, self)

    def _deliver(self, method: str, params: Any) -> None:
        self._events.put(method, params)

    def _fail(self, error: Exception) -> None:
        self._events.end(error)

    async def firings(self) -> AsyncIterator[Firing]:
        """The firings until the observer is closed."""
        async for params in self._events.until_closed():
            yield _firing(params)

    def __aiter__(self) -> AsyncIterator[Firing]:
        return self.firings()

    def arrived(self) -> list[Firing]:
        """The firings that have arrived and weren't read, without waiting."""
        return [_firing(params) for params in self._events.untaken()]

    async def close(self) -> None:
        """Removes the observer: nothing comes any more."""
        await super().close()
        self._events.end(HandleClosedError("the observer is closed", hint="Add another one."))


class TimeObserver(RemoteFace):
    """An observer of a player's time: ``for firing in observer``, until it is closed.

    Of more than 1000 unread firings, an interval replaces the one before it, and ``coalesced`` counts that.
    """

    _core: AsyncTimeObserver

    firings = iterating(AsyncTimeObserver.firings)

    def __iter__(self) -> Iterator[Firing]:
        return self.firings()

    def arrived(self) -> list[Firing]:
        """The firings that have arrived and weren't read, without waiting."""
        return self._core.arrived()
