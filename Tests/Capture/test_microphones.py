"""Inputs of an audio server, of which each test has its own."""

from __future__ import annotations

import random
import subprocess
from array import array
from pathlib import Path
from typing import Iterator

import pytest

from engine import Engine, EngineError
from pulse_server import AudioServer, needs_audio_server
from sessions import Session
from waiting import HANG, eventually

pytestmark = needs_audio_server

MONITOR = "pulse:out.monitor"
FLOATS = {"audio": {"codec": "pcm_f32le"}}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AudioServer]:
    server = AudioServer(tmp_path)
    yield server
    server.kill()


def listening(server: AudioServer) -> Engine:
    environment = {"PULSE_SERVER": server.environment["PULSE_SERVER"]}
    return Engine("--allow-capture", "microphone", environment=environment)


def microphone(engine: Engine, *outputs: "dict[str, object]", **settings: object) -> Session:
    device = {"device": MONITOR, "settings": settings}
    return Session(engine, *outputs, clock="host", device=device)


def uses(server: AudioServer) -> int:
    """The number of streams that programs take from the server's inputs."""
    return len((server.asked("list", "short", "source-outputs") or "").splitlines())


def noise(folder: Path) -> Path:
    """Two seconds of floats that are nowhere alike, and never silent."""
    path = folder / "noise.f32"
    source = random.Random(1)
    samples = array("f", (source.randint(1, 32767) / 32768 for _ in range(2 * 96_000)))
    path.write_bytes(samples.tobytes())
    return path


def test_they_are_listed(server: AudioServer) -> None:
    with listening(server) as engine:
        found = engine.call("capture/devices", mediaType="audio")
        devices = {device["uniqueID"]: device for device in found["devices"]}
        device = devices[MONITOR]
        assert (device["transport"], device["isMonitor"]) == ("pulse", True)
        assert device["formats"] == [
            {
                "index": 0, "mediaType": "audio", "sampleFormat": "f32", "sampleRate": 48000,
                "channels": 2,
            }
        ]  # fmt: skip
        assert found["unavailable"] == []


def test_without_permission_or_a_server(server: AudioServer) -> None:
    environment = {"PULSE_SERVER": server.environment["PULSE_SERVER"]}
    with Engine(environment=environment) as engine, pytest.raises(EngineError) as refused:
        microphone(engine)
    assert refused.value.code == -11852
    server.kill()
    with listening(server) as engine:
        (missing,) = engine.call("capture/devices", mediaType="audio")["unavailable"]
        assert missing["transport"] == "pulse" and "audio server" in missing["reason"]
        with pytest.raises(EngineError) as refused:
            microphone(engine)
        assert refused.value.code == -11814


def test_what_is_heard_is_in_the_file_bit_for_bit(server: AudioServer, tmp_path: Path) -> None:
    path = noise(tmp_path)
    # On a busy machine the server may leave a gap: one exact recording shows that none is ours.
    for attempt in range(6):
        recorded = tmp_path / f"{attempt}.wav"
        with listening(server) as engine:
            session = microphone(engine, {"type": "audioFile"}, driftCorrection=False)
            session.record(recorded, settings=FLOATS)
            session.wait("captureOutput/didStartRecording")
            play = ["pacat", "--raw", "--format=float32le", "--rate=48000", "--channels=2"]
            subprocess.run(
                [*play, "-d", "out", str(path)], check=True, env=server.environment, timeout=HANG
            )
            session.call("stopRecording")
            end = session.wait("captureOutput/didFinishRecording")
            assert end["status"] == "completed"
            session.stop()
        facts = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(recorded), "-f", "f32le", "-c", "copy", "-"],
            check=True, capture_output=True,
        )  # fmt: skip
        (track,) = end["tracks"]
        assert len(facts.stdout) == 8 * (track["written"] + track["inserted"])
        if path.read_bytes() in facts.stdout:
            return
    pytest.fail("none of six recordings holds what was played")


@pytest.mark.parametrize("corrected", [True, False])
@pytest.mark.parametrize("limit", [0.75, 1.333])
def test_the_longest_duration_is_exact(
    server: AudioServer, tmp_path: Path, limit: float, corrected: bool
) -> None:
    path = tmp_path / "a.wav"
    with listening(server) as engine:
        session = microphone(engine, {"type": "audioFile"}, driftCorrection=corrected)
        session.record(path, settings=FLOATS, maxRecordedDuration=limit)
        end = session.wait("captureOutput/didFinishRecording")
        session.stop()
    assert end["error"]["data"]["name"] == "maximumDurationReached"
    assert end["recordingSuccessfullyFinished"] and end["isPlainMovie"]
    data = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-f", "f32le", "-c", "copy", "-"],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    assert len(data) == 8 * round(limit * 48_000)
    recorded = end["recordedDuration"]
    assert abs(recorded["value"] / recorded["timescale"] - limit) < 1 / 48_000
    (track,) = end["tracks"]
    assert track["written"] + track["inserted"] in range(len(data) // 8 - 2, len(data) // 8 + 3)
    assert track["dropped"] == {"late": 0, "outOfBuffers": 0, "discontinuity": 0}


def test_a_server_that_dies_is_waited_for(server: AudioServer) -> None:
    with listening(server) as engine:
        session = microphone(engine, {"type": "audioData", "mode": "push"})
        session.wait("captureOutput/didOutput")
        server.kill()
        gone = session.wait("captureSession/wasInterrupted")
        assert gone["reason"] == "serverGone" and gone["captureInput"] == session.input
        server.start()
        session.wait("captureSession/interruptionEnded")
        heard = len(session.of("captureOutput/didOutput"))
        session.wait("captureOutput/didOutput", heard + 1)
        session.stop()


def test_an_input_that_is_gone_and_back(server: AudioServer) -> None:
    arguments = ("sink_name=other", "rate=48000", "channels=2", "format=float32le")
    module = server.load("module-null-sink", *arguments)
    with listening(server) as engine:
        device = {"device": "pulse:other.monitor", "settings": {}}
        output = {"type": "audioData", "mode": "push"}
        session = Session(engine, output, clock="host", device=device)
        # Another input, so that the session continues.
        session.configure({"add": "input", "device": MONITOR, "connect": "none"})
        session.wait("captureOutput/didOutput")
        server.unload(module)

        def is_connected() -> bool:
            state = engine.call("captureSession/state", captureSession=session.handle)
            return bool(state["inputs"][0]["isConnected"])

        eventually("an input that is gone", lambda: not is_connected())
        server.load("module-null-sink", *arguments)
        eventually("an input that is back", is_connected)
        session.stop()


def test_the_device_is_free_after_each_stop(server: AudioServer) -> None:
    with listening(server) as engine:
        for _ in range(50):
            session = microphone(engine, {"type": "audioData", "mode": "push"})
            assert uses(server) == 1
            session.stop()
            assert uses(server) == 0
            session.close()
