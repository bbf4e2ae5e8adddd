"""The ends of the outputs of players and capture sessions: their loops end with them, and their frames stay."""

import asyncio

import numpy
import pytest
from conftest import FRAME, nothing_left_async, run
from waiting import eventually_async

import reelwire

SMALL = {"width": 64, "height": 48}
NOTHING = {"kind": "none"}


def of_an_engine(binary, body):
    """Runs a coroutine function of an engine, in which nothing may be left afterwards."""

    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            await body(engine)
            await nothing_left_async(engine)

    run(main())


async def waiting(loop):
    """A task that waits for the rest of a loop."""
    task = asyncio.ensure_future(_rest(loop))
    await asyncio.sleep(0)
    return task


async def _rest(loop):
    return [each async for each in loop]


def test_loops_over_an_output_end_with_it(binary, clip):
    async def loops(engine):
        async with await engine.player_item(clip) as item:
            output = await item.video_output(mode="push")
            task = await waiting(output.pushed())
            await output.close()
            assert await task == []
        async with await engine.capture(synthetic=SMALL, clock="manual") as session:
            preview = await session.add_output("preview")
            task = await waiting(preview.samples())
            await preview.close()
            assert await task == []

    of_an_engine(binary, loops)


def test_loops_over_an_output_end_with_its_removal(binary):
    async def loops(engine):
        async with await engine.capture(synthetic=SMALL, clock="manual") as session:
            preview = await session.add_output("preview")
            audio = await session.add_output("audioData")
            observer = await audio.observe_levels()
            tasks = [await waiting(preview.samples()), await waiting(observer.measured())]
            with pytest.raises(reelwire.ReelwireError):
                await session.configure([{"remove": preview.handle}, {"remove": "nothing"}])
            assert not any(task.done() for task in tasks)
            await session.configure([{"remove": preview.handle}, {"remove": audio.handle}])
            assert [await task for task in tasks] == [[], []]
            for each in (observer, preview, audio):
                await each.close()

    of_an_engine(binary, loops)


def test_levels_of_a_loop_over_audio_end_with_the_session(binary):
    async def loops(engine):
        async with await engine.capture(synthetic=SMALL, clock="manual") as session:
            audio = await session.audio()
            task = await waiting((await audio.observe_levels()).measured())
            await session.stop()
            assert await task == []
            await audio.close()

    of_an_engine(binary, loops)


def test_loops_over_an_item_end_with_it(binary, clip):
    async def loops(engine):
        item = await engine.player_item(clip)
        async with await engine.player(item, clock="host", audio_device=NOTHING) as player:
            output = await item.video_output(mode="push")
            frames = player.frames(width=32)
            pushed = output.pushed()
            for loop in (frames, pushed):
                await loop.__anext__()
            tasks = [await waiting(frames), await waiting(pushed)]
            await item.close()
            assert [await task for task in tasks] == [[], []]
            await output.close()

    of_an_engine(binary, loops)


@pytest.mark.parametrize("is_own", [True, False])
def test_loops_over_a_player_end_with_it(binary, clip, is_own):
    """Also those over an item that isn't the player's, until another player has that."""

    async def loops(engine):
        item = await engine.player_item(clip)
        player = await engine.player(clip if is_own else item, clock="host", audio_device=NOTHING)
        observers = [await player.observe(every=1), await player.at([1])]
        output = await (await player.current_item()).video_output(mode="push")
        begun = [player.frames(width=32), output.pushed()]
        for loop in begun:
            await loop.__anext__()
        tasks = [await waiting(loop) for loop in (*begun, observers[1].firings())]
        await player.close()
        assert [await task for task in tasks] == [[], [], []]
        assert [firing.cause async for firing in observers[0]] == ["registered"]
        if not is_own:
            async with await engine.player(item, clock="manual") as other:
                await other.seek(2, exact=True)
                # The frame at 0 may have been pushed before the seek.
                shown = [frame.sample_index async for frame in output.pushed()]
                assert shown[-1] == int(2 / FRAME)
        for each in (*observers, output, item):
            await each.close()

    of_an_engine(binary, loops)


def test_a_frame_that_waits_while_its_output_closes_is_given_back(binary, clip):
    """Its lease ends with the output: an array of it would change."""

    async def loops(engine):
        async with await engine.player(clip, clock="manual") as player:
            item = await player.current_item()
            for end in ("output", "item"):
                await player.seek(1, exact=True)
                output = await item.video_output(mode="push")
                await player.advance(0)
                assert output._events.has_next
                closing = asyncio.ensure_future((output if end == "output" else item).close())
                await asyncio.sleep(0)
                assert await _rest(output.pushed()) == []
                await closing
                await output.close()
        async with await engine.capture(synthetic=SMALL, clock="manual") as session:
            preview = await session.add_output("preview")
            await session.advance_clock(0.1)
            assert preview._events.has_next
            closing = asyncio.ensure_future(session.close())
            await asyncio.sleep(0)
            assert await _rest(preview.samples()) == []
            await closing

    of_an_engine(binary, loops)


