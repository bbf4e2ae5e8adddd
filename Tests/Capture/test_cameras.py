"""Cameras that the test plays: their frames, and the use of these."""

from __future__ import annotations

import base64
import errno
import os
import random
import shutil
import struct
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

from engine import Engine, EngineError, binary
from played_camera import BUSY, DAMAGED, MONOTONIC, REFUSED, PlayedCamera, PlayedCameras
from sessions import Session, probe, seconds, times
from waiting import HANG, eventually

pytestmark = pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")

WIDTH, HEIGHT = 64, 48
STEP = 10_000
NAME = ("card Played Camera", "bus usb-0000:00:14.0-1")
# Sessions count a camera without a frame for ten frames' time as stalled: a minute each, for the tests aren't
# about that.
YUYV = f"format YUYV {WIDTH}x{HEIGHT} 60/1"
MJPG = f"format MJPG {WIDTH}x{HEIGHT} 60/1"
FAST = f"format YUYV {WIDTH}x{HEIGHT} 1/100,1/50"
ID = "v4l2:usb-0000:00:14.0-1"

# Bytes of a frame without padding, by the code.
SIZES = {
    "YUYV": ("yuyv422", 2), "UYVY": ("uyvy422", 2), "NV12": ("nv12", Fraction(3, 2)),
    "YU12": ("yuv420p", Fraction(3, 2)), "GREY": ("gray", 1), "RGB3": ("rgb24", 3),
    "BGR3": ("bgr24", 3),
}  # fmt: skip


@pytest.fixture
def cameras(tmp_path: Path) -> Iterator[PlayedCameras]:
    folder = tmp_path / "cameras"
    folder.mkdir()
    cameras = PlayedCameras(folder)
    yield cameras
    cameras.close()


@pytest.fixture
def engine(cameras: PlayedCameras) -> Iterator[Engine]:
    with Engine("--allow-capture", "camera", environment=cameras.environment) as engine:
        yield engine


def noise(number: int, size: int) -> bytes:
    return random.Random(number).randbytes(size)


def listed(engine: Engine) -> Tuple[List[Dict[str, Any]], List[Dict[str, Any]]]:
    found = engine.call("capture/devices", mediaType="video")
    cameras = [device for device in found["devices"] if device["transport"] == "v4l2"]
    return cameras, found["unavailable"]


def started(
    engine: Engine, camera: PlayedCamera, *outputs: Dict[str, Any], path: Optional[Path] = None
) -> Session:
    """A session whose camera runs; its first output records from the first frame on, where there is a path."""
    session = Session(
        engine, *outputs, clock="host", preset="inputPriority",
        device={"device": ID, "settings": {}}, isStarted=False,
    )  # fmt: skip
    if path:
        session.record(path)
    session.start()
    camera.wait_for_start()
    return session


def taken(session: Session, count: int = 1, output: int = 0) -> List[Dict[str, Any]]:
    """The next samples of an output."""
    found: List[Dict[str, Any]] = []
    while len(found) < count:
        found += session.call(
            "nextSampleBuffers", output, maxCount=count - len(found), timeoutMs=60_000
        )["sampleBuffers"]  # fmt: skip
    return found


def pixels(session: Session, sample: Dict[str, Any]) -> bytes:
    return base64.b64decode(sample["blob"]["data"])


DATA = {
    "type": "videoData", "alwaysDiscardsLateVideoFrames": False,
    "settings": {"delivery": "inline"},
}  # fmt: skip


# MARK: Listing


def test_it_is_listed(engine: Engine, cameras: PlayedCameras) -> None:
    cameras.add(*NAME, FAST, "format GREY 32x32 1/30,1/5 range", MJPG, number=5)
    (device,), unavailable = listed(engine)
    assert unavailable == []
    assert device["uniqueID"] == ID and device["localizedName"] == "Played Camera"
    assert device["isDefault"] and device["isConnected"] and not device["isInUse"]
    assert device["mediaTypes"] == ["video"]
    yuyv, mjpg, grey = sorted(device["formats"], key=lambda format: -len(format["pixelFormat"]))
    assert (yuyv["pixelFormat"], yuyv["width"], yuyv["height"]) == ("yuyv422", WIDTH, HEIGHT)
    durations = yuyv["frameDurations"]
    assert [seconds(time) for time in durations["values"]] == [Fraction(1, 100), Fraction(1, 50)]
    assert seconds(durations["min"]) * 100 == 1 and seconds(durations["max"]) * 50 == 1
    assert (mjpg["pixelFormat"], mjpg["codec"]) == ("yuv422p", "mjpeg")
    durations = grey["frameDurations"]
    assert "values" not in durations and "codec" not in grey
    assert (seconds(durations["min"]), seconds(durations["max"])) == (
        Fraction(1, 30), Fraction(1, 5),
    )  # fmt: skip


