"""Players in a process with workers: the order of messages, ends that come once, and their fate."""

import json
import os
import signal
import subprocess

import pytest
from serving import Server

from child_processes import stop


@pytest.fixture(scope="module")
def movie(tmp_path_factory):
    path = tmp_path_factory.mktemp("playback") / "movie.mp4"
    command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=4"]
    subprocess.run([*command, "-g", "50", "-pix_fmt", "yuv420p", str(path)], check=True)
    return str(path)


@pytest.fixture(params=[(), ("--no-isolation",)], ids=["workers", "one process"])
def server(request):
    server = Server(*request.param)
    yield server
    server.close()


def player(server, movie, **options):
    asset = server.call("asset/open", url=movie)["asset"]
    item = server.call("playerItem/create", asset=asset)["playerItem"]
    made = server.call("player/create", items=[item], **{"clock": "manual", **options})["player"]
    server.until(lambda message: message.get("method") == "player/didChange")
    return made, item


def test_a_burst_of_seeks_has_an_end_for_each(server, movie):
    """They come in the order of the requests, and nothing comes of a time before the last answer."""
    made, _ = player(server, movie)
    server.call("player/addPeriodicTimeObserver", player=made, interval=0.1)
    ids = [
        server.send("player/seek", player=made, time=n / 10, toleranceBefore=0, toleranceAfter=0)
        for n in range(1, 31)
    ]
    operations = [server.answer(id)["result"]["operation"] for id in ids]
    last = server.answer(ids[-1])["result"]
    server.call("player/advanceClock", player=made, by=0)
    ends = [m["params"] for m in server.messages if m.get("method") == "player/didSeek"]
    assert [end["operation"] for end in ends] == operations
    assert ends[-1]["finished"] and ends[-1]["actualTime"] == {"value": 3, "timescale": 1}
    assert ends[-1]["revision"] == last["revision"]
    answered = server.place(lambda message: message.get("id") == ids[-1])
    later = [m for m in server.messages[answered:] if m.get("method", "x") != "player/didSeek"]
    revisions = [m["params"]["revision"] for m in later if "revision" in m.get("params", {})]
    assert revisions and set(revisions) == {last["revision"]}


def test_what_a_request_causes_follows_its_answer(server, movie):
    made, _ = player(server, movie)
    for _ in range(20):
        for method, rate in (("player/play", 1), ("player/pause", 0)):
            place = len(server.messages)
            server.call(method, player=made)
            changes = [m["params"].get("changes", {}) for m in server.messages[place:] if "method" in m]
            assert rate not in [change.get("rate") for change in changes]


def test_a_seek_that_is_answered_by_its_end(server, movie):
    """The answer has the place of the notification: after the old sequence, and before the jump."""
    made, _ = player(server, movie)
    id = server.send("player/seek", player=made, time=2, completion="response")
    end = server.answer(id)["result"]
    assert end["finished"] and end["playerItem"]
    server.until(lambda message: message.get("method") == "playerItem/didJump")
    assert server.place(lambda message: message.get("id") == id) < server.place(
        lambda message: message.get("method") == "playerItem/didJump"
    )
    assert not any(m.get("method") == "player/didSeek" for m in server.messages)
    assert server.call("engine/stats")["operations"] == 0


def test_all_of_a_batch_is_answered(server, movie):
    """Requests that wait for the end of work, or for notifications, don't wait for the batch's other answers."""
    made, item = player(server, movie)
    batch = [
        server.message("player/play", player=made),
        server.message("player/seek", player=made, time=1, completion="response"),
        server.message("player/seek", player=made, time=2, completion="response"),
        server.message("player/seek", player=made, time=3),
        server.message("player/advanceClock", player=made, by=0.5),
        server.message("player/pause", player=made),
    ]
    server.write(batch)
    answers = [server.answer(message["id"]) for message in batch]
    assert all("result" in answer for answer in answers), answers
    operation = answers[3]["result"]["operation"]
    end = server.until(
        lambda m: m.get("method") == "player/didSeek" and m["params"]["operation"] == operation
    )
    assert end["params"]["finished"]
    caused = server.place(
        lambda m: m.get("method") == "player/didChange" and "rate" in m["params"]["changes"]
    )
    assert caused > server.place(lambda m: m.get("id") == batch[-1]["id"])


def test_nothing_comes_of_what_is_closed(server, movie):
    made, item = player(server, movie)
    params = {"player": made, "interval": 0.5}
    observer = server.call("player/addPeriodicTimeObserver", **params)["timeObserver"]
    params = {"playerItem": item, "mode": "push", "width": 16}
    output = server.call("videoOutput/create", **params)["videoOutput"]
    server.call("player/advanceClock", player=made, by=0)
    server.call("player/play", player=made)
    server.call("handle/close", handle=observer)
    place = len(server.messages)
    server.call("player/advanceClock", player=made, by=1)
    assert not any(m.get("method") == "timeObserver/didFire" for m in server.messages[place:])
    server.call("handle/close", handle=made)
    place = len(server.messages)
    answer = server.answer(server.send("player/play", player=made))
    assert answer["error"]["data"]["name"] == "unknownHandle"
    # The output is still there, with its item, and has no player.
    answer = server.answer(server.send("videoOutput/copyPixelBuffer", videoOutput=output))
    assert answer["error"]["code"] == -11862
    assert not any("method" in m for m in server.messages[place:])
    server.call("handle/close", handle=item)
    handles = server.call("handle/list")["handles"]
    assert [each["kind"] for each in handles] == ["asset"]
    assert server.call("engine/stats")["leases"] == 0


