"""Playlists of HTTP Live Streaming as PyPI's `m3u8` reads them."""

import json
import random
import subprocess
from fractions import Fraction

import pytest

import reelwire
from reelwire import AudioInput, VideoInput
from reelwire.playlists import MediaPlaylist

np = pytest.importorskip("numpy")
m3u8 = pytest.importorskip("m3u8", reason="m3u8 isn't installed")

SIZE = (160, 120)


def parsed(text):
    """A playlist; a tag that its version doesn't have is an error."""
    m3u8.parser.parse(text, strict=True)
    return m3u8.loads(text)


def check(playlist, durations):
    """RFC 8216, 4.3.3.1 and 4.4.3.1: no duration, rounded, is longer than the target duration."""
    found = [segment.duration for segment in playlist.segments]
    assert found == [pytest.approx(float(each), abs=5e-7) for each in durations]
    assert sum(found) == pytest.approx(float(sum(durations)), abs=1e-6 * len(found))
    assert all(int(each + 0.5) <= playlist.target_duration for each in found)
    assert playlist.target_duration == max(1, *(int(each + Fraction(1, 2)) for each in durations))


@pytest.mark.parametrize("seed", range(5))
def test_durations_of_all_kinds(tmp_path, seed):
    numbers = random.Random(seed)
    playlist, durations = MediaPlaylist(), []
    playlist.initialization_uri = "a, b=c.mp4"
    for number in range(60):
        durations.append(numbers.choice([
            Fraction(numbers.randrange(1, 400) * 1001, 30000), Fraction(numbers.randrange(1, 10**6), 90000),
            Fraction(2 * numbers.randrange(8) + 1, 2), Fraction(1, 10**7),
        ]))  # fmt: skip
        playlist.append(f"part {number},x.m4s", durations[-1], 1000)
        (playlist.save if number == 0 else playlist.save_last)(tmp_path / "index.m3u8")
        growing = parsed((tmp_path / "index.m3u8").read_text())
        check(growing, durations)
        assert (growing.is_endlist, growing.playlist_type) == (False, "event")
    playlist.ended = True
    whole = parsed(str(playlist))
    check(whole, durations)
    assert [segment.uri for segment in whole.segments] == [f"part {number},x.m4s" for number in range(60)]
    assert {segment.init_section.uri for segment in whole.segments} == {"a, b=c.mp4"}
    assert (whole.is_endlist, whole.playlist_type, whole.is_independent_segments) == (True, "vod", True)


def test_a_presentation_in_a_folder(engine, tmp_path):
    pictures = [np.full((*SIZE[::-1], 3), 8 * number, np.uint8) for number in range(30)]
    low = reelwire.HLSFolder(tmp_path, interval=1, name="low")
    with engine.asset_writer(low, video=VideoInput(SIZE, frame_rate=Fraction(30000, 1001))) as writer:
        for number in range(100):
            writer.video.append(pictures[number % 30])
    speech = reelwire.HLSFolder(tmp_path, interval=1, name="speech")
    with engine.asset_writer(speech, audio=AudioInput()) as writer:
        for _ in range(100):
            writer.audio.append(np.zeros(1602, np.float32))
    for output in (low, speech):
        found = parsed((tmp_path / output.uri).read_text())
        check(found, [segment.duration for segment in output.playlist.segments])
        assert found.is_endlist and len(found.segments) >= 3
        whole = tmp_path / f"{output.uri}.mp4"
        parts = [found.segments[0].init_section.uri, *(segment.uri for segment in found.segments)]
        whole.write_bytes(b"".join((tmp_path / part).read_bytes() for part in parts))
        command = ["ffprobe", "-v", "error", "-show_entries", "packet=pts_time", "-of", "json", whole]
        times = [float(packet["pts_time"]) for packet in json.loads(subprocess.check_output(command))["packets"]]
        # From the first packet to the last one, which has a duration, too.
        assert sum(segment.duration for segment in found.segments) == pytest.approx(max(times) - min(times), abs=0.05)

    variants = reelwire.MultivariantPlaylist()
    variants.add(low.uri, low.playlist, frame_rate=29.97)
    variants.add_audio(speech.uri, speech.playlist, name="Deutsch, 'laut'", language="de", default=True)
    found = parsed(str(variants))
    (variant,), (audio,) = found.playlists, found.media
    stream = variant.stream_info
    assert found.is_variant and (variant.uri, stream.resolution, stream.frame_rate) == (low.uri, SIZE, 29.97)
    peak = {output: max(each.size * 8 / each.duration for each in output.playlist.segments) for output in (low, speech)}
    # A run of several segments may stand for the first and last ones, which are shorter.
    assert stream.average_bandwidth <= stream.bandwidth <= sum(peak.values()) + 2
    assert stream.codecs == ",".join([*low.playlist.codecs, *speech.playlist.codecs])
    assert (audio.uri, audio.language, audio.default, audio.name) == (speech.uri, "de", "YES", "Deutsch, 'laut'")
    assert stream.audio == audio.group_id and audio.type == "AUDIO"
