"""Fixtures: clips, the real engine, and one that plays a script."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from waiting import eventually, eventually_async, run_async

import reelwire
from reelwire import jobs

FAKE = Path(__file__).with_name("fake_engine.py")

# A shell that runs the tests in the background has them ignore Ctrl-C, which some of them send.
signal.signal(signal.SIGINT, signal.default_int_handler)
#: The duration of a frame of the clip.
FRAME = Fraction(1001, 30000)


def pytest_collection_finish():
    """Has the collections of tests look at the objects of tests alone, and not at those of all modules as well."""
    gc.collect()
    gc.freeze()


def run(coroutine):
    """Runs a coroutine; a test that hangs fails instead."""
    return run_async(coroutine)


def nothing_left(engine):
    """Asserts that the engine holds no handle, lease or operation of ours."""
    gc.collect()
    nothing_running(engine)
    assert engine.handles() == []
    _assert_nothing_held(engine.stats())


def nothing_running(engine):
    """Waits until cancelled operations have ended."""
    eventually(engine.stats, lambda: not engine.stats().get("operations"))


async def nothing_left_async(engine):
    gc.collect()

    async def has_ended():
        return not (await engine.stats()).get("operations")

    await eventually_async("the end of all operations", has_ended)
    assert await engine.handles() == []
    _assert_nothing_held(await engine.stats())


def _assert_nothing_held(stats):
    assert not any(stats.get("handles", {}).values()), stats
    assert stats["leases"] == stats.get("leasedBytes", 0) == stats.get("operations", 0) == 0, stats


@contextlib.contextmanager
def all_leased(engine, clip):
    """Has all shared memory leased that is left, to someone whom the client doesn't know of."""
    output = reelwire.TrackOutput("video", pixel_format="yuv420p")
    asset = engine.request("asset/open", {"url": str(clip)})["asset"]
    made = engine.request("assetReader/create", {"asset": asset, "outputs": [output.to_wire()]})
    engine.request("assetReader/start", {"assetReader": made["assetReader"]})
    params = {"output": made["outputs"][0], "delivery": "shm", "timeoutMs": 0}
    try:
        with contextlib.suppress(reelwire.LeasesExhaustedError):
            while True:
                engine.request("assetReader/nextSampleBuffers", params)
        yield
    finally:
        engine.request("handle/close", {"handle": asset})
        engine.request("handle/close", {"handle": made["assetReader"]})


def probe(path, *arguments):
    command = ["ffprobe", "-v", "error", "-of", "json", *arguments, str(path)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def seconds(path):
    return float(probe(path, "-show_format")["format"]["duration"])


def packed(sample):
    """A decoded yuv420p picture without the padding of its rows."""
    rows = []
    for number, plane in enumerate(sample.planes):
        width = sample.image["width"] if number == 0 else -(-sample.image["width"] // 2)
        for row in range(plane.height):
            start = row * plane.bytes_per_row
            rows.append(plane.data[start : start + width])
    return b"".join(rows)


class Fake:
    """A scripted engine: ``options`` are for ``Engine``, ``messages`` are those that it has received."""

    def __init__(self, folder: Path, script: dict) -> None:
        self._log = folder / "messages.jsonl"
        self._log.touch()
        (folder / "script.json").write_text(json.dumps(script))
        program = folder / "fake-reelwire"
        program.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -S -E "{FAKE}" "{folder}/script.json" '
            f'"{self._log}" "$@"\n'
        )
        program.chmod(0o755)
        self.options = {"binary": program}

    def messages(self, method: str | None = None) -> list:
        # The last one may still be being written.
        lines = self._log.read_text().splitlines(keepends=True)
        messages = [json.loads(line) for line in lines if line.endswith("\n")]
        return [item for item in messages if method is None or item["method"] == method]


@pytest.fixture
def fake(tmp_path):
    return lambda script: Fake(tmp_path, script)


@pytest.fixture(scope="session")
def binary():
    try:
        return reelwire.find_binary()
    except reelwire.BinaryNotFoundError:
        if os.environ.get("REELWIRE_REQUIRE_BINARY"):
            raise
        pytest.skip("there is no reelwire binary")


@pytest.fixture(scope="session")
def shared_engine(binary):
    """One real engine for all tests; when they are over it holds no handle, lease or operation."""
    with reelwire.Engine(binary) as engine:
        yield engine
        nothing_left(engine)


@pytest.fixture
def engine(shared_engine):
    """The real engine, in which nothing may be left at the end of each test either."""
    yield shared_engine
    nothing_left(shared_engine)


@pytest.fixture(scope="session")
def shared_worker(binary):
    """One worker for all tests, whose engine is another than the one above."""
    with jobs.Worker(binary=binary) as worker:
        yield worker


@pytest.fixture
def worker(shared_worker):
    """A worker, in whose engine nothing may be left at the end of each test."""
    yield shared_worker
    nothing_left(shared_worker.engine)


def _ffmpeg(*arguments) -> None:
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *map(str, arguments)]
    subprocess.run(command, check=True)


