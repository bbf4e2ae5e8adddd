"""Audio that begins after its movie's start: the encoder's priming isn't heard before it."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import List, Tuple

import pytest

from conftest import Program, ffmpeg

RATE = 48000


def source(program: Program, name: str, seconds: float) -> None:
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-itsoffset", seconds]
        + ["-f", "lavfi", "-i", f"sine=440:r={RATE}:d=1", "-c:v", "libx264", "-bf", 0, "-c:a", "pcm_s16le"]
        + [program.folder / name]
    )


def decoded(path: Path) -> Tuple[float, int]:
    """The time of the first sample, as ffmpeg decodes it, and their number."""
    command = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "frame=pts,nb_samples:stream=time_base"]
    shown = json.loads(subprocess.check_output([*command, "-of", "json", path]))
    assert shown["streams"][0]["time_base"] == f"1/{RATE}"
    return shown["frames"][0]["pts"], sum(frame["nb_samples"] for frame in shown["frames"])


def edits(path: Path, handler: bytes) -> List[Tuple[float, int]]:
    """The edits of a track: durations in seconds, and times of the media."""
    data = path.read_bytes()
    movie = data[data.index(b"moov") :]
    header = movie.index(b"mvhd") + 4
    (clock,) = struct.unpack(">I", movie[header + 12 : header + 16])
    for track in movie.split(b"trak")[1:]:
        if b"hdlr\0\0\0\0\0\0\0\0" + handler in track or b"hdlr\0\0\0\0mhlr" + handler in track:
            place = track.index(b"elst") + 4
            version, count = track[place], struct.unpack(">I", track[place + 4 : place + 8])[0]
            form = ">qqI" if version else ">IiI"
            size = struct.calcsize(form)
            listed = (struct.unpack_from(form, track, place + 8 + size * index) for index in range(count))
            return [(duration / clock, time) for duration, time, _ in listed]
    raise AssertionError("no such track")


@pytest.mark.parametrize("seconds", [0.5, 0.01])
@pytest.mark.parametrize(
    ("target", "codec", "options"),
    [
        ("out.mp4", "aac", ""),
        ("out.mov", "aac", ""),
        ("out.mp4", "aac", "--faststart"),
        ("out.mp4", "alac", ""),
        ("out.mp4", "mp3", ""),
        ("out.mp4", "opus", ""),
    ],
)
def test_priming_is_hidden(program: Program, seconds: float, target: str, codec: str, options: str) -> None:
    source(program, "late.mov", seconds)
    program.ok("export", "late.mov", target, "--audio-codec", codec, *options.split())
    listed = edits(program.folder / target, b"soun")
    assert [time < 0 for _, time in listed] == [True, False]
    assert listed[0][0] == pytest.approx(seconds, abs=1e-6)
    if codec == "aac":
        assert listed[1] == (pytest.approx(1, abs=1e-6), 1024)
    # ffmpeg returns the whole last packet, as without the delay.
    source(program, "prompt.mov", 0)
    program.ok("export", "prompt.mov", f"prompt-{target}", "--audio-codec", codec, *options.split())
    first, count = decoded(program.folder / f"prompt-{target}")
    assert first == 0
    assert decoded(program.folder / target) == (round(seconds * RATE), count)
