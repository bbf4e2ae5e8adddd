"""The store of test media returns the programs' own output, and makes nothing twice."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "Tests/Support"))

from child_processes import children_of  # noqa: E402
from waiting import HANG, eventually  # noqa: E402

CLIP = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:duration=1", "-c:v", "mpeg4"]


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.log.touch()

    def environment(self, store: bool = True) -> Dict[str, str]:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("LD_")},
            "REELWIRE_TEST_MEDIA": str(self.folder / "store"),
            "REELWIRE_TEST_MEDIA_LOG": str(self.log),
        }
        # A runner that uses the store has it on its PATH.
        folders = [each for each in os.environ["PATH"].split(":") if not each.endswith(".build/media-store")]
        if store:
            folders.insert(0, str(ROOT / ".build/media-store"))
        environment["PATH"] = ":".join(folders)
        return environment

    def __call__(self, *command: Any, store: bool = True, **settings: Any) -> "subprocess.CompletedProcess[bytes]":
        settings = {"env": self.environment(store), **settings}
        return subprocess.run(
            [str(part) for part in command], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, **settings)

    def did(self) -> List[str]:
        """The way in which each command was answered: made, taken, run."""
        return [line.split()[0] for line in self.log.read_text().splitlines()]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def test_a_clip_is_made_once(store: Store) -> None:
    for name in ("a.mp4", "b.mp4"):
        assert store("ffmpeg", *CLIP, "-bitexact", name).returncode == 0
    assert store("ffmpeg", *CLIP, "-bitexact", "c.mp4", store=False).returncode == 0
    assert store.did() == ["made", "taken"]
    files = [(store.folder / f"{name}.mp4").read_bytes() for name in "abc"]
    assert files[0] == files[1] == files[2]


def test_a_copy_is_the_tests_own(store: Store) -> None:
    store("ffmpeg", *CLIP, "a.avi")
    first = (store.folder / "a.avi").read_bytes()
    (store.folder / "a.avi").write_bytes(b"damaged")
    store("ffmpeg", *CLIP, "b.avi")
    assert store.did() == ["made", "taken"] and (store.folder / "b.avi").read_bytes() == first


@pytest.mark.parametrize(
    "arguments", [[*CLIP, "-g", "5"], [*CLIP, "-metadata", "title=x"]], ids=["option", "tag"])
def test_other_arguments_make_another(store: Store, arguments: List[str]) -> None:
    store("ffmpeg", *CLIP, "a.avi")
    store("ffmpeg", *arguments, "b.avi")
    # Its name decides which format it has.
    store("ffmpeg", *CLIP, "c.mkv")
    assert store.did() == ["made", "made", "made"]


def test_inputs_are_their_bytes(store: Store) -> None:
    store("ffmpeg", *CLIP, "a.avi")
    store("ffmpeg", *CLIP, "-g", "3", "other.avi")
    copies = ["ffmpeg", "-v", "error", "-i", "a.avi", "-c", "copy", "-y", "out.mp4"]
    answers = ["ffprobe", "-v", "error", "-show_packets", "a.avi"]
    hashes = ["ffmpeg", "-v", "error", "-i", "a.avi", "-f", "framemd5", "-"]
    before = [store(*command).stdout for command in (copies, answers, hashes)]
    os.replace(store.folder / "other.avi", store.folder / "a.avi")
    after = [store(*command).stdout for command in (copies, answers, hashes)]
    again = [store(*command).stdout for command in (copies, answers, hashes)]
    plain = [store(*command, store=False).stdout for command in (copies, answers, hashes)]
    assert store.did() == ["made"] * 8 + ["taken"] * 3
    assert after == again == plain and before[1:] != after[1:]


def test_what_is_printed_comes_again(store: Store) -> None:
    command = ["ffmpeg", "-v", "info", "-f", "lavfi", "-i", "sine=d=1", "-af", "volumedetect"]
    one, other = (store(*command, "-f", "null", "-") for _ in range(2))
    assert store.did() == ["made", "taken"]
    assert b"mean_volume" in one.stderr and one.stderr == other.stderr


def test_a_failure_is_not_kept(store: Store) -> None:
    (store.folder / "broken.mp4").write_bytes(b"no media")
    for _ in range(2):
        ended = store("ffprobe", "-v", "error", "broken.mp4")
        assert ended.returncode == 1 and b"Invalid data" in ended.stderr
    assert store.did() == ["made", "made"]
    assert not list(store.folder.glob("store/??/*")) and not list(store.folder.glob("store/new-*"))


@pytest.mark.parametrize(
    "command",
    [
        ["ffmpeg", "-version"],
        ["ffmpeg", "-v", "error", "-i", "a.avi", "-f", "rawvideo", "-"],
        ["ffmpeg", "-v", "error", "-i", "a.avi", "-c", "copy", "one.avi", "-c", "copy", "two.avi"],
        ["ffmpeg", "-v", "error", "-i", "a.avi", "-c", "copy", "-f", "hls", "list.m3u8"],
        ["ffmpeg", "-v", "error", "-i", "a.avi", "picture%d.png"],
        ["ffmpeg", "-v", "error", "-f", "concat", "-i", "list.txt", "-c", "copy", "joined.avi"],
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "movie=a.avi", "-f", "framemd5", "-"],
        ["ffmpeg", "-v", "error", "-n", "-i", "a.avi", "-c", "copy", "there.avi"],
        ["ffprobe", "-v", "error", "-show_streams", "large.avi"],
    ],
    ids=["no media", "stream", "two", "hls", "pictures", "list", "filter", "exists", "large"],
)
def test_the_rest_is_run_as_it_is(store: Store, command: List[str]) -> None:
    store("ffmpeg", *CLIP, "a.avi", store=False)
    (store.folder / "list.txt").write_text("file a.avi\n")
    (store.folder / "there.avi").write_bytes(b"mine")
    (store.folder / "large.avi").write_bytes((store.folder / "a.avi").read_bytes())
    os.truncate(store.folder / "large.avi", 257 << 20)
    for _ in range(2):
        ended = store(*command)
        for name in ("one.avi", "two.avi", "joined.avi"):
            (store.folder / name).unlink(missing_ok=True)
    plain = store(*command, store=False)
    assert store.did() == ["run", "run"]
    assert (ended.returncode, ended.stdout) == (plain.returncode, plain.stdout)
    assert (store.folder / "there.avi").read_bytes() == b"mine"


STREAM = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480", "-f", "rawvideo", "-"]


def servers(store: Store) -> List[int]:
    """The processes that have loaded a program for the commands of a store."""
    found = []
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            if "loaded-program.so" not in maps.read_text():
                continue
            status = (maps.parent / "stat").read_text().rsplit(")", 1)[1].split()
            # Its session is its own; those of the commands are the server's.
            if int(status[3]) == int(maps.parent.name) and str(store.folder) in (maps.parent / "environ").read_text():
                found.append(int(maps.parent.name))
        except OSError:
            continue
    return found


def test_a_program_is_loaded_once(store: Store) -> None:
    # Nothing reads their output, so that they last.
    commands = [
        subprocess.Popen(STREAM, env=store.environment(), cwd=store.folder, stdout=subprocess.PIPE) for _ in range(2)]
    (server,) = eventually("a server", lambda: servers(store))
    eventually("its commands", lambda: len(children_of(server)) == 2)
    assert [command.poll() for command in commands] == [None, None]
    # A command ends with its client, and no other one does.
    commands[0].kill()
    eventually("the end of a command", lambda: len(children_of(server)) == 1)
    assert commands[1].poll() is None and commands[1].stdout
    assert len(commands[1].stdout.read(10_000_000)) == 10_000_000
    # A client ends with its server, as if a signal had ended the command.
    (last,) = children_of(server)
    os.kill(last, 9)
    assert commands[1].wait(HANG) == 128 + 9
    for command in commands:
        assert command.stdout
        command.stdout.close()
    assert commands[0].wait(HANG) == -9


def test_descriptors_are_the_commands_own(store: Store) -> None:
    assert store("ffmpeg", *CLIP, "a.avi").returncode == 0
    with open(store.folder / "a.avi", "rb") as file:
        command = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0"]
        ended = store(*command, f"/dev/fd/{file.fileno()}", pass_fds=[file.fileno()])
    assert (ended.returncode, ended.stdout) == (0, b"mpeg4\n")


@pytest.mark.parametrize("what", ["a failure", "colours", "the mask", "a limit", "no stdin"])
def test_a_loaded_program_is_like_any_other(store: Store, what: str) -> None:
    command, variables, settings = [*STREAM[:-3], "-frames:v", "30", *STREAM[-3:]], {}, {}
    if what == "a failure":
        command = ["ffprobe", "-v", "error", "-show_streams", str(ROOT / "README.md")]
    elif what == "colours":
        command, variables = ["ffprobe", "-show_streams", str(ROOT / "README.md")], {"AV_LOG_FORCE_COLOR": "1"}
    elif what == "the mask":
        command, settings = ["ffmpeg", *CLIP, "-bitexact", "a.avi"], {"preexec_fn": lambda: os.umask(0o027)}
    elif what == "a limit":
        command = ["ffmpeg", *CLIP, "-c:v", "rawvideo", "a.avi"]
        settings = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))}
    else:
        settings = {"preexec_fn": lambda: os.close(0)}
    # Another command has started the server, with other settings.
    other = [command[0], "-v", "error", "-f", "lavfi", "-i", "color=size=16x16:duration=1", *STREAM[-3:]]
    assert store(*(other if command[0] == "ffmpeg" else ["ffprobe", *other[1:-3], "-show_streams"])).returncode == 0
    eventually("a server", lambda: servers(store))
    results = []
    # A variable of the loader: such a command is run as usual.
    for loader in ({}, {"LD_BIND_NOW": "1"}):
        ended = store(*command, env={**store.environment(), **variables, **loader}, **settings)
        made = store.folder / "a.avi"
        results.append((ended.returncode, ended.stdout, ended.stderr.split(b"] ")[-1],
                        made.stat().st_mode if made.exists() else None))
        made.unlink(missing_ok=True)
        # The store has no answer the second time.
        for entry in store.folder.glob("store/??/*/command"):
            shutil.rmtree(entry.parent)
    assert results[0] == results[1]
    assert (results[0][0] == 0) == (what not in ("a failure", "colours", "a limit"))
