"""Short turns of Benchmarks/soak.py: opening, loading and images leak nothing."""

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
        # A busy machine lets the heap settle late. A leak has grown by as much again.
        result = soak.soak(binary(), cycles=5000, settled=2500)
    assert soak.failures(result) == []


@pytest.mark.parametrize("reopens", [False, True], ids=["one asset", "an asset for each"])
def test_series_of_images_leave_nothing_behind(reopens: bool) -> None:
    clip = CORPUS / "video" / soak.IMAGES_OF
    result = soak.soak_images(binary(), 300, clip, reopens)
    if soak.failures(result):
        # The heap's gaps are returned to the system every some hundred series: before the first time the
        # memory is lower than later.
        result = soak.soak_images(binary(), 3000, clip, reopens, settled=1500)
    assert soak.failures(result) == []
