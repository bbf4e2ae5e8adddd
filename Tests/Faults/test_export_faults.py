"""Exports while the disk fills and system calls fail.

In all cases, the target is complete or absent, the source is as it was, nothing else is left, the session
reports the reason, and the engine continues.
"""

from __future__ import annotations

import errno
import os
import resource
from pathlib import Path
from typing import Any, Dict

import pytest

from engine import Engine
from support import (
    DISK_FULL,
    EXISTS,
    FAILED,
    FLUSH,
    LINK,
    READ,
    TOO_LARGE,
    UNREADABLE,
    WRITE,
    Clips,
    FaultyEngine,
    digest,
    export,
    failure,
    is_whole,
    limited,
    names,
    needs_mounts,
    small_disk,
    succeeds,
)
from waiting import eventually

# The exports: the file type, the clip, and whether the index goes to the front.
KINDS = {
    "mp4": ("big.mp4", {}),
    "faststart": ("big.mp4", {"shouldOptimizeForNetworkUse": True}),
    "mkv": ("big.mp4", {}),
    "ts": ("big.mp4", {}),
    "wav": ("big.wav", {}),
}


def named(kind: str) -> str:
    return "out." + ("mp4" if kind == "faststart" else kind)


@needs_mounts
@pytest.mark.parametrize("size", ["24k", "200k", "2m", "rest"])
def test_a_full_disk(size: str, clips: Clips, tmp_path: Path) -> None:
    """At the header, in the middle, and with room for all but the end."""
    disk, folder = tmp_path / "disk", tmp_path / "folder"
    disk.mkdir()
    folder.mkdir()
    kinds = list(KINDS)
    if size == "rest":
        kinds = ["mp4"]
        with Engine() as engine:
            result = export(engine, clips["big.mp4"], "Passthrough", folder / "out.mp4")
        # The last page holds a part of the index.
        size = str(result["fileSize"] // 4096 * 4096)
        (folder / "out.mp4").unlink()
    with Engine(prefix=small_disk(size, disk)) as engine:
        seen = Path(f"/proc/{engine.process.pid}/root{disk}")
        for kind in kinds:
            clip, options = KINDS[kind]
            target = disk / named(kind)
            result = export(engine, clips[clip], "Passthrough", target, **options)
            assert failure(result) == DISK_FULL, kind
            assert result["error"]["data"]["libav"]["code"] == "ENOSPC"
            assert names(seen) == [], kind
        # Full while encoding, and where the finished file is copied to.
        if kinds != ["mp4"]:
            result = export(engine, clips["big.mp4"], "HighestQuality", disk / "out.mp4")
            assert failure(result) == DISK_FULL
        result = export(
            engine, clips["big.mp4"], "Passthrough", disk / "out.mp4",
            directoryForTemporaryFiles=str(folder),
        )
        assert failure(result) == DISK_FULL
        result = export(
            engine, clips["big.mp4"], "Passthrough", folder / "out.mp4",
            directoryForTemporaryFiles=str(disk),
        )
        assert failure(result) == DISK_FULL
        assert names(seen) == [] and names(folder) == []
        # The room of a removed file is free when its descriptor is closed, which follows the answer.
        eventually("all room is free", lambda: os.statvfs(seen).f_bfree == os.statvfs(seen).f_blocks)
        succeeds(engine, clips, folder)


@needs_mounts
def test_a_disk_with_just_enough_room(clips: Clips, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with Engine(prefix=small_disk("8m", disk)) as engine:
        seen = Path(f"/proc/{engine.process.pid}/root{disk}")
        for kind, (clip, options) in KINDS.items():
            target = disk / named(kind)
            # From the small one to the large one: the bytes are copied, and nothing remains.
            result = export(
                engine, clips[clip], "Passthrough", target,
                directoryForTemporaryFiles=str(tmp_path), **options,
            )
            assert result["status"] == "completed", result
            assert names(seen) == [named(kind)] and names(tmp_path) == ["disk"]
            assert (seen / named(kind)).stat().st_size == result["fileSize"]
            assert is_whole(seen / named(kind)), kind
            (seen / named(kind)).unlink()


@pytest.mark.parametrize("by", ["the system", "an option"])
def test_a_limit_of_the_process(by: str, clips: Clips, tmp_path: Path) -> None:
    """A file that may not grow is an error, and no signal that ends the process (SIGXFSZ)."""
    size = 512 << 10
    with Engine("--worker-file-size", str(size)) if by == "an option" else limited(size) as engine:
        isolation = engine.call("engine/stats").get("isolation")
        if isolation:
            confinement = isolation["confinement"]
            assert confinement["fileSize"]["holds"] == (by == "an option")
            assert confinement["descriptors"]["holds"]
            for worker in isolation["workers"]:
                soft, hard = resource.prlimit(worker, resource.RLIMIT_NOFILE)
                assert 0 < soft <= hard <= 65536
        for kind, (clip, options) in KINDS.items():
            target = tmp_path / named(kind)
            result = export(engine, clips[clip], "Passthrough", target, **options)
            assert failure(result) == TOO_LARGE, kind
            assert names(tmp_path) == []
        succeeds(engine, clips, tmp_path)


@pytest.mark.parametrize("preset", ["Passthrough", "LowQuality"])
@pytest.mark.parametrize("kind", ["mp4", "faststart", "mkv", "ts"])
def test_writes_that_fail(
    kind: str, preset: str, clips: Clips, faulty: FaultyEngine, tmp_path: Path
) -> None:
    """The n-th write, for every n until none is left that could fail."""
    if preset == "LowQuality" and kind == "ts":
        kind = "mkv"
    options = KINDS[kind][1]
    target = tmp_path / named(kind)
    number = 0
    while True:
        faulty.fail(WRITE, errno.ENOSPC, after=number, forever=number % 2 == 0)
        result = export(faulty, clips["small.mp4"], preset, target, **options)
        if not faulty.heal():
            break
        assert failure(result) == DISK_FULL, number
        assert names(tmp_path) == []
        number += 1
    assert number >= 1
    assert result["status"] == "completed" and is_whole(target)


@pytest.mark.parametrize("isNamed", [False, True])
@pytest.mark.parametrize(
    "call, error, expected",
    [
        (FLUSH, errno.ENOSPC, DISK_FULL),
        (FLUSH, errno.EDQUOT, DISK_FULL),
        (FLUSH, errno.EIO, FAILED),
        (LINK, errno.ENOSPC, DISK_FULL),
        (LINK, errno.EEXIST, EXISTS),
        (LINK, errno.EIO, FAILED),
    ],
)
def test_the_end_fails(
    call: int, error: int, expected: Any, isNamed: bool, clips: Clips, faulty: FaultyEngine,
    tmp_path: Path,
) -> None:
    faulty.faults.named = isNamed
    faulty.fail(call, error)
    result = export(faulty, clips["small.mp4"], "Passthrough", tmp_path / "out.mp4")
    assert faulty.heal()
    assert failure(result) == expected
    assert names(tmp_path) == []
    succeeds(faulty, clips, tmp_path)
    faulty.faults.named = False


@pytest.mark.parametrize("preset, kind", [("Passthrough", "mp4"), ("Passthrough", "mkv"),
                                          ("Passthrough", "ts"), ("LowQuality", "mp4")])
def test_reads_that_fail(
    preset: str, kind: str, clips: Clips, faulty: FaultyEngine, tmp_path: Path
) -> None:
    """The n-th read of the source: never a file that is only shorter than it should be."""
    source = clips["big.mp4"]
    target = tmp_path / named(kind)
    inode = source.stat().st_ino
    # Encoding reads ahead, beyond a range: there, a read that fails may be one that isn't needed.
    options: Dict[str, Any] = {}
    if preset == "Passthrough":
        options = {"timeRange": {"start": 0, "duration": 1.5}}
    assert export(faulty, source, preset, target, **options)["status"] == "completed"
    assert is_whole(target)
    good = digest(target)
    number, failures = 0, 0
    while True:
        target.unlink(missing_ok=True)
        isLasting = number % 3 != 0
        faulty.fail(READ, errno.EIO, after=number, forever=isLasting, inode=inode)
        result = export(faulty, source, preset, target, **options)
        hasStruck = faulty.heal()
        if result["status"] == "completed":
            # One failed read is got over by those who only want to know something and ask again.
            assert digest(target) == good
            assert is_whole(target)
            assert not (isLasting and hasStruck)
        else:
            assert failure(result) == UNREADABLE, number
            assert result["error"]["data"]["libav"]["code"] == "EIO"
            assert names(tmp_path) == []
            failures += 1
        if not hasStruck:
            break
        number += 1 + number // 4
    assert failures > 5


@pytest.mark.parametrize("error", [-1, -4095, errno.EINTR])
def test_calls_that_do_less(
    error: int, clips: Clips, faulty: FaultyEngine, tmp_path: Path
) -> None:
    """Short writes and interrupted calls change nothing in the file."""
    source = clips["small.mp4"]
    export(faulty, source, "Passthrough", tmp_path / "good.mp4", shouldOptimizeForNetworkUse=True)
    for call in (READ, WRITE, FLUSH):
        isShort = error < 0
        inode = source.stat().st_ino
        faulty.fail(call, error, after=1 if call == READ else 0, inode=inode)
        if isShort and call == WRITE:
            faulty.faults.remaining, faulty.faults.forever = 0, error != -1
        target = tmp_path / f"out{call}.mp4"
        result = export(faulty, source, "Passthrough", target, shouldOptimizeForNetworkUse=True)
        assert faulty.heal()
        assert result["status"] == "completed", result
        assert target.read_bytes() == (tmp_path / "good.mp4").read_bytes()


@pytest.mark.parametrize("linkless", [False, True])
def test_file_systems_without_nameless_files(
    linkless: bool, clips: Clips, faulty: FaultyEngine, tmp_path: Path
) -> None:
    """As on network file systems: with a temporary name, and a link where renaming would replace."""
    faulty.faults.named, faulty.faults.linkless = True, linkless
    target = tmp_path / ("é" * 120 + ".mp4")
    assert export(faulty, clips["small.mp4"], "Passthrough", target)["status"] == "completed"
    assert names(tmp_path) == [target.name] and is_whole(target)
    kept = digest(target)
    result = export(faulty, clips["small.mp4"], "Passthrough", target)
    assert failure(result) == EXISTS
    assert digest(target) == kept and names(tmp_path) == [target.name]
    faulty.faults.named, faulty.faults.linkless = False, False
