"""Messages as bytes: those that the engine could not read are refused before they are sent."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from .errors import error_from_wire
from .protocol import ParamsProblem

__all__ = ["encoded"]

_JSON = "a number, text, a list or a dict"


def encoded(message: Mapping[str, Any], limit: int) -> bytes:
    """A message as one line of UTF-8; ``limit`` is the most bytes the engine takes, 0 for any.

    Raises ``InvalidParamsError`` for text that has no UTF-8, such as the name of a file whose
    bytes are none, for numbers that JSON doesn't have, and for objects; ``InvalidRequestError`` for
    a message that is too large.
    """
    try:
        text = json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        line = text.encode()
    except (TypeError, ValueError):
        problems = list(_problems(message, "", ()))
        for problem in problems:
            problem["path"] = problem["path"].removeprefix("/params")
        if not problems:
            raise
        first = problems[0]
        raise error_from_wire(
            {
                "code": -32602,
                "message": f"Invalid params: {first['path'] or '/'}: expected "
                f"{first['expected']}, got {first['got']}",
                "data": {
                    "name": "invalidParams",
                    "hint": _advice(first["expected"]) + "; nothing was sent.",
                    "errors": problems,
                },
            }
        ) from None
    if limit and len(line) > limit:
        raise error_from_wire(
            {
                "code": -32600,
                "message": f"Invalid Request: the message is larger than {limit} bytes",
                "data": {
                    "name": "messageTooLarge",
                    "reason": "messageTooLarge",
                    "hint": "Split the request, or start the engine with a higher "
                    "--max-message-bytes; nothing was sent.",
                },
            }
        )
    return line + b"\n"


def _advice(expected: str) -> str:
    """The next step where a message can't hold a value."""
    if expected == "a finite number":
        return "Give a number that is neither infinite nor NaN"
    if expected == "text in UTF-8":
        return "Rename a file whose name isn't UTF-8"
    if expected == _JSON:
        return f"Give {_JSON}, which an object has to be converted to"
    return f"Give {expected}"


def _problems(value: Any, path: str, holders: tuple[int, ...]) -> Iterator[ParamsProblem]:
    """The part of a value that no message can hold."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            shown = value.encode("utf-8", "backslashreplace").decode()
            yield {"path": path, "expected": "text in UTF-8", "got": repr(shown)}
    elif isinstance(value, float):
        if not math.isfinite(value):
            yield {"path": path, "expected": "a finite number", "got": str(value)}
    elif value is not None and not isinstance(value, (int, dict, list, tuple)):
        yield {"path": path, "expected": _JSON, "got": _kind(value)}
    elif isinstance(value, (dict, list, tuple)) and id(value) not in holders:
        inside = (*holders, id(value))
        if isinstance(value, dict):
            for key, member in value.items():
                if isinstance(key, (str, int, float, type(None))):
                    yield from _problems(key, path, ())
                else:
                    yield {"path": path, "expected": "a key that is text", "got": _kind(key)}
                yield from _problems(member, f"{path}/{key}", inside)
        else:
            for index, element in enumerate(value):
                yield from _problems(element, f"{path}/{index}", inside)


def _kind(value: Any) -> str:
    """The type of an object, as messages state it."""
    return f"an object of type {type(value).__name__}"
