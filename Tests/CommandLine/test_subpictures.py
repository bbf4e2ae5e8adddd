"""Subtitles of DVDs (VobSub), whose containers don't state how long they are shown."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import List, Optional, Tuple

import pytest

from conftest import Program

# The presentation time of each, and its duration in units of 1,024 ticks of 90 kHz.
CUES = [(1000, 132), (4000, 175), (8000, 149)]


def subpicture(units: int, height: int) -> bytes:
    """A picture of 16 columns of one colour, shown at once and until the date."""
    lines = b"\x00\x01" * (height // 2)
    area = bytes([0, 0, 15, 0, (height - 1) >> 8, (height - 1) & 255])
    commands = b"\x03\x32\x10\x04\xff\xf0\x05" + area + b"\x06" + struct.pack(">HH", 4, 4 + len(lines)) + b"\x01\xff"
    control = 4 + 2 * len(lines)
    end = control + 4 + len(commands)
    sequences = struct.pack(">HH", 0, end) + commands + struct.pack(">HH", units, end) + b"\x02\xff"
    return struct.pack(">HH", end + 6, control) + 2 * lines + sequences


def pack(ticks: int) -> bytes:
    """The header of a pack of a program stream (ISO/IEC 13818-1, 2.5.3.3)."""
    clock = 1 << 46 | (ticks >> 30 & 7) << 43 | 1 << 42 | (ticks >> 15 & 0x7FFF) << 27 | 1 << 26
    clock |= (ticks & 0x7FFF) << 11 | 1 << 10 | 1
    return b"\x00\x00\x01\xba" + clock.to_bytes(6, "big") + (10080 << 2 | 3).to_bytes(3, "big") + b"\xf8"


def packet(data: bytes, ticks: Optional[int]) -> bytes:
    head = b"\x81\x00\x00"
    if ticks is not None:
        stamp = [0x21 | ticks >> 29 & 14, ticks >> 22 & 255, ticks >> 14 & 254 | 1, ticks >> 7 & 255]
        head = b"\x81\x80\x05" + bytes(stamp + [(ticks & 127) << 1 | 1])
    return b"\x00\x00\x01\xbd" + struct.pack(">H", len(head) + 1 + len(data)) + head + b"\x20" + data


def vobsub(height: int) -> bytes:
    """A `.sub` file: packs of 2,048 bytes."""
    file = b""
    for milliseconds, units in CUES:
        data, ticks = subpicture(units, height), milliseconds * 90
        first: Optional[int] = ticks
        while data:
            room = 2048 - 14 - (15 if first is not None else 10)
            part, data = data[:room], data[room:]
            piece = pack(ticks) + packet(part, first)
            if len(piece) + 6 <= 2048:
                rest = 2048 - len(piece) - 6
                piece += b"\x00\x00\x01\xbe" + struct.pack(">H", rest) + b"\xff" * rest
            file, first = file + piece, None
    return file


def times(path: Path) -> Tuple[List[Tuple[float, float]], float]:
    """The presentation time and duration of each sample, and the duration of the file, as ffprobe has it."""
    command = ["ffprobe", "-v", "error", "-show_packets", "-show_format", "-of", "json", str(path)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packets = [
        (float(packet["pts_time"]), float(packet.get("duration_time", 0)))
        for packet in found["packets"]
        if int(packet["size"]) > 4
    ]
    return packets, float(found["format"]["duration"])


@pytest.mark.parametrize("height", [8, 400, 1400], ids=["small", "one pack", "several packs"])
def test_a_subpicture_is_shown_as_long_as_it_states(program: Program, height: int) -> None:
    (program.folder / "in.sub").write_bytes(vobsub(height))
    facts = json.loads(program.ok("probe", "--json", "--precise", "in.sub"))
    lengths = [units * 1024 / 90000 for _, units in CUES]
    # The clock begins with the first one.
    starts = [(milliseconds - CUES[0][0]) / 1000 for milliseconds, _ in CUES]
    end = starts[-1] + lengths[-1]
    assert facts["duration"]["value"] / facts["duration"]["timescale"] == pytest.approx(end, abs=0.002)
    program.ok("export", "in.sub", "out.mkv", "--preset", "Passthrough")
    packets, duration = times(program.folder / "out.mkv")
    assert [start for start, _ in packets] == pytest.approx(starts, abs=0.001)
    assert [length for _, length in packets] == pytest.approx(lengths, abs=0.002)
    assert duration == pytest.approx(end, abs=0.002)
    # A sample of a movie lasts until the next one; the last one is there, and has its end.
    program.ok("export", "in.sub", "out.mp4", "--preset", "Passthrough")
    packets, duration = times(program.folder / "out.mp4")
    assert [start for start, _ in packets] == pytest.approx(starts, abs=0.001)
    assert packets[-1][1] == pytest.approx(lengths[-1], abs=0.002)
    assert duration == pytest.approx(end, abs=0.002)
