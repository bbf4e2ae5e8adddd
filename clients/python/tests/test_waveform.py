"""Waveforms, against the real engine."""

import array
import struct
import wave

import pytest
from conftest import run

import reelwire


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A second of two channels, of which every sample is known."""
    path = tmp_path_factory.mktemp("sound") / "sound.wav"
    left = [(i * 7919) % 65536 - 32768 for i in range(8000)]
    right = [value // 2 for value in left]
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, 8000, 8000, "NONE", ""))
        file.writeframes(struct.pack("<16000h", *(v for pair in zip(left, right) for v in pair)))
    return path, left, right


def test_numbers_are_exact(engine, sound):
    path, *channels = sound
    parts = []
    with engine.open(path) as asset:
        waveform = asset.waveform(100, progress=parts.append)
    assert (waveform.sample_rate, waveform.track_id) == (8000, 1)
    assert waveform.time_range == reelwire.TimeRange(0, 1)
    assert len(waveform.channels) == 2
    for channel, samples in zip(waveform.channels, channels):
        assert len(channel) == 100
        for i in range(100):
            part = samples[i * 80 : (i + 1) * 80]
            assert channel.min[i] * 32768 == min(part)
            assert channel.max[i] * 32768 == max(part)
            assert channel.rms[i] ** 2 * 80 * 32768**2 == pytest.approx(sum(v * v for v in part))
        assert isinstance(channel.rms, array.array)
        assert memoryview(channel.max).format == "d"
    assert parts == sorted(parts)
    assert parts[-1] == 1
    assert not waveform.is_drawn
    with pytest.raises(ValueError, match="not drawn"):
        waveform.save("nothing.png")


def test_numpy_takes_them(engine, sound):
    numpy = pytest.importorskip("numpy")
    with engine.open(sound[0]) as asset:
        channel = asset.waveform(10).channels[0]
    values = numpy.asarray(channel.max)
    assert values.dtype == numpy.float64
    assert values.shape == (10,)
    assert values.tolist() == list(channel.max)


def test_ranges_and_tracks(engine, sound, clip):
    path, left, _ = sound
    with engine.open(path) as asset:
        part = asset.waveform(2, 1, time_range=reelwire.TimeRange("1/2", "1/4"))
        assert part.channels[0].max[1] * 32768 == max(left[5000:6000])
    with engine.open(clip) as asset:
        track = asset.load_tracks("audio")[0]
        assert asset.waveform(3, track).track_id == track.track_id
        with pytest.raises(reelwire.NoSourceTrackError):
            asset.waveform(3, asset.load_tracks("video")[0])
        with pytest.raises(reelwire.InvalidParamsError):
            asset.waveform()


@pytest.mark.parametrize("delivery", ["inline", "shm"])
def test_it_can_be_drawn(engine, sound, tmp_path, delivery):
    with engine.open(sound[0]) as asset:
        with asset.waveform(format="png", width=60, height=20, delivery=delivery) as drawn:
            assert (drawn.width, drawn.height, drawn.format) == (60, 20, "png")
            assert drawn.channels == []
            drawn.save(tmp_path / "a.png")
            data = bytes(drawn)
        both = asset.waveform(60, format="png", height=20, delivery=tmp_path / "b.png")
        assert len(both.channels[0]) == 60
        assert both.path == str(tmp_path / "b.png")
    assert data.startswith(b"\x89PNG")
    assert (tmp_path / "a.png").read_bytes() == data == (tmp_path / "b.png").read_bytes()
    assert struct.unpack(">II", data[16:24]) == (60, 20)


def test_what_progress_raises_cancels_it(binary, tmp_path):
    path = tmp_path / "long.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(2 * 8000 * 600))

    async def body():
        async with reelwire.AsyncEngine(binary) as engine:
            asset = await engine.open(path)

            def fail(part):
                raise KeyError(part)

            with pytest.raises(KeyError):
                await asset.waveform(10, progress=fail)
            assert (await engine.stats())["operations"] == 0
            assert len((await asset.waveform(10)).channels[0]) == 10
            await asset.close()

    run(body())
