"""Tracks and the values of keys, against the real engine and against one that plays a script."""

import re
from typing import get_args

import pytest
from conftest import FRAME, run

import reelwire
from reelwire import MediaTime, Size, TimeRange, TrackSegment, protocol


def _loaded(**values):
    states = {name: {"status": "loaded", "value": value} for name, value in values.items()}
    return [[{"result": {"operation": "operation:1", "asset": "asset:1", "values": states}}]]


def _range(start, duration):
    return {
        "start": {"value": start, "timescale": 10},
        "duration": {"value": duration, "timescale": 10},
    }


EMPTY = {"timeMapping": {"source": "invalid", "target": _range(0, 5)}, "isEmpty": True}
SHOWN = {"timeMapping": {"source": _range(2, 30), "target": _range(5, 30)}, "isEmpty": False}
TRACK = {
    "trackID": 1,
    "mediaType": "video",
    "mediaCharacteristics": ["visual"],
    "isEnabled": True,
    "isDecodable": True,
}


def test_values_of_an_asset_are_typed(fake):
    item = {"identifier": "a/b", "key": "b", "keySpace": "a", "value": "2024"}
    values = {
        "minimumTimeOffsetFromLive": "invalid",
        "overallDurationHint": {"value": 3, "timescale": 2},
        "preferredTransform": [1, 0, 0, 1, 0, 0],
        "trackGroups": [{"trackIDs": [1, 2]}, {"trackIDs": [3, 4]}],
        "creationDate": item,
        "commonMetadata": [item],
        "preferredMediaSelection": {
            "choices": [
                {"mediaCharacteristic": "audible", "trackID": 2},
                {"mediaCharacteristic": "legible"},
            ]
        },
        "allMediaSelections": [{"choices": []}],
        "availableChapterLocales": ["de"],
        "isComposable": True,
    }
    states = _loaded(**values)
    states[0][0]["result"]["values"]["lyrics"] = {"status": "loaded"}
    played = fake({"asset/loadValues": states})
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        asset.load(*values, "lyrics")
        assert asset.minimum_time_offset_from_live == MediaTime.invalid
        assert asset.overall_duration_hint == MediaTime(3, 2)
        assert asset.preferred_transform == (1, 0, 0, 1, 0, 0)
        assert asset.track_groups == [[1, 2], [3, 4]]
        assert asset.creation_date.value == "2024"
        assert [item.identifier for item in asset.common_metadata] == ["a/b"]
        assert asset.preferred_media_selection == {"audible": 2, "legible": None}
        assert asset.all_media_selections == [{}]
        assert asset.available_chapter_locales == ["de"]
        assert asset.is_composable is True
        assert asset.lyrics is None
    assert len(played.messages("asset/loadValues")) == 1


def test_values_of_a_track_are_typed(fake):
    played = fake(
        {
            "asset/tracks": [[{"result": {"tracks": [TRACK]}}]],
            "track/loadValues": _loaded(
                segments=[EMPTY, SHOWN],
                timeRange=_range(0, 35),
                minFrameDuration="invalid",
                naturalSize={"width": 4, "height": 3},
                totalSampleDataLength="9007199254740993",
            ),
        }
    )
    with reelwire.Engine(**played.options) as engine:
        track = engine.open("a.mp4").load_track(1)
        track.load("segments", "time_range", "min_frame_duration", "natural_size")
        shown = TrackSegment(TimeRange("0.2", 3), TimeRange("0.5", 3))
        assert track["segments"] == [TrackSegment(None, TimeRange(0, "0.5")), shown]
        assert [segment.is_empty for segment in track["segments"]] == [True, False]
        assert track["time_range"] == TimeRange(0, "3.5")
        assert track["min_frame_duration"] == MediaTime.invalid
        assert track["natural_size"] == Size(4, 3)
        assert track["total_sample_data_length"] == 9007199254740993
    (sent,) = played.messages("asset/tracks")
    assert sent["params"] == {"asset": "asset:1", "trackID": 1}


def test_what_a_track_is_asked(fake):
    played = fake(
        {
            "asset/tracks": [[{"result": {"tracks": [TRACK]}}], [{"result": {"tracks": []}}]],
            "asset/findUnusedTrackID": [[{"result": {"trackID": 2}}]],
            "track/segment": [[{"result": {"segment": EMPTY}}], [{"result": {}}]],
            "track/samplePresentationTime": [[{"result": {"time": "invalid"}}]],
            "track/associatedTracks": [[{"result": {"tracks": [{**TRACK, "trackID": 7}]}}]],
        }
    )
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        track = asset.load_track(1)
        assert asset.load_track(2) is None
        assert asset.find_unused_track_id() == 2
        assert track.segment("1/3") == (None, TimeRange(0, "0.5"))
        assert track.segment("+infinity") is None
        assert track.sample_presentation_time(0.5) == MediaTime.invalid
        (other,) = track.associated_tracks("timecode")
        assert isinstance(other, reelwire.Track)
        assert other.track_id == 7
        # An object of it is sync too, and keeps the engine.
        assert other.segment(0) is None
    asked = [message["params"]["trackTime"] for message in played.messages("track/segment")]
    assert asked[:2] == [{"value": 1, "timescale": 3}, "+infinity"]
    (sent,) = played.messages("track/associatedTracks")
    assert sent["params"] == {"asset": "asset:1", "trackID": 1, "associationType": "timecode"}


def test_every_key_of_an_asset_is_a_property():
    for face in (reelwire.Asset, reelwire.AsyncAsset):
        for key in get_args(protocol.AssetKey):
            name = re.sub(r"[A-Z]", lambda match: "_" + match.group().lower(), key)
            assert isinstance(getattr(face, name, None), property), name


def test_every_key_loads(engine, rich_clip):
    with engine.open(rich_clip) as asset:
        assert set(asset.load()) == set(get_args(protocol.AssetKey))
        for key, state in asset.status().items():
            assert (state.status, state.error) == ("loaded", None), key
        for track in asset.tracks:
            assert set(track.load()) == set(get_args(protocol.TrackKey))


def test_times_of_a_track_and_of_its_media(engine, rich_clip):
    with engine.open(rich_clip) as asset:
        video = asset.load_tracks("video")[0]
        (segment,) = video.load("segments")["segments"]
        assert not segment.is_empty
        assert segment.target == video.load("time_range")["time_range"]
        # The file's edit list skips the time by which B-frames delay the first picture.
        assert segment.source.start == 2 * FRAME
        assert video.segment(1) == video.segment(100) == segment
        assert video.sample_presentation_time(1) == 1 + 2 * FRAME
        assert video.sample_presentation_time(100) == MediaTime.invalid
        (timecode,) = video.associated_tracks("timecode")
        assert timecode.media_type == "timecode"
        assert video.associated_tracks("audioFallback") == []
        assert asset.load_track(timecode.track_id).media_type == "timecode"
        assert asset.load_track(99) is None
        assert asset.find_unused_track_id() not in [track.track_id for track in asset.tracks]


def test_the_same_for_asyncio(binary, rich_clip):
    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(rich_clip) as asset:
                track = await asset.load_track(1)
                assert (await track.segment(1)).target.start == 0
                assert await track.sample_presentation_time(0) == 2 * FRAME
                (timecode,) = await track.associated_tracks("timecode")
                assert isinstance(timecode, reelwire.AsyncTrack)
                with pytest.raises(reelwire.ValueNotLoadedError):
                    _ = asset.lyrics

    run(main())
