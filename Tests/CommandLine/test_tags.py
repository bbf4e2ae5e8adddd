"""`reelwire tags`: its output, as ffprobe reads it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import BINARY, Program, environment, ffmpeg
from waiting import HANG

TONE = ["-f", "lavfi", "-i", "sine=duration=2", "-ac", "2"]

#: The value of each name that is written in each container; ffprobe reads it under the same name.
VALUES = {
    "title": "Évening",
    "artist": "Nobody & Sons",
    "album": "Songs",
    "album_artist": "Various",
    "composer": "C. Omposer",
    "genre": "Drum & Bass",
    "date": "2019-02-03",
    "track": "3/12",
    "disc": "1/2",
    "comment": "a = b; c",
    "copyright": "© 2019",
}

#: The names that a container has no place for.
MISSING = {
    "wav": {"album_artist", "composer", "disc"},
    "mp4": set(),
    "webm": set(),
}

CODING: Dict[str, List[object]] = {
    "mp3": ["-c:a", "libmp3lame"],
    "m4a": ["-c:a", "aac"],
    "mp4": ["-c:a", "aac"],
    "mov": ["-c:a", "aac"],
    "flac": ["-c:a", "flac"],
    "ogg": ["-c:a", "libvorbis"],
    "opus": ["-c:a", "libopus"],
    "mka": ["-c:a", "flac"],
    "mkv": ["-c:a", "flac"],
    "webm": ["-c:a", "libopus"],
    "wav": [],
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tags")
    for kind, coding in CODING.items():
        ffmpeg([*TONE, *coding, "-metadata", "title=Old", "-metadata", "comment=To go",
                "-metadata", "artist=Stays", folder / f"source.{kind}"])  # fmt: skip
    for name, colour in (("cover.jpg", "red"), ("other.png", "blue")):
        ffmpeg(["-f", "lavfi", "-i", f"color=c={colour}:s=64x48", "-frames:v", 1, folder / name])
    return folder


def probe(path: Path, *options: str) -> Any:
    command = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams", *options]
    return json.loads(subprocess.run([*command, str(path)], check=True, capture_output=True).stdout)


def tags(path: Path) -> Dict[str, str]:
    """The tags of the file; of Ogg they are its stream's."""
    shown = probe(path)
    audio = next(stream for stream in shown["streams"] if stream["codec_type"] == "audio")
    found = {**audio.get("tags", {}), **shown["format"].get("tags", {})}
    return {name.lower(): value for name, value in found.items()}


def sound(path: Path) -> str:
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-c", "copy", "-f", "hash", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def covers(path: Path) -> List[str]:
    """The checksums of the attached pictures."""
    found = []
    for stream in probe(path)["streams"]:
        if stream["disposition"]["attached_pic"]:
            command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", f"0:{stream['index']}"]
            picture = subprocess.run(
                [*command, "-c", "copy", "-f", "image2pipe", "-"], check=True, capture_output=True
            )
            found.append(hashlib.md5(picture.stdout).hexdigest())
    return found


@pytest.mark.parametrize("kind", CODING)
def test_tags_are_written_and_read_back(program: Program, sources: Path, kind: str) -> None:
    source, target = sources / f"source.{kind}", program.folder / f"out.{kind}"
    changes = [word for name, value in VALUES.items() for word in ("--set", f"{name}={value}")]
    ended = program("tags", str(source), *changes, "-o", str(target))
    assert ended.returncode == 0, ended.stderr
    missing = MISSING.get(kind, set())
    found = tags(target)
    for name, value in VALUES.items():
        if name in missing:
            assert re.search(rf"left out: metadata .*\bcommon/{name}\b", ended.stderr.decode()), name
        elif kind in ("mkv", "mka", "webm") and name == "track":
            assert found.get("track", found.get("part_number")) == value
        else:
            assert found.get(name) == value, (name, found)
    assert sound(source) == sound(target)


@pytest.mark.parametrize("kind", CODING)
def test_what_is_not_named_stays(program: Program, sources: Path, kind: str) -> None:
    target = program.folder / f"out.{kind}"
    source = str(sources / f"source.{kind}")
    # In QuickTime's user data FFmpeg writes a comment as a description.
    name = "description" if kind == "mov" else "comment"
    program.ok("tags", source, "--set", "title=New", "--remove", name, "-o", str(target))
    found = tags(target)
    assert (found.get("title"), found.get("artist")) == ("New", "Stays")
    assert name not in found
    shown = program.ok("tags", str(target))
    assert "artist" in shown and "Stays" in shown and "New" in shown and "To go" not in shown


