"""`cut`: without silences, and scene by scene."""

from __future__ import annotations

import json
import struct
import subprocess
import wave
from pathlib import Path
from typing import List, Tuple

import pytest

from conftest import Program, ffmpeg

RATE = 8000
# In samples: the audible parts, and the silent ones.
TAKE: List[Tuple[bool, int]] = [
    (True, 8000), (False, 8000), (True, 4000), (False, 2400), (True, 1600), (False, 8000),
]  # fmt: skip


def frames(take: List[Tuple[bool, int]]) -> bytes:
    made = b""
    for audible, count in take:
        for number in range(count):
            made += struct.pack("<h", (9000 if number % 8 < 4 else -9000) if audible else number % 3)
    return made


@pytest.fixture
def take(program: Program) -> bytes:
    data = frames(TAKE)
    with wave.open(str(program.folder / "take.wav"), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(data)
    return data


def samples(path: Path) -> bytes:
    return subprocess.check_output(
        ["ffmpeg", "-v", "error", "-i", str(path), "-f", "s16le", "-c:a", "pcm_s16le", "-"]
    )


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        # A tenth of a second stays on either side; silence shorter than half a second stays whole.
        ([], [(0, 8800), (15200, 24800)]),
        (["--padding", "0"], [(0, 8000), (16000, 24000)]),
        (["--padding", "0", "--shortest-silence", "0.25"], [(0, 8000), (16000, 20000), (22400, 24000)]),
        # Padding from both sides is all of the shorter silence.
        (["--padding", "0.2", "--shortest-silence", "0.25"], [(0, 9600), (14400, 25600)]),
        (["--padding", "0", "--start", "0.5", "--end", "2.25"], [(4000, 8000), (16000, 18000)]),
        (["--threshold", "-100"], [(0, 32000)]),
    ],
)
def test_silences_are_left_out_to_the_sample(
    program: Program, take: bytes, options: List[str], kept: List[Tuple[int, int]]
) -> None:
    program.ok("cut", "take.wav", "--remove-silence", "-o", "out.wav", *options)
    wanted = b"".join(take[2 * start : 2 * end] for start, end in kept)
    assert samples(program.folder / "out.wav") == wanted


def test_lossy_audio_is_as_long_as_its_parts(program: Program, take: bytes) -> None:
    ffmpeg(["-i", program.folder / "take.wav", "-c:a", "aac", program.folder / "take.m4a"])
    program.ok("cut", "take.m4a", "--remove-silence", "-o", "out.m4a", "--padding", "0")
    length = len(samples(program.folder / "out.m4a")) // 2
    # The part that AAC smears across an edge may be audible.
    assert abs(length - 16_000) < 1024


def test_a_dry_run_prints_the_parts(program: Program, take: bytes) -> None:
    ended = program("cut", "take.wav", "--remove-silence", "-o", "out.wav", "--dry-run")
    assert ended.returncode == 0
    printed = ended.stderr.decode()
    assert "2 parts, 2.3 s of 4 s" in printed
    assert "0:00.000 to 0:01.100" in printed and "0:01.900 to 0:03.100" in printed
    assert not (program.folder / "out.wav").exists()


def test_all_audio_tracks_are_listened_to(program: Program) -> None:
    """The second speaks while the first is silent, and ends earlier."""
    first = "aevalsrc='0.4*sin(2*PI*440*t)*lt(t,1)+0.4*sin(2*PI*440*t)*gte(t,5)':d=6:s=8000"
    second = "aevalsrc='0.4*sin(2*PI*880*t)*between(t,2,3)':d=4:s=8000"
    ffmpeg(["-f", "lavfi", "-i", first, "-f", "lavfi", "-i", second, "-map", "0", "-map", "1",
            "-c:a", "pcm_s16le", program.folder / "two.mka"])  # fmt: skip
    plan = program.ok("cut", "two.mka", "--remove-silence", "--padding", "0", "-o", "out.mka", "--dry-run")
    ended = program("cut", "two.mka", "--remove-silence", "--padding", "0", "-o", "out.mka")
    assert ended.returncode == 0
    text = ended.stderr.decode()
    assert "silent where all 2 audio tracks are" in text
    assert "3 parts, 3 s of 6 s" in text
    assert plan
    for number, expected in ((0, [True, False, True]), (1, [False, True, False])):
        data = subprocess.check_output(
            ["ffmpeg", "-v", "error", "-i", str(program.folder / "out.mka"), "-map", f"0:a:{number}",
             "-f", "s16le", "-"])  # fmt: skip
        # A part begins with the first audible sample, which may be one later.
        seconds = [data[2 * RATE * second + 400 : 2 * RATE * (second + 1) - 400] for second in range(3)]
        assert [max(part) > 0 for part in seconds] == expected