@pytest.fixture(scope="session")
def clips(binary, tmp_path_factory):
    return tmp_path_factory.mktemp("clips")


@pytest.fixture(scope="session")
def clip(clips):
    """Four seconds of H.264 with B-frames at 30000/1001, and AAC; the width is odd for memory."""
    path = clips / "clip.mp4"
    _ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=322x180:rate=30000/1001:duration=4"),
        *("-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4"),
        *("-c:v", "libx264", "-preset", "veryfast", "-g", "24", "-bf", "2"),
        *("-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata", "title=A clip"),
        path,
    )
    return path


@pytest.fixture(scope="session")
def late_clip(clips, clip):
    """The clip with its pictures half a second later than its audio."""
    path = clips / "late.mp4"
    _ffmpeg(
        *("-itsoffset", "0.5", "-i", clip, "-i", clip, "-map", "0:v", "-map", "1:a", "-c", "copy"),
        path,
    )
    return path


@pytest.fixture(scope="session")
def cover(clips):
    """A picture of more than the 4096 bytes that a key brings."""
    path = clips / "cover.png"
    _ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x480", "-frames:v", 1, path)
    return path


@pytest.fixture(scope="session")
def rich_clip(clips, clip, cover):
    """The clip with a second language, a timecode, two chapters and a cover."""
    tags = clips / "tags.txt"
    chapters = [(0, 1500, "One"), (1500, 4000, "Two")]
    lines = [";FFMETADATA1", "title=A clip", "creation_time=2024-05-06T07:08:09Z"]
    for start, end, title in chapters:
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", f"START={start}", f"END={end}", f"title={title}"]
    tags.write_text("\n".join(lines) + "\n")
    path = clips / "rich.mp4"
    _ffmpeg(
        *("-i", clip, "-f", "lavfi", "-i", "sine=frequency=600:duration=4", "-i", tags),
        *("-i", cover, "-map", "0:v", "-map", "0:a", "-map", "1", "-map", "3"),
        *("-map_metadata", "2", "-map_chapters", "2", "-c", "copy", "-c:a:1", "aac"),
        *("-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu"),
        *("-disposition:v:1", "attached_pic", "-timecode", "01:00:00;00"),
        path,
    )
    return path


@pytest.fixture(scope="session")
def long_clip(clips):
    """A minute of video: an export of it is still running when it is cancelled."""
    path = clips / "long.mp4"
    _ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=60"),
        *("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"),
        path,
    )
    return path


@pytest.fixture(scope="session")
def frames(clip):
    """Every frame of the clip as yuv420p, decoded by the ffmpeg command."""
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", str(clip)]
    command += ["-map", "0:v:0", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]
    data = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    size = 322 * 180 + 2 * 161 * 90
    return [data[start : start + size] for start in range(0, len(data), size)]
