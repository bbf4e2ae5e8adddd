"""Capture sessions of the synthetic device on a manual clock, against the real engine."""

import asyncio

import pytest
from conftest import nothing_left, run

import reelwire

SMALL = {"width": 64, "height": 48}


def number(frame):
    """The number in a picture: 16 cells at its top, light for a 1."""
    rows = frame.data
    plane = frame.image["planes"][0]
    cells = [rows[plane["offset"] + 2 * plane["bytesPerRow"] + 4 * cell + 2] for cell in range(16)]
    return sum((value > 126) << (15 - place) for place, value in enumerate(cells))


def test_a_recording_has_all_that_was_captured(engine, tmp_path):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        recording = session.record(tmp_path / "a.mp4")
        session.advance_clock(1)
        recording.pause()
        session.advance_clock(1)
        recording.resume()
        session.advance_clock(1)
        result = recording.stop()
    assert result.duration == reelwire.MediaTime.of(2)
    assert {track["mediaType"]: track["written"] for track in result.tracks} == {
        "video": 60,
        "audio": 96000,
    }
    assert (result.dropped, result.is_plain_movie, result.error) == (0, True, None)
    assert result.size == (tmp_path / "a.mp4").stat().st_size
    with engine.open(tmp_path / "a.mp4") as asset:
        assert asset.load("duration")["duration"] == result.duration
    nothing_left(engine)


def test_another_file_begins_where_the_first_ends(engine, tmp_path):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        first = session.record(tmp_path / "a.mp4")
        session.advance_clock(1)
        second = session.record(tmp_path / "b.mp4")
        session.advance_clock(1)
        # The second recording isn't touched.
        ended = first.stop()
        assert second.state().is_recording
        last = second.stop()
    frames = [result.tracks[0]["written"] for result in (ended, last)]
    assert sum(frames) == 60
    assert ended.is_plain_movie
    nothing_left(engine)


def test_a_limit_ends_a_recording_whose_file_is_whole(engine, tmp_path):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        recording = session.record(tmp_path / "a.wav", max_recorded_duration=0.5)
        session.advance_clock(1)
        result = recording.stop()
        assert isinstance(result.error, reelwire.MaximumDurationReachedError)
        assert result.tracks[0]["written"] == 24000
        with pytest.raises(reelwire.FileAlreadyExistsError):
            session.record(tmp_path / "a.wav")
        with pytest.raises(TypeError, match="a recording"):
            session.record(tmp_path / "b.wav", duration=2)
    nothing_left(engine)


def test_frames_are_given_back_and_counted(engine):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        frames = session.frames(pixel_format="gray")
        session.advance_clock(1)
        assert [number(frame) for frame in frames] == [29]
        assert frames.dropped == {"late": 29, "outOfBuffers": 0, "discontinuity": 0}
        assert frames.closed
        output = session.add_output("videoData", settings={"pixelFormat": "gray"})
        session.advance_clock("1/30")
        (frame,) = output.next()
        assert (number(frame), frame.presentation_time) == (30, reelwire.MediaTime.of(1))
        frame.release()
    nothing_left(engine)


def test_frames_stay_with_their_caller(engine):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        session.advance_clock("1/30")
        output = session.add_output(
            "videoData", settings={"pixelFormat": "gray"}, always_discards_late_video_frames=False
        )
        held = []
        for _ in range(4):
            session.advance_clock("3/30")
            held += output.samples()
        assert [number(frame) for frame in held] == list(range(1, 13))
        assert output.dropped == {"late": 0, "outOfBuffers": 0, "discontinuity": 0}
        frames = session.frames(pixel_format="gray")
        session.advance_clock("1/30")
        for last in frames:
            break
    assert number(last) == 13
    assert [number(frame) for frame in held] == list(range(1, 13))


def test_audio_is_blocks_of_samples(engine):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        blocks = session.audio(sample_format="s16")
        session.advance_clock("1/10")
        assert sum(block.num_samples for block in blocks) == 4800
    nothing_left(engine)


