"""The common base of the engine's objects: a handle, and an end."""

from __future__ import annotations

import contextlib
import difflib
import re
import weakref
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from .errors import EngineClosedError, HandleClosedError, UnknownHandleError
from .protocol import AsyncRequest
from .transport import Transport

__all__ = ["Caller", "OfThisProcess", "Remote", "given", "refuse_unknown", "snake_to_camel"]

R = TypeVar("R", bound="Remote")


class OfThisProcess:
    """An object that needs an engine of this process, and so can't be sent to another one."""

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{type(self).__name__} objects can't be pickled or copied: they work by the engine that "
            "this process has started. Send the path instead, and open it in the worker: "
            "Engine().open(path)"
        )


class Caller(OfThisProcess):
    """An object that sends requests to its engine."""

    @property
    def _request(self) -> AsyncRequest:
        """Sends a request and waits for its result."""
        raise NotImplementedError


class Remote(Caller):
    """An object of the engine.

    It is closed at the end of an ``async with``, by ``close()``, or with the last reference to it.
    """

    def __init__(self, transport: Transport, handle: str) -> None:
        self.transport = transport
        self._handle = handle
        self._closed = False
        self._finalizer = weakref.finalize(self, transport.close_later, handle)
        self._finalizer.atexit = False

    @property
    def _request(self) -> AsyncRequest:
        return self.transport.request

    @property
    def handle(self) -> str:
        """The object's name on the wire, for example ``asset:1``."""
        if self._closed:
            raise HandleClosedError(
                f"{self._handle} is closed", hint="Use the object before its `with` block ends."
            )
        return self._handle

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._closed

    async def close(self) -> None:
        """Lets go of the object; its work is cancelled. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        self._finalizer.detach()
        self.transport.shared_memory.detach(self)
        if self.transport.is_alive:
            # The engine has closed it already if that which it belongs to is closed.
            with contextlib.suppress(EngineClosedError, UnknownHandleError):
                await self.transport.send_request("handle/close", {"handle": self._handle})

    async def __aenter__(self: R) -> R:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def given(**members: Any) -> Any:
    """The members that are not ``None``: absent ones have the engine's default."""
    return {name: value for name, value in members.items() if value is not None}


#: The value for the asset's own, where ``None`` means none.
OWN: Any = object()


def unless_own(**members: Any) -> dict[str, Any]:
    """The members that are not ``OWN``; ``None`` is sent."""
    return {name: value for name, value in members.items() if value is not OWN}


def refuse_unknown(what: str, members: Mapping[str, Any], known: Iterable[str]) -> None:
    """A ``TypeError`` for an unknown member, which names the one that was meant."""
    by_plain = {_plain(name): name for name in known}
    for member in members:
        if member in by_plain.values():
            continue
        near = difflib.get_close_matches(_plain(str(member)), by_plain, n=1, cutoff=0.7)
        names = ", ".join(by_plain.values())
        advice = f"did you mean {by_plain[near[0]]}?" if near else f"it has {names}"
        raise TypeError(f"{what} has no {member!r}; {advice}")


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def snake_to_camel(name: str) -> str:
    """``natural_size`` is ``naturalSize`` on the wire."""
    return re.sub(r"_(\w)", lambda match: match.group(1).upper(), name)
