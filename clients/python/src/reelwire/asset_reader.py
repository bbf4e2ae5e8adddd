"""The samples of an asset's tracks, as stored or decoded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from . import protocol
from .blob import Blob, DeliveryLike, Plane, delivery_to_wire
from .errors import ReelwireError, error_from_wire
from .portal import Face, RemoteFace, blocking, iterating
from .remote import Remote, given
from .time import MediaTime
from .transport import Transport

__all__ = [
    "AssetReader",
    "AssetReaderOutput",
    "AsyncAssetReader",
    "AsyncAssetReaderOutput",
    "AudioMixOutput",
    "SampleBuffer",
    "TrackOutput",
]


class TrackOutput:
    """What an output of a reader reads: a track, by its number or the first of a media type.

    Without settings the samples come as stored, in decode order. ``pixel_format`` (and ``width``,
    ``height``) or ``format`` (an image file's) decode pictures; ``sample_format`` (and
    ``sample_rate``, ``channels``, ``interleaved``) decodes sound.
    """

    def __init__(
        self,
        track: int | protocol.MediaType,
        *,
        pixel_format: str | None = None,
        width: int | None = None,
        height: int | None = None,
        format: protocol.ImageFormat | None = None,
        sample_format: str | None = None,
        sample_rate: int | None = None,
        channels: int | None = None,
        interleaved: bool | None = None,
    ) -> None:
        self.track = track
        #: What samples are converted to; empty for samples as stored.
        self.settings: dict[str, Any] = given(
            pixelFormat=pixel_format,
            width=width,
            height=height,
            format=format,
            sampleFormat=sample_format,
            sampleRate=sample_rate,
            channels=channels,
            interleaved=interleaved,
        )

    def to_wire(self) -> dict[str, Any]:
        """The output as the protocol writes it."""
        track = {"trackID" if isinstance(self.track, int) else "mediaType": self.track}
        return given(type="track", settings=self.settings or None, **track)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        return f"<TrackOutput {self.track!r} {settings or 'as stored'}>"


class AudioMixOutput:
    """What an output of a reader reads: tracks of sound, mixed, each as loud as it is.

    All tracks of sound, or those that are named by number. The mix begins with the reader's range, is
    silent where no track sounds, and ends with the last track. Left out, ``sample_rate`` and
    ``channels`` are the highest among the tracks.
    """

    def __init__(
        self,
        *tracks: int,
        sample_format: str = "f32",
        sample_rate: int | None = None,
        channels: int | None = None,
        interleaved: bool | None = None,
    ) -> None:
        #: The tracks that are mixed; none for all tracks of sound.
        self.tracks = tracks
        #: What the sum is converted to.
        self.settings: dict[str, Any] = given(
            sampleFormat=sample_format,
            sampleRate=sample_rate,
            channels=channels,
            interleaved=interleaved,
        )

    def to_wire(self) -> dict[str, Any]:
        """The output as the protocol writes it."""
        tracks = list(self.tracks) or None
        return given(type="audioMix", trackIDs=tracks, settings=self.settings)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.settings.items())
        tracks = ", ".join(str(track) for track in self.tracks) or "all tracks"
        return f"<AudioMixOutput {tracks} {settings}>"


class SampleBuffer:
    """Samples of one track: a stored packet, a decoded picture, or a stretch of decoded sound."""

    def __init__(
        self,
        wire: protocol.SampleBuffer,
        owner: Remote,
        format: protocol.FormatDescription | None,
    ) -> None:
        #: When it is presented.
        self.presentation_time = MediaTime.of(wire["presentationTime"])
        #: When it is decoded; only with samples as stored.
        self.decode_time = MediaTime.of(wire["decodeTime"]) if wire.get("decodeTime") else None
        #: How long it is presented.
        self.duration = MediaTime.of(wire["duration"])
        #: The number of samples; 0 for a buffer that only carries attachments.
        self.num_samples: int = wire["numSamples"]
        #: What it carries beside its bytes, for example ``notSync``.
        self.attachments: protocol.SampleAttachments = wire["attachments"]
        #: The format description that is in force.
        self.format = format
        #: How the bytes are a picture.
        self.image: protocol.ImageLayout | None = wire.get("image")
        #: How the bytes are sound.
        self.audio: protocol.AudioLayout | None = wire.get("audio")
        #: The bytes; ``None`` when there are no samples.
        self.blob = Blob(wire["blob"], owner) if wire.get("blob") else None

    @property
    def data(self) -> memoryview:
        """The bytes, none when there are no samples."""
        return memoryview(b"") if self.blob is None else self.blob.data

    @property
    def is_sync(self) -> bool:
        """Whether decoding can begin here."""
        return not self.attachments.get("notSync", False)

    @property
    def planes(self) -> list[Plane]:
        """The planes of a decoded picture or of decoded sound."""
        data = self.data
        if self.image is not None:
            return [
                Plane(
                    data[item["offset"] : item["offset"] + item["bytesPerRow"] * item["height"]],
                    item["bytesPerRow"],
                    item["height"],
                )
                for item in self.image["planes"]
            ]
        if self.audio is not None:
            return [
                Plane(data[part["offset"] : part["offset"] + part["size"]], part["size"], 1)
                for part in self.audio["planes"]
            ]
        return []

    def release(self) -> None:
        """Lets go of the bytes."""
        if self.blob is not None:
            self.blob.release()

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __enter__(self) -> SampleBuffer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def __repr__(self) -> str:
        if self.image is not None:
            what = f"{self.image['width']}×{self.image['height']} {self.image['pixelFormat']}"
        elif self.audio is not None:
            what = f"{self.audio['frames']} frames {self.audio['sampleFormat']}"
        else:
            what = f"{self.num_samples} stored{' sync' if self.is_sync else ''}"
        size = 0 if self.blob is None else self.blob.size
        return f"<SampleBuffer at {self.presentation_time} {what} {size} bytes>"


class _OutputState:
    """What is known of an output; it belongs to the reader, whose outputs hold on to it."""

    def __init__(self, handle: str, output: TrackOutput | AudioMixOutput) -> None:
        self.handle = handle
        self.output = output
        self.format: protocol.FormatDescription | None = None
        self.ended = False


class AsyncAssetReaderOutput:
    """One output of a reader; ``async for`` gives its sample buffers."""

    def __init__(self, reader: AsyncAssetReader, state: _OutputState) -> None:
        #: The reader.
        self.reader = reader
        self._state = state

    @property
    def handle(self) -> str:
        """The output's name on the wire, for example ``output:4/1``."""
        return self._state.handle

    @property
    def ended(self) -> bool:
        """Whether the last buffer was read."""
        return self._state.ended

    async def next(
        self,
        max_count: int = 1,
        *,
        max_bytes: int | None = None,
        timeout: float | None = None,
        delivery: DeliveryLike | None = None,
    ) -> list[SampleBuffer]:
        """The next sample buffers, at least one; an empty list after the last.

        ``timeout`` is in seconds: how long to wait for shared memory to be given back before
        ``LeasesExhaustedError``.
        """
        state, transport = self._state, self.reader.transport
        await self.reader.start()
        result = await transport.request(
            "assetReader/nextSampleBuffers",
            given(
                output=state.handle,
                maxCount=max_count,
                maxBytes=max_bytes,
                timeoutMs=None if timeout is None else max(0, round(timeout * 1000)),
                delivery=delivery_to_wire(delivery),
            ),
        )
        state.ended = result["endOfStream"]
        buffers = []
        for wire in result["sampleBuffers"]:
            state.format = wire.get("format") or state.format
            buffers.append(SampleBuffer(wire, self.reader, state.format))
        return buffers

    async def samples(
        self,
        *,
        batch: int = 16,
        max_bytes: int | None = None,
        timeout: float | None = None,
        delivery: DeliveryLike | None = None,
    ) -> AsyncIterator[SampleBuffer]:
        """All sample buffers that remain, asked for ``batch`` at a time."""
        while not self._state.ended:
            buffers = await self.next(
                batch, max_bytes=max_bytes, timeout=timeout, delivery=delivery
            )
            # Each is let go of before the next is given: shared memory goes back in time.
            buffers.reverse()
            while buffers:
                yield buffers.pop()

    def __aiter__(self) -> AsyncIterator[SampleBuffer]:
        return self.samples()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.handle} {self._state.output!r}>"


