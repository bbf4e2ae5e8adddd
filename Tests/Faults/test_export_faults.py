"""Exports while the disk fills, reads fail, processes are killed and names are taken.

Whatever happens, the target is complete or absent, the source is as it was, nothing else is left, the
session says why, and the engine goes on.
"""

from __future__ import annotations

import errno
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from engine import Engine
from support import (
    FLUSH,
    LINK,
    READ,
    WRITE,
    FaultyEngine,
    attempt,
    begin,
    digest,
    export,
    failure,
    ffmpeg,
    is_whole,
    media,
    names,
    open_asset,
)

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not (shutil.which("cc") and shutil.which("ffmpeg")),
    reason="needs Linux, a C compiler and ffmpeg",
)

DISK_FULL = (-11807, "diskFull")
TOO_LARGE = (-11811, "maximumFileSizeReached")
EXISTS = (-11823, "fileAlreadyExists")
UNREADABLE = (-11849, "failedToLoadMediaData")
FAILED = (-11820, "exportFailed")

# What is exported: the file type, the clip, and whether the index goes to the front.
KINDS = {
    "mp4": ("big.mp4", {}),
    "faststart": ("big.mp4", {"shouldOptimizeForNetworkUse": True}),
    "mkv": ("big.mp4", {}),
    "ts": ("big.mp4", {}),
    "wav": ("big.wav", {}),
}


def named(kind: str) -> str:
    return "out." + ("mp4" if kind == "faststart" else kind)


class Clips:
    """A few seconds of noise, which takes much room, and of a test picture, which takes little."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        noise = "testsrc2=size=320x180:rate=25:duration=4,noise=alls=60:allf=t"
        sound = "anoisesrc=sample_rate=44100:duration=4:seed=1"
        ffmpeg(
            *("-f", "lavfi", "-i", noise, "-f", "lavfi", "-i", sound, "-c:v", "libx264"),
            *("-preset", "ultrafast", "-qp", "14", "-g", "25", "-pix_fmt", "yuv420p"),
            *("-c:a", "aac", "-b:a", "192k", "-shortest", str(folder / "big.mp4")),
        )
        ffmpeg(
            *("-f", "lavfi", "-i", "anoisesrc=sample_rate=44100:duration=20:seed=1", "-ac", "2"),
            *("-c:a", "pcm_s16le", str(folder / "big.wav")),
        )
        ffmpeg(
            *("-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=2", "-f", "lavfi"),
            *("-i", "sine=sample_rate=44100:duration=2", "-c:v", "libx264", "-preset"),
            *("ultrafast", "-bf", "2", "-g", "12", "-pix_fmt", "yuv420p", "-c:a", "aac"),
            str(folder / "small.mp4"),
        )
        assert all(path.stat().st_size > 3 << 20 for path in folder.glob("big.*"))
        self.digests = {path: digest(path) for path in folder.iterdir()}

    def __getitem__(self, name: str) -> Path:
        return self.folder / name

    def are_untouched(self) -> bool:
        return self.digests == {path: digest(path) for path in self.folder.iterdir()}


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clips]:
    clips = Clips(tmp_path_factory.mktemp("clips"))
    yield clips
    assert clips.are_untouched()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="module")
def faulty(shared: Path) -> Iterator[FaultyEngine]:
    with FaultyEngine(shared) as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


def succeeds(engine: Engine, clips: Clips, folder: Path) -> None:
    """The engine is alive, and what failed before works now."""
    target = folder / "next.mp4"
    assert export(engine, clips["small.mp4"], "Passthrough", target)["status"] == "completed"
    assert is_whole(target)
    target.unlink()
    assert names(folder) == []


# MARK: Room


def small_disk(size: str, folder: Path) -> List[str]:
    """A command that begins a program with a small file system at a folder, which only it can see."""
    script = 'mount -t tmpfs -o size=$0 none "$1" && shift && exec "$@"'
    return ["unshare", "-rm", "sh", "-c", script, size, str(folder)]


def can_mount() -> bool:
    command = [*small_disk("64k", Path("/mnt")), "true"]
    return subprocess.run(command, capture_output=True).returncode == 0


needs_mounts = pytest.mark.skipif(not can_mount(), reason="file systems can't be mounted here")


@needs_mounts
@pytest.mark.parametrize("size", ["24k", "200k", "2m", "rest"])
def test_a_full_disk(size: str, clips: Clips, tmp_path: Path) -> None:
    """At the header, in the middle, and with room for all but what comes at the end."""
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
        assert os.statvfs(seen).f_bfree == os.statvfs(seen).f_blocks
        succeeds(engine, clips, folder)


@needs_mounts
def test_a_disk_with_just_enough_room(clips: Clips, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with Engine(prefix=small_disk("8m", disk)) as engine:
        seen = Path(f"/proc/{engine.process.pid}/root{disk}")
        for kind, (clip, options) in KINDS.items():
            target = disk / named(kind)
            # From the small one to the large one: the bytes are copied, and nothing stays behind.
            result = export(
                engine, clips[clip], "Passthrough", target,
                directoryForTemporaryFiles=str(tmp_path), **options,
            )
            assert result["status"] == "completed", result
            assert names(seen) == [named(kind)] and names(tmp_path) == ["disk"]
            assert (seen / named(kind)).stat().st_size == result["fileSize"]
            assert is_whole(seen / named(kind)), kind
            (seen / named(kind)).unlink()


def test_a_limit_of_the_process(clips: Clips, tmp_path: Path) -> None:
    """A file that may not grow is an error, and no signal that ends the process (SIGXFSZ)."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512 << 10, limits[1]))
    try:
        engine = Engine()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with engine:
        for kind, (clip, options) in KINDS.items():
            target = tmp_path / named(kind)
            result = export(engine, clips[clip], "Passthrough", target, **options)
            assert failure(result) == TOO_LARGE, kind
            assert names(tmp_path) == []
        succeeds(engine, clips, tmp_path)


