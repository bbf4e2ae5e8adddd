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


@pytest.mark.parametrize(("extension", "codec"), [("webm", "vp9"), ("mkv", "ffv1"), ("mkv", "h264")])
@pytest.mark.parametrize(
    ("times", "end"),
    [([0, 1, 2], Fraction(1, 2)), ([Fraction(n, 25) for n in range(50)], Fraction(101, 100))],
)
@pytest.mark.parametrize("is_encoded", [False, True])
def test_the_last_frame_ends_with_the_session(engine, tmp_path, extension, codec, times, end, is_encoded):
    path = tmp_path / f"a.{extension}"
    video = VideoInput((96, 64), settings={"codec": codec})
    with engine.asset_writer(path, video=video) as writer:
        if not is_encoded:
            writer.end_session(end)
        for number, time in enumerate(times):
            writer.video.append(ramp(number), time=time)
        if is_encoded:
            writer.video.finish()
            writer.end_session(end)
    assert writer.result.duration == end
    assert float(probe(path, "-show_format")["format"]["duration"]) == float(end)


# A file that holds pauses of PCM, and some that hold those of a codec, by their time stamps.
GAPS = [("wav", "pcm"), ("mov", "pcm"), ("flac", "flac"), ("mka", "flac"), ("mov", "alac"), ("m4a", "alac")]


@pytest.mark.parametrize(("extension", "codec"), GAPS)
@pytest.mark.parametrize("gap", [0.002, 0.02, 0.09, 0.1, 0.5])
def test_audio_after_a_gap_keeps_its_time(engine, tmp_path, extension, codec, gap):
    path = tmp_path / f"a.{extension}"
    beep = np.full(4800, 9000, np.int16)
    at = round((0.1 + gap) * RATE)
    with engine.asset_writer(path, audio=AudioInput(RATE, channels=1, settings={"codec": codec})) as writer:
        writer.audio.append(beep, time=0)
        writer.audio.append(beep, time=Fraction(at, RATE))
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-af", "aresample=async=1:min_hard_comp=0.001"]
    command += ["-f", "s16le", "-"]
    found = np.frombuffer(subprocess.run(command, check=True, capture_output=True).stdout, np.int16)
    expected = np.zeros(at + 4800, np.int16)
    expected[:4800] = expected[at:] = 9000
    assert writer.result.duration == Fraction(at + 4800, RATE)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(("extension", "codec"), GAPS)
@pytest.mark.parametrize("overlap", [0.002, 0.05, 0.1])
def test_audio_that_overlaps_is_cut(engine, tmp_path, extension, codec, overlap):
    """The earlier samples stay."""
    path = tmp_path / f"a.{extension}"
    wave = (np.arange(4800) + 1).astype(np.int16)
    cut = round(overlap * RATE)
    with engine.asset_writer(path, audio=AudioInput(RATE, channels=1, settings={"codec": codec})) as writer:
        writer.audio.append(wave, time=0)
        writer.audio.append(wave, time=Fraction(4800 - cut, RATE))
        writer.audio.append(wave, time=Fraction(9600 - cut, RATE))
    assert np.array_equal(decoded(path), np.concatenate([wave, wave[cut:], wave]))


@pytest.mark.parametrize("rate", [8000, 44100, RATE])
def test_times_that_are_rounded_join(engine, tmp_path, rate):
    path = tmp_path / "a.wav"
    wave = (np.arange(rate) % 30000 + 1).astype(np.int16)
    with engine.asset_writer(path, audio=AudioInput(rate, channels=1, settings={"codec": "pcm"})) as writer:
        for first in range(0, rate, 441):
            writer.audio.append(wave[first : first + 441], time=Fraction(round(first * 1000 / rate), 1000))
    assert np.array_equal(decoded(path), wave)


@pytest.mark.parametrize(("extension", "codec"), [("mp4", "h264"), ("mov", "hevc"), ("ts", "h264"), ("mkv", "h264")])
@pytest.mark.parametrize("count", [2, 20])
def test_frames_after_a_long_pause_are_there(engine, tmp_path, extension, codec, count):
    """FFmpeg ignores how far the frames of a movie are from their decode times if one is too far."""
    path = tmp_path / f"a.{extension}"
    times = [Fraction(start * 25 + n, 25) for start in (0, 3600) for n in range(count)]
    with engine.asset_writer(path, video=VideoInput((96, 64), settings={"codec": codec})) as writer:
        for number, time in enumerate(times):
            writer.video.append(ramp(number), time=time)
    frames = probe(path, "-select_streams", "v", "-show_frames")["frames"]
    shown = [float(frame["pts_time"]) for frame in frames]
    assert [time - shown[0] for time in shown] == pytest.approx([float(time) for time in times], abs=0.002)
    packets = probe(path, "-select_streams", "v", "-show_packets")["packets"]
    if extension != "mkv":
        # Matroska states no decode times.
        assert all(float(each["pts_time"]) - float(each["dts_time"]) < 1 for each in packets)
