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
