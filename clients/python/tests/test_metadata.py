"""Metadata and chapters, against the real engine and against one that plays a script."""

import base64
from pathlib import Path

import pytest
from conftest import nothing_left, probe, run

import reelwire
from reelwire import MediaTime, MetadataItem, TimeRange


def _item(value, **members):
    return {"identifier": "itsk/©nam", "key": "©nam", "keySpace": "itsk", "value": value, **members}


def _blob(data):
    data = base64.b64encode(data).decode()
    blob = {"kind": "inline", "size": 5, "mimeType": "image/png", "data": data}
    return {"blob": blob, "size": 5, "mimeType": "image/png"}


def _answer(**result):
    return [[{"result": result}]]


def test_an_item():
    item = MetadataItem(
        _item(
            "Ein Film",
            commonKey="title",
            extendedLanguageTag="de",
            time={"value": 3, "timescale": 2},
            duration="indefinite",
            extraAttributes={"mean": "a", "name": "b"},
        )
    )
    assert (item.identifier, item.key, item.key_space) == ("itsk/©nam", "©nam", "itsk")
    assert (item.common_key, item.extended_language_tag, item.locale) == ("title", "de", None)
    assert (item.time, item.duration) == (MediaTime(3, 2), MediaTime.indefinite)
    assert (item.value, item.size, item.mime_type) == ("Ein Film", None, None)
    assert item.extra_attributes["name"] == "b"
    assert repr(item) == "<MetadataItem itsk/©nam 'Ein Film'>"


@pytest.mark.parametrize("value", ["text", 3, 2.5, True, False])
def test_a_value_stays_what_it_is(value):
    item = MetadataItem(_item(value))
    assert item.value == value
    assert type(item.value) is type(value)


def test_an_item_goes_back_as_it_came():
    data = {"data": base64.b64encode(b"12345").decode(), "size": 5, "mimeType": "image/png"}
    plain = _item(2.5, locale="de_AT", time={"value": 3, "timescale": 2}, dataType="number")
    for wire in (plain, _item("text"), _item(False), _item(data)):
        assert MetadataItem(wire).to_wire() == wire
    # The bytes are part of the item, in any form.
    assert MetadataItem(_item(_blob(b"12345"))).to_wire() == _item(data)
    left_out = _item({"size": 5000, "mimeType": "image/png"})
    assert MetadataItem(left_out).to_wire() == left_out
    assert MetadataItem(_item({"data": "MTIzNDU="})).size == 5


def test_filters_are_sent_and_bytes_are_blobs(fake):
    items = [_item("A clip"), _item(_blob(b"\x89PNG\n"), commonKey="artwork")]
    played = fake({"asset/metadata": _answer(metadata=items)})
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        title, picture = asset.load_metadata(
            2,
            format="com.apple.itunes",
            identifier="itsk/©nam",
            key="©nam",
            key_space="itsk",
            common_key="title",
            preferred_languages=iter(["de", "en"]),
            for_sharing=True,
            delivery="cover-%d",
        )
        assert title.value == "A clip"
        assert bytes(picture.value) == b"\x89PNG\n"
        assert (picture.size, picture.mime_type) == (5, "image/png")
        assert repr(picture) == "<MetadataItem itsk/©nam <Blob inline 5 bytes image/png>>"
        asset.load_metadata(preferred_languages="de")
        assert bytes(asset.artwork()) == b"\x89PNG\n"
    sent = [message["params"] for message in played.messages("asset/metadata")]
    assert sent[0] == {
        "asset": "asset:1",
        "trackID": 2,
        "format": "com.apple.itunes",
        "identifier": "itsk/©nam",
        "key": "©nam",
        "keySpace": "itsk",
        "commonKey": "title",
        "preferredLanguages": ["de", "en"],
        "forSharing": True,
        "delivery": {"kind": "file", "path": str(Path("cover-%d").resolve())},
    }
    assert sent[1] == {"asset": "asset:1", "preferredLanguages": ["de"]}
    assert sent[2] == {"asset": "asset:1", "commonKey": "artwork"}


