"""The range of encoded pictures, for sources of full range."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import List

import pytest

from conftest import Program, ffmpeg

RAMP = "color=black:s=256x64:r=25:d=0.2"
VALUES = [16, 64, 128, 200, 239]


@pytest.fixture
def sources(program: Program) -> Path:
    """A ramp of all values in YUV and grey of full range, and in YUV of limited range."""
    ramp = "geq=lum=X:cb=128:cr=128"
    for name, filters, options in (
        ("full.mp4", f"{RAMP},format=yuv420p,{ramp},setrange=pc", ["-color_range", "pc", "-c:v", "libx264", "-qp", 0]),
        ("limited.mp4", f"{RAMP},format=yuv420p,{ramp}", ["-c:v", "libx264", "-qp", 0]),
        ("grey.mkv", f"{RAMP},format=gray,geq=lum=X", ["-color_range", "pc", "-c:v", "ffv1"]),
    ):
        ffmpeg(["-f", "lavfi", "-i", filters, *options, program.folder / name])
    ffmpeg(["-i", program.folder / "full.mp4", "-c:v", "mjpeg", "-q:v", 1, program.folder / "full.avi"])
    return program.folder


def shown(program: Program, file: str) -> List[int]:
    """The grey values of a row of the first picture at the places of `VALUES`."""
    row = program("image", file, "--format", "gray", "-o", "-").stdout[:256]
    return [row[place] for place in VALUES]


def luma(path: Path) -> List[float]:
    """The stored luma there, as of 8 bits."""
    command = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "yuv422p10le"]
    command += ["-f", "rawvideo", "-"]
    row = subprocess.run(command, check=True, capture_output=True).stdout[:512]
    return [int.from_bytes(row[2 * place : 2 * place + 2], "little") / 4 for place in VALUES]


@pytest.mark.parametrize("file", ["full.mp4", "full.avi", "grey.mkv"])
@pytest.mark.parametrize(
    ("target", "options"),
    [("out.mov", "--video-codec prores"), ("out.mov", "--preset AppleProRes422LPCM")]
    + [("out.mkv", "--preset AppleProRes4444LPCM")],
)
def test_prores_has_limited_range(program: Program, sources: Path, file: str, target: str, options: str) -> None:
    """ProRes can't state another one (SMPTE RDD 36)."""
    program.ok("export", file, target, *options.split())
    assert shown(program, target) == pytest.approx(shown(program, file), abs=2)
    scaled = [16 + value * 219 / 255 for value in VALUES]
    assert luma(sources / target) == pytest.approx(scaled, abs=1.5)


def test_joins_of_both_ranges(program: Program, sources: Path) -> None:
    program.ok("join", "full.mp4", "limited.mp4", "-o", "out.mov", "--preset", "AppleProRes422LPCM")
    assert shown(program, "out.mov") == pytest.approx(shown(program, "full.mp4"), abs=2)


@pytest.mark.parametrize("target", ["out.webm", "out.mkv"])
def test_vp8_has_limited_range(program: Program, sources: Path, target: str) -> None:
    """Decoders take its range from the stream, which can't state another one, over the container's."""
    program.ok("export", "full.mp4", target, "--video-codec", "vp8", "--quality", "1")
    assert shown(program, target) == pytest.approx(shown(program, "full.mp4"), abs=3)


@pytest.mark.parametrize(("codec", "target"), [("h264", "out.mp4"), ("ffv1", "out.mkv"), ("vp9", "out.webm")])
def test_other_codecs_keep_full_range(program: Program, sources: Path, codec: str, target: str) -> None:
    program.ok("export", "full.mp4", target, "--video-codec", codec)
    assert shown(program, target) == pytest.approx(shown(program, "full.mp4"), abs=3)
