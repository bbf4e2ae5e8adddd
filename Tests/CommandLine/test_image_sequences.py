"""Numbered pictures as a video and as a target, compared with the reading and writing of ffmpeg's image2."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import List

import pytest

from conftest import BINARY, Program, environment, ffmpeg
from waiting import eventually

SIZE = 96, 64


def framemd5(*arguments: object, folder: Path) -> List[str]:
    """The sum of each frame as RGB, and its time stamp."""
    command = ["ffmpeg", "-v", "error", *map(str, arguments), "-pix_fmt", "rgb24", "-f", "framemd5", "-"]
    text = subprocess.check_output(command, cwd=folder).decode()
    fields = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    return [f"{int(field[2])} {field[5].strip()}" for field in fields]


def draw(folder: Path, name: str, count: int, start: int = 1, size: str = "96x64") -> None:
    folder.mkdir(exist_ok=True)
    source = f"testsrc=s={size}:r=25:d={count / 25}"
    ffmpeg(["-f", "lavfi", "-i", source, "-start_number", start, folder / name])


@pytest.mark.parametrize("extension", ["png", "jpg", "bmp", "tif", "tga", "ppm", "dpx"])
def test_frames_are_those_of_image2(program: Program, tmp_path: Path, extension: str) -> None:
    program.folder = tmp_path
    draw(tmp_path / "in", f"frame%04d.{extension}", 12, start=7)
    pattern = f"in/frame%04d.{extension}"
    wanted = framemd5("-framerate", 24, "-start_number", 7, "-i", pattern, folder=tmp_path)
    program.ok("image", pattern, "--rate", "24", "--all", "-o", "out%03d.png")
    read = framemd5("-framerate", 24, "-i", "out%03d.png", folder=tmp_path)
    assert len(read) == 12
    if extension == "jpg":
        # Another conversion from YUV: the pictures are near, and their times are the same.
        assert [line.split()[0] for line in read] == [line.split()[0] for line in wanted]
    else:
        assert read == wanted


def test_samples_are_copied_as_they_are(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    draw(tmp_path / "in", "a%d.png", 11)
    program.ok("export", "in/a%d.png", "copy.mov", "--rate", "30000/1001", "--preset", "Passthrough")
    rate = subprocess.check_output(
        ["ffprobe", "-v", "error", "-show_entries", "stream=r_frame_rate,nb_frames", "-of", "csv=p=0", "copy.mov"],
        cwd=tmp_path,
    )
    assert rate.decode().strip() == "30000/1001,11"
    wanted = framemd5("-framerate", "30000/1001", "-i", "in/a%d.png", folder=tmp_path)
    sums = [line.split()[1] for line in framemd5("-i", "copy.mov", folder=tmp_path)]
    assert sums == [line.split()[1] for line in wanted]


def probe(program: Program, *arguments: str) -> dict:
    return json.loads(program.ok("probe", "--json", *arguments))


def seconds(facts: dict) -> float:
    return facts["duration"]["value"] / facts["duration"]["timescale"]


def test_names(program: Program, tmp_path: Path) -> None:
    """A pattern, a glob, a folder and the first picture stand for the same."""
    program.folder = tmp_path
    draw(tmp_path / "in", "a%d.png", 12)
    (tmp_path / "in/notes.txt").write_text("no picture")
    assert seconds(probe(program, "in/a%d.png")) == 12 / 25
    assert seconds(probe(program, "in/*.png")) == 12 / 25
    assert seconds(probe(program, "in", "--rate", "12")) == 1
    assert seconds(probe(program, "in/a4.png", "--rate", "3")) == 3
    assert seconds(probe(program, "in/a%d.png", "--start-number", "3", "--end-number", "7")) == 5 / 25
    # a2 comes before a10.
    program.ok("image", "in/*.png", "--all", "-o", "g%d.png")
    program.ok("image", "in/a%d.png", "--all", "-o", "n%d.png")
    for number in range(12):
        assert (tmp_path / f"g{number}.png").read_bytes() == (tmp_path / f"n{number}.png").read_bytes()
    # One file of that very name is that file.
    (tmp_path / "in/a1.png").rename(tmp_path / "b%d.png")
    assert seconds(probe(program, "b%d.png")) == 1 / 25


def test_a_missing_picture_is_named_or_held(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    draw(tmp_path / "in", "f%03d.png", 10)
    (tmp_path / "in/f004.png").unlink()
    (tmp_path / "in/f005.png").unlink()
    said = program.fails(1, "export", "in/f%03d.png", "x.mp4")
    assert "'in/f004.png' is missing" in said and "first of 2" in said and "--missing hold" in said
    assert not (tmp_path / "x.mp4").exists()
    program.ok("image", "in/f%03d.png", "--missing", "hold", "--all", "-o", "h%d.png")
    held = [framemd5("-i", f"h{number}.png", folder=tmp_path)[0] for number in range(10)]
    assert held[2] == held[3] == held[4] and len(set(held)) == 8
    # The first has none before it.
    said = program.fails(1, "probe", "in/f%03d.png", "--start-number", "0", "--missing", "hold")
    assert "'in/f000.png' is missing" in said


def test_a_picture_of_another_size_or_kind_is_named(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    draw(tmp_path / "in", "f%d.png", 30)
    (tmp_path / "in/f28.png").unlink()
    ffmpeg(["-f", "lavfi", "-i", "testsrc=s=32x24", "-frames:v", 1, tmp_path / "in/f28.png"])
    said = program.fails(1, "export", "in/f%d.png", "x.mp4")
    assert "'in/f28.png'" in said and "32 × 24" in said and "96 × 64" in said
    assert not (tmp_path / "x.mp4").exists()
    program.ok("image", "in/f%d.png", "--frame", "1", "-o", "before.png")
    jpeg = tmp_path / "j.jpg"
    ffmpeg(["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", 1, jpeg])
    jpeg.rename(tmp_path / "in/f28.png")
    assert "it is no png" in program.fails(1, "image", "in/f%d.png", "--frame", "27", "-o", "y.png")


def test_the_whole_clip_to_numbered_files(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    clip = tmp_path / "film.mp4"
    # Grey, for chroma is scaled up in more than one way.
    source = f"testsrc2=s={SIZE[0]}x{SIZE[1]}:r=30:d=1.7,format=gray"
    ffmpeg(["-f", "lavfi", "-i", source, "-bf", 2, "-g", 12, "-pix_fmt", "yuv420p", clip])
    (tmp_path / "ff").mkdir()
    ffmpeg(["-i", clip, "-vsync", "passthrough", tmp_path / "ff/frame%d.png"])
    program.ok("image", "film.mp4", "--all", "--first-number", "1", "-o", "frame%d.png")
    count = len(list((tmp_path / "ff").iterdir()))
    assert len(list(tmp_path.glob("frame*.png"))) == count == 51
    compared = subprocess.run(
        ["ffmpeg", "-v", "info", "-i", "frame%d.png", "-i", "ff/frame%d.png", "-lavfi", "psnr", "-f", "null", "-"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    ).stderr
    lowest = compared.rsplit("min:", 1)[1].split()[0]
    assert lowest == "inf" or float(lowest) > 30
    program.ok("image", "film.mp4", "--every", "10", "-o", "tenth%d.png")
    assert len(list(tmp_path.glob("tenth*.png"))) == 6
    assert (tmp_path / "tenth2.png").read_bytes() == (tmp_path / "frame21.png").read_bytes()
    program.ok("image", "film.mp4", "--fps", "5", "-o", "fifth%d.png")
    assert len(list(tmp_path.glob("fifth*.png"))) == 9
    assert (tmp_path / "fifth3.png").read_bytes() == (tmp_path / "frame19.png").read_bytes()


def test_nothing_is_made_where_a_picture_is(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    draw(tmp_path / "in", "f%d.png", 6)
    there = tmp_path / "out0004.png"
    there.write_bytes(b"mine")
    said = program.fails(1, "image", "in/f%d.png", "--all", "-o", "out%04d.png")
    assert "'out0004.png' is there already" in said
    assert [path.name for path in tmp_path.glob("out*")] == ["out0004.png"] and there.read_bytes() == b"mine"


def test_nothing_is_left_of_a_failure(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    draw(tmp_path / "in", "f%d.png", 20)
    (tmp_path / "in/f15.png").unlink()
    ffmpeg(["-f", "lavfi", "-i", "testsrc=s=32x24", "-frames:v", 1, tmp_path / "in/f15.png"])
    program.fails(1, "image", "in/f%d.png", "--all", "-o", "out%d.png")
    assert not list(tmp_path.glob("out*"))


def damage(film: Path, numbers: List[int]) -> List[float]:
    """Makes zeros of the samples with these numbers, in place; returns the times of all."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_packets", "-of", "json", str(film)]
    found = json.loads(subprocess.check_output(command))["packets"]
    data = bytearray(film.read_bytes())
    for number in numbers:
        start, size = int(found[number]["pos"]), int(found[number]["size"])
        data[start : start + size] = bytes(size)
    film.write_bytes(data)
    return [float(each["pts_time"]) for each in found]


