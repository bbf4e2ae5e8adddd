"""Media that the engine reads through this process: it asks, and is answered from ``MediaBytes``."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import mmap
import os
from typing import TYPE_CHECKING, Any

from .errors import ReelwireError
from .media_bytes import MediaBytes

if TYPE_CHECKING:
    from .transport import Transport

__all__ = ["Resource", "Resources"]

#: The maximum memory that the engine is lent at a time: enough for its read-ahead.
_MEMORY = 8 << 20
_SMALLEST_MEMORY = 64 << 10

_log = logging.getLogger("reelwire")


class Resource:
    """The task that answers the reads of one resource."""

    def __init__(self, transport: Transport, handle: str, media: MediaBytes) -> None:
        self._transport = transport
        self._handle = handle
        self._media = media
        self._memory: mmap.mmap | None = None
        #: Reads that aren't answered yet, and whether the answer is still wanted.
        self._wanted: dict[int, bool] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def share_memory(self) -> None:
        """Has the engine make memory that the bytes can be put into; they are in messages otherwise."""
        length = self._media.length
        if not self._transport.shared_memory.limit or length == 0:
            return
        pages = -(-(length or _MEMORY) // _SMALLEST_MEMORY)
        size = min(_MEMORY, max(pages, 1) * _SMALLEST_MEMORY)
        with contextlib.suppress(ReelwireError, OSError):
            made: Any = await self._transport.send_request(
                "resource/allocate", {"resource": self._handle, "size": size}
            )
            descriptor = os.open(made["path"], os.O_RDWR | os.O_CLOEXEC)
            try:
                self._memory = mmap.mmap(descriptor, made["size"])
            finally:
                os.close(descriptor)

    def read(self, params: dict[str, Any]) -> None:
        """Answers a read, now or soon."""
        self._wanted[params["request"]] = True
        if self._media.is_immediate:
            self._answer(params, self._media.read(params["offset"], params["length"]))
            return
        task = asyncio.get_running_loop().create_task(self._read(params))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, params: dict[str, Any]) -> None:
        loop = asyncio.get_running_loop()
        try:
            data = await loop.run_in_executor(None, self._read_if_wanted, params)
        except Exception as error:
            reason = str(error) or type(error).__name__
            self._send(params, error={"message": reason})
        else:
            self._answer(params, data)

    def _read_if_wanted(self, params: dict[str, Any]) -> bytes | None:
        """On a thread of its own."""
        is_wanted = self._wanted.get(params["request"]) or not self._media.is_random_access
        return self._media.read(params["offset"], params["length"]) if is_wanted else None

    def cancel(self, request: int) -> None:
        """The answer isn't needed any more."""
        if request in self._wanted:
            self._wanted[request] = False

    def _answer(self, params: dict[str, Any], data: bytes | None) -> None:
        if data is None:
            self._send(params, error={"message": "the read was cancelled"})
            return
        end = params["offset"] + len(data)
        is_end = not data or end == self._media.length
        place = params.get("place")
        blob: dict[str, Any]
        if self._memory is not None and place is not None and data:
            self._memory[place : place + len(data)] = data
            blob = {"kind": "shm", "size": len(data)}
        else:
            blob = {"kind": "inline", "data": base64.b64encode(data).decode()}
        self._send(params, blob=blob, **({"isEnd": True} if is_end else {}))

    def _send(self, params: dict[str, Any], **answer: Any) -> None:
        self._wanted.pop(params["request"], None)
        try:
            self._transport.notify(
                "resource/didRead",
                {"resource": self._handle, "request": params["request"], **answer},
            )
        except ReelwireError as error:
            # The engine has ended, or the message would be larger than it takes.
            _log.debug("a read of %s can't be answered: %s", self._handle, error)

    def end(self) -> None:
        """Nothing is read any more."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None
        self._media.close()


class Resources:
    """The resources of one engine, until it reports that they aren't read any more."""

    def __init__(self) -> None:
        self._open: dict[str, Resource] = {}

    def add(self, handle: str, resource: Resource) -> None:
        self._open[handle] = resource

    def deliver(self, method: str, params: dict[str, Any]) -> None:
        """Takes a notification of ``resource/``."""
        handle = params.get("resource", "")
        if method == "resource/didEnd":
            if (ended := self._open.pop(handle, None)) is not None:
                ended.end()
            return
        resource = self._open.get(handle)
        if resource is None:
            return
        if method == "resource/read":
            resource.read(params)
        elif method == "resource/didCancelRead":
            resource.cancel(params["request"])

    def end(self) -> None:
        """The engine has ended."""
        while self._open:
            self._open.popitem()[1].end()
