"""The audio of a track: its samples, as bytes and as one array."""

from __future__ import annotations

import os
import warnings
from typing import Any, NamedTuple

from . import protocol
from .arrays import FloatArray
from .reader_outputs import AudioMixOutput
from .time_range import TimeRangeLike
from .track import TrackLike, first_enabled
from .wire import track_number

__all__ = ["DecodedAudio", "audio_of", "decoded_audio"]


async def audio_of(
    asset: Any,
    track: TrackLike | None,
    sample_rate: int | None,
    channels: int | None,
    time_range: TimeRangeLike | None,
) -> FloatArray:
    """The audio of a track of an asset, else of its first enabled one: channels × samples."""
    decoded = await decoded_audio(asset, track, sample_rate, channels, time_range)
    if decoded.dropped:
        name = os.path.basename(asset.url)
        warnings.warn(
            f"some audio of {name!r} can't be decoded: it is silent, or left out at the end",
            RuntimeWarning,
        )
    return _array(decoded.channels)


class DecodedAudio(NamedTuple):
    """The samples of a track as ``float32``, one channel after the other."""

    #: The track; ``None`` where there is no audio track.
    track_id: int | None
    #: In hertz; 0 where nothing shows it.
    sample_rate: int
    #: The bytes of each channel; empty where there are no samples.
    channels: list[bytearray]
    #: The parts that couldn't be decoded.
    dropped: list[protocol.Dropped]


async def decoded_audio(
    asset: Any,
    track: TrackLike | None,
    sample_rate: int | None,
    channels: int | None,
    time_range: TimeRangeLike | None,
) -> DecodedAudio:
    """The audio of a track of an asset, else of its first enabled one."""
    number = track_number(track)
    if number is None:
        chosen = first_enabled(await asset.load_tracks("audio"))
        if chosen is None:
            return DecodedAudio(None, sample_rate or 0, _silence(channels or 1), [])
        number = chosen.track_id
    # A mix of one track is silent where that has no samples: each has its place in the array.
    output = AudioMixOutput(
        number, sample_rate=sample_rate, channels=channels, interleaved=False
    )
    # How many there will be isn't known: these grow in place, where memory allows it.
    made: list[bytearray] = []
    rate = sample_rate or 0
    async with await asset.reader(output, time_range=time_range) as reader:
        (samples,) = reader.outputs
        async for sample in samples.samples():
            planes = sample.planes
            made = made or [bytearray() for _ in planes]
            rate = sample.audio["sampleRate"]
            for channel, plane in zip(made, planes):
                channel += plane.data
        dropped = samples.dropped
    if not made:
        stated = await _format(asset, number)
        made = _silence(channels or int(stated.get("channelsPerFrame", 0)) or 1)
        rate = rate or int(stated.get("sampleRate", 0))
    return DecodedAudio(number, rate, made, dropped)


def _silence(channels: int) -> list[bytearray]:
    """Audio of no samples."""
    return [bytearray() for _ in range(channels)]


def _array(channels: list[bytearray]) -> FloatArray:
    """Channels × samples."""
    import numpy

    if len(channels) == 1:
        return numpy.frombuffer(channels[0], "float32").reshape(1, -1)
    result = numpy.empty((len(channels), len(channels[0]) // 4), "float32")
    for number, channel in enumerate(channels):
        result[number] = numpy.frombuffer(channel, "float32")
    return result


async def _format(asset: Any, number: int) -> dict[str, Any]:
    """The audio of a track's format description; empty where there is none."""
    track = await asset.load_track(number)
    loaded = {} if track is None else await track.load("formatDescriptions")
    for description in loaded.get("formatDescriptions", ()):
        if "audio" in description:
            return dict(description["audio"])
    return {}
