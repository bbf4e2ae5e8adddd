"""The engine itself, and the whole way through it, against the real one."""

import asyncio
import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import FRAME, nothing_left, nothing_left_async, packed, run, seconds
from waiting import HANG, eventually

import reelwire
from reelwire import MediaTime, TimeRange, TrackOutput


def _runs(pid):
    """True if a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_job_in_ten_lines(binary, clip, tmp_path):
    with reelwire.Engine(binary) as engine:
        asset = engine.open(clip)
        assert float(asset.duration) == pytest.approx(seconds(clip), abs=0.1)
        assert [track.media_type for track in asset.tracks] == ["video", "audio"]
        asset.image(1.5).save(tmp_path / "frame.jpg")
        with asset.image_generator(tolerance=0) as generator:
            thumbs = list(generator.images([0, 1, 2], delivery=tmp_path / "thumb-%03d.jpg"))
        asset.export(tmp_path / "part.mp4", "MediumQuality", time_range=TimeRange(1, 2))
        with asset.reader("video") as reader:
            samples = list(reader.outputs[0])
        asset.close()
        assert [image.error for image in thumbs] == [None] * 3
        assert (tmp_path / "frame.jpg").read_bytes()[:2] == b"\xff\xd8"
        assert seconds(tmp_path / "part.mp4") == pytest.approx(2, abs=0.1)
        assert len(samples) == 120
        nothing_left(engine)


def test_the_job_with_asyncio(binary, clip, tmp_path, frames):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(clip) as asset:
                loaded = await asset.load("duration", "tracks", "natural_size")
                assert loaded["natural_size"] == (322, 180)
                assert (await asset.tracks[0].load("nominal_frame_rate"))[
                    "nominal_frame_rate"
                ] == pytest.approx(29.97, abs=0.01)
                async with await asset.image_generator(tolerance=0) as generator:
                    times = [FRAME * index for index in (100, 3, 50)]
                    async for image in generator.images(times, format="yuv420p", delivery="shm"):
                        assert image.packed() == frames[(100, 3, 50)[image.index]]
                    del image
                seen = []
                result = await asset.export(
                    tmp_path / "out.mov", "Passthrough", progress=seen.append
                )
                assert result.file_size == os.path.getsize(result.path)
                assert seen == sorted(seen)
                output = TrackOutput("video", pixel_format="yuv420p")
                async with await asset.reader(output) as reader:
                    count = 0
                    async for sample in reader.outputs[0].samples(batch=8, delivery="shm"):
                        assert packed(sample) == frames[count]
                        count += 1
                    del sample
                assert count == len(frames)
            await nothing_left_async(engine)

    run(job())


def test_what_the_engine_has(engine):
    capabilities = engine.capabilities()
    assert {"mp4", "mov", "mkv"} <= {item["type"] for item in capabilities["fileTypes"]}
    assert "MediumQuality" in engine.presets()
    assert "jpeg" in capabilities["imageFormats"]
    methods = {method["name"] for method in engine.discover()["methods"]}
    assert {"asset/open", "engine/stats"} <= methods
    assert engine.version in repr(engine)


def test_the_handles_have_names(engine, clip):
    with engine.open(clip) as asset, asset.image_generator():
        handles = engine.handles()
        assert [item["kind"] for item in handles] == ["asset", "imageGenerator"]
        assert str(clip) in handles[0]["describes"]


def test_a_thousand_pipelined_requests(binary):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            answers = await asyncio.gather(*(engine.stats() for _ in range(1000)))
            assert len(answers) == 1000
            assert all(answer["operations"] == 0 for answer in answers)

    run(job())


def test_a_killed_engine_rejects_everything(binary, long_clip, tmp_path):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            asset = await engine.open(long_clip)
            begun = asyncio.Event()
            waiting = [
                asyncio.ensure_future(
                    asset.export(
                        tmp_path / "out.mp4",
                        "HighestQuality",
                        progress=lambda _: begun.set(),
                        progress_interval=0.01,
                    )
                )
            ]
            await begun.wait()
            waiting += [asyncio.ensure_future(asset.image(50 + n)) for n in range(5)]
            os.kill(engine.pid, signal.SIGKILL)
            errors = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(error) for error in errors] == [reelwire.EngineDiedError] * 6
            assert errors[0].signal == "SIGKILL"

    run(job())


def test_cancelling_a_task_cancels_the_request(binary, long_clip):
    """The engine answers the cancelled request at once, and continues."""

    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(long_clip) as asset:
                async with await asset.image_generator(tolerance=0) as generator:
                    tasks = [
                        asyncio.ensure_future(generator.image(second)) for second in range(5, 55, 5)
                    ]
                    await engine.stats()
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
                    assert (await generator.image(1)).width == 640
            await nothing_left_async(engine)

    run(job())


def test_the_process_ends_with_its_client(binary):
    with reelwire.Engine(binary) as engine:
        pid = engine.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_engine_that_is_closed_at_work_leaves_nothing(binary, long_clip, tmp_path):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            asset = await engine.open(long_clip)
            begun = asyncio.Event()
            task = asyncio.ensure_future(
                asset.export(
                    tmp_path / "out.mp4", progress=lambda _: begun.set(), progress_interval=0.01
                )
            )
            await begun.wait()
        with pytest.raises(reelwire.ReelwireError):
            await task

    run(job())
    assert os.listdir(tmp_path) == []


def test_the_engine_ends_when_its_client_is_killed(binary, long_clip, tmp_path):
    code = (
        "import os, signal, sys, reelwire\n"
        "engine = reelwire.Engine(sys.argv[1])\n"
        "def die(progress):\n"
        "    print(engine.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "engine.open(sys.argv[2]).export(sys.argv[3], progress=die, progress_interval=0.01)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, binary, str(long_clip), str(tmp_path / "out.mp4")],
        stdout=subprocess.PIPE,
        timeout=HANG,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ended.returncode == -signal.SIGKILL
    pid = int(ended.stdout)
    eventually("the end of the engine", lambda: not _runs(pid))
    assert os.listdir(tmp_path) == []


def test_a_cancelled_series_leaves_another_one_alone(binary, clip):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            asset = await engine.open(clip)
            async with await asset.image_generator(tolerance=0) as generator:
                times = [FRAME * index for index in range(120)]

                async def all_of_them():
                    return [image.error async for image in generator.images(times)]

                other = asyncio.ensure_future(all_of_them())
                async for image in generator.images(times):
                    assert image.error is None
                    break
                assert await other == [None] * 120
            await asset.close()
            await nothing_left_async(engine)

    run(job())


def test_times_agree_with_the_engine(engine):
    for given in (0.1, 1 / 3, "1001/30000", "00:01:00.5", Fraction(7, 12), (2002, 60000)):
        wire = given if isinstance(given, (float, str)) else MediaTime.of(given).to_wire()
        answer = engine.request("time/add", {"lhs": wire, "rhs": 0})
        assert MediaTime.of(answer["time"]) == MediaTime.of(given)
    order = engine.request("time/compare", {"lhs": "indefinite", "rhs": "+infinity"})["order"]
    assert order == -1
