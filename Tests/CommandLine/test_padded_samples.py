"""Linear integers with fewer valid bits than they occupy: the expected samples are those that the test has written."""

from __future__ import annotations

import json
import struct
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import List

import pytest

from conftest import Program

RATE = 44100
COUNT = 2 * RATE
PCM = bytes.fromhex("0100000000001000800000aa00389b71")
# Sony's names of chunks end alike, but for that of the file.
NAMES = {name: name + bytes.fromhex("f3acd3118cd100c04f8edb8a") for name in (b"wave", b"fmt ", b"data")}
NAMES[b"riff"] = b"riff" + bytes.fromhex("2e91cf11a5d628db04c10000")


def values(bits: int) -> List[int]:
    """Numbers of all sizes that bits can have."""
    return [(number * 2654435761 >> 7) % 2**bits - 2 ** (bits - 1) for number in range(COUNT)]


def samples(bits: int, size: int, order: str = "little") -> bytes:
    return b"".join(
        (value << (size - bits)).to_bytes(size // 8, order, signed=True)  # type: ignore[arg-type]
        for value in values(bits)
    )


def layout(bits: int, size: int) -> bytes:
    block = size // 8
    header = struct.pack("<HHIIHHH", 0xFFFE, 1, RATE, RATE * block, block, size, 22)
    return header + struct.pack("<HI", bits, 4) + PCM


def wave(bits: int, size: int) -> bytes:
    data = samples(bits, size)
    # Chunks before and after the samples, of which one has a byte of padding.
    body = b"WAVE" + struct.pack("<4sI", b"junk", 3) + bytes(4) + struct.pack("<4sI", b"fmt ", 40)
    body += layout(bits, size) + struct.pack("<4sI", b"data", len(data)) + data
    body += struct.pack("<4sI", b"LIST", 16) + b"INFOINAM" + struct.pack("<I", 4) + b"Abc\0"
    return struct.pack("<4sI", b"RIFF", len(body)) + body


def long_wave(bits: int, size: int) -> bytes:
    data = samples(bits, size)
    body = b"WAVE" + struct.pack("<4sIQQQI", b"ds64", 28, 80 + len(data) + 28, len(data), COUNT, 0)
    body += struct.pack("<4sI", b"fmt ", 40) + layout(bits, size) + struct.pack("<4sI", b"data", 2**32 - 1) + data
    return struct.pack("<4sI", b"RF64", 2**32 - 1) + body


def sony_wave(bits: int, size: int) -> bytes:
    data = samples(bits, size)
    body = NAMES[b"wave"] + NAMES[b"fmt "] + struct.pack("<Q", 24 + 40) + layout(bits, size)
    body += NAMES[b"data"] + struct.pack("<Q", 24 + len(data)) + data
    return NAMES[b"riff"] + struct.pack("<Q", 24 + len(body)) + body


def core_audio(bits: int, size: int) -> bytes:
    data = samples(bits, size, "big")
    description = struct.pack(">d4sIIIII", RATE, b"lpcm", 0, size // 8, 1, 1, bits)
    head = struct.pack(">4sHH", b"caff", 1, 0) + struct.pack(">4sq", b"desc", 32) + description
    return head + struct.pack(">4sqI", b"data", 4 + len(data), 0) + data


FORMS = {"wav": wave, "rf64.wav": long_wave, "w64": sony_wave, "caf": core_audio}
SIZES = [(24, 32), (20, 32), (16, 32), (16, 24), (8, 16), (20, 24), (12, 16), (32, 32)]


def decoded(path: Path) -> List[int]:
    """Samples of 32 bits, by ffmpeg, of a file that it reads correctly."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "s32le", "-"]
    raw = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return list(struct.unpack(f"<{len(raw) // 4}i", raw))


def expected(bits: int) -> List[int]:
    return [value << (32 - bits) for value in values(bits)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("bits", "size"), SIZES)
def test_all_samples_are_the_stored_ones(program: Program, form: str, bits: int, size: int) -> None:
    name = f"in.{form}"
    (program.folder / name).write_bytes(FORMS[form](bits, size))
    shown = json.loads(program.ok("probe", "--json", name))
    track = shown["tracks"][0]
    for duration in (shown["duration"], track["timeRange"]["duration"]):
        assert Fraction(duration["value"], duration["timescale"]) == 2
    audio = track["formatDescriptions"][0]["audio"]
    # A container of PCM doesn't tell 8 bits from bits that fill a byte.
    assert (audio["bitsPerChannel"], audio["bytesPerFrame"]) == (bits, size // 8)
    program.ok("export", name, "encoded.wav", "--preset", "WAV")
    assert decoded(program.folder / "encoded.wav") == expected(bits)


@pytest.mark.parametrize("target", ["out.wav", "out.mkv"])
@pytest.mark.parametrize(("bits", "size"), SIZES)
def test_copies_are_cut_at_the_sample(program: Program, target: str, bits: int, size: int) -> None:
    (program.folder / "in.wav").write_bytes(wave(bits, size))
    program.ok("export", "in.wav", "whole.mkv", "--preset", "Passthrough")
    assert decoded(program.folder / "whole.mkv") == expected(bits)
    # In the middle of packets.
    cut = ["--start", "0.5", "--duration", "0.7"]
    ended = program("export", "in.wav", target, "--preset", "Passthrough", *cut)
    assert ended.returncode == 0 and b"sync sample" not in ended.stderr, ended.stderr
    assert decoded(program.folder / target) == expected(bits)[22050 : 22050 + 30870]
