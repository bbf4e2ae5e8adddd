"""Work of an object, from its start to its end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Callable

from .errors import EngineClosedError, OperationCancelledError, ReelwireError, error_from_wire
from .operation import Operation
from .progress import ProgressLike, reporting
from .remote import Remote

__all__ = ["Work", "done", "finished", "require_success"]

#: The maximum time in which cancelled work ends; the engine promises half a second.
_PATIENCE = 2.0


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
        """Cancels unfinished work."""
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


async def done(
    remote: Remote, method: str, params: Mapping[str, Any], progress: ProgressLike, title: str
) -> Any:
    """Does work whose notifications report how far it is, and returns the params of the terminal one."""
    with reporting(progress, title, _part) as on_item:
        end = await finished(remote, method, params, on_item)
        require_success(end, f"the {title}")
    return end


def _part(item: Mapping[str, Any]) -> float:
    return float(item["progress"] if "progress" in item else item["completed"] / item["count"])
