"""Progressive pictures of interlaced files, by ffmpeg's bwdif filter."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import Program, ffmpeg

FIELDS = "testsrc2=size=320x240:rate=50:duration=1,noise=alls=8:allf=t:all_seed=1"
TOP = f"{FIELDS},tinterlace=mode=interleave_top,setfield=tff"
BOTTOM = f"{FIELDS},tinterlace=mode=interleave_bottom,setfield=bff"
CODED = ["-flags", "+ildct+ilme"]
SOURCES: Dict[str, List[Any]] = {
    "h264.mp4": [TOP, "-c:v", "libx264", *CODED, "-x264opts", "tff=1", "-g", "6"],
    "mpeg2.mpg": [TOP, "-c:v", "mpeg2video", *CODED, "-b:v", "4M"],
    "bottom.mpg": [BOTTOM, "-c:v", "mpeg2video", *CODED, "-b:v", "4M"],
    # The file states the fields, frames don't.
    "raw.mov": [TOP, "-c:v", "rawvideo", "-pix_fmt", "uyvy422", "-field_order", "tt"],
    "chroma.mkv": [TOP, "-c:v", "ffv1", "-pix_fmt", "yuv422p", "-field_order", "tt"],
    "full.mkv": [TOP, "-c:v", "ffv1", "-pix_fmt", "yuv444p", "-field_order", "tt"],
}
LOSSLESS = ["--crf", "0", "--video-codec", "h264", "--profile", "high444"]


def source(program: Program, name: str) -> Path:
    graph, *options = SOURCES[name]
    path = program.folder / name
    if not path.exists():
        ffmpeg(["-f", "lavfi", "-i", graph, *options, path])
    return path


def pictures(media: Path, pixels: str, *filters: str) -> List[str]:
    """The sums of the decoded pictures."""
    graph = ",".join((*filters, f"format={pixels}"))
    command = ["ffmpeg", "-v", "error", "-i", str(media), "-map", "0:v", "-vf", graph, "-fps_mode", "passthrough"]
    text = subprocess.run([*command, "-f", "framemd5", "-"], check=True, capture_output=True, text=True).stdout
    return [line.split(",")[-1].strip() for line in text.splitlines() if line[:1] != "#"]


def times(media: Path) -> List[float]:
    command = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time,interlaced_frame"]
    text = subprocess.run([*command, "-of", "json", str(media)], check=True, capture_output=True).stdout
    frames = json.loads(text)["frames"]
    assert all(frame["interlaced_frame"] == 0 for frame in frames)
    return [float(frame["pts_time"]) for frame in frames]


@pytest.mark.parametrize(
    "name, pixels",
    [("h264.mp4", "yuv420p"), ("mpeg2.mpg", "yuv420p"), ("bottom.mpg", "yuv420p"), ("chroma.mkv", "yuv422p"),
     ("full.mkv", "yuv444p"), ("raw.mov", "yuv422p")],
)
@pytest.mark.parametrize("mode, filter_mode", [("auto", "send_frame"), ("field", "send_field")])
def test_pictures_are_those_of_bwdif(
    program: Program, name: str, pixels: str, mode: str, filter_mode: str
) -> None:
    media = source(program, name)
    target = f"{name}-{mode}.mp4"
    program.ok("export", name, target, *LOSSLESS, "--pixel-format", pixels, "--deinterlace", mode, "--no-audio")
    wanted = pictures(media, pixels, f"bwdif=mode={filter_mode}:parity=auto:deint=interlaced")
    assert len(wanted) == (50 if mode == "field" else 25)
    assert pictures(program.folder / target, pixels) == wanted
    shown = times(program.folder / target)
    step = 0.02 if mode == "field" else 0.04
    assert [round(time - shown[0], 4) for time in shown] == [round(step * number, 4) for number in range(len(shown))]


def test_none_leaves_both_fields(program: Program) -> None:
    media = source(program, "h264.mp4")
    program.ok("export", "h264.mp4", "combed.mp4", *LOSSLESS, "--pixel-format", "yuv420p", "--deinterlace", "none")
    assert pictures(program.folder / "combed.mp4", "yuv420p") == pictures(media, "yuv420p")


def test_progressive_frames_of_an_interlaced_stream_stay(program: Program) -> None:
    media = program.folder / "film.mpg"
    film = "testsrc2=size=320x240:rate=24:duration=1"
    ffmpeg(["-f", "lavfi", "-i", film, "-c:v", "mpeg2video", "-b:v", "4M", media])
    program.ok("export", "film.mpg", "film.mp4", *LOSSLESS, "--pixel-format", "yuv420p")
    assert pictures(program.folder / "film.mp4", "yuv420p") == pictures(media, "yuv420p")


@pytest.mark.parametrize("name", ["h264.mp4", "mpeg2.mpg"])
def test_an_image_is_the_picture_of_an_export(program: Program, name: str) -> None:
    source(program, name)
    pixels = "yuv420p"
    program.ok("export", name, f"{name}-all.mp4", *LOSSLESS, "--pixel-format", pixels, "--no-audio")
    # Each in a program of its own: the first one, around sync samples, and the last one.
    for number in (0, 1, 5, 6, 7, 24):
        for media, image in ((name, "one.png"), (f"{name}-all.mp4", "other.png")):
            (program.folder / image).unlink(missing_ok=True)
            program.ok("image", media, "-o", image, "--frame", str(number))
        assert decoded(program.folder / "one.png") == decoded(program.folder / "other.png"), number
    (program.folder / "one.png").unlink()
    program.ok("image", name, "-o", "one.png", "--frame", "6", "--deinterlace", "none")
    assert decoded(program.folder / "one.png") != decoded(program.folder / "other.png")


def decoded(image: Path) -> List[str]:
    return pictures(image, "rgb24")
