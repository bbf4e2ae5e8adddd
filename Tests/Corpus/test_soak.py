"""A short turn of Benchmarks/soak.py: 1,500 cycles of open, load and close leave nothing behind."""

from __future__ import annotations

import sys

import pytest

from engine import CORPUS, ROOT, binary

sys.path.insert(0, str(ROOT / "Benchmarks"))

import soak

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")


def test_nothing_stays_behind() -> None:
    result = soak.soak(binary(), cycles=1500)
    if soak.failures(result):
        # A busy machine lets the heap settle late. What leaks has grown by as much again.
        result = soak.soak(binary(), cycles=5000, settled=2500)
    assert soak.failures(result) == []
