"""Frames that can't be decoded: each is an error, and those around it are the file's.

The oracle is ffmpeg: the presentation times of the frames that it decodes of the same file.
"""

import hashlib
import json
import subprocess

import numpy as np
import pytest
from conftest import probe, run

import reelwire
from reelwire import jobs

LOST = 30


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    """A film of 50 frames, of which FFmpeg can't decode frame 30."""
    folder = tmp_path_factory.mktemp("undecodable")
    whole, path = folder / "whole.mp4", folder / "damaged.mp4"
    make = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=5", "-c:v", "libx264"]
    subprocess.run([*make, "-g", "1", whole], check=True)
    packets = probe(whole, "-select_streams", "v", "-show_entries", "packet=pos,size")["packets"]
    data = bytearray(whole.read_bytes())
    position, size = int(packets[LOST]["pos"]), int(packets[LOST]["size"])
    data[position : position + size] = b"\xff" * size
    path.write_bytes(data)
    # The packets are all there, and one frame less.
    shown = probe(path, "-select_streams", "v", "-show_entries", "frame=pts_time")["frames"]
    times = [round(float(each["pts_time"]) * 10) for each in shown]
    assert times == [number for number in range(50) if number != LOST]
    return path


def refused():
    return pytest.raises(reelwire.DecodeFailedError, match=f"rame {LOST} .*can't be decoded")


def test_a_frame_by_its_number_is_the_frame_or_an_error(engine, damaged):
    with engine.open(damaged) as asset, asset.frames() as frames:
        for number in (LOST, LOST - 50):
            with refused():
                _ = frames[number]
        for number in (LOST - 1, LOST + 1):
            with frames[number] as image:
                assert (image.index, image.sample_index) == (number, number)
        with refused():
            _ = frames[[3, LOST]]
        with refused():
            frames.to_ndarray()


def test_a_loop_raises_in_its_place_and_continues(engine, damaged):
    with engine.open(damaged) as asset, asset.frames("gray") as frames:
        found, iterator = [], iter(frames)
        while True:
            try:
                with next(iterator) as image:
                    found.append(image.sample_index)
            except reelwire.DecodeFailedError:
                found.append(None)
            except StopIteration:
                break
    assert found == [None if number == LOST else number for number in range(50)]


def test_an_asynchronous_loop_does_so_too(binary, damaged):
    async def numbers():
        found = []
        async with reelwire.AsyncEngine(binary) as engine, await engine.open(damaged) as asset:
            async with await asset.frames("gray") as frames:
                images = frames.images()
                while True:
                    try:
                        found.append((await images.__anext__()).index)
                    except reelwire.DecodeFailedError:
                        found.append(None)
                    except StopAsyncIteration:
                        return found

    assert run(numbers()) == [None if number == LOST else number for number in range(50)]


def test_frames_at_times_are_those_or_an_error(engine, damaged):
    with engine.open(damaged) as asset:
        with pytest.raises(reelwire.DecodeFailedError, match=r"the frame at 3\.000 s can't be decoded"):
            asset.frames_at([1, 3.05])
        around = asset.frames_at([2.95, 3.15])
        # With a tolerance another frame may stand in for it.
        near = asset.frames_at([3.05], tolerance=0.5)
        # An image has its time.
        with asset.image(3.05, format="rgb24") as image:
            assert image.actual_time == reelwire.MediaTime.of("2.9") and not image.is_exact
    assert around.shape == (2, 48, 64, 3)
    assert near.shape == (1, 48, 64, 3)


def test_images_by_samples_have_the_error(engine, damaged):
    with engine.open(damaged) as asset, asset.image_generator(tolerance=0) as generator:
        images = {image.index: image for image in generator.images(samples=[29, LOST, 31], format="png")}
    assert isinstance(images[1].error, reelwire.DecodeFailedError)
    assert "damaged" in images[1].error.hint
    assert [images[0].error, images[2].error] == [None, None]


def test_jobs_raise_it(binary, damaged):
    with jobs.Worker(binary=binary) as worker, refused():
        worker.run(jobs.Frames([LOST]), damaged)


def test_readers_of_other_packages_raise_it(engine, damaged):
    from reelwire.compat.decord import VideoReader
    from reelwire.compat.torchcodec import VideoDecoder

    with VideoReader(str(damaged), engine=engine) as reader:
        for attempt in (lambda: reader[LOST], lambda: reader.get_batch([LOST])):
            with refused():
                attempt()
        reader.seek(LOST)
        with refused():
            reader.next()
        assert np.array_equal(reader.next(), reader[LOST + 1])
        places = iter(reader)
        for _ in range(LOST):
            next(places)
        with refused():
            next(places)
        assert np.array_equal(next(places), reader[LOST + 1])
    with VideoDecoder(str(damaged), engine=engine, tensors=False) as decoder:
        attempts = (
            lambda: decoder[LOST],
            lambda: decoder.get_frame_at(LOST),
            lambda: decoder.get_frame_played_at(3.05),
            lambda: decoder.get_frames_at([LOST]),
        )
        for attempt in attempts:
            with refused():
                attempt()
        assert decoder.get_frame_at(LOST + 1).pts_seconds == 3.1


def test_imageio_raises_it(damaged):
    iio = pytest.importorskip("imageio.v3")
    from reelwire.compat.imageio import ReelwirePlugin

    with refused():
        iio.imread(damaged, index=LOST, plugin=ReelwirePlugin)
    count = 0
    with refused():
        for _ in iio.imiter(damaged, plugin=ReelwirePlugin):
            count += 1
    assert count == LOST
    assert iio.improps(damaged, plugin=ReelwirePlugin).n_images == 50


def test_a_damaged_first_frame_leaves_the_others(engine, damaged, tmp_path):
    from reelwire.compat.decord import VideoReader

    packets = probe(damaged, "-select_streams", "v", "-show_entries", "packet=pos,size")["packets"]
    data = bytearray(damaged.read_bytes())
    position, size = int(packets[0]["pos"]), int(packets[0]["size"])
    data[position : position + size] = b"\xff" * size
    path = tmp_path / "first.mp4"
    path.write_bytes(data)
    with VideoReader(str(path), engine=engine) as reader:
        assert (len(reader), reader[20].shape) == (50, (48, 64, 3))
        with pytest.raises(reelwire.UndecodableMediaDataError):
            _ = reader[0]


def test_the_command_refuses_it(binary, damaged, tmp_path):
    run_ = [str(binary), "image", str(damaged)]
    made = subprocess.run([*run_, "--frame", str(LOST), "-o", "a.png"], cwd=tmp_path, capture_output=True)
    assert made.returncode == 1
    assert f"Frame {LOST} of" in made.stderr.decode()
    assert list(tmp_path.iterdir()) == []
    made = subprocess.run([*run_, "--all", "-o", "b%02d.png", "--json"], cwd=tmp_path, capture_output=True)
    assert made.returncode == 1
    assert f"frame {LOST} at 0:03.000 is damaged: it has no picture" in made.stderr.decode()
    names = [f"b{number:02}.png" for number in range(50) if number != LOST]
    assert json.loads(made.stdout) == names == sorted(each.name for each in tmp_path.iterdir())
    assert len({hashlib.md5((tmp_path / name).read_bytes()).digest() for name in names}) == 49
