"""The same export gives the same bytes, whatever has been in the memory that it gets."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engine import Engine
from support import Clips, export, ffmpeg, media

# Rows of 20, 15, 60 and 16 macroblocks.
SIZES = ["320x180", "240x136", "960x540", "256x144"]


def in_memory(fill: int) -> Engine:
    """An engine whose memory is filled with the inverse of a number when it is allocated (mallopt(3))."""
    tunables = "glibc.malloc.mmap_threshold=1073741824"
    return Engine(environment={"MALLOC_PERTURB_": str(fill), "GLIBC_TUNABLES": tunables})


@pytest.mark.parametrize("preset, kind", [("HighestQuality", "mp4"), ("AppleM4ViPod", "m4v")])
@pytest.mark.parametrize("size", SIZES)
def test_what_was_in_memory_changes_nothing(
    preset: str, kind: str, size: str, tmp_path: Path
) -> None:
    source = tmp_path / "in.mp4"
    noise = f"testsrc2=size={size}:rate=25:duration=0.6,noise=alls=60:allf=t"
    ffmpeg(
        *("-f", "lavfi", "-i", noise, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "14"),
        *("-pix_fmt", "yuv420p", str(source)),
    )
    found = set()
    for fill in (255, 170, 85):
        target = tmp_path / f"{fill}.{kind}"
        with in_memory(fill) as engine:
            assert export(engine, source, preset, target)["status"] == "completed"
        found.add(media(target))
    assert len(found) == 1


def test_many_exports_of_one_engine_are_alike(clips: Clips, tmp_path: Path) -> None:
    """What one export leaves in memory is what the next one gets."""
    found = set()
    with Engine() as engine:
        for number in range(20):
            target = tmp_path / f"{number}.mp4"
            options = {"timeRange": {"start": 0, "duration": 0.6}}
            result = export(engine, clips["big.mp4"], "LowQuality", target, **options)
            assert result["status"] == "completed"
            found.add(media(target))
    assert len(found) == 1