# MARK: Calls that fail


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
    options = {"timeRange": {"start": 0, "duration": 1.5}}
    assert export(faulty, source, preset, target, **options)["status"] == "completed"
    assert is_whole(target)
    good = media(target)
    number, failures = 0, 0
    while True:
        target.unlink(missing_ok=True)
        isLasting = number % 3 != 0
        faulty.fail(READ, errno.EIO, after=number, forever=isLasting, inode=inode)
        result = export(faulty, source, preset, target, **options)
        hasStruck = faulty.heal()
        if result["status"] == "completed":
            # One failed read is got over by those who only want to know something and ask again.
            assert media(target) == good
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


# MARK: Names


@needs_mounts
def test_a_source_is_no_target(clips: Clips, tmp_path: Path) -> None:
    source = tmp_path / "in.mp4"
    shutil.copy(clips["small.mp4"], source)
    other, mount = tmp_path / "other", tmp_path / "mount"
    other.mkdir()
    mount.mkdir()
    os.symlink(source, other / "link.mp4")
    os.link(source, other / "hard.mp4")
    os.symlink(tmp_path, other / "folder")
    kept = digest(source)
    script = 'mount --bind "$0" "$1" && shift && exec "$@"'
    prefix = ["unshare", "-rm", "sh", "-c", script, str(tmp_path), str(mount)]
    with Engine(prefix=prefix) as engine:
        paths = [
            str(source), f"{tmp_path}/./in.mp4", f"{tmp_path}/other/../in.mp4",
            f"file://{source}", str(other / "link.mp4"), str(other / "hard.mp4"),
            str(other / "folder" / "in.mp4"), str(mount / "in.mp4"),
        ]
        for path in paths:
            before = engine.call("engine/stats")["bytesRead"]
            asset = open_asset(engine, source)
            for preset in ("Passthrough", "LowQuality"):
                session = engine.call(
                    "exportSession/create", asset=asset, preset=preset, outputURL=path
                )["exportSession"]
                before = engine.call("engine/stats")["bytesRead"]
                result = engine.call(
                    "exportSession/export", exportSession=session, completion="response"
                )
                assert failure(result) == EXISTS, path
                assert "the asset is made of" in result["error"]["message"], path
                # It is said before any work.
                assert engine.call("engine/stats")["bytesRead"] == before
        assert digest(source) == kept
    assert names(other) == ["folder", "hard.mp4", "link.mp4"]


def test_two_exports_to_one_target(clips: Clips, tmp_path: Path) -> None:
    with Engine() as engine:
        asset = open_asset(engine, clips["small.mp4"])
        for pair in range(50):
            target = tmp_path / f"{pair}.mp4"
            # One and the same file, called by two names.
            same = tmp_path / ".." / tmp_path.name / f"{pair}.mp4"
            started = [begin(engine, asset, "Passthrough", path)[1] for path in (target, same)]
            results = [engine.result(request) for request in started]
            assert sorted(result["status"] for result in results) == ["completed", "failed"]
            assert [failure(r) for r in results if r["status"] == "failed"] == [EXISTS]
        assert len(names(tmp_path)) == 50
        assert len({digest(path) for path in tmp_path.iterdir()}) == 1
        assert is_whole(target)


