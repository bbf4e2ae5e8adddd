"""The store of test media returns the programs' own output, and makes nothing twice."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any, List

import pytest

from conftest import ROOT

CLIP = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:duration=1", "-c:v", "mpeg4"]


class Store:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.log.touch()

    def __call__(self, *command: Any, store: bool = True) -> "subprocess.CompletedProcess[bytes]":
        environment = {
            **os.environ,
            "REELWIRE_TEST_MEDIA": str(self.folder / "store"),
            "REELWIRE_TEST_MEDIA_LOG": str(self.log),
        }
        # A runner that uses the store has it on its PATH.
        folders = [each for each in os.environ["PATH"].split(":") if not each.endswith(".build/media-store")]
        if store:
            folders.insert(0, str(ROOT / ".build/media-store"))
        environment["PATH"] = ":".join(folders)
        return subprocess.run(
            [str(part) for part in command], cwd=self.folder, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True)

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
