"""Assets and their keys, against the real engine."""

import pytest

import reelwire
from reelwire import TimeRange


def test_keys_and_their_states(engine, clip):
    with engine.open(clip) as asset:
        assert asset.status("duration")["duration"].status == "unknown"
        loaded = asset.load("duration", "metadata", "is_playable", "preferred_transform")
        assert loaded["is_playable"] is True
        assert loaded["preferred_transform"] == (1, 0, 0, 1, 0, 0)
        assert any(item.value == "A clip" for item in loaded["metadata"])
        state = asset.status("duration")["duration"]
        assert (state.status, state.value) == ("loaded", asset.duration)
        track = asset.load_tracks("audio")[0]
        track.load("format_descriptions", "time_range", "language_code")
        assert track["format_descriptions"][0]["codec"] == "aac"
        assert isinstance(track["time_range"], TimeRange)


def test_a_missing_file_fails_at_its_keys(engine, tmp_path):
    with engine.open(tmp_path / "nothing.mp4") as asset:
        with pytest.raises(FileNotFoundError) as caught:
            asset.load("duration")
        assert caught.value.hint
        assert asset.status("duration")["duration"].status == "failed"
    assert engine.stats()["operations"] == 0


def test_a_broken_file_fails_at_its_keys(engine, tmp_path):
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"this is no media file" * 100)
    with engine.open(broken) as asset, pytest.raises(reelwire.ReelwireError) as caught:
        asset.load("tracks")
    assert isinstance(
        caught.value, (reelwire.FileFormatNotRecognizedError, reelwire.FileFailedToParseError)
    )


def test_wrong_params_tell_every_problem(engine):
    with pytest.raises(ValueError, match="/keys") as caught:
        engine.request("asset/loadValues", {"asset": 1, "keys": ["size"]})
    assert isinstance(caught.value, reelwire.InvalidParamsError)
    assert len(caught.value.data["errors"]) == 2
    with pytest.raises(reelwire.MethodNotFoundError):
        engine.request("asset/opne")
    with pytest.raises(reelwire.UnknownHandleError):
        engine.request("asset/tracks", {"asset": "asset:999"})


def test_a_stated_character_set_is_that_of_subtitles(engine, tmp_path):
    cue = "1\n00:00:00,000 --> 00:00:01,000\nПривет\n\n"
    (tmp_path / "in.srt").write_bytes(cue.encode("iso8859-5"))
    with engine.open(tmp_path / "in.srt", character_set="ISO-8859-5") as asset:
        asset.export(tmp_path / "out.srt", "Passthrough")
    assert "Привет" in (tmp_path / "out.srt").read_text(encoding="utf-8")
    # Of bytes in memory, too.
    with engine.open(cue.encode("iso8859-5"), character_set="ISO-8859-5") as asset:
        asset.export(tmp_path / "bytes.srt", "Passthrough")
    assert "Привет" in (tmp_path / "bytes.srt").read_text(encoding="utf-8")
    with pytest.raises(reelwire.IncorrectlyConfiguredError, match="klingon"):
        engine.open(tmp_path / "in.srt", character_set="klingon")