def test_a_frame_that_comes_while_its_output_closes_is_given_back(fake):
    image = {"pixelFormat": "gray", "width": 4, "height": 1, "planes": []}
    moment = {"value": 0, "timescale": 1}
    frame = {
        "videoOutput": "videoOutput:10",
        **{"itemTimeForDisplay": moment, "duration": moment, "revision": 0},
        **{"image": image, "blob": {"$shm": "aaaa"}},
    }
    script = {
        "playerItem/create": [[{"result": {"playerItem": "playerItem:9"}}]],
        "videoOutput/create": [[{"result": {"videoOutput": "videoOutput:10"}}]],
        "handle/close": [[{"notify": ["videoOutput/didOutput", frame]}, {"result": {}}]],
    }

    async def loop():
        async with reelwire.AsyncEngine(**fake(script).options) as engine:
            item = await engine.player_item("a.mp4")
            output = await item.video_output(mode="push")
            task = await waiting(output.pushed())
            await output.close()
            assert await task == []
            assert (await engine.stats())["leases"] == 0

    run(loop())


def test_results_that_come_after_the_close_are_copies(fake):
    """Those of an object whose leases end at any moment."""
    time = {"value": 0, "timescale": 1}
    made = {
        "operation": "operation:5",
        **{"imageGenerator": "imageGenerator:2", "index": 0, "requestedTime": time, "actualTime": time},
        **{"result": "succeeded"},
        "image": {"width": 4, "height": 1, "format": "gray", "blob": {"$shm": "aaaa"}},
    }
    script = {
        "imageGenerator/generateImages": [[{"result": {"operation": "operation:5"}}]],
        "handle/close": [[{"notify": ["imageGenerator/didGenerateImage", made]}, {"result": {}}]],
    }

    async def loop():
        async with reelwire.AsyncEngine(**fake(script).options) as engine:
            asset = await engine.open("a.mp4")
            generator = await asset.image_generator()
            images = generator.images([0], delivery="shm")
            first = asyncio.ensure_future(images.__anext__())

            async def is_asked():
                return "imageGenerator/generateImages" in (await engine.stats())["calls"]

            await eventually_async("the request", is_asked)
            await generator.close()
            assert bytes(await first) == b"aaaa"
            assert engine.transport.shared_memory.bytes_in_use == 0

    run(loop())


def test_the_picture_of_now_after_the_close_of_an_earlier_item(engine, clip):
    first, second = (engine.player_item(clip) for _ in range(2))
    with first, second, engine.queue_player([first, second], clock="manual") as player:
        player.advance(0)
        kept = player.frame()
        array = numpy.asarray(kept)
        before = array.copy()
        assert player.advance_to_next_item() is not None
        first.close()
        player.advance(0)
        for _ in range(2):
            assert player.frame().sample_index == 0
        assert numpy.array_equal(array, before)


def test_pictures_of_now_at_once_each_have_their_own_format(binary, clip):
    async def pictures(engine):
        async with await engine.player(clip, clock="manual") as player:
            await player.advance(0)
            await player.frame(pixel_format="rgba")
            forms = ["gray", "rgb24", "rgba", "gray"]
            frames = await asyncio.gather(*(player.frame(pixel_format=form) for form in forms))
            assert [frame.image["pixelFormat"] for frame in frames] == forms

    of_an_engine(binary, pictures)


def test_frames_that_are_pulled_stay_with_their_caller(engine, clip):
    """One more than the engine leases at a time is a copy, and no error."""
    with engine.capture(synthetic=SMALL, clock="manual") as session:
        output = session.add_output("videoData", settings={"pixelFormat": "gray"})
        held, arrays = [], []
        for _ in range(5):
            session.advance_clock("1/30")
            held += output.next()
            arrays.append(numpy.array(held[-1]))
        assert [frame.blob._array is None for frame in held] == [False] * 2 + [True] * 3
        assert all(numpy.array_equal(*pair) for pair in zip(held, arrays))
        audio = session.add_output("audioData")
        blocks = []
        for _ in range(5):
            session.advance_clock("1/10")
            blocks += audio.next(10)
        # Audio has no such limit.
        assert len(blocks) >= 5 and all(block.blob._array is not None for block in blocks)
    with engine.player(clip, clock="manual") as player:
        player.advance(0)
        output = player.current_item().video_output(pixel_format="gray")
        held = []
        for number in range(5):
            player.seek(number * FRAME, exact=True)
            held.append(output.copy(only_if_new=False, timeout=10))
        assert [frame.sample_index for frame in held] == list(range(5))
        assert [frame.blob._array is None for frame in held] == [False] * 2 + [True] * 3
        output.close()


@pytest.mark.parametrize("way", ["insert", "replace", "loop"])
def test_an_item_that_is_refused_stays_with_its_player(binary, clip, way):
    async def refused(engine):
        player = await engine.player(clip, clock="manual")
        other = await engine.queue_player([clip], clock="host", audio_device=NOTHING)
        await player.seek(1, exact=True)
        item = await player.current_item()
        call = {
            "insert": lambda: other.insert(item),
            "replace": lambda: other.replace_current_item(item),
            "loop": lambda: other.loop(item=item),
        }[way]
        with pytest.raises(reelwire.ReelwireError):
            await call()
        # Its clock is still the one that the caller moves: a loop ends where nothing is due.
        assert [frame.sample_index async for frame in player.frames()] == [int(1 / FRAME)]
        await other.close()
        await player.close()

    of_an_engine(binary, refused)


@pytest.mark.parametrize("kind", ["frames", "audio"])
def test_the_loss_of_a_device_is_the_end_of_a_loop(engine, kind):
    with engine.capture(synthetic={**SMALL, "unplugAt": 1}, clock="manual") as session:
        loop = getattr(session, kind)()
        session.advance_clock(2)
        samples = iter(loop)
        next(samples)
        with pytest.raises(reelwire.DeviceWasDisconnectedError):
            list(samples)
        assert loop.closed
