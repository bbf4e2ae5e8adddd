"""Trims, last frames and joined files of program streams, and of other streams that libavformat divides into samples,
compared with ffprobe's and ffmpeg's reading."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import List

import pytest
from conftest import Program, ffmpeg

PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30000/1001:d=4"]
TONE = ["-f", "lavfi", "-i", "aevalsrc=sin(300*t*(5+t)):d=4:s=44100"]
MPEG2 = ["-c:v", "mpeg2video", "-g", 12, "-bf", 2, "-b:v", "1M"]
SOURCES = {
    "mp2.mpg": [*PICTURES, *TONE, *MPEG2, "-c:a", "mp2", "-f", "vob"],
    "ac3.mpg": [*PICTURES, *TONE, *MPEG2, "-c:a", "ac3", "-b:a", "160k", "-f", "vob"],
    "svcd.mpg": [*PICTURES, *TONE, *MPEG2, "-c:a", "mp2", "-b:a", "224k", "-f", "svcd"],
    "mp2.ts": [*PICTURES, *TONE, *MPEG2, "-c:a", "mp2", "-f", "mpegts"],
    "raw.mp2": [*TONE, "-c:a", "mp2", "-f", "mp2"],
    "raw.ac3": [*TONE, "-c:a", "ac3", "-f", "ac3"],
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    for name, options in SOURCES.items():
        ffmpeg([*options, folder / name])
    return folder


def digests(path: Path, kind: str) -> List[str]:
    """The digests of a track's packets, in their order."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", f"0:{kind}:0", "-c", "copy", "-f", "framemd5", "-"]
    lines = subprocess.run(command, check=True, capture_output=True).stdout.decode().splitlines()
    return [line.split(",")[5].strip() for line in lines if not line.startswith("#")]


def times(path: Path) -> List[float]:
    """The presentation times of the packets of audio."""
    command = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts_time", "-of", "json"]
    found = json.loads(subprocess.run([*command, path], check=True, capture_output=True).stdout)["packets"]
    return [float(packet["pts_time"]) for packet in found]


def beginning(path: Path) -> float:
    command = ["ffprobe", "-v", "error", "-show_entries", "format=start_time", "-of", "csv=p=0", path]
    return float(subprocess.run(command, check=True, capture_output=True).stdout)


@pytest.mark.parametrize("start", ["0.7", "1.31", "2", "2.5", "2.93"])
@pytest.mark.parametrize("name", SOURCES)
def test_a_part_has_the_whole_packets_of_the_source(program: Program, sources: Path, name: str, start: str) -> None:
    program.ok("export", str(sources / name), "part.mov", "-p", "Passthrough", "--start", start, "--duration", "0.9")
    part = program.folder / "part.mov"
    whole, copied = digests(sources / name, "a"), digests(part, "a")
    first = whole.index(copied[0])
    assert whole[first : first + len(copied)] == copied
    # Players drop the packets before time zero.
    moved = times(sources / name)[first] - times(part)[0]
    assert moved - beginning(sources / name) == pytest.approx(float(start), abs=0.002)
    steps = [b - a for a, b in zip(times(part), times(part)[1:])]
    assert max(steps) - min(steps) < 0.002
    decoded = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", part, "-map", "0:a", "-f", "null", "-"], check=True, capture_output=True
    )
    assert not decoded.stderr


def audio_length(path: Path) -> int:
    """The number of samples of mono audio that ffmpeg decodes."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"]
    return len(subprocess.run(command, check=True, capture_output=True).stdout) // 2


@pytest.mark.parametrize("b_frames", [0, 1, 2])
@pytest.mark.parametrize("size", ["64x48", "352x288"])
def test_joined_streams_follow_each_other(program: Program, size: str, b_frames: int) -> None:
    """A picture that is shown after others has no time where it doesn't begin a packet of its container."""
    one, joined, copy = (program.folder / name for name in ["one.vob", "joined.vob", "copy.mov"])
    pictures = ["-f", "lavfi", "-i", f"testsrc2=s={size}:r=25:d=1", "-c:v", "mpeg2video", "-bf", b_frames]
    ffmpeg(["-f", "lavfi", "-i", "sine=d=1:sample_rate=48000", *pictures, "-c:a", "ac3", "-f", "vob", one])
    joined.write_bytes(3 * one.read_bytes())
    program.ok("export", joined.name, copy.name, "--preset", "Passthrough")
    command = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "json"]
    found = json.loads(subprocess.run([*command, copy], check=True, capture_output=True).stdout)["packets"]
    shown = sorted(float(packet["pts_time"]) for packet in found)
    assert len(shown) == 75
    assert [b - a for a, b in zip(shown, shown[1:])] == pytest.approx(74 * [0.04], abs=0.0015)
    program.ok("export", joined.name, "all.wav")
    # The audio of a part is longer than its pictures: one packet of 1,536 samples overlaps the next part's.
    assert audio_length(program.folder / "all.wav") == pytest.approx(3 * audio_length(one), abs=2 * 1536)


@pytest.mark.parametrize("codec", ["mpeg1video", "mpeg2video"])
@pytest.mark.parametrize("container", ["mpeg", "vob"])
@pytest.mark.parametrize("group", [1, 12])
def test_the_last_picture_has_its_time(program: Program, codec: str, group: int, container: str) -> None:
    """Decoders of pictures that may be reordered return the last one at the end only."""
    pictures = ["-f", "lavfi", "-i", "testsrc2=s=352x288:r=25:d=1", "-c:v", codec, "-g", group]
    ffmpeg([*pictures, "-f", container, program.folder / "one.mpg"])
    for number, time in [(23, "0.93"), (24, "0.97")]:
        made = program.ok("image", "one.mpg", "-t", time, "-o", f"{number}.png", "--json")
        image = json.loads(made)
        image = image[0] if isinstance(image, list) else image
        actual = image["actualTime"]
        assert actual["value"] / actual["timescale"] == pytest.approx(number / 25, abs=1e-6)
