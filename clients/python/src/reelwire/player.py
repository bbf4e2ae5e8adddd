"""Players: a clock, and an item that is presented at its times."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Union, cast

from . import protocol
from .calls import BlockingPlayerCalls, PlayerCalls
from .errors import HandleClosedError, error_from_wire
from .playback import Ending
from .player_item import AsyncPlayerItem, PlayerItem, face
from .player_looper import AsyncPlayerLooper, PlayerLooper
from .portal import RemoteFace, blocking, iterating, making
from .remote import OWN, Remote, given, unless_own
from .time import MediaTime, TimeLike
from .time_observer import AsyncTimeObserver, TimeObserver
from .time_range import TimeRangeLike
from .transport import Transport
from .video_output import AsyncVideoOutput, PlayerFrame
from .wire import time_range_to_wire, time_to_wire

__all__ = [
    "Advance",
    "AsyncPlayer",
    "AsyncPlayerLooper",
    "Player",
    "PlayerLooper",
    "Seek",
]

#: The destination of audio: a device's ID, ``{"kind": "none"}``, ``{"kind": "file", "path": …}``, ``None`` for the default.
AudioDevice = Union[str, Mapping[str, Any], None]


class Seek(NamedTuple):
    """The end of a seek."""

    #: False where something has interrupted it, or the time can't be reached.
    finished: bool
    #: The time of the item; ``None`` if the seek hasn't finished.
    time: MediaTime | None
    #: The number of the frame that is shown, from 0, in presentation order.
    sample_index: int | None
    #: False where that isn't certainly the frame of that time; ``None`` without pictures.
    is_exact: bool | None
    #: The number of jumps of the item's time.
    revision: int


class Advance(NamedTuple):
    """The place that a manual clock has got to."""

    #: The time of the clock.
    host_time: MediaTime
    #: The item's time.
    time: MediaTime
    #: The number of jumps of the item's time.
    revision: int
    #: The number of notifications that were written.
    notifications: int


class AsyncPlayer(PlayerCalls):
    """A player, without a screen: ``async with await engine.player("a.mp4") as player:``."""

    def __init__(
        self,
        transport: Transport,
        handle: str,
        items: list[AsyncPlayerItem],
        *,
        is_queue: bool,
        is_manual: bool,
    ) -> None:
        super().__init__(transport, handle)
        self._is_queue = is_queue
        self._is_manual = is_manual
        self._items: dict[str, AsyncPlayerItem] = {}
        #: The item that is played, by the last notification.
        self._current = items[0] if items else None
        self._ending = Ending()
        self._output: tuple[AsyncPlayerItem, str, AsyncVideoOutput] | None = None
        #: The turn of the callers of ``frame``, each of which may replace the output.
        self._turn = asyncio.Lock()
        #: The observers that its end and a failure of it end.
        self._observers: weakref.WeakSet[AsyncTimeObserver] = weakref.WeakSet()
        self._failure: Exception | None = None
        #: The objects that were made for it, and are closed with it.
        self._made: list[Remote] = []
        for item in items:
            self._know(item)
        if items and items[0]._failure is not None:
            self._ending.fail(items[0]._failure)
        transport.playback.add(handle, self)

    def _know(self, item: AsyncPlayerItem) -> None:
        self._items[item.handle] = item
        item._players.add(self)
        item._player, item._has_left = weakref.ref(self), False

    @property
    def _request(self) -> protocol.AsyncRequest:
        return cast(protocol.AsyncRequest, self._ask)

    async def _ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        return await self.transport.send_request(
            method, params, lambda result: self._note(method, params or {}, result)
        )

    def _note(self, method: str, params: Mapping[str, Any], result: Any) -> None:
        """Notes what an answer states: the notifications of that come later than the caller has it."""
        verb = method.rpartition("/")[2]
        if verb == "remove":
            self._drop(self._items.get(params["playerItem"]))
        elif verb == "removeAllItems":
            for item in self._items.values():
                self._drop(item)
        elif verb == "advanceToNextItem":
            self._set_current(self._items.get(result.get("currentItem")))
        elif verb in ("play", "setRate"):
            if result["timeControlStatus"] != "paused" or params.get("time") is not None:
                self._leave_end()
        elif verb == "seek" and result["finished"]:
            self._leave_end()

    def _leave_end(self) -> None:
        # A queue has ended when it is empty, whatever its rate is.
        if not self._is_queue:
            self._ending.postpone()
        for item in self._items.values():
            # Another player may have it now.
            if item._player() is self:
                item._is_at_end = False

    def _insert(self, item: AsyncPlayerItem) -> None:
        self._know(item)
        self._ending.postpone()
        if item is self._current:
            # It is back before it was heard of that it had left.
            self._current = None

    def _replace(self, item: AsyncPlayerItem | None) -> None:
        if item is not None and item is not self._current:
            self._know(item)
            self._ending.postpone()
        self._set_current(item)

    def _loop(self, item: AsyncPlayerItem, follows_others: bool, becomes_current: bool) -> None:
        self._know(item)
        self._ending.postpone()
        if item is self._current and follows_others or item is not self._current and becomes_current:
            # The current one changes, and stays in the queue.
            self._current = None

    def _set_current(self, item: AsyncPlayerItem | None) -> None:
        """Has another current item: the one before has left."""
        old, self._current = self._current, item
        if item is not None:
            item._has_left = False
        if old is not None and old is not item:
            old._did_leave(self)

    def _drop(self, item: AsyncPlayerItem | None) -> None:
        if item is not None:
            item._did_leave(self)
        if item is self._current:
            self._current = None

    # Notifications

    def _deliver(self, method: str, params: Any) -> None:
        changes = params.get("changes", {})
        if method == "player/didChange":
            if "currentItem" in changes:
                self._set_current(self._items.get(changes["currentItem"]))
            if changes.get("effectiveRate"):
                self._leave_end()
            if changes.get("currentItem") or changes.get("effectiveRate"):
                self._ending.postpone()
            elif self._is_queue and changes.get("currentItem", "") is None:
                self._ending.reach()
            if changes.get("status") == "failed":
                self._failure = error_from_wire(changes["error"])
                self._ending.fail(self._failure)
                for observer in self._observers:
                    observer._fail(self._failure)
        elif params.get("player") != self._handle:
            # Another player has its item now.
            return
        elif method == "playerItem/didPlayToEndTime" and not self._is_queue:
            self._ending.reach()
        elif method == "playerItem/didJump" and not self._is_queue:
            self._ending.postpone()
        elif method == "playerItem/didFailToPlayToEndTime":
            self._ending.fail(error_from_wire(params["error"]))

    def _fail(self, error: Exception) -> None:
        self._ending.fail(error)

    async def wait_until_ended(self, timeout: float | None = None) -> None:
        """Waits until the item has been played to its end; a queue, until it is empty.

        Raises the item's error, and ``TimeoutError`` after ``timeout`` seconds.
        """
        await self._ending.wait(self, timeout)

    # Settings

    async def set(
        self,
        *,
        volume: float | None = None,
        is_muted: bool | None = None,
        audio_device: AudioDevice = OWN,
        action_at_item_end: protocol.ActionAtItemEnd | None = None,
        automatically_waits_to_minimize_stalling: bool | None = None,
        default_rate: float | None = None,
    ) -> None:
        """Changes settings; absent ones are unchanged."""
        params = given(
            player=self.handle,
            volume=volume,
            isMuted=is_muted,
            actionAtItemEnd=action_at_item_end,
            automaticallyWaitsToMinimizeStalling=automatically_waits_to_minimize_stalling,
            defaultRate=default_rate,
        )
        await self._request("player/set", params | unless_own(audioDevice=audio_device))

    async def seek(
        self,
        time: TimeLike,
        *,
        exact: bool = False,
        tolerance_before: TimeLike | None = None,
        tolerance_after: TimeLike | None = None,
        while_scrubbing: bool | None = None,
    ) -> Seek:
        """Goes to a time, and waits until its picture can be had.

        It lands within the tolerances, wherever that is quickest; ``exact`` is for none. ``"+infinity"`` is the
        end. Another seek interrupts it.
        """
        params = given(
            player=self.handle,
            time=MediaTime.of(time).to_wire(),
            toleranceBefore=time_to_wire(0 if exact else tolerance_before),
            toleranceAfter=time_to_wire(0 if exact else tolerance_after),
            whileScrubbing=while_scrubbing,
            completion="response",
        )
        end = cast(protocol.PlayerDidSeek, await self._request("player/seek", params))
        actual = end.get("actualTime")
        return Seek(
            end["finished"],
            None if actual is None else MediaTime.of(actual),
            end.get("sampleIndex"),
            end.get("isExact"),
            end.get("revision", 0),
        )

    async def preroll(self, rate: float = 1) -> bool:
        """Decodes the beginning of playback at a rate; false if that was interrupted."""
        params = given(player=self.handle, rate=rate, completion="response")
        return cast(protocol.PlayerDidPreroll, await self._request("player/preroll", params))[
            "finished"
        ]

    async def advance(self, by: TimeLike | None = None, *, to: TimeLike | None = None) -> Advance:
        """Moves a manual clock by a time, or to one: all that is due until then has happened afterwards."""
        params = given(player=self.handle, by=time_to_wire(by), to=time_to_wire(to))
        result: protocol.PlayerAdvanceClockResult = await self._request("player/advanceClock", params)
        return Advance(
            MediaTime.of(result["hostTime"]),
            MediaTime.of(result["time"]),
            result["revision"],
            result["notifications"],
        )

    # Items

    def _of(self, handles: Iterable[str]) -> list[AsyncPlayerItem]:
        return [self._items[handle] for handle in handles if handle in self._items]

    async def items(self) -> list[AsyncPlayerItem]:
        """The items, the current one first. Those that have been played are gone from a queue."""
        result = await self._request("player/items", given(player=self.handle))
        return self._of(result["items"])

    async def current_item(self) -> AsyncPlayerItem | None:
        """The item that is played."""
        items = await self.items()
        return items[0] if items else None

    async def insert(
        self,
        item: AsyncPlayerItem,
        after: AsyncPlayerItem | None = None,
        *,
        dry_run: bool | None = None,
    ) -> list[AsyncPlayerItem]:
        """Inserts an item into a queue, at its end unless something else is stated.

        With ``dry_run`` nothing changes: it raises where the item can't be inserted.
        """
        params = given(
            player=self.handle,
            playerItem=item.handle,
            after=None if after is None else after.handle,
            dryRun=dry_run,
        )
        # An item that is refused stays with the player that it has.
        result = await self.transport.send_request(
            "player/insert", params, None if dry_run else lambda _: self._insert(item)
        )
        return self._of(result["items"])

    async def replace_current_item(self, item: AsyncPlayerItem | None) -> None:
        """Has an item take the place of the current one; ``None`` for none."""
        params = given(player=self.handle, playerItem=None if item is None else item.handle)
        await self.transport.send_request(
            "player/replaceCurrentItem",
            params,
            lambda _: self._replace(item),
        )

    async def advance_to_next_item(self) -> AsyncPlayerItem | None:
        """Drops the current item of a queue, and returns the new current item."""
        result = await self._request("player/advanceToNextItem", given(player=self.handle))
        current = result.get("currentItem")
        return None if current is None else self._items.get(current)

    async def loop(
        self,
        time_range: TimeRangeLike | None = None,
        *,
        item: AsyncPlayerItem | None = None,
        existing_items_ordering: protocol.LooperOrdering | None = None,
    ) -> AsyncPlayerLooper:
        """Plays the current item of a queue, or a range of it, again and again; or another item."""
        if item is None:
            item = await self.current_item()
            if item is None:
                raise ValueError("there is no item to loop: give one")
        params = given(
            player=self.handle,
            templateItem=item.handle,
            timeRange=time_range_to_wire(time_range),
            existingItemsOrdering=existing_items_ordering,
        )
        follows = existing_items_ordering == "loopingItemsFollowExistingItems"
        others = [each for each in await self.items() if each is not item] if follows else []
        made = await self.transport.playback.make(
            "playerLooper/create",
            params,
            "playerLooper",
            lambda: self._loop(item, bool(others), not follows),
        )
        return AsyncPlayerLooper(self.transport, made, self)

    # Times and pictures

    async def observe(self, *, every: TimeLike) -> AsyncTimeObserver:
        """An iterator of times: each multiple of an interval that is crossed, and jumps, starts and stops."""
        params = given(player=self.handle, interval=MediaTime.of(every).to_wire())
        return await self._observer("player/addPeriodicTimeObserver", params)

    async def at(self, times: Iterable[TimeLike]) -> AsyncTimeObserver:
        """An iterator of those of the ``times`` that are crossed by playing."""
        params = given(
            player=self.handle, times=[MediaTime.of(time).to_wire() for time in times]
        )
        return await self._observer("player/addBoundaryTimeObserver", params)

    async def _observer(self, method: str, params: Mapping[str, Any]) -> AsyncTimeObserver:
        handle = await self.transport.playback.make(method, params, "timeObserver")
        observer = AsyncTimeObserver(self.transport, handle, self)
        self._observers.add(observer)
        if self._failure is not None:
            observer._fail(self._failure)
        return observer

    async def frames(
        self,
        *,
        pixel_format: protocol.ImageFormat = "rgb24",
        width: int | None = None,
        height: int | None = None,
        max_outstanding: int | None = None,
    ) -> AsyncIterator[PlayerFrame]:
        """The frames of the current item as they are due, until its end; the error of an item that has failed is raised.

        ``numpy.asarray(frame)`` is its pixels, without a copy unless earlier frames are still in use.
        Frames that arrive between requests are dropped, and counted in ``frame.dropped``. On a manual clock
        the loop ends when no frame is due: move the clock in it to have further ones. There are none of an
        item that has been played to its end.
        """
        item = await self.current_item()
        if item is None or item._is_at_end:
            return
        output = await item.video_output(
            pixel_format=pixel_format,
            width=width,
            height=height,
            mode="push",
            max_outstanding=max_outstanding,
        )
        try:
            # It may have ended while the output was made.
            if not item._is_at_end:
                async for frame in output.pushed():
                    yield frame
        finally:
            await output.close()

    async def frame(
        self, *, pixel_format: protocol.ImageFormat = "rgb24", timeout: float = 10
    ) -> PlayerFrame | None:
        """The picture that is shown now; ``None`` where there is none."""
        async with self._turn:
            item = await self.current_item()
            if item is None:
                return None
            if self._output is None or self._output[:2] != (item, pixel_format):
                # Its item may be closed, and the output with it.
                old, self._output = self._output, None
                if old is not None:
                    await old[2].close()
                output = await item.video_output(pixel_format=pixel_format, max_outstanding=32)
                self._output = item, pixel_format, output
            return await self._output[2].copy(only_if_new=False, timeout=timeout)

    async def close(self) -> None:
        """Ends the player, and the objects that were made only for it; waiting callers are woken."""
        await super().close()
        self._ending.wake()
        end = HandleClosedError("the player is closed", hint="Make another one.")
        for observer in list(self._observers):
            observer._fail(end)
        for item in self._items.values():
            item._did_leave(self)
        while self._made:
            await self._made.pop().close()


class Player(BlockingPlayerCalls, RemoteFace):
    """A player, without a screen: ``with engine.player("a.mp4") as player:``."""

    _core: AsyncPlayer

    set = blocking(AsyncPlayer.set)
    seek = blocking(AsyncPlayer.seek)
    preroll = blocking(AsyncPlayer.preroll)
    advance = blocking(AsyncPlayer.advance)
    wait_until_ended = blocking(AsyncPlayer.wait_until_ended)
    observe = making(AsyncPlayer.observe, TimeObserver)
    at = making(AsyncPlayer.at, TimeObserver)
    frame = blocking(AsyncPlayer.frame)
    frames = iterating(AsyncPlayer.frames)

    def items(self) -> list[PlayerItem]:
        """The items, the current one first. Those that have been played are gone from a queue."""
        return [face(self, item) for item in self._portal.call(self._core.items)]

    def current_item(self) -> PlayerItem | None:
        """The item that is played."""
        item = self._portal.call(self._core.current_item)
        return None if item is None else face(self, item)

    def insert(
        self, item: PlayerItem, after: PlayerItem | None = None, *, dry_run: bool | None = None
    ) -> list[PlayerItem]:
        """Inserts an item into a queue, at its end unless something else is stated.

        With ``dry_run`` nothing changes: it raises where the item can't be inserted.
        """
        place = None if after is None else after._core
        items = self._portal.call(self._core.insert, item._core, place, dry_run=dry_run)
        return [face(self, each) for each in items]

    def replace_current_item(self, item: PlayerItem | None) -> None:
        """Has an item take the place of the current one; ``None`` for none."""
        core = None if item is None else item._core
        self._portal.call(self._core.replace_current_item, core)

    def advance_to_next_item(self) -> PlayerItem | None:
        """Drops the current item of a queue, and returns the new current item."""
        item = self._portal.call(self._core.advance_to_next_item)
        return None if item is None else face(self, item)

    def loop(
        self,
        time_range: TimeRangeLike | None = None,
        *,
        item: PlayerItem | None = None,
        existing_items_ordering: protocol.LooperOrdering | None = None,
    ) -> PlayerLooper:
        """Plays the current item of a queue, or a range of it, again and again; or another item."""
        core = None if item is None else item._core
        made = self._portal.call(
            self._core.loop, time_range, item=core, existing_items_ordering=existing_items_ordering
        )
        return PlayerLooper(self, made)

    def __iter__(self) -> Iterator[PlayerFrame]:
        return self.frames()
