"""The configuration of a bundle's FFmpeg, by ``Distribution/ffmpeg``, against the parts that the sources name."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "Distribution/ffmpeg").read_text()
# Names of libavformat for which configure has others.
PICTURES = ["bmp", "jpeg", "jpegxl", "png", "tiff", "webp"]
DEMUXERS = {"mpeg": "mpegps", **{f"{name}_pipe": f"image_{name}_pipe" for name in PICTURES}}
# A name that libavformat gave up.
FORMER = {"y4m"}


def configured(variable: str) -> set[str]:
    """The names of a list of the script, which is written over several lines."""
    lines = re.findall(rf"^{variable}\+?=(\S+)$", SCRIPT, re.MULTILINE)
    return {name for line in lines for name in line.split(",") if name}


def sources(folder: str) -> str:
    return "\n".join(path.read_text() for path in sorted((ROOT / "Sources" / folder).rglob("*.swift")))


def test_each_demuxer_is_there() -> None:
    library = (ROOT / "Sources/LibAV/Library.swift").read_text()
    body = library.split("allowedDemuxers = [")[1].split("]")[0]
    wanted = {DEMUXERS.get(name, name) for name in re.findall(r'"(\w+)"', body)} - FORMER
    assert len(wanted) > 50
    assert wanted - configured("demuxers") == set()


def test_each_muxer_is_there() -> None:
    formats = sources("MediaEngine/Formats/Containers")
    wanted = set(re.findall(r'\b(?:muxer|replacement): (?:String = )?"(\w+)"', formats))
    assert {"mov", "matroska", "apng"} <= wanted
    assert wanted - configured("muxers") == set()


def test_no_encoder_that_is_used_is_left_out() -> None:
    settings = sources("MediaEngine/Writing/Settings")
    wanted = set(re.findall(r'VideoEncoder\(\s*name: "(\w+)"', settings))
    wanted |= set(re.findall(r'case \.\w+: "(\w+)"', (ROOT / "Sources/LibAV/Pictures/ImageFormat.swift").read_text()))
    wanted |= set(re.findall(r'textCodec: "(\w+)"', sources("MediaEngine/Formats/Containers")))
    assert {"ffv1", "mjpeg", "bmp", "subrip"} <= wanted
    assert wanted & configured("unused") == set()
