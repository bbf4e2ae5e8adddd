"""The rules of players on a manual clock: places, ends, loops and pictures, after requests that meet."""

import base64
import json
import subprocess

import pytest
from serving import Server

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


# Seeks that are pending


def at_the_end(server, path, **options):
    made = item(server, path)
    server.call("videoOutput/create", playerItem=made, width=64)
    playing = player(server, made, **options)
    server.call("player/play", player=playing)
    advance(server, playing, 6)
    return playing, made


def test_a_seek_leaves_an_end_at_once(server, long_group):
    playing, _ = at_the_end(server, long_group)
    _, played = burst(
        server,
        ("player/seek", {"player": playing, "time": 4.5, **EXACT}),
        ("player/play", {"player": playing}),
    )
    assert played["result"]["rate"] == 1
    advance(server, playing, 0.2)
    found = state(server, playing)
    assert (found["effectiveRate"], seconds(found["time"])) == (1, 4.7)


@pytest.mark.parametrize("action", ["advance", "pause"])
def test_the_action_of_an_end_that_a_seek_has_left(server, long_group, action):
    first, second = item(server, long_group), item(server, long_group)
    server.call("videoOutput/create", playerItem=first, width=64)
    playing = player(server, first, second, isQueue=True, actionAtItemEnd="none")
    server.call("player/play", player=playing)
    advance(server, playing, 6)
    burst(
        server,
        ("player/seek", {"player": playing, "time": 4.5, **EXACT}),
        ("player/set", {"player": playing, "actionAtItemEnd": action}),
    )
    advance(server, playing, 0.2)
    (end,) = since(server, 0, "player/didSeek")
    assert end["finished"]
    found = state(server, playing)
    assert (found["currentItem"], found["rate"], seconds(found["time"])) == (first, 1, 4.7)


def test_a_cancelled_seek_stays_at_its_end(server, long_group):
    playing, _ = at_the_end(server, long_group)
    burst(
        server,
        ("player/seek", {"player": playing, "time": 4.5, **EXACT}),
        ("player/play", {"player": playing}),
        ("player/cancelPendingSeeks", {"player": playing}),
    )
    advance(server, playing, 0)
    (end,) = since(server, 0, "player/didSeek")
    found = state(server, playing)
    # It may have landed before the request.
    expected = (1, 4.5) if end["finished"] else (0, 5)
    assert (found["rate"], seconds(found["time"])) == expected
    assert found["timeControlStatus"] == ("playing" if end["finished"] else "paused")


def test_a_rate_continues_from_a_pending_seek(server, long_group):
    playing, _ = at_the_end(server, long_group, automaticallyWaitsToMinimizeStalling=False)
    burst(
        server,
        ("player/seek", {"player": playing, "time": 1, **EXACT}),
        ("player/setRate", {"player": playing, "rate": 1, "atHostTime": 7}),
    )
    advance(server, playing, 3)
    assert seconds(state(server, playing)["time"]) == 3


def test_an_audio_player_plays_from_its_new_time(server, tone):
    opened = server.call("audioPlayer/create", url=tone, clock="manual")["audioPlayer"]
    own = {"audioPlayer": opened}
    for _ in range(3):
        server.call("audioPlayer/play", **own)
        server.call("audioPlayer/advanceClock", **own, by=5)
        burst(
            server,
            ("audioPlayer/set", {**own, "currentTime": 1.5}),
            ("audioPlayer/play", own),
            ("audioPlayer/advanceClock", {**own, "by": 0.1}),
        )
        assert seconds(server.call("audioPlayer/state", **own)["currentTime"]) == 1.6


def test_a_scrubbing_seek_follows_one_that_cant_land(server, clip):
    """The first is found to lie outside when the item has loaded."""
    server.call("asset/open", url=clip)
    made = {"player": "player:1"}
    scrub = {**made, **EXACT, "whileScrubbing": True}
    burst(
        server,
        ("playerItem/create", {"asset": "asset:1"}),
        ("player/create", {"items": ["playerItem:1"], "clock": "manual"}),
        ("player/seek", {**scrub, "time": 100}),
        ("player/seek", {**scrub, "time": 1}),
        ("player/play", made),
    )
    advance(server, "player:1", 2)
    ends = since(server, 0, "player/didSeek")
    assert [(seconds(end["requestedTime"]), end["finished"]) for end in ends] == [(100, False), (1, True)]
    assert seconds(state(server, "player:1")["time"]) == 3


