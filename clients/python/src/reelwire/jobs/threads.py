"""Files are read and written on threads, where the event loop doesn't wait for them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Callable, TypeVar

__all__ = ["in_thread", "last_in_thread"]

T = TypeVar("T")


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Calls a function on a thread; when this is cancelled, the call has ended all the same."""
    future = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await _ended(future)
        raise


async def last_in_thread(
    function: Callable[..., T], *arguments: Any, stop: Callable[[], None] | None = None
) -> T:
    """Calls the function that ends a job; its result isn't cancelled any more.

    ``stop`` is called when this is cancelled: the function may raise then. ``None`` means that nothing was finished.
    """
    future = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        if stop is not None:
            stop()
        await _ended(future)
        if future.exception() is not None or future.result() is None:
            raise
        return future.result()


async def _ended(future: asyncio.Future[Any]) -> None:
    """Waits for a call, which can't be cancelled."""
    while not future.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([future])
