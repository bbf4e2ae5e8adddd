"""The number of samples of audio: the same by each way, without an encoder's padding, and none cut off."""

import subprocess
import wave

import numpy
import pytest
from heard_samples import heard

import reelwire
from reelwire import TimeRange

# The file that ffmpeg makes of one second, and its number of samples; None where the container states no end,
# or one in milliseconds: then it is all that ffmpeg decodes but an encoder's delay that the container states.
FILES = {
    "edit-list.m4a": ("aac", 44100, 44100),
    "edit-list.mov": ("aac", 44100, 44100),
    "fine-clock.mp4": ("aac -movie_timescale 44100", 44100, 44100),
    "mpeg-layer-3.mp4": ("libmp3lame", 44100, 44100),
    "opus.mp4": ("libopus", 48000, 48000),
    # The delay of the encoder is heard where no edit list hides it.
    "fragments.mp4": ("aac -movflags frag_keyframe+empty_moov", 44100, 44100 + 1024),
    "without-edit-list.mp4": ("aac -use_editlist 0", 44100, 44100 + 1024),
    "lame-tag.mp3": ("libmp3lame", 44100, 44100),
    "opus.opus": ("libopus", 48000, 48000),
    "opus.webm": ("libopus", 48000, 48000),
    "apple.m4a": ("alac", 44100, 44100),
    "dolby.mp4": ("ac3", 44100, None),
    "vorbis.webm": ("libvorbis", 44100, None),
    "aac.mkv": ("aac", 44100, None),
    "aac.ts": ("aac", 44100, None),
    "aac.aac": ("aac", 44100, None),
    "without-tag.mp3": ("libmp3lame -write_xing 0", 44100, None),
    "mpeg-layer-3.mkv": ("libmp3lame", 44100, None),
}


@pytest.fixture(scope="module", params=FILES)
def file(request, tmp_path_factory, shared_engine):
    """A file, the rate of its audio, and how many samples it has."""
    encoder, rate, count = FILES[request.param]
    path = tmp_path_factory.mktemp("lengths") / request.param
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"sine=r={rate}:d=1"]
    subprocess.run([*command, "-c:a", *encoder.split(), str(path)], check=True)
    if count is None:
        with shared_engine.open(path) as asset:
            count = asset.audio().shape[1]
        assert count in heard(path, rate)
    return path, rate, count


def test_all_ways_give_the_same_samples(engine, file, tmp_path):
    path, rate, count = file
    with engine.open(path) as asset:
        whole = asset.audio()
        assert whole.shape == (1, count)
        edges = [0, 0.1, 0.21, 0.5, 0.77, 0.999, 2, 3]
        windows = [asset.audio(time_range=TimeRange(a, b - a)) for a, b in zip(edges, edges[1:])]
        joined = numpy.concatenate(windows, axis=1)
        # AAC's noise differs from one read to the next, but not where it is.
        assert joined.shape == whole.shape and numpy.abs(joined - whole).max() < 0.01
        (track,) = asset.tracks
        output = reelwire.TrackOutput(track, sample_format="s16")
        with asset.reader(output) as reader:
            read = [(buffer.presentation_time, len(buffer.data)) for buffer in reader.outputs[0].samples()]
        # A reader gives no silence before the first sample.
        start = round(float(read[0][0]) * rate)
        assert start == 0 or "vorbis" in str(path)
        assert sum(size for _, size in read) == 2 * (count - start)
        with asset.export_session(tmp_path / "all.wav", "WAV") as session:
            session.export()
        with wave.open(str(tmp_path / "all.wav")) as made:
            assert (made.getframerate(), made.getnframes()) == (rate, count)


@pytest.mark.parametrize(
    "file", [name for name, (_, _, count) in FILES.items() if count and ".webm" not in name],
    indirect=True,
)
def test_it_lasts_as_long_as_the_asset(engine, file):
    path, rate, count = file
    with engine.open(path, prefer_precise_duration_and_timing=True) as asset:
        duration = asset.duration
    # ffmpeg's movies state it in milliseconds.
    slack = 0.001 if path.suffix in {".mp4", ".mov", ".m4a"} else 0
    assert abs(float(duration) - count / rate) <= slack, path.name


def test_a_window_in_a_pause_is_silent(engine, tmp_path):
    """A window that ends, or lies, in a pause between two samples is as long as any other."""
    path = tmp_path / "pause.mkv"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=3"]
    command += ["-af", "aselect='lt(t,1)+gte(t,2)'", "-c:a", "pcm_s16le", str(path)]
    subprocess.run(command, check=True)
    with engine.open(path) as asset:
        whole = asset.audio()
        windows = [asset.audio(time_range=TimeRange(n * 0.3, 0.3)) for n in range(12)]
    assert [each.shape[1] for each in windows[:9]] == [14400] * 9
    assert numpy.array_equal(numpy.concatenate(windows, axis=1), whole)