def test_the_revisions_of_scrubbing_ascend(server, long_group):
    made = item(server, long_group)
    server.call("videoOutput/create", playerItem=made, width=64)
    playing = player(server, made)
    place = len(server.messages)
    requests = [
        ("player/seek", {"player": playing, "time": time, "whileScrubbing": True, **EXACT})
        for time in (4, 2, 3)
    ]
    answers = burst(server, *requests)
    advance(server, playing, 0)
    revisions = [params["revision"] for _, params in named(server, place)]
    assert revisions == sorted(revisions)
    ends = since(server, place, "player/didSeek")
    assert [end["revision"] for end in ends] == [a["result"]["revision"] for a in answers] == [1, 2, 3]
    landed = [params["revision"] for method, params in named(server, place) if method == "playerItem/didJump"]
    assert landed == [end["revision"] for end in ends if end["finished"]]


# Pictures


def test_backward_a_frame_is_shown_before_its_end(server, clip):
    made = item(server, clip, reversePlaybackEndTime=1)
    server.call("videoOutput/create", playerItem=made, mode="push", width=16, maxOutstanding=32)
    pulled = server.call("videoOutput/create", playerItem=made, width=16, delivery="inline")
    playing = player(server, made)
    server.call("player/seek", player=playing, time=1.5, **EXACT)
    advance(server, playing, 0)
    place = len(server.messages)
    server.call("player/setRate", player=playing, rate=-1)
    advance(server, playing, 0.25)
    # 1.25 is shown by the frame of 1.2.
    assert shown(server, place) == [1.4, 1.3, 1.2]
    advance(server, playing, 1)
    assert seconds(state(server, playing)["time"]) == 1
    assert shown(server, place) == [1.4, 1.3, 1.2, 1.1, 1.0]
    now = server.call("videoOutput/copyPixelBuffer", **pulled)
    assert seconds(now["itemTimeForDisplay"]) == 1
    # Forward again, the frame of 1.0 is shown already.
    server.call("player/setRate", player=playing, rate=1)
    advance(server, playing, 0.25)
    assert shown(server, place)[5:] == [1.1, 1.2]


def test_a_pause_at_a_boundary_shows_no_frame_before_it(server, clip):
    made = item(server, clip)
    server.call("videoOutput/create", playerItem=made, mode="push", width=16, maxOutstanding=32)
    playing = player(server, made)
    server.call("player/seek", player=playing, time=1.5, **EXACT)
    server.call("player/setRate", player=playing, rate=-1)
    advance(server, playing, 0.5)
    server.call("player/pause", player=playing)
    advance(server, playing, 1)
    assert shown(server)[-1] == 1.0
    server.call("player/setRate", player=playing, rate=-1)
    advance(server, playing, 0.05)
    assert shown(server)[-1] == 0.9


def test_other_settings_are_shown_at_once(server, clip):
    """While time stands, too: to both kinds of outputs."""
    made = item(server, clip, videoComposition=background(RED))
    own = {"playerItem": made}
    pulled = server.call("videoOutput/create", **own, delivery="inline", pixelFormat="rgb24")
    server.call("videoOutput/create", **own, mode="push", width=16)
    playing = player(server, made)

    def colour(**options):
        blob = server.call("videoOutput/copyPixelBuffer", **pulled, **options).get("blob")
        if blob is None:
            return None
        pixel = base64.b64decode(blob["data"])[:3]
        return "red green blue".split()[pixel.index(max(pixel))]

    def has_new():
        return server.call("videoOutput/hasNewPixelBuffer", **pulled)["hasNew"]

    assert colour() == "red" and not has_new() and colour() is None
    place = len(server.messages)
    server.call("playerItem/set", **own, videoComposition=background(BLUE))
    advance(server, playing, 0)
    assert len(shown(server, place)) == 1
    assert has_new() and colour() == "blue" and not has_new()
    # The composition and the frame itself.
    server.call("playerItem/set", **own, videoComposition=None)
    advance(server, playing, 0)
    assert len(shown(server, place)) == 2
    assert has_new() and colour() is not None and not has_new()
    # Another volume is no other picture.
    server.call("playerItem/set", **own, audioMix=None)
    advance(server, playing, 0)
    assert len(shown(server, place)) == 2 and not has_new()


