"""Losses of video compositions are listed: transparency over an opaque background, pictures of single fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import Program, ffmpeg


@pytest.fixture
def folder(program: Program) -> Path:
    folder = program.folder
    disc = "color=red:s=64x48:d=1:r=25,format=argb,geq=r=255:g=0:b=0:a='255*lt(hypot(X-32,Y-24),16)'"
    ffmpeg(["-f", "lavfi", "-i", disc, "-c:v", "qtrle", folder / "disc.mov"])
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=1", "-vf", "tinterlace=4:flags=vlpf,setfield=tff",
            "-c:v", "libx264", "-flags", "+ilme+ildct", "-x264-params", "tff=1",
            folder / "fields.mp4"])  # fmt: skip
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-pix_fmt", "yuv420p", folder / "film.mkv"])
    (folder / "words.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nWord\n")
    return folder


def dropped(program: Program, *command: str) -> List[Dict[str, Any]]:
    """The items that a file has lost, without those of its metadata."""
    done = json.loads(program.ok(*command, "--json"))
    return [item for item in done.get("dropped", []) if item["item"] in ("alpha", "videoComposition")]


def sequence(folder: Path, **members: object) -> str:
    (folder / "sequence.json").write_text(json.dumps(members))
    return "sequence.json"


def test_transparency_over_an_opaque_background(program: Program, folder: Path) -> None:
    alone = sequence(folder, clips=[{"url": "disc.mov"}, {"url": "disc.mov"}])
    for command in (
        ["compose", alone, "-o", "alone.webm"],
        ["export", "disc.mov", "titled.webm", "--burn-subtitles", "words.srt"],
    ):
        (lost,) = dropped(program, *command)
        assert lost["item"] == "alpha"
        assert "opaque background" in lost["reason"]


def test_transparency_that_shows_another_picture_is_none_that_is_lost(
    program: Program, folder: Path
) -> None:
    over = sequence(
        folder, clips=[{"url": "film.mkv"}],
        overlays=[{"url": "disc.mov", "timeRange": {"start": 0, "duration": 1},
                   "frame": {"x": 0, "y": 0, "width": 32, "height": 24}}],
    )  # fmt: skip
    assert dropped(program, "compose", over, "-o", "over.webm") == []
    assert dropped(program, "export", "disc.mov", "kept.webm") == []


def test_pictures_of_both_fields(program: Program, folder: Path) -> None:
    burnt = ["--burn-subtitles", "words.srt"]
    (lost,) = dropped(program, "export", "fields.mp4", "burnt.mp4", *burnt, "--deinterlace", "field")
    assert (lost["item"], lost["key"]) == ("videoComposition", "fields")
    for name, options in (
        ("each", ["--deinterlace", "field"]),
        ("both", burnt),
        ("progressive", [*burnt, "--deinterlace", "field"]),
    ):
        source = "film.mkv" if name == "progressive" else "fields.mp4"
        assert dropped(program, "export", source, f"{name}.mp4", *options) == [], name
