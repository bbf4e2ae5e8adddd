"""Where a player is after a start in the past, a seek with tolerances, an item that can't be heard, and in damaged files."""

import subprocess
from fractions import Fraction

import numpy
import pytest
from conftest import nothing_left

from reelwire import MediaTime, TimeRange

RATE = 48000
FRAMES = 72_123


def seconds(time):
    return Fraction(time.value, time.timescale)


def made(path, *arguments):
    subprocess.run(["ffmpeg", "-v", "error", *arguments, path], check=True)
    return path


@pytest.fixture
def noise(tmp_path):
    """Stereo noise, whose samples are all different, of no whole number of frames."""
    samples = numpy.random.default_rng(1).integers(-20000, 20000, (FRAMES, 2)).astype("<i2")
    raw = tmp_path / "raw"
    raw.write_bytes(samples.tobytes())
    path = made(tmp_path / "noise.wav", "-f", "s16le", "-ar", str(RATE), "-ac", "2", "-i", raw)
    return path, samples.astype("f4") / 32768


def heard(path):
    command = ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-"]
    bytes = subprocess.run(command, check=True, capture_output=True).stdout
    return numpy.frombuffer(bytes, "<f4").reshape(-1, 2)


# A start some time ago: how many whole passes before, and how many frames into the next one.
@pytest.mark.parametrize("passes, frames", [(0, 0), (0, 24_001), (1, 0), (1, 5), (2, 60_000)])
def test_a_start_in_the_past_is_in_a_later_pass(engine, noise, tmp_path, passes, frames):
    path, samples = noise
    with engine.audio_player(path, clock="manual", audio_file=tmp_path / "out.wav", number_of_loops=2) as player:
        player.advance(20)
        elapsed = Fraction(passes * FRAMES + frames, RATE)
        player.play(at_host_time=20 - elapsed)
        assert player.state().loop == passes
        player.advance(20)
        player.wait_until_ended()
        player.finish_audio_file()
    expected = numpy.concatenate([samples[frames:], *[samples] * (2 - passes)])
    assert numpy.array_equal(heard(tmp_path / "out.wav")[: len(expected)], expected)


def test_a_start_before_all_passes_is_the_end(engine, noise):
    for loops, late in ((0, 2), (2, 6), (2, 3600), (0, 1 << 62), (2, 1 << 62)):
        with engine.audio_player(noise[0], clock="manual", number_of_loops=loops) as player:
            player.advance(3600)
            player.play(at_host_time=3600 - late)
            player.advance(0)
            player.wait_until_ended()
            state = player.state()
            assert (state.is_playing, state.current_time, state.loop) == (False, player.duration, loops)


@pytest.mark.parametrize("rate", [1, 2, -1])
def test_a_start_in_the_past_in_a_loop(engine, noise, rate):
    with engine.queue_player([noise[0]], clock="manual") as player:
        looper = player.loop(TimeRange(Fraction(1, 4), 1))
        player.set(automatically_waits_to_minimize_stalling=False)
        player.advance(20)
        # Three passes and a tenth of the media's time.
        player.set_rate(rate, time=Fraction(1, 2), at_host_time=20 - Fraction(31, 10) / abs(rate))
        expected = Fraction(1, 2) + Fraction(1, 10) * (1 if rate > 0 else -1)
        assert seconds(player.state().time) == expected
        player.advance(Fraction(1, 10) / abs(rate))
        assert seconds(player.state().time) == expected + Fraction(1, 10) * (1 if rate > 0 else -1)
        # The next end is one more.
        player.advance(Fraction(3, 4) / abs(rate))
        assert looper.loop_count == 4


def test_a_start_in_the_past_of_a_queue(engine, noise):
    with engine.queue_player([noise[0], noise[0]], clock="manual") as player:
        player.set(automatically_waits_to_minimize_stalling=False)
        player.advance(20)
        first, second = player.items()
        player.set_rate(1, time=0, at_host_time=20 - Fraction(FRAMES + 1000, RATE))
        assert player.current_item().handle == second.handle
        assert seconds(player.state().time) == Fraction(1000, RATE)
    with engine.player(noise[0], clock="manual") as player:
        player.set(automatically_waits_to_minimize_stalling=False)
        player.advance(20)
        player.set_rate(1, time=0, at_host_time=0)
        player.wait_until_ended()
        state = player.state()
        assert (state.rate, seconds(state.time)) == (0, Fraction(FRAMES, RATE))


def test_a_start_in_the_past_of_items_that_are_not_loaded(engine, noise):
    with engine.queue_player([noise[0]] * 3, clock="manual") as player:
        player.set(automatically_waits_to_minimize_stalling=False)
        last = player.items()[2]
        player.set_rate(1, time=0, at_host_time=-Fraction(2 * FRAMES + 1000, RATE))
        player.advance(0)
        assert player.current_item().handle == last.handle
        assert seconds(player.state().time) == Fraction(1000, RATE)
        player.advance(Fraction(500, RATE))
        assert seconds(player.state().time) == Fraction(1500, RATE)
    # A pause before they are loaded is one in the third.
    with engine.queue_player([noise[0]] * 3, clock="manual") as player:
        player.set(automatically_waits_to_minimize_stalling=False)
        last = player.items()[2]
        player.set_rate(1, time=0, at_host_time=-Fraction(2 * FRAMES + 1000, RATE))
        player.pause()
        player.advance(2)
        assert player.current_item().handle == last.handle
        assert seconds(player.state().time) == Fraction(1000, RATE)


