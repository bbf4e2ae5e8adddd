"""torchcodec's ``VideoDecoder`` on this engine: ``from reelwire.compat.torchcodec import VideoDecoder``.

Frames are tensors where PyTorch is installed, else NumPy arrays; ``tensors=False`` has them be arrays
in any case. Frames are numbered and timed by a scan of the file, as torchcodec's ``exact`` does it.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ..engine import Engine
from .numbered_frames import NumberedFrames, Pixels

__all__ = ["Frame", "FrameBatch", "VideoDecoder", "VideoStreamMetadata"]


class _Shown:
    """A value whose text has its fields, and of pixels the shape."""

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__}:"]
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if field.name == "data":
                lines.append(f"  data (shape): {tuple(value.shape)}")
            else:
                lines.append(f"  {field.name}: {value}")
        return "\n".join(lines) + "\n"


@dataclass(repr=False)
class Frame(_Shown):
    """A frame, when it is shown, and how long."""

    data: Any
    pts_seconds: float
    duration_seconds: float

    def __iter__(self) -> Iterator[Any]:
        return iter((self.data, self.pts_seconds, self.duration_seconds))


@dataclass(repr=False)
class FrameBatch(_Shown):
    """Several frames, when they are shown, and how long, each as one tensor."""

    data: Any
    pts_seconds: Any
    duration_seconds: Any

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, key: Any) -> FrameBatch:
        return FrameBatch(self.data[key], self.pts_seconds[key], self.duration_seconds[key])

    def __iter__(self) -> Iterator[FrameBatch]:
        return (self[number] for number in range(len(self)))


@dataclass(repr=False)
class VideoStreamMetadata(_Shown):
    """The properties of a video track; sizes are those of upright frames."""

    duration_seconds_from_header: float | None
    begin_stream_seconds_from_header: float | None
    bit_rate: float | None
    codec: str | None
    stream_index: int
    media_type: str
    width: int
    height: int
    num_frames_from_header: int | None
    average_fps_from_header: float | None
    pixel_aspect_ratio: Fraction | None
    rotation: float | None
    color_primaries: str | None
    color_space: str | None
    color_transfer_characteristic: str | None
    pixel_format: str | None
    begin_stream_seconds_from_content: float
    end_stream_seconds_from_content: float
    num_frames_from_content: int
    duration_seconds: float
    begin_stream_seconds: float
    end_stream_seconds: float
    num_frames: int
    average_fps: float | None


class VideoDecoder:
    """The frames of a video by their numbers and by their times, with torchcodec's methods."""

    def __init__(
        self,
        source: Any,
        *,
        stream_index: int | None = None,
        dimension_order: Literal["NCHW", "NHWC"] = "NCHW",
        num_ffmpeg_threads: int = 1,
        device: Any = None,
        seek_mode: Literal["exact", "approximate"] = "exact",
        transforms: Sequence[Any] | None = None,
        output_dtype: Any = "uint8",
        custom_frame_mappings: Any = None,
        tensors: bool | None = None,
        engine: Engine | None = None,
    ) -> None:
        """``source`` is any source of ``Engine.open``.

        ``output_dtype`` is ``uint8``, or ``float32`` for numbers from 0 to 1. ``stream_index`` may only
        be that of the first enabled video track. The engine chooses the threads, both seek modes are
        exact, and mappings of frames aren't needed; ``transforms`` and other devices than ``cpu`` are a
        ``ValueError``. Without an ``engine`` all decoders of this process share one.
        """
        _require("seek mode", seek_mode, ("exact", "approximate"))
        _require("dimension order", dimension_order, ("NCHW", "NHWC"))
        kind = str(output_dtype).rpartition(".")[2]
        if isinstance(output_dtype, type):
            kind = np.dtype(output_dtype).name
        _require("output_dtype", kind, ("uint8", "float32"))
        _require("device", str(device or "cpu").partition(":")[0], ("cpu",))
        if transforms:
            raise ValueError("frames are transformed once they are there: this decoder has no transforms")
        self._is_planar = dimension_order == "NCHW"
        self._is_float = kind == "float32"
        self._has_tensors = _has_torch() if tensors is None else tensors
        self._frames = NumberedFrames(source, engine=engine)
        #: The place of the track among all of the file.
        self.stream_index = self._frames.stream_index
        if stream_index not in (None, self.stream_index):
            self.close()
            raise ValueError(
                f"frames are those of the first enabled video track, which is stream {self.stream_index}"
            )

    @functools.cached_property
    def metadata(self) -> VideoStreamMetadata:
        """The properties of the track, by its header and by the times of its frames."""
        return _metadata(self._frames)

    def __len__(self) -> int:
        return len(self._frames)

    def __getitem__(self, key: Any) -> Any:
        """The pixels of a frame, or for a slice those of several."""
        if isinstance(key, slice):
            return self._pixels(self._frames.several(range(len(self))[key]))
        return self.get_frame_at(key).data

    def __iter__(self) -> Iterator[Any]:
        """The pixels of all frames; after the error of a damaged one it continues with the next."""
        return map(self.__getitem__, range(len(self)))

    def get_frame_at(self, index: int) -> Frame:
        """The frame with a number, from the end where it is negative.

        Raises ``DecodeFailedError`` if it can't be decoded.
        """
        number = self._number(index)
        start, length = self._span(number)
        return Frame(self._pixels(self._frames.frame(number)), start, length)

    def get_frames_at(self, indices: Any) -> FrameBatch:
        """The frames with these numbers."""
        return self._batch([self._number(each) for each in _listed(indices)])

    def get_frames_in_range(self, start: int, stop: int, step: int = 1) -> FrameBatch:
        """The frames of a range of numbers, without its end."""
        return self._batch(range(len(self))[start:stop:step])

    def get_frame_played_at(self, seconds: float) -> Frame:
        """The frame that is shown at a time."""
        return self.get_frame_at(self._number_at(seconds))

    def get_frames_played_at(self, seconds: Any) -> FrameBatch:
        """The frames that are shown at these times."""
        return self._batch([self._number_at(each) for each in _listed(seconds)])

    def get_frames_played_in_range(
        self, start_seconds: float, stop_seconds: float, fps: float | None = None
    ) -> FrameBatch:
        """The frames that are shown in a range of times, of which the end is not part.

        With ``fps`` they are those shown at the start and every so often after it, and their times are
        these.
        """
        begin, end = self._limits()
        if not start_seconds <= stop_seconds:
            raise ValueError(
                f"Invalid start seconds: {start_seconds}. It must be less than or equal to stop seconds "
                f"({stop_seconds})."
            )
        if not begin <= start_seconds < end or stop_seconds > end:
            raise ValueError(
                f"Invalid seconds: {start_seconds} to {stop_seconds}. They must be within {begin} and {end}."
            )
        if fps is not None:
            return self._resampled(start_seconds, stop_seconds, fps)
        times = self._frames.times
        if start_seconds == stop_seconds:
            return self._batch([])
        first = times.number_at(start_seconds)
        last = times.number_before(stop_seconds)
        return self._batch(range(first, last + 1))

    def _resampled(self, start: float, stop: float, fps: float) -> FrameBatch:
        if not fps > 0:
            raise ValueError(f"Invalid fps: {fps}. It must be above 0.")
        count = round((stop - start) * fps)
        wanted = [start + number / fps for number in range(count)]
        times = self._frames.times
        pixels = self._frames.several([times.number_at(each) for each in wanted])
        return FrameBatch(
            self._pixels(pixels), self._numbers(wanted), self._numbers([1 / fps] * count)
        )

    def get_all_frames(self, fps: float | None = None) -> FrameBatch:
        """All frames."""
        if fps is None:
            return self._batch(range(len(self)))
        begin, end = self._limits()
        return self._resampled(begin, end, fps)

    def _get_key_frame_indices(self) -> list[int]:
        return list(self._frames.times.keys)

    def close(self) -> None:
        """Lets go of the file, as the end of the object does."""
        self._frames.close()

    def __enter__(self) -> VideoDecoder:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _limits(self) -> tuple[float, float]:
        return self.metadata.begin_stream_seconds, self.metadata.end_stream_seconds

    def _number(self, index: Any) -> int:
        number = operator.index(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"Invalid frame index={number}; must be less than {len(self)}")
        return number % len(self)

    def _number_at(self, seconds: float) -> int:
        begin, end = self._limits()
        if not begin <= seconds < end:
            raise IndexError(
                f"Invalid pts in seconds: {seconds}. It must be greater than or equal to {begin} and "
                f"less than {end}."
            )
        return self._frames.times.number_at(seconds)

    def _span(self, number: int) -> tuple[float, float]:
        start, end = self._frames.times.starts[number], self._frames.times.ends[number]
        return float(start), float(end - start)

    def _batch(self, numbers: Sequence[int]) -> FrameBatch:
        spans = [self._span(number) for number in numbers]
        return FrameBatch(
            self._pixels(self._frames.several(numbers)),
            self._numbers([start for start, _ in spans]),
            self._numbers([length for _, length in spans]),
        )

    def _pixels(self, pixels: Pixels) -> Any:
        made: Any = np.moveaxis(pixels, -1, -3) if self._is_planar else pixels
        if self._is_float:
            made = made.astype(np.float32) / np.float32(255)
        return self._tensor(made)

    def _numbers(self, numbers: Iterable[float]) -> Any:
        return self._tensor(np.array(list(numbers), dtype=np.float64))

    def _tensor(self, made: Any) -> Any:
        return importlib.import_module("torch").from_numpy(made) if self._has_tensors else made


