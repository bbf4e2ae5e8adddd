"""Advice of the engine for users of Python, and the names of params there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from .advice import PHRASINGS

__all__ = ["argument_name", "phrased"]

_PLACEHOLDER = re.compile(r"\{(\w+)(\|or)?\}")


@lru_cache(maxsize=None)
def _params() -> frozenset[str]:
    """The names of members of params that are written otherwise in Python; those of results aren't."""
    # Loaded when an error is made, not with the errors' classes.
    from . import protocol

    names: set[str] = set()
    for title, value in vars(protocol).items():
        if hasattr(value, "__required_keys__") and not title.endswith("Result"):
            names.update(value.__annotations__)
    return frozenset(name for name in names if _snake(name) != name)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def argument_name(name: str) -> str:
    """A param's name as an argument's: ``timeRange`` is ``time_range``."""
    return _snake(name) if name in _params() else name


def phrased(data: Mapping[str, Any]) -> str:
    """The advice of an error with such data, with Python's calls and arguments.

    For an unknown advice, of a newer engine, it is the engine's hint.
    """
    advice = data.get("advice") or {}
    phrasing = PHRASINGS.get(advice.get("name", ""))
    if phrasing is None:
        return data.get("hint") or ""
    arguments = advice.get("arguments") or {}

    def value(place: re.Match[str]) -> str:
        return _text(arguments[place[1]], bool(place[2])) if place[1] in arguments else place[0]

    return _PLACEHOLDER.sub(value, phrasing)


def _text(value: Any, is_choice: bool) -> str:
    if isinstance(value, list):
        return " or ".join(f"'{name}'" for name in value) if is_choice else ", ".join(value)
    if isinstance(value, Mapping):
        from .time import MediaTime

        return f"{MediaTime.of(value).seconds:.3f}".rstrip("0").rstrip(".") + " s"
    return str(value)
