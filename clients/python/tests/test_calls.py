"""Generated calls: each coroutine has a blocking twin, which calls the object's method."""

import asyncio
import inspect

import pytest

from reelwire import calls

NOUNS = [name for name in calls.__all__ if name.endswith("Calls") and "Blocking" not in name]


@pytest.mark.parametrize("name", NOUNS)
def test_every_call_has_a_twin_that_waits(name):
    own, twin = vars(getattr(calls, name)), vars(getattr(calls, f"Blocking{name}"))
    methods = {key for key, value in own.items() if inspect.iscoroutinefunction(value)}
    assert methods
    assert {key for key in twin if not key.startswith("_")} == methods
    for each in methods:
        assert inspect.signature(twin[each]) == inspect.signature(own[each])
        assert twin[each].__doc__ == own[each].__doc__ != ""


class _Portal:
    def call(self, function, *args, **kwargs):
        return asyncio.run(function(*args, **kwargs))


class _Session(calls.ExportSessionCalls):
    def __init__(self):
        self.cancelled = []

    async def cancel(self):
        self.cancelled.append(True)


class _Face(calls.BlockingExportSessionCalls):
    def __init__(self):
        self._core = _Session()
        self._portal = _Portal()


def test_a_coroutine_that_is_overridden_needs_no_second_twin():
    face = _Face()
    face.cancel()
    assert face._core.cancelled == [True]
