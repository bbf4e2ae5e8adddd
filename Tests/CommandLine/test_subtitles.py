"""Subtitles as files of their own, out of any track of text and in from both forms; ffmpeg is the oracle."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import List, Tuple

import pytest

from conftest import Program, ffmpeg

SUBRIP = (
    "1\n00:00:00,500 --> 00:00:01,500\nHello <i>there</i>\n\n"
    "2\n00:00:02,000 --> 00:00:03,250\nSecond line\nand a third\n\n"
)

Cue = Tuple[str, str, str]


def cues(path: Path) -> List[Cue]:
    """The beginning, the end and the text of each cue, as ffmpeg reads them."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "srt", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    pattern = r"^\d+\n(\S+) --> (\S+)\n([\s\S]*?)\n\n"
    return [(a, b, c) for a, b, c in re.findall(pattern, text + "\n", re.M)]


def plain(found: List[Cue]) -> List[Cue]:
    """Without styles, which not every form has."""
    return [(a, b, re.sub(r"<[^>]*>", "", c)) for a, b, c in found]


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture and the same subtitles in four forms, and the subtitles as files."""
    folder = tmp_path_factory.mktemp("films")
    (folder / "in.srt").write_text(SUBRIP)
    ffmpeg(["-i", folder / "in.srt", folder / "in.vtt"])
    for name, codec in (("a.mp4", "mov_text"), ("b.mkv", "subrip"), ("c.mkv", "ass"), ("d.webm", "webvtt")):
        coding = ["-c:v", "libvpx", "-deadline", "realtime"] if name == "d.webm" else ["-c:v", "mpeg4"]
        ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=duration=5:size=64x48", "-i", folder / "in.srt", *coding]
            + ["-c:s", codec, folder / name]
        )
    return folder


SOURCES = ["a.mp4", "b.mkv", "c.mkv", "d.webm", "in.srt", "in.vtt"]


@pytest.mark.parametrize("form", ["srt", "vtt"])
@pytest.mark.parametrize("source", SOURCES)
def test_subtitles_come_out(program: Program, films: Path, source: str, form: str) -> None:
    target = program.folder / f"out.{form}"
    ended = program("export", str(films / source), str(target))
    assert ended.returncode == 0, ended.stderr
    assert plain(cues(target)) == plain(cues(films / "in.srt"))
    assert target.read_bytes().startswith(b"WEBVTT\n" if form == "vtt" else b"1\n00:00:00,500")
    if not source.startswith("in."):
        assert b"left out: track 1 (video)" in ended.stderr


@pytest.mark.parametrize("source", SOURCES)
def test_a_part_of_them(program: Program, films: Path, source: str) -> None:
    program.ok("export", str(films / source), "part.srt", "--start", "1", "--duration", "2")
    assert [(start, end) for start, end, _ in cues(program.folder / "part.srt")] == [
        ("00:00:00,000", "00:00:00,500"),
        ("00:00:01,000", "00:00:02,000"),
    ]


@pytest.mark.parametrize("name", ["in.srt", "in.vtt"])
def test_a_file_of_subtitles_is_an_asset(program: Program, films: Path, name: str) -> None:
    facts = json.loads(program.ok("probe", "--json", str(films / name)))
    assert [track["mediaType"] for track in facts["tracks"]] == ["subtitle"]
    assert facts["duration"]["value"] / facts["duration"]["timescale"] == 3.25
    assert facts["containerFacts"]["formatName"] == {"in.srt": "srt", "in.vtt": "webvtt"}[name]


def test_one_track_of_several(program: Program, films: Path) -> None:
    both = program.folder / "both.mkv"
    (program.folder / "other.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nAnother\n\n")
    ffmpeg(
        ["-i", films / "b.mkv", "-i", program.folder / "other.srt", "-map", "0", "-map", "1", "-c", "copy"]
        + [both]
    )
    ended = program("export", "both.mkv", "one.srt")
    assert ended.returncode == 0
    assert b"one track of subtitles" in ended.stderr
    assert plain(cues(program.folder / "one.srt")) == plain(cues(films / "in.srt"))


def test_without_text_there_is_nothing_to_write(program: Program) -> None:
    assert "srt" in program.fails(1, "export", "clip.mp4", "out.srt")
    assert not (program.folder / "out.srt").exists()


# Files that are cut short


def test_what_is_there_is_salvaged(program: Program) -> None:
    whole, cut = program.folder / "whole.mkv", program.folder / "cut.mkv"
    ffmpeg(["-i", program.folder / "clip.mp4", "-c", "copy", whole])
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    complaint = program.fails(1, "export", "cut.mkv", "no.mkv", "--preset", "Passthrough")
    assert "cut short" in complaint and "--salvage" in complaint
    ended = program("export", "cut.mkv", "part.mkv", "--preset", "Passthrough", "--salvage")
    missing = whole.stat().st_size - cut.stat().st_size
    assert ended.returncode == 0
    assert f"at least {missing} bytes are missing".encode() in ended.stderr
    facts = json.loads(program.ok("probe", "--json", "--salvage", "cut.mkv"))
    assert facts["duration"]["value"] / facts["duration"]["timescale"] < 4
