"""The shared parts of the tests of the command line: clips, the program, and terminals that it runs in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))

from terminal import Terminal  # noqa: E402
from waiting import HANG  # noqa: E402

BINARY = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire")).resolve()

# Prints the memory that a command took at its maximum.
MEASURE = """
import os, sys
_, status, usage = os.wait4(os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def environment(**more: Optional[str]) -> Dict[str, str]:
    """The environment of a person who has set nothing: a variable that is None is removed."""
    unset = ("NO_COLOR", "REELWIRE_", "KITTY_", "TERM_PROGRAM", "COLORTERM", "LC_TERMINAL")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unset)}
    kept.update({"TERM": "xterm-256color", "LC_ALL": "C", "PATH": f"{BINARY.parent}:{os.environ['PATH']}"})
    for name, value in more.items():
        kept.pop(name, None)
        if value is not None:
            kept[name] = value
    return kept


class Program:
    """The built program, run in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(
        self, *arguments: str, input: bytes = b"", env: Optional[Dict[str, str]] = None
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [str(BINARY), *arguments],
            cwd=self.folder,
            env=env or environment(),
            input=input,
            capture_output=True,
            timeout=HANG,
        )

    def ok(self, *arguments: str, input: bytes = b"") -> str:
        """Its output when it succeeds."""
        ended = self(*arguments, input=input)
        assert ended.returncode == 0, ended.stderr.decode()
        return ended.stdout.decode()

    def fails(self, code: int, *arguments: str, input: bytes = b"") -> str:
        """Its complaints when it fails; nothing may be on stdout."""
        ended = self(*arguments, input=input)
        assert ended.returncode == code, (ended.returncode, ended.stdout, ended.stderr)
        assert ended.stdout == b""
        return ended.stderr.decode()

    def memory(self, *arguments: str) -> int:
        """The maximum size in memory of its largest process, in KiB, when it succeeds.

        Linux counts the size of a process from before its `exec`, that is of its parent. So the parent is a small one,
        and not that of the tests.
        """
        command = [sys.executable, "-S", "-c", MEASURE, str(BINARY), *arguments]
        ended = subprocess.run(command, cwd=self.folder, env=environment(), capture_output=True, timeout=HANG)
        assert ended.returncode == 0, ended.stderr.decode()
        return int(ended.stdout.splitlines()[-1])

    def start(self, *arguments: str, **variables: Optional[str]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [str(BINARY), *arguments],
            cwd=self.folder,
            env=environment(**variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def in_terminal(self, *arguments: str, **variables: Optional[str]) -> Terminal:
        return Terminal([str(BINARY), *arguments], self.folder, environment(**variables))


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `clip.mp4`: five seconds of 25 frames each, audio, two chapters and a title."""
    folder = tmp_path_factory.mktemp("clips")
    (folder / "chapters.txt").write_text(
        ";FFMETADATA1\ntitle=A pattern\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=First\n"
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=2000\nEND=5000\ntitle=Second\n"
    )
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=duration=5", "-f", "lavfi", "-i", "sine=duration=5"]
        + ["-i", folder / "chapters.txt", "-map", "0", "-map", "1", "-map_metadata", "2"]
        + ["-metadata:s:a", "language=deu", "-g", "25", folder / "clip.mp4"]
    )
    return folder


def ffmpeg(arguments: List[object]) -> None:
    command = ["ffmpeg", "-nostdin", "-v", "error", "-n", *map(str, arguments)]
    subprocess.run(command, check=True, timeout=HANG)


def turned_input(path: Path, degrees: int) -> List[object]:
    """The arguments that give ffmpeg its last input, whose copy is to be shown turned.

    FFmpeg before 6 has no option of the input for that, and takes a tag of the output.
    """
    command = ["ffmpeg", "-v", "error", "-h", "long"]
    help_text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "-display_rotation" in help_text:
        return ["-display_rotation", degrees, "-i", path]
    return ["-i", path, "-metadata:s:v:0", f"rotate={degrees}"]


@pytest.fixture
def program(clips: Path, tmp_path: Path) -> Program:
    """The program in a folder of its own that has `clip.mp4`."""
    assert BINARY.exists(), f"there is no {BINARY}; run make test-cli"
    (tmp_path / "clip.mp4").symlink_to(clips / "clip.mp4")
    return Program(tmp_path)


@pytest.fixture(scope="session")
def long_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two minutes that take much longer to encode than a test lasts."""
    path = tmp_path_factory.mktemp("long") / "long.mp4"
    ffmpeg(
        ["-f", "lavfi", "-i", "testsrc2=size=1280x720:duration=120", "-c:v", "mpeg4", "-q:v", 8, path]
    )
    return path
