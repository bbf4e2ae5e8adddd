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


@pytest.mark.parametrize("target", ["out.mov", "out.mkv"])
@pytest.mark.parametrize("matrix", ["bt709", "smpte170m"])
def test_motion_jpeg_has_the_matrix_of_jpeg(program: Program, target: str, matrix: str) -> None:
    """JFIF has BT.601 and full range; so does the tag of the container, if there is one."""
    colour = f"color=0xC83264:s=1280x720:d=0.2,scale=out_color_matrix={matrix},format=yuv420p"
    ffmpeg(["-f", "lavfi", "-i", colour, "-colorspace", matrix, "-qp", 0, program.folder / "red.mp4"])
    program.ok("export", "red.mp4", target, "--video-codec", "mjpeg", "--quality", "1")
    command = ["ffmpeg", "-v", "error", "-i", program.folder / target, "-frames:v", "1"]
    # The numbers that are stored, and the colour that is shown.
    stored = subprocess.run([*command, "-pix_fmt", "yuvj444p", "-f", "rawvideo", "-"], check=True, capture_output=True)
    shown = subprocess.run([*command, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"], check=True, capture_output=True)
    red, green, blue = 0xC8, 0x32, 0x64
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    values = [luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402]
    size = 1280 * 720
    assert [stored.stdout[place * size] for place in range(3)] == pytest.approx(values, abs=2)
    assert list(shown.stdout[:3]) == pytest.approx([red, green, blue], abs=3)
    probe = ["ffprobe", "-v", "error", "-show_entries", "stream=color_space", "-of", "csv=p=0", program.folder / target]
    assert subprocess.check_output(probe, text=True).strip() in ("bt470bg", "smpte170m")


@pytest.mark.parametrize("target", ["out.webm", "out.mkv"])
@pytest.mark.parametrize("matrix", ["fcc", "smpte240m"])
def test_the_matrix_of_vp9(program: Program, target: str, matrix: str) -> None:
    """VP9 has no place for FCC's matrix: the pictures are converted to one that it can state."""
    colour = "color=0xC83264:s=128x96:d=0.2,scale=out_color_matrix=bt709,format=yuv420p"
    options = ["-colorspace", matrix, "-color_primaries", "bt709", "-color_trc", "bt709", "-qp", 0]
    ffmpeg(["-f", "lavfi", "-i", colour, *options, program.folder / "in.mp4"])
    program.ok("export", "in.mp4", target, "--video-codec", "vp9", "--quality", "1")
    probe = ["ffprobe", "-v", "error", "-show_entries", "stream=color_space", "-of", "csv=p=0", program.folder / target]
    stated = subprocess.check_output(probe, text=True).strip()
    assert stated == {"fcc": "bt470bg"}.get(matrix, matrix)

    def shown(path: Path, kr: float, kb: float) -> List[float]:
        """The colour by H.273 of the stored numbers."""
        command = ["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "yuv444p", "-f", "rawvideo", "-"]
        raw = subprocess.run(command, check=True, capture_output=True).stdout
        y, u, v = ((raw[0] - 16) / 219, (raw[128 * 96] - 128) / 224, (raw[2 * 128 * 96] - 128) / 224)
        red, blue = y + 2 * (1 - kr) * v, y + 2 * (1 - kb) * u
        return [red, (y - kr * red - kb * blue) / (1 - kr - kb), blue]

    weights = {"fcc": (0.30, 0.11), "smpte240m": (0.212, 0.087), "bt470bg": (0.299, 0.114)}
    before = shown(program.folder / "in.mp4", *weights[matrix])
    assert shown(program.folder / target, *weights[stated]) == pytest.approx(before, abs=0.012)
