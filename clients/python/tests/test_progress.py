"""Progress as a callback, a loop, and shown to a person."""

import asyncio
import io
import os
import re
import signal
import struct
import subprocess
import sys

import pytest
from conftest import nothing_left_async, nothing_running, run, seconds
from waiting import turn

import reelwire


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def no_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)


def _export(asset, folder, **options):
    return asset.export(folder / "out.mp4", "LowQuality", progress_interval=0.005, **options)


def test_on_a_terminal_it_is_one_line(engine, clip, tmp_path, monkeypatch, no_tqdm):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with engine.open(clip) as asset:
        _export(asset, tmp_path, progress=True)
    text = terminal.getvalue()
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert text.startswith("\r\x1b[Kexport to mp4 ")
    assert re.search(r"export to mp4 100% in \d+:\d\d", text.rpartition("\r")[2])


def test_without_a_terminal_it_is_nothing(engine, clip, tmp_path, monkeypatch, no_tqdm):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with engine.open(clip) as asset:
        _export(asset, tmp_path, progress=True)
    assert sys.stderr.getvalue() == ""


def test_with_tqdm_it_is_a_bar(engine, clip, tmp_path, monkeypatch):
    pytest.importorskip("tqdm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with engine.open(clip) as asset:
        _export(asset, tmp_path, progress=True)
    assert "export to mp4 100%|" in terminal.getvalue().rpartition("\r")[2]
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with engine.open(clip) as asset:
        asset.waveform(100, progress=True)
    assert sys.stderr.getvalue() == ""


def test_sheets_and_waveforms_show_theirs(engine, clip, monkeypatch, no_tqdm):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with engine.open(clip) as asset, asset.image_generator() as generator:
        generator.contact_sheet(2, 2, progress=True)
        asset.waveform(100, progress=True)
        asset.waveform(100, progress=False)
    last = [line.rpartition("\r\x1b[K")[2] for line in terminal.getvalue().split("\n")]
    assert [words[:18] for words in last] == ["contact sheet 100%", "waveform 100% in 0", ""]


def test_a_line_ends_also_with_an_error(engine, clip, tmp_path, monkeypatch, no_tqdm):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    (tmp_path / "out.mp4").touch()
    with engine.open(clip) as asset, pytest.raises(FileExistsError):
        _export(asset, tmp_path, progress=True)
    assert terminal.getvalue().endswith("\n")
    assert "100%" not in terminal.getvalue()


def test_a_loop_over_a_running_export(engine, clip, tmp_path):
    target = tmp_path / "out.mp4"
    with engine.open(clip) as asset:
        with asset.start_export(
            target, "MediumQuality", time_range=reelwire.TimeRange(0, 2), progress_interval=0.005
        ) as job:
            seen = list(job)
            assert seen == sorted(seen)
            assert seen
            assert 0 <= seen[0] <= seen[-1] <= 1
            assert job.done
            assert (job.progress, list(job)) == (1, [])
            assert repr(job) == "<ExportJob done to mp4>"
        result = job.result()
    assert result.path == str(target)
    assert seconds(target) == pytest.approx(2, abs=0.1)


def test_a_result_may_be_waited_for_without_a_loop(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        assert os.path.exists(asset.start_export(tmp_path / "a.mp4", "Passthrough").result())
        with asset.export_session(tmp_path / "b.mp4", "Passthrough") as session:
            job = session.start()
            assert os.path.exists(job.result())
            assert session.status().status == "completed"
            job.close()
            assert not session.closed
            del job


def test_a_job_that_is_left_leaves_no_file(engine, long_clip, tmp_path):
    with engine.open(long_clip) as asset:
        with asset.start_export(tmp_path / "out.mp4", progress_interval=0.01) as job:
            for part in job:
                assert part < 1
                break
        nothing_running(engine)
        with pytest.raises(reelwire.OperationCancelledError, match="left before its end"):
            job.result()
        assert job.closed
    assert os.listdir(tmp_path) == []


def test_ctrl_c_in_a_loop_leaves_no_file(engine, long_clip, tmp_path):
    with engine.open(long_clip) as asset:
        with pytest.raises(KeyboardInterrupt):
            with asset.start_export(tmp_path / "out.mp4", progress_interval=0.01) as job:
                for _ in job:
                    os.kill(os.getpid(), signal.SIGINT)
        nothing_running(engine)
        del job
    assert os.listdir(tmp_path) == []


def test_a_cancelled_job_raises(engine, long_clip, tmp_path):
    with engine.open(long_clip) as asset:
        with asset.start_export(tmp_path / "out.mp4", progress_interval=0.01) as job:
            next(iter(job))
            job.cancel()
            with pytest.raises(reelwire.OperationCancelledError):
                list(job)
            with pytest.raises(reelwire.OperationCancelledError):
                job.result()
            assert repr(job) == "<ExportJob failed to mp4>"
    assert os.listdir(tmp_path) == []


def test_a_job_that_cannot_begin_leaves_nothing(engine, clip, tmp_path):
    (tmp_path / "out.mp4").touch()
    with engine.open(clip) as asset, pytest.raises(FileExistsError):
        asset.start_export(tmp_path / "out.mp4", "Passthrough").result()


def test_a_forgotten_job_is_cancelled(engine, long_clip, tmp_path):
    with engine.open(long_clip) as asset:
        job = asset.start_export(tmp_path / "out.mp4", progress_interval=0.01)
        next(iter(job))
        del job


def test_with_asyncio(binary, clip, long_clip, tmp_path):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(clip) as asset:
                async with await asset.start_export(tmp_path / "a.mp4", "LowQuality") as job:
                    seen = [part async for part in job]
                assert seen == sorted(seen)
                assert os.path.exists(await job.result())
            async with await engine.open(long_clip) as asset:
                async with await asset.start_export(tmp_path / "b.mp4") as job:
                    waiting = asyncio.ensure_future(job.result())
                    await turn()
                    waiting.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await waiting
                    # Cancelled is the waiting; the export ends with its job.
                    assert not job.done
            assert os.listdir(tmp_path) == ["a.mp4"]
            del job
            await nothing_left_async(engine)

    run(job())


def claims_47_hours(path):
    """Makes a second of audio whose headers all say that its last sample lasts for 47 hours."""
    tone = ["-f", "lavfi", "-i", "sine=r=8000:d=1", "-c:a", "aac"]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *tone, str(path)], check=True)
    data = bytearray(path.read_bytes())
    hours = 47 * 3600
    places = {b"mvhd": (16, 1000), b"tkhd": (20, 1000), b"mdhd": (16, 8000), b"elst": (8, 1000)}
    for name, (offset, clock) in places.items():
        struct.pack_into(">I", data, data.index(name) + 4 + offset, hours * clock)
    table = data.index(b"stts") + 8
    (entries,) = struct.unpack_from(">I", data, table)
    struct.pack_into(">I", data, table + 8 * entries, hours * 8000)
    path.write_bytes(data)


def test_a_join_with_a_file_that_claims_47_hours_can_be_seen_and_stopped(engine, tmp_path):
    claims_47_hours(tmp_path / "long.m4a")
    with engine.open(tmp_path / "long.m4a") as asset:
        assert asset.duration == 47 * 3600
    seen = []

    class Enough(Exception):
        pass

    def progress(value):
        seen.append(value)
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        engine.join([tmp_path / "long.m4a"] * 2, tmp_path / "out.m4a", "AppleM4A", progress=progress)
    assert 0 < seen[0] < seen[1] < seen[2] < 0.5
    assert os.listdir(tmp_path) == ["long.m4a"]
