"""The shared parts of the tests of the corpus."""

from __future__ import annotations

import resource
from typing import Iterator

import pytest

from engine import Engine

# Of each process, the programs that tests start included: a stream without an end, which an oracle or the engine
# makes of a damaged file, fails its test and takes no machine with it.
MOST_MEMORY = 8 << 30


def pytest_configure() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """An engine for the tests of a module, which leave no handle and no lease open."""
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []
        assert engine.call("engine/stats")["leases"] == 0
