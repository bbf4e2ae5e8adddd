"""Work that a request has started: its notifications."""

from __future__ import annotations

import asyncio
from typing import Any

__all__ = ["Operation"]


class Operation:
    """Work that a request has started: its notifications, the last of which is the terminal one."""

    def __init__(self, handle: str, terminal: str) -> None:
        self.handle = handle
        self.terminal = terminal
        self._end = asyncio.Event()
        self._arrived: asyncio.Queue[tuple[str, Any] | Exception] = asyncio.Queue()

    @property
    def ended(self) -> bool:
        """True if the terminal notification has arrived, read or not."""
        return self._end.is_set()

    def deliver(self, method: str, params: Any) -> None:
        """Adds a notification."""
        self._arrived.put_nowait((method, params))
        if method == self.terminal:
            self._end.set()

    def fail(self, error: Exception) -> None:
        """Ends it with the engine."""
        self._arrived.put_nowait(error)
        self._end.set()

    async def next(self) -> tuple[str, Any]:
        """The next notification: its method and params."""
        item = await self._arrived.get()
        if isinstance(item, Exception):
            self._arrived.put_nowait(item)
            raise item
        return item

    async def until_ended(self) -> None:
        """Waits for the terminal notification, without reading it."""
        await self._end.wait()

    def untaken(self) -> list[Any]:
        """The params of the notifications that have arrived and weren't read."""
        items = []
        while not self._arrived.empty():
            item = self._arrived.get_nowait()
            if not isinstance(item, Exception):
                items.append(item[1])
        return items