def test_a_twin_at_the_same_place_has_an_id_of_its_own(engine: Engine, cameras: PlayedCameras) -> None:
    for number in (2, 3):
        cameras.add(*NAME, YUYV, number=number)
    cameras.add("card Other", YUYV, number=9)
    devices, _ = listed(engine)
    assert [device["uniqueID"] for device in devices] == [ID, f"{ID}-1", "v4l2:video9"]
    assert [device["isDefault"] for device in devices] == [True, False, False]


def test_why_there_is_none(engine: Engine, cameras: PlayedCameras) -> None:
    devices, (missing,) = listed(engine)
    assert devices == [] and missing["transport"] == "v4l2"
    assert missing["reason"].startswith("there is no camera")
    cameras.add(*NAME, YUYV, f"fail OPEN {REFUSED}", number=1)
    devices, (missing,) = listed(engine)
    assert devices == []
    assert "/dev/video1" in missing["reason"] and "'video'" in missing["reason"]
    cameras.add(*NAME, "format H264 64x48 1/30", number=2)
    devices, (_, missing) = listed(engine)
    assert devices == [] and "no format that is known" in missing["reason"]
    # A device that is no camera is left out, and isn't a problem.
    cameras.add(*NAME, "fail QUERYCAP 25", number=3)
    assert len(listed(engine)[1]) == 2


def test_without_permission(cameras: PlayedCameras) -> None:
    cameras.add(*NAME, YUYV)
    with Engine("--allow-capture", "screen", environment=cameras.environment) as engine:
        devices, (missing,) = listed(engine)
        assert devices == [] and "--allow-capture camera" in missing["reason"]
        with pytest.raises(EngineError) as refused:
            Session(engine, DATA, clock="host", device={"device": ID, "settings": {}})
        assert refused.value.code == -11852


def test_changes_are_reported(engine: Engine, cameras: PlayedCameras) -> None:
    def changes(key: str) -> "List[Any]":
        while True:
            note = engine.notification()
            if note["method"] == "capture/didChangeDevices" and note["params"][key]:
                return list(note["params"][key])

    engine.call("capture/observeDevices", isObserving=True)
    camera = cameras.add(*NAME, YUYV)
    (added,) = changes("added")
    assert added["uniqueID"] == ID and added["formats"]
    camera.unplug()
    assert changes("removed") == [ID]
    camera.plug()
    assert [device["uniqueID"] for device in changes("added")] == [ID]


# MARK: Frames


