"""What the tests of the corpus share."""

from __future__ import annotations

from typing import Iterator

import pytest

from engine import Engine


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """An engine for the tests of a module, which leave no handle and no lease behind."""
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []
        assert engine.call("engine/stats")["leases"] == 0
