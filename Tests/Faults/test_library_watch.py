"""A library of more folders than the kernel watches for a user."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import List

import pytest

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
