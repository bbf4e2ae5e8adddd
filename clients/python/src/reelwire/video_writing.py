"""A video of pictures, in one call."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Callable, TypedDict, Union

from .asset_writer import WriterResult
from .frame_data import audio_form, audio_samples, is_picture, picture_form
from .metadata import MetadataLike
from .picture import Picture
from .progress import ProgressLike, reporting
from .sample_buffer import SampleBuffer
from .segments import WriterOutput
from .writer_inputs import AudioInput, RateLike, VideoInput, rate_of

if TYPE_CHECKING:
    from .engine import AsyncEngine, Engine

__all__ = ["FramesLike", "Writing", "written", "written_async"]

FramesLike = Union[Iterable[Any], AsyncIterable[Any]]

#: The maximum distance of audio ahead of the frames, in seconds.
_AHEAD = 0.25



class Writing(TypedDict, total=False):
    """The options of ``write_video`` in addition to the file, the frames and their rate."""

    #: Samples × channels, or channels × samples, beginning with the first picture.
    audio: Any
    #: In hertz; by default 48000.
    sample_rate: int
    #: The size of pictures that have none of their own: bytes and planes.
    size: tuple[int, int] | None
    #: The pixel format of arrays, by FFmpeg's name, such as ``"bgr24"`` of OpenCV's; by default by their shape.
    pixel_format: str | None
    #: The settings of video: ``{"codec": "hevc", "quality": 0.6}``, or the name of a preset.
    settings: str | Mapping[str, Any] | None
    #: The settings of audio.
    audio_settings: str | Mapping[str, Any] | None
    #: The type of the file; it follows from the name's extension when left out.
    output_file_type: str | None
    #: The metadata of the file.
    metadata: MetadataLike | None
    #: The number of frames, for progress of iterables without a length.
    count: int | None
    #: Called with the part that is done, from 0 to 1; ``True`` shows it.
    progress: ProgressLike


class Video:
    """The transfer of the frames and the audio of one call to a writer."""

    def __init__(self, first: Any, fps: RateLike, options: Writing) -> None:
        self._rate = rate_of(fps)
        given: Any = {"frame_rate": self._rate, "settings": options.get("settings")}
        size, pixel_format = options.get("size"), options.get("pixel_format")
        if size is not None:
            video = VideoInput(size, pixel_format or "rgb24", **given)
        elif isinstance(first, (str, os.PathLike, SampleBuffer, Picture)):
            video = VideoInput(**given)
        else:
            form = picture_form(first)
            video = VideoInput((form.width, form.height), pixel_format or form.pixel_format, **given)
        #: The writer's inputs.
        self.inputs: dict[str, Any] = {"video": video}
        self._audio: Any = None
        self._sample_rate = options.get("sample_rate", 48000)
        self._place = 0
        audio = options.get("audio")
        if audio is not None:
            # Of two dimensions the smaller one is that of the channels.
            shape = getattr(audio, "shape", ())
            form_of_audio = audio_form(audio, min(shape) if len(shape) == 2 else None)
            self._audio = audio_samples(audio, form_of_audio.channels)
            self.inputs["audio"] = AudioInput(
                self._sample_rate,
                channels=form_of_audio.channels,
                settings=options.get("audio_settings"),
            )

    def before(self, number: int) -> Iterator[Any]:
        """The audio to append before a picture; ``None`` where that was all of it."""
        if self._audio is None or self._place == len(self._audio):
            return
        end = round((number / self._rate + _AHEAD) * self._sample_rate)
        part = self._audio[self._place : end]
        self._place += len(part)
        if len(part):
            yield part
        if self._place == len(self._audio):
            yield None

    def rest(self) -> Iterator[Any]:
        """The audio that continues after the last frame."""
        if self._audio is not None and self._place < len(self._audio):
            yield self._audio[self._place :]


def _require_several(frames: Any) -> None:
    if is_picture(frames):
        raise ValueError(
            "this is one picture, and write_video takes several: write_video(path, [picture], fps=…)"
        )


def _part(options: Writing, frames: Any) -> Callable[[int], float]:
    """The completed fraction after a number of frames."""
    count = options.get("count")
    if count is None and hasattr(frames, "__len__"):
        count = len(frames)
    if count is None and options.get("progress"):
        raise TypeError("progress needs to know how many frames there are: count=…")
    return lambda number: min(1.0, number / count) if count else 1.0


def _writer_options(options: Writing) -> dict[str, Any]:
    known = {*Writing.__annotations__}
    for name in options:
        if name not in known:
            raise TypeError(f"write_video has no {name!r}, but {', '.join(sorted(known))}")
    return {name: options.get(name) for name in ("output_file_type", "metadata")}


def written(
    engine: Engine, output: WriterOutput, frames: Iterable[Any], fps: RateLike, options: Writing
) -> WriterResult:
    """Writes a video; the frames are read on the thread of the caller."""
    _require_several(frames)
    made, part = _writer_options(options), _part(options, frames)
    iterator = iter(frames)
    first = next(iterator, None)
    if first is None:
        raise ValueError("a video needs a picture")
    video = Video(first, fps, options)
    with engine.asset_writer(output, **made, **video.inputs) as writer:
        with reporting(options.get("progress"), "write_video", part) as on_item:
            for number, frame in enumerate(itertools.chain([first], iterator)):
                for samples in video.before(number):
                    writer.audio.finish() if samples is None else writer.audio.append(samples)
                writer.video.append(frame)
                if on_item is not None:
                    on_item(number + 1)
            writer.video.finish()
            for samples in video.rest():
                writer.audio.append(samples)
            return writer.finish()


async def written_async(
    engine: AsyncEngine, output: WriterOutput, frames: FramesLike, fps: RateLike, options: Writing
) -> WriterResult:
    """Writes a video."""
    _require_several(frames)
    made, part = _writer_options(options), _part(options, frames)
    iterator = _iterated(frames)
    try:
        first = await iterator.__anext__()
    except StopAsyncIteration:
        raise ValueError("a video needs a picture") from None
    video = Video(first, fps, options)
    async with await engine.asset_writer(output, **made, **video.inputs) as writer:
        with reporting(options.get("progress"), "write_video", part) as on_item:
            number, frame = 0, first
            while frame is not None:
                for samples in video.before(number):
                    if samples is None:
                        await writer.audio.finish()
                    else:
                        await writer.audio.append(samples)
                await writer.video.append(frame)
                number += 1
                if on_item is not None:
                    on_item(number)
                frame = await _next(iterator)
            await writer.video.finish()
            for samples in video.rest():
                await writer.audio.append(samples)
            return await writer.finish()


async def _iterated(frames: FramesLike) -> AsyncIterator[Any]:
    """Pictures from wherever they come."""
    if isinstance(frames, AsyncIterable):
        async for frame in frames:
            yield frame
        return
    for frame in frames:
        yield frame


async def _next(iterator: AsyncIterator[Any]) -> Any:
    try:
        return await iterator.__anext__()
    except StopAsyncIteration:
        return None