class AsyncAssetReader(Remote):
    """Reads samples of an asset; it starts with the first buffer that is asked for."""

    def __init__(
        self,
        transport: Transport,
        wire: protocol.AssetReaderCreateResult,
        outputs: list[TrackOutput | AudioMixOutput],
    ) -> None:
        super().__init__(transport, wire["assetReader"])
        self._states = [_OutputState(*pair) for pair in zip(wire["outputs"], outputs)]
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
                await self.transport.request("assetReader/start", given(assetReader=self.handle))
            except BaseException:
                self._started = False
                raise

    async def status(self) -> tuple[protocol.ReaderStatus, ReelwireError | None]:
        """How far it is, and why it failed."""
        result = await self.transport.request("assetReader/status", given(assetReader=self.handle))
        error = result.get("error")
        return result["status"], error_from_wire(error) if error else None

    async def cancel(self) -> None:
        """Cancels reading; outstanding requests fail with ``OperationCancelledError``."""
        await self.transport.request("assetReader/cancel", given(assetReader=self.handle))

    def __repr__(self) -> str:
        closed = " closed" if self._closed else ""
        return f"<{type(self).__name__} {self._handle} {len(self._states)} outputs{closed}>"


class AssetReaderOutput(Face):
    """One output of a reader; a ``for`` loop gives its sample buffers."""

    _core: AsyncAssetReaderOutput

    next = blocking(AsyncAssetReaderOutput.next)
    samples = iterating(AsyncAssetReaderOutput.samples)

    @property
    def handle(self) -> str:
        """The output's name on the wire, for example ``output:4/1``."""
        return self._core.handle

    @property
    def ended(self) -> bool:
        """Whether the last buffer was read."""
        return self._core.ended

    def __iter__(self) -> Iterator[SampleBuffer]:
        return self.samples()


class AssetReader(RemoteFace):
    """Reads samples of an asset; it starts with the first buffer that is asked for."""

    _core: AsyncAssetReader

    start = blocking(AsyncAssetReader.start)
    status = blocking(AsyncAssetReader.status)
    cancel = blocking(AsyncAssetReader.cancel)

    @property
    def outputs(self) -> list[AssetReaderOutput]:
        """The outputs, in the order in which they were asked for."""
        return [AssetReaderOutput(self, output) for output in self._core.outputs]
