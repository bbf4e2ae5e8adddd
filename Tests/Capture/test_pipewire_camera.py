"""A camera of PipeWire, as programs see it that know Video4Linux alone."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

import pytest

from engine import Engine
from pipewire_camera import PipeWireCamera, needs_pipewire
from sessions import Session, probe, times

pytestmark = needs_pipewire


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[PipeWireCamera]:
    folder = tmp_path / "pipewire"
    folder.mkdir()
    camera = PipeWireCamera(folder)
    yield camera
    camera.kill()


@pytest.fixture
def engine(camera: PipeWireCamera) -> Iterator[Engine]:
    with Engine("--allow-capture", "camera", environment=camera.preloading) as engine:
        yield engine


def captured(engine: Engine, *outputs: "dict[str, object]") -> Session:
    found = engine.call("capture/devices", mediaType="video")
    device = next(item for item in found["devices"] if item["transport"] == "v4l2")
    return Session(
        engine, *outputs, clock="host", preset="inputPriority",
        device={"device": device["uniqueID"], "settings": {}},
    )  # fmt: skip


def test_it_is_recorded_until_it_goes(
    engine: Engine, camera: PipeWireCamera, tmp_path: Path
) -> None:
    session = captured(engine, {"type": "movieFile"})
    (resolved,) = session.made["resolved"]
    format = resolved["format"]
    assert (format["pixelFormat"], format["width"], format["height"]) == ("yuyv422", 320, 240)
    path = tmp_path / "a.mov"
    session.record(path, maxRecordedDuration=1)
    (track,) = session.wait("captureOutput/didFinishRecording")["tracks"]
    assert track["written"] > 1 and len(times(path)) == track["written"]
    (stream,) = probe(path)["streams"]
    assert (stream["width"], stream["height"]) == (320, 240)

    session.record(tmp_path / "b.mov")
    session.wait("captureOutput/didStartRecording", 2)
    # It is gone without a word: nothing comes any more.
    camera.unplug()
    end = session.wait("captureOutput/didFinishRecording", 2)
    assert end["error"]["code"] == -11808 and end["recordingSuccessfullyFinished"]
    assert session.wait("captureSession/didStop")["reason"] == "failed"
    session.close()

    # It is another device of PipeWire's now.
    camera.plug()
    again = captured(engine, {"type": "videoData", "mode": "push"})
    again.wait("captureOutput/didOutput")
    again.close()
