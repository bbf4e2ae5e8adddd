"""Predicates on the items of a library, and their order."""

from __future__ import annotations

import datetime
import difflib
import numbers
import os
from collections.abc import Iterable
from decimal import Decimal
from typing import Any, cast

from . import protocol
from .remote import snake_to_camel
from .time import MediaTime

__all__ = ["Q", "absolute_folder", "date_from_wire", "sort_to_wire"]

_OPERATORS: dict[str, protocol.LibraryOperator] = {
    "": "is",
    "is": "is",
    "not": "isNot",
    "contains": "contains",
    "startswith": "beginsWith",
    "in": "in",
    "lt": "lessThan",
    "gt": "greaterThan",
    "between": "between",
    "exists": "exists",
}
#: Comparisons that are made of two others.
_OR_EQUAL: dict[str, protocol.LibraryOperator] = {"lte": "lessThan", "gte": "greaterThan"}
_LISTS = ("in", "between")


class Q:
    """A predicate on the items of a library: ``Q(duration__gt=60, title__contains="lake")``.

    A value, which ``&``, ``|`` and ``~`` combine: ``Q(artist="A") | ~Q(album_name__exists=True)``. Of
    several arguments all have to be true. An argument is a key, in snake or camel case, such as
    ``creation_date``, with ``__`` and an operator after it:

    - none: is equal to the value; text is case-sensitive. ``None`` stands for none: ``title=None``
    - ``__not``: is not equal, or there is no value
    - ``__contains``, ``__startswith``: of text, ignoring case
    - ``__in``: is one of a list
    - ``__lt``, ``__lte``, ``__gt``, ``__gte``: is smaller or larger, earlier or later
    - ``__between``: is one of two values or lies between them
    - ``__exists``: there is a value; with ``False`` there is none

    The keys are ``media_type``, ``state``, ``name``, ``folder``, ``container``, ``video_codec``,
    ``audio_codec``, ``error`` (its name), ``duration`` (in seconds, or a ``timedelta`` or a ``MediaTime``),
    ``width``, ``height``, ``frame_rate``, ``rotation``, ``file_size``, ``latitude``, ``longitude``,
    ``creation_date``, ``modification_date``, ``added_at``; common keys of metadata with text, such as
    ``title``, ``artist`` and ``album_name``; and identifiers of metadata, ``Q(**{"itsk/©nam": "Lake"})``.

    A date is a ``datetime``, of which a naive one is local time; a ``date``, which is its beginning in UTC;
    or text such as ``"2021"`` and ``"2021-05-01T12:30:00Z"``. Items that can't be read or are missing
    are excluded unless the predicate has ``state`` or ``error``.

    Raises ``TypeError`` for an unknown operator; unknown keys, and values that don't fit
    a key, are an ``InvalidParamsError`` when the items are fetched.
    """

    __slots__ = ("_wire",)

    def __init__(self, *predicates: Q, **comparisons: Any) -> None:
        parts: list[protocol.LibraryPredicate] = []
        for predicate in predicates:
            if not isinstance(predicate, Q):
                raise TypeError(f"a predicate is a Q, not {type(predicate).__name__}")
            parts += predicate._parts()
        parts += [_comparison(name, value) for name, value in comparisons.items()]
        self._wire: protocol.LibraryPredicate = parts[0] if len(parts) == 1 else {"all": parts}

    @classmethod
    def of(cls, wire: protocol.LibraryPredicate) -> Q:
        """Makes a predicate from the protocol's form."""
        made = cls()
        made._wire = wire
        return made

    @classmethod
    def text(cls, terms: str) -> Q:
        """The items that have all of these terms in their name, folder, title, artist, album or description.

        Each is the beginning of a term there; case and accents don't count.
        """
        return cls.of({"text": terms})

    def to_wire(self) -> protocol.LibraryPredicate:
        """The predicate as the protocol writes it."""
        return self._wire

    @property
    def is_empty(self) -> bool:
        """True if it has no conditions, so that all items match."""
        return self._wire == {"all": []}

    def _parts(self) -> list[protocol.LibraryPredicate]:
        """The conditions that all have to be true."""
        wire: Any = self._wire
        return list(wire["all"]) if "all" in wire else [wire]

    def __and__(self, other: Q) -> Q:
        return Q(self, other) if isinstance(other, Q) else NotImplemented

    def __or__(self, other: Q) -> Q:
        if not isinstance(other, Q):
            return NotImplemented
        # So that a sum may begin with Q().
        if self.is_empty or other.is_empty:
            return other if self.is_empty else self
        parts: list[protocol.LibraryPredicate] = []
        for each in (self, other):
            wire: Any = each._wire
            parts += wire["any"] if "any" in wire else [wire]
        return Q.of({"any": parts})

    def __invert__(self) -> Q:
        wire: Any = self._wire
        return Q.of(wire["not"] if "not" in wire else {"not": wire})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Q) and other._wire == self._wire

    def __hash__(self) -> int:
        return hash(repr(self._wire))

    def __repr__(self) -> str:
        return f"Q({_shown(self._wire)})"


