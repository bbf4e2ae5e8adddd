"""What every object of the engine has: a handle, and an end."""

from __future__ import annotations

import asyncio
import contextlib
import re
import weakref
from collections.abc import Mapping
from typing import Any, TypeVar

from .errors import EngineClosedError, HandleClosedError
from .transport import Operation, Transport

__all__ = ["Remote", "Work", "given", "snake_to_camel"]

R = TypeVar("R", bound="Remote")

#: How long cancelled work may take to end; the engine promises half a second.
_PATIENCE = 2.0


class Remote:
    """An object of the engine.

    It is closed at the end of an ``async with``, by ``close()``, or with the last reference to it.
    """

    def __init__(self, transport: Transport, handle: str) -> None:
        self.transport = transport
        self._handle = handle
        self._closed = False
        self._finalizer = weakref.finalize(self, transport.close_later, handle)
        self._finalizer.atexit = False

    @property
    def handle(self) -> str:
        """The object's name on the wire, for example ``asset:1``."""
        if self._closed:
            raise HandleClosedError(
                f"{self._handle} is closed", hint="Use the object before its `with` block ends."
            )
        return self._handle

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    async def close(self) -> None:
        """Lets go of the object; its work is cancelled. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        self._finalizer.detach()
        for lent in list(self.transport.lent.values()):
            if lent.owner is self and (view := lent()) is not None:
                self.transport.slabs.detach(view, lent.size, lent.path)
        if self.transport.is_alive:
            with contextlib.suppress(EngineClosedError):
                await self.transport.send_request("handle/close", {"handle": self._handle})

    async def __aenter__(self: R) -> R:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class Work:
    """Work of an object from its start to its end; leaving it early cancels it.

    After an early exit the work has ended, or two seconds have passed.
    """

    def __init__(self, remote: Remote, method: str, params: Mapping[str, Any]) -> None:
        self._transport = remote.transport
        self._method = method
        self._params = params
        self._operation: Operation | None = None

    async def __aenter__(self) -> Operation:
        self._operation = await self._transport.start(self._method, self._params)
        return self._operation

    async def __aexit__(self, *_: Any) -> None:
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


def given(**members: Any) -> Any:
    """The members that are not ``None``: what is left out has the engine's default."""
    return {name: value for name, value in members.items() if value is not None}


def snake_to_camel(name: str) -> str:
    """``natural_size`` is ``naturalSize`` on the wire."""
    return re.sub(r"_(\w)", lambda match: match.group(1).upper(), name)
