"""Asset writers: pictures, audio and samples of the caller's to a new file, or to segments."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterable, Iterable, Mapping
from typing import Any, Callable, NamedTuple, Union, cast, get_args

from . import protocol
from .asset_reader import AssetReaderOutput, AsyncAssetReaderOutput
from .calls import AssetWriterCalls, BlockingAssetWriterCalls
from .errors import ReelwireError, error_from_wire
from .picture_maps import PictureMaps
from .portal import Face, RemoteFace, blocking
from .remote import given
from .segments import Segment, Segments
from .time import MediaTime, TimeLike
from .transport import Transport
from .wire import time_to_wire
from .work import finished, require_success
from .writer_inputs import WriterInput
from .writer_samples import Appended, SampleMaker

__all__ = [
    "AssetWriter",
    "AssetWriterInput",
    "AsyncAssetWriter",
    "AsyncAssetWriterInput",
    "InputStatus",
    "Transferred",
    "WriterResult",
    "inputs_to_wire",
    "started",
]

#: The maximum number of appended samples that are being sent, and their approximate bytes: at least one.
_MAXIMUM, _MAXIMUM_BYTES = 64, 32 << 20


class WriterResult:
    """The result of a writer."""

    def __init__(self, wire: protocol.AssetWriterDidFinish | Any) -> None:
        #: The file; ``None`` for segments.
        self.path: str | None = wire.get("outputURL")
        #: Its size in bytes, or that of all segments together.
        self.file_size: int | None = wire.get("fileSize")
        #: The duration of the file's content.
        self.duration = MediaTime.of(wire["duration"]) if wire.get("duration") else None
        #: The parts of the samples that aren't in it, each with its ``reason``.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []

    def __fspath__(self) -> str:
        if self.path is None:
            raise TypeError("segments are no file")
        return self.path

    def __repr__(self) -> str:
        return f"<WriterResult {self.path or 'segments'} {self.duration} {self.file_size} bytes>"


class InputStatus(NamedTuple):
    """The progress of an input."""

    #: The number of samples that the engine has accepted.
    appended: int
    #: True if it takes more without waiting.
    is_ready: bool
    #: The name of the input that has to get samples before this one can.
    waits_for: str | None


class Transferred(NamedTuple):
    """The samples that a transfer has moved into an input."""

    #: The name of the input.
    input: str
    #: The number of sample buffers that it accepted.
    sample_buffers: int
    #: The presentation time of the last of them; ``None`` without any.
    last_time: MediaTime | None
    #: True if the output was read to its end.
    ended: bool


#: An output of a reader and the input for its samples, and where to stop, on the output's clock.
PairLike = Union[
    tuple[Union[AsyncAssetReaderOutput, AssetReaderOutput], Any],
    tuple[Union[AsyncAssetReaderOutput, AssetReaderOutput], Any, TimeLike],
]


class AsyncAssetWriterInput:
    """An input of a writer, which becomes a track of the file."""

    def __init__(
        self, writer: AsyncAssetWriter, name: str, handle: str, settings: WriterInput
    ) -> None:
        #: Its name in the writer.
        self.name = name
        #: Its name on the wire, for example ``input:4/1``.
        self.handle = handle
        #: The settings that it was made with.
        self.settings = settings
        self._writer = writer
        self._maker = SampleMaker(writer.transport, handle, settings, writer._maps)
        #: The samples that are being sent, in order, with their sizes.
        self._sent: deque[tuple[asyncio.Task[Any], int]] = deque()
        self._finished = False
        # Several tasks may append; their samples keep the order in which they came.
        self._turn = asyncio.Lock()

    async def append(
        self, sample: Any, time: TimeLike | None = None, *, duration: TimeLike | None = None
    ) -> None:
        """Appends a sample, presented at ``time``, in seconds or exactly.

        For video that is an array, a tuple of one for each plane, an image of Pillow's, the bytes of the
        pixels, or the path of an image file; for audio an array of samples; for text a ``str``; and for
        all of them a ``SampleBuffer`` of a reader or an ``Image`` of a generator, whose bytes are gone here
        then. Without a time pictures follow one another at the input's ``frame_rate``, audio continues,
        and sample buffers have their own.

        It returns when the sample is on its way. An input that is ahead of another waits for that; after
        ``timeout`` seconds of the writer that is a ``TimeoutError``, which names both.
        """
        async with self._turn:
            if self._finished:
                raise ValueError(f"the input {self.name!r} is finished")
            for part in self._maker.parts(sample, time, duration):
                self._writer._raise_failure()
                await self._room(part.size)
                self._send(await self._maker.ready(part))

    async def extend(
        self, samples: Iterable[Any] | AsyncIterable[Any], times: Iterable[TimeLike] | None = None
    ) -> None:
        """Appends each of some samples, at ``times`` if these are passed."""
        following = None if times is None else iter(times)
        if isinstance(samples, AsyncIterable):
            async for sample in samples:
                await self.append(sample, None if following is None else next(following))
            return
        for sample in samples:
            await self.append(sample, None if following is None else next(following))

    async def finish(self) -> None:
        """States that no more samples follow; other inputs wait for it no more."""
        async with self._turn:
            if self._finished:
                return
            self._finished = True
            await self._drain()
            self._writer._raise_failure()
            await self._writer._request("assetWriter/markAsFinished", given(input=self.handle))

    def _send(self, appended: Appended) -> None:
        task = asyncio.get_running_loop().create_task(self._writer._append(self.handle, appended))
        self._sent.append((task, appended.size))

    async def _room(self, size: int) -> None:
        """Waits until this number of bytes can be sent."""
        while self._sent and self._sent[0][0].done():
            self._sent.popleft()
        while self._sent and (
            len(self._sent) >= _MAXIMUM or sum(each for _, each in self._sent) + size > _MAXIMUM_BYTES
        ):
            await asyncio.wait({self._sent[0][0]}, timeout=self._writer._timeout)
            if not self._sent[0][0].done():
                raise await self._too_late()
            self._sent.popleft()
            self._writer._raise_failure()

    async def _too_late(self) -> TimeoutError:
        """The message of a time limit: the input that has to get samples first."""
        status = (await self._writer.status()).inputs[self.name]
        if status.waits_for is None:
            return TimeoutError(f"{self.name!r} takes no samples: the encoder doesn't keep up")
        return TimeoutError(
            f"{self.name!r} is ahead of {status.waits_for!r} and waits for it: append to that, or "
            f"finish it (writer.{status.waits_for}.finish())"
        )

    async def _drain(self) -> None:
        """Waits until all samples were accepted, or have failed."""
        while self._sent:
            await asyncio.wait({self._sent[0][0]})
            self._sent.popleft()

    def _forget(self) -> None:
        self._maker.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} {self.handle}>"


class WriterState(NamedTuple):
    """The state of a writer."""

    #: ``unknown``, ``writing``, ``completed``, ``failed`` or ``cancelled``.
    status: protocol.WriterStatus
    #: The reason if it failed or was cancelled.
    error: ReelwireError | None
    #: The progress of its inputs, by their names.
    inputs: dict[str, InputStatus]


class AsyncAssetWriter(AssetWriterCalls):
    """Writes one file: ``async with await engine.asset_writer("a.mp4", video=VideoInput(…)) as writer:``.

    Its inputs are ``writer.video`` and so on, by their names in the call. The end of the block
    finishes the file; an exception in it cancels the writing and leaves no file.
    """

    def __init__(
        self,
        transport: Transport,
        wire: protocol.AssetWriterCreateResult,
        inputs: Mapping[str, WriterInput],
        segments: Segments | None,
        timeout: float,
    ) -> None:
        super().__init__(transport, wire["assetWriter"])
        #: The type that the file will have, for example ``mp4``.
        self.output_file_type: str = wire["outputFileType"]
        #: The result; ``None`` before.
        self.result: WriterResult | None = None
        self._maps = PictureMaps()
        self._segments = segments
        self._timeout = timeout
        self._failure: BaseException | None = None
        self._ended = False
        #: The inputs by their names.
        self.inputs = {
            name: AsyncAssetWriterInput(self, name, handle, settings)
            for (name, settings), handle in zip(inputs.items(), wire["inputs"])
        }
        if segments is not None:
            transport.segments[self._handle] = self._take

    def __getattr__(self, name: str) -> AsyncAssetWriterInput:
        inputs = self.__dict__.get("inputs", {})
        if name in inputs:
            return inputs[name]  # type: ignore[no-any-return]
        raise AttributeError(f"the writer has no input {name!r}, but {', '.join(inputs)}")

    def _made_status(self, result: protocol.AssetWriterStatusResult) -> WriterState:
        names = {each.handle: name for name, each in self.inputs.items()}
        return WriterState(
            result["status"],
            error_from_wire(result["error"]) if result.get("error") else None,
            {
                names[each["input"]]: InputStatus(
                    each["appended"],
                    each["isReadyForMoreMediaData"],
                    names.get(each.get("waitsFor", "")),
                )
                for each in result["inputs"]
            },
        )

    async def _before_flush_segment(self) -> None:
        for each in self.inputs.values():
            await each._drain()
        self._raise_failure()

    async def finish(self) -> WriterResult:
        """Finishes all inputs, and writes the rest; the file is there when this returns."""
        if self.result is not None:
            return self.result
        await asyncio.gather(*(each.finish() for each in self.inputs.values()))
        end = await finished(self, "assetWriter/finish", given(assetWriter=self.handle))
        self._raise_failure()
        require_success(end, "the writing", "No file was left behind.")
        self._ended = True
        if self._segments is not None:
            self._segments.finish()
        self.result = WriterResult(end)
        return self.result

    async def cancel(self) -> None:
        """Cancels the writing, which leaves no file; of one that has ended nothing changes."""
        self._ended = True
        await self._request("assetWriter/cancel", given(assetWriter=self.handle))
        for each in self.inputs.values():
            await each._drain()

    async def transfer(
        self,
        *pairs: PairLike,
        time_offset: TimeLike | None = None,
        finishes: bool | None = None,
        progress: Callable[[MediaTime], Any] | None = None,
        progress_interval: float | None = None,
    ) -> list[Transferred]:
        """Moves samples of readers into inputs, inside the engine: ``transfer((output, writer.video), …)``.

        A pair is an output of a reader and an input, and optionally a time of the output's before whose first
        sample to stop. All pairs proceed together, so that none waits for another. At the end of an output its input
        is finished, unless ``finishes`` is false. Cancelled, it stops at its position: nothing is lost, and the
        next transfer continues from there. ``progress`` is called with the time that all have reached.
        """
        wires, names = [], {each.handle: name for name, each in self.inputs.items()}
        for output, to, *until in cast("Iterable[Any]", pairs):
            source: AsyncAssetReaderOutput = getattr(output, "_core", output)
            await source.reader.start()
            target = getattr(to, "_core", to)
            wires.append(
                given(
                    output=source.handle,
                    input=target.handle,
                    timeOffset=time_to_wire(time_offset),
                    until=time_to_wire(until[0] if until else None),
                    marksAsFinished=finishes,
                )
            )

        def on_item(item: Any) -> None:
            if progress is not None:
                progress(MediaTime.of(item["time"]))

        params = given(
            assetWriter=self.handle,
            pairs=wires,
            progressInterval=progress_interval if progress is not None else 0.0,
        )
        end = await finished(self, "assetWriter/transfer", params, on_item)
        require_success(end, "the transfer")
        moved = []
        for wire in end["transferred"]:
            last = wire.get("lastTime")
            moved.append(
                Transferred(
                    names[wire["input"]],
                    wire["sampleBuffers"],
                    MediaTime.of(last) if last else None,
                    wire["endOfStream"],
                )
            )
            if wire["endOfStream"] and finishes is not False:
                self.inputs[names[wire["input"]]]._finished = True
        return moved

    async def _append(self, handle: str, appended: Appended) -> None:
        """Sends a sample; an error is stored for the next append or finish."""
        try:
            params = given(input=handle, sampleBuffers=[appended.wire])
            await self._request("assetWriter/append", params)
        except BaseException as error:
            if appended.lease is not None:
                self.transport.release_later(appended.lease)
            if self._failure is None:
                self._failure = error
            if not isinstance(error, Exception):
                raise

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _take(self, wire: protocol.AssetWriterDidOutputSegment) -> None:
        try:
            segment = Segment(wire, self)
            if self._segments is not None and self._failure is None:
                self._segments.take(segment)
        except Exception as error:
            self._failure = self._failure or error

    async def close(self) -> None:
        """Releases the writer; unfinished work is cancelled. Closing again does nothing.

        With a ``movie_fragment_interval`` the file stays, up to the last fragment; without, there is
        no file.
        """
        self.transport.segments.pop(self._handle, None)
        for each in self.inputs.values():
            each._forget()
        await super().close()
        for each in self.inputs.values():
            await each._drain()

    async def __aexit__(self, kind: Any, *_: Any) -> None:
        try:
            if kind is None and not self._ended:
                await self.finish()
        finally:
            await self.close()

    def __repr__(self) -> str:
        closed = " closed" if self._closed else ""
        inputs = ", ".join(self.__dict__.get("inputs", ()))
        return f"<{type(self).__name__} {self._handle} to {self.output_file_type} of {inputs}{closed}>"


class AssetWriterInput(Face):
    """An input of a writer, which becomes a track of the file."""

    _core: AsyncAssetWriterInput

    append = blocking(AsyncAssetWriterInput.append)
    finish = blocking(AsyncAssetWriterInput.finish)

    def extend(self, samples: Iterable[Any], times: Iterable[TimeLike] | None = None) -> None:
        """Appends each of some samples, at ``times`` if these are passed."""
        # Not on the engine's thread: the code that makes the samples may send requests to the engine.
        following = None if times is None else iter(times)
        for sample in samples:
            self.append(sample, None if following is None else next(following))

    @property
    def name(self) -> str:
        """Its name in the writer."""
        return self._core.name

    @property
    def handle(self) -> str:
        """Its name on the wire, for example ``input:4/1``."""
        return self._core.handle


class AssetWriter(BlockingAssetWriterCalls, RemoteFace):
    """Writes one file: ``with engine.asset_writer("a.mp4", video=VideoInput((640, 360))) as writer:``.

    Its inputs are ``writer.video`` and so on, by their names in the call. The end of the block
    finishes the file; an exception in it cancels the writing and leaves no file.
    """

    _core: AsyncAssetWriter

    status = blocking(AsyncAssetWriter.status)
    finish = blocking(AsyncAssetWriter.finish)
    cancel = blocking(AsyncAssetWriter.cancel)
    transfer = blocking(AsyncAssetWriter.transfer)

    def __init__(self, parent: Face, core: AsyncAssetWriter) -> None:
        super().__init__(parent, core)
        #: The inputs by their names.
        self.inputs = {name: AssetWriterInput(self, each) for name, each in core.inputs.items()}

    def __getattr__(self, name: str) -> AssetWriterInput:
        inputs = self.__dict__.get("inputs", {})
        if name in inputs:
            return inputs[name]  # type: ignore[no-any-return]
        raise AttributeError(f"the writer has no input {name!r}, but {', '.join(inputs)}")

    @property
    def output_file_type(self) -> str:
        """The type that the file will have, for example ``mp4``."""
        return self._core.output_file_type

    @property
    def result(self) -> WriterResult | None:
        """The result; ``None`` before."""
        return self._core.result

    def __exit__(self, kind: Any, *_: Any) -> None:
        try:
            if kind is None and not self._core._ended:
                self.finish()
        finally:
            self.close()


def inputs_to_wire(inputs: Mapping[str, WriterInput]) -> list[Any]:
    """Inputs in the protocol's form; any other value raises ``TypeError``, as an unknown option."""
    for name, each in inputs.items():
        if not isinstance(each, get_args(WriterInput)):
            raise TypeError(
                f"asset_writer has no {name!r}, and {each!r} is no input: VideoInput, AudioInput, "
                "TextInput or StoredInput"
            )
        if hasattr(AsyncAssetWriter, name) or name.startswith("_"):
            raise ValueError(f"an input can't be called {name!r}, as a member of the writer is")
    return [each.to_wire() for each in inputs.values()]


async def started(writer: AsyncAssetWriter, source_time: TimeLike) -> AsyncAssetWriter:
    """Starts a writer and its session; one that can't start is closed."""
    request, handle = writer.transport.request, writer.handle
    try:
        await request("assetWriter/start", given(assetWriter=handle))
        params = given(assetWriter=handle, sourceTime=time_to_wire(source_time))
        await request("assetWriter/startSession", params)
    except BaseException:
        with contextlib.suppress(ReelwireError):
            await writer.close()
        raise
    return writer
