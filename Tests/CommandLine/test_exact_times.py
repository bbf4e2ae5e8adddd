"""Durations and rates that headers estimate or state wrongly: the right ones are those of the samples, by ffmpeg."""

from __future__ import annotations

import json
import struct
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List

import pytest

from conftest import Program, ffmpeg

PICTURES = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2"]
TONE = ["-f", "lavfi", "-i", "sine=d=2:sample_rate=48000"]


def fraction(time: Dict[str, int]) -> Fraction:
    return Fraction(time["value"], time["timescale"])


def probed(program: Program, name: str, *options: str) -> Any:
    return json.loads(program.ok("probe", "--json", name, *options))


def durations(shown: Any) -> List[Fraction]:
    return [fraction(track["timeRange"]["duration"]) for track in shown["tracks"]]


def rates(program: Program, name: str, precise: bool) -> List[float]:
    """The nominal rate and the minimum duration of the only track."""
    options = json.dumps({"preferPreciseDurationAndTiming": precise})
    text = program.ok(
        *["call", "asset/open", f"url={name}", f"options:={options}", "+", "track/loadValues", "asset=_.asset"],
        *["trackID:=1", 'keys:=["nominalFrameRate","minFrameDuration"]', "completion=response"],
    )
    values = json.loads(text.splitlines()[-1])["values"]
    return [values["nominalFrameRate"]["value"], fraction(values["minFrameDuration"]["value"])]


def sample_count(path: Path) -> int:
    """The number of samples of the one channel of audio that ffmpeg decodes."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"]
    return len(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout) // 2


def video_end(path: Path) -> Fraction:
    """The end of the last packet. In its AVI files, FFmpeg leaves out a picture after the first one."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
    times = subprocess.run([*command, str(path)], check=True, capture_output=True, text=True).stdout.split()
    return max((Fraction(time.strip(",")) for time in times), default=Fraction(-1, 25)) + Fraction(1, 25)


FILES = {
    "video.mpg": [*PICTURES, *TONE, "-c:v", "mpeg2video", "-b:v", "200k", "-c:a", "mp2"],
    "video.ts": [*PICTURES, *TONE, "-c:v", "mpeg2video", "-c:a", "mp2"],
    "tone.ts": [*TONE, "-c:a", "aac"],
    "tone.mp3": [*TONE, "-c:a", "libmp3lame"],
    "tone.eac3": [*TONE, "-c:a", "eac3"],
    "tone.opus": [*TONE, "-c:a", "libopus"],
    "tone.mka": [*TONE, "-c:a", "libopus"],
    "linear.avi": [*TONE, "-c:a", "pcm_s16le"],
    "video.avi": [*PICTURES, *TONE, "-c:v", "mpeg4", "-c:a", "libmp3lame"],
    "advanced.avi": [*PICTURES, *TONE, "-c:v", "mpeg4", "-c:a", "aac"],
}


@pytest.mark.parametrize("name", FILES)
def test_precise_ranges_of_tracks(program: Program, name: str) -> None:
    path = program.folder / name
    ffmpeg([*FILES[name], path])
    shown = probed(program, name, "--precise")
    tracks = {track["mediaType"]: fraction(track["timeRange"]["duration"]) for track in shown["tracks"]}
    # A clock of 90 kHz can't express all samples.
    assert tracks["audio"] == pytest.approx(sample_count(path) / 48000, abs=1 / 40000)
    assert tracks.get("video", 2) == (video_end(path) if name.endswith("avi") and "video" in tracks else 2)
    ends = [
        fraction(track["timeRange"]["start"]) + fraction(track["timeRange"]["duration"]) for track in shown["tracks"]
    ]
    assert fraction(shown["duration"]) == max(ends)


