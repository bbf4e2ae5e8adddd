"""The samples of an asset's tracks, as stored or decoded."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from . import protocol
from .blob import DeliveryLike, delivery_to_wire
from .calls import AssetReaderCalls, BlockingAssetReaderCalls, BlockingOutputCalls, OutputCalls
from .errors import LeasesExhaustedError
from .portal import Face, RemoteFace, blocking
from .reader_outputs import ReaderOutput
from .remote import given
from .sample_buffer import SampleBuffer
from .time_range import TimeRange, TimeRangeLike
from .transport import Transport

__all__ = [
    "AssetReader",
    "AssetReaderOutput",
    "AsyncAssetReader",
    "AsyncAssetReaderOutput",
]

#: The number of buffers that a loop requests at a time, and their approximate bytes: small ones are many.
BATCH = 256
MAX_BYTES = 32 << 20
#: Seconds to wait for shared memory, before bytes are copied instead.
_PATIENCE = 0.1


class _Pull(NamedTuple):
    """The request of an output for buffers."""

    maximum: int
    max_bytes: int | None
    #: In seconds.
    timeout: float | None
    delivery: DeliveryLike | None

    @property
    def looks_ahead(self) -> bool:
        """True if more may be requested than is consumed in the end: not for files, which stay."""
        return self.delivery in (None, "shm", "inline")

    def params(self, output: str, delivery: DeliveryLike | None, timeout: float | None) -> Any:
        """The request's members."""
        return given(
            output=output,
            maxCount=self.maximum,
            maxBytes=self.max_bytes,
            timeoutMs=None if timeout is None else max(0, round(timeout * 1000)),
            delivery=delivery_to_wire(delivery),
        )


class _OutputState:
    """The state of an output; it belongs to the reader, and the outputs refer to it."""

    def __init__(
        self, transport: Transport, handle: str, output: ReaderOutput
    ) -> None:
        self.transport = transport
        self.handle = handle
        self.output = output
        self.format: protocol.FormatDescription | None = None
        #: The unread buffers, in the wire's form: a Blob would keep the reader alive.
        self.ready: deque[protocol.SampleBuffer] = deque()
        #: The pending request while the caller works on the buffers before it.
        self.ahead: asyncio.Task[Any] | None = None
        #: The number of buffers of a loop's next request.
        self.step = 1
        #: True if the engine has nothing more.
        self.is_drained = False
        #: The parts that couldn't be decoded, known at the end.
        self.dropped: list[protocol.Dropped] = []
        #: True if all shared memory was leased when it was asked for last.
        self.is_exhausted = False

    async def ask(self, pull: _Pull) -> Any:
        """The next buffers as they come."""

        async def request(delivery: DeliveryLike | None, timeout: float | None) -> Any:
            return await self.transport.request(
                "assetReader/nextSampleBuffers", pull.params(self.handle, delivery, timeout)
            )

        if pull.delivery is not None:
            return await request(pull.delivery, pull.timeout)
        try:
            timeout = _PATIENCE if pull.timeout is None else pull.timeout
            result = await request("shm", 0 if self.is_exhausted else timeout)
            self.is_exhausted = False
        except LeasesExhaustedError:
            # The caller retains the buffers that it has read: from now on they are copied.
            self.is_exhausted = True
            result = await request("inline", None)
        return result

    async def fill(self, pull: _Pull) -> None:
        """Waits for buffers, those asked for ahead before others; there may be none in the end."""
        task = self.ahead
        if task is None:
            result = await self.ask(pull)
        else:
            try:
                # Cancelled is only the waiting: no buffer gets lost.
                result = await asyncio.shield(task)
            except LeasesExhaustedError:
                # Since then the caller may have released its buffers.
                if self.ahead is task:
                    self.ahead = None
                result = await self.ask(pull)
            else:
                if self.ahead is not task:
                    return
            finally:
                if self.ahead is task and task.done():
                    self.ahead = None
        self.is_drained = result["endOfStream"]
        self.dropped = result.get("dropped") or []
        self.ready.extend(result["sampleBuffers"])

    def growing(self, pull: _Pull) -> _Pull:
        """The next request of a loop: for one buffer, then for double the number each time.

        A request waits for all its buffers, so a small first one returns early.
        """
        self.step, step = min(self.step * 2, pull.maximum), self.step
        return pull._replace(maximum=min(step, pull.maximum))

    def look_ahead(self, pull: _Pull) -> None:
        """Asks for the buffers that follow."""
        if self.ahead is None and not self.is_drained and pull.looks_ahead:
            self.ahead = asyncio.get_running_loop().create_task(self.ask(self.growing(pull)))
            self.ahead.add_done_callback(_retrieve)

    def take(self, count: int, max_bytes: int | None) -> list[protocol.SampleBuffer]:
        """Up to ``count`` of the available buffers, at least one."""
        taken: list[protocol.SampleBuffer] = []
        size = 0
        with contextlib.suppress(IndexError):
            while len(taken) < count and (not taken or max_bytes is None or size < max_bytes):
                taken.append(self.ready.popleft())
                blob = taken[-1].get("blob")
                size += blob["size"] if blob else 0
        return taken

    def forget(self) -> None:
        """Releases the unread buffers, and those of the pending request when they arrive."""
        ahead, self.ahead = self.ahead, None
        ready = list(self.ready)
        self.ready.clear()
        self.transport.give_back(ready)
        if ahead is not None:
            transport = self.transport
            ahead.add_done_callback(lambda task: transport.give_back(_retrieve(task)))

    @property
    def ended(self) -> bool:
        return self.is_drained and not self.ready and self.ahead is None


