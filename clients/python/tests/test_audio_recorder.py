"""Recorders of audio of the synthetic device on a manual clock, against the real engine."""

import asyncio
import wave

import pytest
from conftest import nothing_left, run

import reelwire

SYNTHETIC = {"device": "synthetic:1", "clock": "manual"}


def test_a_recording_is_paused_and_stopped(engine, tmp_path):
    path = tmp_path / "a.wav"
    settings = {"codec": "pcm_s16le", "sampleRate": 48000, "channels": 1}
    with engine.audio_recorder(path, **SYNTHETIC, settings=settings) as recorder:
        assert recorder.path == str(path)
        assert recorder.stop() is None
        assert not path.exists()
        recorder.record()
        recorder.advance_clock(0.5)
        assert recorder.state().is_recording
        recorder.pause()
        recorder.advance_clock(0.5)
        assert not recorder.state().is_recording
        recorder.record()
        assert recorder.advance_clock("1/10") == reelwire.MediaTime.of("11/10")
        (level,) = recorder.meters().channels
        assert level["peakHoldLevel"] == pytest.approx(-6.02, abs=0.01)
        recorded = recorder.stop()
        assert (recorded.path, recorded.duration) == (str(path), reelwire.MediaTime.of("6/10"))
        assert recorded.successfully and recorded.error is None
        # It has ended, and stays so.
        assert recorder.stop().duration == recorded.duration
        with pytest.raises(reelwire.FileAlreadyExistsError):
            recorder.record()
    with wave.open(str(path)) as file:
        assert (file.getnframes(), file.getframerate()) == (28800, 48000)
    nothing_left(engine)


def test_a_duration_ends_it(engine, tmp_path):
    with engine.audio_recorder(tmp_path / "a.flac", **SYNTHETIC) as recorder:
        with pytest.raises(reelwire.OperationNotAllowedError, match="record"):
            recorder.wait_until_finished()
        recorder.record(at_host_time=0.25, for_duration=1.125)
        recorder.advance_clock(3)
        recorded = recorder.wait_until_finished()
        assert recorded.successfully and recorded.duration == reelwire.MediaTime.of(1.125)
        recorder.delete_recording()
    assert list(tmp_path.iterdir()) == []
    nothing_left(engine)


def test_a_device_that_is_unplugged_leaves_what_it_had(engine, tmp_path):
    settings = {"unplugAt": 1}
    with engine.audio_recorder(tmp_path / "a.wav", **SYNTHETIC, device_settings=settings) as recorder:
        recorder.record()
        recorder.advance_clock(2)
        recorded = recorder.wait_until_finished()
        assert isinstance(recorded.error, reelwire.DeviceWasDisconnectedError)
        assert not recorded.successfully and recorded.duration == reelwire.MediaTime.of(1)
    nothing_left(engine)


def test_a_recording_without_a_sample_is_an_error(engine, tmp_path):
    with engine.audio_recorder(tmp_path / "a.wav", **SYNTHETIC) as recorder:
        recorder.prepare_to_record()
        recorder.record()
        with pytest.raises(reelwire.NoDataCapturedError):
            recorder.stop()
    assert list(tmp_path.iterdir()) == []
    nothing_left(engine)


def test_what_waits_gets_the_end_of_a_recorder_that_is_closed(binary, tmp_path):
    async def close():
        async with reelwire.AsyncEngine(binary=binary) as engine:
            recorder = await engine.audio_recorder(tmp_path / "a.wav", **SYNTHETIC)
            await recorder.record()
            await recorder.advance_clock(1)
            recorded, _ = await asyncio.gather(recorder.wait_until_finished(), recorder.close())
            assert recorded.duration == reelwire.MediaTime.of(1)

    run(close())


def test_devices_need_a_permission(engine, tmp_path):
    with pytest.raises(reelwire.ApplicationIsNotAuthorizedToUseDeviceError, match="allow_capture"):
        engine.audio_recorder(tmp_path / "a.wav")
    with pytest.raises(reelwire.DeviceNotConnectedError):
        engine.audio_recorder(tmp_path / "a.wav", "nothing")
    nothing_left(engine)
