"""Items that can't be played: nothing waits for them for ever, before their failure or after it."""

import json
import subprocess

import pytest
from conftest import run
from waiting import HANG

import reelwire

NOTHING = {"kind": "none"}


def bounded(body):
    """The result of a coroutine function of an engine; a call that hangs fails the test."""

    async def main():
        async with reelwire.AsyncEngine() as engine:
            return await body(engine)

    return run(main())


@pytest.fixture
def nothing(binary, tmp_path):
    return tmp_path / "nothing.mp4"


def test_a_seek_ends_before_the_failure_and_after_it(nothing):
    async def seeks(engine):
        player = await engine.player(nothing, clock="host", audio_device=NOTHING)
        first = await player.seek(1)
        with pytest.raises(reelwire.ContentIsUnavailableError):
            await player.wait_until_ended()
        others = [
            await player.seek(1),
            await player.seek("+infinity", exact=True),
            await player.seek(0, while_scrubbing=True),
        ]
        return [first, *others]

    assert [(seek.finished, seek.time) for seek in bounded(seeks)] == [(False, None)] * 4


def test_frames_are_the_error_before_the_failure_and_after_it(nothing):
    async def frames(engine):
        player = await engine.player(nothing, clock="manual")
        item = await player.current_item()
        early = await item.video_output(mode="push")
        await player.advance(0)
        late = await item.video_output(mode="push")
        for pushed in (early.pushed(), late.pushed(), player.frames()):
            with pytest.raises(reelwire.ContentIsUnavailableError):
                await pushed.__anext__()
        assert await player.frame() is None

    bounded(frames)


def test_other_work_raises_the_items_error(nothing):
    async def work(engine):
        player = await engine.player(
            nothing, clock="manual", automatically_waits_to_minimize_stalling=False
        )
        item = await player.current_item()
        await player.advance(0)
        for call in (player.preroll(), item.step(1)):
            with pytest.raises(reelwire.ContentIsUnavailableError):
                await call
        # Nothing will be playing at that time.
        rate = await player.set_rate(1, time=0, at_host_time=1)
        assert (rate["rate"], rate["timeControlStatus"]) == (0, "paused")

    bounded(work)


@pytest.mark.parametrize("is_queue", [False, True])
def test_another_player_passes_over_it(nothing, clip, is_queue):
    async def other(engine):
        player = await engine.player(nothing, clock="manual")
        item = await player.current_item()
        await player.advance(0)
        await player.replace_current_item(None)
        if not is_queue:
            second = await engine.player(item, clock="manual")
            with pytest.raises(reelwire.ContentIsUnavailableError):
                await second.wait_until_ended()
            return
        second = await engine.queue_player([item, clip], clock="manual")
        await second.play()
        await second.advance(1)
        assert len(await second.items()) == 1
        assert (await second.state()).time == reelwire.MediaTime.of(1)

    bounded(other)


def test_messages_of_a_seek_after_the_failure(binary, nothing):
    """Without a client: one answer to each request, while the input stays open."""
    process = subprocess.Popen(
        [binary, "serve", "--framing", "lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )

    def messages(number, method, **params):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        while True:
            yield json.loads(process.stdout.readline())

    def call(number, method, **params):
        answer = next(each for each in messages(number, method, **params) if each.get("id") == number)
        return answer["result"]

    with process:
        asset = call(0, "asset/open", url=str(nothing))["asset"]
        item = call(1, "playerItem/create", asset=asset)["playerItem"]
        player = call(2, "player/create", items=[item], clock="manual")["player"]
        call(3, "player/advanceClock", player=player, by=0)
        end = call(4, "player/seek", player=player, time=1, completion="response")
        assert (end["finished"], end["requestedTime"]["value"]) == (False, 1)
        # As a notification, the operation's only one.
        operation = call(5, "player/seek", player=player, time=2)["operation"]
        rest = messages(6, "player/state", player=player)
        ends = []
        for message in rest:
            if message.get("method") == "player/didSeek":
                ends.append(message["params"])
            elif message.get("id") == 6:
                break
        assert [(each["operation"], each["finished"]) for each in ends] == [(operation, False)]
        process.stdin.close()
        assert process.wait(HANG) == 0