def test_silence_alone_is_an_error(program: Program) -> None:
    ffmpeg(["-f", "lavfi", "-i", "anullsrc=d=1", program.folder / "none.wav"])
    ended = program("cut", "none.wav", "--remove-silence", "-o", "out.wav")
    assert ended.returncode == 1
    assert "silent from one end to the other" in ended.stderr.decode()
    assert not (program.folder / "out.wav").exists()


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_a_missing_end_is_stated(program: Program, suffix: str) -> None:
    film = program.folder / f"film.{suffix}"
    inputs = ["-f", "lavfi", "-i", "testsrc=d=20:r=25:s=320x180", "-f", "lavfi", "-i", "sine=d=20"]
    ffmpeg([*inputs, "-g", "50", "-bf", "0", "-pix_fmt", "yuv420p", "-movflags", "faststart", film])
    with film.open("rb+") as file:
        file.truncate(film.stat().st_size * 6 // 10)
    ended = program("cut", film.name, "--remove-silence", "--dry-run", "-o", f"out.{suffix}")
    assert b"left out: " in ended.stderr and b"the file is cut short: at least" in ended.stderr
    ended = program("cut", film.name, "--scenes", "--dry-run", "-o", f"out-%d.{suffix}")
    assert b"the file is cut short: at least" in ended.stderr


def test_each_scene_is_a_file(program: Program) -> None:
    inputs: List[object] = []
    for source, seconds in (("testsrc2", 2), ("smptebars", 1), ("mandelbrot", 2)):
        inputs += ["-f", "lavfi", "-t", seconds, "-i", f"{source}=s=160x120:r=25"]
    graph = "[0:v][1:v][2:v]concat=n=3:v=1"
    options = ["-filter_complex", graph, "-g", "100", "-pix_fmt", "yuv420p"]
    ffmpeg([*inputs, *options, program.folder / "film.mp4"])
    program.ok("cut", "film.mp4", "--scenes", "-o", "scene-%03d.mp4")
    made = sorted(path.name for path in program.folder.glob("scene-*.mp4"))
    assert made == ["scene-001.mp4", "scene-002.mp4", "scene-003.mp4"]
    counts = [
        subprocess.check_output(
            ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v"]
            + ["-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", str(program.folder / name)],
            text=True,
        ).strip()
        for name in made
    ]
    assert counts == ["50", "25", "50"]


@pytest.mark.parametrize(("codec", "suffix", "preset"), [
    ("libvpx-vp9", "webm", "VP9HighestQuality"), ("mpeg2video", "ts", "HighestQuality"),
    ("mpeg4", "mkv", "HighestQuality"),
])  # fmt: skip
def test_a_scene_does_not_begin_before_it(
    program: Program, codec: str, suffix: str, preset: str
) -> None:
    """A copy of these would begin at a sync sample, with the scene before."""
    inputs: List[object] = []
    for source in ("color=red", "testsrc", "color=blue"):
        inputs += ["-f", "lavfi", "-t", 1, "-i", f"{source}{':' if '=' in source else '='}s=160x120:r=25"]
    graph = "[0:v][1:v][2:v]concat=n=3:v=1"
    film = program.folder / f"film.{suffix}"
    ffmpeg([*inputs, "-filter_complex", graph, "-g", "999", "-sc_threshold", "1000000000",
            "-pix_fmt", "yuv420p", "-c:v", codec, film])  # fmt: skip
    command = ["cut", film.name, "--scenes", "-o", f"scene-%d.{suffix}"]
    ended = program(*command)
    assert ended.returncode == 1
    complaint = ended.stderr.decode()
    assert "The scene at 0:01.000 can't be copied" in complaint
    assert f"Encode the scenes (--preset {preset})" in complaint
    assert not list(program.folder.glob("scene-*"))
    plan = json.loads(
        program.ok(
            "export", film.name, f"part.{suffix}", "--preset", "Passthrough", "--trim", "smart",
            "--start", "1", "--duration", "1", "--dry-run", "--json")
    )["preflight"]
    done = json.loads(
        program.ok(
            "export", film.name, f"part.{suffix}", "--preset", "Passthrough", "--trim", "smart",
            "--start", "1", "--duration", "1", "--json")
    )
    assert plan["timeRange"] == done["timeRange"]
    assert plan["timeRange"]["start"]["value"] == 0
    program.ok(*command[:-1], f"scene-%d.{'mp4' if suffix == 'ts' else suffix}", "--preset", preset)
    for made in program.folder.glob("scene-*"):
        counted = subprocess.check_output(
            ["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v"]
            + ["-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", str(made)],
            text=True,
        )
        assert counted.strip(" \n,") == "25"


def test_languages_stay_separate(program: Program) -> None:
    """Two languages of a film aren't mixed, encoded or not."""
    tone = "aevalsrc='0.4*sin(2*PI*%d*t)*between(mod(t,2),0,1)':d=4"
    ffmpeg(["-f", "lavfi", "-i", tone % 440, "-f", "lavfi", "-i", tone % 880, "-map", "0", "-map", "1",
            "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
            program.folder / "two.mp4"])  # fmt: skip
    for command in (
        ["cut", "two.mp4", "--remove-silence", "-o", "out.m4a", "--preset", "AppleM4A"],
        ["join", "two.mp4", "two.mp4", "-o", "out.m4a", "--loudness", "-20"],
    ):
        program.ok(*command)
        tracks = subprocess.check_output(
            ["ffprobe", "-v", "error", "-show_entries", "stream_tags=language", "-of", "csv=p=0",
             str(program.folder / "out.m4a")], text=True).split()  # fmt: skip
        assert tracks == ["eng", "deu"]
        for number, pitch in enumerate((440, 880)):
            measured = subprocess.run(
                ["ffmpeg", "-i", str(program.folder / "out.m4a"), "-map", f"0:a:{number}",
                 "-af", f"bandreject=f={pitch}:width_type=h:w=300,volumedetect", "-f", "null", "-"],
                stderr=subprocess.PIPE, text=True, check=True).stderr  # fmt: skip
            level = float(measured.split("mean_volume: ")[1].split()[0])
            assert level < -38, "the other language is in it"
        (program.folder / "out.m4a").unlink()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ([], "Use either --remove-silence or --scenes"),
        (["--remove-silence", "--scenes"], "Use either"),
        (["--scenes"], "scene-%d.mp4"),
        (["--remove-silence", "--sensitivity", "1"], "go with --scenes"),
        (["--scenes", "--padding", "1"], "go with --remove-silence"),
    ],
)
def test_options_that_do_not_fit(program: Program, options: List[str], complaint: str) -> None:
    ended = program("cut", "clip.mp4", "-o", "out.mp4", *options)
    assert ended.returncode == 2
    assert complaint in ended.stderr.decode()
