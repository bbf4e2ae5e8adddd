"""Loops over an object whose worker process dies: each ends with the error, and none waits for ever."""

import asyncio

import numpy
import pytest
from conftest import run
from worker_helpers import kill_children

import reelwire

NOTHING = {"kind": "none"}
SMALL = {"width": 64, "height": 48}


def dying(binary, body):
    """Runs a coroutine function of an engine, and of a function that kills its worker processes."""

    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            if "isolation" not in await engine.stats():
                pytest.skip("the engine has no worker processes")
            await body(engine, lambda: kill_children(engine.pid))

    run(main())


async def begun(loops):
    """A task for each loop, which has had its first turn."""
    waits = []
    for loop in loops:
        await loop.__anext__()
        waits.append(asyncio.ensure_future(_rest(loop)))
    return waits


async def _rest(loop):
    return [each async for each in loop]


async def all_died(waits):
    for wait in waits:
        with pytest.raises(reelwire.WorkerDiedError):
            await wait


def test_loops_over_a_player(binary, long_clip):
    async def loops(engine, kill):
        player = await engine.player(long_clip, clock="host", audio_device=NOTHING)
        item = await player.current_item()
        output = await item.video_output(mode="push")
        times = [n / 10 for n in range(600)]
        observers = [await player.observe(every=0.1), await player.at(times)]
        await player.play()
        waits = await begun([player.frames(width=64), output.pushed(), *map(aiter_of, observers)])
        waits.append(asyncio.ensure_future(player.wait_until_ended()))
        kill()
        await all_died(waits)
        # Those that begin later, too.
        with pytest.raises(reelwire.WorkerDiedError):
            await output.pushed().__anext__()
        with pytest.raises(reelwire.WorkerDiedError):
            await observers[0].firings().__anext__()

    dying(binary, loops)


def aiter_of(iterable):
    return iterable.__aiter__()


def test_loops_over_a_capture_session(binary):
    async def loops(engine, kill):
        session = await engine.capture(synthetic=SMALL)
        observer = await session.observe_levels(0.05)
        preview = await session.add_output("preview")
        frames = await session.frames(width=64)
        waits = await begun(map(aiter_of, [observer, preview, frames]))
        kill()
        await all_died(waits)
        assert isinstance(session.error, reelwire.WorkerDiedError)

    dying(binary, loops)


def test_the_end_of_a_session_is_that_of_a_preview(binary):
    async def loops(engine, kill):
        session = await engine.capture(synthetic=SMALL)
        preview = await session.add_output("preview")
        (wait,) = await begun([preview.samples()])
        await session.stop()
        await wait
        await session.start()
        (wait,) = await begun([preview.samples()])
        await session.stop()
        assert all(frame.image for frame in await wait)

    dying(binary, loops)


def test_changes_of_a_library(binary, clip, tmp_path):
    async def changes(engine, kill):
        folder = tmp_path / "media"
        folder.mkdir()
        library = await engine.library(folder, database=tmp_path / "library.sqlite")
        await library.scan()
        live = await library.items.observe()
        loops = [live.changes(), library.updates(0)]
        (folder / "clip.mp4").write_bytes(clip.read_bytes())
        waits = await begun(loops)
        kill()
        await all_died(waits)
        with pytest.raises(reelwire.WorkerDiedError):
            await live.changes().__anext__()

    dying(binary, changes)


def test_frames_stay(binary, long_clip):
    """The bytes of frames are still there when the process that made them isn't."""

    async def frames(engine, kill):
        player = await engine.player(long_clip, clock="host", audio_device=NOTHING)
        await player.play()
        held = []
        with pytest.raises(reelwire.WorkerDiedError):
            async for frame in player.frames(width=64):
                held.append(frame)
                if len(held) == 5:
                    before = [bytes(each) for each in held]
                    kill()
        assert [numpy.asarray(frame).tobytes() for frame in held[:5]] == before

    dying(binary, frames)


def test_what_a_dead_worker_process_had_is_closed(binary):
    async def closes(engine, kill):
        session = await engine.capture(synthetic=SMALL)
        observer = await session.observe_levels(0.05)
        frames = await session.frames(width=64)
        output = await session.add_output("photo")
        (wait,) = await begun([aiter_of(observer)])
        kill()
        await all_died([wait])
        for each in (observer, frames, output, session):
            await each.close()
            assert each.closed
        assert await engine.handles() == []

    dying(binary, closes)
