"""Shapes and parts of pictures, lists of cuts, audio of other files, and covers, by ffmpeg's reading of the results."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import Program, ffmpeg, turned_input


def stream(media: Path, kind: str = "v") -> Dict[str, Any]:
    command = ["ffprobe", "-v", "error", "-select_streams", kind, "-show_streams", "-of", "json", str(media)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["streams"][0]


def pictures(media: Path, *filters: str) -> List[str]:
    """The sums of the decoded pictures."""
    command = ["ffmpeg", "-v", "error", "-i", str(media), "-map", "0:v", "-vf", ",".join(("null", *filters))]
    text = subprocess.run([*command, "-f", "framemd5", "-"], check=True, capture_output=True, text=True).stdout
    return [line.split(",")[-1].strip() for line in text.splitlines() if line[:1] != "#"]


def audio(media: Path, *options: str) -> bytes:
    command = ["ffmpeg", "-v", "error", *options, "-i", str(media), "-map", "0:a:0", "-ac", "1"]
    return subprocess.run([*command, "-f", "s16le", "-"], check=True, capture_output=True).stdout


def volume(media: Path, start: float, end: float) -> float:
    """The mean volume of a part, in dB."""
    command = ["ffmpeg", "-i", str(media), "-map", "0:a", "-af", f"atrim={start}:{end},volumedetect", "-f", "null", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    return float(text.split("mean_volume:")[1].split()[0])


# The clip has 320 × 240 pixels.
@pytest.mark.parametrize(
    "shape, width, height, x, y",
    [
        ("9:16", 136, 240, 92, 0),
        ("16:9", 320, 180, 0, 30),
        ("1:1", 240, 240, 40, 0),
        ("4:3", 320, 240, 0, 0),
        ("239/100", 320, 134, 0, 52),
    ],
)
def test_a_shape_is_the_largest_part_in_the_middle(
    program: Program, shape: str, width: int, height: int, x: int, y: int
) -> None:
    # A rate factor of 0 is without loss.
    program.ok("export", "clip.mp4", "cut.mp4", "--crop", shape, "--crf", "0")
    cut = program.folder / "cut.mp4"
    assert (stream(cut)["width"], stream(cut)["height"]) == (width, height)
    assert pictures(cut) == pictures(program.folder / "clip.mp4", f"crop={width}:{height}:{x}:{y}")


def test_a_shape_counts_pixels_as_they_are_shown(program: Program) -> None:
    source = program.folder / "pal.mp4"
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=720x576:duration=0.2", "-vf", "setsar=16/15", source])
    program.ok("export", "pal.mp4", "square.mp4", "--crop", "1:1")
    square = stream(program.folder / "square.mp4")
    pixel = Fraction(*map(int, square["sample_aspect_ratio"].split(":")))
    assert square["width"] * pixel / square["height"] == 1
    assert square["height"] == 576


def test_a_shape_is_that_of_the_upright_picture(program: Program) -> None:
    turned = program.folder / "turned.mp4"
    ffmpeg([*turned_input(program.folder / "clip.mp4", 90), "-c", "copy", turned])
    program.ok("export", "turned.mp4", "cut.mp4", "--crop", "9:16")
    cut = stream(program.folder / "cut.mp4")
    # Upright it is 240 × 320.
    assert (cut["width"], cut["height"]) == (180, 320)
    assert "side_data_list" not in cut


@pytest.mark.parametrize("shape", ["0:16", "9x16", "9:", "16", "-1:2"])
def test_what_is_no_shape_is_refused(program: Program, shape: str) -> None:
    assert "9:16" in program.fails(2, "export", "clip.mp4", "cut.mp4", f"--crop={shape}")
    assert not (program.folder / "cut.mp4").exists()


def test_a_shape_no_picture_has_is_named(program: Program) -> None:
    failure = program.fails(2, "export", "clip.mp4", "cut.mp4", "--crop", "1000:1")
    assert "--crop" in failure and "1/256" in failure


# MARK: Lists of cuts


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_list_of_cuts_is_a_film(program: Program, separator: str) -> None:
    name = "cuts.tsv" if separator == "\t" else "cuts.csv"
    ffmpeg(["-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", 1, program.folder / "title.png"])
    lines = [
        ["file", "in", "out", "speed", "volume"],
        ["clip.mp4", "1", "2.5", "3/2", "0.5"],
        ['"clip.mp4"', "00:00:04", ""],
        [],
        ["title.png", "", "1.5"],
        ["clip.mp4", "", "1", "", "-6dB"],
    ]
    (program.folder / name).write_text("\n".join(separator.join(line) for line in lines))
    program.ok("compose", name, "-o", "film.mp4")
    film = program.folder / "film.mp4"
    # 1.5 s at half as fast again, to the end at 5 s, the picture, and a second.
    assert float(stream(film)["duration"]) == pytest.approx(1 + 1 + 1.5 + 1, abs=0.001)
    whole = volume(program.folder / "clip.mp4", 0, 5)
    assert volume(film, 1.2, 1.8) == pytest.approx(whole, abs=0.5)
    assert volume(film, 0.2, 0.8) == pytest.approx(whole - 6.02, abs=0.5)
    assert volume(film, 3.7, 4.3) == pytest.approx(whole - 6, abs=0.5)


def test_the_first_line_gives_the_order_of_columns(program: Program) -> None:
    table = "note,End,Start,file\n\"a, \"\"b\"\"\",2,1,clip.mp4\n"
    failure = program.fails(1, "compose", "-", "-o", "film.mp4", input=table.encode())
    assert "line 1: there is no column 'note'" in failure
    table = "\ufeffEnd,Start,file\r\n2,1,clip.mp4\r\n"
    program.ok("compose", "-", "-o", "film.mp4", input=table.encode())
    assert float(stream(program.folder / "film.mp4")["duration"]) == pytest.approx(1, abs=0.001)


def test_all_that_is_wrong_with_a_list_is_named_by_its_line(program: Program) -> None:
    table = '"clip.mp4",2,1\nclip.mp4,0,1,fast\n\n,1,2\nclip.mp4,0,1,1,1,1\nclip.mp4,x\na,,,,,,,,,b\n'
    (program.folder / "bad.csv").write_text(table)
    failure = program.fails(1, "compose", "bad.csv", "-o", "film.mp4")
    for line in (1, 2, 4, 5, 6, 7):
        assert f"line {line}: " in failure, failure
    assert "line 3" not in failure
    (program.folder / "missing.csv").write_text("clip.mp4\nmissing.mp4,0,1\n")
    failure = program.fails(1, "compose", "missing.csv", "-o", "film.mp4")
    assert "line 2" in failure and "line 1" not in failure
    assert not (program.folder / "film.mp4").exists()


def test_a_preview_shows_the_middle_of_each_clip(program: Program) -> None:
    (program.folder / "cuts.csv").write_text("clip.mp4,0,1\nclip.mp4,3,5\nclip.mp4,1,2\n")
    assert program.ok("compose", "cuts.csv", "--preview", "sheet.png") == ""
    cues = (program.folder / "sheet.vtt").read_text().split("\n\n")[1:]
    assert len(cues) == 3
    # Of the film the middles are at 0.5, 2 and 3.5 s; a tile is as long as until the next one.
    assert "00:00:02.000 -->" in cues[1] and "00:00:03.500 -->" in cues[2]
    failure = program.fails(1, "compose", "cuts.csv", "--preview", "sheet.png")
    assert "exists" in failure


# MARK: Joins


@pytest.mark.parametrize("fit", [None, "contain", "cover", "fill"])
def test_a_join_has_the_size_that_is_wanted(program: Program, fit: str) -> None:
    ffmpeg(["-f", "lavfi", "-i", "color=white:size=120x240:duration=1", program.folder / "tall.mp4"])
    options = [] if fit is None else ["--fit", fit]
    program.ok("join", "clip.mp4#t=,1", "tall.mp4", "-o", "joined.mp4", "--size", "320x180", *options)
    joined = program.folder / "joined.mp4"
    assert (stream(joined)["width"], stream(joined)["height"]) == (320, 180)
    command = ["ffmpeg", "-v", "error", "-ss", "1.5", "-i", str(joined), "-frames:v", "1"]
    command += ["-vf", "crop=16:16:0:82", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
    edge = subprocess.run(command, check=True, capture_output=True).stdout
    # At the left edge there are bars, or white.
    assert (max(edge) < 40) == (fit in (None, "contain"))
    assert (min(edge) > 215) == (fit in ("cover", "fill"))


def test_a_copy_has_no_other_size(program: Program) -> None:
    failure = program.fails(
        2, "join", "clip.mp4", "clip.mp4", "-o", "a.mp4", "-p", "Passthrough", "--size", "64x64")
    assert "--size" in failure and "Passthrough" in failure


# MARK: Audio of another file


@pytest.mark.parametrize("length", [3, 9])
def test_the_audio_of_another_file_takes_the_place_of_its_own(program: Program, length: int) -> None:
    tone = f"sine=frequency=880:sample_rate=44100:duration={length}"
    ffmpeg(["-f", "lavfi", "-i", tone, program.folder / "music.wav"])
    film = program.folder / "film.mov"
    program.ok("export", "clip.mp4", "film.mov", "--audio-from", "music.wav", "-p", "Passthrough")
    assert pictures(film) == pictures(program.folder / "clip.mp4")
    samples = min(length, 5) * 44100 * 2
    assert audio(film)[:samples] == audio(program.folder / "music.wav")[:samples]
    assert float(stream(film, "a")["duration"]) == min(length, 5)
    command = ["ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=index", "-of", "csv=p=0"]
    listed = subprocess.run([*command, str(film)], check=True, capture_output=True, text=True).stdout
    assert len(listed.split()) == 1


def test_audio_that_begins_later_does_so_in_the_film(program: Program) -> None:
    late = ["-itsoffset", 1, "-f", "lavfi", "-i", "sine=duration=2", "-map", "0:v", "-map", "1:a"]
    ffmpeg(["-i", program.folder / "clip.mp4", *late, "-c:v", "copy", "-c:a", "flac", program.folder / "late.mkv"])
    program.ok("export", "clip.mp4", "film.mkv", "--audio-from", "late.mkv", "--audio-codec", "flac")
    film = program.folder / "film.mkv"
    assert volume(film, 0, 0.9) < -80
    assert volume(film, 1.1, 2.9) > -30


def test_a_file_without_audio_has_none_to_give(program: Program) -> None:
    ffmpeg(["-i", program.folder / "clip.mp4", "-an", "-c", "copy", program.folder / "silent.mp4"])
    failure = program.fails(1, "export", "clip.mp4", "film.mp4", "--audio-from", "silent.mp4")
    assert "'silent.mp4' has no audio" in failure
    assert not (program.folder / "film.mp4").exists()


# MARK: Covers


@pytest.fixture
def song(program: Program) -> Path:
    """A song with a picture of 64 × 48 pixels for a cover."""
    picture = program.folder / "picture.png"
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=64x48", "-frames:v", 1, picture])
    song = program.folder / "song.mp3"
    tone = ["-f", "lavfi", "-i", "sine=duration=1", "-i", picture, "-map", "0:a", "-map", "1:v", "-c:v", "copy"]
    ffmpeg([*tone, "-metadata:s:v", "comment=Cover (front)", song])
    return song


def test_a_cover_is_saved_as_it_is_stored(program: Program, song: Path) -> None:
    program.ok("image", "song.mp3", "-o", "cover.png")
    stored = program.folder / "stored.png"
    ffmpeg(["-i", song, "-map", "0:v", "-c", "copy", "-f", "image2", stored])
    assert (program.folder / "cover.png").read_bytes() == stored.read_bytes()
    assert program("image", "song.mp3", "-o", "-", "--format", "png").stdout == stored.read_bytes()
    failure = program.fails(1, "image", "song.mp3", "-o", "cover.png")
    assert "exists" in failure and (program.folder / "cover.png").read_bytes() == stored.read_bytes()


def test_a_cover_may_have_another_size_and_format(program: Program, song: Path) -> None:
    program.ok("image", "song.mp3", "-o", "small.jpg", "--width", "32")
    small = stream(program.folder / "small.jpg")
    assert (small["codec_name"], small["width"], small["height"]) == ("mjpeg", 32, 24)
    program.ok("image", "song.mp3", "-o", "large.bmp")
    assert pictures(program.folder / "large.bmp", "format=rgb24") == pictures(program.folder / "picture.png", "format=rgb24")


def test_a_cover_has_no_times(program: Program, song: Path) -> None:
    assert "no video" in program.fails(1, "image", "song.mp3", "-t", "0", "-o", "cover.png")


def test_without_a_cover_there_is_no_picture(program: Program) -> None:
    ffmpeg(["-f", "lavfi", "-i", "sine=duration=1", program.folder / "tone.wav"])
    assert "no video" in program.fails(1, "image", "tone.wav", "-o", "cover.png")
    assert not (program.folder / "cover.png").exists()


def test_the_cover_of_a_film_is_not_its_picture(program: Program, song: Path) -> None:
    program.ok("tags", "clip.mp4", "--cover", "picture.png", "-o", "covered.mp4")
    program.ok("image", "covered.mp4", "-o", "frame.png")
    assert stream(program.folder / "frame.png")["width"] == 320