def _retrieve(task: asyncio.Task[Any]) -> Any:
    """The result, if there is one; an error may be ignored."""
    return None if task.cancelled() or task.exception() else task.result()


class AsyncAssetReaderOutput(OutputCalls):
    """One output of a reader; ``async for`` returns its sample buffers.

    By default bytes are in shared memory, without a copy; and copied, in
    the message, while the caller holds all shared memory.
    """

    def __init__(self, reader: AsyncAssetReader, state: _OutputState) -> None:
        #: The reader.
        self.reader = reader
        self._state = state

    @property
    def _request(self) -> protocol.AsyncRequest:
        return self.reader.transport.request

    @property
    def handle(self) -> str:
        """The output's name on the wire, for example ``output:4/1``."""
        return self._state.handle

    @property
    def read(self) -> ReaderOutput:
        """The tracks and settings that were requested."""
        return self._state.output

    @property
    def ended(self) -> bool:
        """True if the last buffer was read."""
        return self._state.ended

    @property
    def dropped(self) -> list[protocol.Dropped]:
        """The parts that couldn't be decoded, once the output has ended; empty if there are none."""
        return self._state.dropped

    async def next(
        self,
        max_count: int = 1,
        *,
        max_bytes: int | None = None,
        timeout: float | None = None,
        delivery: DeliveryLike | None = None,
    ) -> list[SampleBuffer]:
        """The next sample buffers, at least one; an empty list after the last.

        With ``delivery="shm"`` all bytes are in shared memory, and ``timeout`` is in seconds: the
        maximum wait for released memory before ``LeasesExhaustedError``.
        Buffers that a loop over the output has left are returned first, in the form of the loop's request.
        """
        state = self._state
        pull = _Pull(max_count, max_bytes, timeout, delivery)
        # The request is sent for an ended output as well: the engine knows its state then.
        while not state.ready:
            await self.reader.start()
            await state.fill(pull)
            if state.ended:
                break
        return [self._made(wire) for wire in state.take(max_count, max_bytes)]

    async def samples(
        self,
        *,
        batch: int = BATCH,
        max_bytes: int | None = MAX_BYTES,
        timeout: float | None = None,
        delivery: DeliveryLike | None = None,
    ) -> AsyncIterator[SampleBuffer]:
        """All remaining sample buffers; the next ones are read while the caller works.

        They are requested at most ``batch`` and about ``max_bytes`` at a time. Buffers that a loop
        leaves are returned by the next loop, or by ``next()``.
        """
        pull = _Pull(batch, max_bytes, timeout, delivery)
        while await self._fill(pull):
            for wire in self._state.take(1, None):
                yield self._made(wire)

    async def reset(self, time_ranges: Iterable[TimeRangeLike]) -> None:
        """Reads other time ranges next, ascending, after all of those before were read.

        The output has to support random access.
        """
        ranges = [TimeRange.of(each).to_wire() for each in time_ranges]
        state = self._state
        await self._request(
            "assetReader/reset", given(output=state.handle, timeRanges=ranges)
        )
        state.forget()
        state.is_drained = False

    async def _fill(self, pull: _Pull) -> bool:
        """Makes sure that there is a buffer to take; false when there will be none."""
        state = self._state
        while not state.ready and not state.ended:
            await self.reader.start()
            await state.fill(pull if state.ahead else state.growing(pull))
            state.look_ahead(pull)
        return bool(state.ready)

    def _made(self, wire: protocol.SampleBuffer) -> SampleBuffer:
        state = self._state
        state.format = wire.get("format") or state.format
        return SampleBuffer(wire, self.reader, state.format)

    def __aiter__(self) -> AsyncIterator[SampleBuffer]:
        return self.samples()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.handle} {self._state.output!r}>"


