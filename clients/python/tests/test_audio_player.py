"""Audio players on a manual clock, against the real engine."""

import struct
import wave

import pytest
from conftest import nothing_left, run

import reelwire


@pytest.fixture
def sound(tmp_path):
    """Half a second of two channels."""
    path = tmp_path / "sound.wav"
    samples = [(i * 7919) % 20000 - 10000 for i in range(2 * 24000)]
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, 48000, 24000, "NONE", ""))
        file.writeframes(struct.pack("<48000h", *samples))
    return path, samples


def test_passes_are_the_samples_again(engine, sound, tmp_path):
    path, samples = sound
    file = tmp_path / "out.wav"
    with engine.audio_player(
        path, clock="manual", audio_file=file, number_of_loops=1, meter_interval=0.1
    ) as player:
        assert player.duration == reelwire.MediaTime.of(0.5)
        player.prepare_to_play()
        player.play()
        player.advance(0.6)
        assert player.levels.host_time == reelwire.MediaTime.of(0.6)
        assert [level["peak"] for level in player.levels.channels] == pytest.approx([-10.3] * 2, abs=0.1)
        assert player.state().loop == 1
        player.advance(1)
        player.wait_until_ended()
        assert player.finish_audio_file()["frames"] == 48000
        # All passes again, from the answer on.
        player.play()
        with pytest.raises(TimeoutError):
            player.wait_until_ended(0)
    data = file.read_bytes()
    heard = struct.unpack("<96000f", data[-4 * 96000 :])
    assert list(heard) == [sample / 32768 for sample in samples * 2]
    nothing_left(engine)


def test_content_is_found_out_at_once(engine, tmp_path):
    path = tmp_path / "a.wav"
    path.write_text("no media")
    with pytest.raises(reelwire.FileFormatNotRecognizedError):
        engine.audio_player(path)
    with pytest.raises(TypeError, match="an audio player"):
        engine.audio_player(path, loops=2)
    nothing_left(engine)


def test_waiting_ends_with_the_player(binary, sound):
    async def close():
        async with reelwire.AsyncEngine(binary=binary) as engine:
            player = await engine.audio_player(sound[0], clock="manual")
            await player.play()
            await player.close()
            with pytest.raises(reelwire.HandleClosedError):
                await player.wait_until_ended()

    run(close())


@pytest.mark.parametrize("noun", ["player", "audio_player"])
def test_an_end_that_was_reached_stays_so(binary, sound, noun):
    async def lose():
        async with reelwire.AsyncEngine(binary) as engine:
            player = await getattr(engine, noun)(sound[0], clock="manual")
            await player.play()
            await player.advance(60)
            await player.wait_until_ended()
            engine.transport._process.kill()
            with pytest.raises(reelwire.EngineDiedError):
                await engine.stats()
            await player.wait_until_ended()

    run(lose())


def test_a_time_after_the_end_is_refused(engine, sound):
    with engine.audio_player(sound[0], clock="manual") as player:
        duration = player.duration
        player.set(current_time=duration)
        assert player.state().current_time == duration
        for wrong in (-1, duration + reelwire.MediaTime(1, 48000), 99):
            with pytest.raises(reelwire.InvalidParamsError) as refused:
                player.set(current_time=wrong)
            assert "/currentTime" in str(refused.value)
        assert player.state().current_time == duration
