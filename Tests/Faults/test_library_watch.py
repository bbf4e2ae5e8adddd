"""Watched libraries: more folders than the kernel watches for a user, and folders that go away."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import wave
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from child_processes import children_of, stop
from engine import Engine
from waiting import eventually


def few_watches(count: int) -> List[str]:
    """A command that begins a program as a user who may have so few folders watched (user_namespaces(7))."""
    script = 'echo $0 >/proc/sys/user/max_inotify_watches && exec "$@"'
    return ["unshare", "-Ur", "sh", "-c", script, str(count)]


has_limits = subprocess.run([*few_watches(1), "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not has_limits, reason="the kernel's limits can't be set here")
@pytest.mark.parametrize("count, means", [(4, "polling"), (40, "events")])
def test_folders_without_a_watch_are_polled(tmp_path: Path, count: int, means: str) -> None:
    media = tmp_path / "media"
    for number in range(9):
        (media / str(number)).mkdir(parents=True)
        (media / str(number) / "tone.wav").touch()
    times = ["--watch-delay", "0.05", "--watch-interval", "0.2"]
    with Engine(*times, prefix=few_watches(count)) as engine:
        library = engine.call(
            "library/open", database=str(tmp_path / "library.sqlite"), folders=[{"path": str(media)}]
        )["library"]
        end = engine.call("library/scan", library=library, completion="response")
        assert end["counts"]["seen"] == 9
        (folder,) = engine.call("library/status", library=library)["folders"]
        assert (folder["state"], folder["watch"]) == ("online", means)
        # Either way new files are found.
        (media / "3" / "another.wav").touch()

        def is_found() -> bool:
            return bool(engine.call("library/status", library=library)["itemCount"] == 10)

        eventually("another item", is_found)


def tone(path: Path) -> None:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(16_000))


class Watched:
    """A library of one folder, whose items are observed."""

    def __init__(self, engine: Engine, root: Path, **folder: Any) -> None:
        self.engine = engine
        self.folder = root / "media"
        (self.folder / "a").mkdir(parents=True)
        for name in ("1.wav", "a/2.wav"):
            tone(self.folder / name)
        self.library = engine.call(
            "library/open", database=str(root / "library.sqlite"), folders=[{"path": str(self.folder), **folder}]
        )["library"]
        engine.call("library/scan", library=self.library, completion="response")
        self.result = engine.call("library/fetch", library=self.library, observe=True)["fetchResult"]
        engine.take()
        engine.notifications.clear()

    def states(self) -> Dict[str, str]:
        params = {"fetchResult": self.result, "keys": ["name", "state"]}
        return {each["name"]: each["state"] for each in self.engine.call("fetchResult/items", **params)["items"]}

    def folder_is(self, state: str, watch: str) -> None:
        def is_so() -> bool:
            (folder,) = self.engine.call("library/status", library=self.library)["folders"]
            return bool((folder["state"], folder["watch"]) == (state, watch))

        eventually(f"the folder is {state}, {watch}", is_so)

    def changed(self) -> List[int]:
        """The indexes of items in the next change of the observed result."""
        while True:
            message = self.engine.notification()
            if message["method"] == "library/didChange" and message["params"]["fetchResults"]:
                (change,) = message["params"]["fetchResults"]
                return list(change["changed"])


@contextlib.contextmanager
def at_once(engine: Engine) -> Iterator[None]:
    """Stops the workers meanwhile: they see all changes together."""
    workers = children_of(engine.process.pid)
    for worker in workers:
        stop(worker)
    yield
    for worker in workers:
        os.kill(worker, signal.SIGCONT)


TIMES = ["--watch-delay", "0.05", "--watch-interval", "0.2"]


@pytest.mark.parametrize("how", ["deleted", "renamed"])
def test_a_folder_that_is_gone_is_offline_and_may_come_back(tmp_path: Path, how: str) -> None:
    with Engine(*TIMES) as engine:
        watched = Watched(engine, tmp_path)
        assert set(watched.states().values()) == {"present"}
        with at_once(engine):
            if how == "deleted":
                shutil.rmtree(watched.folder)
            else:
                watched.folder.rename(tmp_path / "elsewhere")
        watched.folder_is("offline", "polling")
        # The result has them, and reports it.
        assert watched.states() == {"1.wav": "offline", "2.wav": "offline"}
        assert watched.changed() == [0, 1]
        made = tmp_path / "made"
        (made / "a").mkdir(parents=True)
        for name in ("1.wav", "a/2.wav"):
            tone(made / name)
        made.rename(watched.folder)
        watched.folder_is("online", "events")
        assert watched.changed() == [0, 1]
        assert set(watched.states().values()) == {"present"}
        # Events of the new folder, and of one in it, come.
        tone(watched.folder / "a" / "3.wav")
        eventually("another item", lambda: "3.wav" in watched.states())


def test_a_scan_that_finds_a_folder_offline_changes_results(tmp_path: Path) -> None:
    with Engine("--watch-interval", "9000") as engine:
        watched = Watched(engine, tmp_path)
        watched.folder.rename(tmp_path / "elsewhere")
        engine.call("library/scan", library=watched.library, completion="response")
        assert watched.changed() == [0, 1]
        assert set(watched.states().values()) == {"offline"}
        (tmp_path / "elsewhere").rename(watched.folder)
        engine.call("library/scan", library=watched.library, completion="response")
        assert watched.changed() == [0, 1]


def test_the_end_of_a_link_that_is_deleted(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    tone(target / "linked.wav")
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "link").symlink_to(target)
    with Engine(*TIMES) as engine:
        watched = Watched(engine, tmp_path, followsSymbolicLinks=True)
        # The first look, which is one at everything, has been then.
        tone(watched.folder / "3.wav")
        eventually("another item", lambda: set(watched.states()) == {"1.wav", "2.wav", "3.wav", "linked.wav"})
        shutil.rmtree(target)
        eventually("what the link led to is missing", lambda: "linked.wav" not in watched.states())
