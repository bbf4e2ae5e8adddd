"""The cost of a worker process's death: the objects that were in it, and no others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from engine import Engine, EngineError, binary
from child_processes import gone, stop
from support import READ, SIGNAL, STALL, FaultyEngine, ffmpeg
from waiting import HANG, eventually, pause

SECOND = {"start": {"value": 0, "timescale": 1}, "duration": {"value": 1, "timescale": 1}}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> List[Path]:
    folder = tmp_path_factory.mktemp("files")
    files = [folder / f"{number}.mp4" for number in range(4)]
    for file in files:
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:d=2", str(file))
    return files


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    if "isolation" not in engine.call("engine/stats"):
        pytest.skip("without isolation there is one process")
    yield engine
    engine.process.stdin and engine.process.stdin.close()
    assert engine.process.wait(HANG) == 0


def workers(engine: Engine) -> List[int]:
    pids: List[int] = engine.call("engine/stats")["isolation"]["workers"]
    return pids


def kill(engine: Engine, worker: int) -> None:
    os.kill(worker, signal.SIGSEGV)
    eventually("the end of a worker", lambda: worker not in workers(engine))


def opened(engine: Engine, files: List[Path]) -> List[str]:
    return [engine.call("asset/open", url=str(file))["asset"] for file in files]


def outcome(engine: Engine, method: str, **params: Any) -> str:
    try:
        engine.call(method, **params)
        return "ok"
    except EngineError as error:
        return str(error.data["name"])


def composed(engine: Engine, assets: List[str]) -> str:
    composition: str = engine.call("composition/create")["composition"]
    for asset in assets:
        engine.call(
            "composition/insertTimeRange", composition=composition, asset=asset, timeRange=SECOND, at=0
        )
    return composition


def pictures(engine: Engine, asset: str) -> int:
    """Reads all of a video track; how many pictures it has."""
    reader = engine.call(
        "assetReader/create",
        asset=asset,
        outputs=[{"type": "track", "mediaType": "video", "settings": {"pixelFormat": "gray"}}],
    )
    engine.call("assetReader/start", assetReader=reader["assetReader"])
    count = 0
    while True:
        result = engine.call("assetReader/nextSampleBuffers", output=reader["outputs"][0], maxCount=20)
        count += len(result["sampleBuffers"])
        if result["endOfStream"]:
            return count


def test_one_file_needs_one_worker(engine: Engine, files: List[Path]) -> None:
    [asset] = opened(engine, files[:1])
    assert pictures(engine, asset) == 50
    assert len(workers(engine)) == 1


@pytest.mark.parametrize("number", range(3))
def test_assets_in_other_workers_do_not_notice(engine: Engine, files: List[Path], number: int) -> None:
    assets = opened(engine, files)
    pids = workers(engine)
    assert len(pids) == 3
    kill(engine, pids[number])
    outcomes = [outcome(engine, "asset/tracks", asset=asset) for asset in assets]
    # Four assets in three workers: the first has two.
    lost = 2 if number == 0 else 1
    assert sorted(outcomes) == sorted(["workerDied"] * lost + ["ok"] * (4 - lost))
    for asset in assets:
        engine.call("handle/close", handle=asset)
    assert engine.call("handle/list")["handles"] == []
    # No harm is remembered: nothing was in work.
    again = opened(engine, files)
    assert [outcome(engine, "asset/tracks", asset=asset) for asset in again] == ["ok"] * 4


def test_a_composition_outlives_the_workers_of_its_assets(engine: Engine, files: List[Path]) -> None:
    assets = opened(engine, files)
    composition = composed(engine, assets)
    stats = engine.call("engine/stats")
    # An asset that is open in two workers is one.
    assert stats["handles"] == {"asset": 4, "composition": 1}
    handles = [entry["handle"] for entry in engine.call("handle/list")["handles"]]
    assert handles == [*assets, composition]
    for worker in workers(engine)[1:]:
        kill(engine, worker)
    assert pictures(engine, composition) == 100


def test_readers_of_several_files_feed_a_writer(
    engine: Engine, files: List[Path], tmp_path: Path
) -> None:
    """Objects that are combined are together, wherever their files were opened."""
    assets = opened(engine, files)
    readers: List[Dict[str, Any]] = [
        engine.call(
            "assetReader/create", asset=asset, outputs=[{"type": "track", "mediaType": "video"}]
        )
        for asset in assets
    ]
    target = tmp_path / "out.mov"
    writer = engine.call(
        "assetWriter/create",
        outputURL=str(target),
        inputs=[
            {"mediaType": "video", "sourceFormatHint": {"fromAsset": asset, "trackID": 1}} for asset in assets
        ],
    )
    for reader in readers:
        engine.call("assetReader/start", assetReader=reader["assetReader"])
    engine.call("assetWriter/start", assetWriter=writer["assetWriter"])
    engine.call("assetWriter/startSession", assetWriter=writer["assetWriter"], sourceTime=0)
    pairs = [
        {"output": reader["outputs"][0], "input": input}
        for reader, input in zip(readers, writer["inputs"])
    ]
    engine.call(
        "assetWriter/transfer", assetWriter=writer["assetWriter"], pairs=pairs, completion="response"
    )
    engine.call("assetWriter/finish", assetWriter=writer["assetWriter"], completion="response")
    [asset] = opened(engine, [target])
    assert len(engine.call("asset/tracks", asset=asset)["tracks"]) == len(files)


def test_a_closed_asset_is_closed_everywhere(engine: Engine, files: List[Path]) -> None:
    assets = opened(engine, files)
    composition = composed(engine, assets)
    for handle in [*assets, composition]:
        engine.call("handle/close", handle=handle)
    assert engine.call("engine/stats")["handles"] == {}
    assert engine.call("handle/list")["handles"] == []
    for asset in assets:
        assert outcome(engine, "asset/tracks", asset=asset) == "unknownHandle"
        assert (
            outcome(engine, "assetReader/create", asset=asset, outputs=[{"type": "track"}])
            == "unknownHandle"
        )


def test_cursors_of_different_assets_are_not_compared(engine: Engine, files: List[Path]) -> None:
    cursors = [
        engine.call("sampleCursor/create", asset=asset, trackID=1, position="first")["sampleCursor"]
        for asset in opened(engine, files[:2])
    ]
    assert (
        outcome(engine, "sampleCursor/compare", lhs=cursors[0], rhs=cursors[1]) == "invalidSampleCursor"
    )


def test_cancelled_work_that_never_ends_ends_its_process(
    files: List[Path], shared: Path, tmp_path: Path
) -> None:
    """A read that hangs has a slot for good: with one for each core, nothing would continue."""
    with FaultyEngine(shared, "--worker-deadline", "0.3") as engine:
        asset, other = opened(engine, files[:2])
        generator = engine.call(
            "imageGenerator/create", asset=asset, requestedTimeToleranceBefore=0,
            requestedTimeToleranceAfter=0,
        )["imageGenerator"]  # fmt: skip
        engine.call("asset/tracks", asset=other)
        engine.call("asset/tracks", asset=asset)
        engine.fail(READ, STALL, forever=True, inode=files[0].stat().st_ino)
        request = engine.send("imageGenerator/generateImage", imageGenerator=generator, time=1)
        engine.struck()
        # A waiting request is answered at once.
        engine.notify("$/cancelRequest", id=request)
        with pytest.raises(EngineError):
            engine.result(request)
        eventually("a death", lambda: engine.call("engine/stats")["isolation"]["deaths"])
        assert engine.heal()
        with pytest.raises(EngineError, match="deadline") as info:
            engine.call("imageGenerator/generateImage", imageGenerator=generator, time=1)
        assert info.value.data["name"] == "workerDied"
        # The others, and the file itself when it can be read again, are as before.
        assert outcome(engine, "asset/tracks", asset=other) == "ok"
        again = opened(engine, files[:1])
        tracks = engine.call("asset/tracks", asset=again[0])["tracks"]
        assert len(tracks) == 1
        for handle in (generator, asset, other, *again):
            engine.call("handle/close", handle=handle)
        assert engine.call("handle/list")["handles"] == []


def test_a_stopped_worker_does_not_outlive_the_engine(files: List[Path]) -> None:
    """It doesn't see the end of its input."""
    engine = Engine()
    opened(engine, files)
    pids = workers(engine) if "isolation" in engine.call("engine/stats") else []
    for pid in pids:
        stop(pid)
    engine.process.kill()
    engine.process.wait(HANG)
    engine.process.stdin and engine.process.stdin.close()
    gone(pids)


