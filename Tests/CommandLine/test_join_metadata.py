"""The metadata that joins and compositions take over from their files: by ffprobe's reading of the outputs."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

from conftest import Program, ffmpeg

Chapter = Tuple[Fraction, Fraction, str]


def probe(media: Path, *sections: str) -> Dict[str, Any]:
    command = ["ffprobe", "-v", "error", "-of", "json", *sections, str(media)]
    return dict(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))


def chapters(media: Path) -> List[Chapter]:
    found = []
    for chapter in probe(media, "-show_chapters")["chapters"]:
        base = Fraction(chapter["time_base"])
        title = chapter.get("tags", {}).get("title", "")
        found.append((chapter["start"] * base, chapter["end"] * base, title))
    return found


def close(found: List[Chapter], expected: List[Tuple[Any, Any, str]]) -> bool:
    """True if chapters are those, to the millisecond that containers round to."""
    milli = Fraction(1, 1000)
    return [each[2] for each in found] == [each[2] for each in expected] and all(
        abs(time - Fraction(wanted)) <= milli
        for one, other in zip(found, expected)
        for time, wanted in zip(one[:2], other[:2])
    )


def duration(media: Path) -> Fraction:
    """The end of the last of its tracks."""
    streams = probe(media, "-show_streams")["streams"]
    return max(
        int(each["duration_ts"]) * Fraction(each["time_base"])
        for each in streams
        if each["codec_type"] in ("audio", "video") and not each["disposition"]["attached_pic"]
    )


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two films of five seconds with chapters, tags, covers, names and languages; `bare.mp4` has nothing."""
    folder = tmp_path_factory.mktemp("films")
    times = {"a": [(0, 2000), (2000, 5000)], "b": [(0, 1000), (1000, 5000)]}
    for name, second in [("a", "eng"), ("b", "fra")]:
        text = f";FFMETADATA1\ntitle=Film {name}\nartist=Somebody\ngenre={name}\n"
        for number, (start, end) in enumerate(times[name], 1):
            text += f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={name}{number}\n"
        (folder / f"{name}.txt").write_text(text)
        ffmpeg(
            ["-f", "lavfi", "-i", "color=red" if name == "a" else "color=blue", "-frames:v", "1"]
            + [folder / f"{name}.png"]
        )
        sources: List[object] = ["-f", "lavfi", "-i", "testsrc2=d=5:r=25:s=160x120"]
        sources += ["-f", "lavfi", "-i", "sine=d=5", "-f", "lavfi", "-i", "sine=880:d=5"]
        sources += ["-i", folder / f"{name}.txt"]
        maps: List[object] = ["-map", "0", "-map", "1", "-map", "2"]
        facts: List[object] = ["-map_metadata", "3", "-metadata:s:a:0", "language=deu"]
        facts += ["-metadata:s:a:1", f"language={second}", "-disposition:a:1", "comment"]
        facts += ["-metadata:s:a:0", f"title=Main {name}", "-g", "25", "-c:v:0", "libx264"]
        facts += ["-preset", "ultrafast", "-pix_fmt:v:0", "yuv420p", "-c:a", "aac"]
        ffmpeg(
            sources
            + ["-i", folder / f"{name}.png", *maps, "-map", "4", "-c:v:1", "png"]
            + facts
            + ["-disposition:v:1", "attached_pic", folder / f"{name}.mp4"]
        )
        attached: List[object] = ["-attach", folder / f"{name}.png", "-metadata:s:t"]
        ffmpeg(sources + maps + facts + attached + ["mimetype=image/png", folder / f"{name}.mkv"])
    ffmpeg(
        ["-i", folder / "a.mp4", "-map", "0:v:0", "-map", "0:a", "-c", "copy", "-map_metadata", "-1"]
        + ["-map_chapters", "-1", folder / "bare.mp4"]
    )
    return folder


@pytest.fixture
def folder(program: Program, films: Path) -> Path:
    for path in films.iterdir():
        (program.folder / path.name).symlink_to(path)
    return program.folder


