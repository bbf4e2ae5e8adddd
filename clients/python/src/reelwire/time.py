"""Exact times: those that the engine returns, and those that it accepts.

A result is a ``MediaTime``. An argument may be any ``TimeLike``: seconds as a
number, a ``Fraction``, ``(value, timescale)``, a string such as ``"1001/30000"`` or
``"00:01:00.500"``, a ``timedelta``, or a ``MediaTime``.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import total_ordering
from typing import Any, ClassVar, Literal, Union, overload

__all__ = ["MediaTime", "Rounding", "TimeLike"]

#: The rounding of a time to a timescale that cannot represent it exactly.
Rounding = Literal[
    "halfAwayFromZero",
    "towardZero",
    "awayFromZero",
    "quickTime",
    "towardPositiveInfinity",
    "towardNegativeInfinity",
]

TimeLike = Union[
    "MediaTime",
    float,
    Fraction,
    Decimal,
    tuple[int, int],
    str,
    datetime.timedelta,
    "Mapping[str, Any]",
]

_MAX_TIMESCALE = 2**31 - 1
_MAX_VALUE = 2**63 - 1
_WORDS = ("-infinity", "", "indefinite", "+infinity", "invalid")
_CLOCK = re.compile(r"(-?)(?:(\d+):)?(\d+):(\d+(?:\.\d*)?)")


def _half_away(number: Fraction) -> int:
    """The nearest integer, halves away from zero."""
    whole = math.floor(abs(number) + Fraction(1, 2))
    return -whole if number < 0 else whole


@total_ordering
class MediaTime:
    """An exact number of seconds, ``value / timescale``, or an infinity.

    Times are immutable, hashable, and equal when they name the same moment: ``MediaTime(1, 2)``
    equals ``MediaTime(2, 4)`` and ``0.5``. Their order is total: ``-infinity``, numbers,
    ``indefinite``, ``+infinity``, ``invalid``; the epoch counts before the number.
    """

    __slots__ = ("_order", "epoch", "rounded", "timescale", "value")

    value: int
    #: Parts of a second; 0 for a time that is not a number.
    timescale: int
    #: The run of the clock; 0 nearly always.
    epoch: int
    #: True if the time was rounded on its way.
    rounded: bool
    #: The place of its kind in the order of times; 1 for a number.
    _order: int

    infinity: ClassVar[MediaTime]
    negative_infinity: ClassVar[MediaTime]
    indefinite: ClassVar[MediaTime]
    invalid: ClassVar[MediaTime]
    zero: ClassVar[MediaTime]

    def __init__(
        self, value: int, timescale: int = 1, *, epoch: int = 0, rounded: bool = False
    ) -> None:
        if not 0 < timescale <= _MAX_TIMESCALE:
            raise ValueError(f"a timescale is from 1 to {_MAX_TIMESCALE}, not {timescale}")
        if abs(value) > _MAX_VALUE:
            raise OverflowError(f"{value}/{timescale} does not fit in 64 bits")
        self._fill(int(value), int(timescale), epoch, rounded, 1)

    def _fill(self, value: int, timescale: int, epoch: int, rounded: bool, order: int) -> None:
        for name, item in zip(
            ("value", "timescale", "epoch", "rounded", "_order"),
            (value, timescale, epoch, rounded, order),
        ):
            object.__setattr__(self, name, item)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a MediaTime does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a MediaTime does not change")

    def __reduce__(self) -> Any:
        if self._order != 1:
            return (MediaTime.of, (_WORDS[self._order],))
        return (_restore, (self.value, self.timescale, self.epoch, self.rounded))

    @classmethod
    def _special(cls, order: int) -> MediaTime:
        time = cls.__new__(cls)
        time._fill(0, 0, 0, False, order)
        return time

    @classmethod
    def of(cls, time: TimeLike) -> MediaTime:
        """Makes a time of any ``TimeLike``.

        A ``float`` is rounded to the nearest nanosecond, like a number of seconds in the engine.
        Everything else is exact if it fits in 64 bits over 31, otherwise the nearest time.
        """
        if isinstance(time, MediaTime):
            return time
        if isinstance(time, str):
            return cls._parse(time)
        if isinstance(time, Mapping):
            return cls._from_object(time)
        if isinstance(time, tuple):
            if len(time) != 2:
                raise ValueError(f"a time as a tuple is (value, timescale), not {time!r}")
            return cls(time[0], time[1])
        if isinstance(time, datetime.timedelta):
            return cls.of(Fraction(time // datetime.timedelta(microseconds=1), 10**6))
        if isinstance(time, (int, Fraction)):
            return cls._from_fraction(Fraction(time))
        if isinstance(time, Decimal):
            return cls._from_fraction(Fraction(time)) if time.is_finite() else cls.of(float(time))
        try:
            seconds = float(time)
        except (TypeError, ValueError):
            raise TypeError(
                f"a time is seconds, a Fraction, (value, timescale), a string or a MediaTime, "
                f"not {time!r}"
            ) from None
        if math.isinf(seconds):
            return cls.infinity if seconds > 0 else cls.negative_infinity
        if math.isnan(seconds):
            raise ValueError("NaN is no time")
        time = cls._to_nanosecond(Fraction(seconds))
        # As the engine marks a number of seconds: 0.1 is a tenth, and 1/3 is rounded.
        is_rounded = time.rounded or time.seconds != seconds
        return cls(time.value, time.timescale, rounded=is_rounded)

    @classmethod
    def _parse(cls, text: str) -> MediaTime:
        word = text.strip()
        if word in _WORDS[2:] or word == "-infinity":
            return cls._special(_WORDS.index(word))
        clock = _CLOCK.fullmatch(word)
        try:
            if clock is None:
                return cls._keeping_scale(word) or cls._from_fraction(Fraction(word))
            sign, hours, minutes, seconds = clock.groups()
            total = (int(hours or 0) * 60 + int(minutes)) * 60 + Fraction(seconds)
        except (ValueError, ZeroDivisionError):
            raise ValueError(
                f'{text!r} is no time; write "3.5", "1001/30000" or "00:01:00.500"'
            ) from None
        return cls._from_fraction(-total if sign else total)

    @classmethod
    def _keeping_scale(cls, word: str) -> MediaTime | None:
        """``"2002/60000"`` keeps its timescale, as the engine would."""
        value, slash, timescale = word.partition("/")
        return cls(int(value), int(timescale)) if slash else None

    @classmethod
    def _from_object(cls, time: Mapping[str, Any]) -> MediaTime:
        if not {"value", "timescale"} <= set(time) <= {"value", "timescale", "epoch", "rounded"}:
            raise TypeError(
                f"a time as an object has value, timescale, and maybe epoch and rounded: {time!r}"
            )
        return cls(
            int(time["value"]),
            int(time["timescale"]),
            epoch=int(time.get("epoch") or 0),
            rounded=bool(time.get("rounded")),
        )

    @classmethod
    def _from_fraction(
        cls, number: Fraction, timescale: int = 1, *, epoch: int = 0, rounded: bool = False
    ) -> MediaTime:
        """The time in a multiple of ``timescale`` or in lowest terms where that is exact.

        Where it is not, the nearest of all times, marked as rounded.
        """
        room = int(_MAX_VALUE / abs(number)) if number else _MAX_TIMESCALE
        maximum = max(1, min(room, _MAX_TIMESCALE))
        for scale in (math.lcm(number.denominator, timescale), number.denominator):
            if scale <= maximum:
                return cls(int(number * scale), scale, epoch=epoch, rounded=rounded)
        nearest = number.limit_denominator(maximum)
        return cls(nearest.numerator, nearest.denominator, epoch=epoch, rounded=True)

    @classmethod
    def _to_nanosecond(
        cls, number: Fraction, *, epoch: int = 0, rounded: bool = False
    ) -> MediaTime:
        """The nearest nanosecond in lowest terms; from 2^63 of them on, the number counts exactly."""
        nanoseconds = _half_away(number * 10**9)
        taken = Fraction(nanoseconds, 10**9) if abs(nanoseconds) <= _MAX_VALUE else number
        return cls._from_fraction(taken, epoch=epoch, rounded=rounded)

    def to_wire(self) -> str | dict[str, Any]:
        """The time as the protocol writes it."""
        if self._order != 1:
            return _WORDS[self._order]
        wire: dict[str, Any] = {"value": self.value, "timescale": self.timescale}
        if abs(self.value) >= 2**53:
            wire["value"] = str(self.value)
        if self.epoch:
            wire["epoch"] = self.epoch
        if self.rounded:
            wire["rounded"] = True
        return wire

    def converted(self, timescale: int, rounding: Rounding = "halfAwayFromZero") -> MediaTime:
        """The same time in parts of a second, ``rounded`` where they cannot hold it exactly."""
        if self._order != 1:
            return self
        exact = self.fraction * timescale
        away = timescale > self.timescale if rounding == "quickTime" else rounding == "awayFromZero"
        if rounding == "halfAwayFromZero":
            value = _half_away(exact)
        elif rounding == "towardPositiveInfinity" or (away and exact > 0):
            value = math.ceil(exact)
        elif rounding == "towardNegativeInfinity" or (away and exact < 0):
            value = math.floor(exact)
        else:
            value = math.trunc(exact)
        if rounding == "quickTime" and value == 0 and exact < 0:
            value = -1  # QuickTime's rounding never loses a sign.
        rounded = self.rounded or value != exact
        return MediaTime(value, timescale, epoch=self.epoch, rounded=rounded)

    @property
    def is_numeric(self) -> bool:
        """True if it is a number of seconds, and no infinity, ``indefinite`` or ``invalid``."""
        return self._order == 1

    @property
    def fraction(self) -> Fraction:
        """The seconds, exactly; a ``ValueError`` when the time is not a number."""
        if self._order != 1:
            raise ValueError(f"{self} is not a number of seconds")
        return Fraction(self.value, self.timescale)

    def as_integer_ratio(self) -> tuple[int, int]:
        """The seconds as a reduced ratio, so that ``Fraction(time)`` works from Python 3.12 on."""
        fraction = self.fraction
        return fraction.numerator, fraction.denominator

    @property
    def seconds(self) -> float:
        """The seconds as a float: NaN for ``invalid`` and ``indefinite``, as CMTimeGetSeconds."""
        return float(self)

    def __float__(self) -> float:
        if self._order == 1:
            return self.value / self.timescale
        return {0: -math.inf, 3: math.inf}.get(self._order, math.nan)

    def _key(self) -> tuple[int, int, Fraction]:
        number = Fraction(self.value, self.timescale) if self._order == 1 else Fraction(0)
        return self._order, self.epoch, number

    def __eq__(self, other: object) -> bool:
        key = _key(other)
        return NotImplemented if key is None else self._key() == key

    def __lt__(self, other: MediaTime | float | Fraction) -> bool:
        key = _key(other)
        return NotImplemented if key is None else self._key() < key

    def __hash__(self) -> int:
        if self._order == 1 and not self.epoch:
            return hash(self.fraction)
        return hash(self.seconds) if self._order in (0, 3) else hash(self._key())

    def _combined(self, time: MediaTime, sign: int) -> MediaTime:
        orders = {self._order, (time if sign > 0 else -time)._order}
        if 4 in orders or {0, 3} <= orders or (orders == {1} and self.epoch != time.epoch):
            return MediaTime.invalid
        for order in (2, 3, 0):
            if order in orders:
                return MediaTime._special(order)
        scale = self.timescale * time.timescale // math.gcd(self.timescale, time.timescale)
        return MediaTime._from_fraction(
            self.fraction + sign * time.fraction, scale, rounded=self.rounded or time.rounded
        )

    def __add__(self, other: MediaTime | float | Fraction) -> MediaTime:
        time = _number(other)
        return NotImplemented if time is None else self._combined(time, 1)

    __radd__ = __add__

    def __sub__(self, other: MediaTime | float | Fraction) -> MediaTime:
        time = _number(other)
        return NotImplemented if time is None else self._combined(time, -1)

    def __rsub__(self, other: float | Fraction) -> MediaTime:
        time = _number(other)
        return NotImplemented if time is None else time - self

    def __neg__(self) -> MediaTime:
        if self._order != 1:
            return MediaTime._special({0: 3, 3: 0}.get(self._order, self._order))
        return MediaTime(-self.value, self.timescale, epoch=self.epoch, rounded=self.rounded)

    def __pos__(self) -> MediaTime:
        return self

    def __abs__(self) -> MediaTime:
        return -self if self < 0 else self

    def __mul__(self, by: float | Fraction) -> MediaTime:
        """The product with a number, of which a float counts with its exact binary value.

        A product that no time represents, as nearly every one with a float, is rounded to the nearest
        nanosecond: ``MediaTime(5) * 0.04`` is 1/5.
        """
        if isinstance(by, MediaTime) or not isinstance(by, (int, float, Fraction)):
            return NotImplemented
        if by != by:
            raise ValueError("a time times NaN is no time")
        if self._order not in (0, 1, 3):
            return self
        if self._order != 1 or math.isinf(by):
            sign = (self > 0) - (self < 0)
            return _infinity(sign if by > 0 else -sign if by < 0 else 0)
        return self._scaled(self.fraction * Fraction(by), isinstance(by, float))

    __rmul__ = __mul__

    @overload
    def __truediv__(self, by: MediaTime) -> Fraction: ...
    @overload
    def __truediv__(self, by: float | Fraction) -> MediaTime: ...

    def __truediv__(self, by: MediaTime | float | Fraction) -> MediaTime | Fraction:
        """A part of the time, by the rules of ``*``; by another time, the exact ratio of both."""
        if isinstance(by, MediaTime):
            return self.fraction / by.fraction
        if not isinstance(by, (int, float, Fraction)):
            return NotImplemented
        if by != by:
            raise ValueError("a time divided by NaN is no time")
        if by == 0:
            raise ZeroDivisionError(f"{self} is divided by zero")
        if math.isinf(by):
            return self * 0
        if self._order != 1:
            return self * (1 if by > 0 else -1)
        return self._scaled(self.fraction / Fraction(by), isinstance(by, float))

    def _scaled(self, number: Fraction, by_float: bool) -> MediaTime:
        """The time of a product or quotient, on this time's clock."""
        time = MediaTime._from_fraction(
            number, self.timescale, epoch=self.epoch, rounded=self.rounded
        )
        if by_float and time.fraction != number:
            return MediaTime._to_nanosecond(number, epoch=self.epoch, rounded=True)
        return time

    def __rtruediv__(self, other: float | Fraction) -> Fraction:
        """The exact ratio of a number of seconds and this time: ``1 / frame`` is the frame rate."""
        time = _number(other)
        return NotImplemented if time is None else time.fraction / self.fraction

    def __floordiv__(self, by: MediaTime | float | Fraction) -> int:
        """The quotient of this time and ``by`` (a number is seconds), rounded down."""
        time = _number(by)
        return NotImplemented if time is None else self.fraction // time.fraction

    def __mod__(self, by: MediaTime | float | Fraction) -> MediaTime:
        """The remainder of this time after the last whole ``by``, with the sign of ``by``."""
        time = _number(by)
        if time is None:
            return NotImplemented
        scale = math.lcm(self.timescale, time.timescale)
        left = self.fraction % time.fraction
        is_rounded = self.rounded or time.rounded
        return MediaTime._from_fraction(left, scale, epoch=self.epoch, rounded=is_rounded)

    def __divmod__(self, by: MediaTime | float | Fraction) -> tuple[int, MediaTime]:
        time = _number(by)
        return NotImplemented if time is None else (self // time, self % time)

    def __rfloordiv__(self, other: float | Fraction) -> int:
        time = _number(other)
        return NotImplemented if time is None else time // self

    def __rmod__(self, other: float | Fraction) -> MediaTime:
        time = _number(other)
        return NotImplemented if time is None else time % self

    def __rdivmod__(self, other: float | Fraction) -> tuple[int, MediaTime]:
        time = _number(other)
        return NotImplemented if time is None else divmod(time, self)

    @overload
    def __round__(self, digits: None = None) -> int: ...
    @overload
    def __round__(self, digits: int) -> MediaTime: ...

    def __round__(self, digits: int | None = None) -> MediaTime | int:
        """The nearest second as an ``int``, or the nearest time with ``digits`` decimals.

        Halves go to the even neighbour, as everywhere in Python; :meth:`converted` has the other
        ways, and rounds to parts of a second that are not decimal.
        """
        if digits is None:
            return round(self.fraction)
        number = round(self.fraction, digits)
        is_rounded = self.rounded or number != self.fraction
        return MediaTime._from_fraction(number, epoch=self.epoch, rounded=is_rounded)

    def __trunc__(self) -> int:
        return math.trunc(self.fraction)

    __int__ = __trunc__

    def __floor__(self) -> int:
        return math.floor(self.fraction)

    def __ceil__(self) -> int:
        return math.ceil(self.fraction)

    def __str__(self) -> str:
        if self._order != 1:
            return _WORDS[self._order]
        return f"{self.seconds:.3f} s"

    def __repr__(self) -> str:
        if self._order != 1:
            return f"<MediaTime {_WORDS[self._order]}>"
        notes = (f", epoch={self.epoch}" if self.epoch else "") + (
            ", rounded=True" if self.rounded else ""
        )
        return f"MediaTime({self.value}, {self.timescale}{notes})"

    def __format__(self, spec: str) -> str:
        """Formats the seconds with a number's format, for example ``f"{time:.2f}"``."""
        return format(self.seconds, spec) if spec else str(self)


def _restore(value: int, timescale: int, epoch: int, rounded: bool) -> MediaTime:
    return MediaTime(value, timescale, epoch=epoch, rounded=rounded)


def _key(other: object) -> tuple[int, int, Fraction] | None:
    """The place of a time or a number in the order of times; a float counts exactly."""
    if isinstance(other, MediaTime):
        return other._key()
    if isinstance(other, float) and math.isinf(other):
        return (3 if other > 0 else 0), 0, Fraction(0)
    if isinstance(other, (int, Fraction)) or (isinstance(other, float) and other == other):
        return 1, 0, Fraction(other)
    return None


def _infinity(sign: int) -> MediaTime:
    """The infinity of a sign; ``invalid`` for 0, as zero times infinity is."""
    return MediaTime._special({-1: 0, 1: 3}.get(sign, 4))


def _number(other: object) -> MediaTime | None:
    """The time of a value that may be added to one, else ``None``."""
    if isinstance(other, MediaTime):
        return other
    if isinstance(other, (int, Fraction)):
        return MediaTime._from_fraction(Fraction(other))
    if isinstance(other, float) and not math.isnan(other):
        return MediaTime.of(other)
    return None


MediaTime.negative_infinity = MediaTime._special(0)
MediaTime.indefinite = MediaTime._special(2)
MediaTime.infinity = MediaTime._special(3)
MediaTime.invalid = MediaTime._special(4)
MediaTime.zero = MediaTime(0)
