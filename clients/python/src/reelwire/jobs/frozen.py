"""Immutable values: the fields of a job, their form for the engine, and their hash."""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator, Mapping
from typing import Any

from ..time import MediaTime
from ..time_range import TimeRange

__all__ = ["FrozenMapping", "canonical", "frozen", "thawed"]


class FrozenMapping(Mapping[str, Any]):
    """A mapping that doesn't change; it is equal to any mapping with the same members."""

    __slots__ = ("_members",)

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = dict(members)

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __hash__(self) -> int:
        return hash(frozenset(self._members.items()))

    def __reduce__(self) -> Any:
        return FrozenMapping, (self._members,)

    def __repr__(self) -> str:
        return repr(self._members)


def frozen(value: Any, what: str = "a job") -> Any:
    """The same value in immutable containers; a ``TypeError`` for a value that can't be sent to another process."""
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise TypeError(f"the names in {what} are strings, not {name!r}")
        return FrozenMapping({name: frozen(member, what) for name, member in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(frozen(element, what) for element in value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, TimeRange):
        return TimeRange(value.start, value.duration)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"a number in {what} is finite, not {value!r}")
    if value is None or isinstance(value, (str, int, float, MediaTime)):
        return value
    raise TypeError(f"{what} has text, numbers, times, lists and mappings, not {value!r}")


def thawed(value: Any) -> Any:
    """The value as the protocol writes it."""
    if isinstance(value, Mapping):
        return {name: thawed(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [thawed(element) for element in value]
    if isinstance(value, (MediaTime, TimeRange)):
        return value.to_wire()
    return value


def canonical(value: Any) -> Any:
    """The value as JSON that is the same for equal values, in every process."""
    if isinstance(value, Mapping):
        return {name: canonical(member) for name, member in value.items()}
    if hasattr(value, "digest"):
        # A job about another one.
        return {"$job": value.digest}
    if hasattr(value, "_asdict"):
        return canonical(value._asdict())
    if isinstance(value, (list, tuple)):
        return [canonical(element) for element in value]
    if isinstance(value, TimeRange):
        return {"$range": [canonical(value.start), canonical(value.duration)]}
    if isinstance(value, MediaTime):
        return {"$time": _exact(value)}
    if isinstance(value, str) and len(value) > 4096:
        # A picture, for example: its hash stands for it.
        data = value.encode("utf-8", "surrogatepass")
        return {"$sha256": hashlib.sha256(data).hexdigest()}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _exact(time: MediaTime) -> str:
    if not time.is_numeric:
        return str(time)
    epoch = f" in {time.epoch}" if time.epoch else ""
    return f"{time.fraction}{epoch}"