@pytest.mark.parametrize("kind", ["mp4", "mkv"])
def test_a_join_takes_over_chapters_tags_and_cover(
    program: Program, folder: Path, kind: str
) -> None:
    files = [f"a.{kind}", f"b.{kind}"]
    ended = program("join", *files, "-o", f"out.{kind}")
    assert ended.returncode == 0, ended.stderr
    out = folder / f"out.{kind}"
    first = duration(folder / files[0]) if kind == "mp4" else chapters(out)[2][0]
    assert 5 <= first < Fraction("5.1")
    expected = [(0, 2, "a1"), (2, first, "a2"), (first, first + 1, "b1")]
    last = chapters(out)[-1]
    assert close(chapters(out)[:-1], expected)
    assert last[2] == "b2" and abs(last[0] - first - 1) <= Fraction(1, 1000)
    facts = probe(out, "-show_format", "-show_streams")
    tags = {key.lower(): value for key, value in facts["format"]["tags"].items()}
    assert (tags["title"], tags["artist"], tags["genre"]) == ("Film a", "Somebody", "a")
    covers = [each for each in facts["streams"] if each["disposition"]["attached_pic"]]
    assert len(covers) == 1
    picture = ["ffmpeg", "-v", "error", "-i", str(out), "-map", f"0:{covers[0]['index']}"]
    picture += ["-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
    pixels = subprocess.run(picture, check=True, capture_output=True).stdout
    assert pixels[0] > 200 and pixels[2] < 50
    audio = [each for each in facts["streams"] if each["codec_type"] == "audio"]
    assert [each["tags"]["language"] for each in audio] == [
        "ger" if kind == "mkv" else "deu",
        "eng",
    ]
    source = probe(folder / files[0], "-show_streams", "-select_streams", "a")["streams"]
    flags = ["default", "comment"] if kind == "mkv" else ["default"]
    for flag in flags:
        assert [each["disposition"][flag] for each in audio] == [
            each["disposition"][flag] for each in source
        ]
    if kind == "mkv":
        assert audio[0]["tags"]["title"] == "Main a"
    lines = [line for line in ended.stderr.decode().splitlines() if "left out" in line]
    listed = " ".join(lines)
    assert f"it is copied from the first part, 'a.{kind}': that of 'b.{kind}' is left out" in listed
    (metadata,) = [line for line in lines if "metadata" in line]
    keys = ["©nam", "©gen"] if kind == "mp4" else ["TITLE", "GENRE"]
    assert all(key in metadata for key in keys), metadata
    assert sum("artwork" in line for line in lines) == 1
    assert sum("language fr of track 3" in line for line in lines) == 1
    assert "artist" not in listed.lower()


def test_chapters_are_clipped_to_what_is_shown(program: Program, folder: Path) -> None:
    program.ok("join", "a.mp4#t=1,3", "b.mp4#t=0.5,2", "-o", "out.mkv")
    assert close(
        chapters(folder / "out.mkv"),
        [(0, 1, "a1"), (1, 2, "a2"), (2, "5/2", "b1"), ("5/2", "7/2", "b2")],
    )


def test_a_cut_inside_of_a_chapter_does_not_divide_it(program: Program, folder: Path) -> None:
    program.ok("join", "b.mkv#t=0,2", "b.mkv#t=3,5", "-o", "out.mkv")
    assert close(chapters(folder / "out.mkv"), [(0, 1, "b1"), (1, 4, "b2")])
    program.ok("join", "b.mkv#t=0,2", "b.mkv#t=0,2", "-o", "twice.mkv")
    assert close(
        chapters(folder / "twice.mkv"), [(0, 1, "b1"), (1, 2, "b2"), (2, 3, "b1"), (3, 4, "b2")]
    )


def test_one_chapter_for_each_part(program: Program, folder: Path) -> None:
    parts = ["a.mp4#t=0,2", "bare.mp4#t=1,2", "b.mp4#t=0,3"]
    program.ok("join", *parts, "-o", "parts.mkv", "--chapters-from", "parts")
    titles = [(0, 2, "Film a"), (2, 3, "bare"), (3, 6, "Film b")]
    assert close(chapters(folder / "parts.mkv"), titles)
    program.ok("join", *parts, "-o", "none.mkv", "--chapters-from", "none")
    assert chapters(folder / "none.mkv") == []
    (folder / "own.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:06.000\nMine\n")
    program.ok("join", *parts, "-o", "own.mkv", "--chapters", "own.vtt")
    assert close(chapters(folder / "own.mkv"), [(0, 6, "Mine")])
    program.ok("export", "a.mp4", "one.mkv", "--preset", "Passthrough", "--chapters-from", "parts")
    assert [each[2] for each in chapters(folder / "one.mkv")] == ["Film a"]
    refused = program.fails(
        2, "join", *parts, "-o", "x.mkv", "--chapters-from", "none", "--chapters", "own.vtt"
    )
    assert "--chapters-from has no place" in refused


def test_chapters_are_scaled_with_their_part(program: Program, folder: Path) -> None:
    document = {
        "clips": [
            {"url": "a.mp4", "timeRange": {"start": 1, "duration": 2}, "speed": 2},
            {"url": "b.mp4", "timeRange": {"start": 0, "duration": 3}, "speed": 0.75},
        ]
    }
    (folder / "cut.json").write_text(json.dumps(document))
    program.ok("compose", "cut.json", "-o", "out.mkv", "--preset", "LowQuality")
    assert close(
        chapters(folder / "out.mkv"),
        [(0, "1/2", "a1"), ("1/2", 1, "a2"), (1, "7/3", "b1"), ("7/3", 5, "b2")],
    )
    tags = probe(folder / "out.mkv", "-show_format")["format"]["tags"]
    assert {key.lower(): value for key, value in tags.items()}["title"] == "Film a"


def test_a_hundred_parts_are_listed_in_a_few_lines(program: Program, folder: Path) -> None:
    parts = [name for _ in range(50) for name in ("a.mp4#t=0,0.2", "b.mp4#t=0,0.2")]
    ended = program("join", *parts, "-o", "out.mp4")
    assert ended.returncode == 0, ended.stderr
    assert sum("left out" in line for line in ended.stderr.decode().splitlines()) <= 6
    assert [each[2] for each in chapters(folder / "out.mp4")] == ["a1", "b1"] * 50


def test_types_without_chapters_say_so(program: Program, folder: Path) -> None:
    ended = program("join", "a.mp4", "b.mp4", "-o", "out.wav", "--preset", "WAV")
    assert ended.returncode == 0, ended.stderr
    assert "left out: chapters: wav files have no chapters" in ended.stderr.decode()


def test_silences_that_are_cut_away_take_nothing_else(program: Program, folder: Path) -> None:
    ffmpeg(
        ["-f", "lavfi", "-i", "aevalsrc='if(between(t,2,4),0,sin(880*t))':d=6"]
        + ["-i", folder / "a.txt", "-map_metadata", "1", folder / "talk.m4a"]
    )
    program.ok("cut", "talk.m4a", "--remove-silence", "--padding", "0", "-o", "out.m4a")
    found = chapters(folder / "out.m4a")
    assert [each[2] for each in found] == ["a1", "a2"]
    assert abs(found[1][0] - 2) < Fraction(1, 10)
    assert probe(folder / "out.m4a", "-show_format")["format"]["tags"]["title"] == "Film a"


def enabled(media: Path) -> List[Tuple[str, int]]:
    """The tracks of pictures, audio and text, and whether each is shown by default."""
    streams = probe(media, "-show_streams")["streams"]
    kinds = ("video", "audio", "subtitle")
    found = [(each["codec_type"], each["disposition"]["default"]) for each in streams]
    return [each for each in found if each[0] in kinds]


@pytest.mark.parametrize("target", ["mp4", "mov"])
@pytest.mark.parametrize("default", ["audio", "other", "none"])
def test_movies_show_the_tracks_that_the_files_show(
    program: Program, target: str, default: str
) -> None:
    texts = []
    for name in ("one", "two"):
        texts.append(program.folder / f"{name}.srt")
        texts[-1].write_text(f"1\n00:00:00,000 --> 00:00:01,000\n{name}\n")
    flags = {
        "audio": ["default", "comment", "hearing_impaired", "forced+default"],
        "other": ["comment", "default", "default", "forced"],
        "none": ["0", "comment", "hearing_impaired", "forced"],
    }[default]
    sources = ["-f", "lavfi", "-i", "testsrc2=d=2:r=25:s=160x120"]
    sources += ["-f", "lavfi", "-i", "sine=d=2", "-f", "lavfi", "-i", "sine=880:d=2"]
    maps = ["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map", "4"]
    codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    stated: List[str] = []
    for track, flag in zip(("a:0", "a:1", "s:0", "s:1"), flags):
        stated += [f"-disposition:{track}", flag]
    texts_in: List[object] = ["-i", texts[0], "-i", texts[1]]
    # Without it, Matroska's muxer makes a default of the first track of a kind.
    more = ["-default_mode", "passthrough"]
    ffmpeg([*sources, *texts_in, *maps, *codecs, *stated, *more, program.folder / "film.mkv"])
    shown = {
        "audio": [("audio", 1), ("audio", 0), ("subtitle", 0), ("subtitle", 1)],
        "other": [("audio", 0), ("audio", 1), ("subtitle", 1), ("subtitle", 0)],
        # A movie without an enabled track of a kind shows none.
        "none": [("audio", 1), ("audio", 0), ("subtitle", 1), ("subtitle", 0)],
    }[default]
    out = program.folder / f"out.{target}"
    for command in (
        ["export", "film.mkv", out.name, "--preset", "Passthrough"],
        ["join", "film.mkv", "-o", out.name],
        ["join", "film.mkv", "film.mkv", "-o", out.name],
        ["cut", "film.mkv", "--remove-silence", "-o", out.name],
    ):
        program.ok(*command)
        assert enabled(out) == [("video", 1), *shown], command
        out.unlink()


def test_a_movie_of_a_transport_stream_shows_its_first_audio(program: Program) -> None:
    sources = ["-f", "lavfi", "-i", "testsrc2=d=2:r=25:s=160x120"]
    sources += ["-f", "lavfi", "-i", "sine=d=2", "-f", "lavfi", "-i", "sine=880:d=2"]
    codecs = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
    maps = ["-map", "0", "-map", "1", "-map", "2"]
    ffmpeg([*sources, *maps, *codecs, program.folder / "a.ts"])
    for command in (["export", "a.ts", "out.mp4"], ["join", "a.ts", "a.ts", "-o", "out.mp4"]):
        program.ok(*command)
        assert enabled(program.folder / "out.mp4") == [("video", 1), ("audio", 1), ("audio", 0)]
        (program.folder / "out.mp4").unlink()
