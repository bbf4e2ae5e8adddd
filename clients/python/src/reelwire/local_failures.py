"""Exceptions of the caller's own code that the engine reports as errors."""

from __future__ import annotations

import collections
import traceback

__all__ = ["local_failure", "report_local_failure"]

#: Descriptions and exceptions, the newest last. An engine stops at the first; several run at once.
_recent: collections.deque[tuple[str, Exception]] = collections.deque(maxlen=16)


def report_local_failure(error: Exception) -> str:
    """Keeps an exception, and returns its description for the engine: its type and its message.

    The variables of its frames are released: they may hold memory that the engine lends.
    """
    traceback.clear_frames(error.__traceback__)
    description = "".join(traceback.format_exception_only(type(error), error)).strip()
    _recent.append((description, error))
    return description


def local_failure(message: str) -> Exception | None:
    """The newest exception whose description is in the message of an engine's error."""
    for description, error in reversed(_recent):
        if description in message:
            return error
    return None
