"""Errors for arguments of a wrong kind name the right one; arguments of the right kind work."""

import pytest
from conftest import probe

from reelwire import MediaTime, TimeRange


def test_bytes_are_no_output(engine, clip, tmp_path):
    with engine.open(clip) as asset, asset.image_generator() as generator:
        for call in (
            lambda path: asset.export(path, "Passthrough"),
            lambda path: asset.start_export(path, "Passthrough"),
            lambda path: asset.image(1, path=path),
            lambda path: generator.image(1, delivery=path),
            lambda path: asset.export(
                tmp_path / "a.mp4", "Passthrough", directory_for_temporary_files=path
            ),
        ):
            with pytest.raises(TypeError, match=r"is a path, as str or os.PathLike, not bytes: "):
                call(b"out.mp4")
    assert list(tmp_path.iterdir()) == []


def test_an_argument_that_there_is_not_is_an_error(engine, clip):
    with engine.open(clip) as asset:
        with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
            asset.image(1, colour="red")
        assert asset.image(1).width > 0


def test_a_number_as_the_maximum_size_is_the_longer_side(engine, clip):
    stream = probe(clip, "-show_streams", "-select_streams", "v")["streams"][0]
    with engine.open(clip) as asset:
        image = asset.image(1, maximum_size=160)
        assert max(image.width, image.height) == 160
        assert image.width / image.height == pytest.approx(
            stream["width"] / stream["height"], abs=0.02
        )
        with asset.image_generator(maximum_size=64) as generator, asset.frames(
            maximum_size=64
        ) as frames:
            assert generator.image(1).width == frames[0].width == 64
        for wrong in ("160", (1, 2, 3), (160,), {"width": 160}):
            with pytest.raises(TypeError, match=r"a maximum size is \(width, height\), or a number"):
                asset.image(1, maximum_size=wrong)


def test_bytes_are_artwork(engine, clip, cover, tmp_path):
    picture = cover.read_bytes()
    with engine.open(clip) as asset:
        for number, value in enumerate((picture, bytearray(picture), memoryview(picture))):
            path = tmp_path / f"{number}.mp4"
            asset.export(path, "Passthrough", metadata={"title": "T", "artwork": value})
            with engine.open(path) as made:
                assert bytes(made.artwork()) == picture
                assert made.artwork().mime_type == "image/png"
                # The bytes that were read are bytes to write.
                again = tmp_path / f"{number}-again.mkv"
                made.export(again, "Passthrough", metadata={"artwork": made.artwork()})
            with engine.open(again) as copy:
                assert bytes(copy.artwork()) == picture
            streams = probe(path, "-show_streams")["streams"]
            assert [each["disposition"]["attached_pic"] for each in streams].count(1) == 1


@pytest.mark.parametrize("suffix", ["mp4", "mov", "mkv"])
def test_a_number_is_one_item(engine, clip, tmp_path, suffix):
    numbers = {"count": 5, "year": 1999, "negative": -70000, "large": 2**40, "part": 0.5}
    path = tmp_path / f"numbers.{suffix}"
    with engine.open(clip) as asset:
        asset.export(path, "Passthrough", metadata=numbers)
    with engine.open(path) as made:
        items = made.load_metadata()
    found = [(item.key.lower(), float(item.value)) for item in items if item.key.lower() in numbers]
    assert sorted(found) == sorted((key, float(value)) for key, value in numbers.items())
    tags = {key.lower(): value for key, value in probe(path, "-show_format")["format"]["tags"].items()}
    assert [tags[key] for key in ("count", "year", "negative")] == ["5", "1999", "-70000"]
    # libavformat reads no integers of eight bytes, and prints no value for them rather than "0".
    assert tags.get("large", str(2**40)) == str(2**40)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"title": ["a", "b"]}, "the metadata title is text, a number"),
        ({"title": None}, "the metadata title is text, a number"),
        ([{"common_key": "title", "value": "T"}], "has no 'common_key'; did you mean commonKey"),
        ([{"commonKey": "title", "valeu": "T"}], "has no 'valeu'; did you mean value"),
        ([{"commonKey": "title", "value": "T", "zzz": 1}], "has no 'zzz'; it has identifier"),
        (["title"], "an item of metadata is a MetadataItem or a dict"),
        ("title=T", "metadata is a dict of values, or items"),
        (b"title", "metadata is a dict of values, or items"),
    ],
)
def test_metadata_of_a_wrong_kind(engine, clip, tmp_path, metadata, message):
    with engine.open(clip) as asset, pytest.raises(TypeError, match=message):
        asset.export_session(tmp_path / "a.mp4", "Passthrough", metadata=metadata)


def test_ranges_have_a_start_and_a_duration():
    assert TimeRange.of({"start": 1, "duration": 2}) == TimeRange(1, 2)
    for wrong in ({"start": 1, "end": 3}, {"start": 1}, {"strat": 1, "duration": 2}, {}):
        with pytest.raises(TypeError, match="a range is"):
            TimeRange.of(wrong)


def test_objects_of_times():
    assert MediaTime.of({"value": 1, "timescale": 2}) == 0.5
    for wrong in ({"value": 1}, {"value": 1, "time_scale": 2}, {"value": 1, "timescale": 2, "x": 1}):
        with pytest.raises(TypeError, match="a time as an object"):
            MediaTime.of(wrong)


def test_file_urls_may_be_relative(engine, clip, tmp_path, monkeypatch):
    (tmp_path / "in put.mp4").symlink_to(clip)
    monkeypatch.chdir(tmp_path)
    with engine.open("file:in%20put.mp4") as asset:
        made = asset.export("file:out%20put.mp4", "Passthrough")
        image = asset.image(1, path="file:one.png")
    assert made.path == str(tmp_path / "out put.mp4")
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "in put.mp4", "one.png", "out put.mp4",
    ]  # fmt: skip
    assert image.width > 0