@pytest.mark.parametrize("name", ["video.avi", "advanced.avi"])
def test_audio_of_avi(program: Program, name: str) -> None:
    """Its header counts packets that the muxer only announced."""
    path = program.folder / name
    ffmpeg([*FILES[name], path])
    data = bytearray(path.read_bytes())
    place = data.index(b"auds") + 32
    (count,) = struct.unpack_from("<I", data, place)
    struct.pack_into("<I", data, place, count + 5)
    path.write_bytes(data)
    assert probed(program, name)["providesPreciseDurationAndTiming"] is False
    shown = probed(program, name, "--precise")
    right = max(float(video_end(path)), sample_count(path) / 48000)
    assert fraction(shown["duration"]) == pytest.approx(right, abs=1 / 40000)
    # Joined, the second part begins where the first one ends.
    program.ok("join", name, name, "-o", "joined.wav", "--preset", "WAV")
    program.ok("join", name, name, "-o", "joined.mkv", "--preset", "FFV1")
    assert sample_count(program.folder / "joined.wav") == pytest.approx(2 * right * 48000, abs=2)


@pytest.mark.parametrize("name", ["tone.opus", "offset.opus", "both.ogv"])
def test_opus_in_ogg_lasts_without_its_priming(program: Program, name: str) -> None:
    path = program.folder / name
    if name == "both.ogv":
        ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1", *TONE, "-c:v", "libtheora", "-c:a", "libopus", path])
    else:
        # The last granule position is a time, and counts from zero where the stream begins later.
        ffmpeg([*TONE, "-c:a", "libopus", *(["-output_ts_offset", 5] if name == "offset.opus" else []), path])
    shown = probed(program, name)
    assert fraction(shown["duration"]) == 2 and max(durations(shown)) == 2
    precise = probed(program, name, "--precise")
    assert fraction(precise["duration"]) == 2 and max(durations(precise)) == 2


@pytest.mark.parametrize("name", ["video.webm", "video.mkv", "tone.mka"])
def test_opus_in_matroska_ends_without_its_padding(program: Program, name: str) -> None:
    path = program.folder / name
    inputs = TONE if name == "tone.mka" else [*PICTURES, *TONE, "-c:v", "libvpx-vp9", "-cpu-used", 8]
    ffmpeg([*inputs, "-c:a", "libopus", path])
    assert sample_count(path) == 96000
    shown = probed(program, name, "--precise")
    ends = [
        fraction(track["timeRange"]["start"]) + fraction(track["timeRange"]["duration"]) for track in shown["tracks"]
    ]
    assert fraction(shown["duration"]) == max(ends)
    audio = [track for track in shown["tracks"] if track["mediaType"] == "audio"]
    assert fraction(audio[0]["timeRange"]["duration"]) == 2


# Ten frames of 0.1 s, then ten of 0.3 s.
UNEVEN = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=2", "-vf"]
UNEVEN += ["settb=1/10,setpts='if(lt(N,10),N,10+(N-10)*3)'", "-fps_mode", "passthrough", "-enc_time_base", -1]


@pytest.mark.parametrize(
    ("name", "codec"),
    [("uneven.webm", ["libvpx-vp9", "-cpu-used", 8]), ("uneven.nut", ["mpeg4"]), ("uneven.mp4", ["libx264", "-bf", 3])]
    + [("fragments.mp4", ["libx264", "-movflags", "frag_keyframe+empty_moov"]), ("uneven.mkv", ["mpeg4"])],
)
def test_frame_rates_are_those_of_the_frames(program: Program, name: str, codec: List[object]) -> None:
    ffmpeg([*UNEVEN, "-c:v", *codec, program.folder / name])
    track = probed(program, name, "--precise")["tracks"][0]
    rate = 20 / fraction(track["timeRange"]["duration"])
    nominal, shortest = rates(program, name, True)
    assert nominal == track["nominalFrameRate"] == pytest.approx(float(rate), rel=0.001)
    assert shortest == pytest.approx(0.1, abs=0.001)


def test_frame_rates_that_headers_state_stay_exact(program: Program) -> None:
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x64:r=30000/1001:d=3", "-c:v", "mpeg4", program.folder / "even.mkv"])
    for precise in (False, True):
        nominal, shortest = rates(program, "even.mkv", precise)
        assert (nominal, shortest) == (pytest.approx(30000 / 1001, rel=1e-9), Fraction(1001, 30000))


def test_the_rate_of_an_animation(program: Program) -> None:
    ffmpeg([*UNEVEN, program.folder / "uneven.gif"])
    track = probed(program, "uneven.gif")["tracks"][0]
    assert track["nominalFrameRate"] == pytest.approx(20 / float(fraction(track["timeRange"]["duration"])), rel=0.001)
