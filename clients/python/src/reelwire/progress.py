"""Progress shown to a person: by tqdm where that is installed, else in one line of a terminal."""

from __future__ import annotations

import contextlib
import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any, Callable, Union

__all__ = ["ProgressLike", "reporting"]

#: A function that is called with the completed fraction, from 0 to 1; or ``True`` to show it.
ProgressLike = Union[Callable[[float], Any], bool, None]


@contextlib.contextmanager
def reporting(
    progress: ProgressLike, title: str, part: Callable[[Any], float]
) -> Iterator[Callable[[Any], Any] | None]:
    """The receiver of notifications; ``None`` without progress.

    ``part`` returns the completed fraction of a notification.
    """
    if callable(progress):
        called = progress
        yield lambda item: called(part(item))
        return
    bar = _bar(title) if progress else None
    if bar is None:
        yield None
        return
    try:
        yield lambda item: bar.show(part(item))
        bar.show(1)
    finally:
        bar.close()


class _Line:
    """A line of a terminal, written over and over."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._begin = time.monotonic()

    def show(self, part: float) -> None:
        elapsed = time.monotonic() - self._begin
        left = f", {_clock(elapsed / part - elapsed)} left" if 0 < part < 1 else ""
        sys.stderr.write(f"\r\x1b[K{self._title} {part:4.0%} in {_clock(elapsed)}{left}")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\n")
        sys.stderr.flush()


class _Tqdm:
    """A bar of tqdm's."""

    def __init__(self, make: Callable[..., Any], title: str) -> None:
        form = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
        # Without a terminal tqdm shows nothing, but in a notebook it does.
        self._bar = make(total=1.0, desc=title, bar_format=form, disable=None)

    def show(self, part: float) -> None:
        self._bar.update(part - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def _bar(title: str) -> _Line | _Tqdm | None:
    try:
        make = importlib.import_module("tqdm.auto").tqdm
    except ImportError:
        is_terminal = sys.stderr is not None and sys.stderr.isatty()
        return _Line(title) if is_terminal else None
    return _Tqdm(make, title)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
