"""Notifications of players, and of their items, observers, outputs and loopers, on their way to whom they are for."""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, Protocol

from .errors import HandleClosedError

if TYPE_CHECKING:
    from .remote import Remote
    from .transport import Transport

__all__ = ["PLAYBACK", "Ending", "Events", "Playback"]

#: The beginnings of the names of notifications about players, capture sessions and their things.
PLAYBACK = (
    "player/",
    "playerItem/",
    "timeObserver/",
    "videoOutput/",
    "playerLooper/",
    "audioPlayer/",
    "captureSession/",
    "captureOutput/",
)


class Listener(Protocol):
    """An object that receives its notifications."""

    def _deliver(self, method: str, params: Any) -> None: ...

    def _fail(self, error: Exception) -> None: ...


class Playback:
    """The objects that notifications of players are for, by their handles."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._listeners: weakref.WeakValueDictionary[str, Listener] = weakref.WeakValueDictionary()
        #: Notifications about objects that are being made.
        self._early: dict[str, list[tuple[str, Any]]] = {}

    async def make(
        self,
        method: str,
        params: Mapping[str, Any],
        noun: str,
        on_result: Callable[[], None] | None = None,
    ) -> str:
        """Makes an object, whose notifications are kept from its answer on until ``add``.

        ``on_result`` is called before any message that follows the answer.
        """
        return str((await self.made(method, params, noun, on_result))[noun])

    async def made(
        self,
        method: str,
        params: Mapping[str, Any],
        noun: str,
        on_result: Callable[[], None] | None = None,
    ) -> Any:
        """The answer to a request that makes an object, as ``make`` does."""

        def expect(result: Any) -> None:
            # By the reader: the next message may be the first about it.
            self._early[result[noun]] = []
            if on_result is not None:
                on_result()

        return await self._transport.send_request(method, params, expect)

    async def made_all(self, method: str, params: Mapping[str, Any], member: str) -> Any:
        """The answer to a request that makes the objects of a list, as ``made`` does of one."""

        def expect(result: Any) -> None:
            self._early.update({handle: [] for handle in result[member]})

        return await self._transport.send_request(method, params, expect)

    def add(self, handle: str, listener: Listener) -> None:
        """Registers an object for the notifications with its handle."""
        self._listeners[handle] = listener
        for event in self._early.pop(handle, ()):
            listener._deliver(*event)

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Passes a notification to its object; without one its memory is released."""
        handle = params[method.split("/")[0]]
        listener = self._listeners.get(handle)
        if listener is not None:
            listener._deliver(method, params)
        elif handle in self._early:
            self._early[handle].append((method, params))
        else:
            self._transport.give_back(params)

    def fail(self, error: Exception) -> None:
        """Ends everything with the engine."""
        for listener in list(self._listeners.values()):
            listener._fail(error)


#: The maximum number of unread notifications; later ones replace their predecessor, where they may.
UNREAD_LIMIT = 1000


class Events:
    """Notifications, each of which is read once, by a waiting caller.

    With a function ``merged`` they are bounded: a program may observe for days and not read. It makes one of two
    notifications' params, the earlier ones first, or returns ``None`` for two that are both wanted.
    """

    def __init__(self, merged: Callable[[Any, Any], Any] | None = None) -> None:
        self._arrived: deque[tuple[str, Any]] = deque()
        self._merged = merged
        self._end: Exception | None = None
        self._changed = asyncio.Event()

    def put(self, method: str, params: Any) -> None:
        """Adds one."""
        if self._merged is not None and len(self._arrived) >= UNREAD_LIMIT:
            merged = self._merged(self._arrived[-1][1], params)
            if merged is not None:
                self._arrived[-1] = method, merged
                return
        self._arrived.append((method, params))
        self._changed.set()

    def end(self, error: Exception) -> None:
        """Ends them with an error, after those that have arrived."""
        self._end = self._end or error
        self._changed.set()

    @property
    def has_next(self) -> bool:
        """True if ``next`` doesn't wait."""
        return bool(self._arrived) or self._end is not None

    async def next(self) -> tuple[str, Any]:
        """The next one: its method and params."""
        while not self._arrived:
            if self._end is not None:
                raise self._end
            self._changed.clear()
            await self._changed.wait()
        return self._arrived.popleft()

    async def until_closed(self) -> AsyncIterator[Any]:
        """The params of each, until their object is closed; another end is raised."""
        while True:
            try:
                _, params = await self.next()
            except HandleClosedError:
                return
            yield params

    def untaken(self) -> list[Any]:
        """The params of the unread ones; their end stays."""
        left = [params for _, params in self._arrived]
        self._arrived.clear()
        return left


class Ending:
    """The end of a player's content, and the callers that wait for it."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self._is_reached = False
        self._failure: Exception | None = None

    def reach(self) -> None:
        """It is there."""
        self._is_reached = True
        self.wake()

    def postpone(self) -> None:
        """It is still to come: the player plays."""
        self._is_reached, self._failure = False, None

    def fail(self, error: Exception) -> None:
        """It doesn't come."""
        self._failure = error
        self.wake()

    def wake(self) -> None:
        """Makes waiting callers check again, such as for a closed player."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait(self, player: Remote, timeout: float | None) -> None:
        """Waits until it is reached, for at most ``timeout`` seconds."""
        # Without a timeout of 0 where it is there.
        if not self._is_over(player):
            await asyncio.wait_for(self._until_over(player), timeout)

    def _is_over(self, player: Remote) -> bool:
        """True if it is reached; the reason is raised if it doesn't come."""
        if not self._is_reached:
            if self._failure is not None:
                raise self._failure
            if player._closed:
                raise HandleClosedError(f"{player._handle} is closed", hint="Make another player.")
        return self._is_reached

    async def _until_over(self, player: Remote) -> None:
        while not self._is_over(player):
            await self._changed.wait()
