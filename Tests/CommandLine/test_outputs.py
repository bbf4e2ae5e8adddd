"""The outputs of commands: stdout, folders that are wrong, and the messages about them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from conftest import BINARY, ROOT, Program, environment
from waiting import HANG

PIECES = ["export", "clip.mp4", "-", "--preset", "Passthrough"]


def hashes(media: Path) -> str:
    command = ["ffmpeg", "-v", "error", "-i", str(media), "-map", "0:v", "-map", "0:a"]
    command += ["-c", "copy", "-f", "streamhash", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("file_type", ["mkv", "mp4", "mov"])
def test_export_to_stdout_is_the_file(program: Program, tmp_path: Path, file_type: str) -> None:
    waiting = tmp_path / "waiting"
    waiting.mkdir()
    for more in ([], ["--temporary-folder", str(waiting)]):
        ended = program(
            *PIECES, "--file-type", file_type, *more, env=environment(TMPDIR=str(waiting))
        )
        assert ended.returncode == 0, ended.stderr.decode()
        assert ended.stderr.decode().startswith("stdout: 5 s")
        piped = tmp_path / f"piped.{file_type}"
        piped.write_bytes(ended.stdout)
        assert hashes(piped) == hashes(program.folder / "clip.mp4")
        assert list(waiting.iterdir()) == []


def test_export_to_stdout_needs_a_type_and_a_reader(program: Program, tmp_path: Path) -> None:
    waiting = tmp_path / "waiting"
    waiting.mkdir()
    env = environment(TMPDIR=str(waiting))
    said = program.fails(2, *PIECES)
    assert "--file-type mkv" in said
    ended = program(*PIECES, "--file-type", "mkv", "--json", env=env)
    assert ended.returncode != 0 and b"no place" in ended.stderr
    with program.in_terminal(*PIECES, "--file-type", "mkv", TMPDIR=str(waiting)) as terminal:
        assert terminal.end() == 2
        assert "A terminal can't take a file" in terminal.text
    # A reader of the beginning only, such as `head`, is no failure.
    reading, writing = os.pipe()
    started = subprocess.Popen(
        [str(BINARY), *PIECES, "--file-type", "mkv", "-q"],
        cwd=program.folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    os.close(reading)
    _, errors = started.communicate(timeout=HANG)
    assert (started.returncode, errors) == (0, b"")
    ended = program(*PIECES, "--file-type", "mkv", "--temporary-folder", "nowhere", env=env)
    assert ended.returncode == 1
    assert b"Can't create a file in 'nowhere'" in ended.stderr
    ended = program(*PIECES, "--file-type", "mkv", "--start", "100", env=env)
    assert (ended.returncode, ended.stdout) == (1, b"")
    assert list(waiting.iterdir()) == []


def test_a_dry_run_to_stdout_is_a_plan(program: Program) -> None:
    text = program.ok(*PIECES, "--file-type", "mkv", "--dry-run")
    assert text.startswith("stdout: 5 s")
    assert '"preflight"' in program.ok(*PIECES, "--file-type", "mkv", "--dry-run", "--json")


def made(command: str, target: str) -> list[str]:
    if command == "export":
        return ["export", "clip.mp4", f"{target}.mp4", "--preset", "Passthrough"]
    return [command, "clip.mp4", "-o", f"{target}.png"]


@pytest.mark.parametrize("command", ["export", "image", "sheet", "wave"])
@pytest.mark.parametrize("is_absolute", [False, True])
def test_the_folder_that_is_wrong_is_named(
    program: Program, command: str, is_absolute: bool, request: pytest.FixtureRequest
) -> None:
    base = f"{program.folder}/" if is_absolute else ""
    said = program.fails(1, *made(command, f"{base}missing/deeper/x"))
    assert f"'{base}missing/deeper': No such file or directory" in said
    said = program.fails(1, *made(command, f"{base}clip.mp4/x"))
    assert f"'{base}clip.mp4': Not a directory" in said
    # No user can make files there, not even root.
    said = program.fails(1, *made(command, "/proc/x"))
    assert "'/proc'" in said and "/proc/x" not in said
    assert "Create the folder" not in said
    folder = program.folder / (made(command, f"there-{command}-{is_absolute}")[2 if command == "export" else 3])
    folder.mkdir()
    said = program.fails(1, *made(command, f"{base}there-{command}-{is_absolute}"))
    assert f"'{base}{folder.name}': there is a folder of this name" in said
    assert "Name a file inside the folder" in said
    folder.rmdir()


def test_the_folder_for_unfinished_files_is_named(program: Program) -> None:
    for folder in ("missing", "clip.mp4"):
        said = program.fails(1, *made("export", "x"), "--temporary-folder", folder)
        assert f"folder '{folder}': " in said


# Hints

METHOD = re.compile(r"\b[a-z]+(?:[A-Z]\w*)?/[a-z]\w*[A-Z]?\w*")


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["export", "clip.mp4", "x", "--preset", "Passthrough"], "--file-type"),
        (["export", "clip.mp4", "x.mp4", "--preset", "GIF"], "gif"),
        (["export", "clip.mp4", "x.gif", "--preset", "Passthrough"], "reelwire"),
        (["export", "clip.mp4", "x.mp4", "--preset", "Passthrough", "--file-type", "avi"], "mp4"),
        (["export", "nothing.mp4", "x.mp4", "--preset", "Passthrough"], "Check the path."),
        (["probe", "nothing.mp4"], "Check the path."),
        (["wave", "clip.mp4", "--track", "1"], "Its tracks are"),
        (["image", "clip.mp4", "-t", "100", "-o", "x.jpg"], "runs from"),
        (["sheet", "clip.mp4", "--start", "100", "-o", "x.jpg"], "runs from"),
        (["image", "sound.wav", "-o", "x.jpg"], "'reelwire probe' shows its tracks."),
        (["sheet", "sound.wav", "-o", "x.jpg"], "'reelwire probe' shows its tracks."),
    ],
)
def test_hints_are_for_the_shell(program: Program, arguments: list, wanted: str) -> None:
    sound = program.folder / "sound.wav"
    if not sound.exists():
        command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", str(sound)]
        subprocess.run(command, check=True)
    ended = program(*arguments)
    said = ended.stderr.decode()
    assert ended.returncode in (1, 2) and ended.stdout == b"", said
    assert wanted in said
    hint = said.splitlines()[-1].replace(str(program.folder), "")
    methods = program.ok("methods")
    known = set(METHOD.findall(methods)) | {"rpc.discover"}
    assert not [name for name in known if name in hint and f"call {name}" not in hint]
    assert not re.findall(r"\b[a-z]+[A-Z]\w*", hint)


def test_who_speaks_the_protocol_gets_its_words(program: Program) -> None:
    ended = program(
        *("call", "asset/open", "url=clip.mp4", "+", "exportSession/create", "asset=_.asset"),
        *("preset=Passthrough", "outputURL=x"),
    )
    assert b"outputFileType" in ended.stderr


def test_a_video_track_without_frames_has_advice_for_the_shell(program: Program) -> None:
    """Its hint was once half of the engine's and half of the shell's."""
    empty = program.folder / "empty.mp4"
    command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64", "-frames:v", "0"]
    command += ["-c:v", "libx264", "-movflags", "empty_moov", "-y", str(empty)]
    subprocess.run(command, check=True)
    said = program.fails(1, "image", "empty.mp4", "-o", "x.jpg")
    assert "holds no frames" in said
    assert said.splitlines()[-1].strip() == "'reelwire probe' shows its tracks."


def test_advice_has_its_arguments_in_the_words_of_the_shell(program: Program) -> None:
    said = program.fails(1, "image", "clip.mp4", "-t", "100", "-o", "x.jpg")
    hint = said.splitlines()[-1]
    assert "give --nearest" in hint and re.search(r"from 0 s to [\d.]+ s;", hint)
    assert "{" not in hint
