"""docs/ffprobe.md: each of its rows, compared with ffprobe."""

from __future__ import annotations

import json
import re
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, List, Tuple

import pytest

from conftest import ROOT, Program, ffmpeg

PAGE = ROOT / "docs" / "ffprobe.md"


def table(heading: str) -> List[Tuple[str, ...]]:
    section = PAGE.read_text().split(f"## `{heading}`")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*) \|$", section, re.M)
    return [tuple(cell.strip() for cell in row.split(" | ")) for row in rows]


def at(document: Any, path: str) -> Any:
    """The value at a path such as ``a.b[0].c`` or ``a[key=value].b``."""
    for name, inside in re.findall(r"(\w+)|\[([^\]]+)\]", path):
        if name:
            document = document.get(name) if isinstance(document, dict) else None
        elif inside.isdigit():
            document = document[int(inside)]
        else:
            key, value = inside.split("=")
            document = next(item for item in document if item.get(key) == value)
    return document


def seconds(time: Any) -> Fraction:
    return Fraction(time["value"], time["timescale"])


def is_same(theirs: Any, ours: Any, form: str) -> bool:
    if form == "time":
        return abs(Fraction(theirs) - seconds(ours)) <= Fraction(1, 1_000_000)
    if form == "rate":
        return abs(float(theirs) / ours - 1) < 0.01
    if form == "fraction":
        return abs(float(Fraction(theirs)) - ours) < 1e-6
    if form == "number":
        return float(theirs) == ours
    if form == "flag":
        return bool(theirs) == ours
    if form == "range":
        return {"tv": "limited", "pc": "full"}.get(theirs, theirs) == ours
    return form == "text" and theirs == ours


FACTS = ["-show_format", "-show_streams", "-show_chapters"]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Tuple[Any, Any]:
    """The output of ffprobe and of reelwire for one file that has everything in the tables."""
    folder = tmp_path_factory.mktemp("page")
    path = folder / "all.mp4"
    (folder / "c.txt").write_text(
        ";FFMETADATA1\ntitle=A pattern\nartist=Nobody\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=First\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=3000\ntitle=Second\n"
    )
    colours = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=duration=3:size=320x240", "-f", "lavfi", "-i"]
        + ["sine=duration=3", "-i", folder / "c.txt", "-map", "0", "-map", "1", "-map_metadata", "2"]
        + ["-vf", colours, "-pix_fmt", "yuv420p", "-metadata:s:a", "language=deu", path]
    )
    command = ["ffprobe", "-v", "error", "-of", "json", *FACTS, str(path)]
    theirs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return theirs, json.loads(Program(folder).ok("probe", "--json", str(path)))


@pytest.mark.parametrize("row", [row for heading in FACTS for row in table(heading)], ids=str)
def test_a_fact_is_where_the_page_has_it(both: Tuple[Any, Any], row: Tuple[str, ...]) -> None:
    theirs, ours = both
    name, path, form = (cell.strip("`") for cell in row)
    expected, value = at(theirs, name), at(ours, path)
    assert expected is not None and value is not None, (expected, value)
    assert is_same(expected, value, form), (expected, value)


def call(program: Program, *arguments: str) -> Any:
    return json.loads(program.ok("call", *arguments).splitlines()[-1])


def test_packets_are_samples(program: Program) -> None:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_packets", "-select_streams", "v"]
    shown = subprocess.run([*command, program.folder / "clip.mp4"], check=True, capture_output=True)
    packet = json.loads(shown.stdout)["packets"][0]
    sample = call(
        program, "asset/open", "url=clip.mp4", "+", "sampleCursor/create", "asset=_.asset",
        "trackID:=1", "position=first",
    )["sample"]  # fmt: skip
    rows = {re.sub(r"^packets\[n\]\.(\w+).*", r"\1", a.strip("`")): b.strip("`") for a, b in table("-show_packets")}
    for name, path in rows.items():
        theirs, ours = packet[name], at(sample, path)
        if name.endswith("_time"):
            assert is_same(theirs, ours, "time"), name
        elif name == "flags":
            assert ours == ("K" in theirs)
        else:
            assert int(theirs) == ours, name


def test_frames_are_sample_buffers(program: Program) -> None:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_frames", str(program.folder / "clip.mp4")]
    shown = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["frames"]
    for kind, settings, names in [
        ("video", '{"pixelFormat": "yuv420p"}', ["pts_time", "width", "height"]),
        ("audio", '{"sampleFormat": "f32"}', ["pts_time"]),
    ]:
        frame = next(frame for frame in shown if frame["media_type"] == kind)
        outputs = f'[{{"type": "track", "mediaType": "{kind}", "settings": {settings}}}]'
        buffer = call(
            program, "asset/open", "url=clip.mp4", "+", "assetReader/create", "asset=_.asset",
            f"outputs:={outputs}", "+", "assetReader/start", "assetReader=_.assetReader", "+",
            "assetReader/nextSampleBuffers", "output=output:1/1",
        )["sampleBuffers"][0]  # fmt: skip
        if kind == "video":
            assert (buffer["image"]["width"], buffer["image"]["height"]) == (frame["width"], frame["height"])
            assert buffer["image"]["pixelFormat"] == "yuv420p"
            assert is_same(frame["pts_time"], buffer["presentationTime"], "time")
        else:
            assert buffer["audio"]["frames"] > 0
