"""Frames as a sequence, against the real engine."""

import collections.abc
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from conftest import FRAME, nothing_left, nothing_left_async, nothing_running, run

import reelwire


@pytest.fixture
def video(engine, clip):
    with engine.open(clip) as asset, asset.frames("yuv420p") as frames:
        yield frames


def test_it_is_a_sequence(video, frames):
    assert isinstance(video, collections.abc.Sequence)
    assert len(video) == len(frames) == 120
    assert repr(video) == "<Frames 120 yuv420p>"
    for index in (0, 57, 119, -1, -120):
        frame = video[index]
        assert frame.packed() == frames[index]
        assert frame.index == index % 120
        assert frame.actual_time == FRAME * frame.index


@pytest.mark.parametrize("index", [120, -121, 10**6])
def test_what_lies_outside_is_an_index_error(video, index):
    with pytest.raises(IndexError, match=rf"no frame {index} among 120"):
        _ = video[index]
    with pytest.raises(IndexError):
        _ = video[:3][3]


def test_a_loop_gives_every_frame_in_order(video, frames):
    count = 0
    for frame in video:
        assert (frame.index, frame.packed()) == (count, frames[count])
        count += 1
    assert count == 120


@pytest.mark.parametrize(
    "part",
    [
        *(slice(10, 20), slice(None, None, 7), slice(None, None, -1), slice(-3, None)),
        *(slice(100, 20, -11), slice(5, 5), slice(110, 1000)),
    ],
    ids=str,
)
def test_slices_are_sequences(video, frames, part):
    some = video[part]
    places = range(120)[part]
    assert len(some) == len(places)
    assert [frame.index for frame in some] == list(places)
    assert [frame.packed() for frame in some] == [frames[place] for place in places]
    if places:
        assert some[-1].index == some[len(some) - 1].index == places[-1]
        assert some[1:][::2][0:1].__len__() == len(places[1:][::2][0:1])
        assert f" {len(places)} of 120 " in repr(some) or len(places) == 120


def test_reversed(video):
    assert [frame.index for frame in reversed(video[:4])] == [3, 2, 1, 0]


def test_the_frame_that_is_shown_at_a_time(video, frames):
    for time, index in ((0, 0), (FRAME * 7, 7), (FRAME * 8 - FRAME / 1000, 7), ("2.0", 59)):
        frame = video.at(time)
        assert (frame.index, frame.packed()) == (index, frames[index])
    assert video[5:6].at(1).index == 29
    with pytest.raises(LookupError):
        video.at(1000)


def test_a_loop_that_is_left_cancels_what_follows(engine, clip):
    with engine.open(clip) as asset, asset.frames() as video:
        for frame in video:
            if frame.index == 3:
                break
        nothing_running(engine)
        assert video[4].index == 4
        del frame


def test_all_frames_may_be_kept(engine, clip, monkeypatch):
    """They take more than a quarter of the shared memory: the others are copies."""
    memory = engine._core.transport.shared_memory
    monkeypatch.setattr(memory, "limit", 4 << 20)
    with engine.open(clip) as asset, asset.frames("gray") as video:
        with pytest.warns(RuntimeWarning, match="1 MiB"):
            kept = list(video)
        assert 1 << 19 < memory.bytes_in_use <= 1 << 20
        assert [frame.index for frame in kept] == list(range(120))
        assert bytes(kept[60]) == bytes(video[60])
        del kept


def test_they_are_upright_and_no_larger_than_asked(engine, clip, tmp_path):
    path = tmp_path / "turned.mp4"
    command = ["ffmpeg", "-loglevel", "error", "-display_rotation", "90", "-i", clip]
    if subprocess.run([*command, "-c", "copy", path], stderr=subprocess.DEVNULL).returncode:
        command = ["ffmpeg", "-y", "-loglevel", "error", "-i", clip, "-c", "copy"]
        subprocess.run([*command, "-metadata:s:v", "rotate=90", path], check=True)
    with engine.open(path) as asset:
        with asset.frames(maximum_size=(0, 90)) as video:
            assert (video[0].width, video[0].height) == (50, 90)
        with asset.frames("jpeg", applies_preferred_track_transform=False) as video:
            assert (video[0].width, video[0].format) == (322, "jpeg")


