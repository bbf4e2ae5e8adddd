"""The audio of a file, as jobs: its levels and its samples."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

from ..audio import decoded_audio
from ..time_range import TimeRange, TimeRangeLike
from .fields import count_of, image_format
from .job import Job, JobContext
from .values import AudioSamples, WaveformChannelLevels, WaveformLevels

__all__ = ["Audio", "Waveform"]


@dataclass(frozen=True, eq=False, repr=False)
class Waveform(Job[WaveformLevels]):
    """Measures audio in ``count`` parts of equal length: ``Waveform(800)``.

    With a ``format``, such as ``"png"``, it is drawn besides, ``width`` or ``count`` pixels wide; one of them may
    be left out then.
    """

    #: The number of parts.
    count: int | None = None
    #: The number of the track; the first enabled audio track when left out.
    track: int | None = None
    #: The part of the asset; all of it when left out.
    time_range: TimeRangeLike | None = None
    #: ``png``, ``jpeg``, ``webp`` or ``bmp``; no drawing when left out.
    format: str | None = None
    #: The width of the drawing in pixels.
    width: int | None = None
    #: The height of the drawing in pixels.
    height: int | None = None
    #: ``"#rrggbb"`` or ``"#rrggbbaa"``.
    color: str | None = None
    #: The colour of the background, in the same form.
    background_color: str | None = None
    #: From 0 to 1, for ``jpeg`` and ``webp``.
    quality: float | None = None
    #: True if the existing part of a damaged file is treated as all of it.
    salvage: bool | None = None

    def __post_init__(self) -> None:
        drawing = (self.width, self.height, self.color, self.background_color, self.quality)
        if self.format is not None:
            image_format(self.format, None, "png")
            if self.count is None and self.width is None:
                raise TypeError("a drawing has a width, or as many pixels as there are parts")
        elif self.count is None:
            raise TypeError("a waveform has a count, or a format that it is drawn in")
        elif any(each is not None for each in drawing):
            raise TypeError('a drawing needs a format, such as "png"')
        if self.count is not None:
            self._set(count=count_of(self.count, "count"))
        if self.time_range is not None:
            self._set(time_range=TimeRange.of(self.time_range))

    async def perform(self, context: JobContext) -> WaveformLevels:
        """The levels of each channel."""
        async with context.open(salvage=self.salvage) as asset:
            made = await asset.waveform(
                self.count,
                self.track,
                time_range=self.time_range,
                format=self.format,  # type: ignore[arg-type]
                width=self.width,
                height=self.height,
                color=self.color,
                background_color=self.background_color,
                quality=self.quality,
            )
            return WaveformLevels(
                track_id=made.track_id,
                time_range=made.time_range,
                sample_rate=made.sample_rate,
                channels=[
                    WaveformChannelLevels(channel.min, channel.max, channel.rms)
                    for channel in made.channels
                ],
                image=bytes(made.data) if made.is_drawn else None,
                dropped=made.dropped,
            )


@dataclass(frozen=True, eq=False, repr=False)
class Audio(Job[AudioSamples]):
    """Decodes audio: ``Audio(sample_rate=16000, channels=1)`` is the input of speech models.

    It is that of ``Asset.audio``, without NumPy: an array of floats for each channel. An hour of this example
    is 230 MB, which pass through the scheduler of the jobs; ``Export`` writes a file instead.
    """

    #: The number of the track; the first enabled audio track when left out.
    track: int | None = None
    #: In hertz; the track's own when left out.
    sample_rate: int | None = None
    #: The number of channels; by default that of the track.
    channels: int | None = None
    #: The part of the asset; all of the track when left out.
    time_range: TimeRangeLike | None = None
    #: True if the existing part of a damaged file is treated as all of it.
    salvage: bool | None = None

    def __post_init__(self) -> None:
        for name in ("sample_rate", "channels"):
            if getattr(self, name) is not None:
                self._set(**{name: count_of(getattr(self, name), name)})
        if self.time_range is not None:
            self._set(time_range=TimeRange.of(self.time_range))

    async def perform(self, context: JobContext) -> AudioSamples:
        """The samples of each channel."""
        async with context.open(salvage=self.salvage) as asset:
            made = await decoded_audio(
                asset, self.track, self.sample_rate, self.channels, self.time_range
            )
        channels = [_floats(channel) for channel in made.channels]
        return AudioSamples(made.track_id, made.sample_rate, channels, made.dropped)


def _floats(data: Any) -> array[float]:
    samples = array("f")
    samples.frombytes(data)
    return samples
