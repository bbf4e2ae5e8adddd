"""Work that a request has started, from its start to its end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable

from .errors import EngineClosedError, OperationCancelledError, ReelwireError, error_from_wire

if TYPE_CHECKING:
    from .remote import Remote

__all__ = ["Operation", "Work", "finished", "require_success"]

#: How long cancelled work may take to end; the engine promises half a second.
_PATIENCE = 2.0


class Operation:
    """Work that a request has started: its notifications, the last of which is the terminal one."""

    def __init__(self, handle: str, terminal: str) -> None:
        self.handle = handle
        self.terminal = terminal
        self._end = asyncio.Event()
        self._arrived: asyncio.Queue[tuple[str, Any] | Exception] = asyncio.Queue()

    @property
    def ended(self) -> bool:
        """Whether the terminal notification has arrived, taken or not."""
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
        """Waits for the terminal notification, which stays to be taken."""
        await self._end.wait()

    def untaken(self) -> list[Any]:
        """The params of what has arrived and was not taken."""
        items = []
        while not self._arrived.empty():
            item = self._arrived.get_nowait()
            if not isinstance(item, Exception):
                items.append(item[1])
        return items


class Work:
    """Work of an object from its start to its end; leaving it early cancels it.

    After an early exit the work has ended, or two seconds have passed.
    """

    def __init__(self, remote: Remote, method: str, params: Mapping[str, Any]) -> None:
        self._transport = remote.transport
        self._method = method
        self._params = params
        self._operation: Operation | None = None

    async def begin(self) -> Operation:
        """Starts it."""
        self._operation = await self._transport.start(self._method, self._params)
        return self._operation

    async def end(self) -> None:
        """Cancels what is not finished."""
        operation = self._operation
        if operation is None:
            return
        try:
            if not operation.ended:
                # Not by the object's own method, which may cancel more than this.
                self._transport.close_later(operation.handle)
                with contextlib.suppress(asyncio.TimeoutError, EngineClosedError):
                    await asyncio.wait_for(operation.until_ended(), _PATIENCE)
        finally:
            self._transport.abandon(operation)

    async def __aenter__(self) -> Operation:
        return await self.begin()

    async def __aexit__(self, *_: Any) -> None:
        await self.end()


async def finished(
    remote: Remote,
    method: str,
    params: Mapping[str, Any],
    on_item: Callable[[Any], Any] | None = None,
) -> Any:
    """Starts work, hands its notifications on, and returns the params of the terminal one."""
    async with Work(remote, method, params) as operation:
        while True:
            name, item = await operation.next()
            if name == operation.terminal:
                return item
            if on_item is not None:
                on_item(item)


def require_success(wire: Mapping[str, Any], what: str, hint: str = "Ask for it again.") -> None:
    """Raises the error that work has ended with, if any."""
    end = wire.get("result") or wire.get("status")
    if end in ("succeeded", "completed"):
        return
    if wire.get("error"):
        raise error_from_wire(wire["error"])
    if end == "cancelled":
        raise OperationCancelledError(f"{what} was cancelled", code=-11878, hint=hint)
    raise ReelwireError(f"{what} ended as {end}")
