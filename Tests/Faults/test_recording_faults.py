"""Recordings while the disk fills, system calls fail and processes are killed, on a manual clock.

A recording has its name from the start: whichever way it ends, it plays up to its last fragment, and where
the engine can end it, it is a plain movie.
"""

from __future__ import annotations

import contextlib
import errno
import os
import random
import subprocess
from pathlib import Path
from typing import Any, Dict, Optional

import pytest

from engine import Engine, EngineError, binary
from support import (
    DISK_FULL,
    FLUSH,
    TOO_LARGE,
    WRITE,
    FaultyEngine,
    compiled,
    is_whole,
    kill,
    limited,
    make,
    names,
    needs_mounts,
    small_disk,
)
from waiting import HANG

RATE = 30
INTERVAL = 0.5


class Recording:
    """A session with a synthetic device that records to a file, on a manual clock."""

    def __init__(self, engine: Engine, target: Path, codec: str = "h264", **params: Any) -> None:
        self.engine, self.target = engine, target
        made = engine.call("captureSession/create", clock="manual")
        self.session = made["captureSession"]
        settings = {"width": 320, "height": 192, "frameRate": RATE}
        changes = [
            {"add": "input", "device": "synthetic:1", "settings": settings},
            {"add": "output", "type": "movieFile"},
        ]
        answer = engine.call(
            "captureSession/configure", captureSession=self.session, changes=changes)
        self.output = answer["outputs"][0]
        engine.call("captureSession/start", captureSession=self.session, completion="response")
        self.operation = engine.call(
            "captureOutput/startRecording", captureOutput=self.output, outputURL=str(target),
            movieFragmentInterval=INTERVAL, minFreeDiskSpaceLimit=0,
            settings={
                "video": {"codec": codec}, "audio": {"codec": "aac" if codec == "h264" else "pcm"},
            },
            **params,
        )["operation"]

    def advance(self, seconds: float, step: float = 0.25) -> None:
        for _ in range(round(seconds / step)):
            by = {"value": round(step * 1000), "timescale": 1000}
            self.engine.call("captureSession/advanceClock", captureSession=self.session, by=by)

    def finish(self) -> Dict[str, Any]:
        """Stops it unless it has ended, and returns its end."""
        with contextlib.suppress(EngineError):
            self.engine.call("captureOutput/stopRecording", captureOutput=self.output)
            self.advance(0.25)
        return self.ended()

    def ended(self) -> Dict[str, Any]:
        while True:
            message = self.engine.notification()
            if message["method"] == "captureOutput/didFinishRecording":
                break
        end = message["params"]
        assert end["operation"] == self.operation
        self.engine.call("handle/close", handle=self.session)
        return dict(end)


def pictures(path: Path) -> int:
    """The number of a file's frames that decode; 0 where it can't be opened."""
    command = ["ffprobe", "-v", "quiet", "-count_frames", "-select_streams", "v", "-show_entries",
               "stream=nb_read_frames", "-of", "csv=p=0", str(path)]
    probe = subprocess.run(command, capture_output=True, text=True, timeout=HANG)
    return int(probe.stdout) if probe.stdout.strip().isdigit() else 0


def failure(end: Dict[str, Any]) -> "tuple[int, str]":
    """The code and the name of the error that has ended a recording."""
    assert end["status"] == "failed", end
    assert end["error"]["data"]["hint"]
    return end["error"]["code"], end["error"]["data"]["name"]


def assert_left(end: Dict[str, Any], target: Path, seen: Optional[Path] = None) -> None:
    """The remains of a failed recording are as it reports."""
    path = seen or target
    if end["recordedFileSize"] == 0:
        assert not path.exists() and not end["recordingSuccessfullyFinished"]
        return
    assert path.stat().st_size == end["recordedFileSize"]
    video = next(track for track in end["tracks"] if track["mediaType"] == "video")
    assert is_whole(path)
    assert 0 < pictures(path) == video["written"]


@pytest.mark.parametrize("kind", ["mov", "mp4"])
def test_writes_that_fail(kind: str, faulty: FaultyEngine, tmp_path: Path) -> None:
    """The n-th write, for every n until none is left that could fail, alone and with all after it."""
    number, plain = 0, 0
    while True:
        target = tmp_path / f"{number}.{kind}"
        recording = Recording(faulty, target, "mjpeg" if kind == "mov" else "h264")
        faulty.fail(WRITE, errno.ENOSPC, after=number, forever=number % 2 == 0)
        recording.advance(2)
        end = recording.finish()
        if not faulty.heal():
            break
        assert failure(end) == DISK_FULL, number
        assert_left(end, target)
        plain += end["isPlainMovie"]
        number += 1
    assert number >= 4 and plain >= 1
    assert end["isPlainMovie"] and "error" not in end and is_whole(target)


def test_flushes_that_fail(faulty: FaultyEngine, tmp_path: Path) -> None:
    """A fragment counts once it is on the disk."""
    number = 0
    while True:
        target = tmp_path / f"{number}.mov"
        recording = Recording(faulty, target, "mjpeg")
        faulty.fail(FLUSH, errno.EIO, after=number)
        recording.advance(2)
        end = recording.finish()
        if not faulty.heal():
            break
        assert "error" in end
        assert_left(end, target)
        number += 1
    assert number >= 3 and end["isPlainMovie"]


@needs_mounts
def test_a_full_disk(tmp_path: Path) -> None:
    disk = make(tmp_path / "disk")
    with Engine(prefix=small_disk("2m", disk)) as engine:
        seen = Path(f"/proc/{engine.process.pid}/root{disk}")
        for name in ("a.mov", "b.mov"):
            recording = Recording(engine, disk / name, "mjpeg")
            recording.advance(20)
            end = recording.finish()
            assert failure(end) == DISK_FULL
            assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]
            assert_left(end, disk / name, seen / name)
            (seen / name).unlink()


@needs_mounts
def test_a_disk_with_too_little_space_is_refused_in_the_terms_of_the_command(tmp_path: Path) -> None:
    disk = make(tmp_path / "disk")
    command = [binary(), "record", disk / "a.mp4", "--synthetic", "--duration", "1"]
    ended = subprocess.run(
        [*small_disk("2m", disk), *command], capture_output=True, text=True, timeout=HANG
    )
    assert ended.returncode == 1 and "Less than 64 MiB is free" in ended.stderr
    assert ended.stderr.splitlines()[-1].strip() == "Free space on its disk, or record to another one."


def test_a_limit_of_the_process(tmp_path: Path) -> None:
    with limited(600 << 10) as engine:
        recording = Recording(engine, tmp_path / "a.mov", "mjpeg")
        recording.advance(20)
        end = recording.finish()
        assert failure(end) == TOO_LARGE
        assert end["recordingSuccessfullyFinished"]
        assert_left(end, tmp_path / "a.mov")


def test_killed_at_any_moment(shared: Path, tmp_path: Path) -> None:
    """All but the last interval and the frames in its encoder plays."""
    compiled(shared)
    moments = random.Random(3)
    for number in range(10):
        target = tmp_path / f"{number}.mov"
        engine = FaultyEngine(shared)
        # Without a delay of the encoder.
        recording = Recording(engine, target, "mjpeg" if number % 2 else "prores")
        length = round(moments.uniform(0.2, 5), 2)
        recording.advance(length, step=length)
        kill(engine)
        assert names(tmp_path) == [target.name]
        # Encoders that work on several pictures at once hold one for each core.
        assert pictures(target) >= int((length - INTERVAL) * RATE) - 4 - (os.cpu_count() or 1)
        target.unlink()
