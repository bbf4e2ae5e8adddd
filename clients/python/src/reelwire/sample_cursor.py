"""A place among the samples of a track, without their bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple, Union

from . import protocol
from .portal import RemoteFace, blocking, iterating
from .remote import Remote, given
from .time import MediaTime, TimeLike
from .transport import Transport

__all__ = ["AsyncSampleCursor", "Chunk", "Sample", "SampleCursor"]


class Chunk(NamedTuple):
    """A run of samples that lie in the file one after the other."""

    #: In bytes; -1 when it is not known.
    offset: int
    #: In bytes.
    length: int
    sample_count: int
    #: The place of the cursor's sample in it, from 0.
    sample_index: int
    has_uniform_sample_sizes: bool
    has_uniform_sample_durations: bool


class Sample:
    """What is known of a sample without reading it."""

    def __init__(self, wire: protocol.Sample) -> None:
        #: Its place in decode order, from 0.
        self.index: int = wire["index"]
        #: When it is presented.
        self.presentation_time = MediaTime.of(wire["presentationTime"])
        #: Whether the file gives no presentation time, and the decode time stands in.
        self.presentation_time_inferred: bool = wire.get("presentationTimeInferred") or False
        decode_time = wire.get("decodeTime")
        #: When it is decoded; ``None`` when the file does not state it.
        self.decode_time = None if decode_time is None else MediaTime.of(decode_time)
        #: How long it is presented; indefinite when unknown.
        self.duration = MediaTime.of(wire["duration"])
        #: Whether the file gives no duration, and the time until the next sample stands in.
        self.duration_inferred: bool = wire.get("durationInferred") or False
        #: The number of bytes.
        self.size: int = wire["size"]
        storage = wire["storageRange"]
        #: Where its bytes are in the file; ``None`` when not in one piece, or unknown.
        self.offset: int | None = int(storage["offset"]) if int(storage["offset"]) >= 0 else None
        #: Whether decoding can begin here.
        self.is_sync: bool = wire["syncInfo"]["isFullSync"]
        #: Whether no other sample needs it; ``False`` also when the file does not state it.
        self.is_droppable: bool = wire["syncInfo"]["isDroppable"]
        dependencies = wire["dependencyInfo"]
        #: Whether it needs other samples; ``None`` when the file does not state it.
        self.depends_on_others: bool | None = dependencies.get("dependsOnOthers")
        #: Whether other samples need it; ``None`` when the file does not state it.
        self.has_dependent_samples: bool | None = dependencies.get("hasDependentSamples")
        #: How an audio packet depends on others, where that is known.
        self.audio_dependency_info: protocol.SampleAudioDependencyInfo | None = wire.get(
            "audioDependencyInfo"
        )
        #: How many samples before it a decoder needs so that this one is right.
        self.samples_required_for_decoder_refresh: int = wire["samplesRequiredForDecoderRefresh"]
        #: Whether it is decoded for others' sake and not shown.
        self.is_discarded: bool = wire.get("isDiscarded") or False
        self._wire = wire

    def __eq__(self, other: object) -> bool:
        return self._wire == other._wire if isinstance(other, Sample) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.index, self.presentation_time, self.size))

    def __repr__(self) -> str:
        traits = "".join(
            f" {name}"
            for name, has in (("sync", self.is_sync), ("discarded", self.is_discarded))
            if has
        )
        return f"<Sample {self.index} at {self.presentation_time} {self.size} bytes{traits}>"


class AsyncSampleCursor(Remote):
    """A place among the samples of a track; moving it reads nothing and never waits for the file.

    Decode order holds every sample, presentation order those that are shown.
    """

    def __init__(self, transport: Transport, handle: str, sample: Sample | None) -> None:
        super().__init__(transport, handle)
        self._last_seen = sample

    def _seen(self, wire: protocol.Sample) -> Sample:
        self._last_seen = Sample(wire)
        return self._last_seen

    async def sample(self) -> Sample:
        """The current sample."""
        result = await self.transport.request(
            "sampleCursor/sample", given(sampleCursor=self.handle)
        )
        return self._seen(result["sample"])

    async def step(self, count: int = 1, order: protocol.SampleOrder = "decode") -> int:
        """Moves by so many samples, backwards when negative, not beyond the ends.

        Returns the steps that were taken.
        """
        result = await self.transport.request(
            "sampleCursor/step", given(sampleCursor=self.handle, count=count, order=order)
        )
        self._seen(result["sample"])
        return int(result["stepped"])

    async def step_by_time(
        self, by: TimeLike, order: protocol.SampleOrder = "presentation"
    ) -> tuple[MediaTime, bool]:
        """Moves to the last sample that is not after the current one's time plus ``by``.

        Returns how far it has moved, and whether an end was in the way.
        """
        result = await self.transport.request(
            "sampleCursor/stepByTime",
            given(sampleCursor=self.handle, by=MediaTime.of(by).to_wire(), order=order),
        )
        self._seen(result["sample"])
        return MediaTime.of(result["moved"]), result["wasPinned"]

    async def read(
        self, max_count: int | None = None, order: protocol.SampleOrder | None = None
    ) -> tuple[list[Sample], bool]:
        """The current sample and those after it, 100 unless given, and whether that was the end.

        The cursor moves behind them; at the end it rests on the last, and gives no more.
        """
        result = await self.transport.request(
            "sampleCursor/samples",
            given(sampleCursor=self.handle, maxCount=max_count, order=order),
        )
        self._last_seen = None
        return [Sample(wire) for wire in result["samples"]], result["endOfTrack"]

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

    async def chunk(self) -> Chunk:
        """The samples around the current one that lie in the file one after the other."""
        result = await self.transport.request("sampleCursor/chunk", given(sampleCursor=self.handle))
        return Chunk(
            int(result["storageRange"]["offset"]),
            int(result["storageRange"]["length"]),
            result["sampleCount"],
            result["sampleIndexInChunk"],
            result["hasUniformSampleSizes"],
            result["hasUniformSampleDurations"],
        )

    async def copy(self) -> AsyncSampleCursor:
        """Another cursor at the same place."""
        result = await self.transport.request("sampleCursor/copy", given(sampleCursor=self.handle))
        return AsyncSampleCursor(self.transport, result["sampleCursor"], self._last_seen)

    async def compare(self, other: AnyCursor) -> int:
        """-1 when it is before the other in decode order, 0 at the same sample, 1 behind it."""
        result = await self.transport.request(
            "sampleCursor/compare", given(lhs=self.handle, rhs=other.handle)
        )
        return int(result["order"])

    async def has_earlier_decoded_presented_later(self, other: AnyCursor) -> bool:
        """Whether a sample that is decoded before this one is presented after the other."""
        return (await self._reordering(other))["hasEarlierDecodedPresentedLater"]

    async def has_later_decoded_presented_earlier(self, other: AnyCursor) -> bool:
        """Whether a sample that is decoded after this one is presented before the other."""
        return (await self._reordering(other))["hasLaterDecodedPresentedEarlier"]

    async def _reordering(self, other: AnyCursor) -> protocol.SampleCursorReorderingResult:
        result: Any = await self.transport.request(
            "sampleCursor/reordering", given(sampleCursor=self.handle, to=other.handle)
        )
        return result  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        seen = "" if self._last_seen is None else f" {self._last_seen!r}"
        return f"<{type(self).__name__} {self._handle}{seen}{' closed' if self._closed else ''}>"


class SampleCursor(RemoteFace):
    """A place among the samples of a track; moving it reads nothing and never waits for the file.

    Decode order holds every sample, presentation order those that are shown.
    """

    _core: AsyncSampleCursor

    sample = blocking(AsyncSampleCursor.sample)
    step = blocking(AsyncSampleCursor.step)
    step_by_time = blocking(AsyncSampleCursor.step_by_time)
    read = blocking(AsyncSampleCursor.read)
    samples = iterating(AsyncSampleCursor.samples)
    chunk = blocking(AsyncSampleCursor.chunk)
    compare = blocking(AsyncSampleCursor.compare)
    has_earlier_decoded_presented_later = blocking(
        AsyncSampleCursor.has_earlier_decoded_presented_later
    )
    has_later_decoded_presented_earlier = blocking(
        AsyncSampleCursor.has_later_decoded_presented_earlier
    )

    def copy(self) -> SampleCursor:
        """Another cursor at the same place."""
        return SampleCursor(self, self._portal.call(self._core.copy))

    def __iter__(self) -> Iterator[Sample]:
        return self.samples()


AnyCursor = Union[AsyncSampleCursor, SampleCursor]
