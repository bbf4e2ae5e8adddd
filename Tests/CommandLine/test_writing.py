"""`reelwire stills` and `reelwire encode`: pictures in, a video out, by ffmpeg's reading of it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from conftest import Program, ffmpeg

SIZE = 66, 36


def times(media: Path) -> list[tuple[float, float]]:
    """The presentation time and the duration of each picture."""
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_entries", "packet=pts_time,duration_time"]
    packets = json.loads(subprocess.check_output([*command, str(media)]))["packets"]
    return [(float(each["pts_time"]), float(each["duration_time"])) for each in packets]


def raw(media: Path, pixel_format: str) -> bytes:
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(media), "-f", "rawvideo"]
    return subprocess.check_output([*command, "-pix_fmt", pixel_format, "-"])


def source(pixel_format: str, count: int = 50) -> bytes:
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi"]
    command += ["-i", f"testsrc2=size={SIZE[0]}x{SIZE[1]}:rate=25", "-frames:v", str(count)]
    return subprocess.check_output([*command, "-f", "rawvideo", "-pix_fmt", pixel_format, "-"])


@pytest.fixture
def photos(program: Program) -> list[str]:
    names = []
    for color in ("red", "lime", "blue"):
        names.append(f"{color}.png")
        source = ["-f", "lavfi", "-i", f"color={color}:size=64x48", "-frames:v", 1]
        ffmpeg([*source, program.folder / names[-1]])
    return names


def test_photos_become_a_show(program: Program, photos: list[str]) -> None:
    ended = program("stills", *photos, "--duration", "2", "-o", "show.mp4")
    assert ended.returncode == 0, ended.stderr
    assert b"show.mp4: 6 s" in ended.stderr
    assert times(program.folder / "show.mp4") == [(0, 2), (2, 2), (4, 2)]
    data = raw(program.folder / "show.mp4", "rgb24")
    length = len(data) // 3
    seen = [max(range(3), key=lambda part: data[number * length + part]) for number in range(3)]
    assert seen == [0, 1, 2]


def test_a_time_lapse(program: Program, photos: list[str]) -> None:
    done = json.loads(program.ok("stills", *photos, "--rate", "30000/1001", "-o", "a.mkv", "--json"))
    assert done["status"] == "completed"
    assert Fraction(done["duration"]["value"], done["duration"]["timescale"]) == Fraction(3003, 30000)
    assert [time for time, _ in times(program.folder / "a.mkv")] == [0, 0.033, 0.067]


def test_raw_pictures_are_encoded(program: Program) -> None:
    """Without losses, where the encoder has none."""
    data = source("yuv420p")
    options = ["--size", "66x36", "--rate", "25", "--pixel-format", "yuv420p", "--crf", "0"]
    ended = program("encode", *options, "-o", "out.mp4", input=data)
    assert ended.returncode == 0, ended.stderr
    assert b"out.mp4: 2 s" in ended.stderr
    assert [time for time, _ in sorted(times(program.folder / "out.mp4"))] == [
        pytest.approx(number / 25, abs=1e-6) for number in range(50)
    ]
    found = raw(program.folder / "out.mp4", "yuv420p")
    assert hashlib.md5(found).digest() == hashlib.md5(data).digest()


def test_rgb_is_the_usual_format(program: Program) -> None:
    options = ["--size", "66x36", "--rate", "29.97", "--width", "132", "--video-codec", "hevc"]
    ended = program("encode", *options, "-o", "out.mov", input=source("rgb24", 5))
    assert ended.returncode == 0, ended.stderr
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_entries"]
    command += ["stream=codec_name,width,height,avg_frame_rate", str(program.folder / "out.mov")]
    (stream,) = json.loads(subprocess.check_output(command))["streams"]
    assert (stream["codec_name"], stream["width"], stream["height"]) == ("hevc", 132, 72)
    assert Fraction(stream["avg_frame_rate"]) == pytest.approx(Fraction(30000, 1001), abs=0.001)


@pytest.mark.parametrize(
    ("arguments", "data", "code", "message"),
    [
        (["encode", "--size", "66x36", "--rate", "25"], b"x" * 10000, 1, "inside picture 2"),
        (["encode", "--size", "66", "--rate", "25"], b"", 2, "--size"),
        (["encode", "--size", "66x36", "--rate", "0"], b"", 2, "above 0"),
        (["encode", "--size", "66x36", "--rate", "25", "--pixel-format", "foo"], b"", 1, "'foo'"),
        (["stills", "missing.png"], b"", 1, "missing.png"),
        (["stills", "red.png", "--video-codec", "foo"], b"", 2, "--video-codec"),
        (["stills", "red.png", "--rate", "2", "--duration", "2"], b"", 2, "not both"),
    ],
)
def test_what_fails_leaves_nothing(
    program: Program, photos: list[str], arguments: list[str], data: bytes, code: int, message: str
) -> None:
    before = sorted(program.folder.iterdir())
    ended = program(*arguments, "-o", "out.mp4", input=data)
    assert ended.returncode == code
    assert message in ended.stderr.decode()
    assert sorted(program.folder.iterdir()) == before


def test_an_existing_file_is_not_touched(program: Program, photos: list[str]) -> None:
    (program.folder / "out.mp4").write_text("mine")
    assert program("stills", *photos, "-o", "out.mp4").returncode == 1
    assert (program.folder / "out.mp4").read_text() == "mine"


def test_photos_are_upright(program: Program) -> None:
    """The photo is stored lying: its Exif has 6, the top of the stored picture is at the right. ffmpeg turns
    it, too."""
    picture = "color=red:s=64x24[a];color=blue:s=64x24[b];[a][b]vstack"
    ffmpeg(["-f", "lavfi", "-i", picture, "-frames:v", 1, "-q:v", 2, program.folder / "lying.jpg"])
    stored = (program.folder / "lying.jpg").read_bytes()
    directory = b"\0\1" + bytes.fromhex("0112 0003 00000001 0006 0000 00000000")
    exif = b"Exif\0\0MM\0*\0\0\0\x08" + directory
    photo = b"\xff\xd8\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + stored[2:]
    (program.folder / "photo.jpg").write_bytes(photo)
    program.ok("image", "photo.jpg", "-o", "image.png")
    program.ok("sheet", "photo.jpg", "--columns", "1", "--rows", "1", "-o", "sheet.png")
    program.ok("stills", "photo.jpg", "--duration", "1", "-o", "stills.mp4")
    (program.folder / "show.json").write_text('{"clips": [{"url": "photo.jpg", "duration": 1}]}')
    program.ok("compose", "show.json", "-o", "show.mp4")
    # A file whose header turns the picture isn't turned twice.
    program.ok("export", "photo.jpg", "encoded.mov")
    program.ok("export", "--preset", "Passthrough", "photo.jpg", "copied.mov")
    for made in ("encoded", "copied"):
        program.ok("image", f"{made}.mov", "-o", f"{made}.png")
    for name in ("image.png", "sheet.png", "stills.mp4", "show.mp4", "encoded.png", "copied.png"):
        command = ["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0"]
        assert subprocess.check_output([*command, str(program.folder / name)]).split() == [b"48,64"], name
        data = raw(program.folder / name, "rgb24")
        left, right = data[: 3 * 4], data[3 * 44 : 3 * 48]
        assert left[2] > 200 > 60 > left[0] and right[0] > 200 > 60 > right[2], name


def test_rows_and_columns_that_are_cut_off_are_listed(program: Program) -> None:
    pixels = bytes(315 * 171 * 3)
    arguments = ["encode", "--size", "315x171", "--rate", "25"]
    ended = program(*arguments, "-o", "cut.mp4", input=pixels * 2)
    assert ended.returncode == 0
    assert b"left out: pixels 315x171" in ended.stderr and b"1 column and 1 row" in ended.stderr
    ended = program(*arguments, "-o", "kept.webm", "--video-codec", "vp9", input=pixels * 2)
    assert ended.returncode == 0 and b"left out" not in ended.stderr
