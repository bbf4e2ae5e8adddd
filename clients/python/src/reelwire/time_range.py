"""Ranges of time, and the values that are accepted for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

from .time import MediaTime, TimeLike

__all__ = ["TimeRange", "TimeRangeLike"]


class TimeRange:
    """A range of time: its start and its duration. The end is excluded."""

    __slots__ = ("duration", "start")

    def __init__(self, start: TimeLike, duration: TimeLike) -> None:
        #: The first moment of the range.
        self.start = MediaTime.of(start)
        #: The duration.
        self.duration = MediaTime.of(duration)

    @classmethod
    def between(cls, start: TimeLike, end: TimeLike) -> TimeRange:
        """The range from a start to an end.

        :raises ValueError: the end is before the start.
        """
        first, last = MediaTime.of(start), MediaTime.of(end)
        if last < first:
            raise ValueError(f"a range ends at {last}, before it begins at {first}")
        return cls(first, last - first)

    @classmethod
    def of(cls, time_range: TimeRangeLike) -> TimeRange:
        """Makes a range of a range or of ``{"start", "duration"}``.

        A tuple is refused: ``(10, 2)`` could be a start and an end as well.
        """
        if isinstance(time_range, TimeRange):
            return time_range
        if isinstance(time_range, Mapping) and set(time_range) == {"start", "duration"}:
            return cls(time_range["start"], time_range["duration"])
        raise TypeError(
            f"a range is TimeRange(start, duration) or TimeRange.between(start, end), "
            f"not {time_range!r}"
        )

    @property
    def end(self) -> MediaTime:
        """The first moment after the range."""
        return self.start + self.duration

    def to_wire(self) -> dict[str, Any]:
        """The range as the protocol writes it."""
        return {"start": self.start.to_wire(), "duration": self.duration.to_wire()}

    def __contains__(self, item: TimeLike | TimeRange) -> bool:
        """True if a time is in it, or all of a range whose start is."""
        if isinstance(item, TimeRange):
            return item.start in self and item.end <= self.end
        return self.start <= MediaTime.of(item) < self.end

    @property
    def is_empty(self) -> bool:
        """True if there is no time in it."""
        return self.duration == 0

    def union(self, other: TimeRange) -> TimeRange:
        """The smallest range that covers both, and so the gap between them too."""
        return TimeRange.between(min(self.start, other.start), max(self.end, other.end))

    def intersection(self, other: TimeRange) -> TimeRange:
        """The largest range that both include; an empty one at zero when there is none."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        if start >= end or self.is_empty or other.is_empty:
            return TimeRange(0, 0)
        return TimeRange.between(start, end)

    def clamp(self, time: TimeLike) -> MediaTime:
        """The time itself when it is in the range, else the nearer of its ends."""
        return max(self.start, min(MediaTime.of(time), self.end))

    def fold(self, time: TimeLike) -> MediaTime:
        """The time modulo the range, as when that is played in a loop."""
        start, duration = self.start.fraction, self.duration.fraction
        return MediaTime.of(start + (MediaTime.of(time).fraction - start) % duration)

    def map(self, time: TimeLike, target: TimeRange) -> MediaTime:
        """Maps a time of this range to another one, when this one is stretched to be that.

        Neither of them may be empty; times outside are mapped at the same scale.
        """
        offset = MediaTime.of(time).fraction - self.start.fraction
        stretched = offset * target.duration.fraction / self.duration.fraction
        return MediaTime.of(target.start.fraction + stretched)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TimeRange):
            return NotImplemented
        return (self.start, self.duration) == (other.start, other.duration)

    def __hash__(self) -> int:
        return hash((self.start, self.duration))

    def __reduce__(self) -> Any:
        return TimeRange, (self.start, self.duration)

    def __str__(self) -> str:
        return f"{self.start:.3f}…{self.end:.3f} s"

    def __repr__(self) -> str:
        return f"TimeRange({self.start!r}, {self.duration!r})"


TimeRangeLike = Union[TimeRange, "Mapping[str, Any]"]
