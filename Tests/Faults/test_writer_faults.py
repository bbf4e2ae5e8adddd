"""Asset writers while the disk fills and system calls fail, and which are killed and cancelled.

A movie is complete or absent. One in fragments has its name from the start: an end of the engine leaves a
movie that plays, and a writer that fails or is cancelled removes it.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import random
import subprocess
from pathlib import Path
from typing import Any, Dict, Tuple

import pytest

from engine import Engine, EngineError
from support import (
    DISK_FULL,
    TOO_LARGE,
    WRITE,
    Clips,
    FaultyEngine,
    compiled,
    digest,
    failure,
    is_whole,
    kill,
    limited,
    make,
    names,
    needs_mounts,
    small_disk,
    succeeds,
)
from waiting import HANG, eventually

WIDTH, HEIGHT = 160, 96
NOISE = random.Random(1).randbytes(WIDTH * HEIGHT * 4)
KINDS: "Dict[str, Dict[str, Any]]" = {
    "mp4": {}, "mkv": {}, "faststart": {"shouldOptimizeForNetworkUse": True},
    "fragments": {"movieFragmentInterval": 0.2},
}


def started(engine: Engine, target: Path, **params: Any) -> Tuple[str, str]:
    """A writer of pictures that don't get smaller, and its input."""
    settings = {"codec": "h264", "width": WIDTH, "height": HEIGHT, "quality": 0.95,
                "maxKeyFrameInterval": 10}
    made = engine.call(
        "assetWriter/create", outputURL=str(target),
        inputs=[{"mediaType": "video", "outputSettings": settings}], **params,
    )
    try:
        engine.call("assetWriter/start", assetWriter=made["assetWriter"])
    except EngineError:
        engine.call("handle/close", handle=made["assetWriter"])
        raise
    engine.call("assetWriter/startSession", assetWriter=made["assetWriter"], sourceTime=0)
    return made["assetWriter"], made["inputs"][0]


def append(engine: Engine, into: str, number: int) -> None:
    image = {"pixelFormat": "rgb24", "width": WIDTH, "height": HEIGHT}
    place = number * 997 % (WIDTH * HEIGHT)
    pixels = base64.b64encode(NOISE[place : place + WIDTH * HEIGHT * 3]).decode()
    sample = {
        "presentationTime": {"value": number, "timescale": 25},
        "blob": {"kind": "inline", "data": pixels}, "image": image,
    }
    engine.call("assetWriter/append", input=into, sampleBuffers=[sample])


def finish(engine: Engine, writer: str) -> Dict[str, Any]:
    return engine.call("assetWriter/finish", assetWriter=writer, completion="response")


def write(engine: Engine, target: Path, count: int = 60, **params: Any) -> Dict[str, Any]:
    """Writes frames, and returns the final state of the writer."""
    try:
        writer, into = started(engine, target, **params)
    except EngineError as error:
        return {"status": "failed", "error": {"code": error.code, "data": error.data}}
    try:
        for number in range(count):
            append(engine, into, number)
        return finish(engine, writer)
    except EngineError:
        # A failed append is reported, and the writer has failed.
        state = engine.call("assetWriter/status", assetWriter=writer)
        assert state["status"] == "failed"
        for again in (lambda: append(engine, into, count), lambda: finish(engine, writer)):
            with pytest.raises(EngineError) as raised:
                again()
            assert raised.value.code == state["error"]["code"]
        return state
    finally:
        engine.call("handle/close", handle=writer)


def named(kind: str) -> str:
    return "out.mkv" if kind == "mkv" else "out.mp4"


def assert_left(folder: Path, kind: str) -> None:
    """After a failure nothing is left; of fragments the written ones, which is removed here."""
    if kind == "fragments":
        # A file without any is removed, which may be after the failure was reported.
        path = folder / named(kind)
        eventually("what was written, or nothing", lambda: not path.exists() or has_pictures(path))
        path.unlink(missing_ok=True)
    assert names(folder) == []


def has_pictures(path: Path) -> bool:
    """False for a file that can't be read, or goes meanwhile."""
    with contextlib.suppress(subprocess.CalledProcessError, ValueError):
        return pictures(path) > 0
    return False


@needs_mounts
@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk(kind: str, clips: Clips, tmp_path: Path) -> None:
    disk, folder = make(tmp_path / "disk"), make(tmp_path / "folder")
    with Engine(prefix=small_disk("256k", disk)) as engine:
        seen = Path(f"/proc/{engine.process.pid}/root{disk}")
        result = write(engine, disk / named(kind), **KINDS[kind])
        assert failure(result) == DISK_FULL
        assert_left(seen, kind)
        # A movie that fits is written.
        assert write(engine, disk / named(kind), 5, **KINDS[kind])["status"] == "completed"
        assert is_whole(seen / named(kind))
        succeeds(engine, clips, folder)


