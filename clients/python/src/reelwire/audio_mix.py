"""Audio mixes: how loud the tracks of an asset are, as a value."""

from __future__ import annotations

from typing import Any

from . import protocol
from .time import MediaTime, TimeLike
from .track import TrackLike
from .wire import track_number

__all__ = ["AudioMix", "entry", "ramp"]


class AudioMix(dict[str, Any]):
    """The volumes of the tracks of an asset: ``AudioMix().fade_in(2, 1).volume(3, 0.25)``.

    It is the protocol's own value, plain JSON, and accepted for any audio mix. Each method returns
    a new one with one more entry; those of a track are in ascending order and don't overlap. The
    track 0 is the mix of all of them. Before its first entry a track has the volume 1, and between
    two entries the last volume holds.
    """

    def __init__(self, parameters: Any = ()) -> None:
        super().__init__(inputParameters=[dict(each) for each in parameters])

    def volume(self, track: TrackLike, value: float, at: TimeLike = 0) -> AudioMix:
        """From a time on a track has that volume."""
        return self._with(track, entry(value, at))

    def ramp(
        self, track: TrackLike, start: float, end: float, *, at: TimeLike, duration: TimeLike
    ) -> AudioMix:
        """From ``at`` on the volume changes linearly, for ``duration``."""
        return self._with(track, ramp(start, end, at, duration))

    def fade_in(
        self, track: TrackLike, duration: TimeLike, *, at: TimeLike = 0, volume: float = 1
    ) -> AudioMix:
        """From silence to a volume."""
        return self.ramp(track, 0, volume, at=at, duration=duration)

    def fade_out(
        self, track: TrackLike, duration: TimeLike, *, at: TimeLike, volume: float = 1
    ) -> AudioMix:
        """From a volume to silence."""
        return self.ramp(track, volume, 0, at=at, duration=duration)

    def time_pitch(
        self, track: TrackLike, algorithm: protocol.AudioTimePitchAlgorithm
    ) -> AudioMix:
        """The algorithm for playing a track faster or slower."""
        made, parameters = self._parameters(track)
        parameters["audioTimePitchAlgorithm"] = algorithm
        return made

    def _with(self, track: TrackLike, volume: dict[str, Any]) -> AudioMix:
        made, parameters = self._parameters(track)
        parameters["volume"] = [*parameters.get("volume", []), volume]
        return made

    def _parameters(self, track: TrackLike) -> tuple[AudioMix, dict[str, Any]]:
        """A new mix, and the settings of a track in it."""
        made = AudioMix(self["inputParameters"])
        number = track_number(track)
        for parameters in made["inputParameters"]:
            if parameters["trackID"] == number:
                return made, parameters
        made["inputParameters"].append({"trackID": number})
        return made, made["inputParameters"][-1]


def entry(value: Any, at: TimeLike) -> dict[str, Any]:
    """A value that holds from a time on."""
    return {"at": MediaTime.of(at).to_wire(), "value": value}


def ramp(start: Any, end: Any, at: TimeLike, duration: TimeLike) -> dict[str, Any]:
    """A value that changes linearly."""
    time_range = {"start": MediaTime.of(at).to_wire(), "duration": MediaTime.of(duration).to_wire()}
    return {"from": start, "to": end, "timeRange": time_range}

