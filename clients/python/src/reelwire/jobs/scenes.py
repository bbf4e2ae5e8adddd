"""The scenes of a film, as a job."""

from __future__ import annotations

from dataclasses import dataclass

from ..time import MediaTime, TimeLike
from ..time_range import TimeRange, TimeRangeLike
from .job import Job, JobContext
from .values import Scene

__all__ = ["Scenes"]


@dataclass(frozen=True, eq=False, repr=False)
class Scenes(Job[list[Scene]]):
    """The scenes of a film, in order: a list of ``Scene``, which cover the range without gaps.

    The criterion of a scene change is that of ``asset.scene_changes()``.
    """

    #: The sensitivity to small changes, from 0, where only the clearest count, to 1.
    sensitivity: float | None = None
    #: The duration of the shortest scene.
    minimum_duration: TimeLike | None = None
    #: The number of the track; the first enabled video track when left out.
    track: int | None = None
    #: The part of the asset; all of it when left out.
    time_range: TimeRangeLike | None = None
    #: True if the existing part of a damaged file is treated as all of it.
    salvage: bool | None = None

    def __post_init__(self) -> None:
        if self.sensitivity is not None:
            self._set(sensitivity=float(self.sensitivity))
        if self.minimum_duration is not None:
            self._set(minimum_duration=MediaTime.of(self.minimum_duration))
        if self.time_range is not None:
            self._set(time_range=TimeRange.of(self.time_range))

    async def perform(self, context: JobContext) -> list[Scene]:
        """The scenes."""
        async with context.open(salvage=self.salvage) as asset:
            changes = await asset.scene_changes(
                self.track,
                time_range=self.time_range,
                sensitivity=self.sensitivity,
                minimum_duration=self.minimum_duration,
            )
            starts = [(None, None), *((each.sample_index, each.score) for each in changes)]
            return [
                Scene(time_range, sample_index, score)
                for time_range, (sample_index, score) in zip(changes.scenes, starts)
            ]
