"""After any process's death: the file can be played, each recording has its end, and nothing else remains."""

from __future__ import annotations

import os
import random
import signal
import subprocess
from pathlib import Path
from typing import List

import pytest

from engine import Engine, EngineError
from processes import children_of, gone
from sessions import Session, device_process, numbers, probe
from waiting import HANG

MOVIE = {"type": "movieFile"}
KILLS = int(os.environ.get("REELWIRE_KILLS", "4"))


def recorded(session: Session, path: Path, interval: float = 0.5) -> str:
    """Records for a while on the system's clock: until two fragments are there."""
    recording = session.record(path, movieFragmentInterval=interval)
    session.wait("captureOutput/didStartRecording")
    session.call("observeLevels", interval=0.05)
    count = 1
    while path.read_bytes().count(b"moof") < 2:
        session.wait("captureOutput/didMeasureLevels", count)
        count += 1
    return recording


def playable(path: Path, size: "tuple[int, int]" = (640, 480)) -> int:
    """The number of frames of a file, which have to be contiguous."""
    found = numbers(path, size=size)
    assert found == list(range(found[0], found[0] + len(found)))
    return len(found)


def test_the_process_of_devices_is_killed(tmp_path: Path) -> None:
    with Engine() as engine:
        session = Session(engine, MOVIE, clock="host")
        path = tmp_path / "a.mp4"
        recording = recorded(session, path)
        killed = device_process(engine)
        os.kill(killed, signal.SIGKILL)
        session.wait("captureSession/didStop")
        names = session.names("didMeasureLevels")
        assert names == [
            "didStartRecording", "willFinishRecording", "didFinishRecording", "didFail", "didStop",
        ]  # fmt: skip
        end = session.end(recording)
        assert end["status"] == "failed" and end["error"]["data"]["name"] == "workerDied"
        assert end["recordingSuccessfullyFinished"] and not end["isPlainMovie"]
        assert end["recordedFileSize"] == path.stat().st_size
        assert playable(path) >= 15
        with pytest.raises(EngineError) as refused:
            session.call("recordingState")
        assert refused.value.data["name"] == "workerDied"
        session.close()
        # Another one is there at once.
        again = Session(engine, MOVIE)
        again.record(tmp_path / "b.mp4")
        again.advance(1)
        again.stop()
        assert playable(tmp_path / "b.mp4") == 30


def test_nothing_is_there_before_the_first_fragment(tmp_path: Path) -> None:
    with Engine() as engine:
        session = Session(engine, MOVIE, clock="host")
        recording = session.record(tmp_path / "a.mp4", movieFragmentInterval=60)
        session.wait("captureOutput/didStartRecording")
        os.kill(device_process(engine), signal.SIGKILL)
        session.wait("captureSession/didStop")
        assert not session.end(recording)["recordingSuccessfullyFinished"]


def test_the_caller_goes_away(tmp_path: Path) -> None:
    engine = Engine()
    session = Session(engine, MOVIE, clock="host")
    path = tmp_path / "a.mp4"
    recorded(session, path)
    assert engine.process.stdin
    engine.process.stdin.close()
    # It had a file that wasn't finished, and finishes it.
    assert engine.process.wait(HANG) == 1
    assert b"moof" not in probe(path)["format"]["format_name"].encode()
    (video, _) = probe(path)["streams"]
    assert int(video["nb_frames"]) == playable(path)


@pytest.mark.parametrize("victim", ["supervisor", "devices"])
def test_killed_at_random_moments(tmp_path: Path, victim: str) -> None:
    chance = random.Random(7)
    for turn in range(KILLS):
        engine = Engine()
        session = Session(engine, MOVIE, clock="host", width=64, height=48)
        path = tmp_path / f"{victim}{turn}.mp4"
        recorded(session, path, interval=0.2)
        for _ in range(chance.randrange(8)):
            session.wait("captureOutput/didMeasureLevels", len(session.of("captureOutput/didMeasureLevels")) + 1)
        workers = children_of(engine.process.pid)
        pid = engine.process.pid if victim == "supervisor" else device_process(engine)
        before = path.read_bytes().count(b"moof")
        os.kill(pid, signal.SIGKILL)
        engine.process.stdin and engine.process.stdin.close()
        engine.process.wait(HANG)
        gone(workers)
        # All but the last interval of 0.2 seconds, at 30 frames a second.
        assert playable(path, (64, 48)) >= (before - 1) * 6 - 1
        assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")] == []


def test_fifty_sessions_leave_nothing(engine: Engine) -> None:
    def open_files() -> int:
        return len(os.listdir(f"/proc/{device_process(engine)}/fd"))

    first = None
    # The process of devices stays while there is a session.
    kept = engine.call("captureSession/create")["captureSession"]
    for turn in range(50):
        session = Session(engine, {"type": "videoData"}, {"type": "photo"}, width=64, height=48)
        session.advance(0.1)
        session.close()
        if turn == 9:
            first = open_files()
    assert open_files() == first
    engine.call("handle/close", handle=kept)
    assert engine.call("handle/list")["handles"] == []
    assert engine.call("engine/stats")["leases"] == 0
