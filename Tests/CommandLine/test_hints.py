"""Commands, options and values of other programs: each refusal has the command that does the same, and that works."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from conftest import BINARY, Program, environment

PROBED = ["ffprobe", "-v", "error", "-of", "json", "-show_format", "-show_streams"]


def advice(said: str) -> str:
    """The last line of a message, without what introduces the command in it."""
    return said.strip().splitlines()[-1].strip().replace("Did you mean: ", "")


def test_missing_commands(program: Program) -> None:
    for arguments, meant in (
        ("trim clip.mp4 out.mp4 -ss 1 -to 2", "reelwire export clip.mp4 out.mp4 --start 1 --end 2 --preset Passthrough"),
        ("trim", "reelwire export in.mp4 out.mp4 --start 10 --end 20 --preset Passthrough"),
        ("convert clip.mp4 out.webm", "reelwire export clip.mp4 out.webm"),
        ("concat clip.mp4 b.mp4 -o out.mp4", "reelwire join clip.mp4 b.mp4 -o out.mp4"),
        ("concat clip.mp4 b.mp4 out.mp4", "reelwire join clip.mp4 b.mp4 -o out.mp4"),
        ("info clip.mp4", "reelwire probe clip.mp4"),
    ):
        said = program.fails(2, *arguments.split())
        assert f"There is no command '{arguments.split()[0]}'" in said
        assert advice(said) == meant
    # A name that was only mistyped is completed as before.
    assert "Did you mean 'probe'?" in program.fails(2, "prob")


def test_missing_options(program: Program) -> None:
    for arguments, meant in (
        ("export clip.mp4 -o out.mp4", "reelwire export clip.mp4 out.mp4"),
        ("export clip.mp4 out.mp4 --codec hevc", "reelwire export clip.mp4 out.mp4 --video-codec hevc"),
        ("export clip.mp4 out.mp4 -r 10", "reelwire export clip.mp4 out.mp4 --fps 10"),
        ("export -i clip.mp4 out.mp4", "The file has no option: reelwire export clip.mp4 …"),
        ("image clip.mp4 --at 3 -o x.jpg", "reelwire image clip.mp4 -t 3 -o frame.jpg"),
        ("cut clip.mp4 --start 1 --end 2 -o out.mp4",
         "reelwire export clip.mp4 out.mp4 --start 1 --end 2 --preset Passthrough"),
        ("join clip.mp4 b.mp4 out.mp4", "reelwire join clip.mp4 b.mp4 -o out.mp4"),
    ):  # fmt: skip
        said = program.fails(2, *arguments.split())
        assert advice(said) == meant
        assert "Did you mean" not in said
    for option, value in (("--from", "--start 1"), ("--to", "--end 1"), ("-t", "--duration 1")):
        said = program.fails(2, "export", "clip.mp4", "out.mp4", option, "1")
        assert f"Use {value}: it takes seconds (3.5)" in said
    # Of a command that has the option, and of an option that nothing has.
    program.ok("image", "clip.mp4", "-t", "1", "-o", "there.jpg")
    assert "There are no filters" in program.fails(2, "export", "clip.mp4", "out.mp4", "--vf", "scale=2")
    assert advice(program.fails(2, "export", "clip.mp4", "a.mp4", "--colour")).startswith("See ")


@pytest.mark.parametrize(
    ("time", "seconds"), [("2s", "2"), ("1m30s", "90"), ("500ms", "0.5"), ("1.5sec", "1.5")]
)
def test_times_with_units(program: Program, time: str, seconds: str) -> None:
    said = program.fails(2, "export", "clip.mp4", "out.mp4", "--end", time)
    assert f"'{time}' is invalid" in said
    assert said.strip().endswith(f": --end {seconds}")
    assert "--end" not in advice(program.fails(2, "export", "clip.mp4", "out.mp4", "--end", "soon"))


def facts(path: Path) -> dict:
    return json.loads(subprocess.check_output([*PROBED, str(path)]))


@pytest.mark.parametrize(
    ("refused", "seconds"),
    [
        ("trim clip.mp4 out.mp4 --from 1 --to 2", 1),
        ("cut clip.mp4 --start 1 --duration 2 -o out.mp4", 2),
        ("convert clip.mp4 out.mp4", 5),
        ("concat clip.mp4 clip.mp4 out.mp4", 10),
        ("export clip.mp4 -o out.mp4", 5),
        ("export clip.mp4 out.mp4 --speed 2", 2.5),
    ],
)
def test_the_command_works(program: Program, refused: str, seconds: float) -> None:
    command = advice(program.fails(2, *shlex.split(refused)))
    command = command.replace("reelwire", shlex.quote(str(BINARY)))
    subprocess.run(command, shell=True, check=True, cwd=program.folder, env=environment(), capture_output=True)
    made = facts(program.folder / "out.mp4")
    assert float(made["format"]["duration"]) == pytest.approx(seconds, abs=0.1)


@pytest.mark.parametrize("arguments", [["nope"], ["library", "nope"], ["probe", "nope"]])
def test_help_about_what_there_isnt(program: Program, arguments: list[str]) -> None:
    assert "There is no command 'nope'" in program.fails(2, "help", *arguments)


def test_help_about_what_there_is(program: Program) -> None:
    for arguments in ([], ["help"], ["library"], ["library", "scan"], ["probe"]):
        assert "USAGE: reelwire" in program.ok("help", *arguments)


def test_names_that_begin_as_options_do(program: Program) -> None:
    for name in ("-video-with-dash-.mp4", "-x.mp4"):
        (program.folder / name).write_bytes((program.folder / "clip.mp4").read_bytes())
        assert f"./{name}" in program.fails(2, "probe", name).splitlines()[-1]
        assert name in program.ok("probe", f"./{name}")
        assert name in program.ok("probe", "--", name)
    assert "USAGE" in program.ok("probe", "-h")
    assert "USAGE" in program.ok("probe", "--help", "-x.mp4")


def test_pictures_of_each_frame(program: Program) -> None:
    complaint = program.fails(2, "play", "clip.mp4", "--step")
    assert "'reelwire image --all'" in complaint


@pytest.mark.parametrize("name", ["out.mp3", "out.flac", "out.raw"])
def test_audio_of_play_is_in_a_wav_file(program: Program, name: str) -> None:
    assert "WAV" in program.fails(2, "play", "clip.mp4", "--audio-file", name)
    assert not (program.folder / name).exists()
