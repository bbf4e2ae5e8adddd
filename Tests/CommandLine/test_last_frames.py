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


def edit(path: Path, *entries: int) -> None:
    """Has each track show such a part of its media: pairs of the duration in milliseconds and the start in ticks."""
    movie = bytearray(path.read_bytes())
    (scale,) = struct.unpack(">I", movie[movie.index(b"mvhd") + 16 :][:4])
    durations, starts = entries[::2], entries[1::2]
    lists = tracks = 0
    for duration, start in zip(durations, starts):
        lists, tracks = movie.index(b"elst", lists + 4), movie.index(b"tkhd", tracks + 4)
        ticks = duration * scale // 1000
        movie[lists + 12 : lists + 20] = struct.pack(">Ii", ticks, start)
        movie[tracks + 24 : tracks + 28] = struct.pack(">I", ticks)
    header = movie.index(b"mvhd")
    movie[header + 20 : header + 24] = struct.pack(">I", max(durations) * scale // 1000)
    path.write_bytes(movie)


AUDIO = ["-f", "lavfi", "-i", "sine=duration=4:sample_rate=48000", "-c:a", "aac"]


@pytest.mark.parametrize("b_frames", [0, 2])
@pytest.mark.parametrize("start", [0, 1024, 25_600, 25_600 + 1024])
def test_the_last_picture_is_held_to_the_end_of_the_edit(
    program: Program, tmp_path: Path, b_frames: int, start: int
) -> None:
    """The edit lasts longer than its media; the audio's, too, of which nothing is damaged."""
    source = tmp_path / "source.mp4"
    picture = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=4"]
    coder = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", 12, "-video_track_timescale", 12_800]
    ffmpeg([*picture, *AUDIO, *coder, "-bf", b_frames, "-use_editlist", 1, source])
    edit(source, 5000, start, 5000, start * 48_000 // 12_800)
    entries = ["-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"]
    run = subprocess.run(["ffprobe", "-v", "error", *entries, str(source)], check=True, capture_output=True)
    packets = [line.split(",") for line in run.stdout.decode().splitlines()]
    last = max(float(time) for time, flags in packets if "D" not in flags)
    for preset in ("Passthrough", "LowQuality"):
        made = program.folder / f"{preset}.mp4"
        ended = program("export", str(source), str(made), "--preset", preset)
        assert ended.returncode == 0 and b"damaged" not in ended.stderr, ended.stderr
        assert seconds(made) == pytest.approx(5, abs=0.0011)
        for path in (source, made):
            shown = program("image", str(path), "--time", "4.5", "-o", f"{preset}-{path.stem}.png").stderr.decode()
            assert f"at 0:0{int(last)}.{round(last * 1000) % 1000:03}" in shown, shown


def test_an_edit_within_the_last_picture_shows_it(program: Program, tmp_path: Path) -> None:
    source = tmp_path / "source.mp4"
    picture = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=4"]
    ffmpeg([*picture, "-c:v", "mjpeg", "-video_track_timescale", 12_800, "-use_editlist", 1, source])
    edit(source, 1000, 50_900)
    for time in ("0", "0.9"):
        shown = program("image", str(source), "--time", time, "-o", f"{time}.png").stderr.decode()
        assert "frame 0 at 0:00.000" in shown, shown
    program.ok("export", str(source), "made.mp4", "--preset", "LowQuality")
    assert seconds(program.folder / "made.mp4") == pytest.approx(1, abs=0.0011)
