"""Callers' values in the protocol's form, and small answers in the client's form."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import protocol
from .errors import ReelwireError, error_from_wire
from .time import MediaTime, TimeLike
from .time_range import TimeRange, TimeRangeLike

if TYPE_CHECKING:
    from .track import TrackLike

Item = TypeVar("Item")

__all__ = [
    "cursor_position",
    "listed",
    "ratio_to_wire",
    "reader_status",
    "size_to_wire",
    "time_range_to_wire",
    "time_to_wire",
    "track_number",
]


def time_to_wire(time: TimeLike | None) -> Any:
    """A time, where there is one."""
    return None if time is None else MediaTime.of(time).to_wire()


def ratio_to_wire(ratio: Fraction) -> protocol.Ratio:
    """A ratio of whole numbers."""
    return {"numerator": ratio.numerator, "denominator": ratio.denominator}


def cursor_position(position: TimeLike) -> Any:
    """A place among samples: an end in decode order, or a time."""
    return position if position in ("first", "last") else MediaTime.of(position).to_wire()


def time_range_to_wire(time_range: TimeRangeLike | None) -> Any:
    """A range of time, where there is one."""
    return None if time_range is None else TimeRange.of(time_range).to_wire()


def size_to_wire(
    size: float | tuple[float, float] | None, width: float | None, height: float | None
) -> Any:
    """The size that a picture may have at most, where there is one."""
    if width is not None or height is not None:
        if size is not None:
            raise TypeError("maximum_size is width and height in one: give one or the other")
        return {"width": width or 0, "height": height or 0}
    if size is None:
        return None
    if isinstance(size, (int, float)):
        return {"width": size, "height": size}
    try:
        width, height = size
    except (TypeError, ValueError):
        raise TypeError(
            f"a maximum size is (width, height), or a number for the longer side, not {size!r}"
        ) from None
    return {"width": width, "height": height}


def track_number(track: TrackLike | None) -> Any:
    """The number of a track, where there is one."""
    return track if track is None or isinstance(track, int) else track.track_id


@overload
def listed(items: Iterable[str] | None) -> list[str] | None: ...


@overload
def listed(items: Iterable[Item] | None) -> list[Item] | None: ...


def listed(items: Any) -> Any:
    """Values as a list; a single one may be a plain string."""
    return [items] if isinstance(items, str) else None if items is None else list(items)


def reader_status(
    wire: protocol.AssetReaderStatusResult,
) -> tuple[protocol.ReaderStatus, ReelwireError | None]:
    """The state of a reader, and the reason if it failed."""
    error = wire.get("error")
    return wire["status"], error_from_wire(error) if error else None
