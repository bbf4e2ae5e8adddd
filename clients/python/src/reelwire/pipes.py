"""The two ends of the pipes to the engine: lines of any length, and a writer that may be full."""

from __future__ import annotations

import asyncio
from typing import Callable

__all__ = ["LineReader", "Lines", "Writer"]


class Lines:
    """Cuts a stream of bytes into lines of any length, looking at each byte once."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that ``chunk`` completes, without their ends."""
        first, *rest = chunk.split(b"\n")
        self._parts.append(first)
        if not rest:
            return []
        lines = [b"".join(self._parts), *rest[:-1]]
        self._parts = [rest[-1]]
        return lines

    def end(self) -> bytes:
        """The remaining data when the stream has ended."""
        rest = b"".join(self._parts)
        self._parts = []
        return rest


class LineReader(asyncio.Protocol):
    """Hands the lines of a pipe on, then reports its end."""

    def __init__(self, on_line: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._lines = Lines()
        self._on_line = on_line
        self._on_end = on_end

    def data_received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            self._on_line(line)

    def connection_lost(self, exc: Exception | None) -> None:
        rest = self._lines.end()
        if rest:
            self._on_line(rest)
        self._on_end()


class Writer(asyncio.BaseProtocol):
    """Knows whether the pipe to the engine is full."""

    def __init__(self) -> None:
        self.ready = asyncio.Event()
        self.ready.set()

    def pause_writing(self) -> None:
        self.ready.clear()

    def resume_writing(self) -> None:
        self.ready.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ready.set()
