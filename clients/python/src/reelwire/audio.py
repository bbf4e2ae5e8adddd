"""The audio of a track as one array."""

from __future__ import annotations

import os
import warnings
from collections.abc import AsyncIterator
from typing import Any

from .arrays import Array
from .reader_outputs import AudioMixOutput
from .sample_buffer import SampleBuffer
from .time_range import TimeRangeLike
from .track import TrackLike, first_enabled
from .wire import track_number

__all__ = ["audio_of"]


async def audio_of(
    asset: Any,
    track: TrackLike | None,
    sample_rate: int | None,
    channels: int | None,
    time_range: TimeRangeLike | None,
) -> Array:
    """The audio of a track of an asset, else of its first enabled one: channels × samples."""
    number = track_number(track)
    if number is None:
        chosen = first_enabled(await asset.load_tracks("audio"))
        if chosen is None:
            return _silence(channels or 1)
        number = chosen.track_id
    # A mix of one track is silent where that has no samples: each has its place in the array.
    output = AudioMixOutput(
        number, sample_rate=sample_rate, channels=channels, interleaved=False
    )
    async with await asset.reader(output, time_range=time_range) as reader:
        (samples,) = reader.outputs
        made = await _joined(samples.samples())
        if samples.dropped:
            name = os.path.basename(asset.url)
            warnings.warn(
                f"some audio of {name!r} can't be decoded: it is silent, or left out at the end",
                RuntimeWarning,
            )
    if made is None:
        return _silence(channels or await _channel_count(asset, number))
    return made


def _silence(channels: int) -> Array:
    """Audio of no samples."""
    import numpy

    return numpy.empty((channels, 0), "float32")


async def _joined(samples: AsyncIterator[SampleBuffer]) -> Array | None:
    """Planar samples as one array; ``None`` when there are none."""
    import numpy

    # How many there will be isn't known: these grow in place, where memory allows it.
    channels: list[bytearray] = []
    async for sample in samples:
        planes = sample.planes
        channels = channels or [bytearray() for _ in planes]
        for channel, plane in zip(channels, planes):
            channel += plane.data
    if not channels:
        return None
    if len(channels) == 1:
        return numpy.frombuffer(channels[0], "float32").reshape(1, -1)
    result = numpy.empty((len(channels), len(channels[0]) // 4), "float32")
    for number, channel in enumerate(channels):
        result[number] = numpy.frombuffer(channel, "float32")
    return result


async def _channel_count(asset: Any, number: int) -> int:
    """How many channels a track has by its format description; 1 where that states none."""
    track = await asset.load_track(number)
    loaded = {} if track is None else await track.load("formatDescriptions")
    for description in loaded.get("formatDescriptions", ()):
        if "audio" in description:
            return int(description["audio"]["channelsPerFrame"]) or 1
    return 1
