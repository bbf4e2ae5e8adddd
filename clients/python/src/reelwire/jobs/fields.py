"""The checks of the fields of jobs, and their conversions."""

from __future__ import annotations

import difflib
import operator
import os
from collections.abc import Iterable
from typing import Any

from ..raster import named_format
from ..remote import snake_to_camel
from ..time import MediaTime, TimeLike
from ..wire import size_to_wire

__all__ = ["count_of", "image_format", "key_names", "maximum_size_of", "names_of", "times_of"]

#: The formats of images.
_FORMATS = ("jpeg", "png", "webp", "bmp")


def names_of(names: Iterable[str], what: str) -> tuple[str, ...]:
    """Names as a tuple; a single one may be a plain string."""
    listed = (names,) if isinstance(names, str) else tuple(names)
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"{what} are names, not {name!r}")
    return listed


def key_names(names: Iterable[str], known: Iterable[str], what: str) -> tuple[str, ...]:
    """Names of keys, in either spelling; a ``ValueError`` for one that there isn't."""
    listed, known = names_of(names, what), tuple(known)
    for name in listed:
        if snake_to_camel(name) not in known:
            near = difflib.get_close_matches(snake_to_camel(name), known, n=1)
            advice = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{name!r} is none of the {what}{advice}")
    return listed


def times_of(times: Iterable[TimeLike]) -> tuple[MediaTime, ...]:
    """Times as exact ones, at least one."""
    if isinstance(times, (str, bytes, int, float)) or not isinstance(times, Iterable):
        raise TypeError(f"times are several times, not {times!r}; count= is how many there are")
    listed = tuple(MediaTime.of(time) for time in times)
    if not listed:
        raise ValueError("no time is given")
    return listed


def count_of(count: Any, what: str) -> int:
    """A count of at least one."""
    if isinstance(count, bool):
        raise TypeError(f"{what} is a number, not {count!r}")
    number = operator.index(count)
    if number < 1:
        raise ValueError(f"{what} is at least 1, not {number}")
    return number


def maximum_size_of(
    size: float | tuple[float, float] | None, width: float | None, height: float | None
) -> float | tuple[float, float] | None:
    """A maximum size that can be sent; both ways of stating it must not be there at once."""
    bounds = size_to_wire(size, width, height)
    for bound in () if bounds is None else bounds.values():
        if isinstance(bound, bool) or not isinstance(bound, (int, float)):
            raise TypeError(f"a size is a number of pixels, not {bound!r}")
        if not 0 <= bound < float("inf"):
            raise ValueError(f"a size is a number of pixels, 0 or more, not {bound!r}")
    return size if size is None or isinstance(size, (int, float)) else (size[0], size[1])


def image_format(format: str | None, output: str | os.PathLike[str] | None, default: str) -> str:
    """The format of an image file: the requested one, else that of the output's name, else the default."""
    named = None if output is None else named_format(output)
    format = format or named or default
    if format not in _FORMATS:
        raise ValueError(
            f"a job's pictures are files, {', '.join(_FORMATS)}, not {format!r}: pixels stay in the "
            "process that decodes them"
        )
    if output is not None and named not in (None, format):
        raise ValueError(f"the pictures are {format}, and the names of {output!r} are {named}")
    return format
