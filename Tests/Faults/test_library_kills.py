"""A process that is killed while it scans, or whose disk is full, leaves a library that the next scan continues."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from pathlib import Path
from typing import Set

import pytest

from engine import Engine
from support import (
    FLUSH,
    READ,
    STALL,
    WRITE,
    FaultyEngine,
    ffmpeg,
    kill,
    needs_mounts,
    small_disk,
)
from waiting import eventually

COUNT = 300


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kills") / "media"
    folder.mkdir()
    clip = folder / "0.mp4"
    ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=0.4", "-metadata", "title=A lake"),
        str(clip),
    )
    for number in range(1, COUNT):
        below = folder / str(number % 9)
        below.mkdir(exist_ok=True)
        shutil.copy(clip, below / f"{number}.mp4")
    return folder


def opened(engine: Engine, database: Path, media: Path) -> str:
    return str(
        engine.call(
            "library/open", database=str(database), folders=[{"path": str(media)}], watch=False
        )["library"]
    )


def workers(engine: Engine) -> Set[int]:
    return set(engine.call("engine/stats")["isolation"]["workers"])


# A call, how many of its kind are done before it is held, and the file whose reads count.
PLACES = [
    # The tables are made,
    (WRITE, 0, "0.mp4"), (WRITE, 20, "0.mp4"), (FLUSH, 0, "0.mp4"), (FLUSH, 1, "0.mp4"),
    (WRITE, 69, "0.mp4"), (WRITE, 0, "0.mp4"),
    # files are found,
    (WRITE, 9, "0.mp4"), (WRITE, 12, "0.mp4"), (WRITE, 40, "0.mp4"),
    # and read, some more of them each time.
    (WRITE, 80, "0.mp4"), (WRITE, 9, "0.mp4"), (WRITE, 10, "0.mp4"), (WRITE, 20, "0.mp4"),
    (WRITE, 40, "0.mp4"), (WRITE, 60, "0.mp4"), (READ, 0, "5/5.mp4"), (READ, 9, "5/5.mp4"),
]  # fmt: skip


@pytest.mark.parametrize("isolation", [True, False])
def test_what_a_kill_leaves(
    media: Path, shared: Path, tmp_path: Path, isolation: bool
) -> None:
    database = tmp_path / "library.sqlite"
    arguments = [] if isolation else ["--no-isolation"]
    for call, after, file in PLACES:
        engine = FaultyEngine(shared, *arguments)
        inode = (media / file).stat().st_ino
        engine.fail(call, STALL, after=after, forever=True, inode=inode)
        opening = engine.send(
            "library/open", database=str(database), folders=[{"path": str(media)}], watch=False
        )
        eventually("the library", lambda: engine.has_struck or engine.has_ended(opening))
        if not engine.has_struck:
            scan = engine.send(
                "library/scan", library=engine.result(opening)["library"], completion="response"
            )
            eventually("a call that is held", lambda: engine.has_struck or engine.has_ended(scan))
        assert engine.has_struck, (call, after)
        kill(engine)
        if not database.exists():
            continue
        # A reader of its own, as another program would be.
        with sqlite3.connect(database) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables == (0,):
                # It was killed before it had made them.
                assert call in (WRITE, FLUSH) and after < 70
                continue
            found, known = connection.execute("SELECT count(*), count(DISTINCT uuid) FROM item").fetchone()
            (searched,) = connection.execute("SELECT count(*) FROM search").fetchone()
            assert found == known <= COUNT and searched <= found
        connection.close()
    with Engine(*arguments) as engine:
        library = opened(engine, database, media)
        end = engine.call("library/scan", library=library, completion="response")
        # A file that was alone in work at two of the kills, by accident, is suspected of them.
        assert end["result"] == "succeeded" and len(end["errors"]) <= 1
        result = engine.call("library/fetch", library=library, predicate={"text": "lake"})
        assert result["count"] == COUNT - len(end["errors"])
        again = engine.call("library/scan", library=library, completion="response")["counts"]
        assert again["seen"] == COUNT and again["probed"] == 0
        for handle in (result["fetchResult"], library):
            engine.call("handle/close", handle=handle)


def test_a_worker_that_dies_in_a_scan(media: Path, tmp_path: Path) -> None:
    """The scan ends with an error of its own, other objects stay, and nothing is suspected for nothing."""
    with Engine() as engine:
        asset = engine.call("asset/open", url=str(media / "0.mp4"))["asset"]
        before = workers(engine)
        library = opened(engine, tmp_path / "library.sqlite", media)
        # It got a worker of its own.
        (worker,) = workers(engine) - before
        operation = engine.call("library/scan", library=library)["operation"]
        handles = engine.call("handle/list")["handles"]
        assert {"asset", "library", "operation"} >= {each["kind"] for each in handles}
        os.kill(worker, signal.SIGKILL)
        while not [each for each in engine.notifications if each["method"] == "library/didScan"]:
            engine.receive()
        (end,) = [
            each["params"] for each in engine.notifications if each["method"] == "library/didScan"
        ]
        assert end["operation"] == operation
        if end["result"] == "failed":
            assert end["error"]["data"]["name"] == "workerDied"
        assert engine.call("asset/tracks", asset=asset)["tracks"]
        engine.call("handle/close", handle=library)
        library = opened(engine, tmp_path / "library.sqlite", media)
        end = engine.call("library/scan", library=library, completion="response")
        assert end["result"] == "succeeded" and end["errors"] == []
        assert engine.call("library/fetch", library=library)["count"] == COUNT


@needs_mounts
def test_a_full_disk(tmp_path: Path) -> None:
    disk, media = tmp_path / "disk", tmp_path / "media"
    for folder in (disk, media):
        folder.mkdir()
    count = 3000
    for number in range(count):
        (media / f"a file without anything in it, number {number}.mp4").touch()
    with Engine(prefix=small_disk("8m", disk)) as engine:
        filler = Path(f"/proc/{engine.process.pid}/root{disk}/filler")
        engine.call("engine/stats")
        filler.write_bytes(bytes((8 << 20) - (600 << 10)))
        library = opened(engine, disk / "library.sqlite", media)
        scan = engine.call("library/scan", library=library, completion="response")
        assert (scan["result"], scan["error"]["data"]["name"]) == ("failed", "diskFull")
        # The items that were written are whole, and can be queried.
        known = engine.call("library/status", library=library)["itemCount"]
        assert 0 < known < count
        filler.unlink()
        scan = engine.call("library/scan", library=library, completion="response")
        assert (scan["result"], scan["counts"]["added"]) == ("succeeded", count - known)
        assert engine.call("library/status", library=library)["itemCount"] == count
        engine.call("handle/close", handle=library)
