"""The results of jobs: plain values, which can be sent to any process."""

from __future__ import annotations

import os
import warnings
from array import array
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .. import protocol
from ..arrays import FloatArray
from ..errors import ReelwireError
from ..keys import Size
from ..time import MediaTime
from ..time_range import TimeRange

__all__ = [
    "AudioSamples",
    "EncodedImage",
    "ProbedTrack",
    "Row",
    "Scene",
    "WaveformChannelLevels",
    "WaveformLevels",
    "WrittenFile",
]

V = TypeVar("V")


@dataclass(frozen=True)
class Row(Generic[V]):
    """The result of a file: the job's value, or the error."""

    #: The file's path, unchanged; of a job that names its files itself, its output.
    path: str
    #: The job's result; ``None`` after an error.
    value: V | None
    #: The reason why there is no value.
    error: Exception | None
    #: The number of attempts: 2 after an engine has crashed, 0 for a file that isn't tried any more.
    attempts: int
    #: The time of all attempts.
    seconds: float
    #: The address of the Dask worker that has done it; ``None`` where there is none.
    worker: str | None = None

    def result(self) -> V:
        """The value; raises the error where there is one."""
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]

    def to_dict(self) -> dict[str, Any]:
        """The row as a dict, for tables."""
        return {
            "path": self.path,
            "value": self.value,
            "error": self.error,
            "attempts": self.attempts,
            "seconds": self.seconds,
            "worker": self.worker,
        }


@dataclass(frozen=True)
class ProbedTrack:
    """A track as ``Probe`` has found it; ``track["nominal_frame_rate"]`` is a loaded key."""

    #: The track's number, unique within the asset.
    track_id: int
    #: ``video``, ``audio``, ``subtitle`` …
    media_type: protocol.MediaType
    #: The format as a four-character code, for example ``avc1``.
    media_sub_type: str | None
    #: The traits of its media, for example ``visual``.
    media_characteristics: list[protocol.MediaCharacteristic]
    #: True if it is presented by default.
    is_enabled: bool
    #: True if the engine can decode it.
    is_decodable: bool
    #: The language by ISO 639-2/T.
    language_code: str | None
    #: The language by BCP 47.
    extended_language_tag: str | None
    #: The size of the picture in pixels, before its transform.
    natural_size: Size | None
    #: The keys that the job loads of tracks, by the names that it has for them.
    values: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.values[key]


@dataclass(frozen=True)
class EncodedImage:
    """A picture as the bytes of an image file, or as such a file; or why there is none."""

    #: The place among those of the job, from 0.
    index: int
    #: The time that was asked for; ``None`` where frames were asked for by number.
    requested_time: MediaTime | None = None
    #: The presentation time of the frame that it shows.
    actual_time: MediaTime | None = None
    #: The frame's place among all of the track, in presentation order.
    sample_index: int | None = None
    #: True if it is the frame that is shown at the requested time, or has the requested number.
    is_exact: bool = False
    width: int | None = None
    height: int | None = None
    #: ``jpeg``, ``png``, ``webp`` or ``bmp``.
    format: str | None = None
    #: The bytes; ``None`` where they are in a file.
    data: bytes | None = field(default=None, repr=False)
    #: The file, where the job has an output.
    path: str | None = None
    #: The reason why there is no image.
    error: ReelwireError | None = None

    def __bytes__(self) -> bytes:
        if self.error is not None:
            raise self.error
        if self.data is not None:
            return self.data
        assert self.path is not None
        with open(self.path, "rb") as file:
            return file.read()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes to a file, which is overwritten."""
        data = bytes(self)
        with open(path, "wb") as file:
            file.write(data)


@dataclass(frozen=True)
class Scene:
    """A scene of a film, as ``Scenes`` has found it."""

    #: The range in which it is presented.
    time_range: TimeRange
    #: The number of its first frame in the track, in presentation order; ``None`` for the first scene of the range.
    sample_index: int | None = None
    #: The clarity of the change to it, from 0 to 1; ``None`` for the first scene of the range.
    score: float | None = None


@dataclass(frozen=True)
class WaveformChannelLevels:
    """One channel of a waveform: a number for each part, in arrays of doubles."""

    #: The smallest sample of each part; 1 is full scale.
    min: array[float]
    #: The largest sample of each part.
    max: array[float]
    #: The root of the mean square of each part's samples.
    rms: array[float]

    def __len__(self) -> int:
        return len(self.min)


@dataclass(frozen=True)
class WaveformLevels:
    """The levels of an audio track over time."""

    #: The audio track.
    track_id: int | None
    #: The range that the parts divide.
    time_range: TimeRange
    #: In hertz.
    sample_rate: int
    #: The channels; empty when it was drawn without a ``count``.
    channels: list[WaveformChannelLevels] = field(repr=False)
    #: The drawing, as the bytes of an image file; ``None`` where none was asked for.
    image: bytes | None = field(default=None, repr=False)
    #: The parts that couldn't be decoded and are 0; empty if there are none.
    dropped: list[protocol.Dropped] = field(default_factory=list)


@dataclass(frozen=True)
class AudioSamples:
    """Decoded audio: an array of ``float32`` for each channel."""

    #: The audio track; ``None`` where the file has none.
    track_id: int | None
    #: In hertz; 0 where there is no track and no rate was asked for.
    sample_rate: int
    #: The samples of each channel, from -1 to 1.
    channels: list[array[float]] = field(repr=False)
    #: The parts that couldn't be decoded, and are silent, or omitted at the end; empty if there are none.
    dropped: list[protocol.Dropped] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.channels[0]) if self.channels else 0

    def to_ndarray(self) -> FloatArray:
        """The samples as a NumPy array, (channels, samples) of ``float32``."""
        import numpy

        if self.dropped:
            warnings.warn("some of the audio couldn't be decoded: see dropped", RuntimeWarning)
        return numpy.array(self.channels, "float32").reshape(len(self.channels), -1)


@dataclass(frozen=True)
class WrittenFile:
    """The file that a job has made."""

    #: The file, as the job's output names it.
    path: str
    #: Its size in bytes.
    file_size: int
    #: The part of the source that it shows; ``None`` where the engine doesn't report it.
    time_range: TimeRange | None = None
    #: The trim mode of ``Passthrough``: ``editList``, ``syncSample`` or ``smart``; ``None`` where all was
    #: copied or encoded.
    trim_mode: protocol.TrimMode | None = None
    #: The reason if that is not the requested mode; ``None`` otherwise.
    trim_note: str | None = None
    #: The dropped items, each with its ``reason``.
    dropped: list[protocol.Dropped] = field(default_factory=list)
    #: True if an earlier attempt of the same job has made it, of the same source.
    is_reused: bool = field(default=False, compare=False)

    def __fspath__(self) -> str:
        return self.path