@pytest.mark.parametrize("damaged", [[7, 30], [0, 12]])
def test_damaged_frames_are_listed(program: Program, tmp_path: Path, damaged: List[int]) -> None:
    program.folder = tmp_path
    film = tmp_path / "film.mov"
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1.6", "-c:v", "mjpeg", "-q:v", 3, film])
    program.ok("image", "film.mov", "--all", "-o", "whole%02d.png")
    times = damage(film, damaged)
    said = program.fails(1, "image", "film.mov", "--all", "-o", "out%02d.png")
    for number in damaged:
        assert f"frame {number} at 0:0{times[number]:.3f} is damaged: it has no picture" in said
    assert said.count("is damaged") == 2
    made = {path.name: path.read_bytes() for path in tmp_path.glob("out*")}
    assert sorted(made) == [f"out{number:02}.png" for number in range(40) if number not in damaged]
    # The others are the same as before.
    assert all(data == (tmp_path / name.replace("out", "whole")).read_bytes() for name, data in made.items())
    said = program.fails(1, "image", "film.mov", "--fps", "25", "-o", "fps%02d.png")
    assert said.count("is damaged") == 2 or 0 in damaged


def test_a_file_that_is_cut_short_is_reported(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    whole, film = tmp_path / "whole.mov", tmp_path / "film.mov"
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1.6", "-c:v", "mjpeg", "-movflags", "faststart", whole]
    )
    command = ["ffprobe", "-v", "error", "-show_packets", "-of", "json", str(whole)]
    place = int(json.loads(subprocess.check_output(command))["packets"][30]["pos"])
    film.write_bytes(whole.read_bytes()[:place])
    program.ok("image", "whole.mov", "--all", "-o", "whole%02d.png")
    reason = f"at least {whole.stat().st_size - place} bytes are missing at its end"
    said = program.fails(1, "image", "film.mov", "--all", "-o", "out%02d.png")
    assert f"has no frame 30: the file is cut short: {reason}" in said and "30 pictures" in said
    made = sorted(tmp_path.glob("out*"))
    assert [path.name for path in made] == [f"out{number:02}.png" for number in range(30)]
    assert all(path.read_bytes() == (tmp_path / path.name.replace("out", "whole")).read_bytes() for path in made)
    assert reason in program.fails(1, "image", "film.mov", "--every", "7", "-o", "seventh%d.png")
    assert reason in program.fails(1, "image", "film.mov", "--fps", "5", "-o", "fifth%d.png")
    assert reason in program.fails(1, "image", "film.mov", "-t", "1.5", "-o", "one.png")
    assert "missing" not in program.fails(1, "image", "whole.mov", "-t", "1.7", "-o", "one.png")


