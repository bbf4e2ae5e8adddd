"""The tracks that come into a new file, by ffprobe's reading of it; files of all subtitles."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Dict, List

import pytest

from conftest import Program, ffmpeg


def tracks(media: Path) -> List[str]:
    """The tracks of a file, as `audio deu`."""
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_type:stream_tags=language"]
    answer = subprocess.run([*command, "-of", "json", str(media)], check=True, capture_output=True)
    found = json.loads(answer.stdout)["streams"]
    return [f"{each['codec_type']} {each.get('tags', {}).get('language', '-')}" for each in found]


def script(text: str) -> str:
    return f"1\n00:00:00,500 --> 00:00:01,500\n{text}\n"


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`film.mkv`: 1 video, 2 audio de (aac), 3 audio en (flac, commentary), 4 to 6 subtitles de, en, en (forced)."""
    folder = tmp_path_factory.mktemp("tracks")
    for name in ("de", "en", "forced"):
        (folder / f"{name}.srt").write_text(script(name))
    sources: List[object] = ["-f", "lavfi", "-i", "testsrc2=d=2:r=25:s=64x48"]
    for pitch in (440, 880):
        sources += ["-f", "lavfi", "-i", f"sine={pitch}:d=2"]
    for name in ("de", "en", "forced"):
        sources += ["-i", folder / f"{name}.srt"]
    maps: List[object] = []
    for number in range(6):
        maps += ["-map", number]
    facts: List[object] = ["-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p", "-c:a:0", "aac"]
    facts += ["-c:a:1", "flac", "-c:s", "srt", "-metadata:s:a:0", "language=ger"]
    facts += ["-metadata:s:a:1", "language=eng", "-metadata:s:s:0", "language=ger"]
    facts += ["-metadata:s:s:1", "language=eng", "-metadata:s:s:2", "language=eng"]
    facts += ["-disposition:a:1", "comment", "-disposition:s:2", "forced"]
    ffmpeg(sources + maps + facts + [folder / "film.mkv"])
    # The same with its audio the other way round.
    ffmpeg(
        ["-i", folder / "film.mkv", "-map", "0:v", "-map", "0:2", "-map", "0:1", "-c", "copy"]
        + [folder / "turned.mkv"]
    )
    return folder


@pytest.fixture
def folder(program: Program, films: Path) -> Path:
    for path in films.glob("*.mkv"):
        (program.folder / path.name).symlink_to(path)
    return program.folder


ALL = ["video -", "audio ger", "audio eng", "subtitle ger", "subtitle eng", "subtitle eng"]

CHOICES: Dict[str, List[int]] = {
    "--tracks 1,3": [0, 2],
    "--tracks video,audio:de": [0, 1],
    "--tracks v,a:eng": [0, 2],
    "--tracks video,codec:aac": [0, 1],
    "--tracks audio:flac": [2],
    "--tracks de": [1, 3],
    "--tracks video,language:en": [0, 2, 4, 5],
    "--tracks video,subtitles:forced": [0, 5],
    "--tracks video,srt": [0, 3, 4, 5],
    "--without subtitles": [0, 1, 2],
    "--without audio:commentary,subs:forced": [0, 1, 3, 4],
    "--without data": [0, 1, 2, 3, 4, 5],
    "--tracks video,audio --without 3": [0, 1],
    "--language de --without subtitles": [0, 1],
    "--tracks subtitles,video --language en": [0, 4, 5],
}


@pytest.mark.parametrize("options", CHOICES)
def test_tracks_are_chosen(program: Program, folder: Path, options: str) -> None:
    program.ok("export", "film.mkv", "out.mkv", "--preset", "Passthrough", *options.split())
    assert tracks(folder / "out.mkv") == [ALL[number] for number in CHOICES[options]]


@pytest.mark.parametrize(
    "options", ["--tracks audio:fr", "--tracks 9", "--without 9", "--tracks video,codec:opus"]
)
def test_a_choice_of_nothing_lists_what_there_is(
    program: Program, folder: Path, options: str
) -> None:
    text = program.fails(
        2, "export", "film.mkv", "out.mkv", "--preset", "Passthrough", *options.split()
    )
    assert options.split()[0] in text
    assert "1 (video, h264), 2 (audio, aac, de), 3 (audio, flac, en), 4 (subtitle, subrip, de)" in text
    assert not (folder / "out.mkv").exists()


@pytest.mark.parametrize("choice", ["", ",", "audio:", "codec", "video,,audio", "au dio"])
def test_what_is_no_choice_is_refused(program: Program, folder: Path, choice: str) -> None:
    assert "--tracks" in program.fails(2, "export", "film.mkv", "out.mkv", "--tracks", choice)


def test_a_join_chooses_of_each_file(program: Program, folder: Path) -> None:
    files = ["film.mkv", "turned.mkv"]
    program.ok("join", *files, "-o", "out.mkv", "--tracks", "video,audio:de")
    assert tracks(folder / "out.mkv") == ["video -", "audio ger"]
    # The pitch of both halves is that of the German track.
    command = ["ffmpeg", "-v", "error", "-i", str(folder / "out.mkv"), "-ac", "1", "-ar", "8000"]
    raw = subprocess.run([*command, "-f", "u8", "-"], check=True, capture_output=True).stdout
    for start in (4000, 20000):
        part = raw[start : start + 8000]
        crossings = sum(one < 128 <= other for one, other in zip(part, part[1:]))
        assert abs(crossings - 440) < 5
    text = program.fails(1, "join", *files, "-o", "none.mkv", "--tracks", "video,subtitles")
    assert "turned.mkv" in text and "2 (audio, flac, en)" in text
    assert not (folder / "none.mkv").exists()


def test_all_subtitles_are_a_file_each(program: Program, folder: Path) -> None:
    ended = program("export", "film.mkv", "subs.srt", "--all-subtitles")
    assert ended.returncode == 0, ended.stderr
    names = ["subs.de.srt", "subs.en.2.srt", "subs.en.srt"]
    assert sorted(path.name for path in folder.glob("*.srt")) == names
    texts = [(folder / name).read_text().split("\n")[2] for name in names]
    assert texts == ["de", "forced", "en"]
    assert all(name in ended.stderr.decode() for name in names)


def test_all_subtitles_or_none(program: Program, folder: Path) -> None:
    (folder / "subs.en.2.srt").write_text("mine")
    text = program.fails(1, "export", "film.mkv", "subs.srt", "--all-subtitles")
    assert "'subs.en.2.srt' is already there" in text
    assert [path.name for path in folder.glob("*.srt")] == ["subs.en.2.srt"]
    assert (folder / "subs.en.2.srt").read_text() == "mine"
    program.ok("export", "film.mkv", "subs.vtt", "--all-subtitles", "--without", "subtitles:forced")
    assert sorted(path.name for path in folder.glob("*.vtt")) == ["subs.de.vtt", "subs.en.vtt"]
    text = program.fails(1, "export", "turned.mkv", "subs.srt", "--all-subtitles")
    assert "has no such subtitles" in text