def test_nothing_is_shown_before_zero(server, clip):
    made = item(server, clip)
    pulled = server.call("videoOutput/create", playerItem=made, delivery="inline")
    playing = player(server, made)
    for _ in range(2):
        found = server.call("videoOutput/copyPixelBuffer", **pulled, itemTime=-1)
        assert found["reason"] == "none" and "blob" not in found
        assert not server.call("videoOutput/hasNewPixelBuffer", **pulled, itemTime=-1)["hasNew"]
        server.call("player/play", player=playing)
        advance(server, playing, 1)


def test_a_step_that_isnt_made_is_no_jump(server, clip):
    made = item(server, clip)
    pulled = server.call("videoOutput/create", playerItem=made, delivery="inline")
    playing = player(server, made)
    server.call("player/seek", player=playing, time="+infinity", **EXACT)
    advance(server, playing, 0)
    assert server.call("videoOutput/copyPixelBuffer", **pulled)["isNew"]
    for count in (0, 1):
        step = server.call("playerItem/step", playerItem=made, count=count)
        assert (step["stepped"], step["revision"]) == (0, 1)
        assert not server.call("videoOutput/hasNewPixelBuffer", **pulled)["hasNew"]
    step = server.call("playerItem/step", playerItem=made, count=-1)
    assert (step["stepped"], step["revision"]) == (-1, 2)


# Items


@pytest.mark.parametrize("tracks", [[1, 99], []], ids=["a missing track", "none"])
def test_tracks_that_cant_be_played_are_refused(server, clip, tracks):
    """Nothing is changed then: with a player, and after it."""
    made = item(server, clip)
    playing = player(server, made)
    set_tracks = {"method": "playerItem/set", "playerItem": made, "enabledTrackIDs": tracks}
    assert refusal(server, **set_tracks)["data"]["name"] == "noSourceTrack"
    server.call("player/play", player=playing)
    advance(server, playing, 6)
    assert not since(server, 0, "playerItem/didFailToPlayToEndTime")
    assert len(since(server, 0, "playerItem/didPlayToEndTime")) == 1
    server.call("handle/close", handle=playing)
    assert refusal(server, **set_tracks)["data"]["name"] == "noSourceTrack"
    found = server.call("playerItem/state", playerItem=made)
    assert found["status"] == "readyToPlay" and all(track["isEnabled"] for track in found["tracks"])


@pytest.mark.parametrize(
    ("method", "wrong", "path"),
    [
        ("player/set", {"volume": "loud"}, "/volume"),
        ("player/set", {"volume": 1.5}, "/volume"),
        ("player/set", {"isMuted": 1}, "/isMuted"),
        ("player/set", {"defaultRate": [1]}, "/defaultRate"),
        ("player/set", {"defaultRate": 33}, "/defaultRate"),
        ("player/set", {"actionAtItemEnd": "stop"}, "/actionAtItemEnd"),
        ("player/set", {"automaticallyWaitsToMinimizeStalling": "yes"}, "/automaticallyWaitsToMinimizeStalling"),
        ("player/set", {"audioDevice": 1}, "/audioDevice"),
        ("player/set", {"audioDevice": "alsa:x"}, "/audioDevice"),
        ("player/set", {"audioDevice": "pulse:"}, "/audioDevice"),
        ("player/set", {"audioDevice": {"kind": "tape"}}, "/audioDevice/kind"),
        ("player/set", {"audioDevice": {"kind": "file"}}, "/audioDevice/path"),
        ("playerItem/set", {"enabledTrackIDs": 1}, "/enabledTrackIDs"),
        ("playerItem/set", {"enabledTrackIDs": ["video"]}, "/enabledTrackIDs/0"),
        ("playerItem/set", {"videoComposition": "none"}, "/videoComposition"),
        ("playerItem/set", {"videoComposition": {"backgroundColour": [0, 0, 0, 1]}}, "/videoComposition/backgroundColour"),
        ("playerItem/set", {"audioMix": []}, "/audioMix"),
        ("playerItem/set", {"audioMix": {"inputs": []}}, "/audioMix/inputs"),
        ("playerItem/set", {"audioTimePitchAlgorithm": "chipmunk"}, "/audioTimePitchAlgorithm"),
        ("playerItem/set", {"forwardPlaybackEndTime": True}, "/forwardPlaybackEndTime"),
        ("playerItem/set", {"forwardPlaybackEndTime": "+infinity"}, "/forwardPlaybackEndTime"),
        ("playerItem/set", {"reversePlaybackEndTime": "indefinite"}, "/reversePlaybackEndTime"),
    ],
)
def test_settings_of_the_wrong_kind_are_refused(server, clip, method, wrong, path):
    """With their place and a hint, and nothing of the request is changed. Unknown members are ignored, as in all requests."""
    made = item(server, clip)
    options = {"clock": "host", "audioDevice": {"kind": "none"}}
    playing = server.call("player/create", items=[made], **options)["player"]
    target = {"player": playing} if method == "player/set" else {"playerItem": made}
    right = {"volume": 0.5} if method == "player/set" else {"audioTimePitchAlgorithm": "varispeed"}
    error = refusal(server, method, **{**right, **target, **wrong, "unknown": 1})
    assert (error["code"], error["data"]["name"]) == (-32602, "invalidParams")
    assert path in [problem["path"] for problem in error["data"]["errors"]]
    assert all(problem["expected"] and problem["got"] for problem in error["data"]["errors"])
    assert error["data"]["hint"]
    assert state(server, playing)["volume"] == 1
    server.call(method, **target, **right, unknown=1)


