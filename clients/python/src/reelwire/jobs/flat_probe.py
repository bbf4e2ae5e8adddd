"""The properties of a file as one row of a table, as a job."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..track import AsyncTrack
from .job import Job, JobContext

__all__ = ["FlatProbe"]


@dataclass(frozen=True, eq=False, repr=False)
class FlatProbe(Job[dict[str, Any]]):
    """Reads the properties of a file as one row: a dict of plain values, the same keys for every file.

    Those of a kind of track are of the first enabled one, and ``None`` without any. ``rate`` is also
    there exactly, as ``rate_numerator`` and ``rate_denominator``, and so is ``duration``, as
    ``duration_value`` and ``duration_timescale``.
    """

    #: True if the file is scanned for an exact duration.
    prefer_precise_duration_and_timing: bool | None = None

    async def perform(self, context: JobContext) -> dict[str, Any]:
        """The row."""
        async with context.open(
            prefer_precise_duration_and_timing=self.prefer_precise_duration_and_timing
        ) as asset:
            values = await asset.load("duration", "tracks", "container_facts")
            tracks, container = values["tracks"], values["container_facts"]
            duration = values["duration"] if values["duration"].is_numeric else None
            return {
                "container": container and container.format_name.partition(",")[0],
                "size": container and container.size,
                "bit_rate": container and container.bit_rate,
                "duration": duration and duration.seconds,
                "duration_value": duration and duration.value,
                "duration_timescale": duration and duration.timescale,
                "tracks": len(tracks),
                **await _video(_first(tracks, "video")),
                **await _audio(_first(tracks, "audio")),
            }


def _first(tracks: list[AsyncTrack], kind: str) -> AsyncTrack | None:
    found = [track for track in tracks if track.media_type == kind]
    return next((track for track in found if track.is_enabled), found[0] if found else None)


async def _video(track: AsyncTrack | None) -> dict[str, Any]:
    names = ["codec", "width", "height", "pixel_format"]
    names += ["rate", "rate_numerator", "rate_denominator"]
    if track is None:
        return dict.fromkeys(names)
    values = await track.load("format_descriptions", "nominal_frame_rate", "min_frame_duration")
    description: Any = next(iter(values["format_descriptions"] or ()), {})
    video = description.get("video", {})
    size = video.get("dimensions", {})
    rate = _exact(values["nominal_frame_rate"], values["min_frame_duration"])
    found = [description.get("codec"), size.get("width"), size.get("height")]
    found.append(video.get("pixelFormat"))
    numbers = (None, None, None) if rate is None else (float(rate), *rate.as_integer_ratio())
    return dict(zip(names, (*found, *numbers)))


async def _audio(track: AsyncTrack | None) -> dict[str, Any]:
    names = ("audio_codec", "sample_rate", "channels", "language")
    if track is None:
        return dict.fromkeys(names)
    description: Any = next(
        iter((await track.load("format_descriptions"))["format_descriptions"] or ()), {}
    )
    audio = description.get("audio", {})
    rate = audio.get("sampleRate")
    found = (description.get("codec"), None if rate is None else int(rate))
    return dict(zip(names, (*found, audio.get("channelsPerFrame"), track.language_code)))


def _exact(rate: float | None, shortest: Any) -> Fraction | None:
    """The ratio that a rate is the nearest number to: that of all frames' duration, or a simple one."""
    if not rate:
        return None
    if shortest is not None and shortest.is_numeric and shortest > 0:
        constant = 1 / shortest.fraction
        if float(constant) == rate:
            return Fraction(constant)
    return Fraction(rate).limit_denominator(1_000_000)
