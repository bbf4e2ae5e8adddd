"""Media selection, against the real engine and against one that plays a script."""

from conftest import run

import reelwire


def _option(track, **members):
    return {
        "trackID": track,
        "mediaType": "audio",
        "mediaSubTypes": ["mp4a"],
        "mediaCharacteristics": ["audible"],
        "isPlayable": True,
        "displayName": f"Track {track}",
        "commonMetadata": [],
        **members,
    }


def test_a_group(fake):
    title = {"identifier": "udta/name", "key": "name", "keySpace": "udta", "value": "Kommentar"}
    group = {
        "options": [_option(2, extendedLanguageTag="de", commonMetadata=[title]), _option(3)],
        "allowsEmptySelection": True,
    }
    played = fake(
        {
            "asset/mediaSelectionGroup": [
                [{"result": {"group": {**group, "defaultTrackID": 3}}}],
                [{"result": {"group": group}}],
                [{"result": {}}],
            ]
        }
    )
    with reelwire.Engine(**played.options) as engine:
        asset = engine.open("a.mp4")
        group = asset.media_selection_group(
            "audible",
            playable=True,
            with_media_characteristics=("isMainProgramContent",),
            without_media_characteristics=["easyToRead"],
            preferred_languages="de",
        )
        assert (group.default_track_id, group.allows_empty_selection) == (3, True)
        german, other = group.options
        assert (german.track_id, german.media_type, german.is_playable) == (2, "audio", True)
        assert (german.media_sub_types, german.media_characteristics) == (["mp4a"], ["audible"])
        assert (german.extended_language_tag, other.extended_language_tag) == ("de", None)
        assert german.common_metadata[0].value == "Kommentar"
        assert repr(other) == "<MediaSelectionOption track 3 audio 'Track 3'>"
        assert asset.media_selection_group("audible").default_track_id is None
        assert asset.media_selection_group("legible") is None
    sent = [message["params"] for message in played.messages("asset/mediaSelectionGroup")]
    assert sent[0] == {
        "asset": "asset:1",
        "mediaCharacteristic": "audible",
        "playable": True,
        "withMediaCharacteristics": ["isMainProgramContent"],
        "withoutMediaCharacteristics": ["easyToRead"],
        "preferredLanguages": ["de"],
    }
    assert sent[1] == {"asset": "asset:1", "mediaCharacteristic": "audible"}


def test_languages_are_options(engine, rich_clip):
    with engine.open(rich_clip) as asset:
        first, second = (track.track_id for track in asset.load_tracks("audio"))
        group = asset.media_selection_group("audible")
        assert [option.track_id for option in group.options] == [first, second]
        assert [option.extended_language_tag for option in group.options] == ["en", "de"]
        assert group.default_track_id == first
        german = asset.media_selection_group("audible", preferred_languages=["de"])
        assert [option.track_id for option in german.options] == [second]
        assert asset.media_selection_group("legible") is None
        assert asset.track_groups == [[first, second]]
        assert asset.preferred_media_selection == {"audible": first}
        assert {"audible": second} in asset.all_media_selections
        assert asset.available_media_characteristics_with_media_selection_options == ["audible"]


def test_the_same_for_asyncio(binary, rich_clip):
    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(rich_clip) as asset:
                group = await asset.media_selection_group("audible")
                assert len(group.options) == 2

    run(main())
