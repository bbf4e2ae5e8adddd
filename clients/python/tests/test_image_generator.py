"""Images, against the real engine."""

import gc
import random

import pytest
from conftest import FRAME

import reelwire


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


@pytest.mark.parametrize("delivery", ["inline", "shm"])
def test_images_come_in_the_order_asked_for(engine, clip, frames, delivery):
    picks = [90, 10, 119, 0, 10, 50]
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        images = generator.images(
            samples=picks, format="yuv420p", delivery=delivery, ordered=True
        )
        for place, image in enumerate(images):
            assert (image.index, image.sample_index) == (place, picks[place])
            assert image.packed() == frames[picks[place]]
        del image
        times = [image.requested_time for image in generator.images([3, 1, 2])]
        assert times == [3, 1, 2]


def test_images_fit_the_maximum_size(engine, clip):
    with engine.open(clip) as asset:
        image = asset.image(1, maximum_size=(100, 100), format="png")
    assert max(image.width, image.height) <= 100
    assert bytes(image)[:4] == b"\x89PNG"


def test_pixels_say_what_they_are(engine, clip):
    with engine.open(clip) as asset:
        yuv = asset.image(1, format="yuv420p")
        rgb = asset.image(1, format="rgb24")
        file = asset.image(1, format="png")
        with asset.image_generator() as generator:
            sheet = generator.contact_sheet(2, 1, format="rgb24")
    assert yuv.color["range"] == "limited"
    assert yuv.chroma_location == "left"
    assert rgb.color["range"] == sheet.color["range"] == "full"
    assert "matrix" not in rgb.color
    assert rgb.chroma_location is None
    assert file.color is None


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


def test_the_first_frame_needs_no_time(engine, late_clip, frames):
    half = reelwire.MediaTime(1, 2)
    with engine.open(late_clip) as asset, asset.image_generator(tolerance=0) as generator:
        image = generator.image(format="yuv420p")
        assert image.packed() == frames[0]
        assert image.actual_time == image.requested_time == half
        assert image.is_exact
        with pytest.raises(reelwire.NoImageAtTimeError, match="without a time"):
            generator.image(0)
        assert asset.image(format="yuv420p").packed() == frames[0]


@pytest.mark.parametrize("time", [0, 0.0, "0", reelwire.MediaTime(0, 600)])
def test_zero_is_the_beginning(engine, late_clip, frames, time):
    with engine.open(late_clip) as asset, asset.frames("yuv420p") as shown:
        for image in (asset.image(time, format="yuv420p"), shown.at(time)):
            assert image.packed() == frames[0]
            assert image.requested_time == 0
            assert image.actual_time == reelwire.MediaTime(1, 2)
            assert not image.is_exact
        assert shown.at(0).index == 0
        # No other frame is returned in place of a missing one.
        for ask in (asset.image, shown.at):
            with pytest.raises(reelwire.NoImageAtTimeError):
                ask(0.25)


@pytest.mark.parametrize(
    ("name", "format", "start"),
    [
        ("a.png", "png", b"\x89PNG\r\n"),
        ("a.WebP", "webp", b"RIFF"),
        ("a.bmp", "bmp", b"BM"),
        ("a.jpg", "jpeg", b"\xff\xd8\xff"),
        ("a", "jpeg", b"\xff\xd8\xff"),
    ],
)
def test_the_name_of_the_file_says_the_format(engine, clip, tmp_path, name, format, start):
    with engine.open(clip) as asset, asset.image_generator() as generator:
        (several,) = generator.images([1], delivery=tmp_path / f"2{name}")
        made = [
            asset.image(1, path=tmp_path / f"1{name}"),
            several,
            generator.contact_sheet(count=1, delivery=tmp_path / f"3{name}"),
        ]
        for image in made:
            assert image.format == format
            assert bytes(image).startswith(start)
        if name != "a":
            drawn = asset.waveform(width=40, delivery=tmp_path / f"4{name}")
            assert (drawn.format, drawn.channels) == (format, [])


def test_a_name_must_not_contradict_the_format(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        for name, format in (("a.png", "jpeg"), ("a.png", "rgb24"), ("a.gif", None)):
            with pytest.raises(reelwire.InvalidParamsError):
                asset.image(1, format=format, path=tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_saved_bytes_are_what_the_name_says(engine, rich_clip, tmp_path):
    with engine.open(rich_clip) as asset:
        cover = asset.artwork()
        with pytest.raises(ValueError, match="image/png"):
            cover.save(tmp_path / "cover.jpg")
        cover.save(tmp_path / "cover.png")
        cover.save(tmp_path / "cover")
    assert {path.name for path in tmp_path.iterdir()} == {"cover.png", "cover"}


def test_a_width_alone_is_a_size(engine, clip):
    with engine.open(clip) as asset:
        for image in (asset.image(0, width=160), asset.image(0, maximum_size=(160, 0))):
            assert (image.width, image.height) == (160, 89)
        with asset.image_generator(height=90) as generator:
            assert generator.image(1).height == 90
        assert asset.frames(width=160)[0].width == 160
        assert asset.frames_at([1], width=160).shape[2] == 160
        with pytest.raises(TypeError, match="one or the other"):
            asset.image(0, width=160, maximum_size=160)


@pytest.mark.parametrize("size", [(-1, -1), (100, -1)])
def test_a_maximum_size_below_zero_is_refused(engine, clip, size):
    with engine.open(clip) as asset, pytest.raises(reelwire.InvalidParamsError, match="maximumSize"):
        asset.image(1, maximum_size=size)
