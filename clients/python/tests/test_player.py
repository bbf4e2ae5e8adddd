"""Players by the client: on a manual clock, where every run is the same."""

import asyncio
import gc
import subprocess
from fractions import Fraction

import numpy
import pytest
from conftest import FRAME, run

import reelwire
from reelwire import MediaTime, TimeRange


def seconds(time):
    return Fraction(time.value, time.timescale)


def test_times_and_the_end(engine, clip):
    with engine.player(clip, clock="manual") as player:
        player.advance(0)
        observer = player.observe(every=1)
        boundaries = player.at([2.5, 0.5])
        assert player.play()["timeControlStatus"] == "playing"
        reached = player.advance(2.25)
        assert (seconds(reached.host_time), seconds(reached.time)) == (Fraction(9, 4),) * 2
        fired = [(seconds(each.time), each.cause) for each in observer.arrived()]
        assert fired == [(0, "registered"), (0, "start"), (1, "interval"), (2, "interval")]
        assert [each.boundary for each in boundaries.arrived()] == [1]
        with pytest.raises((TimeoutError, asyncio.TimeoutError)):
            player.wait_until_ended(timeout=0)
        player.advance(to=10)
        player.wait_until_ended()
        assert next(iter(boundaries)).boundary == 0
        assert player.state().rate == 0
        observer.close()
        assert list(observer.firings())[-1].cause == "stop"


def test_unread_intervals_are_merged(engine, clip):
    """A program that observes and doesn't read holds a thousand of them, and none is lost without being counted."""
    with engine.player(clip, clock="manual") as player:
        player.advance(0)
        observer = player.observe(every=Fraction(1, 1000))
        player.play()
        for step in range(1, 31):
            player.advance(to=Fraction(step, 10))
        fired = observer.arrived()
        assert len(fired) == 1000
        intervals = [each for each in fired if each.cause == "interval"]
        assert sum(1 + each.coalesced for each in intervals) == 3000
        assert [seconds(each.time) for each in intervals[:2]] == [Fraction(1, 1000), Fraction(2, 1000)]
        assert seconds(intervals[-1].time) == 3
        # Those that are read stay as they are.
        player.advance(to=Fraction(31, 10))
        assert [each.coalesced for each in observer.arrived()] == [0] * 100


def test_seeks_and_steps(engine, clip):
    with engine.player(clip, clock="manual") as player:
        player.advance(0)
        sought = player.seek(2, exact=True)
        assert sought.finished and sought.time == MediaTime.of(2) and sought.revision == 1
        assert sought.sample_index == int(2 / FRAME)
        assert player.current_item().step(-2).stepped == -2
        assert not player.seek("-infinity").finished
        assert player.seek("+infinity").sample_index == 119


