"""The engine: one process, and everything that is opened in it."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

from . import protocol
from .asset import Asset, AsyncAsset
from .binary import find_binary
from .blob import path_text
from .calls import BlockingEngineCalls, EngineCalls
from .errors import EngineClosedError
from .portal import ClosableFace, Portal, blocking, making
from .remote import given
from .transport import Transport

__all__ = ["AsyncEngine", "Engine"]


class AsyncEngine(EngineCalls):
    """An engine for asyncio: ``async with AsyncEngine() as engine:``.

    The program is ``binary``, or ``REELWIRE_BINARY``, or the one inside this package, or on the
    PATH, or in the build folder of a checkout. ``arguments`` follow ``reelwire serve``. The process
    ends with the ``async with``, or with this program.
    """

    def __init__(
        self,
        binary: str | os.PathLike[str] | None = None,
        *,
        arguments: Iterable[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._command = [find_binary(binary), "serve", *arguments]
        self._env = env
        self._transport: Transport | None = None
        self._info: protocol.InitializeResult | None = None

    async def start(self) -> AsyncEngine:
        """Starts the process, unless it runs already."""
        if self._transport is None:
            transport = Transport(self._command, self._env)
            await transport.spawn()
            self._transport = transport
            try:
                self._info = await transport.request(
                    "initialize", {"processId": os.getpid(), "clientInfo": {"name": "python"}}
                )
                able = self._info["capabilities"]
                transport.message_limit = int(able.get("maxMessageBytes", 0))
                if "shm" in able.get("deliveries", ()):
                    transport.shared_memory_limit = int(able["maxSharedMemoryBytes"])
            except BaseException:
                await transport.close()
                raise
        return self

    @property
    def transport(self) -> Transport:
        """The process and its messages."""
        if self._transport is None:
            raise EngineClosedError(
                "the engine is not started", hint="Use `async with`, or `await engine.start()`."
            )
        return self._transport

    @property
    def _request(self) -> protocol.AsyncRequest:
        return self.transport.request

    @property
    def info(self) -> protocol.InitializeResult:
        """What the engine reported about itself: its version, its FFmpeg, its limits."""
        if self._info is None:
            raise EngineClosedError(
                "the engine is not started", hint="Use `async with`, or `await engine.start()`."
            )
        return self._info

    @property
    def version(self) -> str:
        """The engine's version."""
        return self.info["serverInfo"].get("version", "")

    @property
    def pid(self) -> int:
        """The process id of the engine."""
        return self.transport.pid

    @property
    def closed(self) -> bool:
        """Whether it was closed or has died."""
        return self._transport is not None and not self._transport.is_alive

    @property
    def stderr(self) -> list[str]:
        """The last lines that the engine wrote to its stderr."""
        return self.transport.stderr

    async def open(
        self,
        path: str | os.PathLike[str],
        *,
        prefer_precise_duration_and_timing: bool | None = None,
        salvage: bool | None = None,
    ) -> AsyncAsset:
        """Makes an asset of a file. What the file is shows when something is loaded of it."""
        url = path_text(path, "a source")
        if "://" not in url and not url.startswith("file:"):
            url = os.path.abspath(url)
        options = given(
            preferPreciseDurationAndTiming=prefer_precise_duration_and_timing, salvage=salvage
        )
        result = await self.transport.request("asset/open", given(url=url, options=options or None))
        return AsyncAsset(self.transport, result["asset"], url)

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Sends any request and returns its result as it is on the wire."""
        return await self.transport.send_request(method, params)

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Sends any notification."""
        self.transport.notify(method, params)

    async def close(self) -> None:
        """Ends the engine; what is not finished is cancelled. Closing again does nothing."""
        if self._transport is not None:
            await self._transport.close()

    async def __aenter__(self) -> AsyncEngine:
        return await self.start()

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        if self._transport is None or self._info is None:
            return f"<{type(self).__name__} not started>"
        ffmpeg = self._info["ffmpeg"]["version"]
        state = " closed" if self.closed else ""
        return f"<{type(self).__name__} {self.version} FFmpeg {ffmpeg} pid {self.pid}{state}>"


class Engine(BlockingEngineCalls, ClosableFace):
    """An engine: ``with Engine() as engine:``. It runs from here on until ``close()``.

    The program is ``binary``, or ``REELWIRE_BINARY``, or the one inside this package, or on the
    PATH, or in the build folder of a checkout. ``arguments`` follow ``reelwire serve``. It may be
    used from any thread.
    """

    _core: AsyncEngine

    def __init__(
        self,
        binary: str | os.PathLike[str] | None = None,
        *,
        arguments: Iterable[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._core = AsyncEngine(binary, arguments=arguments, env=env)
        self._portal = Portal()
        try:
            self._portal.call(self._core.start)
        except BaseException:
            self._portal.stop()
            raise
        self._end = weakref.finalize(self, _end, self._portal, self._core)

    @property
    def info(self) -> protocol.InitializeResult:
        """What the engine reported about itself: its version, its FFmpeg, its limits."""
        return self._core.info

    @property
    def version(self) -> str:
        """The engine's version."""
        return self._core.version

    @property
    def pid(self) -> int:
        """The process id of the engine."""
        return self._core.pid

    @property
    def stderr(self) -> list[str]:
        """The last lines that the engine wrote to its stderr."""
        return self._core.stderr

    open = making(AsyncEngine.open, Asset)
    request = blocking(AsyncEngine.request)
    notify = blocking(AsyncEngine.notify)

    def close(self) -> None:
        """Ends the engine; what is not finished is cancelled. Closing again does nothing."""
        self._end()

    def __enter__(self) -> Engine:
        return self


def _end(portal: Portal, core: AsyncEngine) -> None:
    if portal.is_forked:
        return
    if portal.is_here:  # The garbage collector may run anywhere, and a thread cannot join itself.
        threading.Thread(target=_end, args=(portal, core)).start()
        return
    try:
        portal.call(core.close)
    finally:
        portal.stop()
