"""Tracks that FFmpeg 7 splits into many streams, and the memory that many streams take."""

from __future__ import annotations

import struct
import subprocess
from typing import Any

import pytest

from conftest import Program, ffmpeg
from test_heif import box, boxes

# A configuration that FFmpeg 7.1 writes: FLAC of 48 kHz, four substreams (two pairs, centre, LFE) that are 5.1.
CONFIGURATION = bytes.fromhex(
    "0174f80669616d660000002f00664c6143802400008000002212001200000a840017b20bb803700000bb803a7d99625f10e465719f42"
    "34da84d232080d01000004000102030020200402102a0201656e2d7573004d6978000101015375620000006480f7028000006480f702"
    "80000001840000000000"
)


def as_iamf(data: bytes, *path: str) -> bytes:
    """The boxes with the one sample description, at the end of the path, turned into one of IAMF."""
    result = b""
    for name, payload in boxes(data):
        if path and name == path[0]:
            payload = as_iamf(payload, *path[1:])
        elif name == "stsd" and not path:
            (_, entry), = boxes(payload[8:])
            payload = payload[:8] + box("iamf", entry[:28], box("iacb", CONFIGURATION))
        result += box(name, payload)
    return result


def test_iamf_is_one_track(program: Program) -> None:
    source: list[Any] = ["-f", "lavfi", "-i", "sine=d=1:r=48000", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1"]
    ffmpeg([*source, "-map", 0, "-c:a", "flac", "-strict", "-2", program.folder / "flac.mp4"])
    data = as_iamf((program.folder / "flac.mp4").read_bytes(), "moov", "trak", "mdia", "minf", "stbl")
    assert struct.pack(">I4s", len(CONFIGURATION) + 8, b"iacb") in data
    (program.folder / "scene.mp4").write_bytes(data)
    lines = [line.split() for line in program.ok("probe", "scene.mp4").splitlines()]
    assert [line[:3] for line in lines if line and line[0].isdigit()] == [["1", "audio", "iamf,"]]
    assert "can't be decoded" in program.ok("probe", "scene.mp4")
    program.fails(1, "export", "scene.mp4", "out.wav")
    assert not (program.folder / "out.wav").exists()


def test_many_tracks_take_little_memory(program: Program) -> None:
    """A demuxer reads each track, and probes all: since FFmpeg 7 with 0.7 MB for a stream of HEVC, here 650 MB."""
    clip, many = program.folder / "one.mkv", program.folder / "many.mkv"
    source: list[Any] = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=3", "-c:v", "libx265", "-g", 10]
    ffmpeg([*source, "-x265-params", "log-level=none", clip])
    ffmpeg(["-i", clip, *["-map", "0:0"] * 30, "-c", "copy", many])
    arguments = ["export", "many.mkv", "part.mkv", "--preset", "Passthrough", "--start", "1", "--duration", "1"]
    assert program.memory(*arguments) < 400_000
    command = ["ffmpeg", "-v", "error", "-i", str(program.folder / "part.mkv"), "-map", "0"]
    listed = subprocess.check_output([*command, "-f", "streamhash", "-hash", "md5", "-"], text=True).splitlines()
    assert len(listed) == 30 and len({line.split("=")[-1] for line in listed}) == 1


@pytest.mark.parametrize("type", ["mp4", "mov"])
def test_uncompressed_audio_without_a_layout_is_copied(program: Program, type: str) -> None:
    """As most WAV is. FFmpeg writes it into mp4 since 7, with a box of its channels."""
    wav, theirs = program.folder / "plain.wav", program.folder / f"theirs.{type}"
    ffmpeg(["-f", "lavfi", "-i", "sine=d=1", "-ac", 2, "-c:a", "pcm_s16le", "-fflags", "+bitexact", wav])
    assert wav.read_bytes()[20:22] == b"\x01\x00"
    copied = ["ffmpeg", "-v", "error", "-i", str(wav), "-c", "copy", str(theirs)]
    if subprocess.run(copied, capture_output=True).returncode != 0:
        pytest.skip("this FFmpeg doesn't write it")
    program.ok("export", "plain.wav", f"ours.{type}", "--preset", "Passthrough")
    hashes = [
        subprocess.check_output(["ffmpeg", "-v", "error", "-i", str(path), "-f", "streamhash", "-"])
        for path in (wav, program.folder / f"ours.{type}")
    ]
    assert hashes[0] == hashes[1]
