"""Devices are recorded: the synthetic one, by its own clock."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import BINARY, Program, environment
from pulse_server import AudioServer, needs_audio_server
from waiting import HANG
from x_server import Display, needs_x_server


#: Of the session's state.
CHANGE = "captureSession/didChange"


def streams(path: Path) -> List[Dict[str, Any]]:
    out = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)],
        check=True, capture_output=True, timeout=HANG,
    ).stdout  # fmt: skip
    found: List[Dict[str, Any]] = json.loads(out)["streams"]
    return found


def test_a_recording_of_a_given_duration(program: Program) -> None:
    path = program.folder / "a.mp4"
    ended = program("record", str(path), "--synthetic", "--duration", "0.5", "--size", "320x240", "--fps", "25")
    assert ended.returncode == 0, ended.stderr
    video, audio = streams(path)
    assert (video["width"], video["height"], video["codec_name"]) == (320, 240, "h264")
    assert abs(float(video["duration"]) - 0.5) < 0.05 and audio["codec_name"] == "aac"
    assert b"a.mp4: 0.5" in ended.stderr
    # An existing file is never overwritten.
    again = program("record", str(path), "--synthetic", "--duration", "0.1")
    assert again.returncode == 1 and b"exists" in again.stderr
    path.unlink()


def test_audio_alone(program: Program) -> None:
    path = program.folder / "a.wav"
    ended = program("record", str(path), "--synthetic", "--duration", "0.25")
    assert ended.returncode == 0, ended.stderr
    (audio,) = streams(path)
    assert float(audio["duration"]) == pytest.approx(0.25, abs=1e-4)
    path.unlink()


@pytest.mark.parametrize("name", ["a.apng", "a.webp"])
def test_animated_images(program: Program, name: str) -> None:
    path = program.folder / name
    ended = program("record", name, "--synthetic", "--duration", "1", "--size", "64x48", "--fps", "10")
    assert ended.returncode == 0, ended.stderr
    assert b"left out: audio" in ended.stderr
    # Pillow reads both, and shows as many pictures for as long.
    pillow = pytest.importorskip("PIL.Image", reason="Pillow reads the animations")
    with pillow.open(path) as image:
        lengths = []
        for number in range(image.n_frames):
            image.seek(number)
            image.load()
            lengths.append(image.info["duration"])
        assert image.size == (64, 48)
    assert len(lengths) == 10 and sum(lengths) == pytest.approx(1000, abs=1)
    path.unlink()
    refused = program("record", name, "--synthetic", "--microphone", "default")
    assert refused.returncode == 2 and b"holds no audio" in refused.stderr


def test_a_maximum_size(program: Program) -> None:
    """A small file is filled, and one that nothing fits into is an error with the smallest size."""
    path = program.folder / "a.mp4"

    def record(size: str) -> "subprocess.CompletedProcess[bytes]":
        return program(
            "record", "a.mp4", "--synthetic", "--size", "320x240", "--fps", "25", "--duration", "2", "--max-size", size
        )

    ended = record("2000")
    assert ended.returncode == 1 and not path.exists()
    message = ended.stderr.decode()
    assert "Nothing can be recorded" in message and "whole up to there" not in message
    least = int(message.split("it has ")[1].split()[0])
    assert 2000 < least < 10_000
    for size, limit in ((str(least), least), ("12k", 12_000), ("16KiB", 16_384)):
        ended = record(size)
        assert ended.returncode == 0, ended.stderr
        assert path.stat().st_size <= limit
        subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-f", "null", "-"], check=True)
        path.unlink()
    # The reserve for the header is a few kilobytes.
    assert record("1M").returncode == 0
    whole = path.stat().st_size
    path.unlink()
    assert record(str(whole + 6000)).returncode == 0
    assert path.stat().st_size == whole
    path.unlink()
    assert b"1.5G" in record("much").stderr


def test_the_codecs_suit_the_file(program: Program) -> None:
    ended = program("record", "a.webm", "--synthetic", "--duration", "0.5", "--size", "64x48", "--fps", "25")
    assert ended.returncode == 0, ended.stderr
    assert [stream["codec_name"] for stream in streams(program.folder / "a.webm")] in (
        ["vp9", "opus"], ["vp8", "opus"], ["av1", "opus"],
    )  # fmt: skip
    (program.folder / "a.webm").unlink()
    for name in ("a.gif", "a.png", "a.srt"):
        refused = program("record", name, "--synthetic", "--duration", "0.5")
        message = refused.stderr.decode()
        assert refused.returncode == 1 and f"recorded into files of the type {name[2:]}" in message
        names = message.split("one of: ")[1].split(".")[0].split(", ")
        assert {"mp4", "webm", "wav", "webp", "apng"} <= set(names) and not {"gif", "srt"} & set(names)
        assert not (program.folder / name).exists()


def test_an_interrupt_ends_it_properly(program: Program) -> None:
    path = program.folder / "b.mp4"
    process = subprocess.Popen(
        [BINARY, "record", str(path), "--synthetic", "--json"], cwd=program.folder,
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    first = json.loads(process.stdout.readline())
    while first["method"] == CHANGE:
        first = json.loads(process.stdout.readline())
    assert first["method"] == "captureOutput/didStartRecording"
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=HANG)
    assert process.returncode == 0, errors
    events = [json.loads(line) for line in out.splitlines()]
    assert [event["method"].split("/")[1] for event in events if event["method"] != CHANGE] == [
        "willFinishRecording", "didFinishRecording",
    ]  # fmt: skip
    end = events[-1]["params"]
    assert end["isPlainMovie"] and end["recordedFileSize"] == path.stat().st_size
    subprocess.run(
        ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-f", "null", "-"], check=True
    )
    path.unlink()


def test_a_terminal_shows_how_far_it_is(program: Program) -> None:
    path = program.folder / "c.mp4"
    with program.in_terminal("record", str(path), "--synthetic") as terminal:
        terminal.wait("dropped")
        terminal.interrupt()
        terminal.wait("c.mp4: ")
        assert terminal.end() == 0
    assert len(streams(path)) == 2
    path.unlink()


def test_devices_are_listed(program: Program) -> None:
    listed = program("record", "--list")
    assert listed.returncode == 0
    assert "synthetic:1  Synthetic device 1  video, audio" in listed.stdout.decode()
    found = json.loads(program.ok("record", "--list", "--json"))
    assert {"devices", "unavailable"} == set(found)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["x.mp4"], 2, "Name a device"),
        ([], 2, "Name the file"),
        (["-", "--synthetic"], 2, "stdout"),
        (["x.mp4", "--synthetic", "--duration", "0"], 2, "--duration"),
        (["x.mp4", "--synthetic", "--size", "65x48"], 2, "even"),
        (["x.mp4", "--synthetic", "--size", "62x48"], 2, "an even number from 64"),
        (["x.mp4", "--synthetic", "--fps", "500"], 2, "240"),
        (["x.mp4", "--synthetic", "--cursor"], 2, "--screen"),
        (["x.mp4", "--synthetic", "--crop", "64x48+0+0"], 2, "--screen"),
        (["x.nothing", "--synthetic"], 2, "extension"),
        (["x.mp4", "--camera", "v4l2:none"], 1, "no device"),
        (["no/x.mp4", "--synthetic"], 1, "folder 'no'"),
    ],
)
def test_what_can_not_be_recorded(
    program: Program, arguments: List[str], status: int, message: str
) -> None:
    ended = program("record", *arguments)
    assert ended.returncode in (status, 1), ended.stderr
    assert message in ended.stderr.decode()
    assert not (program.folder / "x.mp4").exists()


@needs_audio_server
@needs_x_server
def test_devices_of_the_machine_are_the_defaults(program: Program, tmp_path: Path) -> None:
    path = program.folder / "d.mp4"
    server, display = AudioServer(tmp_path), Display()
    there = environment(PULSE_SERVER=server.environment["PULSE_SERVER"], DISPLAY=f":{display.number}")
    try:
        listed = program("record", "--list", env=there).stdout.decode()
        assert "pulse:out.monitor" in listed and display.id in listed
        chosen = ("--screen", "default", "--microphone", "default")
        ended = program("record", str(path), *chosen, "--duration", "0.5", env=there)
        assert ended.returncode == 0, ended.stderr
    finally:
        server.kill()
        display.kill()
    video, audio = streams(path)
    assert (video["width"], video["height"]) == (320, 240)
    assert (audio["sample_rate"], audio["channels"]) == ("48000", 2)
    path.unlink()


@needs_x_server
def test_a_part_of_a_screen_with_the_cursor(program: Program) -> None:
    path = program.folder / "part.mp4"
    display = Display("320x240x24", "-retro")
    there = environment(DISPLAY=f":{display.number}")
    pictures = []
    # The cursor of a server without clients is in the middle.
    part = ("--screen", "default", "--crop", "64x48+140+100", "--duration", "0.5")
    try:
        for options in ((), ("--cursor",)):
            ended = program("record", str(path), *part, *options, env=there)
            assert ended.returncode == 0, ended.stderr
            (video,) = streams(path)
            assert (video["width"], video["height"]) == (64, 48)
            read = ["ffmpeg", "-v", "error", "-i", str(path), "-frames:v", "1", "-pix_fmt", "gray"]
            luma = subprocess.run([*read, "-f", "rawvideo", "-"], check=True, capture_output=True)
            pictures.append(luma.stdout)
            path.unlink()
        assert max(abs(one - other) for one, other in zip(*pictures)) > 60
        ended = program("record", str(path), "--screen", "default", "--crop", "640x480+0+0", env=there)
        assert ended.returncode == 1 and "crop" in ended.stderr.decode()
    finally:
        display.kill()


def test_what_is_missing_is_listed_with_the_reason(program: Program) -> None:
    nowhere = environment(PULSE_SERVER="unix:/nonexistent", DISPLAY=":987")
    ended = program("record", "--list", env=nowhere)
    assert ended.returncode == 0 and b"synthetic:1" in ended.stdout
    complaints = ended.stderr.decode().splitlines()
    assert {line.split(":")[0] for line in complaints} >= {"pulse", "screen"}
    ended = program("record", "a.wav", "--microphone", "default", env=nowhere)
    assert ended.returncode == 1
    assert ended.stderr.decode().startswith("reelwire: There is no microphone\n  the audio server")


@needs_audio_server
def test_a_microphone_that_delivers_nothing(program: Program, tmp_path: Path) -> None:
    server = AudioServer(tmp_path)
    there = environment(PULSE_SERVER=server.environment["PULSE_SERVER"])
    path = program.folder / "silent.mp4"
    options = ("--synthetic", "--size", "64x48", "--microphone", "pulse:out.monitor", "--duration", "1")
    try:
        assert server.asked("suspend-sink", "out", "1") is not None
        ended = program("record", str(path), *options, env=there)
    finally:
        server.kill()
    lines = ended.stderr.decode().splitlines()
    assert ended.returncode == 1 and f"{path}: 1 s, " in ended.stderr.decode()
    assert lines[0] == "'pulse:out.monitor' brings nothing (deviceStalled)"
    assert lines[-1] == "'pulse:out.monitor' has brought nothing: the file has no audio of it"
    # That of the synthetic device.
    assert [stream["codec_type"] for stream in streams(path)] == ["video", "audio"]