def test_seeks_land_within_their_tolerances(engine, tmp_path):
    """Two pictures of eight seconds: no frame begins near the requested times."""
    path = made(
        tmp_path / "slides.mp4", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=1/8:duration=16", "-c:v", "libx264", "-g", "1")
    with engine.player(path, clock="manual") as player:
        player.advance(0)
        for time, before, after, landed in (
            (3, 0, 0, 3),
            (3, 0, 2, 3),
            (3, 1, 1, 3),
            (3, Fraction(1, 1000), Fraction(1, 1000), 3),
            (3, 3, 0, 0),
            (3, 0, 6, 8),
        ):
            sought = player.seek(time, tolerance_before=before, tolerance_after=after)
            assert (sought.finished, seconds(sought.time)) == (True, landed)
            assert sought.sample_index == landed // 8


@pytest.fixture
def silent(tmp_path):
    """A file that states two seconds of audio, and whose table of sizes is missing."""
    path = made(tmp_path / "whole.m4a", "-f", "lavfi", "-i", f"sine=d=2:r={RATE}", "-c:a", "aac")
    (tmp_path / "silent.m4a").write_bytes(path.read_bytes().replace(b"stsz", b"free"))
    return tmp_path / "silent.m4a"


@pytest.mark.parametrize("steps", [1, 60])
def test_an_item_that_cannot_be_heard_takes_no_time(engine, noise, silent, tmp_path, steps):
    path, samples = noise
    files = [path, silent, path]
    with engine.queue_player(files, clock="manual", audio_file=tmp_path / "out.wav") as player:
        player.play()
        for _ in range(steps):
            player.advance(Fraction(60, steps))
        assert player.items() == []
        assert player.finish_audio_file()["frames"] == 2 * FRAMES
    assert numpy.array_equal(heard(tmp_path / "out.wav"), numpy.concatenate([samples, samples]))


def test_a_player_stands_before_an_item_that_cannot_be_heard(engine, silent, tmp_path):
    with engine.player(silent, clock="manual", audio_file=tmp_path / "out.wav") as player:
        player.play()
        for step in (0.5, 1, 10):
            player.advance(step)
        state = player.state()
        assert (state.rate, seconds(state.time)) == (0, 0)
        assert player.finish_audio_file()["frames"] == 0


def test_a_closed_players_file_is_free(engine, noise, tmp_path):
    for _ in range(20):
        with engine.player(noise[0], clock="manual", audio_file=tmp_path / "out.wav") as player:
            player.play()
            player.advance(1)
    assert not (tmp_path / "out.wav").exists()
    nothing_left(engine)


def test_damaged_samples_are_counted(engine, tmp_path):
    path = made(tmp_path / "whole.m4a", "-f", "lavfi", "-i", f"anoisesrc=d=3:r={RATE}", "-c:a", "aac")
    command = ["ffprobe", "-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path]
    packets = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    bytes = bytearray(path.read_bytes())
    for packet in packets[40:50]:
        size, place = map(int, packet.split(","))
        bytes[place : place + size] = b"\xff" * size
    (tmp_path / "damaged.m4a").write_bytes(bytes)
    with engine.player(
        tmp_path / "damaged.m4a", clock="manual", audio_file=tmp_path / "out.wav"
    ) as player:
        player.play()
        player.advance(1)
        item = player.current_item()
        damaged = item.state().damaged_samples
        player.advance(5)
        state = item.state()
        assert 0 < damaged <= state.damaged_samples == 10
        assert [dropped["item"] for dropped in state.dropped] == ["damagedSamples"]
        assert state.dropped[0]["reason"].startswith("10 samples couldn't be decoded")


def test_a_loop_outside_of_its_item_fails(engine, noise):
    with engine.queue_player([noise[0]], clock="manual") as player:
        looper = player.loop(TimeRange(100, 1))
        player.advance(0)
        state = looper.state()
        assert state.status == "failed" and "which ends at 1.503" in str(state.error)


def test_an_item_stays_where_it_cannot_loop(engine, noise):
    with engine.player(noise[0], clock="manual") as player:
        with pytest.raises(Exception, match="without a queue"):
            player.loop()
        assert len(player.items()) == 1
    with engine.queue_player([noise[0], noise[0]], clock="manual") as player:
        with pytest.raises(Exception, match="a number of seconds from 0 on"):
            player.loop(TimeRange(-1, 2))
        assert len(player.items()) == 2
        first = player.current_item()
        player.loop()
        assert player.items()[0].handle == first.handle and len(player.items()) == 2
