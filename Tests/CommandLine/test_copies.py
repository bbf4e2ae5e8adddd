"""Copies into containers that state less than the source: parts that were hidden, configurations, delays."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import Program, ffmpeg

PICTURE = ["-f", "lavfi", "-i"]
SOUND = ["-f", "lavfi", "-i"]


def probe(path: Path, *options: str) -> Dict[str, Any]:
    command = ["ffprobe", "-v", "error", *options, "-of", "json", str(path)]
    found: Dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def frames(path: Path) -> int:
    (stream,) = probe(path, "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames")["streams"]
    return int(stream["nb_read_frames"])


@pytest.mark.parametrize("suffix", ["mkv", "ts"])
@pytest.mark.parametrize("maker", ["reelwire", "ffmpeg"])
def test_a_copy_shows_no_more_than_its_source(program: Program, suffix: str, maker: str) -> None:
    """An edit list hides five seconds, which a container without edit lists would show."""
    film, part = program.folder / "film.mp4", program.folder / "part.mp4"
    ffmpeg([*PICTURE, "testsrc2=s=192x108:r=25:d=8", *SOUND, "sine=d=8", "-c:v", "libx264", "-g", "250",
            "-pix_fmt", "yuv420p", "-c:a", "aac", film])  # fmt: skip
    if maker == "reelwire":
        program.ok("export", "film.mp4", "part.mp4", "--preset", "Passthrough", "--start", "5", "--duration", "2")
    else:
        ffmpeg(["-ss", "5", "-i", film, "-t", "2", "-c", "copy", part])
    shown = frames(part)
    target = program.folder / f"out.{suffix}"
    done = json.loads(program.ok("export", "part.mp4", target.name, "--preset", "Passthrough", "--json"))
    assert done["timeRange"]["start"]["value"] == 0
    assert frames(target) == shown in (50, 51, 52)
    duration = float(probe(target, "-show_entries", "format=duration")["format"]["duration"])
    assert abs(duration - shown / 25) < 0.05


@pytest.mark.parametrize("suffix", ["mkv", "ts"])
def test_a_whole_file_is_copied_packet_by_packet(program: Program, suffix: str) -> None:
    """The priming of its audio is no reason to encode its edges."""
    ffmpeg([*PICTURE, "testsrc2=s=192x108:r=25:d=2", *SOUND, "sine=d=2", "-c:v", "libx264", "-pix_fmt",
            "yuv420p", "-c:a", "aac", program.folder / "film.mp4"])  # fmt: skip
    done = json.loads(program.ok("export", "film.mp4", f"out.{suffix}", "--preset", "Passthrough", "--json"))
    assert "trimMode" not in done
    for kind in "va":
        options = ["-select_streams", kind, "-count_packets", "-show_entries", "stream=nb_read_packets"]
        counts = [
            [stream["nb_read_packets"] for stream in probe(program.folder / name, *options)["streams"]]
            for name in ("film.mp4", f"out.{suffix}")
        ]
        assert counts[0] == counts[1]


@pytest.mark.parametrize("options", ["open-gop=1", "intra-refresh=1:keyint=12"])
def test_a_transport_stream_from_a_recovery_point_has_parameter_sets(program: Program, options: str) -> None:
    """Before IDR pictures alone libavformat inserts them."""
    film = program.folder / "film.mp4"
    ffmpeg([*PICTURE, "testsrc2=s=192x108:r=25:d=3", "-c:v", "libx264", "-g", "12", "-bf", "3",
            "-x264-params", options, "-pix_fmt", "yuv420p", film])  # fmt: skip
    program("export", "film.mp4", "part.mp4", "--preset", "Passthrough", "--trim", "keyframe", "--start", "1")
    for number, arguments in enumerate((
        ("film.mp4", "--start", "1"), ("film.mp4", "--trim", "keyframe", "--start", "1"), ("part.mp4",),
    )):  # fmt: skip
        target = program.folder / f"out{number}.ts"
        program.ok("export", arguments[0], target.name, "--preset", "Passthrough", *arguments[1:])
        (stream, *_) = probe(target, "-show_entries", "stream=width")["streams"]
        assert stream["width"] == 192
        assert frames(target) >= 35


def test_audio_that_changes_in_the_middle_is_no_track(program: Program) -> None:
    """Each frame of ADTS has its own configuration, and a track of a movie has one."""
    parts: List[Path] = []
    for number, (rate, channels) in enumerate(((44100, 2), (48000, 1))):
        part = program.folder / f"{number}.ts"
        offset = ["-output_ts_offset", str(3 * number)]
        ffmpeg([*PICTURE, "testsrc2=s=192x108:r=25:d=1", *SOUND, f"sine=d=1:r={rate}", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", str(channels), *offset, part])  # fmt: skip
        parts.append(part)
    (program.folder / "film.ts").write_bytes(b"".join(part.read_bytes() for part in parts))
    for suffix in ("mp4", "mkv", "m4a"):
        said = program.fails(1, "export", "film.ts", f"out.{suffix}", "--preset", "Passthrough")
        assert "changes from 44100 Hz and 2 channels to 48000 Hz and 1 channel" in said
        assert not (program.folder / f"out.{suffix}").exists()
    # Frames that state their configuration go on.
    program.ok("export", "film.ts", "out.aac", "--preset", "Passthrough")
    program.ok("export", "film.ts", "encoded.mp4", "--preset", "HighestQuality")


def test_the_delay_of_opus_stays_what_it_is(program: Program) -> None:
    """The muxer of FFmpeg 5 adds it to the times of all tracks, at each copy."""
    ffmpeg([*PICTURE, "testsrc2=s=192x108:r=25:d=1", *SOUND, "anoisesrc=d=1", "-c:v", "libvpx-vp9", "-cpu-used", "8",
            "-deadline", "realtime", "-c:a", "libopus", program.folder / "0.webm"])  # fmt: skip

    def first(path: Path, kind: str) -> float:
        found = probe(path, "-select_streams", kind, "-show_entries", "frame=pts_time", "-read_intervals", "%+#1")
        return float(found["frames"][0]["pts_time"])

    expected = [first(program.folder / "0.webm", kind) for kind in "va"]
    for number in range(3):
        program.ok("export", f"{number}.webm", f"{number + 1}.webm", "--preset", "Passthrough")
        assert [first(program.folder / f"{number + 1}.webm", kind) for kind in "va"] == expected
    program.ok("export", "0.webm", "film.mp4", "--preset", "Passthrough")
    program.ok("export", "film.mp4", "film.mkv", "--preset", "Passthrough")
    for made, wanted in zip((first(program.folder / "film.mkv", kind) for kind in "va"), expected):
        # The clock of Matroska has milliseconds.
        assert abs(made - wanted) <= 0.0011


def test_subtitles_of_blu_ray_are_no_private_data(program: Program) -> None:
    """Transport streams have a type for them in the variant of Blu-ray alone."""
    # Compositions without an object, and their ends (US 2009/0185789).
    segments = b""
    for second in (1, 2):
        composition = struct.pack(">HHBHBBBB", 192, 108, 16, second, 128, 0, 0, 0)
        for kind, data in ((0x16, composition), (0x80, b"")):
            segments += b"PG" + struct.pack(">IIBH", second * 90_000, 0, kind, len(data)) + data
    (program.folder / "text.sup").write_bytes(segments)
    ffmpeg([*PICTURE, "testsrc2=s=192x108:r=25:d=3", "-i", program.folder / "text.sup", "-c:v", "libx264",
            "-pix_fmt", "yuv420p", "-c:s", "copy", program.folder / "film.mkv"])  # fmt: skip
    ended = program("export", "film.mkv", "film.ts", "--preset", "Passthrough")
    assert ended.returncode == 0, ended.stderr
    assert b"left out: track 2 (subtitle): ts files can't hold hdmv_pgs_subtitle" in ended.stderr
    assert [stream["codec_type"] for stream in probe(program.folder / "film.ts", "-show_streams")["streams"]] == ["video"]