class AsyncAssetReader(AssetReaderCalls):
    """Reads samples of an asset; it starts with the first buffer that is asked for."""

    def __init__(
        self,
        transport: Transport,
        wire: protocol.AssetReaderCreateResult,
        outputs: Sequence[ReaderOutput],
    ) -> None:
        super().__init__(transport, wire["assetReader"])
        self._states = [_OutputState(transport, *pair) for pair in zip(wire["outputs"], outputs)]
        self._started = False

    @property
    def outputs(self) -> list[AsyncAssetReaderOutput]:
        """The outputs, in the order in which they were asked for."""
        return [AsyncAssetReaderOutput(self, state) for state in self._states]

    async def start(self) -> None:
        """Starts reading; again does nothing."""
        if not self._started:
            self._started = True
            try:
                await self._request("assetReader/start", given(assetReader=self.handle))
            except BaseException:
                self._started = False
                raise

    async def cancel(self) -> None:
        """Cancels reading; outstanding requests fail with ``OperationCancelledError``."""
        self._forget()
        await self._request("assetReader/cancel", given(assetReader=self.handle))

    async def close(self) -> None:
        """Releases the reader, and the buffers that it has read ahead. Closing again does nothing."""
        self._forget()
        await super().close()

    def _forget(self) -> None:
        for state in self._states:
            state.forget()

    def __repr__(self) -> str:
        closed = " closed" if self._closed else ""
        return f"<{type(self).__name__} {self._handle} {len(self._states)} outputs{closed}>"


class AssetReaderOutput(BlockingOutputCalls, Face):
    """One output of a reader; a ``for`` loop returns its sample buffers."""

    _core: AsyncAssetReaderOutput

    next = blocking(AsyncAssetReaderOutput.next)
    reset = blocking(AsyncAssetReaderOutput.reset)

    def samples(
        self,
        *,
        batch: int = BATCH,
        max_bytes: int | None = MAX_BYTES,
        timeout: float | None = None,
        delivery: DeliveryLike | None = None,
    ) -> Iterator[SampleBuffer]:
        """All remaining sample buffers; the next ones are read while the caller works.

        They are requested at most ``batch`` and about ``max_bytes`` at a time. Buffers that a loop
        leaves are returned by the next loop, or by ``next()``.
        """
        # Not one visit of the event loop's thread for each buffer, but one for each batch.
        core, pull = self._core, _Pull(batch, max_bytes, timeout, delivery)
        ready, made = core._state.ready, core._made
        while True:
            try:
                wire = ready.popleft()
            except IndexError:
                if not self._portal.call(core._fill, pull):
                    return
            else:
                yield made(wire)

    @property
    def handle(self) -> str:
        """The output's name on the wire, for example ``output:4/1``."""
        return self._core.handle

    @property
    def read(self) -> ReaderOutput:
        """The tracks and settings that were requested."""
        return self._core.read

    @property
    def ended(self) -> bool:
        """True if the last buffer was read."""
        return self._core.ended

    @property
    def dropped(self) -> list[protocol.Dropped]:
        """The parts that couldn't be decoded, once the output has ended; empty if there are none."""
        return self._core.dropped

    def __iter__(self) -> Iterator[SampleBuffer]:
        return self.samples()


class AssetReader(BlockingAssetReaderCalls, RemoteFace):
    """Reads samples of an asset; it starts with the first buffer that is asked for."""

    _core: AsyncAssetReader

    start = blocking(AsyncAssetReader.start)
    cancel = blocking(AsyncAssetReader.cancel)

    @property
    def outputs(self) -> list[AssetReaderOutput]:
        """The outputs, in the order in which they were asked for."""
        return [AssetReaderOutput(self, output) for output in self._core.outputs]
