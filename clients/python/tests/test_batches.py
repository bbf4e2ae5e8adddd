"""Many frames as one array, against ffmpeg's decode."""

import subprocess
from fractions import Fraction

import numpy
import pytest
from conftest import nothing_left, run

import reelwire

COUNT, WIDTH, HEIGHT, GROUP = 60, 64, 48, 12


@pytest.fixture(scope="session")
def rgb_clip(clips):
    """H.264 in RGB without loss, with B-frames: the output needs no conversion of colours."""
    path = clips / "rgb.mkv"
    source = f"testsrc2=size={WIDTH}x{HEIGHT}:rate=25:duration={COUNT / 25}"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "lavfi", "-i", source]
    command += ["-c:v", "libx264rgb", "-qp", "0", "-g", str(GROUP), "-bf", "2", "-sc_threshold", "0"]
    subprocess.run([*command, str(path)], check=True)
    return path


@pytest.fixture(scope="session")
def pixels(rgb_clip):
    command = ["ffmpeg", "-loglevel", "error", "-i", str(rgb_clip), "-f", "rawvideo"]
    raw = subprocess.run([*command, "-pix_fmt", "rgb24", "-"], check=True, stdout=subprocess.PIPE)
    return numpy.frombuffer(raw.stdout, "uint8").reshape(COUNT, HEIGHT, WIDTH, 3)


@pytest.fixture
def video(engine, rgb_clip):
    with engine.open(rgb_clip) as asset, asset.frames() as frames:
        yield frames


@pytest.mark.parametrize(
    "numbers",
    [[3, 59, 7], [7, 7, 3, 7], [-1, 0, -60], range(40, 2, -5), numpy.array([5, 2]), (9,)],
    ids=str,
)
def test_frames_by_their_numbers(video, pixels, numbers):
    made = video[numbers]
    assert (made.dtype, made.shape) == (numpy.uint8, (len(numbers), HEIGHT, WIDTH, 3))
    assert numpy.array_equal(made, pixels[list(numbers)])
    # One piece of memory, of the caller's own.
    assert made.flags.c_contiguous and made.flags.writeable and made.flags.owndata


def test_a_slice_is_an_array_when_one_is_made_of_it(video, pixels):
    for part in (slice(10, 50, 10), slice(None, None, -7), slice(50, None)):
        assert numpy.array_equal(numpy.asarray(video[part]), pixels[part])
        assert numpy.array_equal(video[part].to_ndarray(), pixels[part])
    assert numpy.array_equal(video[10:20][[3, -1]], pixels[[13, 19]])
    assert numpy.asarray(video[:2], dtype="float32").dtype == numpy.float32
    with pytest.raises(ValueError, match="copy"):
        video[:2].__array__(copy=False)


def test_order_and_duplicates_cost_nothing(binary, rgb_clip):
    def cost(numbers):
        with reelwire.Engine(binary) as engine, engine.open(rgb_clip) as asset:
            with asset.frames() as frames:
                before = engine.stats()
                frames[numbers]
                after = engine.stats()
        return [after[name] - before[name] for name in ("framesDecoded", "seeks")]

    in_order = cost([14, 15, 21, 38, 46])
    assert cost([46, 14, 21, 14, 46, 38, 15, 21, 46]) == in_order
    # Two groups, and the frames that a decoder holds back.
    assert 5 <= in_order[0] <= 2 * GROUP + 8
    assert in_order[1] <= 2


def test_numbers_that_are_none(video):
    for numbers, number in (([0, 60], 60), ([-61], -61)):
        with pytest.raises(IndexError, match=f"no frame {number} among 60"):
            video[numbers]
    with pytest.raises(TypeError, match="True and False"):
        video[[True, False]]
    with pytest.raises(TypeError):
        video[[1.5]]