@pytest.mark.parametrize("kind", ["mp3", "m4a", "mp4", "flac", "ogg", "opus", "mka", "mkv"])
def test_covers(program: Program, sources: Path, kind: str) -> None:
    one, two, none = (program.folder / f"{name}.{kind}" for name in ("one", "two", "none"))
    first, second = ((sources / name).read_bytes() for name in ("cover.jpg", "other.png"))
    program.ok("tags", str(sources / f"source.{kind}"), "--cover", str(sources / "cover.jpg"), "-o", str(one))
    assert covers(one) == [hashlib.md5(first).hexdigest()]
    # Another one takes its place, and other changes leave it as it is.
    program.ok("tags", str(one), "--cover", str(sources / "other.png"), "-o", str(two))
    assert covers(two) == [hashlib.md5(second).hexdigest()]
    kept = program.folder / f"kept.{kind}"
    program.ok("tags", str(two), "--set", "title=With a cover", "-o", str(kept))
    assert covers(kept) == covers(two) and tags(kept)["title"] == "With a cover"
    program.ok("tags", str(two), "--remove", "cover", "-o", str(none))
    assert covers(none) == [] and tags(none)["title"] == "Old"


# In place


@pytest.mark.parametrize("kind", ["mp3", "m4a", "mp4", "flac", "ogg", "mkv", "wav"])
def test_in_place(program: Program, sources: Path, kind: str) -> None:
    path = program.folder / f"song.{kind}"
    shutil.copy(sources / f"source.{kind}", path)
    path.chmod(0o640)
    before = sound(path)
    program.ok("tags", path.name, "--set", "title=In place", "-i")
    assert tags(path)["title"] == "In place" and tags(path)["artist"] == "Stays"
    assert sound(path) == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(program.folder)) == ["clip.mp4", path.name]


def test_in_place_changes_what_a_link_leads_to(program: Program, sources: Path) -> None:
    elsewhere = program.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(sources / "source.mp3", elsewhere / "song.mp3")
    (program.folder / "link.mp3").symlink_to("elsewhere/song.mp3")
    program.ok("tags", "link.mp3", "--set", "title=Linked", "-i")
    assert (program.folder / "link.mp3").is_symlink()
    assert tags(elsewhere / "song.mp3")["title"] == "Linked"
    assert os.listdir(elsewhere) == ["song.mp3"]


def test_a_loss_in_place_is_refused(program: Program, sources: Path) -> None:
    path = program.folder / "song.wav"
    shutil.copy(sources / "source.wav", path)
    before = path.read_bytes()
    complaint = program.fails(1, "tags", "song.wav", "--set", "album_artist=X", "-i")
    assert "album_artist" in complaint and "without a loss" in complaint
    assert path.read_bytes() == before
    # The file isn't of the type in its name.
    shutil.copy(sources / "source.mkv", program.folder / "named.mp4")
    assert "matroska" in program.fails(1, "tags", "named.mp4", "--set", "title=X", "-i")


def test_a_file_that_is_cut_short_is_not_replaced(program: Program, sources: Path) -> None:
    path = program.folder / "cut.wav"
    path.write_bytes((sources / "source.wav").read_bytes()[:-5000])
    before = path.read_bytes()
    assert "cut short" in program.fails(1, "tags", "cut.wav", "--set", "title=X", "-i")
    assert path.read_bytes() == before


def test_without_being_asked_nothing_is_replaced(program: Program, sources: Path) -> None:
    for name in ("a.mp3", "b.mp3"):
        shutil.copy(sources / "source.mp3", program.folder / name)
    before = (program.folder / "b.mp3").read_bytes()
    assert "exists" in program.fails(1, "tags", "a.mp3", "--set", "title=X", "-o", "b.mp3")
    ended = program(
        "call", "asset/open", "url=a.mp3", "+", "exportSession/create", "asset=_.asset",
        "preset=Passthrough", "outputURL=b.mp3", "replacesSource:=true", "+",
        "exportSession/export", "exportSession=_.exportSession", "--wait",
    )  # fmt: skip
    assert b"isn't the file to be replaced" in ended.stdout + ended.stderr
    assert (program.folder / "b.mp3").read_bytes() == before