def test_settings_between_two_players_are_presented(server, clip):
    made = item(server, clip)
    server.call("handle/close", handle=player(server, made))
    server.call("playerItem/set", playerItem=made, enabledTrackIDs=[2])
    player(server, made)
    found = server.call("playerItem/state", playerItem=made)
    assert [track["isEnabled"] for track in found["tracks"]] == [False, True]


def test_settings_take_effect_in_their_order(server, clip):
    """On a clock that isn't manual, too."""
    made = item(server, clip)
    own = {"playerItem": made}
    playing = server.call("player/create", items=[made], clock="host", audioDevice={"kind": "none"})["player"]
    server.until(lambda message: message.get("method") == "playerItem/didChange")
    changes = [[1], None, [2], [1, 2], [1]]
    requests = [("playerItem/set", {**own, "enabledTrackIDs": tracks}) for tracks in changes]
    answers = burst(server, *requests, ("player/play", {"player": playing}))
    assert all("result" in answer for answer in answers)
    found = server.call("playerItem/state", **own)
    assert [track["isEnabled"] for track in found["tracks"]] == [True, False]
    assert found["status"] == "readyToPlay" and found["player"] == playing


@pytest.mark.parametrize("how", ["create", "replace", "insert", "loop"])
def test_a_player_is_ready_with_an_item_that_is(server, clip, how):
    made = item(server, clip)
    server.call("videoOutput/create", playerItem=made, mode="push", width=16)
    server.call("handle/close", handle=player(server, made))
    place = len(server.messages)
    if how == "create":
        playing = player(server, made)
    else:
        playing = player(server, isQueue=True)
    if how == "replace":
        server.call("player/replaceCurrentItem", player=playing, playerItem=made)
    elif how == "insert":
        server.call("player/insert", player=playing, playerItem=made)
    elif how == "loop":
        server.call("playerLooper/create", player=playing, templateItem=made)
    advance(server, playing, 0)
    assert state(server, playing)["status"] == "readyToPlay"
    changes = [each["changes"] for each in since(server, place, "player/didChange")]
    assert [each["status"] for each in changes if "status" in each] == ["readyToPlay"]
    # The pictures of another player don't count.
    assert shown(server, place) == [0]


def test_a_time_past_the_duration_stays(server, clip):
    made = item(server, clip)
    playing = player(server, made, actionAtItemEnd="none")
    server.call("player/play", player=playing)
    advance(server, playing, 6)
    server.call("playerItem/set", playerItem=made, audioMix=None)
    assert seconds(advance(server, playing, 0)["time"]) == 6
    assert seconds(advance(server, playing, 1)["time"]) == 7


@pytest.mark.parametrize("place", ["first", "second"])
def test_an_initial_time_after_the_end_is_the_end(server, clip, place):
    made = item(server, clip, initialTime=99)
    others = [] if place == "first" else [item(server, clip)]
    playing = server.call(
        "player/create", items=[*others, made], clock="manual", isQueue=True, actionAtItemEnd="pause"
    )["player"]
    server.call("player/addPeriodicTimeObserver", player=playing, interval=10)
    if others:
        server.call("player/advanceToNextItem", player=playing)
    reached = advance(server, playing, 0)
    assert seconds(reached["time"]) == 4
    assert seconds(since(server, 0, "playerItem/didJump")[-1]["to"]) == 4
    fired = since(server, 0, "timeObserver/didFire")[-1]
    assert (seconds(fired["time"]), fired["cause"]) == (4, "jump")


