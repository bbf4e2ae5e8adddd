"""The whole way, against the real engine."""

import asyncio
import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import nothing_left, nothing_left_async, run

import reelwire
from reelwire import MediaTime, TimeRange, TrackOutput

FRAME = Fraction(1001, 30000)


def _probe(path, *arguments):
    command = ["ffprobe", "-v", "error", "-of", "json", *arguments, str(path)]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def _seconds(path):
    return float(_probe(path, "-show_format")["format"]["duration"])


def _packed(sample):
    """A decoded yuv420p picture without the padding of its rows."""
    rows = []
    for number, plane in enumerate(sample.planes):
        width = sample.image["width"] if number == 0 else -(-sample.image["width"] // 2)
        for row in range(plane.height):
            start = row * plane.bytes_per_row
            rows.append(plane.data[start : start + width])
    return b"".join(rows)


def _temporary_files(folder):
    return [path.name for path in folder.iterdir()]


def _runs(pid):
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# The main job, with both faces.


def test_the_job_in_ten_lines(binary, clip, tmp_path):
    with reelwire.Engine(binary) as engine:
        asset = engine.open(clip)
        assert float(asset.duration) == pytest.approx(_seconds(clip), abs=0.1)
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
        assert _seconds(tmp_path / "part.mp4") == pytest.approx(2, abs=0.1)
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
                        assert _packed(sample) == frames[count]
                        count += 1
                    del sample
                assert count == len(frames)
            await nothing_left_async(engine)

    run(job(), 60)


# Keys.


def test_keys_and_their_states(engine, clip):
    with engine.open(clip) as asset:
        assert asset.status("duration")["duration"].status == "unknown"
        loaded = asset.load("duration", "metadata", "is_playable", "preferred_transform")
        assert loaded["is_playable"] is True
        assert loaded["preferred_transform"] == (1, 0, 0, 1, 0, 0)
        assert any(item["value"] == "A clip" for item in loaded["metadata"])
        state = asset.status("duration")["duration"]
        assert (state.status, state.value) == ("loaded", asset.duration)
        track = asset.load_tracks("audio")[0]
        track.load("format_descriptions", "time_range", "language_code")
        assert track["format_descriptions"][0]["codec"] == "aac"
        assert isinstance(track["time_range"], TimeRange)


def test_a_missing_file_fails_at_its_keys(engine, tmp_path):
    with engine.open(tmp_path / "nothing.mp4") as asset:
        with pytest.raises(FileNotFoundError) as caught:
            asset.load("duration")
        assert caught.value.hint
        assert asset.status("duration")["duration"].status == "failed"
    assert engine.stats()["operations"] == 0


def test_a_broken_file_fails_at_its_keys(engine, tmp_path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"this is no media file" * 100)
    with engine.open(broken) as asset, pytest.raises(reelwire.ReelwireError) as caught:
        asset.load("tracks")
    assert isinstance(
        caught.value, (reelwire.FileFormatNotRecognizedError, reelwire.FileFailedToParseError)
    )


def test_wrong_params_tell_every_problem(engine):
    with pytest.raises(ValueError, match="/keys") as caught:
        engine.request("asset/loadValues", {"asset": 1, "keys": ["size"]})
    assert isinstance(caught.value, reelwire.InvalidParamsError)
    assert len(caught.value.data["errors"]) == 2
    with pytest.raises(reelwire.MethodNotFoundError):
        engine.request("asset/opne")
    with pytest.raises(reelwire.UnknownHandleError):
        engine.request("asset/tracks", {"asset": "asset:999"})


# Images.


@pytest.mark.parametrize("delivery", ["inline", "shm"])
def test_exact_frames_in_random_order(engine, clip, frames, delivery):
    picks = [*random.Random(1).sample(range(len(frames)), 12), len(frames) - 1, 0]
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        for index in picks:
            # The middle of a frame's time, and its very beginning.
            for time in (FRAME * index, float(FRAME * index + FRAME / 2)):
                image = generator.image(time, format="yuv420p", delivery=delivery)
                assert image.actual_time == FRAME * index
                assert image.packed() == frames[index]
        del image


def test_a_series_brings_every_time_once(engine, clip, frames):
    times = [FRAME * index for index in (90, 10, 10, 119, 0)] + [1000]
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        images = sorted(
            generator.images(times, format="rgb24", delivery="shm"), key=lambda image: image.index
        )
        assert [image.index for image in images] == list(range(6))
        assert bytes(images[1].data) == bytes(images[2].data)
        assert isinstance(images[5].error, reelwire.NoImageAtTimeError)
        assert images[0].actual_time == FRAME * 90
        del images


def test_images_fit_the_maximum_size(engine, clip):
    with engine.open(clip) as asset:
        image = asset.image(1, maximum_size=(100, 100), format="png")
    assert max(image.width, image.height) <= 100
    assert bytes(image)[:4] == b"\x89PNG"


def test_leaving_a_series_early_cancels_it(engine, clip):
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        for image in generator.images([FRAME * index for index in range(120)], delivery="shm"):
            assert image.error is None
            break
        del image
        gc.collect()
        stats = engine.stats()
        assert (stats["operations"], stats["leases"]) == (0, 0)
        assert generator.image(1).width == 322


# Exports.


def test_an_export_with_progress(engine, clip, tmp_path):
    seen = []
    with engine.open(clip) as asset:
        result = asset.export(
            tmp_path / "out.mkv",
            "MediumQuality",
            time_range=TimeRange.between(1, 3),
            progress=seen.append,
            progress_interval=0.01,
        )
    assert os.fspath(result) == str(tmp_path / "out.mkv")
    assert seen
    assert seen == sorted(seen)
    assert 0 <= seen[0] <= seen[-1] <= 1
    assert _seconds(result.path) == pytest.approx(2, abs=0.1)


def test_passthrough_keeps_every_packet(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        asset.export(tmp_path / "copy.mp4", "Passthrough")

    def digests(path):
        command = ["ffmpeg", "-loglevel", "error", "-i", str(path), "-c", "copy", "-map", "0"]
        command += ["-f", "framemd5", "-"]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        return sorted(line.split(",")[-1] for line in text.splitlines() if line[:1] != "#")

    assert digests(tmp_path / "copy.mp4") == digests(clip)


def test_an_existing_file_stays_untouched(engine, clip, tmp_path):
    target = tmp_path / "out.mp4"
    target.write_text("mine")
    with engine.open(clip) as asset, pytest.raises(FileExistsError) as caught:
        asset.export(target, "Passthrough")
    assert isinstance(caught.value, reelwire.FileAlreadyExistsError)
    assert caught.value.code == -11823
    assert target.read_text() == "mine"
    assert _temporary_files(tmp_path) == ["out.mp4"]


def test_an_existing_image_stays_untouched(engine, clip, tmp_path):
    target = tmp_path / "out.jpg"
    target.write_text("mine")
    with engine.open(clip) as asset, pytest.raises(reelwire.FileAlreadyExistsError):
        asset.image(1, path=target)
    assert target.read_text() == "mine"


def test_a_cancelled_export_leaves_no_file(engine, long_clip, tmp_path):
    with engine.open(long_clip) as asset:
        with asset.export_session(tmp_path / "out.mp4", "HighestQuality") as session:
            cancelling = []

            def cancel_once(progress):
                if not cancelling:
                    cancelling.append(threading.Thread(target=session.cancel))
                    cancelling[0].start()

            with pytest.raises(reelwire.OperationCancelledError):
                session.export(progress=cancel_once, progress_interval=0.01)
            cancelling[0].join()
            assert session.status().status == "cancelled"
    assert _temporary_files(tmp_path) == []


def test_a_cancelled_task_leaves_no_file(binary, long_clip, tmp_path):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(long_clip) as asset:
                begun = asyncio.Event()
                task = asyncio.ensure_future(
                    asset.export(
                        tmp_path / "out.mp4",
                        "HighestQuality",
                        progress=lambda _: begun.set(),
                        progress_interval=0.01,
                    )
                )
                await begun.wait()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert _temporary_files(tmp_path) == []
            await nothing_left_async(engine)

    run(job(), 60)


def test_ctrl_c_leaves_no_file_and_a_living_engine(engine, long_clip, tmp_path):
    with engine.open(long_clip) as asset:
        with pytest.raises(KeyboardInterrupt):
            asset.export(
                tmp_path / "out.mp4",
                "HighestQuality",
                progress=lambda _: os.kill(os.getpid(), signal.SIGINT),
                progress_interval=0.01,
            )
    assert _temporary_files(tmp_path) == []


# Samples.


def test_stored_samples_are_the_packets(engine, clip):
    packets = _probe(clip, "-show_packets", "-select_streams", "v:0")["packets"]
    with engine.open(clip) as asset, asset.reader("video") as reader:
        (output,) = reader.outputs
        samples = list(output.samples(delivery="shm"))
        assert len(samples) == len(packets)
        for sample, packet in zip(samples, packets):
            times = (float(packet["pts_time"]), float(packet["dts_time"]))
            assert len(sample.data) == int(packet["size"])
            assert float(sample.presentation_time) == pytest.approx(times[0], abs=1e-6)
            assert float(sample.decode_time) == pytest.approx(times[1], abs=1e-6)
            assert sample.is_sync == ("K" in packet["flags"])
        assert samples[0].format["codec"] == "h264"
        assert reader.status()[0] == "completed"
        del samples, sample


def test_decoded_samples_are_the_frames(engine, clip, frames):
    output = TrackOutput("video", pixel_format="yuv420p")
    with engine.open(clip) as asset, asset.reader(output) as reader:
        times = []
        for number, sample in enumerate(reader.outputs[0].samples(delivery="shm")):
            assert _packed(sample) == frames[number]
            times.append(sample.presentation_time)
        assert times == [FRAME * number for number in range(len(frames))]
        del sample


def test_a_range_of_decoded_sound(engine, clip):
    output = TrackOutput("audio", sample_format="s16", sample_rate=44100, channels=2)
    with engine.open(clip) as asset, asset.reader(output, time_range=TimeRange(1, 2)) as reader:
        samples = list(reader.outputs[0].samples(batch=64))
    assert {sample.audio["sampleFormat"] for sample in samples} == {"s16"}
    assert sum(sample.audio["frames"] for sample in samples) == pytest.approx(88200, abs=4096)
    assert all(len(sample.data) == 4 * sample.audio["frames"] for sample in samples)
    assert any(any(sample.data) for sample in samples)


def test_two_outputs_of_one_reader(engine, clip):
    with engine.open(clip) as asset, asset.reader("video", "audio") as reader:
        video, audio = reader.outputs
        assert sum(sample.num_samples for sample in video) == 120
        assert sum(sample.num_samples for sample in audio) > 180


def test_a_reader_waits_for_shared_memory_and_says_so(binary, clip):
    with reelwire.Engine(binary, arguments=["--shm-max", str(1 << 20)]) as engine:
        output = TrackOutput("video", pixel_format="rgba")
        with engine.open(clip) as asset, asset.reader(output) as reader:
            kept = []

            def read_and_keep():
                while True:
                    kept.extend(reader.outputs[0].next(delivery="shm", timeout=0.05))

            with pytest.raises(reelwire.LeasesExhaustedError):
                read_and_keep()
            assert kept
            kept.clear()
            assert len(reader.outputs[0].next(delivery="shm", timeout=5)) == 1
        nothing_left(engine)


# The engine.


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

    run(job(), 60)


def test_cancelling_a_task_cancels_the_request(binary, long_clip):
    """The engine answers the cancelled request at once, and goes on."""

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

    run(job(), 60)


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
    assert _temporary_files(tmp_path) == []


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
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ended.returncode == -signal.SIGKILL
    pid = int(ended.stdout)
    deadline = time.monotonic() + 10
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _runs(pid)
    assert _temporary_files(tmp_path) == []


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

    run(job(), 60)


def test_times_agree_with_the_engine(engine):
    for given in (0.1, 1 / 3, "1001/30000", "00:01:00.5", Fraction(7, 12), (2002, 60000)):
        wire = given if isinstance(given, (float, str)) else MediaTime.of(given).to_wire()
        answer = engine.request("time/add", {"lhs": wire, "rhs": 0})
        assert MediaTime.of(answer["time"]) == MediaTime.of(given)
    order = engine.request("time/compare", {"lhs": "indefinite", "rhs": "+infinity"})["order"]
    assert order == -1