def test_levels_are_those_of_the_beep(engine):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        session.levels()
        session.advance_clock("1/10")
        (level,) = session.levels().channels
        assert level["peakHoldLevel"] == pytest.approx(-6.02, abs=0.01)
    nothing_left(engine)


def test_levels_come_as_they_are_measured(engine):
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        observer = session.observe_levels("1/10")
        session.advance_clock(1)
        first, *silent = [levels.channels[0]["peakHoldLevel"] for levels in observer.arrived()]
        assert first > -10
        assert len(silent) >= 7 and set(silent) == {-160}
        other = session.observe_levels(0.05)
        session.advance_clock(0.5)
        other.close()
        assert other.arrived()
        session.advance_clock(0.5)
        session.stop()
        # The end of the session is that of the loop.
        times = [levels.time for levels in observer]
        assert times == sorted(times)
        assert (times[0] > reelwire.MediaTime.of(1), times[-1] > reelwire.MediaTime.of(1.9)) == (True, True)
        assert other.arrived() == list(other) == []
        observer.close()
    nothing_left(engine)


def test_levels_are_waited_for_while_they_come(binary):
    async def observe():
        async with reelwire.AsyncEngine(binary=binary) as engine:
            async with await engine.capture(synthetic=SMALL, clock="manual") as session:
                async with await session.observe_levels() as observer:
                    heard = asyncio.create_task(_first(observer))
                    await session.advance_clock(1)
                    assert (await heard).time > reelwire.MediaTime.of(0)
                waiting = asyncio.create_task(_all(await session.observe_levels()))
                await session.advance_clock(1)
                await session.stop()
                assert await waiting

    run(observe())


async def _first(observer):
    async for levels in observer:
        return levels


async def _all(observer):
    return [levels async for levels in observer]


def test_a_photo_is_the_next_frame(binary):
    async def take():
        async with reelwire.AsyncEngine(binary=binary) as engine:
            async with await engine.capture(synthetic=SMALL, clock="manual") as session:
                output = await session.add_output("photo")
                photo, _ = await asyncio.gather(output.photo(), session.advance_clock("1/30"))
                assert photo.time == reelwire.MediaTime.of(0)
                assert bytes(photo)[:2] == b"\xff\xd8"
                photo.release()

    run(take())


def test_changes_are_all_made_or_none(engine):
    with engine.capture(clock="manual") as session:
        with pytest.raises(reelwire.DeviceNotConnectedError):
            session.configure([{"add": "output", "type": "photo"}, {"add": "input", "device": "none"}])
        made = session.configure(
            [{"add": "input", "device": "synthetic:1"}, {"add": "output", "type": "videoData"}]
        )
        assert len(session.state().outputs) == len(made.outputs) == 1
        session.start()
        assert session.state().is_running and session.is_running
        session.stop()
        assert not session.state().is_running and not session.is_running
    nothing_left(engine)


def test_a_device_that_fails_is_why_a_session_has_stopped(engine):
    settings = {**SMALL, "unplugAt": 1}
    with engine.capture(synthetic=settings, clock="manual") as session:
        assert session.is_running and not session.is_interrupted
        session.advance_clock(2)
        session.wait_until_stopped()
        assert not session.is_running and session.is_interrupted
        assert isinstance(session.error, reelwire.DeviceWasDisconnectedError)
    nothing_left(engine)


def test_devices_need_a_permission(binary):
    with reelwire.Engine(binary=binary) as engine:
        assert engine.authorization_status("audio") == "denied"
        with pytest.raises(reelwire.ApplicationIsNotAuthorizedToUseDeviceError, match="allow_capture"):
            engine.capture(microphone="pulse:none")
        nothing_left(engine)
    with reelwire.Engine(binary=binary, allow_capture=("microphone",)) as engine:
        assert engine.authorization_status("audio") == "authorized"
        assert engine.authorization_status("video") == "denied"
