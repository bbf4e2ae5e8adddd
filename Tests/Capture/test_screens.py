"""Screens of an X server, of which each test has its own."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterator

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


def captured(
    engine: Engine, display: Display, *outputs: "dict[str, str]", isStarted: bool = True,
    **more: Any,
) -> Session:
    device = {"device": display.id, "settings": {}, **more}
    return Session(engine, *outputs, clock="host", device=device, isStarted=isStarted)


def photographed(session: Session, path: Path, output: int = 0) -> bytes:
    """The pixels that a photo of a session has: red, green and blue."""
    taken = session.call(
        "capturePhoto", output, format="png", delivery="inline", completion="response"
    )
    path.write_bytes(base64.b64decode(taken["blob"]["data"]))
    return pixels("-i", str(path))


def pixels(*source: str) -> bytes:
    return subprocess.run(
        ["ffmpeg", "-v", "error", *source]
        + ["-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
        check=True, capture_output=True,
    ).stdout  # fmt: skip


def grabbed(display: Display, *options: str) -> bytes:
    """The pixels as ffmpeg captures them."""
    return pixels("-f", "x11grab", "-draw_mouse", "0", *options, "-i", f":{display.number}")


def resize(display: Display, size: str) -> None:
    environment = {**os.environ, "DISPLAY": f":{display.number}"}
    subprocess.run(
        ["xrandr", "--output", "screen", "--off", "--fb", size], check=True, env=environment
    )


needs_xrandr = pytest.mark.skipif(not shutil.which("xrandr"), reason="xrandr isn't installed")


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
    # Their background is a pattern. The program that it is compared with can't do without MIT-SHM.
    display = Display("322x242x24", "-retro", *arguments)
    other = Display("322x242x24", "-retro")
    try:
        wanted = grabbed(other)
        with looking(display) as engine:
            session = captured(engine, display, {"type": "photo"})
            seen = photographed(session, tmp_path / "a.png")
            session.stop()
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


# MARK: Parts, the cursor, sizes


@pytest.fixture
def pattern() -> Iterator[Display]:
    """A screen whose background is a pattern."""
    display = Display("322x242x24", "-retro")
    yield display
    display.kill()


def test_a_part_of_a_screen(pattern: Display, tmp_path: Path) -> None:
    with looking(pattern) as engine:
        crop = {"x": 31, "y": 17, "width": 100, "height": 60}
        session = captured(engine, pattern, {"type": "photo"}, crop=crop)
        (resolved,) = session.made["resolved"]
        assert (resolved["format"]["width"], resolved["format"]["height"]) == (100, 60)
        wanted = grabbed(pattern, "-grab_x", "31", "-grab_y", "17", "-video_size", "100x60")
        assert photographed(session, tmp_path / "a.png") == wanted
        # All of the rest, up to the last pixel.
        session.configure(
            {"set": {"captureInput": session.input, "crop": {"x": 222, "y": 142, "width": 100,
                                                             "height": 100}}}
        )  # fmt: skip
        wanted = grabbed(pattern, "-grab_x", "222", "-grab_y", "142", "-video_size", "100x100")
        assert photographed(session, tmp_path / "b.png") == wanted
        session.stop()


def test_the_cursor_is_in_the_pictures_for_who_wants_it(pattern: Display, tmp_path: Path) -> None:
    wanted = grabbed(pattern)
    with_cursor = pixels("-f", "x11grab", "-draw_mouse", "1", "-i", f":{pattern.number}")
    assert with_cursor != wanted
    with looking(pattern) as engine:
        session = captured(engine, pattern, {"type": "photo"}, capturesCursor=True)
        assert photographed(session, tmp_path / "a.png") == with_cursor
        session.configure({"set": {"captureInput": session.input, "capturesCursor": False}})
        assert photographed(session, tmp_path / "b.png") == wanted
        # At the edge of a part there is a part of it.
        crop = {"x": 161, "y": 121, "width": 60, "height": 60}
        session.configure(
            {"set": {"captureInput": session.input, "capturesCursor": True, "crop": crop}}
        )
        part = [
            with_cursor[3 * (322 * line + 161) : 3 * (322 * line + 221)] for line in range(121, 181)
        ]  # fmt: skip
        assert photographed(session, tmp_path / "c.png") == b"".join(part)
        session.stop()


def test_the_cursor_needs_its_extension() -> None:
    display = Display("320x240x24", "-extension", "XFIXES")
    try:
        with looking(display) as engine:
            session = captured(
                engine, display, {"type": "photo"}, isStarted=False, capturesCursor=True
            )
            error = session.start()["error"]
            assert error["code"] == -11844 and "XFixes" in error["message"]
    finally:
        display.kill()


def test_pictures_in_another_size(pattern: Display, tmp_path: Path) -> None:
    with looking(pattern) as engine:
        session = captured(engine, pattern, MOVIE, {"type": "photo"}, scaleFactor=0.5)
        (resolved,) = session.made["resolved"]
        # Half of each is odd.
        assert (resolved["format"]["width"], resolved["format"]["height"]) == (162, 122)
        assert len(photographed(session, tmp_path / "a.png", 1)) == 3 * 162 * 122
        session.record(tmp_path / "a.mov", maxRecordedDuration=0.5)
        session.wait("captureOutput/didFinishRecording")
        (stream,) = probe(tmp_path / "a.mov")["streams"]
        assert (stream["width"], stream["height"]) == (162, 122)
        session.stop()


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"crop": {"x": 300, "y": 0, "width": 100, "height": 60}}, -11861),
        ({"crop": {"x": 0, "y": 0, "width": 99, "height": 60}}, -32602),
        ({"crop": {"x": -2, "y": 0, "width": 100, "height": 60}}, -32602),
        ({"scaleFactor": 0}, -32602),
    ],
)
def test_what_no_screen_can(display: Display, values: "dict[str, Any]", code: int) -> None:
    with looking(display) as engine, pytest.raises(EngineError) as refused:
        captured(engine, display, MOVIE, **values)
    assert refused.value.code == code


def test_other_devices_are_no_screens(engine: Engine) -> None:
    with pytest.raises(EngineError) as refused:
        Session(engine, MOVIE, device={"capturesCursor": True})
    assert refused.value.code == -11861


def test_a_server_without_shared_memory_is_noted() -> None:
    display = Display("320x240x24", "-extension", "MIT-SHM")
    try:
        with looking(display) as engine:
            engine.call("engine/setLogLevel", level="notice")
            session = captured(engine, display, {"type": "photo"})
            note = session.wait("engine/log")
            assert session.input in note["message"] and "MIT-SHM" in note["message"]
            session.stop()
    finally:
        display.kill()


@needs_xrandr
def test_another_size_ends_the_recording_and_not_the_session(tmp_path: Path) -> None:
    display = Display("640x480x24")
    try:
        with looking(display) as engine:
            session = captured(engine, display, MOVIE, {"type": "photo"})
            session.record(tmp_path / "a.mov")
            session.wait("captureOutput/didStartRecording")
            resize(display, "320x240")
            end = session.wait("captureOutput/didFinishRecording")
            assert end["error"]["code"] == -11806 and end["recordingSuccessfullyFinished"]
            assert probe(tmp_path / "a.mov")["streams"][0]["width"] == 640
            while not (changes := [change for change in session.of("captureSession/didChange")
                                   if "resolved" in change])[1:]:  # fmt: skip
                engine.receive()
                session.take()
            (resolved,) = changes[-1]["resolved"]
            assert (resolved["format"]["width"], resolved["format"]["height"]) == (320, 240)
            assert len(photographed(session, tmp_path / "a.png", 1)) == 3 * 320 * 240
            session.record(tmp_path / "b.mov", maxRecordedDuration=0.5)
            session.wait("captureOutput/didFinishRecording", 2)
            assert probe(tmp_path / "b.mov")["streams"][0]["width"] == 320
            session.stop()
    finally:
        display.kill()


@needs_xrandr
def test_a_part_that_is_outside_now_is_waited_for(tmp_path: Path) -> None:
    display = Display("640x480x24")
    try:
        with looking(display) as engine:
            crop = {"x": 400, "y": 300, "width": 100, "height": 100}
            session = captured(engine, display, MOVIE, crop=crop)
            # Another input, so that the session continues.
            session.configure({"add": "input", "device": "synthetic:1", "connect": "none"})
            session.record(tmp_path / "a.mov")
            session.wait("captureOutput/didStartRecording")
            resize(display, "320x240")
            end = session.wait("captureOutput/didFinishRecording")
            assert end["error"]["code"] == -11806
            while session.copy()["inputs"][0]["isConnected"]:
                engine.receive()
            resize(display, "640x480")
            session.wait("captureSession/interruptionEnded")
            assert session.copy()["inputs"][0]["isConnected"]
            session.stop()
    finally:
        display.kill()


@needs_xrandr
def test_another_size_is_observed() -> None:
    display = Display("640x480x24")
    try:
        with looking(display) as engine:
            engine.call("capture/observeDevices", isObserving=True)
            resize(display, "320x240")
            session = Session(engine, {"type": "photo"})
            (changed,) = session.wait("capture/didChangeDevices")["changed"]
            assert changed["uniqueID"] == display.id
            assert changed["formats"][0]["width"] == 320
    finally:
        display.kill()