def test_a_full_disk_leaves_the_file(program: Program, sources: Path) -> None:
    path = program.folder / "song.wav"
    shutil.copy(sources / "source.wav", path)
    before = path.read_bytes()
    script = f"ulimit -f 100; exec {BINARY} tags song.wav --set title=X -i"
    ended = subprocess.run(
        ["bash", "-c", script], cwd=program.folder, env=environment(), capture_output=True, timeout=HANG
    )
    assert ended.returncode != 0
    assert path.read_bytes() == before
    assert sorted(os.listdir(program.folder)) == ["clip.mp4", "song.wav"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["clip.mp4", "--set", "title=X"], "-o FILE"),
        (["clip.mp4", "-i"], "nothing to write"),
        (["clip.mp4", "--set", "title=X", "-i", "-o", "x.mp4"], "not both"),
        (["clip.mp4", "--set", "title", "-i"], "title"),
    ],
)
def test_what_cannot_be_meant(program: Program, arguments: list, expected: str) -> None:
    assert expected in program.fails(2, "tags", *arguments)


# Chapters

CHAPTERS = {
    "vtt": "WEBVTT\n\n1\n00:00:00.000 --> 00:01.250\nOne\n\n00:01.250 --> 00:00:02.000\nTwo & more\n",
    "ffmeta": ";FFMETADATA1\ntitle=No\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1250\ntitle=One\n"
    "[CHAPTER]\nTIMEBASE=1/100\nSTART=125\nEND=200\ntitle=Two \\& more\n",
    "txt": "CHAPTER01=00:00:00.000\nCHAPTER01NAME=One\nCHAPTER02=00:00:01.250\nCHAPTER02NAME=Two & more\n",
}


@pytest.mark.parametrize("form", CHAPTERS)
@pytest.mark.parametrize("kind", ["mp4", "m4a", "mkv", "webm", "mp3", "ogg"])
def test_chapters(program: Program, sources: Path, kind: str, form: str) -> None:
    (program.folder / f"chapters.{form}").write_text(CHAPTERS[form])
    target = program.folder / f"out.{kind}"
    source = str(sources / f"source.{kind}")
    program.ok("tags", source, "--chapters", f"chapters.{form}", "-o", str(target))
    found = probe(target, "-show_chapters")["chapters"]
    assert [chapter["tags"]["title"] for chapter in found] == ["One", "Two & more"]
    assert [float(chapter["start_time"]) for chapter in found] == [0, 1.25]
    assert tags(target)["title"] == "Old"


def test_chapters_of_an_export(program: Program) -> None:
    (program.folder / "c.txt").write_text("CHAPTER01=00:00:00.000\nCHAPTER01NAME=All\n")
    program.ok("export", "clip.mp4", "out.mkv", "--preset", "Passthrough", "--chapters", "c.txt")
    found = probe(program.folder / "out.mkv", "-show_chapters")["chapters"]
    assert [chapter["tags"]["title"] for chapter in found] == ["All"]
    assert abs(float(found[0]["end_time"]) - 5) < 0.1
    program.ok("export", "clip.mp4", "cut.mkv", "--preset", "LowQuality", "--start", "1", "--duration",
               "2", "--chapters", "c.txt")  # fmt: skip
    found = probe(program.folder / "cut.mkv", "-show_chapters")["chapters"]
    assert float(found[0]["start_time"]) == 0 and abs(float(found[0]["end_time"]) - 2) < 0.1


def test_chapters_that_have_no_place_are_listed(program: Program, sources: Path) -> None:
    (program.folder / "c.txt").write_text(CHAPTERS["txt"])
    ended = program("tags", str(sources / "source.wav"), "--chapters", "c.txt", "-o", "out.wav")
    assert ended.returncode == 0 and b"left out: chapters" in ended.stderr
    (program.folder / "bad.txt").write_text("no chapters\n")
    assert "OGM" in program.fails(1, "tags", "clip.mp4", "--chapters", "bad.txt", "-o", "x.mp4")
