"""The shared parts of the fault tests: clips, an engine whose system calls fail, and the checks after each
failure."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

from engine import Engine
from faults import (
    DECODE,
    FLUSH,
    LINK,
    READ,
    SIGNAL,
    STALL,
    UNLINK,
    WRITE,
    FaultMemory,
    compiled,
)
from child_processes import children_of, gone
from waiting import HANG

__all__ = [
    "DECODE", "FLUSH", "LINK", "READ", "SIGNAL", "STALL", "UNLINK", "WRITE", "compiled",
]  # fmt: skip

# The errors of exports.
DISK_FULL = (-11807, "diskFull")
TOO_LARGE = (-11811, "maximumFileSizeReached")
EXISTS = (-11823, "fileAlreadyExists")
UNREADABLE = (-11849, "failedToLoadMediaData")
FAILED = (-11820, "exportFailed")


class FaultyEngine(FaultMemory, Engine):
    """An engine whose system calls fail as `fail` configures."""

    def __init__(self, folder: Path, *arguments: str, **options: Any) -> None:
        FaultMemory.__init__(self, folder)
        Engine.__init__(self, *arguments, environment=self.environment, **options)


def kill(engine: Engine) -> None:
    """Kills an engine in a way that it can't handle, and returns once its workers have ended, which they do
    on their own."""
    workers = children_of(engine.process.pid)
    engine.process.send_signal(signal.SIGKILL)
    engine.process.wait(HANG)
    # The pipe's end is closed with the object's.
    engine.process.stdin.close() if engine.process.stdin else None
    gone(workers)


def limited(file_size: int) -> Engine:
    """An engine that the system lets write no file of more bytes."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, limits[1]))
    try:
        return Engine()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def ffmpeg(*arguments: str) -> None:
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *arguments]
    subprocess.run(command, check=True, timeout=HANG)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_whole(path: Path) -> bool:
    """True if a file is complete: its facts are there and all of it decodes."""
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", str(path)], capture_output=True, timeout=HANG
    )
    decoding = subprocess.run(
        ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-f", "null", "-"],
        capture_output=True, timeout=HANG,
    )
    results = (probe, decoding)
    return all(result.returncode == 0 and not result.stderr for result in results)


def open_asset(engine: Engine, path: Path) -> str:
    return str(engine.call("asset/open", url=str(path))["asset"])


def begin(
    engine: Engine,
    asset: str,
    preset: str,
    target: Path,
    first: Callable[[], None] = lambda: None,
    **params: Any,
) -> "tuple[str, int]":
    """Makes a session and starts its export, which is answered when it ends; `first` is done between the two."""
    created = engine.call(
        "exportSession/create", asset=asset, preset=preset, outputURL=str(target), **params
    )
    session = created["exportSession"]
    first()
    request = engine.send(
        "exportSession/export", exportSession=session, progressInterval=0, completion="response"
    )
    return session, request


def export(
    engine: Engine, source: Path, preset: str, target: Path, **params: Any
) -> Dict[str, Any]:
    """Exports, and returns the contents of the terminal notification."""
    asset = open_asset(engine, source)
    session, request = begin(engine, asset, preset, target, **params)
    try:
        return engine.result(request)
    finally:
        engine.call("handle/close", handle=session)
        engine.call("handle/close", handle=asset)


def failure(result: Dict[str, Any]) -> "tuple[int, str]":
    """The code and the name of a failed export's error."""
    assert result["status"] == "failed", result
    assert "outputURL" not in result and "fileSize" not in result
    assert result["error"]["data"]["hint"]
    return result["error"]["code"], result["error"]["data"]["name"]


def names(folder: Path) -> List[str]:
    """Everything in a folder, hidden files too."""
    return sorted(os.listdir(folder))


class Clips:
    """A few seconds of noise, which needs much space, and of a test picture, which needs little."""

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


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder


def succeeds(engine: Engine, clips: Clips, folder: Path) -> None:
    """The engine is alive, and the operation that failed before works now."""
    target = folder / "next.mp4"
    assert export(engine, clips["small.mp4"], "Passthrough", target)["status"] == "completed"
    assert is_whole(target)
    target.unlink()
    assert names(folder) == []


def small_disk(size: str, folder: Path) -> List[str]:
    """A command that begins a program with a small file system at a folder, which only it can see."""
    script = 'mount -t tmpfs -o size=$0 none "$1" && shift && exec "$@"'
    return ["unshare", "-rm", "sh", "-c", script, size, str(folder)]


def can_mount() -> bool:
    command = [*small_disk("64k", Path("/mnt")), "true"]
    return subprocess.run(command, capture_output=True).returncode == 0


needs_mounts = pytest.mark.skipif(not can_mount(), reason="file systems can't be mounted here")