def test_the_assets_own_duration_is_the_end(engine, clip, tmp_path):
    """A movie states its duration in milliseconds, rounded up; seven frames at 24 are a third of one less."""
    path = tmp_path / "seven.mp4"
    source = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=24", "-frames:v", "7", "-c:v", "libx264"]
    subprocess.run(["ffmpeg", "-v", "error", *source, path], check=True)
    command = ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
    stated = Fraction(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
    with engine.open(path) as asset, engine.player(asset, clock="manual") as player:
        player.advance(0)
        assert seconds(asset.duration) == stated == Fraction(292, 1000)
        end = Fraction(7, 24)
        assert seconds(player.current_item().duration) == end
        for time in (stated, end, "+infinity"):
            sought = player.seek(time, exact=True)
            assert (sought.finished, seconds(sought.time), sought.sample_index) == (True, end, 6)
        assert player.seek(stated).finished
        assert not player.seek(stated + Fraction(1, 1000), exact=True).finished
    # The same before the item is ready.
    with engine.open(path) as asset, engine.player(asset, clock="manual") as player:
        sought = player.seek(stated, exact=True)
        assert (sought.finished, seconds(sought.time)) == (True, end)


def test_the_picture_of_now(engine, clip):
    with engine.player(clip, clock="manual") as player:
        player.advance(0)
        for time in (0, 1.5):
            player.seek(time, exact=True)
            with player.frame() as frame, engine.open(clip) as asset:
                image = asset.image(time, format="rgb24", tolerance=0)
                assert frame.sample_index == int(Fraction(time) / FRAME)
                assert numpy.array_equal(numpy.asarray(frame), numpy.asarray(image))
                image.release()
        # Each call has the format that it names.
        for pixel_format, channels in (("rgba", 4), ("rgb24", 3)):
            with player.frame(pixel_format=pixel_format) as frame:
                assert numpy.asarray(frame).shape[2] == channels


@pytest.mark.parametrize("kind", ["backward", "ramped", "frozen", "after a plain one"])
def test_seeks_in_parts_that_are_shown_otherwise(engine, clip, kind):
    """The picture of a player at each time is that of the image generator, and playback goes on from there."""
    with engine.open(clip) as asset:
        ramp = asset[:2].at_speeds({0.5: 1, 1.5: 0.25})
        parts = {
            "backward": asset[:2].at_speed(-1),
            "ramped": ramp,
            "frozen": asset[:2],
            "after a plain one": asset[2:3] + ramp,
        }
        composition = engine.composition(parts[kind])
        if kind == "frozen":
            held = {"asset": asset.handle, "timeRange": {"start": 1, "duration": 1}, "playback": "freeze"}
            request = {"composition": composition.handle, "at": 0.5, **held}
            engine.request("composition/insertTimeRange", request)
        with composition, engine.player(composition, clock="manual") as player:
            player.advance(0)
            for time in (1.3, 0.25, 1.75):
                sought = player.seek(time, exact=True)
                assert sought.finished and sought.time == MediaTime.of(time)
                with player.frame() as frame:
                    image = composition.image(time, format="rgb24", tolerance=0)
                    assert numpy.array_equal(numpy.asarray(frame), numpy.asarray(image)), time
                    image.release()
            player.play()
            reached = player.advance(0.125)
            assert seconds(reached.time) == Fraction(15, 8)


def test_the_tracks_of_the_file_are_presented_again(engine, clip, tmp_path):
    with engine.player(clip, clock="manual", audio_file=tmp_path / "heard.wav") as player:
        player.advance(0)
        item = player.current_item()
        with engine.open(clip) as asset:
            video, audio = (asset.load_tracks(kind)[0].track_id for kind in ("video", "audio"))
        presented = []
        for changes in ({"enabled_track_ids": (video,)}, {}, {"enabled_track_ids": None}):
            item.set(**changes)
            player.play()
            player.advance(0.5)
            presented.append(item.state().tracks)
        heard = [[track["trackID"] for track in tracks if track["isEnabled"]] for tracks in presented]
        assert heard == [[video], [video], [video, audio]]


def test_pictures_that_come_by_themselves(binary, clip):
    """None is dropped for lack of room."""

    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.player(clip, clock="manual") as player:
                await player.advance(0)
                shown = []
                frames = player.frames(width=32)
                shown.append((await frames.__anext__()).sample_index)
                await player.play()
                for _ in range(119):
                    await player.advance(MediaTime(FRAME.numerator, FRAME.denominator))
                    shown.append((await frames.__anext__()).sample_index)
                await player.advance(1)
                assert [frame async for frame in frames] == []
                assert shown == list(range(120))

    run(job())


def test_a_loop_over_frames_on_a_manual_clock_ends(engine, clip):
    """In a program of one thread nobody moves the clock while a loop waits: it has what is due."""
    with engine.player(clip, clock="manual") as player:
        player.play()
        player.advance(1)
        frames = player.frames(width=32)
        player.advance(1)
        assert [frame.sample_index for frame in frames] == [int(2 / FRAME)]
        output = player.current_item().video_output(mode="push")
        assert [frame.sample_index for frame in output.pushed()] == [int(2 / FRAME)]
        output.close()
        # The clock is moved in the loop: to the end.
        player.seek(0, exact=True)
        shown = []
        for frame in player.frames(width=32, max_outstanding=1):
            shown.append(frame.sample_index)
            player.advance(FRAME)
        assert shown == list(range(120))
        player.wait_until_ended()
        assert list(player.frames()) == []
        player.seek(1, exact=True)
        assert [frame.sample_index for frame in player.frames()] == [int(1 / FRAME)]


def test_frames_stay_with_their_caller(engine, clip):
    """Frames that are held are no less valid than others, and no reason to miss the following ones."""
    with engine.player(clip, clock="manual") as player, engine.open(clip) as asset:
        player.play()
        held, arrays = [], []
        for frame in player.frames(pixel_format="gray"):
            held.append(frame)
            arrays.append(numpy.asarray(frame))
            player.advance(FRAME)
        assert [frame.sample_index for frame in held] == list(range(120))
        with asset.frames("gray") as frames:
            for mine, array, frame in zip(held, arrays, frames):
                assert numpy.array_equal(array, numpy.asarray(frame))
                assert numpy.array_equal(numpy.asarray(mine), array)
        del held, arrays, mine, array
        # A loop that holds none has no copy, and at most two leases.
        player.seek(0, exact=True)
        for number, frame in enumerate(player.frames(width=32)):
            assert engine.stats()["leases"] <= 2
            assert frame.blob._array is not None
            player.advance(FRAME)
            if number == 20:
                break
        first = player.frame()
        array = numpy.asarray(first)
        before = array.copy()
    # The end of the player isn't that of its frames.
    with engine.player(clip, clock="manual") as other:
        other.advance(2)
        other.frame()
        assert numpy.array_equal(array, before) and numpy.array_equal(numpy.asarray(first), before)


def test_a_queue_and_a_loop(engine, clip, tmp_path):
    item = engine.player_item(clip, forward_playback_end_time=1)
    with engine.queue_player([item, clip], clock="manual") as player:
        player.advance(0)
        player.play()
        player.advance(1.5)
        assert [each.handle for each in player.items()] != [item.handle]
        assert player.insert(item)[-1].handle == item.handle
        assert player.advance_to_next_item().handle == item.handle
        player.advance(2)
        player.wait_until_ended()
        assert player.items() == []
    path = tmp_path / "loop.wav"
    with engine.queue_player([clip], clock="manual", audio_file=path) as player:
        with player.loop(TimeRange(1, 0.5)) as looper:
            # A loop has no end.
            with pytest.raises(TimeoutError):
                player.wait_until_ended(0)
            player.play()
            player.advance(2)
            assert looper.loop_count in (3, 4)
            assert player.finish_audio_file()["frames"] == 96_000
    assert path.stat().st_size > 96_000 * 8
    item.close()


def test_an_end_is_left_with_the_answer_that_says_so(engine, clip):
    # On a manual clock the notifications of it come later.
    with engine.player(clip, clock="manual") as player:
        player.set(automatically_waits_to_minimize_stalling=False)
        player.advance(0)
        for leave in (
            lambda: player.seek(0),
            lambda: player.set_rate(-1),
            lambda: player.set_rate(0, time=1),
            lambda: player.current_item().step(-1),
        ):
            player.play()
            player.advance(60)
            # Without a wait.
            player.wait_until_ended(0)
            player.replace_current_item(player.current_item())
            player.wait_until_ended(0)
            leave()
            with pytest.raises(TimeoutError):
                player.wait_until_ended(0)
        player.play()
        player.advance(60)
        player.wait_until_ended()
        # It stays where it is.
        assert player.current_item().step(1).stepped == 0
        player.wait_until_ended(0)
    with engine.queue_player([clip], clock="manual") as player:
        item = player.current_item()
        with player.loop(item=item):
            player.advance(0)
            with pytest.raises(TimeoutError):
                player.wait_until_ended(0)
        for fill in (player.insert, player.replace_current_item, lambda each: player.loop(item=each)):
            player.advance_to_next_item()
            player.advance(0)
            player.wait_until_ended()
            fill(item)
            with pytest.raises(TimeoutError):
                player.wait_until_ended(0)


def test_loops_over_pushed_frames_end_when_the_item_has_left(binary, clip):
    async def job():
        async with reelwire.AsyncEngine(binary=binary) as engine:
            for leave in (
                lambda player, _: player.advance_to_next_item(),
                lambda player, item: player.remove(item),
                lambda player, _: player.remove_all_items(),
                lambda player, _: player.replace_current_item(None),
            ):
                item, following = await engine.player_item(clip), await engine.player_item(clip)
                player = await engine.queue_player([item, following], audio_device={"kind": "none"})
                output = await item.video_output(mode="push", width=32)
                pushed = output.pushed()
                assert (await pushed.__anext__()).sample_index == 0
                end = asyncio.ensure_future(_collect(pushed))
                await leave(player, item)
                assert await end == []
                await player.remove_all_items()
                await player.insert(item)
                again = output.pushed()
                assert (await again.__anext__()).sample_index == 0
                # An item that is played before it doesn't have it leave.
                other = await engine.player_item(clip)
                await player.loop(item=other)
                await player.advance_to_next_item()
                assert (await again.__anext__()).sample_index == 0
                await other.close()
                for each in (player, item, following):
                    await each.close()

    run(job())


def test_what_is_misspelled_is_refused(engine, clip):
    with pytest.raises(TypeError, match="did you mean volume"):
        engine.player(clip, volum=1)
    with pytest.raises(TypeError, match="did you mean initial_time"):
        engine.player_item(clip, initialtime=1)
    with pytest.raises(reelwire.InvalidParamsError):
        engine.player(clip, clock="manual", volume=2)


def test_observers_and_loopers_keep_their_player(binary, clip):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:

            async def begun(player, use):
                await player.play()
                return player.handle, await use(player)

            async def advance(player):
                gc.collect()
                await engine.request("player/advanceClock", {"player": player, "by": 1.5})

            player = engine.player(clip, clock="manual")
            handle, observer = await begun(await player, lambda each: each.observe(every=0.5))
            await advance(handle)
            assert len(observer.arrived()) >= 3
            queue = engine.queue_player([clip], clock="manual")
            handle, looper = await begun(await queue, lambda each: each.loop(TimeRange(0, 0.5)))
            await advance(handle)
            assert looper.loop_count >= 2

    run(job())


def test_a_lost_engine_ends_every_wait(binary, clip):
    async def job():
        async with reelwire.AsyncEngine(binary) as engine:
            player = await engine.player(clip, clock="manual")
            observer = await player.observe(every=1)
            waits = [
                asyncio.ensure_future(player.wait_until_ended()),
                asyncio.ensure_future(_collect(observer)),
            ]
            await player.advance(0)
            engine.transport._process.kill()
            for wait in waits:
                with pytest.raises(reelwire.EngineDiedError):
                    await wait

    run(job())


async def _collect(observer):
    return [firing async for firing in observer]
