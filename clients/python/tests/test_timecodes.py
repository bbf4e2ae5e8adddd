"""Timecodes of movies through exports and joins; the timecodes that ffprobe reads are computed from the clock."""

import subprocess
from fractions import Fraction

import pytest
from conftest import probe

import reelwire
from reelwire import TimeRange


def _media(folder, rate, start, seconds=4, codec=("libx264", "-g", "1000")):
    """A ramp with a timecode track."""
    path = folder / "timecode.mov"
    source = f"testsrc2=s=64x48:r={rate}:d={seconds}"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-c:v", *codec]
    subprocess.run([*command, "-timecode", start, str(path)], check=True)
    return path


def _timecodes(path):
    """That of the video and that of its track, as ffprobe reads them."""
    streams = probe(path, "-show_streams")["streams"]
    return {
        stream["codec_type"]: stream.get("tags", {}).get("timecode") for stream in streams
    }


def _count(text, rate):
    """The number of a timecode's frame, by the rule of SMPTE ST 12-1."""
    hours, minutes, seconds, frames = (int(part) for part in text.replace(";", ":").split(":"))
    minutes += hours * 60
    count = (minutes * 60 + seconds) * rate + frames
    return count - (rate // 15) * (minutes - minutes // 10) if ";" in text else count


CASES = [
    # rate, frames a second, first timecode, start of the range, its timecode
    ("25", 25, "01:00:00:00", Fraction(1), "01:00:01:00"),
    ("25", 25, "01:00:00:00", Fraction(38, 25), "01:00:01:13"),
    ("24000/1001", 24, "10:59:59:20", Fraction(24 * 1001, 24000), "11:00:00:20"),
    ("30000/1001", 30, "00:00:59;15", Fraction(15 * 1001, 30000), "00:01:00;02"),
    ("30000/1001", 30, "00:09:59;29", Fraction(1001, 30000), "00:10:00;00"),
    ("30000/1001", 30, "00:00:59:15", Fraction(15 * 1001, 30000), "00:01:00:00"),
    ("60000/1001", 60, "00:00:59;58", Fraction(2 * 1001, 60000), "00:01:00;04"),
    ("25", 25, "23:59:59:20", Fraction(1), "00:00:00:20"),
    ("50", 50, "01:00:00:49", Fraction(1, 50), "01:00:01:00"),
]


@pytest.mark.parametrize("preset", ["Passthrough", "HighestQuality"])
@pytest.mark.parametrize("rate, quanta, first, start, expected", CASES)
def test_a_range_begins_with_its_own_timecode(
    engine, tmp_path, preset, rate, quanta, first, start, expected
):
    source, out = _media(tmp_path, rate, first), tmp_path / "out.mov"
    frames = start * Fraction(rate)
    assert frames.denominator == 1
    day = 24 * 3600 * quanta
    assert (_count(first, quanta) + frames) % day == _count(expected, quanta)
    with engine.open(source) as asset:
        end = Fraction(3)
        result = asset.export(out, preset, time_range=TimeRange.between(start, end))
        assert _timecodes(out) == {"video": expected, "data": expected}
        assert [item for item in result.dropped if item["item"] == "track"] == []
        with asset.export_session(tmp_path / "plan.mov", preset) as session:
            plan = session.preflight()
        assert [track["treatment"] for track in plan.tracks][1] == "converted"


@pytest.mark.parametrize("suffix", ["mov", "mp4", "m4v"])
def test_the_whole_keeps_its_timecode(engine, tmp_path, suffix):
    source, out = _media(tmp_path, "25", "01:00:00:00"), tmp_path / f"out.{suffix}"
    with engine.open(source) as asset:
        result = asset.export(out, "Passthrough")
        assert _timecodes(out) == {"video": "01:00:00:00", "data": "01:00:00:00"}
        assert result.dropped == []
        with asset.export_session(tmp_path / f"plan.{suffix}", "Passthrough") as session:
            plan = session.preflight()
    assert [track["treatment"] for track in plan.tracks] == ["copied", "converted"]
    out.unlink()
    with engine.open(source) as asset:
        asset.export(out, "HighestQuality", time_range=TimeRange(1, 1))
    assert _timecodes(out) == {"video": "01:00:01:00", "data": "01:00:01:00"}


@pytest.mark.parametrize("suffix", ["mov", "mp4"])
def test_a_timecode_of_a_whole_matroska_file_becomes_a_track(engine, tmp_path, suffix):
    middle, out = tmp_path / "middle.mkv", tmp_path / f"out.{suffix}"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(_media(tmp_path, "25", "01:00:00:00"))]
    command += ["-map", "0:v", "-c", "copy", "-map_metadata:s", "-1", "-metadata", "timecode=02:00:00:00"]
    subprocess.run([*command, str(middle)], check=True)
    with engine.open(middle) as asset:
        result = asset.export(out, "HighestQuality", time_range=TimeRange(1, 1))
    assert _timecodes(out) == {"video": "02:00:01:00", "data": "02:00:01:00"}
    assert result.dropped == []


def test_a_type_without_timecodes_lists_the_track(engine, tmp_path):
    source, out = _media(tmp_path, "25", "01:00:00:00"), tmp_path / "out.ts"
    with engine.open(source) as asset:
        result = asset.export(out, "Passthrough")
    assert _timecodes(out) == {"video": None}
    assert [(item["item"], item["mediaType"]) for item in result.dropped] == [("track", "timecode")]


def test_a_join_begins_with_the_timecode_of_its_first_part(engine, tmp_path):
    source, out = _media(tmp_path, "25", "01:00:00:00", codec=("mjpeg",)), tmp_path / "out.mov"
    with engine.open(source) as asset:
        # The second part continues where the first one ends.
        with engine.composition(asset[1:2] + asset[2:3]) as composition:
            result = composition.export(out, "Passthrough")
        assert _timecodes(out) == {"video": "01:00:01:00", "data": "01:00:01:00"}
        assert [item for item in result.dropped if item.get("key") == "timecode"] == []
        for preset in ("Passthrough", "HighestQuality"):
            out.unlink()
            with engine.composition(asset[1:2] + asset[:1]) as composition:
                result = composition.export(out, preset)
            assert _timecodes(out)["video"] == "01:00:01:00"
            assert [item["item"] for item in result.dropped if item.get("key") == "timecode"] == [
                "metadata"
            ]


def test_matroska_states_the_timecode_of_the_range(engine, tmp_path):
    source, out = _media(tmp_path, "25", "01:00:00:00", codec=("mjpeg",)), tmp_path / "out.mkv"
    with engine.open(source) as asset:
        result = asset.export(out, "Passthrough", time_range=TimeRange(1, 1))
    tags = probe(out, "-show_streams")["streams"][0]["tags"]
    assert {name.lower(): value for name, value in tags.items()}["timecode"] == "01:00:01:00"
    assert result.dropped == []


def test_another_rate_counts_the_same_seconds(engine, tmp_path):
    source, out = _media(tmp_path, "25", "01:00:00:10"), tmp_path / "out.mov"
    with engine.open(source) as asset:
        asset.export(
            out, settings={"video": {"codec": "h264", "frameRate": 50}}, time_range=TimeRange(1, 1)
        )
    assert _timecodes(out)["video"] == "01:00:01:20"
