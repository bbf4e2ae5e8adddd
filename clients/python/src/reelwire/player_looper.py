"""The looping of an item of a player."""

from __future__ import annotations

from typing import Any

from .calls import BlockingPlayerLooperCalls, PlayerLooperCalls
from .portal import RemoteFace
from .remote import Remote
from .transport import Transport

__all__ = ["AsyncPlayerLooper", "PlayerLooper"]


class AsyncPlayerLooper(PlayerLooperCalls):
    """The looping of an item; closing it has the pass that is played be the last one."""

    def __init__(self, transport: Transport, handle: str, player: Remote) -> None:
        super().__init__(transport, handle)
        #: Kept with it: a player that is dropped is closed.
        self._player = player
        #: The number of repetitions of the item, as far as it is known.
        self.loop_count = 0
        transport.playback.add(handle, self)

    def _deliver(self, method: str, params: Any) -> None:
        self.loop_count = params["loopCount"]

    def _fail(self, error: Exception) -> None:
        """The callers that wait for the player are informed there."""


class PlayerLooper(BlockingPlayerLooperCalls, RemoteFace):
    """The looping of an item; closing it has the pass that is played be the last one."""

    _core: AsyncPlayerLooper

    @property
    def loop_count(self) -> int:
        """The number of repetitions of the item, as far as it is known."""
        return self._core.loop_count
