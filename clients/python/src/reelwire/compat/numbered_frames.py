"""The frames of a video by their numbers, with their presentation times: the base of all readers."""

from __future__ import annotations

import bisect
import contextlib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..engine import Engine
from ..errors import DecodeFailedError, NoSourceTrackError, UndecodableMediaDataError
from ..frames import Frames
from ..image_generator import Image
from ..jobs.worker_engine import EngineSettings, WorkerEngine
from ..keys import Size
from ..media_bytes import MediaLike
from ..time import MediaTime
from ..track import Track
from .resizing import resized

__all__ = ["FrameTimes", "NumberedFrames", "Pixels", "first_decodable", "shared_engine"]

#: Rows × columns × components, or several of these.
Pixels = npt.NDArray[np.uint8]

#: One for each process: a fork gets its own.
_engine = WorkerEngine(EngineSettings(None, ()))


def shared_engine() -> Engine:
    """The engine of readers without their own; a new one if it has crashed."""
    return _engine.engine()


class FrameTimes(NamedTuple):
    """The presentation times of a video's frames, in presentation order."""

    starts: Sequence[Fraction]
    ends: Sequence[Fraction]
    #: The starts as numbers: of a time that was rounded likewise, the frame is found that begins then.
    seconds: Sequence[float]
    #: The numbers of those that a decoder can begin with.
    keys: Sequence[int]

    @classmethod
    def of(cls, samples: Iterable[Any]) -> FrameTimes:
        """Makes the times of a track's samples in the order in which they are shown."""
        starts: list[Fraction] = []
        lengths: list[Fraction | None] = []
        keys = []
        for number, sample in enumerate(samples):
            starts.append(sample.presentation_time.fraction)
            length: MediaTime = sample.duration
            lengths.append(length.fraction if length.is_numeric and length > 0 else None)
            if sample.is_sync:
                keys.append(number)
        ends = []
        for number, (start, known) in enumerate(zip(starts, lengths)):
            following = starts[number + 1] if number + 1 < len(starts) else start
            ends.append(following if known is None else start + known)
        return cls(starts, ends, [float(start) for start in starts], keys)

    def number_at(self, seconds: float) -> int:
        """The number of the frame that is shown at a time, the first before all of them."""
        return max(0, bisect.bisect_right(self.seconds, seconds) - 1)

    def number_before(self, seconds: float) -> int:
        """The number of the last frame that is shown before a time; -1 without any."""
        return bisect.bisect_left(self.seconds, seconds) - 1


def first_decodable(frames: Frames) -> Image:
    """The first frame, or the next one that can be decoded; raises the last error without any."""
    images, failure = frames.images(), None
    with contextlib.closing(images):  # type: ignore[type-var]
        for _ in range(len(frames)):
            try:
                return next(images)
            except (DecodeFailedError, UndecodableMediaDataError) as error:
                failure = error
    raise failure or IndexError("there is no frame 0 among 0")


class NumberedFrames:
    """The frames of a video, of one size, as arrays of the caller's own."""

    def __init__(
        self,
        source: MediaLike,
        *,
        engine: Engine | None = None,
        width: int = -1,
        height: int = -1,
    ) -> None:
        """A side that isn't above 0 is as long as the video's; both are stretched independently."""
        with contextlib.ExitStack() as opened:
            self._asset = (engine or shared_engine()).open(source)
            opened.callback(self._asset.close)
            #: The track that the frames are of.
            self.track = self._chosen()
            #: The place of that track among all of the file.
            self.stream_index = [each.track_id for each in self._asset.tracks].index(
                self.track.track_id
            )
            self._frames = self._sized(width, height)
            opened.callback(self._frames.close)
            opened.pop_all()
        self._times: FrameTimes | None = None
        self._following: Iterator[Image] | None = None
        self._next = 0

    def _chosen(self) -> Track:
        tracks = self._asset.load_tracks("video")
        for track in [each for each in tracks if each.is_enabled] + tracks:
            return track
        raise NoSourceTrackError(
            "there is no video track", code=-11869, hint="Load the tracks to see their types."
        )

    def _sized(self, width: int, height: int) -> Frames:
        """The frames as the file has them, or as much smaller as keeps both sides long enough."""
        frames = self._asset.frames(aperture_mode="encodedPixels")
        with first_decodable(frames) as first:
            natural = (first.width, first.height)
        self.size = (width if width > 0 else natural[0], height if height > 0 else natural[1])
        scale = max(wanted / known for wanted, known in zip(self.size, natural))
        if scale >= 1:
            return frames
        frames.close()
        # By the longer share: the other side is then as long as needed, or longer.
        sides: dict[str, float] = (
            {"width": self.size[0]}
            if self.size[0] * natural[1] >= self.size[1] * natural[0]
            else {"height": self.size[1]}
        )
        return self._asset.frames(aperture_mode="encodedPixels", **sides)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def times(self) -> FrameTimes:
        """The presentation time of each frame, by all samples of the track."""
        if self._times is None:
            with self._asset.sample_cursor(self.track) as cursor:
                self._times = FrameTimes.of(cursor.samples("presentation"))
        return self._times

    @property
    def rate(self) -> float:
        """Frames a second, by the file."""
        return float(self.track.load("nominal_frame_rate")["nominal_frame_rate"] or 0)

    @property
    def natural_size(self) -> Size | None:
        """The size that the file states."""
        return self.track.natural_size

    def frame(self, number: int) -> Pixels:
        """One frame; if they are read in order, the following ones are decoded meanwhile."""
        if number == self._next and number > 0 and self._following is None:
            self._following = iter(self._frames[number:])
        elif number != self._next:
            self.rest()
        self._next = number + 1
        if self._following is None:
            image = self._frames[number]
        else:
            try:
                image = next(self._following)
            except BaseException:
                self.rest()
                raise
        with image:
            return resized(np.array(image.to_ndarray()), *self.size)

    def rest(self) -> None:
        """Lets go of the frames that were made ahead."""
        following, self._following = self._following, None
        if following is not None:
            following.close()  # type: ignore[attr-defined]

    def several(self, numbers: Sequence[int]) -> Pixels:
        """Several frames as one array; each is decoded once."""
        width, height = self.size
        if not numbers:
            return np.empty((0, height, width, 3), np.uint8)
        return resized(self._frames[numbers], width, height)

    def close(self) -> None:
        """Lets go of the file."""
        self.rest()
        self._frames.close()
        self._asset.close()
