"""Scene changes, silences and loudness, against arithmetic and against ffmpeg's own measures."""

import re
import struct
import subprocess
import wave

import pytest
from conftest import run

import reelwire

RATE = 8000


@pytest.fixture(scope="module")
def scenes(tmp_path_factory):
    """Three scenes, of 20, 25 and 30 frames."""
    path = tmp_path_factory.mktemp("scenes") / "scenes.mp4"
    sources = ["testsrc=s=320x180:r=25:d=0.8", "mandelbrot=s=320x180:r=25", "smptebars=s=320x180:r=25:d=1.2"]
    command = ["ffmpeg", "-nostdin", "-v", "error"]
    for source in sources:
        command += ["-f", "lavfi", "-i", source]
    join = "[1]trim=end_frame=25,setpts=PTS-STARTPTS[m];[0][m][2]concat=n=3:v=1:a=0,format=yuv420p"
    subprocess.run([*command, "-filter_complex", join, "-c:v", "libx264", str(path)], check=True)
    return path


@pytest.fixture(scope="module")
def pauses(tmp_path_factory):
    """Two seconds of which every sample is known: 1000 to 8999 are silent, 12000 to 15999 in one channel."""
    path = tmp_path_factory.mktemp("pauses") / "pauses.wav"
    left = [0 if 1000 <= i < 9000 or i >= 12000 else 8000 for i in range(16000)]
    right = [0 if 1000 <= i < 9000 else -8000 for i in range(16000)]
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, RATE, 16000, "NONE", ""))
        file.writeframes(struct.pack("<32000h", *(v for pair in zip(left, right) for v in pair)))
    return path


def test_scene_changes(engine, scenes):
    parts = []
    with engine.open(scenes) as asset:
        found = asset.scene_changes(progress=parts.append)
        part = asset.scene_changes(time_range=reelwire.TimeRange(1, 1.5))
    assert [change.sample_index for change in found] == [20, 45]
    assert [change.time for change in found] == [reelwire.MediaTime(20, 25), reelwire.MediaTime(45, 25)]
    assert all(0.5 < change.score <= 1 for change in found)
    assert [scene.duration * 25 for scene in found.scenes] == [20, 25, 30]
    assert (found.track_id, found.dropped) == (1, [])
    assert parts == sorted(parts) and parts[-1] == 1
    assert [change.sample_index for change in part] == [45]


def test_silences(engine, pauses):
    with engine.open(pauses) as asset:
        found = asset.silences()
        short = asset.silences(minimum_duration=reelwire.MediaTime(8001, RATE))
        loud = asset.silences(threshold=-12)
    assert list(found) == [
        reelwire.TimeRange(reelwire.MediaTime(1000, RATE), reelwire.MediaTime(8000, RATE))
    ]
    assert (found.threshold, found.track_id, len(short)) == (-50, 1, 0)
    assert list(loud) == [reelwire.TimeRange(0, 2)]


def test_loudness(engine, pauses, tmp_path):
    path = tmp_path / "tone.wav"
    tone = "sine=f=1000:r=48000:d=5,volume=8dB,pan=stereo|c0=c0|c1=c0"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", tone, str(path)], check=True
    )
    report = subprocess.run(
        ["ffmpeg", "-nostdin", "-i", str(path), "-af", "ebur128=peak=true", "-f", "null", "-"],
        check=True,
        capture_output=True,
        text=True,
    ).stderr
    right = [float(value) for value in re.findall(r"^ +(?:I|LRA|Peak): +(-?[\d.]+)", report, re.M)]
    with engine.open(path) as asset:
        loudness = asset.loudness()
    measured = [loudness.integrated_loudness, loudness.loudness_range, loudness.true_peak]
    assert measured == pytest.approx(right, abs=0.1)
    assert loudness.sample_peak <= loudness.true_peak
    assert (loudness.sample_rate, loudness.channel_layout) == (48000, "stereo")
    assert loudness.maximum_short_term_loudness == pytest.approx(right[0], abs=0.1)
    with engine.open(pauses) as asset:
        silent = asset.loudness(time_range=reelwire.TimeRange(0.2, 0.5))
    assert (silent.integrated_loudness, silent.true_peak) == (None, None)


def test_errors_are_raised(engine, pauses):
    with engine.open(pauses) as asset:
        with pytest.raises(reelwire.NoSourceTrackError, match="no video track"):
            asset.scene_changes()
        with pytest.raises(reelwire.InvalidParamsError, match="threshold"):
            asset.silences(threshold=3)


def test_asynchronously(scenes):
    async def main():
        async with reelwire.AsyncEngine() as engine, await engine.open(scenes) as asset:
            return len(await asset.scene_changes(sensitivity=0.5))

    assert run(main()) == 2
