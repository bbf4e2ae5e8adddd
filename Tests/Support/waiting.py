"""The waits of tests: the one file of the tests in Python that uses a clock.

No verdict depends on how busy the machine is: an event that must come is waited for as long as it takes, and after
`HANG` seconds it is taken to hang.
"""

from __future__ import annotations

import asyncio
import faulthandler
import os
import queue
import sys
import threading
import time
from typing import Any, Callable, NoReturn, TypeVar, Union

# Seconds after which a wait is taken to hang; it decides nothing else.
HANG = 180 * float(os.environ.get("REELWIRE_PATIENCE", "1"))

# Between two looks at a condition.
STEP = 0.005

What = Union[str, Callable[[], object]]
Value = TypeVar("Value")


class Hung(AssertionError):
    """The event that was waited for didn't come."""


def hung(what: What) -> NoReturn:
    """Fails, with the stacks of all threads on stderr."""
    faulthandler.dump_traceback(sys.__stderr__ or sys.stderr, all_threads=True)
    raise Hung(f"waited for {HANG:.0f} s in vain: {what if isinstance(what, str) else what()}")


def eventually(what: What, condition: Callable[[], Value]) -> Value:
    """Asks again and again until a condition holds, and returns its value.

    `what` names the event that is waited for; a function is called when the wait is over, and describes the
    present state instead.
    """
    end = time.monotonic() + HANG
    while not (value := condition()):
        if time.monotonic() > end:
            hung(what)
        time.sleep(STEP)
    return value


async def eventually_async(what: What, condition: Callable[[], Any]) -> Any:
    """The same on an event loop, where a condition may be a coroutine."""
    end = time.monotonic() + HANG
    while True:
        value = condition()
        if asyncio.iscoroutine(value):
            value = await value
        if value:
            return value
        if time.monotonic() > end:
            hung(what)
        await asyncio.sleep(STEP)


def received(messages: "queue.Queue[Value]", what: What = "a message") -> Value:
    """Returns the next item that another thread puts into a queue."""
    try:
        return messages.get(timeout=HANG)
    except queue.Empty:
        hung(what)


def joined(thread: threading.Thread) -> None:
    """Waits for the end of a thread."""
    thread.join(HANG)
    if thread.is_alive():
        hung(f"the end of {thread.name}")


def run_async(coroutine: Any) -> Any:
    """Runs a coroutine on an event loop of its own."""

    async def bounded() -> Any:
        task = asyncio.ensure_future(coroutine)
        done, _ = await asyncio.wait([task], timeout=HANG)
        if not done:
            task.print_stack()
            task.cancel()
            hung("the end of a coroutine")
        return task.result()

    return asyncio.run(bounded())


async def turn() -> None:
    """Runs the callbacks that are ready on the event loop."""
    await asyncio.sleep(0)


def pause(seconds: float) -> None:
    """Makes a schedule uneven on purpose: it decides nothing."""
    time.sleep(seconds)


class Stopwatch:
    """A time for the notes of a report, or for how long a load is kept up; it is never asserted."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s"
