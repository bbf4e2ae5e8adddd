"""Callers that are slow, that keep their samples, and that vanish."""

from __future__ import annotations

import hashlib
import json
import os
import select
import subprocess
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

from engine import CORPUS, Engine, EngineError, number
from waiting import HANG, eventually

LONG = CORPUS / "video" / "ax_long_1080p_lowbitrate.mp4"
pytestmark = pytest.mark.skipif(not LONG.exists(), reason=f"no {LONG}")

PICTURES = {"pixelFormat": "gray", "width": 320, "height": 180}
SMALL = {"mediaType": "video", "settings": PICTURES}
# Room for less than twenty of the pictures.
FEW = ("--shm-max", str(1 << 20))


@pytest.fixture(scope="module")
def times() -> List[Fraction]:
    """The presentation times of the first frames."""
    with Engine() as engine:
        asset = engine.call("asset/open", url=str(LONG))["asset"]
        with engine.reader(asset, SMALL) as (_, outputs):
            buffers = engine.pull(outputs[0], maxCount=16)
            return [number(buffer["presentationTime"]) for buffer in islice(buffers, 80)]


def opened(engine: Engine) -> str:
    asset: str = engine.call("asset/open", url=str(LONG))["asset"]
    return asset


def pull(engine: Engine, output: str, **params: Any) -> List[Dict[str, Any]]:
    params = {"delivery": "shm", "maxCount": 4, **params}
    answer = engine.call("assetReader/nextSampleBuffers", output=output, **params)
    buffers: List[Dict[str, Any]] = answer["sampleBuffers"]
    return buffers


def release(engine: Engine, buffers: List[Dict[str, Any]]) -> None:
    engine.notify("blob/release", leases=[buffer["blob"]["lease"] for buffer in buffers])


def fill(engine: Engine, output: str, timeout: int = 0) -> List[Dict[str, Any]]:
    """Pulls, and keeps all, until there is no memory any more."""
    kept: List[Dict[str, Any]] = []
    while True:
        try:
            kept += pull(engine, output, timeoutMs=timeout)
        except EngineError as error:
            assert (error.code, error.data["name"]) == (2001, "leasesExhausted")
            assert error.data["hint"]
            return kept


def test_who_keeps_all_is_told_and_goes_on_after_a_release(times: List[Fraction]) -> None:
    with Engine(*FEW) as engine:
        asset = opened(engine)
        with engine.reader(asset, SMALL) as (reader, outputs), engine.reader(asset, SMALL) as (_, others):
            kept = fill(engine, outputs[0])
            assert 4 <= len(kept) < 20
            assert engine.call("engine/stats")["leases"] == len(kept)
            # It waits as long as its timeout: one for a day, until it is cancelled, the other hardly.
            waiting = engine.send(
                "assetReader/nextSampleBuffers", output=outputs[0], delivery="shm", maxCount=1,
                timeoutMs=86_400_000,
            )  # fmt: skip
            with pytest.raises(EngineError) as raised:
                pull(engine, others[0], timeoutMs=1)
            assert raised.value.data["name"] == "leasesExhausted"
            assert waiting not in engine.answers
            engine.notify("$/cancelRequest", id=waiting)
            with pytest.raises(EngineError) as raised:
                engine.result(waiting)
            assert raised.value.code == -32800
            assert engine.call("assetReader/status", assetReader=reader)["status"] == "reading"
            shown = [number(buffer["presentationTime"]) for buffer in kept]
            while len(shown) < len(times):
                release(engine, kept[:2])
                kept = kept[2:] + pull(engine, outputs[0], maxCount=1, timeoutMs=60_000)
                shown.append(number(kept[-1]["presentationTime"]))
            # Nothing was lost and nothing came twice.
            assert shown == times
        assert engine.call("engine/stats")["leases"] == 0


def test_a_pull_that_waits_is_served_by_a_release() -> None:
    with Engine(*FEW) as engine:
        with engine.reader(opened(engine), SMALL) as (_, outputs):
            kept = fill(engine, outputs[0])
            params = {"output": outputs[0], "delivery": "shm"}
            waiting = engine.send("assetReader/nextSampleBuffers", **params)
            # Others are served meanwhile.
            assert engine.call("engine/stats")["leases"] == len(kept)
            assert waiting not in engine.answers
            release(engine, kept)
            (buffer,) = engine.result(waiting)["sampleBuffers"]
            assert buffer["blob"]["size"] >= 320 * 180


