"""Contact sheets, against the real engine."""

import re
from fractions import Fraction

import pytest
from conftest import run

import reelwire


@pytest.mark.parametrize("delivery", ["inline", "shm"])
def test_tiles_are_images(engine, clip, delivery):
    with engine.open(clip) as asset, asset.image_generator(
        tolerance=0, maximum_size=(80, 0)
    ) as generator:
        parts = []
        with generator.contact_sheet(
            3,
            2,
            tile_width=80,
            spacing=4,
            format="gray",
            delivery=delivery,
            progress=parts.append,
        ) as sheet:
            assert (sheet.columns, sheet.rows, len(sheet.tiles)) == (3, 2, 6)
            assert (sheet.width, sheet.height) == (3 * 80 + 8, 2 * sheet.tile_height + 4)
            pixels = bytes(sheet)
            for tile in sheet.tiles:
                assert tile.error is None
                assert tile.is_exact
                image = generator.image(tile.requested_time, format="gray")
                assert image.actual_time == tile.actual_time
                for row in range(sheet.tile_height):
                    start = (tile.y + row) * sheet.width + tile.x
                    assert pixels[start : start + 80] == bytes(image)[row * 80 : row * 80 + 80]
        assert parts == sorted(parts)
        assert parts[-1] == 1


def test_a_file_comes_with_its_map(engine, clip, tmp_path):
    path = tmp_path / "sheet.jpg"
    with engine.open(clip) as asset, asset.image_generator() as generator:
        sheet = generator.contact_sheet(count=7, path=path)
        assert sheet.path == str(path)
        assert sheet.web_vtt_path == str(tmp_path / "sheet.vtt")
        assert (tmp_path / "sheet.vtt").read_text() == sheet.web_vtt
        assert path.read_bytes()[:2] == b"\xff\xd8"
        cues = re.findall(
            r"\n\n(\S+) --> (\S+)\nsheet\.jpg#xywh=(\d+),(\d+),(\d+),(\d+)(?=\n)", sheet.web_vtt
        )
        assert [tuple(map(int, cue[2:])) for cue in cues] == [
            (tile.x, tile.y, tile.width, tile.height) for tile in sheet.tiles
        ]
        assert [cue[0] for cue in cues[1:]] == [cue[1] for cue in cues[:-1]]
        assert cues[0][0] == "00:00:00.000"
        with pytest.raises(FileExistsError):
            generator.contact_sheet(count=7, delivery=path)
        assert sorted(file.name for file in tmp_path.iterdir()) == ["sheet.jpg", "sheet.vtt"]


def test_times_and_names(engine, clip):
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        sheet = generator.contact_sheet(
            times=[Fraction(1, 2), 1, 100], format="png", image_name="https://a.b/c.png"
        )
        assert [tile.requested_time for tile in sheet.tiles] == [Fraction(1, 2), 1, 100]
        assert isinstance(sheet.tiles[2].error, reelwire.NoImageAtTimeError)
        assert sheet.tiles[2].actual_time is None
        assert "00:00:00.500 --> 00:00:01.000\nhttps://a.b/c.png#xywh=0,0,160," in sheet.web_vtt
        part = generator.contact_sheet(1, 1, time_range=reelwire.TimeRange(1, 2))
        assert part.tiles[0].requested_time == 2


def test_failures_are_raised(engine, clip):
    with engine.open(clip) as asset, asset.image_generator(tolerance=0) as generator:
        with pytest.raises(reelwire.NoImageAtTimeError):
            generator.contact_sheet(times=[100])
        with pytest.raises(reelwire.LimitExceededError):
            generator.contact_sheet(200, 1, format="webp")
        with pytest.raises(reelwire.InvalidParamsError):
            generator.contact_sheet(3)


def test_what_progress_raises_cancels_the_sheet(binary, long_clip, tmp_path):
    async def body():
        async with reelwire.AsyncEngine(binary) as engine:
            asset = await engine.open(long_clip)
            async with await asset.image_generator(tolerance=0) as generator:

                def fail(part):
                    raise KeyError(part)

                with pytest.raises(KeyError):
                    await generator.contact_sheet(
                        40, 40, tile_width=160, delivery=tmp_path / "a.png", progress=fail
                    )
                assert (await engine.stats())["operations"] == 0
                assert list(tmp_path.iterdir()) == []
                sheet = await generator.contact_sheet(1, 1)
                assert sheet.tiles[0].error is None
            await asset.close()

    run(body())


def test_a_path_and_a_delivery_are_one_too_many(engine, clip, tmp_path):
    with engine.open(clip) as asset, asset.image_generator() as generator:
        with pytest.raises(TypeError, match="give one of them"):
            generator.contact_sheet(count=2, path=tmp_path / "a.jpg", delivery="shm")
        with asset.waveform(40, path=tmp_path / "shm", format="png") as drawn:
            assert drawn.path == str(tmp_path / "shm")
    assert (tmp_path / "shm").read_bytes()[1:4] == b"PNG"
