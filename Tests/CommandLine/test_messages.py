"""The messages of commands: times as people write them, and the names that the command line has."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import List

import pytest

from conftest import Program, ffmpeg


def test_times_are_in_seconds_and_the_remedy_is_an_option(program: Program) -> None:
    said = program.fails(1, "image", "clip.mp4", "-t", "119/2", "-o", "a.jpg")
    assert "shows no frame at 59.5 s" in said
    assert "from 0 s to 5 s" in said
    assert "--nearest" in said and "tolerance" not in said.splitlines()[-1]


def test_ranges_are_in_seconds(program: Program) -> None:
    said = program.fails(1, "export", "clip.mp4", "a.mp4", "-p", "Passthrough", "--start", "61/2")
    assert "30.5 s" in said and "{" not in said
    assert not (program.folder / "a.mp4").exists()


def test_presets_are_found_in_small_letters(program: Program) -> None:
    program.ok("export", "clip.mp4", "small.mp4", "-p", "passthrough", "-q")
    assert (program.folder / "small.mp4").exists()
    assert "Did you mean 'MediumQuality'?" in program.fails(
        2, "export", "clip.mp4", "b.mp4", "-p", "mediumqualty"
    )


def test_a_copy_that_begins_elsewhere_says_so(program: Program) -> None:
    cut = ["export", "clip.mp4", "--start", "1.3", "--duration", "1", "-p", "Passthrough", "--trim"]
    ended = program(*cut[:2], "early.mp4", *cut[2:], "keyframe")
    assert ended.returncode == 0
    said = ended.stderr.decode()
    assert "not at 1.3 s" in said and "--trim smart" in said
    ended = program(*cut[:2], "exact.mp4", *cut[2:], "smart")
    assert ended.returncode == 0 and "not at" not in ended.stderr.decode()


def test_a_subtitle_file_holds_no_audio(program: Program) -> None:
    said = program.fails(1, "export", "clip.mp4", "text.srt")
    assert "srt files hold subtitles only" in said


def test_subtitles_alone_are_no_broken_file(program: Program) -> None:
    (program.folder / "one.srt").write_text("1\n00:00:00,500 --> 00:00:02,000\nHello\n")
    ffmpeg(["-i", program.folder / "one.srt", "-f", "matroska", program.folder / "one.mks"])
    first, track, *_ = program.ok("probe", "one.mks").splitlines()
    assert first.startswith("one.mks: Matroska, 2 s") and "decoded" not in first
    assert "subtitle" in track


def test_what_is_left_out_is_a_noun(program: Program) -> None:
    whole = (program.folder / "clip.mp4").read_bytes()
    faststart = program.folder / "whole.mp4"
    ffmpeg(["-i", program.folder / "clip.mp4", "-c", "copy", "-movflags", "faststart", faststart])
    whole = faststart.read_bytes()
    (program.folder / "cut.mp4").write_bytes(whole[: len(whole) * 3 // 4])
    ended = program("export", "cut.mp4", "out.mp4", "--preset", "Passthrough", "--salvage")
    assert ended.returncode == 0, ended.stderr
    assert b"left out: damaged samples of track 1 (video)" in ended.stderr, ended.stderr


def test_a_document_states_times_in_seconds(program: Program) -> None:
    clip = {"url": "clip.mp4", "timeRange": {"start": 8, "duration": 1}}
    (program.folder / "film.json").write_text(json.dumps({"clips": [clip]}))
    said = program.fails(1, "compose", "film.json", "-o", "out.mp4")
    assert "8 s" in said and "{8/1" not in said, said


def test_a_video_is_no_still(program: Program) -> None:
    said = program.fails(1, "stills", "clip.mp4", "-o", "out.mp4")
    assert "'clip.mp4' is no image file" in said
    assert not (program.folder / "out.mp4").exists()


@pytest.mark.parametrize("name", ["x.latm", "x.ppm", "x.jp2"])
def test_formats_that_are_not_read(program: Program, name: str) -> None:
    source = "sine=d=1" if name == "x.latm" else "testsrc2=s=64x64:d=0.04"
    ffmpeg(["-f", "lavfi", "-i", source, program.folder / name])
    said = program.fails(1, "probe", name)
    assert "its format is recognised, and isn't one of those that are read" in said, said


@pytest.mark.parametrize("parameters", [["-t", "5"], ["-t", "1", "-t", "5"]])
def test_the_end_is_the_last_frame(program: Program, parameters: List[str]) -> None:
    said = program("image", "clip.mp4", *parameters, "-o", "%d.png").stderr.decode()
    assert any(line.endswith("frame 124 at 0:04.960") for line in said.splitlines()), said
    program.fails(1, "image", "clip.mp4", "-t", "5.1", "-o", "later.png")


def test_values_may_begin_with_a_minus(program: Program) -> None:
    database = str(program.folder / "library.sqlite")
    for name, seconds in (("short", 1), ("long", 2)):
        source = f"testsrc2=duration={seconds}"
        ffmpeg(["-f", "lavfi", "-i", source, program.folder / f"{name}.mp4"])
    program.ok("library", "scan", ".", "--database", database)
    find = ["library", "find", "--paths", "--database", database]
    longest_first = [Path(line).name for line in program.ok(*find, "--sort", "-duration").split()]
    assert longest_first == ["long.mp4", "short.mp4"]
    assert program.ok(*find, "--title", "-none-") == ""
    said = program.fails(2, "export", "clip.mp4", "out.mp4", "--start", "-1")
    assert "--start has to be a time from 0 on" in said


def test_a_session_that_was_cancelled_names_the_remedy(program: Program) -> None:
    ended = program(
        *"call asset/open url=clip.mp4 + exportSession/create asset=_.asset preset=Passthrough".split(),
        *"outputURL=out.mp4 + exportSession/cancel exportSession=exportSession:1".split(),
        *"+ exportSession/export exportSession=exportSession:1".split(),
    )
    assert ended.returncode == 1
    assert b"A session exports once: make another one." in ended.stderr + ended.stdout, ended


def test_a_file_of_many_streams_is_refused_by_its_limit(program: Program) -> None:
    audio = ["-f", "lavfi", "-i", "sine=duration=0.1", *["-map", "0:a"] * 70, "-c:a", "flac"]
    ffmpeg([*audio, program.folder / "many.mka"])
    assert program.ok("probe", "many.mka", "--json").count('"codec"') >= 70
    opening = {"jsonrpc": "2.0", "id": 1, "method": "asset/open", "params": {"url": "many.mka"}}
    loading = {"asset": "asset:1", "keys": ["tracks"], "completion": "response"}
    loading = {"jsonrpc": "2.0", "id": 2, "method": "asset/loadValues", "params": loading}
    lines = "".join(json.dumps(each) + "\n" for each in (opening, loading))
    said = program("serve", "--framing", "lines", "--max-streams", "64", input=lines.encode()).stdout.decode()
    assert "more than 64 streams" in said and "--max-streams" in said and "limitExceeded" in said


@pytest.mark.parametrize("option", ["-y", "--force", "--overwrite"])
def test_options_to_replace_files_are_answered(program: Program, option: str) -> None:
    said = program.fails(2, "export", "clip.mp4", "a.mp4", option)
    assert f"Unknown option '{option}'" in said
    assert "No command replaces a file" in said
    assert "No command replaces" not in program.fails(2, "export", "clip.mp4", "a.mp4", "--colour")


def test_advice_on_types_names_a_command_that_lists_them(program: Program) -> None:
    (program.folder / "text.mp4").write_text("No media.")
    said = program.fails(1, "probe", "text.mp4")
    assert said.splitlines()[-1] == (
        "  Check that it is a media file; 'reelwire call engine/capabilities' lists the types."
    )
    types = {each["type"] for each in json.loads(program.ok("call", "engine/capabilities"))["fileTypes"]}
    assert {"mkv", "webm"} < types


def test_ffmpeg_reports_only_its_own_failures(program: Program) -> None:
    (program.folder / "folder.mp4").mkdir()
    os.mkfifo(program.folder / "pipe.mp4")
    for code, command in (
        (1, "probe folder.mp4"),
        (1, "probe pipe.mp4"),
        (1, "export clip.mp4 clip.mp4"),
        (1, "probe absent.mp4"),
    ):
        assert "FFmpeg reports" not in program.fails(code, *command.split()), command


def test_the_formats_of_pictures_are_those_of_the_file(program: Program) -> None:
    for command in ("sheet", "wave"):
        text = " ".join(program.ok("help", command).split())
        assert "(values: jpeg, png, webp, bmp)" in text and "rgb24" not in text
        assert "rgba" not in program.fails(2, command, "clip.mp4", "-o", "a.raw", "--format", "rgb24")
    program.ok("sheet", "clip.mp4", "-o", "sheet.out", "--format", "png", "--count", "1")
    assert (program.folder / "sheet.out").read_bytes().startswith(b"\x89PNG")
    assert "rgb24" in program.ok("help", "image")