def test_a_limit_of_the_process(clips: Clips, tmp_path: Path) -> None:
    with limited(128 << 10) as engine:
        for kind, options in KINDS.items():
            assert failure(write(engine, tmp_path / named(kind), **options)) == TOO_LARGE, kind
            assert_left(tmp_path, kind)
        succeeds(engine, clips, tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_writes_that_fail(
    kind: str, clips: Clips, faulty: FaultyEngine, tmp_path: Path
) -> None:
    """The n-th write, for every n until none is left that could fail."""
    target, number = tmp_path / named(kind), 0
    while True:
        faulty.fail(WRITE, errno.ENOSPC, after=number, forever=number % 2 == 0)
        result = write(faulty, target, 15, **KINDS[kind])
        if not faulty.heal():
            break
        assert failure(result) == DISK_FULL, number
        assert_left(tmp_path, kind)
        number += 1
    assert number >= 1
    assert result["status"] == "completed" and is_whole(target)


@pytest.mark.parametrize("kind", KINDS)
def test_cancelled_at_any_time(kind: str, clips: Clips, tmp_path: Path) -> None:
    """Nothing is left, and no file that was there before is harmed."""
    target = tmp_path / named(kind)
    with Engine() as engine:
        for count in (0, 1, 7, 30):
            writer, into = started(engine, target, **KINDS[kind])
            for number in range(count):
                append(engine, into, number)
            engine.call("assetWriter/cancel", assetWriter=writer)
            with pytest.raises(EngineError) as raised:
                append(engine, into, count)
            assert raised.value.data["name"] == "operationCancelled"
            assert names(tmp_path) == []
            assert engine.call("assetWriter/status", assetWriter=writer)["status"] == "cancelled"
            engine.call("handle/close", handle=writer)
        target.write_bytes(b"kept")
        kept = digest(target)
        result = write(engine, target, 3, **KINDS[kind])
        assert result["error"]["data"]["name"] == "fileAlreadyExists"
        assert digest(target) == kept and names(tmp_path) == [target.name]
        target.unlink()
        succeeds(engine, clips, tmp_path)


@pytest.mark.parametrize("isNamed", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_killed_at_any_time(
    kind: str, isNamed: bool, clips: Clips, shared: Path, tmp_path: Path
) -> None:
    """A movie is absent; of one in fragments, the written fragments play."""
    compiled(shared)
    counts = (0, 1, 4, 11, 25, 40)
    played = []
    for count in counts:
        target = tmp_path / f"{count}-{named(kind)}"
        engine = FaultyEngine(shared)
        engine.faults.named = isNamed
        _, into = started(engine, target, **KINDS[kind])
        for number in range(count):
            append(engine, into, number)
        if kind == "fragments" and count == 40:
            # The encoder's progress with the others, by then, is chance.
            eventually("two fragments", lambda: target.read_bytes().count(b"moof") >= 2)
        kill(engine)
        if kind == "fragments":
            played.append(pictures(target))
            target.unlink()
        assert not target.exists()
    if kind == "fragments":
        # All but the frames that wait for their encoder and for their fragment's end.
        assert all(found <= count for found, count in zip(played, counts)) and played[-1] >= 5
    with Engine() as engine:
        succeeds(engine, clips, tmp_path)


def pictures(path: Path) -> int:
    """The number of frames in a movie's complete fragments, all of which decode; 0 where it hasn't begun.

    A process that is killed may be writing its last box, which is cut off here: it must be the last.
    """
    content = path.read_bytes()
    place = complete = 0
    while place + 8 <= len(content):
        size, kind = int.from_bytes(content[place : place + 4], "big"), content[place + 4 : place + 8]
        if size == 1:
            size = int.from_bytes(content[place + 8 : place + 16], "big")
        assert size >= 8 and kind in (b"ftyp", b"free", b"moov", b"moof", b"mdat"), (place, size, kind)
        place += size
        if kind in (b"moov", b"mdat") and place <= len(content):
            complete = place
    if complete == 0:
        return 0
    path.write_bytes(content[:complete])
    command = ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
               "stream=nb_read_frames", "-of", "csv=p=0", str(path)]
    probe = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True)
    assert not probe.stderr
    return int(probe.stdout) if probe.stdout.strip().isdigit() else 0