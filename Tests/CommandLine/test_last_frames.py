"""A last frame of which a track shows only a part: copies and exports end with the track, and not with the frame."""

import json
import struct
import subprocess
from pathlib import Path

import pytest
from conftest import Program, ffmpeg

SOURCE = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2", "-pix_fmt", "yuv420p", "-c:v", "libx264"]


def cut(path: Path, milliseconds: int) -> None:
    """Has the movie and its track end so early, by its edit list and both headers."""
    movie = bytearray(path.read_bytes())
    edit, header, track = (movie.index(kind) for kind in (b"elst", b"mvhd", b"tkhd"))
    assert struct.unpack(">I", movie[edit + 8 : edit + 12]) == (1,)
    (scale,) = struct.unpack(">I", movie[header + 16 : header + 20])
    for place in (edit + 12, header + 20, track + 24):
        movie[place : place + 4] = struct.pack(">I", milliseconds * scale // 1000)
    path.write_bytes(movie)


def seconds(path: Path) -> float:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_entries", "format=duration", str(path)]
    return float(json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["format"]["duration"])


@pytest.mark.parametrize("b_frames", [0, 2])
@pytest.mark.parametrize("preset", ["Passthrough", "LowQuality"])
@pytest.mark.parametrize("extension", ["mp4", "mov", "mkv"])
def test_an_export_ends_with_the_track(
    program: Program, tmp_path: Path, extension: str, preset: str, b_frames: int
) -> None:
    source, made = tmp_path / "source.mp4", program.folder / f"made.{extension}"
    ffmpeg([*SOURCE, "-bf", b_frames, "-use_editlist", 1, source])
    cut(source, 1970)
    assert seconds(source) == 1.97
    program.ok("export", str(source), str(made), "--preset", preset)
    assert seconds(made) == pytest.approx(1.97, abs=0.0011)
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0"]
    assert subprocess.run([*command, str(made)], check=True, capture_output=True).stdout.split() == [b"50"]


@pytest.mark.parametrize("preset", ["Passthrough", "LowQuality"])
@pytest.mark.parametrize("milliseconds, shown", [(1970, "0.01 s"), (2100, "0.14 s")])
def test_what_a_transport_stream_does_not_state_is_listed(
    program: Program, tmp_path: Path, milliseconds: int, shown: str, preset: str
) -> None:
    source = tmp_path / "source.mp4"
    ffmpeg([*SOURCE, "-bf", 0, "-use_editlist", 1, source])
    program.ok("export", str(source), "whole.ts", "--preset", preset)
    cut(source, milliseconds)
    ended = program("export", str(source), "made.ts", "--preset", preset)
    assert ended.returncode == 0
    assert f"which is shown for {shown}, is played for 0.04 s".encode() in ended.stderr
    # The pictures are all there, and the last one lasts as long as the others.
    assert seconds(program.folder / "made.ts") == seconds(program.folder / "whole.ts")
