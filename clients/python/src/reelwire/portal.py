"""The sync face: the asyncio objects, driven by an event loop on a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .errors import EngineClosedError
from .remote import OfThisProcess, Remote
from .transport import of_another_process

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

__all__ = ["ClosableFace", "Face", "Portal", "RemoteFace", "blocking", "iterating", "making"]

T = TypeVar("T")
F = TypeVar("F", bound="Face")
S = TypeVar("S", bound="ClosableFace")


class Portal:
    """An event loop on its own thread, and the way in from other threads."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="reelwire", daemon=True)
        self._pid = os.getpid()
        self._thread.start()

    @property
    def is_here(self) -> bool:
        """True if this is the loop's own thread, where waiting isn't allowed."""
        return threading.current_thread() is self._thread

    @property
    def is_forked(self) -> bool:
        """True if this process is a fork, which has no such thread."""
        return os.getpid() != self._pid

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def call(self, function: Callable[..., Coroutine[Any, Any, T]], *args: Any, **kwargs: Any) -> T:
        """Runs a coroutine function on the loop and waits for its result.

        Callbacks among the arguments are called on the waiting thread. An exception there, Ctrl-C
        before all, cancels the coroutine; it is raised when that has ended.
        """
        if self.is_here:
            raise RuntimeError("the sync face cannot be called from its own event loop")
        if self.is_forked:
            raise of_another_process()
        inbox: SimpleQueue[Any] = SimpleQueue()
        begun: list[asyncio.Task[T]] = []

        async def run() -> T:
            # An argument that the function doesn't have is an error of the task, like all others.
            return await function(*args, **relayed)

        def begin() -> None:
            task = self._loop.create_task(run())
            begun.append(task)
            task.add_done_callback(lambda _: inbox.put(None))

        relayed = {
            name: functools.partial(_relay, inbox, value) if callable(value) else value
            for name, value in kwargs.items()
        }
        # Ctrl-C may come anywhere from here on, also before the loop's thread has begun.
        try:
            self._soon(begin)
            while True:
                item = inbox.get()
                if item is None:
                    return begun[0].result()
                item()
        except BaseException:
            if not (begun and begun[0].done()):
                self._cancel(begun, inbox)
            raise

    def _cancel(self, begun: list[asyncio.Task[T]], inbox: SimpleQueue[Any]) -> None:
        """Cancels the task, if there is one, and waits for its end."""

        def cancel() -> None:
            if begun:
                begun[0].cancel()
            else:
                inbox.put(None)

        with contextlib.suppress(Empty, EngineClosedError):
            # Calls that were scheduled before have run when this does.
            self._soon(cancel)
            while inbox.get(timeout=5) is not None:
                pass

    def _soon(self, action: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(action)
        except RuntimeError:
            raise EngineClosedError("the engine is closed", hint="Start another one.") from None

    def iterate(self, iterator: AsyncIterator[T]) -> Iterator[T]:
        """The items of an async generator; leaving early closes it."""
        try:
            while True:
                item = self.call(_next, iterator)
                if item is _END:
                    return
                yield item
        finally:
            if self.is_here:  # The garbage collector may run anywhere.
                self._loop.create_task(_closed(iterator))
            else:
                with contextlib.suppress(EngineClosedError):
                    self.call(_closed, iterator)

    def stop(self) -> None:
        """Ends the loop and its thread."""
        if self._loop.is_closed():
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


_END: Any = object()


async def _next(iterator: AsyncIterator[T]) -> T:
    try:
        return await iterator.__anext__()
    except StopAsyncIteration:
        return _END  # type: ignore[no-any-return]


async def _closed(iterator: AsyncIterator[Any]) -> None:
    """Closes an async generator, unless the garbage collector has it closed at the same time."""
    if not getattr(iterator, "ag_running", False):
        await iterator.aclose()  # type: ignore[attr-defined]


def _relay(inbox: SimpleQueue[Any], callback: Callable[..., Any], *args: Any) -> None:
    inbox.put(functools.partial(callback, *args))


class Face(OfThisProcess):
    """The sync face of an object; it has the same methods, which wait."""

    _core: Any
    _portal: Portal

    def __init__(self, parent: Face, core: Any) -> None:
        # The parent is kept, so that the engine lives as long as anything of it.
        self._parent = parent
        self._portal = parent._portal
        self._core = core

    def __repr__(self) -> str:
        return repr(self._core).replace("Async", "", 1)


class ClosableFace(Face):
    """The sync face of an object that the end of a ``with`` closes."""

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return bool(self._core.closed)

    def close(self) -> None:
        """Lets go of the object; its work is cancelled. Closing again does nothing."""
        if not self._core.closed:
            with contextlib.suppress(EngineClosedError):
                self._portal.call(self._core.close)

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class RemoteFace(ClosableFace):
    """The sync face of an object with a handle."""

    @property
    def handle(self) -> str:
        """The object's name on the wire, for example ``asset:1``."""
        core: Remote = self._core
        return core.handle


def blocking(
    method: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Any, P], T]:
    """The sync face of a method, by its name: a class that extends another may have its own."""
    name = method.__name__

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        portal: Portal = self._portal
        function: Callable[..., Coroutine[Any, Any, T]] = getattr(self._core, name)
        return portal.call(function, *args, **kwargs)

    return call


def making(
    method: Callable[Concatenate[Any, P], Coroutine[Any, Any, Any]], face: Callable[[Any, Any], F]
) -> Callable[Concatenate[Any, P], F]:
    """The sync face of a method that makes an object."""

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> F:
        return face(self, self._portal.call(method, self._core, *args, **kwargs))

    return call


def iterating(
    method: Callable[Concatenate[Any, P], AsyncIterator[T]],
) -> Callable[Concatenate[Any, P], Iterator[T]]:
    """The sync face of an async generator."""

    @functools.wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        portal: Portal = self._portal
        return portal.iterate(method(self._core, *args, **kwargs))

    return call
