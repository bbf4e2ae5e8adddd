"""The same export writes the same bytes, with anything that runs at the same time or has been in its memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import Engine
from support import Clips, begin, digest, export, ffmpeg, open_asset

# Rows of 20, 15, 60, 16 and 24 macroblocks.
SIZES = ["320x180", "240x136", "960x540", "256x144", "384x216"]


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
    for fill in (255, 170, 85, 1):
        target = tmp_path / f"{fill}.{kind}"
        with in_memory(fill) as engine:
            assert export(engine, source, preset, target)["status"] == "completed"
        found.add(digest(target))
    assert len(found) == 1


@pytest.mark.parametrize("size", ["160x192", "128x192"])
def test_what_was_in_memory_changes_no_smart_cut(size: str, tmp_path: Path) -> None:
    """Its edges, whose encoder is another one than an export's."""
    source = tmp_path / "in.ts"
    ffmpeg(
        *("-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25:duration=4", "-c:v", "libx264"),
        *("-g", "50", "-bf", "3", "-pix_fmt", "yuv420p", str(source)),
    )
    found = set()
    # 1 fills memory with negative motion vectors, which lead from behind the last row into the picture.
    for fill in (0, 1, 85, 255):
        target = tmp_path / f"{fill}.mkv"
        cut = {"trimMode": "smart", "timeRange": {"start": "1", "duration": "2.2"}}
        with in_memory(fill) as engine:
            assert export(engine, source, "Passthrough", target, **cut)["status"] == "completed"
        found.add(digest(target))
    assert len(found) == 1


def test_many_exports_of_one_engine_are_alike(clips: Clips, tmp_path: Path) -> None:
    """One export's leftovers in memory are the initial contents of the next one's."""
    found = set()
    with Engine() as engine:
        for number in range(20):
            target = tmp_path / f"{number}.mp4"
            options = {"timeRange": {"start": 0, "duration": 0.6}}
            result = export(engine, clips["big.mp4"], "LowQuality", target, **options)
            assert result["status"] == "completed"
            found.add(digest(target))
    assert len(found) == 1


# The file types of each codec are tested with the first of its presets only: they differ in sizes.
ALL_TYPES = ["LowQuality", "HEVCHighestQuality", "VP9HighestQuality", "AV1HighestQuality"]
ALL_TYPES += ["AppleProRes422LPCM", "Opus", "FLAC"]


def exported(engine: Engine, source: Path, folder: Path, preset: str, count: int) -> "dict[str, set[str]]":
    """The digests of ``count`` files of each type, which are made at the same time."""
    asset = open_asset(engine, source)
    types = engine.call("exportSession/compatibleFileTypes", asset=asset, preset=preset)["fileTypes"]
    found: "dict[str, set[str]]" = {}
    for kind in types if preset in ALL_TYPES else types[:1]:
        targets = [folder / f"{number}.{kind}" for number in range(count)]
        begun = [begin(engine, asset, preset, target) for target in targets]
        for (session, request), target in zip(begun, targets):
            assert engine.result(request)["status"] == "completed"
            engine.call("handle/close", handle=session)
            found.setdefault(kind, set()).add(digest(target))
            target.unlink()
    engine.call("handle/close", handle=asset)
    return found


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many colours, which GIF has to choose from, and audio."""
    target = tmp_path_factory.mktemp("noisy") / "in.mp4"
    noise = "testsrc2=size=320x180:rate=25:duration=0.5,noise=alls=60:allf=t"
    ffmpeg(
        *("-f", "lavfi", "-i", noise, "-f", "lavfi", "-i", "sine=440:duration=0.5"),
        *("-c:v", "libx264", "-preset", "ultrafast", "-qp", "14", "-pix_fmt", "yuv420p"),
        *("-c:a", "aac", "-metadata", "title=Noise", str(target)),
    )
    return target


def test_files_are_alike_to_the_last_byte(noisy: Path, tmp_path: Path) -> None:
    """Of every preset: alone, at the same time, and in another process, whose memory has other contents."""
    found: "dict[str, set[str]]" = {}
    for engine, count in ((Engine(), 1), (in_memory(85), 3)):
        with engine:
            for preset in engine.call("engine/capabilities")["exportPresets"]:
                for kind, digests in exported(engine, noisy, tmp_path, preset, count).items():
                    found.setdefault(f"{preset}.{kind}", set()).update(digests)
    assert len(found) > 40
    assert [name for name, digests in found.items() if len(digests) > 1] == []
