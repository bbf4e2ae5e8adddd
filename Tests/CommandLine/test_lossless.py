"""Codecs that lose nothing, by ffmpeg's reading of the file and of its source, and depths of 10 and 12 bits."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import List

import pytest

from conftest import Program, ffmpeg
from waiting import HANG

SOURCE = "testsrc2=s=66x50:r=10:d=0.8"
ALPHA = "format=rgba,geq=r='X*3':g='Y*4':b='N*16':a='mod(X*4+N*32,256)'"


def frames(path: Path, pixel_format: str, *decoder: str) -> List[str]:
    """The frames' times, durations, and checksums of their pixels in that format, as ffmpeg decodes them."""
    command = ["ffmpeg", "-nostdin", "-v", "error", *decoder, "-i", str(path), "-map", "0:v:0", "-fps_mode", "passthrough"]
    command += ["-enc_time_base", "1/1000", "-pix_fmt", pixel_format, "-f", "framemd5", "-"]
    lines = subprocess.check_output(command, timeout=HANG, text=True).splitlines()
    return [line for line in lines if not line.startswith("#")]


def stream(path: Path) -> dict:
    command = ["ffprobe", "-v", "error", "-show_streams", "-of", "json", "-select_streams", "v:0", str(path)]
    return json.loads(subprocess.check_output(command, timeout=HANG))["streams"][0]


def make(path: Path, pixel_format: str, *options: object) -> None:
    chain = f"{ALPHA}," if pixel_format.startswith(("yuva", "rgba", "argb", "bgra", "ya")) else ""
    ffmpeg(["-f", "lavfi", "-i", f"{SOURCE},{chain}format={pixel_format}", *options, path])


KINDS = [
    ("yuv420p", "ffv1"), ("yuv422p10le", "ffv1"), ("yuv444p12le", "ffv1"), ("yuva420p", "ffv1"),
    ("yuva444p10le", "ffv1"), ("gray", "ffv1"), ("gray16le", "ffv1"), ("yuv411p", "ffv1"), ("bgra", "ffv1"),
    ("gbrp10le", "ffv1"), ("yuvj420p", "mjpeg"), ("yuvj422p", "mjpeg"),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_ffv1_is_the_source(program: Program, kind: tuple) -> None:
    pixel_format, codec = kind
    make(program.folder / "a.mkv", pixel_format, "-c:v", codec)
    program.ok("export", "a.mkv", "b.mkv", "--video-codec", "ffv1")
    made = stream(program.folder / "b.mkv")
    assert made["codec_name"] == "ffv1" and made["pix_fmt"] == pixel_format.replace("yuvj", "yuv")
    assert frames(program.folder / "b.mkv", pixel_format) == frames(program.folder / "a.mkv", pixel_format)
    if pixel_format.startswith("yuvj"):
        assert made["color_range"] == "pc"


RGB = [
    ("rgb24", "png", "png", "mov"), ("rgba", "png", "png", "mov"), ("rgba64be", "png", "png", "mkv"),
    ("gray", "png", "png", "mkv"), ("ya8", "png", "png", "mov"), ("argb", "qtrle", "animation", "mov"),
    ("rgb24", "qtrle", "qtrle", "mov"), ("argb", "qtrle", "png", "mkv"), ("rgba", "png", "qtrle", "mov"),
    ("rgb24", "png", "ffv1", "mkv"), ("rgba", "png", "ffv1", "mkv"), ("rgb48be", "png", "ffv1", "mkv"),
    ("ya8", "png", "ffv1", "mkv"),
]  # fmt: skip


@pytest.mark.parametrize("kind", RGB, ids=" ".join)
def test_rgb_is_the_source(program: Program, kind: tuple) -> None:
    pixel_format, source, codec, target = kind
    make(program.folder / "a.mov", pixel_format, "-c:v", source)
    ended = program("export", "a.mov", f"b.{target}", "--video-codec", codec)
    assert ended.returncode == 0 and b"left out" not in ended.stderr, ended.stderr
    right = frames(program.folder / "a.mov", pixel_format)
    assert len(right) == 8 and frames(program.folder / f"b.{target}", pixel_format) == right


def test_the_archive_preset(program: Program) -> None:
    make(program.folder / "a.mkv", "yuv420p10le", "-f", "lavfi", "-i", "sine=d=0.8", "-c:v", "ffv1", "-c:a", "pcm_s16le")
    program.ok("export", "a.mkv", "b.mkv", "--preset", "FFV1")
    for name in ("a.mkv", "b.mkv"):
        assert stream(program.folder / name)["pix_fmt"] == "yuv420p10le"
    assert frames(program.folder / "b.mkv", "yuv420p10le") == frames(program.folder / "a.mkv", "yuv420p10le")
    audio = [
        subprocess.check_output(["ffmpeg", "-v", "error", "-i", program.folder / name, "-vn", "-f", "s16le", "-"])
        for name in ("a.mkv", "b.mkv")
    ]
    assert audio[0] == audio[1] and len(audio[0]) > 70000


def test_fields_stay_and_are_declared(program: Program) -> None:
    """An archive of interlaced video has both fields, unless something else is wanted."""
    fields = ["-vf", "setfield=tff", "-flags", "+ildct+ilme", "-top", 1]
    picture = ["-f", "lavfi", "-i", SOURCE.replace("66x50", "64x48")]
    ffmpeg([*picture, *fields, "-c:v", "mpeg2video", "-q:v", 2, program.folder / "a.ts"])
    program.ok("export", "a.ts", "b.mkv", "--video-codec", "ffv1")
    program.ok("export", "a.ts", "c.mkv", "--video-codec", "ffv1", "--deinterlace", "frame")
    right = [line.split(",")[-1] for line in frames(program.folder / "a.ts", "yuv420p")]
    assert [line.split(",")[-1] for line in frames(program.folder / "b.mkv", "yuv420p")] == right
    assert [line.split(",")[-1] for line in frames(program.folder / "c.mkv", "yuv420p")] != right
    assert stream(program.folder / "b.mkv")["field_order"] in ("tt", "tb")
    assert stream(program.folder / "c.mkv").get("field_order", "progressive") == "progressive"


DEPTHS = [
    ("hevc", "main12", "yuv420p12le", "Rext", "mkv"), ("hevc", "main422-12", "yuv422p12le", "Rext", "mkv"),
    ("vp9", "2", "yuv420p12le", "Profile 2", "webm"), ("vp9", "2", "yuv420p10le", "Profile 2", "webm"),
    ("vp9", "3", "yuv444p12le", "Profile 3", "mkv"), ("hevc", "main10", "yuv420p10le", "Main 10", "mp4"),
    ("av1", "main", "yuv420p10le", "Main", "mp4"),
]  # fmt: skip


@pytest.mark.parametrize("kind", DEPTHS, ids=" ".join)
def test_ten_and_twelve_bits(program: Program, kind: tuple) -> None:
    codec, profile, pixel_format, name, target = kind
    make(program.folder / "a.mkv", pixel_format, "-c:v", "ffv1")
    program.ok("export", "a.mkv", f"b.{target}", "--video-codec", codec, "--profile", profile)
    made = stream(program.folder / f"b.{target}")
    assert (made["pix_fmt"], made["profile"]) == (pixel_format, name)