@pytest.mark.parametrize("way", ["close", "cancel"])
def test_the_end_of_a_reader_frees_everything(way: str) -> None:
    with Engine(*FEW) as engine:
        asset = opened(engine)
        made = engine.call("assetReader/create", asset=asset, outputs=[{"type": "track", **SMALL}])
        reader, (output,) = made["assetReader"], made["outputs"]
        engine.call("assetReader/start", assetReader=reader)
        kept = fill(engine, output)
        waiting = engine.send("assetReader/nextSampleBuffers", output=output, delivery="shm")
        assert engine.call("engine/stats")["leases"] == len(kept)
        if way == "cancel":
            engine.call("assetReader/cancel", assetReader=reader)
        else:
            engine.call("handle/close", handle=reader)
        with pytest.raises(EngineError) as ended:
            engine.result(waiting)
        assert ended.value.data["name"] in ("operationCancelled", "unknownHandle")
        if way == "cancel":
            # Buffers that were read stay until they are released.
            assert engine.call("engine/stats")["leases"] == len(kept)
            engine.call("handle/close", handle=reader)
        assert [item["kind"] for item in engine.call("handle/list")["handles"]] == ["asset"]
        stats = engine.call("engine/stats")
        assert (stats["leases"], stats["operations"]) == (0, 0)
        # All of the memory is free again.
        with engine.reader(asset, SMALL) as (_, outputs):
            assert len(fill(engine, outputs[0])) == len(kept)
        engine.call("handle/close", handle=asset)
        assert engine.call("handle/list")["handles"] == []


def test_a_leased_block_never_changes() -> None:
    with Engine() as engine:
        asset = opened(engine)
        large = {"mediaType": "video", "settings": {"pixelFormat": "rgb24"}}
        stored = {"mediaType": "video"}
        with engine.reader(asset, SMALL, large, stored) as (_, outputs):
            kept = [buffer for output in outputs for buffer in pull(engine, output)]
            before = [hashlib.md5(engine.read(buffer["blob"])).digest() for buffer in kept]
            assert len(set(before)) > 4
            places = {(b["blob"]["path"], b["blob"]["offset"]) for b in kept}
            assert len(places) == len(kept)
            # The pool's blocks are of all these sizes.
            count = sum(1 for _ in islice(engine.pull(outputs[0]), 150))
            count += sum(1 for _ in islice(engine.pull(outputs[1]), 30))
            count += sum(1 for _ in engine.pull(outputs[2]))
            while count < 10_000:
                with engine.reader(asset, stored) as (_, again):
                    for buffer in engine.pull(again[0]):
                        assert (buffer["blob"]["path"], buffer["blob"]["offset"]) not in places
                        count += 1
            after = [hashlib.md5(engine.read(buffer["blob"])).digest() for buffer in kept]
            assert after == before


# Takes leases, prints the path of their memory, and waits for its end.
CLIENT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from engine import Engine
engine = Engine("--shm-max", str(1 << 20))
asset = engine.call("asset/open", url=sys.argv[2])["asset"]
output = {"type": "track", "mediaType": "video", "settings": json.loads(sys.argv[3])}
made = engine.call("assetReader/create", asset=asset, outputs=[output])
engine.call("assetReader/start", assetReader=made["assetReader"])
params = {"output": made["outputs"][0], "delivery": "shm", "maxCount": 4}
kept = engine.call("assetReader/nextSampleBuffers", **params)["sampleBuffers"]
if sys.argv[4] == "waiting":
    for _ in range(20):
        engine.send("assetReader/nextSampleBuffers", **params)
    leases = -1
    while leases != engine.call("engine/stats")["leases"]:
        leases = engine.call("engine/stats")["leases"]
print(json.dumps([engine.process.pid, kept[0]["blob"]["path"]]), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def vanished(request: pytest.FixtureRequest) -> Iterator["tuple[int, str]"]:
    """The engine of a client that was killed: a descriptor that reports its end, and its memory's path."""
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", CLIENT, here, str(LONG), json.dumps(PICTURES), request.param]
    client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert client.stdin and client.stdout
    pid, path = json.loads(client.stdout.readline())
    descriptor = os.pidfd_open(pid)
    try:
        assert os.path.exists(path)
        client.kill()
        client.wait()
        yield descriptor, path
    finally:
        os.close(descriptor)
        client.stdin.close()
        client.stdout.close()


@pytest.mark.parametrize("vanished", ["idle", "waiting"], indirect=True)
def test_an_engine_ends_with_its_client(vanished: "tuple[int, str]") -> None:
    descriptor, path = vanished
    readable, _, _ = select.select([descriptor], [], [], HANG)
    assert readable, "the engine lives on without its client"
    # The path is one of its worker's, which may end a moment later.
    eventually("the end of the worker's memory", lambda: not os.path.exists(path))