def test_hidden_samples_are_no_frames(engine, clip, tmp_path):
    """A copy from within a group of pictures begins with samples that its edit list hides."""
    path = tmp_path / "cut.mp4"
    with engine.open(clip) as asset:
        cut = reelwire.TimeRange(FRAME * 40, FRAME * 30)
        asset.export(path, "Passthrough", time_range=cut, trim_mode="editList")
    with engine.open(path) as asset:
        output = reelwire.TrackOutput("video", pixel_format="gray")
        with asset.frames("gray") as video, asset.reader(output) as reader:
            shown = [sample.presentation_time for sample in reader.outputs[0]]
            assert [frame.actual_time for frame in video] == shown
            assert len(video) == len(shown) == 30


def test_no_video_is_no_frames(engine, clips):
    path = clips / "sound.wav"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "lavfi", "-i", "sine=duration=1"]
    subprocess.run([*command, str(path)], check=True)
    with engine.open(path) as asset:
        with pytest.raises(reelwire.NoSourceTrackError, match=r"sound\.wav"):
            asset.frames()


def test_closed_frames_say_so(engine, clip):
    with engine.open(clip) as asset:
        with asset.frames() as video:
            first = video[0]
            pixels = bytes(first)
        assert video.closed
        with pytest.raises(reelwire.HandleClosedError):
            _ = video[1]
        assert bytes(first) == pixels
        del first


def test_forgotten_frames_are_closed(engine, clip):
    with engine.open(clip) as asset:
        asset.frames()[3:5]
    nothing_left(engine)


def test_with_asyncio(binary, clip, frames):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(clip) as asset:
                async with await asset.frames("yuv420p") as video:
                    assert len(video) == 120
                    assert (await video[-1]).packed() == frames[-1]
                    assert (await video.at(FRAME)).index == 1
                    seen = [frame.packed() async for frame in video[30:50]]
                    assert seen == frames[30:50]
                    with pytest.raises(IndexError):
                        await video[500]
            del video
            await nothing_left_async(engine)

    run(job())


def test_a_file_that_is_cut_short_warns_of_the_frames_it_lacks(engine, tmp_path):
    whole, cut = tmp_path / "whole.mov", tmp_path / "cut.mov"
    source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "mjpeg", "-movflags", "faststart"]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *source, whole], check=True)
    show = ["ffprobe", "-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", whole]
    places = subprocess.run(show, check=True, capture_output=True, text=True).stdout.split()
    cut.write_bytes(whole.read_bytes()[: int(places[15].strip(","))])
    with engine.open(cut) as asset, asset.frames("gray") as frames:
        assert len(frames) == 15
        with pytest.warns(RuntimeWarning, match="frames are missing: .*cut short"):
            assert [frame.index for frame in frames] == list(range(15))
        with pytest.warns(RuntimeWarning, match="cut short"):
            assert len(frames[5:].to_ndarray()) == 10
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert len(list(frames[:10])) == 10
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with engine.open(whole) as asset, asset.frames("gray") as frames:
            assert len(list(frames)) == 25


def test_a_loop_that_is_left_is_silent_at_the_end_of_a_program(binary, clip):
    program = (
        "import sys, reelwire\n"
        "engine = reelwire.Engine(binary=sys.argv[1])\n"
        "images = iter(engine.open(sys.argv[2]).frames())\n"
        "print(next(images).index, next(images).index)\n"
    )
    command = [sys.executable, "-c", program, str(binary), str(clip)]
    environment = {**os.environ, "PYTHONPATH": str(Path(reelwire.__file__).parents[1])}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("0 1\n", "")
