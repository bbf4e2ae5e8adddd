"""Where audio begins and ends, by what its container states: against ffmpeg's count of decoded samples, and arithmetic."""

import subprocess

import numpy as np
import pytest

import reelwire

RATE = 48_000
TONE = ["-f", "lavfi", "-i", f"sine=440:r={RATE}:d=2.0012"]
PICTURES = ["-f", "lavfi", "-i", "color=red:s=32x32:r=25:d={}", "-c:v", "mpeg4"]


def ffmpeg(*arguments):
    run = ["ffmpeg", "-v", "error", "-y", *map(str, arguments)]
    subprocess.run(run, check=True)


def count(path):
    """How many samples ffmpeg decodes, without regard to times."""
    run = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-f", "s16le", "-ac", "1", "-"]
    return len(subprocess.run(run, stdout=subprocess.PIPE).stdout) // 2


def exported(asset, path):
    asset.export(path, preset="WAV")
    return count(path)


@pytest.mark.parametrize("seconds", [None, "1.9", "2.2"])
@pytest.mark.parametrize("extension", ["mkv", "mov", "avi", "nut", "ts"])
@pytest.mark.parametrize("codec", ["dca", "eac3", "mp2"])
def test_audio_beside_video_ends_with_its_last_sample(engine, tmp_path, codec, extension, seconds):
    source = tmp_path / f"a.{extension}"
    pictures = [] if seconds is None else [part.format(seconds) for part in PICTURES]
    ffmpeg(*TONE, *pictures, "-c:a", codec, "-strict", "-2", source)
    expected = count(source)
    assert expected > 2 * RATE
    with engine.open(source) as asset:
        assert np.asarray(asset.audio()).shape[1] == expected
        assert exported(asset, tmp_path / "out.wav") == expected


@pytest.mark.parametrize("seconds", [None, "1.9", "2.2"])
def test_a_movies_milliseconds_are_no_end_of_its_audio(engine, tmp_path, seconds):
    """The edit list is in milliseconds; the media ends with the tone: 2.0012 s are 96,058 samples."""
    source = tmp_path / "a.mp4"
    pictures = [] if seconds is None else [part.format(seconds) for part in PICTURES]
    ffmpeg(*TONE, *pictures, "-c:a", "aac", source)
    with engine.open(source) as asset:
        assert exported(asset, tmp_path / "out.wav") == 96_058


@pytest.mark.parametrize("codec", ["dca", "eac3"])
def test_times_in_an_avi_follow_from_its_packets(engine, tmp_path, codec):
    """The header counts these in blocks of two bytes, of which a packet has some hundred."""
    source = tmp_path / "a.avi"
    tone = ["-f", "lavfi", "-i", f"aevalsrc=0.5*lt(t\\,1):s={RATE}:d=2"]
    ffmpeg(*tone, *[part.format(2) for part in PICTURES], "-c:a", codec, "-strict", "-2", source)
    with engine.open(source) as asset:
        part = np.asarray(asset.audio(time_range=reelwire.TimeRange(0.8, 0.4)))[0]
    assert len(part) == round(0.4 * RATE)
    loud = np.abs(part) > 0.25
    assert loud[: RATE // 10].all() and not loud[-RATE // 10 :].any()
