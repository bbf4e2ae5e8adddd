"""What of appended samples lies in a writer's session, as ffmpeg and ffprobe see it."""

import random
import subprocess
from fractions import Fraction

import pytest

import reelwire
from reelwire import AudioInput

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