@pytest.mark.parametrize("code", SIZES)
@pytest.mark.parametrize("padding", [0, 24])
def test_pixels_are_those_that_the_camera_brings(
    engine: Engine, cameras: PlayedCameras, code: str, padding: int
) -> None:
    name, bytes_per_pixel = SIZES[code]
    own = int(WIDTH * (bytes_per_pixel if code[:2] not in ("NV", "YU", "GR") or code == "YUYV" else 1))
    stride = own + padding
    camera = cameras.add(*NAME, f"format {code} {WIDTH}x{HEIGHT} 60/1", f"stride {stride}"
    )
    session = started(engine, camera, DATA)
    for number in range(3):
        planes = [(own, stride, HEIGHT)]
        if code == "NV12":
            planes.append((own, stride, HEIGHT // 2))
        if code == "YU12":
            planes += [(own // 2, stride // 2, HEIGHT // 2)] * 2
        sent, wanted = b"", b""
        for plane, (row, step, rows) in enumerate(planes):
            for line in range(rows):
                bytes_ = noise(number * 10_000 + plane * 1000 + line, row)
                sent += bytes_ + bytes(step - row)
                wanted += bytes_
        camera.send(sent, number * STEP)
        (sample,) = taken(session)
        assert sample["image"]["pixelFormat"] == name
        assert pixels(session, sample) == wanted
    session.stop()
    session.close()


def test_times_are_the_drivers_and_lost_frames_are_counted(
    engine: Engine, cameras: PlayedCameras, tmp_path: Path
) -> None:
    camera = cameras.add(*NAME, YUYV)
    session = started(engine, camera, {"type": "movieFile"}, path=tmp_path / "a.mov")
    frame = noise(1, WIDTH * HEIGHT * 2)
    camera.send(frame, 0)
    camera.send(frame, STEP)
    # Two are lost, one is short, one has an error, one is longer than its buffer.
    camera.send(frame, 4 * STEP, skip=2)
    camera.send(frame[:-1], 5 * STEP)
    camera.send(frame, 6 * STEP, flags=MONOTONIC | DAMAGED)
    camera.send(frame, 7 * STEP, used=1 << 24)
    camera.send(frame, 8 * STEP)
    # Its clock was set back.
    camera.send(frame, 3 * STEP)
    # Once the frame after it is in the file, it has been counted, too. A frame lasts for a minute until the next.
    camera.send(frame, 9 * STEP)
    end = 60 + Fraction(9 * STEP, 1_000_000)
    eventually(
        "the last frame",
        lambda: seconds(session.call("recordingState")["recordedDuration"]) >= end,
    )
    session.stop()
    (track,) = session.wait("captureOutput/didFinishRecording")["tracks"]
    assert track["written"] == 5
    assert track["dropped"] == {"late": 0, "outOfBuffers": 0, "discontinuity": 6}
    assert times(tmp_path / "a.mov") == [Fraction(n * STEP, 1_000_000) for n in (0, 1, 4, 8, 9)]
    session.close()


def test_other_clocks_are_not_taken_for_the_sessions(engine: Engine, cameras: PlayedCameras) -> None:
    camera = cameras.add(*NAME, YUYV)
    session = started(engine, camera, DATA)
    frame = noise(1, WIDTH * HEIGHT * 2)
    camera.send(frame, 0)
    (first,) = taken(session)
    # A time of day.
    camera.send(frame, 1_700_000_000_000_000, flags=0)
    (second,) = taken(session)
    passed = seconds(second["presentationTime"]) - seconds(first["presentationTime"])
    assert 0 < passed < 1_000_000
    session.close()


def jpeg(number: int, pixels: str, *more: str) -> bytes:
    return subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={WIDTH}x{HEIGHT}:r=10"]
        + ["-vf", f"trim=start_frame={number},scale=out_range=full,format={pixels}", *more]
        + ["-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg", "-"],
        check=True, capture_output=True,
    ).stdout  # fmt: skip


def decoded(image: bytes) -> bytes:
    return subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "mjpeg", "-i", "-", "-f", "rawvideo", "-"],
        input=image, check=True, capture_output=True,
    ).stdout  # fmt: skip


def test_jpegs_are_decoded_and_damaged_ones_dropped(
    engine: Engine, cameras: PlayedCameras, tmp_path: Path
) -> None:
    camera = cameras.add(*NAME, MJPG)
    session = started(engine, camera, {"type": "movieFile"}, DATA, path=tmp_path / "a.mov")
    images = [jpeg(number, "yuvj422p") for number in range(4)]
    cut = images[1][: len(images[1]) // 2]
    broken = bytearray(images[2])
    middle = len(broken) * 2 // 3
    broken[middle : middle + 40] = bytes(40)
    sent = [images[0], cut, bytes(broken), b"no picture", cut + b"\xff\xd9", images[3]]
    for number, image in enumerate(sent):
        camera.send(image, number * STEP)
    first, last = taken(session, 2, output=1)
    for sample, image in ((first, images[0]), (last, images[3])):
        assert sample["image"]["pixelFormat"] == "yuv422p"
        assert pixels(session, sample) == decoded(image)
        assert sample["image"]["color"]["range"] == "full"
    session.stop()
    (track,) = session.wait("captureOutput/didFinishRecording")["tracks"]
    assert (track["written"], track["dropped"]["discontinuity"]) == (2, 4)
    (stream,) = probe(tmp_path / "a.mov")["streams"]
    assert stream["color_space"] in ("bt470bg", "smpte170m")
    session.close()


def test_jpegs_of_other_kinds_become_the_same(engine: Engine, cameras: PlayedCameras) -> None:
    camera = cameras.add(*NAME, MJPG)
    session = started(engine, camera, DATA)
    for number, pixel_format in enumerate(["yuvj420p", "yuvj444p"]):
        image = jpeg(number, pixel_format)
        camera.send(image, number * STEP)
        (sample,) = taken(session)
        got = pixels(session, sample)
        # Luma stays as it is, with any conversion of the chroma.
        assert got[: WIDTH * HEIGHT] == decoded(image)[: WIDTH * HEIGHT]
        assert len(got) == WIDTH * HEIGHT * 2
    # One of another size is none of the format.
    camera.send(jpeg(2, "yuvj422p", "-s", "32x32"), 2 * STEP)
    camera.send(jpeg(3, "yuvj422p"), 3 * STEP)
    taken(session)
    (state,) = engine.call("captureSession/state", captureSession=session.handle)["inputs"]
    assert (state["captured"]["video"], state["dropped"]["discontinuity"]) == (3, 1)
    session.close()


def test_colours_are_those_that_the_driver_states(engine: Engine, cameras: PlayedCameras) -> None:
    # Of sRGB, with the matrix of BT.709, full range.
    camera = cameras.add(*NAME, YUYV, "colors 8 2 1 0")
    session = started(engine, camera, DATA)
    camera.send(noise(1, WIDTH * HEIGHT * 2), 0)
    (sample,) = taken(session)
    color = sample["image"]["color"]
    assert (color["primaries"], color["transfer"], color["matrix"]) == (
        "bt709", "iec61966-2-1", "bt709",
    )  # fmt: skip
    assert color["range"] == "full"
    session.close()


# MARK: Failures


@pytest.mark.parametrize("call", ["REQBUFS", "S_FMT", "STREAMON"])
def test_one_that_another_program_uses(engine: Engine, cameras: PlayedCameras, call: str) -> None:
    camera = cameras.add(*NAME, YUYV, f"fail {call} {BUSY}")
    (device,), _ = listed(engine)
    assert device["isInUse"] == (call == "REQBUFS")
    session = Session(
        engine, DATA, clock="host", device={"device": ID, "settings": {}}, isStarted=False
    )
    assert session.start()["error"]["code"] == -11815
    # It is free again.
    camera.describe(*NAME, YUYV)
    assert "error" not in session.start()
    session.close()


def test_one_that_its_bus_has_no_room_for(engine: Engine, cameras: PlayedCameras) -> None:
    cameras.add(*NAME, YUYV, f"fail STREAMON {errno.ENOSPC}")
    session = Session(
        engine, DATA, clock="host", device={"device": ID, "settings": {}}, isStarted=False
    )
    error = session.start()["error"]
    assert error["code"] == -11849 and "smaller format" in error["message"]
    session.close()


def test_unplugging_ends_recordings(engine: Engine, cameras: PlayedCameras, tmp_path: Path) -> None:
    camera = cameras.add(*NAME, YUYV)
    session = started(engine, camera, {"type": "movieFile"}, path=tmp_path / "a.mov")
    for number in range(5):
        camera.send(noise(number, WIDTH * HEIGHT * 2), number * STEP)
    session.wait("captureOutput/didStartRecording")
    camera.unplug()
    end = session.wait("captureOutput/didFinishRecording")
    assert end["error"]["code"] == -11808 and end["recordingSuccessfullyFinished"]
    assert session.wait("captureSession/didStop")["reason"] == "failed"
    assert len(session.of("captureSession/didFail")) == 1
    assert len(times(tmp_path / "a.mov")) == end["tracks"][0]["written"] == 5
    session.close()


def beside(engine: Engine, camera: PlayedCamera) -> Session:
    """A session that has another device, too, and continues without the camera."""
    session = Session(
        engine, DATA, clock="host", preset="inputPriority",
        device={"device": ID, "settings": {}}, isStarted=False,
    )  # fmt: skip
    other = {"device": "synthetic:1", "settings": {"video": False}, "connect": "none"}
    session.configure({"add": "input", **other})
    session.start()
    camera.wait_for_start()
    return session


def is_connected(session: Session) -> bool:
    state = session.engine.call("captureSession/state", captureSession=session.handle)
    return bool(state["inputs"][0]["isConnected"])


def test_one_that_comes_back_works_again(engine: Engine, cameras: PlayedCameras) -> None:
    camera = cameras.add(*NAME, YUYV)
    session = beside(engine, camera)
    frame = noise(1, WIDTH * HEIGHT * 2)
    camera.send(frame, 0)
    taken(session)
    camera.unplug()
    eventually("the camera's end", lambda: not is_connected(session))
    # At another number.
    again = cameras.add(*NAME, YUYV, number=7)
    again.wait_for_start()
    again.send(frame, 0)
    ended = session.wait("captureSession/interruptionEnded")
    assert ended["captureInput"] == session.input
    (sample,) = taken(session)
    assert pixels(session, sample) == frame
    session.close()


def bring(camera: PlayedCamera, frame: bytes) -> None:
    """Brings a frame; a camera that was silent for long is opened again."""
    try:
        camera.send(frame, 0)
    except (OSError, struct.error):
        camera.wait_for_start()
        camera.send(frame, 0)


def test_silence_is_a_stall_and_then_the_end(engine: Engine, cameras: PlayedCameras) -> None:
    camera = cameras.add(*NAME, FAST)
    session = beside(engine, camera)
    frame = noise(1, WIDTH * HEIGHT * 2)
    camera.send(frame, 0)
    stalled = session.wait("captureSession/wasInterrupted")
    assert (stalled["reason"], stalled["captureInput"]) == ("deviceStalled", session.input)
    bring(camera, frame)
    session.wait("captureSession/interruptionEnded")
    # It is gone, and its driver reports nothing of that.
    camera.hide()
    eventually("the camera's end", lambda: not is_connected(session))
    session.close()


def test_the_first_frame_never_comes(engine: Engine, cameras: PlayedCameras) -> None:
    session = started(engine, cameras.add(*NAME, FAST), DATA)
    assert session.wait("captureSession/didFail")["error"]["code"] == -11849
    assert session.wait("captureSession/didStop")["reason"] == "failed"
    session.close()


def test_it_is_closed_with_the_session(engine: Engine, cameras: PlayedCameras) -> None:
    camera = cameras.add(*NAME, YUYV)
    for _ in range(10):
        session = started(engine, camera, DATA)
        camera.send(noise(1, WIDTH * HEIGHT * 2), 0)
        session.stop()
        assert camera.device and camera.device.recv(8) == b""
        session.close()
    assert engine.call("handle/list")["handles"] == []


def test_durations_that_it_has_not_are_refused(engine: Engine, cameras: PlayedCameras) -> None:
    cameras.add(*NAME, FAST)
    with pytest.raises(EngineError) as refused:
        duration = {"value": 1, "timescale": 75}
        device = {"device": ID, "settings": {}, "minFrameDuration": duration}
        Session(engine, DATA, clock="host", device=device, isStarted=False)
    assert refused.value.code == -11861


def test_of_formats_with_one_size_the_one_that_has_the_rate(engine: Engine, cameras: PlayedCameras) -> None:
    sizes = ("YUYV 128x96 1/10", "YUYV 64x48 1/30", "MJPG 128x96 1/60,1/30")
    cameras.add(*NAME, *(f"format {size}" for size in sizes))

    def index(preset: str, **more: Any) -> int:
        device = {"device": ID, "settings": {}, **more}
        session = Session(
            engine, DATA, clock="host", preset=preset, device=device, isStarted=False
        )
        session.close()
        return int(session.made["resolved"][0]["format"]["index"])

    size = {"width": 128, "height": 96}
    assert index("high") == index("high", format=size) == 2
    assert index("high", minFrameDuration={"value": 1, "timescale": 10}) == 0
    assert index("high", minFrameDuration={"value": 1, "timescale": 10}, format=size) == 0
    assert index("inputPriority") == index("high", format=0) == 0
    assert index("high", format={"pixelFormat": "yuyv422"}) == 1


# MARK: The command line


def test_a_recording_by_the_command(cameras: PlayedCameras, tmp_path: Path) -> None:
    camera = cameras.add(*NAME, FAST)
    path = tmp_path / "a.mov"
    command = subprocess.Popen(
        [binary(), "record", str(path), "--camera", "default", "--duration", "0.05"],
        env={**os.environ, **cameras.environment}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    camera.wait_for_start()
    frame = noise(1, WIDTH * HEIGHT * 2)
    number = 0
    try:
        # Until the command closes it, for a recording begins when it is ready.
        while True:
            camera.send(frame, number * STEP)
            number += 1
    except (BrokenPipeError, ConnectionResetError, struct.error):
        pass
    output, _ = command.communicate(timeout=HANG)
    assert command.returncode == 0, output
    assert len(times(path)) == 5
