"""Opus out of Core Audio files, which have no header of it: FFmpeg's decode of the file is the oracle."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from conftest import Program, ffmpeg

RATE = 48000


def samples(path: Path) -> bytes:
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "s16le", "-"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def core_audio(path: Path, channels: int) -> bytes:
    noise = f"anoisesrc=d=1.5:a=0.3:seed=3:r={RATE}"
    ffmpeg(["-f", "lavfi", "-i", noise, "-ac", channels, "-c:a", "libopus", path])
    return path.read_bytes()


@pytest.mark.parametrize("form", ["mp4", "ogg", "mkv"])
@pytest.mark.parametrize("channels", [1, 2])
def test_opus_without_a_header_is_copied(program: Program, channels: int, form: str) -> None:
    source = program.folder / "in.caf"
    core_audio(source, channels)
    program.ok("export", "in.caf", f"out.{form}", "--preset", "Passthrough")
    made = samples(program.folder / f"out.{form}")
    assert len(made) > RATE * channels and made == samples(source)


@pytest.mark.parametrize("form", ["mp4", "ogg", "mkv"])
def test_the_priming_of_opus_is_copied(program: Program, form: str) -> None:
    source = program.folder / "in.caf"
    data = bytearray(core_audio(source, 2))
    expected = samples(source)
    place = data.find(b"pakt") + 12
    count, valid, priming, remainder = struct.unpack(">QQII", data[place : place + 24])
    assert (priming, remainder) == (0, 0) and valid * 4 == len(expected)
    data[place : place + 24] = struct.pack(">QQII", count, valid - 312 - 200, 312, 200)
    source.write_bytes(data)
    program.ok("export", "in.caf", f"out.{form}", "--preset", "Passthrough")
    made, audible = samples(program.folder / f"out.{form}"), (valid - 512) * 4
    if form == "mp4":
        # FFmpeg doesn't end Opus with its edit.
        data = (program.folder / "out.mp4").read_bytes()
        list_ = data.find(b"elst")
        scale = struct.unpack(">I", data[data.find(b"mvhd") + 16 :][:4])[0]
        edits, duration, start = struct.unpack(">IIi", data[list_ + 8 : list_ + 20])
        assert (edits, duration * RATE // scale, start) == (1, valid - 512, 312)
        made = made[:audible]
    assert len(made) == audible
    assert made == expected[312 * 4 : -200 * 4]
