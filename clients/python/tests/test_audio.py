"""The audio of an asset as one array, against ffmpeg's."""

import subprocess

import numpy
import pytest
from conftest import run

import reelwire


def decoded(path, *arguments):
    command = ["ffmpeg", "-loglevel", "error", "-i", str(path), "-map", "0:a:0", *arguments]
    made = subprocess.run([*command, "-f", "f32le", "-"], check=True, stdout=subprocess.PIPE)
    return numpy.frombuffer(made.stdout, "float32")


@pytest.fixture(scope="session")
def stereo(clips):
    """A tone on the left, another on the right."""
    path = clips / "stereo.wav"
    tones = "aevalsrc='0.5*sin(440*2*PI*t)|0.4*sin(600*2*PI*t)':s=44100:d=2"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "lavfi", "-i", tones]
    subprocess.run([*command, "-c:a", "pcm_s16le", str(path)], check=True)
    return path


def test_what_whisper_takes(engine, clip):
    with engine.open(clip) as asset:
        made = asset.audio(sample_rate=16000, channels=1)
    # ffmpeg plays the padding of the last packet, which lies after the end of the edit list.
    right = decoded(clip, "-ar", "16000", "-ac", "1")[:64000]
    assert (made.dtype, made.shape) == (numpy.float32, (1, len(right)))
    assert made.flags.c_contiguous and made.flags.writeable
    assert numpy.abs(made[0] - right).max() < 1e-6


@pytest.mark.parametrize("channels", [1, 2])
def test_fewer_channels_are_within_full_scale(engine, clips, channels):
    """As ffmpeg mixes integers; of floating-point samples it returns values up to 3."""
    path = clips / "surround.flac"
    tones = "|".join(f"0.9*sin({200 + 50 * number}*2*PI*t)" for number in range(6))
    source = ["ffmpeg", "-y", "-loglevel", "error", "-f", "lavfi", "-i", f"aevalsrc={tones}:c=5.1:d=1"]
    subprocess.run([*source, "-c:a", "flac", "-sample_fmt", "s16", str(path)], check=True)
    mixed = ["ffmpeg", "-loglevel", "error", "-i", str(path), "-ac", str(channels), "-f", "s16le", "-"]
    right = numpy.frombuffer(subprocess.run(mixed, check=True, capture_output=True).stdout, "<i2") / 32768
    with engine.open(path) as asset:
        made = asset.audio(channels=channels)
    assert 0.5 < numpy.abs(made).max() <= 1
    assert numpy.abs(made - right.reshape(-1, channels).T).max() < 1e-3


def test_its_own_rate_and_channels(engine, stereo):
    right = decoded(stereo).reshape(-1, 2).T
    with engine.open(stereo) as asset:
        made = asset.audio()
        assert numpy.array_equal(made, right)
        assert made.flags.c_contiguous
        # Sample n of a range is n / sample_rate seconds after its start.
        part = asset.audio(time_range=reelwire.TimeRange("0.5", "0.25"))
        assert numpy.array_equal(part, right[:, 22050 : 22050 + 11025])
        (track,) = asset.tracks
        assert numpy.array_equal(asset.audio(track), asset.audio(track.track_id))


def test_where_there_is_none_it_is_silent_or_empty(engine, clips, clip, stereo):
    late = clips / "late.wav.mkv"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-i", str(clip), "-itsoffset", "0.5", "-i"]
    command += [str(stereo), "-map", "0:v", "-map", "1:a", "-c", "copy", str(late)]
    subprocess.run(command, check=True)
    right = decoded(stereo).reshape(-1, 2).T
    with engine.open(late) as asset:
        made = asset.audio()
        assert not made[:, :22050].any()
        assert numpy.array_equal(made[:, 22050:], right)
    with engine.open(stereo) as asset:
        assert asset.audio(time_range=reelwire.TimeRange(100, 1)).shape == (2, 0)
        assert asset.audio(channels=1, time_range=reelwire.TimeRange(100, 1)).shape == (1, 0)
    mute = clips / "mute.mkv"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-i", str(clip), "-an", "-c", "copy"]
    subprocess.run([*command, str(mute)], check=True)
    with engine.open(mute) as asset:
        assert (asset.audio().shape, asset.audio(channels=2).shape) == ((1, 0), (2, 0))
        assert asset.audio().dtype == numpy.float32


def test_windows_add_up(engine, clips, stereo):
    """A window before the first sample is silent, and as long as any other."""
    late = clips / "late.mov"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-itsoffset", "1", "-i", str(stereo)]
    subprocess.run([*command, "-c", "copy", str(late)], check=True)
    with engine.open(late) as asset:
        whole = asset.audio()
        windows = [asset.audio(time_range=reelwire.TimeRange(n * 0.5, 0.5)) for n in range(6)]
    assert [each.shape for each in windows] == [(2, 22050)] * 6
    assert not windows[0].any() and not windows[1].any()
    assert numpy.array_equal(numpy.concatenate(windows, axis=1), whole)


def test_what_cannot_be_had_is_an_error(engine, clip):
    with engine.open(clip) as asset:
        with pytest.raises(reelwire.ReelwireError):
            asset.audio(99)
        with pytest.raises(reelwire.ReelwireError):
            asset.audio(sample_rate=-1)


def test_asyncio(binary, stereo):
    async def body():
        async with reelwire.AsyncEngine(binary) as engine, await engine.open(stereo) as asset:
            made = await asset.audio(sample_rate=8000, channels=1)
            assert made.shape == (1, 16000)

    run(body())


def test_volumes_over_time(engine, stereo, tmp_path):
    """In a reader, a waveform and an export; the expected values follow from ffmpeg's own samples."""
    ramp = {"from": 1, "to": 0, "timeRange": {"start": "1/2", "duration": 1}}
    mix = {"inputParameters": [{"trackID": 1, "volume": [ramp]}]}
    plain = decoded(stereo).reshape(-1, 2)
    factors = numpy.clip(1.5 - numpy.arange(len(plain)) / 44100, 0, 1)
    right = plain * factors[:, None]
    with engine.open(stereo) as asset:
        with asset.reader(reelwire.AudioMixOutput(audio_mix=mix)) as reader:
            made = numpy.frombuffer(b"".join(map(bytes, reader.outputs[0])), "float32")
        assert numpy.abs(made.reshape(-1, 2) - right).max() < 1e-6
        with asset.reader(reelwire.AudioMixOutput(audio_mix=None)) as reader:
            made = numpy.frombuffer(b"".join(map(bytes, reader.outputs[0])), "float32")
        assert (made.reshape(-1, 2) == plain).all()
        highest = asset.waveform(4, audio_mix=mix).channels[0].max
        parts = numpy.array_split(right[:, 0], 4)
        assert numpy.abs(numpy.array(highest) - [part.max() for part in parts]).max() < 1e-6
        asset.export(tmp_path / "faded.flac", settings={}, audio_mix=mix)
        assert engine.volume_ramp(mix, 1, 0).get("to") == 0
    exported = decoded(tmp_path / "faded.flac").reshape(-1, 2)
    assert numpy.abs(exported - right).max() < 1e-4