def test_links_that_somebody_plants(clips: Clips, tmp_path: Path) -> None:
    """Links to another file come and go where the target and temporary files are to be."""
    canary = tmp_path / "canary"
    canary.write_bytes(b"untouched")
    folder = tmp_path / "folder"
    folder.mkdir()
    isOver = threading.Event()

    def plant() -> None:
        while not isOver.is_set():
            try:
                os.symlink(canary, folder / "out.mp4")
                os.unlink(folder / "out.mp4")
            except OSError:
                pass

    thread = threading.Thread(target=plant)
    with Engine() as engine:
        thread.start()
        try:
            statuses = []
            for _ in range(60):
                result = export(engine, clips["small.mp4"], "Passthrough", folder / "out.mp4")
                statuses.append(result["status"])
                if result["status"] == "failed":
                    assert failure(result) == EXISTS
                else:
                    (folder / "out.mp4").unlink(missing_ok=True)
        finally:
            isOver.set()
            thread.join()
    assert canary.read_bytes() == b"untouched"
    assert "failed" in statuses
    assert all(name == "out.mp4" for name in names(folder))


@pytest.mark.parametrize("name", ["a b", "ä\n\"'", "-x", "%d", "file:x", "pipe:1", "100%|a,b"])
def test_odd_names(name: str, clips: Clips, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with Engine("--root", str(tmp_path), "--root", str(clips.folder)) as engine:
        target = folder / f"{name}.mp4"
        result = export(
            engine, clips["small.mp4"], "Passthrough", target, shouldOptimizeForNetworkUse=True
        )
        assert result["status"] == "completed", result
        assert names(folder) == [f"{name}.mp4"]
        assert is_whole_by_descriptor(target)


def is_whole_by_descriptor(path: Path) -> bool:
    """For names of which ffmpeg would make something else."""
    with path.open("rb") as file:
        command = ["ffmpeg", "-v", "error", "-xerror", "-i", f"/dev/fd/{file.fileno()}"]
        result = subprocess.run(
            [*command, "-f", "null", "-"], pass_fds=[file.fileno()], capture_output=True
        )
    return result.returncode == 0 and not result.stderr


def test_folders_that_are_of_no_use(clips: Clips, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "sub.mp4").mkdir(parents=True)
    (tmp_path / "file").write_bytes(b"")
    cases: Dict[str, Dict[str, Any]] = {
        # target: the code, and where temporary files are to lie
        "missing/out.mp4": {"code": -11863},
        "file/out.mp4": {"code": -11863},
        "folder/sub.mp4": {"code": -11823},
        "folder/out.mp4": {"code": -11863, "temporary": "missing"},
        "folder/out2.mp4": {"code": -11863, "temporary": "file"},
    }
    if os.path.isdir("/proc/1"):
        cases["/proc/1/out.mp4"] = {"code": None}
    with Engine() as engine:
        for path, case in cases.items():
            options = {}
            if "temporary" in case:
                options["directoryForTemporaryFiles"] = str(tmp_path / case["temporary"])
            before = engine.call("engine/stats")["bytesRead"]
            asset = open_asset(engine, clips["small.mp4"])
            session = engine.call(
                "exportSession/create", asset=asset, preset="Passthrough",
                outputURL=str(tmp_path / path), **options,
            )["exportSession"]
            before = engine.call("engine/stats")["bytesRead"]
            result = engine.call(
                "exportSession/export", exportSession=session, completion="response"
            )
            assert case["code"] in (None, failure(result)[0]), result
            assert engine.call("engine/stats")["bytesRead"] == before
        assert names(folder) == ["sub.mp4"] and names(folder / "sub.mp4") == []
        succeeds(engine, clips, make(tmp_path / "good"))


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder


@needs_mounts
def test_a_file_system_that_can_only_be_read(clips: Clips, tmp_path: Path) -> None:
    disk, folder = make(tmp_path / "disk"), make(tmp_path / "folder")
    script = 'mount -t tmpfs -o ro none "$0" && exec "$@"'
    with Engine(prefix=["unshare", "-rm", "sh", "-c", script, str(disk)]) as engine:
        for target, temporary in [(disk, None), (disk, folder), (folder, disk)]:
            options = {"directoryForTemporaryFiles": str(temporary)} if temporary else {}
            result = export(
                engine, clips["small.mp4"], "Passthrough", target / "out.mp4", **options
            )
            assert failure(result) == (-11884, "sandboxExtensionDenied")
            assert result["error"]["data"]["libav"]["code"] == "EROFS"
        assert names(folder) == []
        succeeds(engine, clips, folder)


# MARK: Ends


@pytest.mark.parametrize("isNamed", [False, True])
def test_killed_at_any_time(isNamed: bool, clips: Clips, shared: Path, tmp_path: Path) -> None:
    """The target is absent or complete; what has a temporary name is gone after the next export."""
    times = random.Random(int(isNamed))
    preset, source = "LowQuality", clips["small.mp4"]
    with FaultyEngine(shared) as engine:
        start = time.monotonic()
        export(engine, source, preset, tmp_path / "first.mp4")
        length = time.monotonic() - start
        (tmp_path / "first.mp4").unlink()
    left, completed = 0, 0
    for number in range(50):
        engine = FaultyEngine(shared)
        engine.faults.named = isNamed
        target = tmp_path / f"{number}.mp4"
        begin(engine, open_asset(engine, source), preset, target)
        time.sleep(times.uniform(0, length * 1.2))
        engine.process.send_signal(signal.SIGKILL)
        engine.process.wait()
        # The pipe's end is closed with the object's.
        engine.process.stdin.close() if engine.process.stdin else None
        if target.exists():
            assert is_whole(target), number
            completed += 1
            target.unlink()
        remains = names(tmp_path)
        left += len(remains)
        # At most the one of this run: each run sweeps what the one before has left.
        assert len(remains) <= 1 and all(name.endswith(".reelwire-partial") for name in remains)
    assert isNamed or left == 0
    assert not isNamed or left > 0
    with FaultyEngine(shared) as engine:
        succeeds(engine, clips, tmp_path)


@pytest.mark.parametrize("way", ["SIGTERM", "EOF"])
def test_ended_with_a_named_file(way: str, clips: Clips, shared: Path, tmp_path: Path) -> None:
    engine = FaultyEngine(shared)
    engine.faults.named = True
    begin(engine, open_asset(engine, clips["big.mp4"]), "HighestQuality", tmp_path / "out.mp4")
    while not names(tmp_path):
        time.sleep(0.001)
    if way == "EOF":
        assert engine.close() == 1
    else:
        engine.process.terminate()
        assert engine.process.wait(timeout=10) == 0
        engine.close()
    assert names(tmp_path) == []


def test_what_others_write_is_not_swept(clips: Clips, shared: Path, tmp_path: Path) -> None:
    """A temporary file whose writer lives stays, and so does whatever only looks like one."""
    (tmp_path / ".notes.partial").write_bytes(b"mine")
    with FaultyEngine(shared) as engine, Engine() as other:
        engine.faults.named = True
        asset = open_asset(engine, clips["big.mp4"])
        session, request = begin(engine, asset, "HighestQuality", tmp_path / "long.mp4")
        while len(names(tmp_path)) < 2:
            time.sleep(0.001)
        result = export(other, clips["small.mp4"], "Passthrough", tmp_path / "short.mp4")
        assert result["status"] == "completed"
        remains = names(tmp_path)
        assert len(remains) == 3 and remains[0].startswith(".long.mp4."), remains
        assert engine.result(request)["status"] == "completed"
    assert names(tmp_path) == [".notes.partial", "long.mp4", "short.mp4"]
    assert is_whole(tmp_path / "long.mp4")


def test_cancelled_at_any_time(clips: Clips, faulty: FaultyEngine, tmp_path: Path) -> None:
    """One end for each export; cancelled without a file, or completed with a whole one."""
    times = random.Random(5)
    source = clips["small.mp4"]
    presets = ("Passthrough", "LowQuality")
    lengths = {}
    for preset in presets:
        start = time.monotonic()
        export(faulty, source, preset, tmp_path / "first.mp4")
        lengths[preset] = time.monotonic() - start
        (tmp_path / "first.mp4").unlink()
    counts = {"completed": 0, "cancelled": 0}
    asset = open_asset(faulty, source)
    for number in range(200):
        preset = presets[number % 2]
        faulty.faults.named = number % 3 == 0
        target = tmp_path / f"{number}.mp4"
        session, request = begin(
            faulty, asset, preset, target, shouldOptimizeForNetworkUse=number % 4 == 0
        )
        # At once, at some time, and when it is over.
        delay = times.uniform(0, lengths[preset] * 1.2)
        time.sleep(0 if number % 10 < 2 else delay * (3 if number % 10 == 9 else 1))
        faulty.call("exportSession/cancel", exportSession=session)
        result = faulty.result(request, timeout=10)
        status = faulty.call("exportSession/status", exportSession=session)["status"]
        assert status == result["status"]
        if status == "cancelled":
            assert result["error"]["code"] == -11878
            assert not target.exists()
        else:
            assert status == "completed"
            assert is_whole(target)
            target.unlink()
        counts[status] += 1
        assert names(tmp_path) == []
        faulty.call("handle/close", handle=session)
    faulty.faults.named = False
    faulty.call("handle/close", handle=asset)
    assert min(counts.values()) > 10, counts
    succeeds(faulty, clips, tmp_path)