def test_chapters_and_their_pictures(fake):
    groups = [
        {
            "timeRange": {"start": {"value": start, "timescale": 2}, "duration": "indefinite"},
            "items": [
                _item(text, commonKey="title"),
                _item({"blob": {"$shm": f"picture of {text}"}, "size": 14}, commonKey="artwork"),
            ],
        }
        for start, text in ((0, "One"), (3, "Two"))
    ]
    bare = [{"timeRange": {"start": 0, "duration": 1}, "items": []}]
    played = fake(
        {
            "asset/chapterMetadataGroups": [
                [{"result": {"groups": groups}}],
                [{"result": {"groups": bare}}],
            ]
        }
    )
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        chapters = asset.chapters("de", preferred_languages=["fr"], artwork=True, delivery="shm")
        assert [chapter.title for chapter in chapters] == ["One", "Two"]
        assert chapters[1].time_range == TimeRange(1.5, "indefinite")
        assert bytes(chapters[1].artwork) == b"picture of Two"
        assert engine.stats()["leases"] == 2
        del chapters
        nothing_left(engine)
        (chapter,) = asset.chapters()
        assert (chapter.title, chapter.artwork) == (None, None)
    sent = [message["params"] for message in played.messages("asset/chapterMetadataGroups")]
    assert sent[0] == {
        "asset": "asset:1",
        "titleLocale": "de",
        "bestMatchingPreferredLanguages": ["fr"],
        "containingItemsWithCommonKeys": ["artwork"],
        "delivery": "shm",
    }
    assert sent[1] == {"asset": "asset:1"}


def test_an_export_takes_items_of_either_kind(fake, tmp_path):
    played = fake({})
    with reelwire.Engine(**played.options) as engine:
        wire = _item("text")
        engine.open("a.mp4").export_session(
            tmp_path / "out.mp4", metadata=[MetadataItem(_item(3)), wire]
        )
        engine.open("a.mp4").export_session(tmp_path / "new.mp4", metadata={"title": "A", "disc": 2})
    created, other = played.messages("exportSession/create")
    assert created["params"]["metadata"] == [_item(3), wire]
    assert other["params"]["metadata"] == [
        {"commonKey": "title", "value": "A"},
        {"commonKey": "disc", "value": 2},
    ]


def test_an_export_writes_values_by_their_common_keys(engine, clip, tmp_path):
    with engine.open(clip) as asset:
        asset.export(
            tmp_path / "out.mp4", "Passthrough", metadata={"title": "Abend", "artist": "Jemand"}
        )
    with engine.open(tmp_path / "out.mp4") as made:
        found = {item.common_key: item.value for item in made.common_metadata}
    assert (found["title"], found["artist"]) == ("Abend", "Jemand")


def test_artwork_is_the_file_that_was_put_in(engine, clip, rich_clip, cover, tmp_path):
    with engine.open(clip) as asset:
        assert asset.artwork() is None
    with engine.open(rich_clip) as asset:
        (shown,) = (item for item in asset.metadata if item.common_key == "artwork")
        assert (shown.value, shown.size) == (None, cover.stat().st_size)
        picture = asset.artwork()
        assert (picture.mime_type, bytes(picture)) == ("image/png", cover.read_bytes())
        for delivery in ("inline", "shm", tmp_path / "cover.png"):
            (item,) = asset.load_metadata(common_key="artwork", delivery=delivery)
            assert bytes(item.value) == cover.read_bytes()
        assert item.value.path == str(tmp_path / "cover.png")
        assert (tmp_path / "cover.png").read_bytes() == cover.read_bytes()
        with pytest.raises(FileExistsError):
            asset.load_metadata(common_key="artwork", delivery=tmp_path / "cover.png")
        del item, shown, picture


def test_filters(engine, rich_clip):
    with engine.open(rich_clip) as asset:
        (title,) = asset.load_metadata(identifier="itsk/©nam")
        assert (title.value, title.common_key) == ("A clip", "title")
        assert asset.load_metadata(key_space="itsk", common_key="lyrics") == []
        itunes = asset.load_metadata(format="com.apple.itunes")
        assert {item.key_space for item in itunes} == {"itsk"}
        track = asset.load_tracks("video")[0]
        names = asset.load_metadata(track, key="handler_name")
        assert [item.value for item in names] == ["VideoHandler"]
        with pytest.raises(reelwire.ReelwireError) as caught:
            asset.load_metadata(99)
        assert caught.value.name == "noSourceTrack"


def test_chapters_are_those_of_the_file(engine, clip, rich_clip):
    expected = probe(rich_clip, "-show_chapters")["chapters"]
    with engine.open(rich_clip) as asset:
        chapters = asset.chapters()
        assert [chapter.title for chapter in chapters] == [
            chapter["tags"]["title"] for chapter in expected
        ]
        assert [
            (float(item.time_range.start), float(item.time_range.end)) for item in chapters
        ] == [(float(chapter["start_time"]), float(chapter["end_time"])) for chapter in expected]
        (locale,) = asset.available_chapter_locales
        assert len(asset.chapters(locale)) == 2
        assert asset.chapters("xx") == []
    with engine.open(clip) as asset:
        assert asset.chapters() == []


def test_the_same_for_asyncio(binary, rich_clip, cover):
    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(rich_clip) as asset:
                await asset.load("creation_date")
                assert asset.creation_date.value.startswith("2024-05-06T07:08:09")
                assert bytes(await asset.artwork()) == cover.read_bytes()
                assert [chapter.title for chapter in await asset.chapters()] == ["One", "Two"]

    run(main())
