"""The part of appended samples that lies in a writer's session, as ffmpeg and ffprobe see it."""

import os
import random
import subprocess
from fractions import Fraction

import pytest
from conftest import probe

import reelwire
from reelwire import AudioInput, VideoInput

np = pytest.importorskip("numpy")

RATE = 48000


def decoded(path):
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-f", "s16le", "-"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.int16)


def written(engine, path, wave, sizes, session, settings, end=None):
    """The samples of a file to which pieces of a wave of those sizes were appended."""
    inputs = {"audio": AudioInput(RATE, channels=1, settings=settings)}
    with engine.asset_writer(path, session_start=session, **inputs) as writer:
        if end is not None:
            writer.end_session(end)
        first = 0
        for size in sizes:
            piece = wave[first : first + size]
            writer.audio.append(piece, time=Fraction(first, RATE))
            first += size
    return decoded(path)


def random_sizes(dice, count):
    sizes = []
    while sum(sizes) < count:
        sizes.append(min(dice.choice([1, 7, 480, 1000, 4801, 12000, 20000]), count - sum(sizes)))
    return sizes


@pytest.mark.parametrize("seed", range(16))
def test_audio_is_cut_at_the_sessions_start_to_the_sample(engine, tmp_path, seed):
    dice = random.Random(seed)
    count = dice.randrange(20000, 41000)
    wave = (np.arange(count) % 30000 + 1).astype(np.int16)
    extension, codec = dice.choice([("mov", "pcm"), ("wav", "pcm"), ("mka", "flac"), ("flac", "flac")])
    # Also between two samples, at their very times, and before the first.
    at = dice.choice([0, 1, 12000, 999, dice.randrange(count)])
    session = Fraction(at, RATE) - dice.choice([0, Fraction(1, 3 * RATE)])
    sizes = random_sizes(dice, count)
    found = written(engine, tmp_path / f"a.{extension}", wave, sizes, session, {"codec": codec})
    assert np.array_equal(found, wave[at:]), (extension, sizes, at)


@pytest.mark.parametrize("sizes", [[1000, 20000, 20000], [1000, 12000, 28000], [41000], [4801] * 8])
def test_audio_of_another_rate_is_the_same_however_it_is_appended(engine, tmp_path, sizes):
    wave = (np.sin(np.arange(41000) / 20) * 12000).astype(np.int16)[: sum(sizes)]
    settings = {"codec": "pcm", "sampleRate": 32000}
    session = Fraction(12001, RATE)
    found = written(engine, tmp_path / "a.mov", wave, sizes, session, settings)
    whole = written(
        engine, tmp_path / "b.mov", wave[12001:], [len(wave) - 12001], 0, settings
    )
    assert np.array_equal(found, whole)


def ramp(number):
    """A picture of a noise that moves, so that encoders make use of every kind of frame."""
    noise = np.random.default_rng(1).integers(0, 255, (64, 96, 3), np.uint8)
    return np.roll(noise, (2 * number, 3 * number), (0, 1))


# Containers without edit lists, and movies whose edit lists are written at their beginning.
FILES = [
    ("mkv", "h264", "aac", {}),
    ("mkv", "hevc", "flac", {}),
    ("webm", "vp9", "opus", {}),
    ("ts", "h264", "aac", {}),
    ("mp4", "h264", "aac", {"movie_fragment_interval": Fraction(1, 2)}),
    ("mov", "prores", "pcm", {"movie_fragment_interval": Fraction(1, 2)}),
    ("mp4", "h264", "aac", {}),
]


@pytest.mark.parametrize(("extension", "codec", "audio", "options"), FILES)
@pytest.mark.parametrize(("start", "end", "late"), [(0, 2, 0), (Fraction(1, 2), Fraction(5, 2), 0), (0, Fraction(201, 100), 10)])
def test_a_session_ends_where_it_is_stated(engine, tmp_path, extension, codec, audio, options, start, end, late):
    path = tmp_path / f"a.{extension}"
    inputs = {
        "video": VideoInput((96, 64), frame_rate=25, settings={"codec": codec}),
        "audio": AudioInput(RATE, channels=1, settings={"codec": audio}),
    }
    with engine.asset_writer(path, session_start=start, **inputs, **options) as writer:
        for number in range(late, 100):
            writer.video.append(ramp(number), time=Fraction(number, 25))
            wave = np.sin(np.arange(1920) / 20) * 9000
            writer.audio.append(wave.astype(np.int16), time=Fraction(number, 25))
        # Everything is encoded by now, or is going to be.
        writer.video.finish()
        writer.audio.finish()
        writer.end_session(end)
    shown = [n for n in range(late, 100) if Fraction(n + 1, 25) > start and Fraction(n, 25) < end]
    frames = probe(path, "-select_streams", "v", "-show_frames")["frames"]
    assert len(frames) == len(shown)
    # The first one lies where it did, up to the shift by which muxers move the whole because of samples before zero.
    moved = float(frames[0]["pts_time"]) - max(0, late / 25 - float(start))
    assert 0 <= moved < 0.1
    assert writer.result.duration == end - start
    assert writer.result.dropped == []
    sound = probe(path, "-select_streams", "a", "-show_frames")["frames"][-1]
    ended = float(sound["pts_time"]) + int(sound["nb_samples"]) / int(RATE)
    assert ended - moved - float(end - start) < 0.045
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("extension", ["wav", "flac", "mp3", "ogg", "mka"])
def test_a_session_of_audio_ends_where_it_is_stated(engine, tmp_path, extension):
    path = tmp_path / f"a.{extension}"
    wave = (np.sin(np.arange(RATE * 3) / 20) * 9000).astype(np.int16)
    with engine.asset_writer(path, audio=AudioInput(RATE, channels=1)) as writer:
        for first in range(0, len(wave), 4800):
            writer.audio.append(wave[first : first + 4800], time=Fraction(first, RATE))
        writer.audio.finish()
        writer.end_session(Fraction(3, 2))
    assert writer.result.duration == Fraction(3, 2)
    exact = extension in ("wav", "flac", "mp3")
    # Where packets can't be cut, the last one is whole.
    assert 0 <= len(decoded(path)) - RATE * 3 // 2 <= (0 if exact else 2048)


def test_a_session_that_ends_after_its_samples_lasts_as_long_as_they_do(engine, tmp_path):
    path = tmp_path / "a.flac"
    with engine.asset_writer(path, audio=AudioInput(RATE, channels=1)) as writer:
        writer.audio.append(np.zeros(RATE, np.int16))
        writer.end_session(5)
    assert writer.result.duration == 1
    assert len(decoded(path)) == RATE
    assert float(probe(path, "-show_format")["format"]["duration"]) == 1
