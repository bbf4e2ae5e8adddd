"""A place among the samples of a track, without their bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, cast

from . import protocol
from .calls import BlockingSampleCursorCalls, SampleCursorCalls
from .portal import RemoteFace, iterating
from .sample import Sample
from .transport import Transport

__all__ = ["AsyncSampleCursor", "SampleCursor"]


class AsyncSampleCursor(SampleCursorCalls):
    """A place among the samples of a track; moving it reads nothing and never waits for the file.

    Decode order holds every sample, presentation order those that are shown.
    """

    def __init__(self, transport: Transport, handle: str, sample: Sample | None) -> None:
        super().__init__(transport, handle)
        self._last_seen = sample

    @property
    def _request(self) -> protocol.AsyncRequest:
        return cast(protocol.AsyncRequest, self._ask)

    async def _ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Sends a request, and sees in the answer where the cursor is."""
        result = await self.transport.send_request(method, params)
        if "sample" in result:
            self._last_seen = Sample(result["sample"])
        elif "samples" in result:
            self._last_seen = None
        return result

    async def samples(
        self, order: protocol.SampleOrder | None = None, *, batch: int = 1000
    ) -> AsyncIterator[Sample]:
        """The current sample and all after it, asked for ``batch`` at a time."""
        ended = False
        while not ended:
            samples, ended = await self.read(batch, order)
            for sample in samples:
                yield sample

    def __aiter__(self) -> AsyncIterator[Sample]:
        return self.samples()

    def _made_copy(self, result: protocol.SampleCursorCopyResult) -> AsyncSampleCursor:
        return AsyncSampleCursor(self.transport, result["sampleCursor"], self._last_seen)

    def __repr__(self) -> str:
        seen = "" if self._last_seen is None else f" {self._last_seen!r}"
        return f"<{type(self).__name__} {self._handle}{seen}{' closed' if self._closed else ''}>"


class SampleCursor(BlockingSampleCursorCalls, RemoteFace):
    """A place among the samples of a track; moving it reads nothing and never waits for the file.

    Decode order holds every sample, presentation order those that are shown.
    """

    _core: AsyncSampleCursor

    samples = iterating(AsyncSampleCursor.samples)

    def copy(self) -> SampleCursor:
        """Another cursor at the same place."""
        return SampleCursor(self, self._portal.call(self._core.copy))

    def __iter__(self) -> Iterator[Sample]:
        return self.samples()
