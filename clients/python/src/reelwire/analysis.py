"""Analyses: where scenes begin, where audio is silent, and how loud it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from . import protocol
from .time import MediaTime
from .time_range import TimeRange

__all__ = ["Loudness", "SceneChange", "SceneChanges", "Silences"]


class SceneChange:
    """The beginning of a scene."""

    __slots__ = ("sample_index", "score", "time")

    def __init__(self, wire: protocol.SceneChange) -> None:
        #: The presentation time of the first frame of the new scene.
        self.time = MediaTime.of(wire["time"])
        #: The number of that frame in the track, in presentation order; ``None`` where frames have none.
        self.sample_index: int | None = wire.get("sampleIndex")
        #: The clarity of the change, from 0 to 1.
        self.score: float = wire["score"]

    def __repr__(self) -> str:
        frame = "" if self.sample_index is None else f" frame {self.sample_index}"
        return f"<SceneChange {float(self.time):.3f} s{frame} score {self.score:.2f}>"


class SceneChanges(Sequence[SceneChange]):
    """The scene changes of a video track, in order."""

    def __init__(self, wire: protocol.AnalysisDidFindSceneChanges | Any, owner: object) -> None:
        #: The video track.
        self.track_id: int = wire["trackID"]
        #: The range that was searched.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: The frames that couldn't be decoded; empty when all could.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []
        self._changes = [SceneChange(change) for change in wire["sceneChanges"]]

    @overload
    def __getitem__(self, index: int) -> SceneChange: ...
    @overload
    def __getitem__(self, index: slice) -> list[SceneChange]: ...
    def __getitem__(self, index: int | slice) -> SceneChange | list[SceneChange]:
        return self._changes[index]

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def scenes(self) -> list[TimeRange]:
        """The scenes that the changes divide the range into."""
        times = [self.time_range.start, *(each.time for each in self), self.time_range.end]
        return [TimeRange.between(start, end) for start, end in zip(times, times[1:])]

    def __repr__(self) -> str:
        return f"<SceneChanges {len(self)} in track {self.track_id}>"


class Silences(Sequence[TimeRange]):
    """The silences of audio, in order."""

    def __init__(self, wire: protocol.AnalysisDidFindSilences | Any, owner: object) -> None:
        #: The audio track; ``None`` where several were mixed.
        self.track_id: int | None = wire.get("trackID")
        #: The range that was searched.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: In dBFS: in a silence all channels are below it.
        self.threshold: float = wire["threshold"]
        #: The parts that couldn't be decoded and count as silence; empty if there are none.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []
        self._ranges = [TimeRange.of(silence) for silence in wire["silences"]]

    @overload
    def __getitem__(self, index: int) -> TimeRange: ...
    @overload
    def __getitem__(self, index: slice) -> list[TimeRange]: ...
    def __getitem__(self, index: int | slice) -> TimeRange | list[TimeRange]:
        return self._ranges[index]

    def __len__(self) -> int:
        return len(self._ranges)

    def __iter__(self) -> Iterator[TimeRange]:
        return iter(self._ranges)

    def __repr__(self) -> str:
        return f"<Silences {len(self)} below {self.threshold:g} dBFS>"


class Loudness:
    """The loudness of audio by ITU-R BS.1770 and EBU R 128; ``None`` where there is nothing to measure."""

    def __init__(self, wire: protocol.AnalysisDidMeasureLoudness | Any, owner: object) -> None:
        #: The audio track; ``None`` where several were mixed.
        self.track_id: int | None = wire.get("trackID")
        #: The range that was measured.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: In hertz.
        self.sample_rate: int = wire["sampleRate"]
        #: The speakers by which the channels were weighted, such as ``stereo`` or ``5.1(side)``.
        self.channel_layout: str = wire["channelLayout"]
        #: The loudness of the whole range in LUFS, gated.
        self.integrated_loudness: float | None = wire.get("integratedLoudness")
        #: The loudness range in LU.
        self.loudness_range: float | None = wire.get("loudnessRange")
        #: The greatest true peak in dBTP.
        self.true_peak: float | None = wire.get("truePeak")
        #: The greatest sample in dBFS.
        self.sample_peak: float | None = wire.get("samplePeak")
        #: The greatest loudness of 0.4 seconds in LUFS.
        self.maximum_momentary_loudness: float | None = wire.get("maximumMomentaryLoudness")
        #: The greatest loudness of 3 seconds in LUFS.
        self.maximum_short_term_loudness: float | None = wire.get("maximumShortTermLoudness")
        #: The parts that couldn't be decoded and count as silence; empty if there are none.
        self.dropped: list[protocol.Dropped] = wire.get("dropped") or []

    def __repr__(self) -> str:
        def shown(value: float | None, unit: str) -> str:
            return "-" if value is None else f"{value:.1f} {unit}"

        peak = shown(self.true_peak, "dBTP")
        return f"<Loudness {shown(self.integrated_loudness, 'LUFS')} true peak {peak}>"
