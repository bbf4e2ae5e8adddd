"""Subtitles of files as tracks of exports; ffprobe is the oracle."""

import json
import subprocess

import pytest
import reelwire

TEXT = "1\n00:00:01,000 --> 00:00:02,000\nПривет\n\n"


def subtitles(path):
    command = ["ffprobe", "-v", "error", "-select_streams", "s", "-show_streams", "-of", "json", str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["streams"]


def cues(path):
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-f", "srt", "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "ru.srt"
    path.write_bytes(TEXT.encode("cp1251"))
    return path


def test_they_are_added_and_replaced(engine, clip, script, tmp_path):
    with engine.open(clip) as asset:
        asset.export(
            tmp_path / "added.mp4",
            "Passthrough",
            subtitles=[
                {
                    "url": str(script),
                    "language": "ru",
                    "name": "Russian",
                    "characterSet": "windows-1251",
                    "timeOffset": 0.5,
                    "isDefault": True,
                }
            ],
        )
    (stream,) = subtitles(tmp_path / "added.mp4")
    assert stream["codec_name"] == "mov_text"
    assert stream["tags"]["language"] == "rus"
    assert stream["disposition"]["default"] == 1
    assert "00:00:01,500 --> 00:00:02,500\nПривет" in cues(tmp_path / "added.mp4")
    plain = tmp_path / "plain.srt"
    plain.write_text("1\n00:00:00,000 --> 00:00:01,000\nHello\n\n")
    with engine.open(tmp_path / "added.mp4") as asset:
        number = next(track.track_id for track in asset.tracks if track.media_type == "subtitle")
        result = asset.export(
            tmp_path / "replaced.mkv",
            "Passthrough",
            subtitles=[{"url": str(plain), "replaces": number}],
        )
        assert all(item["item"] != "track" for item in result.dropped)
    (stream,) = subtitles(tmp_path / "replaced.mkv")
    assert stream["codec_name"] == "subrip"
    assert stream["tags"]["language"] == "rus"
    assert "Hello" in cues(tmp_path / "replaced.mkv")


def test_a_path_is_enough(engine, clip, script, tmp_path):
    with engine.open(clip) as asset:
        result = asset.export(tmp_path / "out.mkv", "Passthrough", subtitles=[script])
    assert [item["key"] for item in result.dropped if item["item"] == "characterSet"] == ["windows-1251"]
    assert "Привет" in cues(tmp_path / "out.mkv")


def test_the_guess_is_a_fact_of_the_file(engine, script, tmp_path):
    with engine.open(script) as asset:
        asset.load("container_facts")
        facts = asset.container_facts
        assert (facts.character_set, facts.character_set_is_guess) == ("windows-1251", True)
    with engine.open(script, character_set="cp1251") as asset:
        asset.load("container_facts")
        facts = asset.container_facts
        assert (facts.character_set, facts.character_set_is_guess) == ("cp1251", False)


def test_a_single_path_is_no_list(engine, clip, script, tmp_path):
    with engine.open(clip) as asset, pytest.raises(TypeError, match="list of files"):
        asset.export(tmp_path / "out.mkv", "Passthrough", subtitles=str(script))


def test_a_file_has_an_offset(engine, script, tmp_path):
    with engine.open(script, character_set="windows-1251", time_offset=-0.5) as asset:
        asset.export(tmp_path / "out.vtt", "Passthrough")
    assert (tmp_path / "out.vtt").read_text("utf-8") == "WEBVTT\n\n00:00.500 --> 00:01.500\nПривет\n"


def test_an_offset_of_a_film_is_refused(engine, clip):
    with engine.open(clip, time_offset=1) as asset:
        with pytest.raises(reelwire.IncorrectlyConfiguredError, match="no file of subtitles"):
            asset.load("duration")
