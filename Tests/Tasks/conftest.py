"""A desk for each test, and the path of the parts that the tests share with others."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Support"))

from desk import Desk  # noqa: E402


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A folder in which the README has been followed so far that the program and the clients are found."""
    return Desk(tmp_path)
