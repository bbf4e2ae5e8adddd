"""The rules of players on a manual clock: places, ends, loops and pictures, after requests that meet."""

import base64
import json
import subprocess

import pytest
from test_playback import Server

EXACT = {"toleranceBefore": 0, "toleranceAfter": 0}
RED, BLUE = [1, 0, 0, 1], [0, 0, 1, 1]


def encode(path, *arguments):
    subprocess.run(["ffmpeg", "-v", "error", *arguments, str(path)], check=True)
    return str(path)


def test_source(size, rate, duration):
    return ("-f", "lavfi", "-i", f"testsrc2=s={size}:r={rate}:d={duration}")


test_source.__test__ = False


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rules")


@pytest.fixture(scope="module")
def clip(folder):
    """Four seconds of ten frames a second, each second a group of pictures, with audio."""
    audio = ("-f", "lavfi", "-i", "sine=r=48000:d=4")
    settings = ("-g", "10", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le")
    return encode(folder / "clip.mov", *test_source("64x48", 10, 4), *audio, *settings)


@pytest.fixture(scope="module")
def long_group(folder):
    """Five seconds in one group of pictures: a seek in it takes some time."""
    settings = ("-g", "1000", "-pix_fmt", "yuv420p")
    return encode(folder / "long.mp4", *test_source("960x540", 25, 5), *settings)


@pytest.fixture(scope="module")
def tone(folder):
    return encode(folder / "tone.wav", "-f", "lavfi", "-i", "sine=r=48000:d=2")


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


def seconds(time):
    return time["value"] / time["timescale"]


def item(server, path, **options):
    asset = server.call("asset/open", url=path)["asset"]
    return server.call("playerItem/create", asset=asset, **options)["playerItem"]


def player(server, *items, **options):
    made = server.call("player/create", items=list(items), clock="manual", **options)["player"]
    advance(server, made, 0)
    return made


def advance(server, player, by):
    return server.call("player/advanceClock", player=player, by=by)


def state(server, player):
    return server.call("player/state", player=player)


def burst(server, *requests):
    """Sends requests in one write; returns their messages, in order."""
    messages = [server.message(method, **params) for method, params in requests]
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    server.process.stdin.write(lines)
    server.process.stdin.flush()
    return [server.answer(message["id"]) for message in messages]


def since(server, place, *methods):
    """The notifications from a place on, of some methods or all."""
    found = [m for m in server.messages[place:] if "method" in m]
    return [m["params"] for m in found if not methods or m["method"] in methods]


def named(server, place):
    """The notifications from a place on, each with its method."""
    return [(m["method"], m["params"]) for m in server.messages[place:] if "method" in m]


def refusal(server, method, **params):
    return server.answer(server.send(method, **params))["error"]


def shown(server, place=0):
    """The times of the pictures that were pushed."""
    outputs = since(server, place, "videoOutput/didOutput")
    return [seconds(each["itemTimeForDisplay"]) for each in outputs]


def background(colour):
    """A composition of one colour."""
    everything = {"timeRange": {"start": 0, "duration": 4}, "layerInstructions": []}
    instructions = [{**everything, "backgroundColor": colour}]
    return {"renderSize": {"width": 32, "height": 48}, "frameDuration": "1/5", "instructions": instructions}


# Damage


@pytest.mark.parametrize("begins", [0, 2])
def test_what_isnt_read_isnt_damaged(server, clip, begins):
    """A reader that begins in the middle owes the frames from there on: at a later start, and after other settings."""
    made = item(server, clip, initialTime=begins)
    server.call("videoOutput/create", playerItem=made, mode="push", width=16, maxOutstanding=32)
    playing = player(server, made)
    server.call("player/play", player=playing)
    advance(server, playing, 1.5)
    if begins == 0:
        server.call("playerItem/set", playerItem=made, enabledTrackIDs=[1])
    leases = [each["blob"]["lease"] for each in since(server, 0, "videoOutput/didOutput")]
    server.write({"jsonrpc": "2.0", "method": "blob/release", "params": {"leases": leases}})
    advance(server, playing, 5)
    found = server.call("playerItem/state", playerItem=made)
    assert (found["damagedSamples"], found.get("dropped", [])) == (0, [])
    assert shown(server)[-1] == 3.9


# Ends and loops


def looper(server, player, item, **options):
    return server.call("playerLooper/create", player=player, templateItem=item, **options)["playerLooper"]


def looper_state(server, looper):
    found = server.call("playerLooper/state", playerLooper=looper)
    return found["status"], found["loopCount"]


def test_loopers_of_one_item_are_different(server, clip):
    made = item(server, clip)
    playing = player(server, isQueue=True)
    first = looper(server, playing, made, timeRange={"start": 0, "duration": 1})
    server.call("player/play", player=playing)
    advance(server, playing, 2.5)
    server.call("playerLooper/disable", playerLooper=first)
    second = looper(server, playing, made, timeRange={"start": 2, "duration": 1})
    advance(server, playing, 1)
    assert looper_state(server, first) == ("cancelled", 2)
    assert looper_state(server, second) == ("ready", 1)
    server.call("handle/close", handle=first)
    advance(server, playing, 5)
    assert looper_state(server, second) == ("ready", 6)


def test_a_loop_ends_with_its_item(server, clip):
    """Its range doesn't stay with the item, and another one can loop."""
    made = item(server, clip)
    playing = player(server, isQueue=True)
    server.call("player/play", player=playing)
    first = looper(server, playing, made, timeRange={"start": 2, "duration": 1})
    server.call("playerLooper/disable", playerLooper=first)
    advance(server, playing, 1)
    assert server.call("player/items", player=playing)["items"] == []
    place = len(server.messages)
    server.call("player/insert", player=playing, playerItem=made)
    advance(server, playing, 5)
    (jump,) = since(server, place, "playerItem/didJump")
    (end,) = since(server, place, "playerItem/didPlayToEndTime")
    assert (seconds(jump["to"]), seconds(end["time"])) == (0, 4)
    # The item of one that isn't disabled.
    second = looper(server, playing, made)
    server.call("player/remove", player=playing, playerItem=made)
    assert looper_state(server, second) == ("cancelled", 0)
    third = looper(server, playing, made)
    advance(server, playing, 4)
    assert looper_state(server, third) == ("ready", 1)


@pytest.mark.parametrize("ends", [{"forwardPlaybackEndTime": 1}, {"reversePlaybackEndTime": 3}])
def test_passes_end_at_the_items_end_time(server, clip, ends):
    made = item(server, clip, **ends)
    playing = player(server, isQueue=True)
    loop = looper(server, playing, made)
    advance(server, playing, 0)
    is_forward = "forwardPlaybackEndTime" in ends
    if not is_forward:
        server.call("player/seek", player=playing, time=4, **EXACT)
    server.call("player/setRate", player=playing, rate=1 if is_forward else -1)
    advance(server, playing, 3)
    place = [seconds(each["time"]) for each in since(server, 0, "playerItem/didPlayToEndTime")]
    assert place == [1, 1, 1] if is_forward else [3, 3, 3]
    server.call("playerLooper/disable", playerLooper=loop)
    advance(server, playing, 2)
    assert len(since(server, 0, "playerItem/didPlayToEndTime")) == 4


def test_a_range_after_the_items_end_time_fails(server, clip):
    made = item(server, clip, forwardPlaybackEndTime=1)
    playing = player(server, isQueue=True)
    loop = looper(server, playing, made, timeRange={"start": 2, "duration": 1})
    advance(server, playing, 0)
    assert looper_state(server, loop)[0] == "failed"