def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def _require(what: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ValueError(f"Invalid {what} ({value}). Supported values are {', '.join(known)}.")


def _listed(numbers: Any) -> list[Any]:
    """The items of a list, an array or a tensor as Python's numbers."""
    made: list[Any] = numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
    return made


def _metadata(frames: NumberedFrames) -> VideoStreamMetadata:
    values = frames.track.load(
        "format_descriptions", "estimated_data_rate", "time_range", "preferred_transform"
    )
    description: Any = next(iter(values["format_descriptions"] or ()), {})
    video = description.get("video", {})
    color, aspect = video.get("color", {}), video.get("pixelAspectRatio")
    times, span = frames.times, values["time_range"]
    begin, end = min(times.starts), max(times.ends)
    count, rate = len(frames), frames.rate or None
    return VideoStreamMetadata(
        duration_seconds_from_header=span.duration.seconds if span.duration.is_numeric else None,
        begin_stream_seconds_from_header=span.start.seconds if span.start.is_numeric else None,
        bit_rate=values["estimated_data_rate"] or None,
        codec=description.get("codec"),
        stream_index=frames.stream_index,
        media_type="video",
        width=frames.size[0],
        height=frames.size[1],
        num_frames_from_header=None,
        average_fps_from_header=rate,
        pixel_aspect_ratio=aspect
        and Fraction(aspect["horizontalSpacing"], aspect["verticalSpacing"]),
        rotation=_rotation(values["preferred_transform"]),
        color_primaries=color.get("primaries"),
        color_space=color.get("matrix"),
        color_transfer_characteristic=color.get("transfer"),
        pixel_format=video.get("pixelFormat"),
        begin_stream_seconds_from_content=float(begin),
        end_stream_seconds_from_content=float(end),
        num_frames_from_content=count,
        duration_seconds=float(end - begin),
        begin_stream_seconds=float(begin),
        end_stream_seconds=float(end),
        num_frames=count,
        average_fps=float(count / (end - begin)) if end > begin else rate,
    )


def _rotation(transform: Sequence[float] | None) -> float | None:
    """Degrees counter-clockwise, where it is one of quarters; ``None`` without any."""
    turns = {(0, 1): -90.0, (-1, 0): 180.0, (0, -1): 90.0}
    return turns.get((round(transform[0]), round(transform[1]))) if transform else None
