"""Exports, against the real engine."""

import asyncio
import os
import signal
import subprocess
import threading

import pytest
from conftest import nothing_left_async, run, seconds
from waiting import joined

import reelwire
from reelwire import TimeRange


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
    assert seconds(result.path) == pytest.approx(2, abs=0.1)


def test_settings_take_the_place_of_a_preset(engine, clip, tmp_path):
    settings: reelwire.protocol.ExportSettings = {
        "video": {"codec": "hevc", "width": 64, "frameRate": 10, "rotate": 90},
        "audio": None,
    }
    with engine.open(clip) as asset:
        with asset.export_session(tmp_path / "out.mkv", settings=settings) as session:
            assert session.preset is None
            session.export()
        asset.export(tmp_path / "out.wav", settings={"audio": {"sampleRate": 16000, "channels": 1}})
        with pytest.raises(reelwire.InvalidParamsError) as caught:
            wrong: reelwire.protocol.ExportSettings = {"video": {"width": -2, "rotate": 3}}
            asset.export(tmp_path / "no.mp4", "HighestQuality", settings=wrong)
    paths = [problem["path"] for problem in caught.value.data["errors"]]
    assert paths == ["/settings/video/width", "/settings/video/rotate"]

    def listed(name):
        command = ["ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries"]
        command += ["stream=codec_name,width,r_frame_rate,sample_rate,channels", tmp_path / name]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    assert listed("out.mkv") == ["hevc,64,10/1"]
    assert listed("out.wav") == ["pcm_s16le,16000,1,0/0"]


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
    assert os.listdir(tmp_path) == ["out.mp4"]


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
            joined(cancelling[0])
            assert session.status().status == "cancelled"
    assert os.listdir(tmp_path) == []


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
                assert os.listdir(tmp_path) == []
            await nothing_left_async(engine)

    run(job())


def test_ctrl_c_leaves_no_file_and_a_living_engine(engine, long_clip, tmp_path):
    with engine.open(long_clip) as asset:
        with pytest.raises(KeyboardInterrupt):
            asset.export(
                tmp_path / "out.mp4",
                "HighestQuality",
                progress=lambda _: os.kill(os.getpid(), signal.SIGINT),
                progress_interval=0.01,
            )
    assert os.listdir(tmp_path) == []
