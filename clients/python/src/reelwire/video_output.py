"""The pictures of a player's item, as arrays that lie in the engine's memory."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, cast

from . import protocol
from .calls import BlockingVideoOutputCalls, VideoOutputCalls
from .errors import HandleClosedError, error_from_wire
from .playback import Events
from .portal import RemoteFace, blocking, iterating
from .remote import Remote, given
from .sample_buffer import SampleBuffer
from .time import MediaTime, TimeLike
from .transport import Transport
from .wire import time_to_wire

if TYPE_CHECKING:
    from .player_item import AsyncPlayerItem

__all__ = ["PLAYER_LEFT", "AsyncVideoOutput", "PlayerFrame", "VideoOutput"]

#: The notification of an item's output after which nothing comes before the item is in a player again.
PLAYER_LEFT = "playerItem/didLeave"


class PlayerFrame(SampleBuffer):
    """A picture of a player's item: ``numpy.asarray(frame)`` is an array of its pixels.

    Its memory goes back to the engine when nothing refers to it any more, or with ``release()``.
    """

    __slots__ = ("dropped", "host_time", "revision", "sample_index")

    def __init__(self, wire: Any, owner: Remote, room: int | None = None) -> None:
        buffer = {
            "presentationTime": wire["itemTimeForDisplay"],
            "duration": wire["duration"],
            "numSamples": 1,
            "attachments": {},
            **{name: wire[name] for name in ("image", "blob") if name in wire},
        }
        super().__init__(cast(protocol.SampleBuffer, buffer), owner, None, room)
        #: The number of the frame, from 0, in presentation order.
        self.sample_index: int | None = wire.get("sampleIndex")
        #: The number of jumps of the item's time.
        self.revision: int = wire["revision"]
        #: The time of the player's clock when it was due; only of pictures that come by themselves.
        self.host_time = MediaTime.of(wire["hostTime"]) if "hostTime" in wire else None
        #: The number of frames that were not delivered so far; only of pushed frames.
        self.dropped: protocol.DroppedPictures | None = wire.get("dropped")

    @property
    def time(self) -> MediaTime:
        """The start of the frame's own time."""
        return self.presentation_time


class AsyncVideoOutput(VideoOutputCalls):
    """An output of an item's pictures."""

    def __init__(
        self, transport: Transport, handle: str, item: AsyncPlayerItem, max_outstanding: int
    ) -> None:
        super().__init__(transport, handle)
        self._item = item
        #: The number of frames that the caller may hold: one lease is left for the next one.
        self._room = max_outstanding - 1
        self._events = Events()
        self._is_ending = False
        transport.playback.add(handle, self)

    def _deliver(self, method: str, params: Any) -> None:
        if self._is_ending:
            self.transport.give_back(params)
        elif method == "playerItem/didChange" and params["changes"].get("status") == "failed":
            self._events.end(error_from_wire(params["changes"]["error"]))
        else:
            self._events.put(method, params)

    def _fail(self, error: Exception) -> None:
        self._events.end(error)

    def _end(self) -> None:
        """Ends the loops over it, and makes its frames the caller's own: the engine is about to end their leases."""
        self._is_ending = True
        self._room = 0
        self._events.end(HandleClosedError("the output is closed", hint="Make another one."))
        for params in self._events.untaken():
            self.transport.give_back(params)
        self.transport.shared_memory.detach(self)

    async def copy(
        self,
        item_time: TimeLike | None = None,
        *,
        host_time: TimeLike | None = None,
        only_if_new: bool = True,
        timeout: float = 0,
    ) -> PlayerFrame | None:
        """The picture of a time, by default of now; ``None`` where there is none, or none that is new.

        ``timeout`` is how many seconds to wait for one that isn't decoded yet.
        """
        params = given(
            videoOutput=self.handle,
            itemTime=time_to_wire(item_time),
            hostTime=time_to_wire(host_time),
            onlyIfNew=only_if_new,
            timeoutMs=round(timeout * 1000),
        )
        result = await self._request("videoOutput/copyPixelBuffer", params)
        return PlayerFrame(result, self, self._room) if "blob" in result else None

    async def pushed(self) -> AsyncIterator[PlayerFrame]:
        """The frames as they are due, until the item's end, or until it leaves its player, or that or the output is closed.

        The item's failure is raised. On a manual clock the loop ends when no frame is due: move the clock in it to have further ones.
        """
        # Kept until the end: a player that is dropped is closed.
        _player = self._item._player()
        while await self._has_next():
            try:
                method, params = await self._events.next()
            except HandleClosedError:
                return
            if method == "videoOutput/didOutput":
                yield PlayerFrame(params, self, self._room)
            elif method == "playerItem/didPlayToEndTime":
                return
            elif method == PLAYER_LEFT and self._item._is_without_player:
                return
            elif method == "playerItem/didFailToPlayToEndTime":
                raise error_from_wire(params["error"])

    async def _has_next(self) -> bool:
        """False where nothing is due, and nothing will be before the caller moves the clock."""
        if not self._events.has_next and (player := self._item._manual_player) is not None:
            # Everything that is due has come when this is answered.
            await player.advance(0)
            return self._events.has_next
        return True

    async def close(self) -> None:
        """Ends the output, and the loops over it; frames that are in use stay."""
        self._end()
        await super().close()


class VideoOutput(BlockingVideoOutputCalls, RemoteFace):
    """An output of an item's pictures."""

    _core: AsyncVideoOutput

    copy = blocking(AsyncVideoOutput.copy)
    pushed = iterating(AsyncVideoOutput.pushed)
