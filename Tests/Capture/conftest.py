from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Iterator, List

import pytest

# The bare driver of the engine is the corpus tests'.
TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "Corpus"), str(TESTS / "Support")]

from engine import Engine  # noqa: E402

HERE = Path(__file__).resolve().parent


def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    for item in items:
        if not shutil.which("ffmpeg") and HERE in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="needs ffmpeg"))


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