def test_credit_is_what_is_left_of_leases(server, movie):
    made, item = player(server, movie)
    output = server.call(
        "videoOutput/create", playerItem=item, mode="push", width=16, maxOutstanding=2
    )["videoOutput"]
    server.call("player/play", player=made)
    server.call("player/advanceClock", player=made, by=0.5)
    sent = [m["params"] for m in server.messages if m.get("method") == "videoOutput/didOutput"]
    assert len(sent) == 2 and [each["videoOutput"] for each in sent] == [output] * 2
    leases = [each["blob"]["lease"] for each in sent]
    server.write({"jsonrpc": "2.0", "method": "blob/release", "params": {"leases": leases}})
    server.call("player/advanceClock", player=made, by=0.5)
    sent = [m["params"] for m in server.messages if m.get("method") == "videoOutput/didOutput"]
    assert len(sent) == 4
    # 26 pictures are due in a second, with both ends.
    assert sent[2]["dropped"]["outOfCredit"] + 3 <= 26


def test_there_are_64_players_at_most(server):
    made = [server.call("player/create", clock="manual")["player"] for _ in range(64)]
    answer = server.answer(server.send("player/create", clock="manual"))
    assert answer["error"]["data"]["name"] == "limitExceeded"
    server.call("handle/close", handle=made[0])
    server.call("player/create", clock="manual")


def test_16_players_have_items_at_most(server, movie):
    made = [player(server, movie) for _ in range(16)]
    item = server.call("playerItem/create", asset="asset:1")["playerItem"]
    error = server.answer(server.send("player/create", items=[item], clock="manual"))["error"]
    assert error["data"]["name"] == "limitExceeded"
    assert error["data"]["advice"]["name"] == "closeOtherPlayer"
    queue = server.call("player/create", clock="manual", isQueue=True)["player"]
    for method in ("player/insert", "player/replaceCurrentItem"):
        answer = server.answer(server.send(method, player=queue, playerItem=item))
        assert answer["error"]["data"]["name"] == "limitExceeded"
    # One that has no item any more leaves its place to another.
    server.call("player/replaceCurrentItem", player=made[0][0])
    server.call("player/insert", player=queue, playerItem=item)
    server.call("handle/close", handle=made[1][0])
    server.call("player/replaceCurrentItem", player=made[0][0], playerItem=made[0][1])


def test_the_tracks_of_the_file_are_presented_again(server, movie, tmp_path):
    path = str(tmp_path / "both.mp4")
    command = ["ffmpeg", "-v", "error", "-i", movie, "-f", "lavfi", "-i", "sine=d=4", path]
    subprocess.run(command, check=True)
    made, item = player(server, path)

    def enabled():
        server.call("player/advanceClock", player=made, by=0)
        tracks = server.call("playerItem/state", playerItem=item)["tracks"]
        return [track["isEnabled"] for track in tracks]

    server.call("playerItem/set", playerItem=item, enabledTrackIDs=[1])
    assert enabled() == [True, False]
    server.call("playerItem/set", playerItem=item, enabledTrackIDs=None)
    assert enabled() == [True, True]


def test_a_time_limit_below_zero_is_refused(server, movie):
    _, item = player(server, movie)
    output = server.call("videoOutput/create", playerItem=item, width=16)["videoOutput"]
    error = server.answer(
        server.send("videoOutput/copyPixelBuffer", videoOutput=output, timeoutMs=-1)
    )["error"]
    assert error["code"] == -32602 and "/timeoutMs" in json.dumps(error)


def test_the_pictures_of_a_player_are_counted(server, movie):
    """Each that was due was presented, or dropped for a reason."""
    made, item = player(server, movie)
    server.call("videoOutput/create", playerItem=item, mode="push", width=16, maxOutstanding=2)
    server.call("player/play", player=made)
    server.call("player/advanceClock", player=made, by=1)
    (counted,) = server.call("engine/stats")["players"]
    assert counted["player"] == made and counted["presented"] == 2
    assert counted["dropped"] == {"outOfCredit": 24, "late": 0, "skipped": 0}
    assert counted["underruns"] == 0 and counted["bytesBuffered"] > 0
    assert counted["maximumLateness"]["value"] == 0
    server.call("handle/close", handle=made)
    assert server.call("engine/stats")["players"] == []


def test_a_dead_worker_ends_its_players(movie):
    server = Server()
    made, _ = player(server, movie)
    (worker,) = server.call("engine/stats")["isolation"]["workers"][:1]
    stop(worker)
    seek = server.send("player/seek", player=made, time=2, completion="response")
    os.kill(worker, signal.SIGKILL)
    assert server.answer(seek)["error"]["data"]["name"] == "workerDied"
    change = server.until(
        lambda m: m.get("method") == "player/didChange"
        and m["params"]["changes"].get("status") == "failed"
    )
    assert change["params"]["player"] == made
    assert change["params"]["changes"]["error"]["data"]["name"] == "workerDied"
    answer = server.answer(server.send("player/state", player=made))
    assert answer["error"]["data"]["name"] == "workerDied"
    server.close()
