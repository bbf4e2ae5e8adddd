"""Clips that are shown backward, and frozen frames, by the frames and the samples of a linear decode."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, List

import pytest

from conftest import Program, ffmpeg

OPEN_GOP = ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=12:bframes=3"]
CODECS = {
    "closed.mp4": ["-c:v", "libx264", "-g", "10", "-bf", "3"],
    "open.mp4": OPEN_GOP,
    "long.mp4": ["-c:v", "libx264", "-g", "500"],
    "intra.mov": ["-c:v", "mjpeg", "-q:v", "3"],
    "vp9.webm": ["-c:v", "libvpx-vp9", "-g", "20", "-deadline", "realtime", "-cpu-used", "8"],
}


def sums(media: Path, *options: str) -> List[str]:
    """The sums of the decoded pictures."""
    command = ["ffmpeg", "-v", "error", "-i", str(media), *options, "-map", "0:v", "-pix_fmt", "yuv420p"]
    text = subprocess.run([*command, "-f", "framemd5", "-"], check=True, capture_output=True, text=True).stdout
    return [line.split(",")[-1].strip() for line in text.splitlines() if line[:1] != "#"]


def samples(media: Path, *options: str) -> List[bytes]:
    """The samples of both channels, together."""
    command = ["ffmpeg", "-v", "error", "-i", str(media), *options, "-map", "0:a", "-f", "s16le", "-ac", "2", "-"]
    data = subprocess.run(command, check=True, capture_output=True).stdout
    return [data[at : at + 4] for at in range(0, len(data), 4)]


def source(program: Program, name: str) -> Path:
    """Two seconds and a half of 25 frames a second."""
    path = program.folder / name
    ffmpeg(["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=2.5", "-pix_fmt", "yuv420p", *CODECS[name], path])
    return path


def film(program: Program, clips: List[Any], name: str = "film.mp4", **more: Any) -> Path:
    (program.folder / "film.json").write_text(json.dumps({"clips": clips, **more}))
    # A rate factor of 0 is without loss.
    options = [] if name.endswith(".wav") else ["--crf", "0"]
    program.ok("compose", "film.json", "-o", name, *options)
    return program.folder / name


@pytest.mark.parametrize("name", CODECS)
def test_a_reversed_clip_has_the_frames_in_reverse_order(program: Program, name: str) -> None:
    frames = sums(source(program, name))
    assert len(frames) == 62 or len(frames) == 63
    assert sums(film(program, [{"url": name, "speed": -1}])) == frames[::-1]
    part = {"url": name, "speed": -1, "timeRange": {"start": 0.4, "duration": 1.2}}
    assert sums(film(program, [part], "part.mp4")) == frames[10:40][::-1]


def test_a_reversed_clip_at_another_speed(program: Program) -> None:
    frames = sums(source(program, "closed.mp4"))
    part = {"url": "closed.mp4", "timeRange": {"start": 0.4, "duration": 1.6}, "speed": -2}
    # Frame 49 is shown first; each picture is the one that is due when it begins.
    assert sums(film(program, [part])) == frames[10:50][::-1][::2]


def test_a_frozen_frame_is_that_frame(program: Program) -> None:
    frames = sums(source(program, "open.mp4"))
    clips = [
        {"url": "open.mp4", "timeRange": {"start": 0, "duration": 1}},
        {"url": "open.mp4", "freeze": "39/40", "duration": 0.8},
        {"url": "open.mp4", "timeRange": {"start": 1, "duration": 1}},
        {"url": "open.mp4", "freeze": 0},
    ]
    # At 39/40 s frame 24 is shown.
    expected = frames[:25] + [frames[24]] * 20 + frames[25:50] + [frames[0]] * 75
    assert sums(film(program, clips)) == expected


@pytest.mark.parametrize("rate", [48000, 44100])
def test_reversed_audio_has_the_samples_in_reverse_order(program: Program, rate: int) -> None:
    noise = f"anoisesrc=sample_rate={rate}:duration=3:seed=5:amplitude=0.5"
    ffmpeg(["-f", "lavfi", "-i", noise, "-ac", "2", "-c:a", "pcm_s16le", program.folder / "noise.wav"])
    linear = samples(program.folder / "noise.wav")
    made = film(program, [{"url": "noise.wav", "speed": -1}], "film.wav")
    assert samples(made) == linear[::-1]
    part = {"url": "noise.wav", "speed": -1, "timeRange": {"start": 0.25, "duration": 1.5}}
    made = film(program, [part], "part.wav")
    assert samples(made) == linear[rate // 4 : rate // 4 + rate * 3 // 2][::-1]


def test_reversed_audio_of_a_lossy_codec_is_that_of_areverse(program: Program) -> None:
    # No noise, which decoders make up where the codec leaves it out.
    sweep = "aevalsrc=0.3*sin(2*PI*(200+300*t)*t):sample_rate=48000:duration=3"
    ffmpeg(["-f", "lavfi", "-i", sweep, "-ac", "2", "-c:a", "aac", program.folder / "sweep.m4a"])
    made = film(program, [{"url": "sweep.m4a", "speed": -1}], "film.wav")
    shown, wanted = samples(made), samples(program.folder / "sweep.m4a", "-af", "areverse")
    # Whole packets of ffmpeg's decoder are longer than the track.
    extra = len(wanted) - len(shown)
    assert 0 <= extra < 1024
    far = sum(1 for one, other in zip(shown, wanted[extra:]) if close(one, other))
    assert far == 0


def close(one: bytes, other: bytes) -> bool:
    pairs = zip(memoryview(one).cast("h"), memoryview(other).cast("h"))
    return any(abs(a - b) > 2 for a, b in pairs)


def test_images_are_the_frames_of_the_export(program: Program) -> None:
    source(program, "closed.mp4")
    film(program, [{"url": "closed.mp4", "speed": -1}, {"url": "closed.mp4", "freeze": 1, "duration": 1}])
    timeline = json.loads(program.ok("compose", "film.json"))
    playback = [segment.get("playback") for segment in timeline["tracks"][0]["segments"]]
    assert playback == ["reverse", "freeze"]
    (program.folder / "timeline.json").write_text(json.dumps(timeline))
    program.ok("compose", "timeline.json", "-o", "again.mp4", "--crf", "0")
    assert sums(program.folder / "again.mp4") == sums(program.folder / "film.mp4")
    # Without a video composition, too.
    del timeline["videoComposition"]
    (program.folder / "plain.json").write_text(json.dumps(timeline))
    program.ok("compose", "plain.json", "-o", "plain.mp4", "--crf", "0")
    whole = sums(program.folder / "film.mp4")
    assert sums(program.folder / "plain.mp4")[:62] == whole[:62]


def test_a_document_comes_back(program: Program) -> None:
    source(program, "closed.mp4")
    frames = sums(program.folder / "closed.mp4")
    rate = 25.0

    def time(value: float) -> Any:
        return {"OTIO_SCHEMA": "RationalTime.1", "rate": rate, "value": value}

    def clip(start: int, count: int, effect: Any) -> Any:
        return {
            "OTIO_SCHEMA": "Clip.1",
            "source_range": {"OTIO_SCHEMA": "TimeRange.1", "start_time": time(start), "duration": time(count)},
            "effects": [effect],
            "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "closed.mp4"},
        }

    children = [
        clip(10, 20, {"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": -1.0}),
        clip(30, 10, {"OTIO_SCHEMA": "FreezeFrame.1"}),
        clip(0, 10, {"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": -2.0}),
    ]
    track = {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": children}
    document = {"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [track]}}
    (program.folder / "film.otio").write_text(json.dumps(document))
    program.ok("compose", "film.otio", "-o", "film.mp4", "--crf", "0")
    shown = sums(program.folder / "film.mp4")
    assert shown[:20] == frames[10:30][::-1]
    # Frames have their own durations: the frozen one is a long one, the others are half as long.
    assert shown[20:] == [frames[30]] + frames[0:20][::-1]


def test_a_table_has_both(program: Program) -> None:
    frames = sums(source(program, "closed.mp4"))
    table = "file,in,out,speed,freeze,duration\nclosed.mp4,0.4,1.2,-1,,\nclosed.mp4,,,,1,0.4\n"
    (program.folder / "cuts.csv").write_text(table)
    program.ok("compose", "cuts.csv", "-o", "film.mp4", "--crf", "0")
    assert sums(program.folder / "film.mp4") == frames[10:30][::-1] + [frames[25]] * 10


def test_what_can_be_no_frozen_frame_is_named(program: Program) -> None:
    source(program, "closed.mp4")
    clips = [
        {"url": "closed.mp4", "freeze": 9},
        {"url": "closed.mp4", "freeze": 1, "timeRange": {"start": 0, "duration": 1}},
        {"url": "closed.mp4", "freeze": 1, "speed": -1},
        {"duration": 1, "freeze": 1},
        {"url": "closed.mp4", "speed": 0},
    ]
    (program.folder / "film.json").write_text(json.dumps({"clips": clips}))
    failure = program.fails(1, "compose", "film.json")
    for path in ("0/freeze", "1/timeRange", "2/speed", "3/freeze", "4/speed"):
        assert f"clips/{path}" in failure, failure


def test_copying_a_reversed_clip_is_refused(program: Program) -> None:
    source(program, "closed.mp4")
    (program.folder / "film.json").write_text(json.dumps({"clips": [{"url": "closed.mp4", "speed": -1}]}))
    failure = program.fails(1, "compose", "film.json", "-o", "out.mp4", "--preset", "Passthrough")
    assert "it isn't played forward" in failure
    assert not (program.folder / "out.mp4").exists()


def chapters(media: Path) -> List[Any]:
    """Start, end and title of each, in milliseconds."""
    command = ["ffprobe", "-v", "error", "-show_chapters", "-of", "json", str(media)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["chapters"]
    times = [(round(float(each["start_time"]) * 1000), round(float(each["end_time"]) * 1000)) for each in found]
    return [(*time, each["tags"]["title"]) for time, each in zip(times, found)]


@pytest.mark.parametrize("audio", [0, 2.4])
def test_the_chapters_of_a_reversed_clip_are_mirrored(program: Program, audio: float) -> None:
    times = [(0, 400, "a"), (400, 1000, "b"), (1000, 2400, "c")]
    text = ";FFMETADATA1\n"
    for start, end, title in times:
        text += f"[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={title}\n"
    (program.folder / "chapters.txt").write_text(text)
    # With audio, whose length isn't that of the pictures.
    sound: List[Any] = ["-f", "lavfi", "-i", f"sine=d={audio - 0.3}"] if audio else []
    ffmpeg(
        ["-i", program.folder / "chapters.txt", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:d=2.4"]
        + sound
        + ["-map", "1:v", *(["-map", "2:a"] if audio else []), "-map_metadata", "0"]
        + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "flac", program.folder / "film.mkv"]
    )

    def shown(*clips: Any) -> List[Any]:
        out = film(program, list(clips), "out.mkv")
        found = chapters(out)
        out.unlink()
        return found

    backward = {"url": "film.mkv", "speed": -1}
    mirrored = [(0, 1400, "c"), (1400, 2000, "b"), (2000, 2400, "a")]
    assert shown(backward) == mirrored
    part = {**backward, "timeRange": {"start": 0.6, "duration": 1}}
    assert shown(part) == [(0, 600, "c"), (600, 1000, "b")]
    assert shown({**part, "speed": -2}) == [(0, 300, "c"), (300, 500, "b")]
    # A chapter that a cut has divided stays one; where the direction turns, there are two.
    whole = {"start": 0, "duration": 0.6}
    assert shown(part, {**backward, "timeRange": whole}) == [(0, 600, "c"), (600, 1200, "b"), (1200, 1600, "a")]
    ahead = {"url": "film.mkv", "timeRange": {"start": 0.6, "duration": 0.2}}
    assert shown(ahead, {**ahead, "speed": -1}) == [(0, 200, "b"), (200, 400, "b")]
    # At half the speed from 2.4 s to 1.4 s, and at twice the speed from there on.
    ramp = [{"at": 1.4, "speed": -2}, {"at": 1.4, "speed": -0.5}]
    assert shown({"url": "film.mkv", "speedRamp": ramp}) == [(0, 2200, "c"), (2200, 2500, "b"), (2500, 2700, "a")]