def test_workers_signal_no_other_process(files: List[Path], shared: Path) -> None:
    """Code that a file has taken over could end the supervisor, or stop it."""
    with FaultyEngine(shared) as engine:
        if "isolation" not in engine.call("engine/stats"):
            pytest.skip("without isolation there is one process")
        # In the first worker and in one that was started later.
        for asset in opened(engine, files[:2]):
            engine.call("asset/tracks", asset=asset)
            engine.fail(SIGNAL, 0)
            generator = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
            engine.call("imageGenerator/generateImage", imageGenerator=generator, time=1)
            assert engine.faults.fired == 200


def test_a_slow_caller_ends_no_worker(tmp_path: Path) -> None:
    """A worker whose messages wait for the caller doesn't hang: one that does is killed, here after 1 s."""
    clip = tmp_path / "clip.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=640x360:d=2", str(clip))
    with subprocess.Popen(
        [binary(), "serve", "--worker-patience", "0.5"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout

        def ask(number: int, method: str, **params: Any) -> None:
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            assert process.stdin
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()

        def answer(number: int) -> Dict[str, Any]:
            assert process.stdout
            for line in process.stdout:
                message = json.loads(line)
                if message.get("id") == number:
                    result: Dict[str, Any] = message["result"]
                    return result
            raise AssertionError("the engine has ended")

        ask(1, "asset/open", url=str(clip))
        ask(2, "imageGenerator/create", asset=answer(1)["asset"])
        # Some 50 MB, of which pipes and buffers take a part.
        ask(
            3, "imageGenerator/generateImages", imageGenerator=answer(2)["imageGenerator"],
            times=[number / 30 for number in range(60)], format="rgb24", delivery="inline",
            completion="response",
        )  # fmt: skip
        # It was asked twice whether it reads.
        pause(2.5)
        assert answer(3)["succeeded"] == 60
        ask(4, "engine/stats")
        assert answer(4).get("isolation", {}).get("deaths", 0) == 0
        process.stdin.close()
        assert process.wait(HANG) == 0


def test_players_and_libraries_report_their_death(engine: Engine, files: List[Path], tmp_path: Path) -> None:
    """Objects that send notifications without a request send a last one."""
    asset = opened(engine, files[:1])[0]
    item = engine.call("playerItem/create", asset=asset)["playerItem"]
    player = engine.call("player/create", items=[item], clock="manual")["player"]
    (tmp_path / "media").mkdir()
    library = engine.call(
        "library/open", database=str(tmp_path / "library.sqlite"), folders=[{"path": str(tmp_path / "media")}]
    )["library"]
    handles = {"player/didChange": player, "playerItem/didChange": item, "library/didFail": library}
    engine.take()
    engine.notifications.clear()
    for worker in workers(engine):
        kill(engine, worker)
    engine.take()
    ends = {each["method"]: each["params"] for each in engine.notifications}
    assert sorted(ends) == sorted(handles)
    for method, handle in handles.items():
        params = ends[method]
        assert params[method.split("/")[0]] == handle
        end = params if method == "library/didFail" else params["changes"]
        assert end.get("status", "failed") == "failed"
        assert end["error"]["data"]["name"] == "workerDied" and end["error"]["data"]["handle"] == handle
    for handle in (player, item, library, asset):
        engine.call("handle/close", handle=handle)
