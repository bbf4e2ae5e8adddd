"""Commands, options and values of other programs: each refusal has the command that does the same, and that works."""

from __future__ import annotations

import json
import re
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


def made(program: Program, said: str) -> None:
    """Runs the command that a message advises, with its file in place of FILE."""
    (command,) = re.findall(r"(?:^|: |\()(reelwire .*?)(?:\)\.)?$", advice(said), re.M)
    command = command.replace("reelwire", shlex.quote(str(BINARY)), 1)
    subprocess.run(command, shell=True, check=True, cwd=program.folder, env=environment(), capture_output=True)


def test_a_preset_that_is_advised_makes_that_type_of_file(program: Program) -> None:
    def preset(said: str) -> str:
        (name,) = re.findall("--preset ([A-Za-z0-9]+)", said)
        return str(name)

    folder = program.folder
    sound = ["-f", "lavfi", "-i", "sine=d=2", "-c:a", "libopus"]
    picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-c:v", "libvpx-vp9", "-g", "100", "-cpu-used", "8"]
    subprocess.run(["ffmpeg", "-v", "error", *picture[:4], *sound[:4], *picture[4:], *sound[4:], folder / "a.webm"], check=True)
    (folder / "a.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nhello\n")
    for arguments, name in (
        (["join", "a.webm#t=0.55,1", "a.webm", "-o", "out.webm"], "VP9HighestQuality"),
        (["subtitles", "add", "clip.mp4", "a.srt", "-o", "out.webm"], "VP9HighestQuality"),
        (["join", "clip.mp4", "clip.mp4", "-o", "out.webp"], "WebP"),
        (["join", "clip.mp4", "clip.mp4", "-o", "out.gif"], "GIF"),
        (["join", "clip.mp4", "a.webm", "-o", "out.mp4"], "HighestQuality"),
        (["join", "clip.mp4", "a.webm", "-o", "-", "--file-type", "webm", "--dry-run"], "VP9HighestQuality"),
    ):
        said = program.fails(1, *arguments)
        assert preset(said) == name, said
        # A plan refuses a preset that makes no files of the type.
        plan = [] if "--dry-run" in arguments else ["--dry-run"]
        program.ok(*arguments, *plan, "--preset", preset(said))


def test_the_readable_part_of_a_file_is_had_by_the_command_that_is_advised(program: Program) -> None:
    folder = program.folder
    picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=4", "-c:v", "libx264", "-g", "10", "-movflags", "faststart"]
    subprocess.run(["ffmpeg", "-v", "error", *picture, folder / "whole.mp4"], check=True)
    (folder / "cut.mp4").write_bytes((folder / "whole.mp4").read_bytes()[: (folder / "whole.mp4").stat().st_size * 2 // 3])
    (folder / "a.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nhello\n")
    for arguments in (
        ["join", "clip.mp4", "cut.mp4", "-o", "out.mp4", "--preset", "HighestQuality"],
        ["subtitles", "add", "cut.mp4", "a.srt", "-o", "out.mp4"],
        ["export", "cut.mp4", "out.mp4"],
    ):
        said = program.fails(1, *arguments)
        assert "cut short" in said
        made(program, said.replace("FILE", "cut.mp4"))
        part = facts(folder / "part.mkv")
        assert 1 < float(part["format"]["duration"]) < 4
        (folder / "part.mkv").unlink()


def test_pictures_and_folders_of_them(program: Program) -> None:
    folder = program.folder
    (folder / "shots").mkdir()
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", folder / "shots" / "%03d.png"], check=True
    )
    said = program.fails(1, "export", "shots", "out.mp4")
    (pattern,) = re.findall("'(folder/[^']+)'", said)
    program.ok("export", pattern.replace("folder", "shots"), "out.mp4")
    made(program, program.fails(1, "export", "out.mp4", "p %02d.png"))
    assert len(list(folder.glob("p *.png"))) == len(list((folder / "shots").glob("*.png")))
    made(program, program.fails(1, "export", "out.mp4", "one.jpg"))
    assert facts(folder / "one.jpg")["streams"][0]["codec_name"] == "mjpeg"


def test_audio_from_for_audio(program: Program) -> None:
    for name in ("a.m4a", "b.wav"):
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=1", program.folder / name], check=True)
    said = program.fails(1, "export", "a.m4a", "out.mp4", "--audio-from", "b.wav")
    assert "'a.m4a' has only audio" in said and "without --audio-from" in said
