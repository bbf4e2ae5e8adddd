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
from child_processes import children_of, gone
from pulse_server import AudioServer, needs_audio_server
from sessions import Session, device_process, numbers, probe, seconds
from test_microphones import listening, microphone, server  # noqa: F401
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
        stated = float(probe(path)["format"]["duration"])
        assert abs(seconds(end["recordedDuration"]) - stated) < 0.05
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


def wait_at_random(session: Session, chance: random.Random) -> None:
    for _ in range(chance.randrange(8)):
        count = len(session.of("captureOutput/didMeasureLevels"))
        session.wait("captureOutput/didMeasureLevels", count + 1)


@pytest.mark.parametrize("victim", ["client", "supervisor", "devices"])
def test_killed_at_random_moments(tmp_path: Path, victim: str) -> None:
    chance = random.Random(7)
    for turn in range(KILLS):
        engine = Engine()
        session = Session(engine, MOVIE, clock="host", width=64, height=48)
        path = tmp_path / f"{victim}{turn}.mp4"
        recorded(session, path, interval=0.2)
        wait_at_random(session, chance)
        workers = children_of(engine.process.pid)
        killed = {"supervisor": engine.process.pid, "devices": device_process(engine)}.get(victim)
        before = path.read_bytes().count(b"moof")
        if killed:
            os.kill(killed, signal.SIGKILL)
        # The ends of a client that has died are closed.
        engine.process.stdin and engine.process.stdin.close()
        engine.process.wait(HANG)
        gone(workers)
        # All but the last interval of 0.2 seconds, at 30 frames a second.
        assert playable(path, (64, 48)) >= (before - 1) * 6 - 1
        assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")] == []


@needs_audio_server
def test_the_audio_server_is_killed_at_random_moments(
    server: AudioServer, tmp_path: Path  # noqa: F811
) -> None:
    chance = random.Random(8)
    with listening(server) as engine:
        for turn in range(KILLS):
            session = microphone(engine, MOVIE)
            path = tmp_path / f"{turn}.m4a"
            recorded(session, path, interval=0.2)
            wait_at_random(session, chance)
            before = path.read_bytes().count(b"moof")
            server.kill()
            assert session.wait("captureSession/wasInterrupted")["reason"] == "serverGone"
            session.call("stopRecording")
            end = session.wait("captureOutput/didFinishRecording")
            assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]
            (track,) = end["tracks"]
            assert track["written"] + track["inserted"] >= (before - 1) * 48_000 // 5
            decoded = subprocess.run(
                ["ffmpeg", "-v", "error", "-i", str(path), "-f", "f32le", "-"], check=True, capture_output=True
            )
            assert decoded.stderr == b""
            # AAC's last packet may be longer than what was recorded.
            assert track["written"] + track["inserted"] <= len(decoded.stdout) // 8 + 1024
            session.close()
            server.start()
        assert engine.call("handle/list")["handles"] == []


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