def test_an_initial_time_before_zero_is_refused(server, clip):
    asset = server.call("asset/open", url=clip)["asset"]
    error = refusal(server, "playerItem/create", asset=asset, initialTime=-1)
    assert error["code"] == -32602 and "/initialTime" in json.dumps(error)


def test_the_size_of_an_item_without_video(server, clip):
    made = item(server, clip)
    playing = player(server, made)
    server.call("playerItem/set", playerItem=made, enabledTrackIDs=[2])
    advance(server, playing, 0)
    changes = [each["changes"] for each in since(server, 0, "playerItem/didChange")]
    assert [each["status"] for each in changes] == ["readyToPlay"] * 2
    assert [each.get("presentationSize") for each in changes] == [{"width": 64, "height": 48}, None]


# Ends and loops


def test_at_an_end_a_rate_for_a_time_is_zero(server, clip):
    made = item(server, clip)
    playing = player(server, made, automaticallyWaitsToMinimizeStalling=False)
    server.call("player/play", player=playing)
    advance(server, playing, 5)
    place = len(server.messages)
    answer = server.call("player/setRate", player=playing, rate=1, atHostTime=6)
    assert (answer["rate"], answer["timeControlStatus"]) == (0, "paused")
    advance(server, playing, 3)
    assert state(server, playing)["rate"] == 0 and named(server, place) == []
    # With a time it is a jump.
    server.call("player/setRate", player=playing, rate=1, time=1, atHostTime=9)
    advance(server, playing, 2)
    assert seconds(state(server, playing)["time"]) == 2


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


def test_an_audio_player_plays_all_passes_anew(server, tone):
    own = {"audioPlayer": server.call("audioPlayer/create", url=tone, clock="manual", numberOfLoops=1)["audioPlayer"]}
    for start in (None, 0, 1):
        place = len(server.messages)
        if start is not None:
            server.call("audioPlayer/set", **own, currentTime=start)
        begun = seconds(server.call("audioPlayer/advanceClock", **own, by=0)["hostTime"])
        server.call("audioPlayer/play", **own)
        server.call("audioPlayer/advanceClock", **own, by=9)
        assert len(since(server, place, "audioPlayer/didFinishPlaying")) == 1
        change = since(server, place, "audioPlayer/didChange")[-1]
        assert seconds(change["hostTime"]) - begun == 4 - (start or 0)


# Observers and the clock


def test_observers_have_every_start_and_stop(server, clip):
    made = item(server, clip)
    playing = player(server, made, automaticallyWaitsToMinimizeStalling=False)
    server.call("player/addPeriodicTimeObserver", player=playing, interval=10)
    advance(server, playing, 0)
    own = {"method": "player/setRate", "player": playing}

    def causes(by, **rate):
        place = len(server.messages)
        server.call(**own, **rate)
        now = seconds(advance(server, playing, by)["hostTime"])
        return [each["cause"] for each in since(server, place, "timeObserver/didFire")], now

    assert causes(0.5, rate=1) == (["start"], 0.5)
    assert causes(0.5, rate=2, atHostTime=0.5) == ([], 1)
    assert causes(0.5, rate=1, atHostTime=1.25) == (["stop", "start"], 1.5)
    assert causes(0.5, rate=0, atHostTime=1.5) == (["stop"], 2)
    assert causes(0.5, rate=1, time=1) == (["jump"], 2.5)


def test_the_limit_of_notifications_is_stated(server, clip):
    made = item(server, clip)
    playing = player(server, made, actionAtItemEnd="none")
    params = {"player": playing, "interval": {"value": 1, "timescale": 100_000}}
    server.call("player/addPeriodicTimeObserver", **params)
    server.call("player/play", player=playing)
    for _ in range(2):
        place = len(server.messages)
        error = refusal(server, "player/advanceClock", player=playing, by=11)
        assert error["data"]["name"] == "limitExceeded"
        fired = since(server, place, "timeObserver/didFire")
        count = sum(each["cause"] == "interval" for each in fired)
        time = seconds(state(server, playing)["hostTime"])
        assert f" {count} notifications" in error["message"] and f"{time:g}"[:5] in error["message"]