def test_nothing_is_left_without_any_frame(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    film = tmp_path / "film.mov"
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.4", "-c:v", "mjpeg", film])
    damage(film, list(range(10)))
    said = program.fails(1, "image", "film.mov", "--all", "-o", "out%d.png")
    assert "could be decoded" in said and not list(tmp_path.glob("out*"))


@pytest.mark.parametrize("quality", [2, 8])
def test_pictures_become_video_of_video_range(program: Program, tmp_path: Path, quality: int) -> None:
    """JPEG is of full range (JFIF 1.02), files of video aren't: exports and `stills` make the same of pictures."""
    program.folder = tmp_path
    (tmp_path / "in").mkdir()
    color = (40, 200, 90)
    source = "color=0x{:02x}{:02x}{:02x}:s=64x64:r=25:d=0.2".format(*color)
    ffmpeg(["-f", "lavfi", "-i", source, "-q:v", quality, tmp_path / "in/f%d.jpg"])
    program.ok("export", "in/f%d.jpg", "exported.mp4", "--rate", "25")
    program.ok("export", "in/f1.jpg", "one.mp4")
    program.ok("stills", *[f"in/f{number}.jpg" for number in range(1, 6)], "--rate", "25", "-o", "stills.mp4")
    for name in ("exported.mp4", "one.mp4", "stills.mp4"):
        command = ["ffprobe", "-v", "error", "-show_entries", "stream=pix_fmt,color_range", "-of", "csv=p=0"]
        facts = subprocess.check_output([*command, str(tmp_path / name)], text=True).strip()
        assert facts == "yuv420p,tv", name
        command = ["ffmpeg", "-v", "error", "-i", str(tmp_path / name), "-frames:v", "1"]
        pixels = subprocess.check_output([*command, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
        assert all(abs(pixels[place] - value) <= 4 for place, value in enumerate(color)), (name, pixels[:3])
    # Pictures of it are JPEG's again.
    program.ok("image", "exported.mp4", "-o", "again.jpg")
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=color_range", "-of", "csv=p=0"]
    assert subprocess.check_output([*command, str(tmp_path / "again.jpg")], text=True).strip() == "pc"
    pixels = subprocess.check_output(
        ["ffmpeg", "-v", "error", "-i", str(tmp_path / "again.jpg"), "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    )
    assert all(abs(pixels[place] - value) <= 6 for place, value in enumerate(color)), pixels[:3]
    # An archive has the samples as they are.
    program.ok("export", "in/f%d.jpg", "archive.mkv", "--preset", "FFV1")
    assert framemd5("-i", "archive.mkv", folder=tmp_path) == framemd5(
        "-framerate", 25, "-start_number", 1, "-i", "in/f%d.jpg", folder=tmp_path
    )


def test_nothing_is_left_of_an_interrupted_one(tmp_path: Path) -> None:
    clip = tmp_path / "clip.mp4"
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=30", "-preset", "ultrafast", clip])
    command = [str(BINARY), "image", "clip.mp4", "--all", "-o", "out%d.png"]
    running = subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.DEVNULL)
    eventually("the first picture", lambda: list(tmp_path.glob("out*")))
    os.kill(running.pid, signal.SIGINT)
    assert running.wait() == 130
    assert not list(tmp_path.glob("out*"))


def test_pictures_in_compositions(program: Program, tmp_path: Path) -> None:
    program.folder = tmp_path
    draw(tmp_path / "in", "f%02d.png", 10)
    (tmp_path / "cuts.csv").write_text("file,in,out\nin/f%02d.png,0.2,0.4\n")
    program.ok("compose", "cuts.csv", "-o", "cut.mov", "--video-codec", "prores")
    assert seconds(probe(program, "cut.mov")) == 0.2
    timeline = json.loads(program.ok("compose", "in/f%02d.png", "--rate", "10"))
    images = {"frameRate": 10, "startNumber": 1, "endNumber": 10}
    assert [source["imageSequence"] for source in timeline["sources"].values()] == [images]
    (tmp_path / "again.json").write_text(json.dumps(timeline))
    assert json.loads(program.ok("compose", "again.json")) == timeline


def test_open_timeline_io(program: Program, tmp_path: Path) -> None:
    """A document as OpenTimelineIO writes it, whose reference has numbers 3, 5, 7 and 9."""
    program.folder = tmp_path
    draw(tmp_path / "in", "f%02d.png", 10)

    def range_(start: int, duration: int) -> dict:
        def time_(value: int) -> dict:
            return {"OTIO_SCHEMA": "RationalTime.1", "rate": 24.0, "value": float(value)}

        return {"OTIO_SCHEMA": "TimeRange.1", "start_time": time_(start), "duration": time_(duration)}

    reference = {
        "OTIO_SCHEMA": "ImageSequenceReference.1",
        "target_url_base": "in/",
        "name_prefix": "f",
        "name_suffix": ".png",
        "start_frame": 3,
        "frame_step": 2,
        "rate": 24.0,
        "frame_zero_padding": 2,
        "missing_frame_policy": "error",
        "available_range": range_(100, 8),
        "metadata": {},
    }
    clip = {"OTIO_SCHEMA": "Clip.1", "name": "f", "source_range": range_(102, 6), "media_reference": reference}
    track = {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [clip]}
    stack = {"OTIO_SCHEMA": "Stack.1", "children": [track]}
    document = {"OTIO_SCHEMA": "Timeline.1", "name": "t", "tracks": stack}
    (tmp_path / "t.otio").write_text(json.dumps(document))
    timeline = json.loads(program.ok("compose", "t.otio"))
    (source,) = timeline["sources"].values()
    assert source["imageSequence"] == {"frameRate": 24, "startNumber": 3, "endNumber": 9, "frameStep": 2}
    program.ok("compose", "t.otio", "-o", "t.mov", "--video-codec", "prores")
    assert seconds(probe(program, "t.mov")) == 6 / 24


@pytest.mark.parametrize(("rate", "ticks"), [("23.976", 24000), ("29.97", 30000), ("59.94", 60000)])
def test_rounded_rates_of_ntsc(program: Program, tmp_path: Path, rate: str, ticks: int) -> None:
    """`stills` has the frames of numbered pictures and of `--fps`: multiples of 1001/30000, not of 1/29.97."""
    program.folder = tmp_path
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2", tmp_path / "f%d.png"])
    program.ok("stills", *[f"f{number}.png" for number in range(1, 6)], "--rate", rate, "-o", "stills.mp4")
    program.ok("export", "f%d.png", "export.mp4", "--rate", rate)
    for name in ("stills.mp4", "export.mp4"):
        command = ["ffprobe", "-v", "error", "-show_entries", "packet=pts:stream=r_frame_rate,time_base"]
        shown = json.loads(subprocess.check_output([*command, "-of", "json", str(tmp_path / name)]))
        stream = shown["streams"][0]
        assert stream["r_frame_rate"] == f"{ticks}/1001", name
        clock = int(stream["time_base"].split("/")[1])
        stamps = sorted(packet["pts"] for packet in shown["packets"])
        assert [stamp * ticks for stamp in stamps] == [frame * 1001 * clock for frame in range(5)], name