def _comparison(name: str, value: Any) -> protocol.LibraryPredicate:
    key, _, operator = name.partition("__")
    key = snake_to_camel(key)
    if operator not in _OPERATORS and operator not in _OR_EQUAL:
        names = [known for known in (*_OPERATORS, *_OR_EQUAL) if known]
        near = difflib.get_close_matches(operator, names, n=1, cutoff=0.6)
        advice = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        raise TypeError(f"{name}: there is no operator {operator!r}; {advice}")
    if value is None:
        if operator not in ("", "is", "not"):
            raise TypeError(f"{name} needs a value: None is compared with is and not alone")
        return {"key": key, "op": "exists", "value": operator == "not"}
    if operator in _LISTS:
        wire: protocol.LibraryValue = [
            cast("str | float", _value(each)) for each in _elements(name, value)
        ]
    else:
        wire = _value(value)
    if operator in _OR_EQUAL:
        equal: protocol.LibraryComparison = {"key": key, "op": "is", "value": wire}
        return {"any": [{"key": key, "op": _OR_EQUAL[operator], "value": wire}, equal]}
    return {"key": key, "op": _OPERATORS[operator], "value": wire}


def _elements(name: str, value: Any) -> list[Any]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError(f"{name} takes several values, not {value!r}")
    elements = list(value)
    if name.endswith("__between") and len(elements) != 2:
        raise TypeError(f"{name} takes two values, not {len(elements)}")
    return elements


def _value(value: Any) -> str | float | bool:
    """A value as the protocol writes it: dates as text in UTC, times in seconds."""
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, datetime.datetime):
        moment = value.astimezone(datetime.timezone.utc)
        return moment.replace(tzinfo=None).isoformat() + "Z"
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, (numbers.Real, Decimal, MediaTime)):
        return float(value)
    if isinstance(value, os.PathLike):
        return absolute_folder(value)
    raise TypeError(
        f"items are compared with text, numbers, dates, times and paths, not {type(value).__name__}"
    )


def sort_to_wire(keys: Iterable[str]) -> list[protocol.LibrarySort]:
    """An order: keys, the first of which counts most, with ``-`` before those that descend."""
    sort: list[protocol.LibrarySort] = []
    for key in keys:
        if not isinstance(key, str):
            raise TypeError(f"an order is keys such as 'name' and '-duration', not {key!r}")
        if key.startswith("-"):
            sort.append({"key": snake_to_camel(key[1:]), "ascending": False})
        else:
            sort.append({"key": snake_to_camel(key)})
    return sort


def absolute_folder(path: str | os.PathLike[str]) -> str:
    """The path of a folder or a database as the engine wants it: absolute, with ``~`` expanded."""
    if isinstance(path, (str, os.PathLike)):
        text: object = os.fspath(path)
        if isinstance(text, str):
            # An empty path is refused by the engine, and is not the working folder.
            return os.path.abspath(os.path.expanduser(text)) if text else text
    raise TypeError(f"a folder is a path, as str or os.PathLike, not {type(path).__name__}")


def date_from_wire(text: str | None) -> datetime.datetime | None:
    """A date of the engine's; ``None`` also for one that Python has no date for."""
    if text is None:
        return None
    day, _, clock = text.rstrip("Z").partition("T")
    clock, _, fraction = clock.partition(".")
    try:
        date = datetime.datetime.fromisoformat(f"{day}T{clock}.{fraction:0<6.6}")
    except ValueError:
        return None
    return date.replace(tzinfo=datetime.timezone.utc)


def _shown(predicate: protocol.LibraryPredicate) -> str:
    wire: Any = predicate
    for name, sign in (("all", " & "), ("any", " | ")):
        if name in wire:
            parts = [_shown(part) for part in wire[name]]
            return f"({sign.join(parts)})" if parts else name
    if "not" in wire:
        return f"~{_shown(wire['not'])}"
    if "text" in wire:
        return f"text {wire['text']!r}"
    return f"{wire['key']} {wire['op']} {wire.get('value', True)!r}"
