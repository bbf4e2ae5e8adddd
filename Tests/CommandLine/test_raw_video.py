"""Copies of raw video and of QuickTime's codecs: the same pictures, or an error and no file."""

import subprocess
from pathlib import Path
from typing import List

import pytest
from conftest import Program, ffmpeg

SOURCE = ["-f", "lavfi", "-i", "testsrc2=s=192x112:r=25:d=0.2"]
RGB = "rgb24 bgr24 argb bgra rgb555be rgb565le rgb48be".split()
FORMATS = [*"uyvy422 yuyv422 yuv422p yuv420p nv12 gray gray16be pal8".split(), *RGB]
# The formats that the target states.
STATED = {
    "mov": {"uyvy422", "yuyv422", "gray16be", *RGB},
    "mkv": set(FORMATS) - {"pal8"},
}


def pictures(path: Path) -> List[str]:
    """The pixel format that ffmpeg reads, and the sums of the decoded frames."""
    entries = ["-select_streams", "v", "-show_entries", "stream=pix_fmt", "-of", "csv=p=0"]
    form = subprocess.run(["ffprobe", "-v", "error", *entries, str(path)], capture_output=True).stdout
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v", "-f", "framemd5", "-"]
    frames = subprocess.run(command, capture_output=True).stdout.decode().splitlines()
    sums = [line.split(",")[-1].strip() for line in frames if not line.startswith("#")]
    return [form.decode().strip(), *sums]


def check(program: Program, source: Path, target: str) -> bool:
    """True for a copy, false if it is refused."""
    made = program.folder / f"made.{target}"
    made.unlink(missing_ok=True)
    ended = program("export", str(source), made.name, "--preset", "Passthrough")
    if ended.returncode == 0:
        assert pictures(made) == pictures(source)
        return True
    assert f"{target} files can't hold".encode() in ended.stderr
    assert not made.exists()
    return False


@pytest.mark.parametrize("form", FORMATS)
def test_raw_video_is_copied_with_its_format(program: Program, tmp_path: Path, form: str) -> None:
    for extension in ("mov", "avi", "nut"):
        source = tmp_path / f"{extension}.{extension}"
        ffmpeg([*SOURCE, "-c:v", "rawvideo", "-pix_fmt", form, source])
        read = pictures(source)[0]
        if len(pictures(source)) < 6:
            continue  # A movie that no program reads.
        for target, stated in STATED.items():
            copied = check(program, source, target)
            # Rows from the bottom up are those of AVI.
            if extension == "nut":
                assert copied == (form in stated or form == "pal8" and target == "mov")
            if extension == "mov" and target == "mov" or read == "yuyv422" or read == "uyvy422":
                assert copied


def test_another_code_of_the_same_format(program: Program, tmp_path: Path) -> None:
    for form, tag in (("uyvy422", "UYVY"), ("yuyv422", "yuv2")):
        source = tmp_path / f"{tag}.mov"
        ffmpeg([*SOURCE, "-c:v", "rawvideo", "-pix_fmt", form, "-tag:v", tag, source])
        assert check(program, source, "mov")
        assert check(program, source, "mkv") == (tag == "UYVY")


@pytest.mark.parametrize(
    "codec, into_matroska",
    [("qtrle", False), ("smc", False), ("avui", False), ("rpza", True), ("png", True), ("v210", True), ("gif", True)],
)
def test_codecs_of_movies(program: Program, tmp_path: Path, codec: str, into_matroska: bool) -> None:
    source = tmp_path / "source.mov"
    size = ["-s", "720x576", "-strict", "-2"] if codec == "avui" else []
    ffmpeg([*SOURCE, "-c:v", codec, *size, source])
    assert check(program, source, "mov")
    assert check(program, source, "mkv") == into_matroska


def test_the_refusal_advises(program: Program, tmp_path: Path) -> None:
    source = tmp_path / "source.avi"
    ffmpeg([*SOURCE, "-c:v", "rawvideo", "-pix_fmt", "yuv420p", source])
    failure = program.fails(1, "export", str(source), "made.mov", "--preset", "Passthrough")
    assert "Track 1 can't be copied: mov files can't hold" in failure
    program.ok("export", str(source), "made.mov", "--preset", "HighestQuality")
