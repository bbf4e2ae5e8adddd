"""Playlists of segments that ffmpeg made: compared with its own, and played by it."""

import json
import re
import subprocess
from fractions import Fraction

import pytest

from reelwire.codec_strings import initialization_segment
from reelwire.playlists import MediaPlaylist, MultivariantPlaylist

VIDEO = ("-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=5")
SOUND = ("-f", "lavfi", "-i", "sine=duration=5")


def ffmpeg(*arguments, cwd):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)]
    subprocess.run(command, check=True, cwd=cwd)


def segmented(folder, *arguments):
    """The segments and playlists of ffmpeg's HLS muxer."""
    folder.mkdir()
    options = ["-f", "hls", "-hls_time", "2", "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod"]
    ffmpeg(*arguments, *options, "-master_pl_name", "master.m3u8", "theirs.m3u8", cwd=folder)
    return folder


def playlist_of(folder):
    """The same segments in a playlist of our own."""
    playlist = MediaPlaylist(ended=True)
    playlist.initialize("init.mp4", (folder / "init.mp4").read_bytes())
    theirs = (folder / "theirs.m3u8").read_text()
    for duration, name in re.findall(r"#EXTINF:([\d.]+),\n(.*)\n", theirs):
        playlist.append(name, Fraction(duration), (folder / name).stat().st_size)
    playlist.save(folder / "ours.m3u8")
    return playlist


def packets(path):
    command = ["ffprobe", "-v", "error", "-show_entries", "packet=stream_index,pts_time,size"]
    command += ["-allowed_extensions", "ALL", "-of", "json", path.name]
    ended = subprocess.run(command, check=True, capture_output=True, cwd=path.parent)
    assert ended.stderr == b""
    return json.loads(ended.stdout)["packets"]


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hls") / "film"
    h264 = ("-c:v", "libx264", "-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p")
    return segmented(folder, *VIDEO, *SOUND, *h264, "-c:a", "aac")


def test_a_playlist_is_played(film):
    playlist = playlist_of(film)
    assert len(playlist.segments) == 3
    assert packets(film / "ours.m3u8") == packets(film / "theirs.m3u8")
    theirs = (film / "theirs.m3u8").read_text()
    assert f"#EXT-X-TARGETDURATION:{playlist.target_duration}\n" in theirs
    assert str(playlist).splitlines()[0] == "#EXTM3U"
    assert str(playlist).endswith("#EXT-X-ENDLIST\n")
    playlist.ended = False
    assert "#EXT-X-PLAYLIST-TYPE:EVENT\n" in str(playlist)
    assert "ENDLIST" not in str(playlist)


def test_variants_are_played(film):
    playlist = playlist_of(film)
    variants = MultivariantPlaylist()
    variants.add("ours.m3u8", playlist, frame_rate=25)
    variants.save(film / "variants.m3u8")
    assert packets(film / "variants.m3u8") == packets(film / "theirs.m3u8")
    line = next(each for each in str(variants).splitlines() if "STREAM-INF" in each)
    theirs = (film / "master.m3u8").read_text()
    assert re.search('CODECS="[^"]*"', line)[0].lower() == re.search('CODECS="[^"]*"', theirs)[0].lower()
    assert "RESOLUTION=320x180," in line
    assert line.endswith("FRAME-RATE=25.000")
    size = sum(each.size for each in playlist.segments)
    assert f",AVERAGE-BANDWIDTH={-(-size * 8 // 5)}," in line


@pytest.mark.parametrize(
    ("expected", "options"),
    [
        ("hvc1", ("-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=none")),
        ("vp09", ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8")),
        ("av01", ("-c:v", "libsvtav1", "-preset", "12")),
        ("avc1.640", ("-c:v", "libx264", "-preset", "medium", "-t", "1")),
        ("avc1.42C0", ("-c:v", "libx264", "-preset", "ultrafast", "-profile:v", "baseline")),
    ],
)
def test_codecs_are_named(tmp_path, expected, options):
    """By the form of the standard, and for HEVC's level and profile by ffprobe's reading of it."""
    path = tmp_path / "movie.mp4"
    try:
        ffmpeg(*VIDEO[:-1], "testsrc2=size=320x180:rate=25:duration=1", *options, path, cwd=tmp_path)
    except subprocess.CalledProcessError:
        pytest.skip("this ffmpeg has no such encoder")
    (codec,) = initialization_segment(path.read_bytes()).codecs
    assert codec.startswith(expected)
    command = ["ffprobe", "-v", "error", "-show_entries", "stream=profile,level", "-of", "json"]
    (stream,) = json.loads(subprocess.check_output([*command, path]))["streams"]
    if expected == "hvc1":
        # Main is profile 1, compatible with 1 and 2; a level is thirty times its number.
        assert re.fullmatch(rf"hvc1\.1\.6\.L{stream['level']}(\.[0-9A-F]+)*", codec)
    elif expected.startswith("avc1"):
        assert int(codec[-2:], 16) == stream["level"]
        assert codec[5:7] == {"High": "64", "Constrained Baseline": "42"}[stream["profile"]]
    elif expected == "av01":
        assert re.fullmatch(rf"av01\.0\.{stream['level']:02}M\.08", codec)
    else:
        assert re.fullmatch(r"vp09\.00\.\d\d\.08", codec)


@pytest.mark.parametrize(
    ("codec", "expected"),
    [("aac", "mp4a.40.2"), ("libopus", "Opus"), ("flac", "fLaC"), ("ac3", "ac-3"), ("libmp3lame", "mp4a.6B")],
)
def test_codecs_of_audio_are_named(tmp_path, codec, expected):
    path = tmp_path / "sound.mp4"
    options = ("-c:a", codec, "-strict", "-2", "-ac", "2", path)
    ffmpeg("-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000", *options, cwd=tmp_path)
    found = initialization_segment(path.read_bytes())
    assert (found.codecs, found.channels, found.size) == ([expected], 2, None)


def test_rates_are_those_of_the_rfc():
    """The peak is over runs of half to one and a half target durations, and the audio's comes to it."""
    playlist = MediaPlaylist()
    for duration, size in ((4, 500), (1, 1000), (4, 100)):
        playlist.append(f"{size}.m4s", duration, size)
    # Runs of 2 to 6 s: 4 s of 500, 5 s of 1500, 5 s of 1100, 4 s of 100; 1 s alone is too short.
    assert playlist.target_duration == 4
    assert playlist.bandwidth == 1500 * 8 // 5
    assert playlist.average_bandwidth == -(-1600 * 8 // 9)
    audio = MediaPlaylist()
    audio.append("a.m4s", "9/2", 450)
    variants = MultivariantPlaylist()
    variants.add("v.m3u8", playlist)
    variants.add_audio("a.m3u8", audio, name="English", language="en", default=True)
    text = str(variants)
    assert f"BANDWIDTH={2400 + 800},AVERAGE-BANDWIDTH={1423 + 800},AUDIO=\"audio\"\nv.m3u8\n" in text
    assert (
        '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",'
        'DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"\n'
    ) in text
    assert audio.target_duration == 5  # 4.5 s is rounded up.


def test_what_no_playlist_can_have_is_refused():
    variants = MultivariantPlaylist()
    variants.add_audio('a".m3u8', MediaPlaylist(), name="x")
    with pytest.raises(ValueError, match="quote"):
        str(variants)


def test_hostile_bytes_are_no_codec():
    for data in (b"", b"\0" * 64, b"\0\0\0\x08moov", b"\xff\xff\xff\xffmoov" + b"\0" * 30):
        assert initialization_segment(data) == ([], None, None)
