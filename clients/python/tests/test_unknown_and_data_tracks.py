"""Tracks that nothing decodes, and tracks of data, on the real engine."""

import re
import subprocess

import pytest
from conftest import probe



@pytest.fixture(scope="module")
def movie(tmp_path_factory):
    """Two tracks of audio, the second with a code that FFmpeg doesn't know."""
    path = tmp_path_factory.mktemp("unknown") / "two.mov"
    run = ["ffmpeg", "-v", "error", "-y", "-bitexact", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1"]
    run += ["-f", "lavfi", "-i", "sine=d=1", "-map", "0", "-map", "1", "-map", "1"]
    subprocess.run([*run, "-c:v", "libx264", "-c:a", "aac", str(path)], check=True)
    data = bytearray(path.read_bytes())
    codes = [match.start() for match in re.finditer(b"mp4a", data)]
    entry = [place for place in codes if b"stsd" in data[place - 24 : place]][1]
    for old, new in ((b"mp4a", b"apac"), (b"esds", b"dapa")):
        while 0 <= (place := data.find(old, entry)) < entry + 200:
            data[place : place + 4] = new
    path.write_bytes(bytes(data))
    assert [s.get("codec_name") for s in probe(path, "-show_streams")["streams"]].count("aac") == 1
    return path


def test_a_track_of_an_unknown_kind_has_its_code(engine, movie):
    with engine.open(movie) as asset:
        loaded = [track.load("formatDescriptions") for track in asset.tracks]
        codecs = [values["formatDescriptions"][0]["codec"] for values in loaded]
    assert sorted(codecs) == ["aac", "apac", "h264"]


@pytest.mark.parametrize("preset", ["Passthrough", "HighestQuality"])
def test_a_track_of_an_unknown_kind_is_left_out_and_listed(engine, movie, preset, tmp_path):
    with engine.open(movie) as asset:
        result = asset.export(tmp_path / "copy.mov", preset=preset)
    assert [item["item"] for item in result.dropped] == ["track"]
    assert "apac" in result.dropped[0]["reason"]
    kinds = [s["codec_type"] for s in probe(tmp_path / "copy.mov", "-show_streams")["streams"]]
    assert kinds == ["video", "audio"]


def test_a_track_of_an_unknown_kind_does_not_block_a_join(engine, movie, tmp_path):
    result = engine.join([movie, movie], tmp_path / "joined.mov")
    assert any("apac" in item["reason"] for item in result.dropped)
    assert float(probe(tmp_path / "joined.mov", "-show_format")["format"]["duration"]) > 1.9


def test_a_join_lists_a_track_of_data(engine, tmp_path):
    source = tmp_path / "data.ts"
    data = tmp_path / "klv.bin"
    data.write_bytes(bytes.fromhex("060e2b34020b01010e01030101000000") + b"\x04abcd")
    run = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1"]
    run += ["-f", "data", "-i", str(data), "-map", "0", "-map", "1", "-c:v", "libx264"]
    subprocess.run([*run, "-c:d", "copy", "-f", "mpegts", str(source)], check=True)
    with engine.open(source) as asset:
        kinds = [track.media_type for track in asset.tracks]
    assert "metadata" in kinds
    result = engine.join([source, source], tmp_path / "joined.mp4")
    lost = [item for item in result.dropped if item["item"] == "track"]
    assert [item["mediaType"] for item in lost] == ["metadata"]
    assert str(source) in lost[0]["reason"]


@pytest.mark.parametrize("source", ["mkv", "ts", "hevc"])
@pytest.mark.parametrize("target", ["mp4", "mov"])
def test_hevc_of_other_containers_is_hvc1_in_movies(engine, source, target, tmp_path):
    """Apple's players know no other code; the parameter sets are in the sample description."""
    path = tmp_path / f"clip.{source}"
    run = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1"]
    quiet = "log-level=none:info=0:bframes=0"
    subprocess.run([*run, "-c:v", "libx265", "-x265-params", quiet, str(path)], check=True)
    with engine.open(path) as asset:
        asset.export(tmp_path / f"copy.{target}", preset="Passthrough")
    stream = probe(tmp_path / f"copy.{target}", "-show_streams", "-count_frames")["streams"][0]
    assert stream["codec_tag_string"] == "hvc1"
    assert stream["nb_read_frames"] == "25"
