"""A sample of a track, without its bytes."""

from __future__ import annotations

from typing import NamedTuple

from . import protocol
from .time import MediaTime

__all__ = ["Chunk", "Sample"]


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

    @classmethod
    def of(cls, wire: protocol.SampleCursorChunkResult) -> Chunk:
        """Makes a chunk from the protocol's form."""
        return cls(
            int(wire["storageRange"]["offset"]),
            int(wire["storageRange"]["length"]),
            wire["sampleCount"],
            wire["sampleIndexInChunk"],
            wire["hasUniformSampleSizes"],
            wire["hasUniformSampleDurations"],
        )


class Sample:
    """The properties of a sample that are known without reading it."""

    def __init__(self, wire: protocol.Sample) -> None:
        #: Its place in decode order, from 0.
        self.index: int = wire["index"]
        #: The presentation time.
        self.presentation_time = MediaTime.of(wire["presentationTime"])
        #: True if the file has no presentation time, and the decode time is used instead.
        self.presentation_time_inferred: bool = wire.get("presentationTimeInferred") or False
        decode_time = wire.get("decodeTime")
        #: The decode time; ``None`` when the file does not state it.
        self.decode_time = None if decode_time is None else MediaTime.of(decode_time)
        #: The duration of its presentation; indefinite when unknown.
        self.duration = MediaTime.of(wire["duration"])
        #: True if the file has no duration, and the time until the next sample is used instead.
        self.duration_inferred: bool = wire.get("durationInferred") or False
        #: The number of bytes.
        self.size: int = wire["size"]
        storage = wire["storageRange"]
        #: The range of its bytes in the file; ``None`` when not in one piece, or unknown.
        self.offset: int | None = int(storage["offset"]) if int(storage["offset"]) >= 0 else None
        #: True if decoding can begin here.
        self.is_sync: bool = wire["syncInfo"]["isFullSync"]
        #: True if no other sample needs it; ``False`` also when the file does not state it.
        self.is_droppable: bool = wire["syncInfo"]["isDroppable"]
        dependencies = wire["dependencyInfo"]
        #: True if it needs other samples; ``None`` when the file does not state it.
        self.depends_on_others: bool | None = dependencies.get("dependsOnOthers")
        #: True if other samples need it; ``None`` when the file does not state it.
        self.has_dependent_samples: bool | None = dependencies.get("hasDependentSamples")
        #: The dependency of an audio packet on others, if it is known.
        self.audio_dependency_info: protocol.SampleAudioDependencyInfo | None = wire.get(
            "audioDependencyInfo"
        )
        #: The number of samples before it that a decoder needs to decode this one correctly.
        self.samples_required_for_decoder_refresh: int = wire["samplesRequiredForDecoderRefresh"]
        #: True if it is decoded for others' sake and not shown.
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
