"""Screens of an X server, of which each test has its own."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

from engine import Engine, EngineError
from sessions import Session, probe, seconds, times, total
from x_server import Display, needs_x_server

pytestmark = needs_x_server

MOVIE = {"type": "movieFile"}


@pytest.fixture
def display() -> Iterator[Display]:
    display = Display()
    yield display
    display.kill()


def looking(display: Display) -> Engine:
    environment = {"DISPLAY": f":{display.number}"}
    return Engine("--allow-capture", "screen", environment=environment)


def captured(engine: Engine, display: Display, *outputs: "dict[str, str]") -> Session:
    device = {"device": display.id, "settings": {}}
    return Session(engine, *outputs, clock="host", device=device)


def test_it_is_listed(display: Display) -> None:
    with looking(display) as engine:
        found = engine.call("capture/devices", mediaType="screen")
        device = next(item for item in found["devices"] if item["transport"] == "screen")
        assert device["uniqueID"] == display.id and device["isDefault"]
        assert device["mediaTypes"] == ["screen"]
        (format,) = device["formats"]
        assert (format["width"], format["height"]) == (320, 240)
        assert format["pixelFormat"] == "bgr0"


def test_a_screen_that_never_changes_still_gives_frames(display: Display, tmp_path: Path) -> None:
    with looking(display) as engine:
        session = captured(engine, display, MOVIE)
        (resolved,) = session.made["resolved"]
        assert seconds(resolved["frameDuration"]) * 30 == 1
        path = tmp_path / "a.mov"
        session.record(path, maxRecordedDuration=1)
        end = session.wait("captureOutput/didFinishRecording")
        (track,) = end["tracks"]
        # One of each step of the second, unless the machine had no time for it, which is counted.
        assert track["written"] + total(track["dropped"]) > 1
        assert len(times(path)) == track["written"]
        assert probe(path)["streams"][0]["width"] == 320
        session.stop()


@pytest.mark.parametrize("arguments", [(), ("-extension", "MIT-SHM")])
def test_pixels_are_those_of_the_screen(tmp_path: Path, arguments: "tuple[str, ...]") -> None:
    # Their background is a pattern. What it is compared with can't do without MIT-SHM.
    display = Display("322x242x24", "-retro", *arguments)
    other = Display("322x242x24", "-retro")
    try:
        wanted = subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "x11grab", "-draw_mouse", "0", "-i"]
            + [f":{other.number}", "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
            check=True, capture_output=True,
        ).stdout  # fmt: skip
        with looking(display) as engine:
            photo = {"type": "photo"}
            session = captured(engine, display, photo)
            taken = session.call(
                "capturePhoto", format="png", delivery="inline", completion="response"
            )
            session.stop()
            (tmp_path / "a.png").write_bytes(base64.b64decode(taken["blob"]["data"]))
        seen = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(tmp_path / "a.png")]
            + ["-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
            check=True, capture_output=True,
        ).stdout  # fmt: skip
        assert seen == wanted and len(set(seen)) > 1
    finally:
        display.kill()
        other.kill()


def test_a_server_that_dies_ends_it_once(display: Display, tmp_path: Path) -> None:
    with looking(display) as engine:
        session = captured(engine, display, MOVIE)
        session.record(tmp_path / "a.mov")
        session.wait("captureOutput/didStartRecording")
        display.kill()
        end = session.wait("captureOutput/didFinishRecording")
        assert end["error"]["code"] == -11844
        assert session.wait("captureSession/didStop")["reason"] == "failed"
        assert len(session.of("captureSession/didFail")) == 1
        probe(tmp_path / "a.mov")


@pytest.mark.parametrize("depth", [16, 30])
def test_other_depths_are_refused_by_name(depth: int) -> None:
    display = Display(f"320x240x{depth}")
    try:
        with looking(display) as engine:
            found = engine.call("capture/devices", mediaType="screen")
            assert all(device["transport"] == "synthetic" for device in found["devices"])
            (missing,) = found["unavailable"]
            assert missing["transport"] == "screen" and f"depth is {depth}" in missing["reason"]
            with pytest.raises(EngineError) as refused:
                captured(engine, display, MOVIE)
            assert refused.value.code == -11814
    finally:
        display.kill()


def test_without_a_server() -> None:
    with Engine("--allow-capture", "screen", environment={"DISPLAY": ""}) as engine:
        (missing,) = engine.call("capture/devices", mediaType="screen")["unavailable"]
        assert (missing["transport"], missing["reason"]) == (
            "screen", "there is no X server: DISPLAY isn't set",
        )  # fmt: skip