def test_frames_at_times(engine, rgb_clip, pixels):
    with engine.open(rgb_clip) as asset:
        made = asset.frames_at([1.5, 0.2, "1.52", 0.21, 1.5])
        assert numpy.array_equal(made, pixels[[37, 5, 38, 5, 37]])
        assert made.flags.c_contiguous and made.flags.writeable
        small = asset.frames_at([1.5], maximum_size=32)
        assert small.shape == (1, 24, 32, 3)
        with pytest.raises(reelwire.NoImageAtTimeError, match="runs from"):
            asset.frames_at([0, 100])
        assert asset.frames_at([100], tolerance=200).shape == (1, HEIGHT, WIDTH, 3)


def test_zero_is_the_first_frame(engine, late_clip):
    with engine.open(late_clip) as asset, asset.frames("gray") as frames:
        first = frames[[0]]
        assert numpy.array_equal(asset.frames_at([0.5, 0], "gray"), numpy.concatenate([first] * 2))
        assert frames[0].actual_time == asset.image().actual_time == 0.5
        assert asset.image(0.2, tolerance=1).sample_index == 0
        with pytest.raises(reelwire.NoImageAtTimeError, match="tolerance"):
            asset.frames_at([0.2])


def test_no_frames_are_an_array_of_none(engine, rgb_clip, video):
    assert video[[]].shape == video[5:5].to_ndarray().shape == (0, HEIGHT, WIDTH, 3)
    with engine.open(rgb_clip) as asset:
        assert asset.frames_at([]).shape == (0, HEIGHT, WIDTH, 3)


def test_what_is_no_single_array_says_so(engine, clip):
    with engine.open(clip) as asset:
        for format in ("yuv420p", "jpeg"):
            with asset.frames(format) as frames, pytest.raises(TypeError, match=format):
                frames[[1, 2]]


def test_frames_of_two_sizes_are_no_array(engine, tmp_path):
    parts = []
    for size in ("64x48", "96x48"):
        part = tmp_path / f"{size}.ts"
        source = f"testsrc2=size={size}:rate=25:duration=0.4"
        command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", source, "-c:v", "libx264"]
        offset = ["-output_ts_offset", str(0.4 * len(parts)), str(part)]
        subprocess.run([*command, "-pix_fmt", "yuv420p", *offset], check=True)
        parts.append(part.read_bytes())
    path = tmp_path / "both.ts"
    path.write_bytes(b"".join(parts))
    with engine.open(path) as asset, asset.frames() as frames:
        assert frames[[1, 2]].shape[1:] == (48, 64, 3)
        with pytest.raises(ValueError, match="64 × 48 and 96 × 48"):
            frames[[1, 15]]
    nothing_left(engine)


def test_asyncio(binary, rgb_clip, pixels):
    async def body():
        async with reelwire.AsyncEngine(binary) as engine, await engine.open(rgb_clip) as asset:
            async with await asset.frames() as frames:
                assert numpy.array_equal(await frames[[30, 4]], pixels[[30, 4]])
                assert numpy.array_equal(await frames[3:9:2].to_ndarray(), pixels[3:9:2])
            assert numpy.array_equal(await asset.frames_at([1]), pixels[[25]])

    run(body())


def test_images_take_numbers(engine, rgb_clip, pixels):
    with engine.open(rgb_clip) as asset, asset.image_generator() as generator:
        made = {image.index: image for image in generator.images(samples=[50, 60, 2], format="rgb24")}
        assert isinstance(made[1].error, reelwire.NoImageAtTimeError)
        assert "from 0 to 59" in made[1].error.hint
        assert made[1].requested_time is None
        assert "number 1" in repr(made[1])
        for index, number in ((0, 50), (2, 2)):
            image = made[index]
            assert (image.sample_index, image.is_exact) == (number, True)
            assert image.requested_time == image.actual_time == Fraction(number, 25)
            assert numpy.array_equal(numpy.asarray(image), pixels[number])
        for arguments in ({}, {"times": [0], "samples": [0]}):
            with pytest.raises(TypeError, match="either times or samples"):
                list(generator.images(**arguments))
