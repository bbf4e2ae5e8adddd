"""Exports that are killed and cancelled, and what is found of them later.

Whatever happens, the target is complete or absent, the source is as it was, nothing else is left, the
session says why, and the engine goes on.
"""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Set

import pytest

from engine import Engine
from support import (
    FLUSH,
    HANG,
    LINK,
    READ,
    WRITE,
    Clips,
    FaultyEngine,
    begin,
    digest,
    export,
    failure,
    is_whole,
    kill,
    names,
    open_asset,
    succeeds,
)

# What is still being exported when the engine is ended.
LONG = "HEVCHighestQuality"


@pytest.mark.parametrize("isNamed", [False, True])
def test_killed_at_any_time(isNamed: bool, clips: Clips, shared: Path, tmp_path: Path) -> None:
    """The target is absent or complete; what has a temporary name is gone after the next export."""
    times = random.Random(int(isNamed))
    preset, source = "LowQuality", clips["small.mp4"]
    with FaultyEngine(shared) as engine:
        start = time.monotonic()
        export(engine, source, preset, tmp_path / "first.mp4")
        length = time.monotonic() - start
        (tmp_path / "first.mp4").unlink()
    left, completed = 0, 0
    for number in range(50):
        engine = FaultyEngine(shared)
        engine.faults.named = isNamed
        target = tmp_path / f"{number}.mp4"
        begin(engine, open_asset(engine, source), preset, target)
        time.sleep(times.uniform(0, length * 1.2))
        kill(engine)
        if target.exists():
            assert is_whole(target), number
            completed += 1
            target.unlink()
        remains = names(tmp_path)
        left += len(remains)
        # At most the one of this run: each run sweeps what the one before has left.
        assert len(remains) <= 1 and all(name.endswith(".reelwire-partial") for name in remains)
    assert isNamed or left == 0
    assert not isNamed or left > 0
    with FaultyEngine(shared) as engine:
        succeeds(engine, clips, tmp_path)


@pytest.mark.parametrize("way", ["SIGTERM", "EOF"])
def test_ended_with_a_named_file(way: str, clips: Clips, shared: Path, tmp_path: Path) -> None:
    engine = FaultyEngine(shared, "--drain", "0")
    engine.faults.named = True
    begin(engine, open_asset(engine, clips["big.mp4"]), LONG, tmp_path / "out.mp4")
    while not names(tmp_path):
        time.sleep(0.001)
    if way == "EOF":
        assert engine.close() == 1
    else:
        engine.process.terminate()
        assert engine.process.wait(timeout=10) == 0
        engine.close()
    assert names(tmp_path) == []


def test_ended_while_the_workers_hang(clips: Clips, tmp_path: Path) -> None:
    """The exit code doesn't wait for workers: what was being written is known without them."""
    engine = Engine("--drain", "0")
    begin(engine, open_asset(engine, clips["big.mp4"]), LONG, tmp_path / "out.mp4")
    isolation = engine.call("engine/stats").get("isolation")
    if isolation is None:
        engine.close()
        pytest.skip("without isolation there is one process")
    for worker in isolation["workers"]:
        os.kill(worker, signal.SIGSTOP)
    assert engine.close() == 1
    assert names(tmp_path) == []


def test_shut_down_while_a_worker_hangs(clips: Clips, tmp_path: Path) -> None:
    """After `shutdown` the code is 0, however far the worker with the export has come with that."""
    engine = Engine("--drain", "0")
    main = (engine.call("engine/stats").get("isolation") or {"workers": []})["workers"]
    open_asset(engine, clips["small.mp4"])
    begin(engine, open_asset(engine, clips["big.mp4"]), LONG, tmp_path / "out.mp4")
    isolation = engine.call("engine/stats").get("isolation")
    if isolation is None:
        engine.close()
        pytest.skip("without isolation there is one process")
    others = set(isolation["workers"]) - set(main)
    assert len(others) == 1
    for worker in others:
        os.kill(worker, signal.SIGSTOP)
    engine.call("shutdown")
    engine.notify("exit")
    assert engine.process.wait(timeout=10) == 0
    engine.close()
    assert names(tmp_path) == []


@pytest.mark.parametrize("isNamed", [False, True])
def test_resumed_after_kills(isNamed: bool, clips: Clips, shared: Path, tmp_path: Path) -> None:
    """Whenever it is killed, the next export goes on, and the file is that of one that was left alone."""
    times = random.Random(int(isNamed))
    source, straight = clips["big.mp4"], tmp_path / "straight.mp4"
    with FaultyEngine(shared) as engine:
        start = time.monotonic()
        assert engine.result(resume(engine, source, straight))["status"] == "completed"
        length = time.monotonic() - start
    assert is_whole(straight)
    target = tmp_path / "out.mp4"
    kept: Set[str] = set()
    for _ in range(12):
        engine = FaultyEngine(shared)
        engine.faults.named = isNamed
        resume(engine, source, target)
        time.sleep(times.uniform(0, length))
        kill(engine)
        parts = {name for name in names(tmp_path) if name.endswith(".part")}
        if target.exists():
            # It was killed before it had removed all parts, or after. The next one begins anew.
            assert digest(target) == digest(straight)
            for name in (target.name, *parts):
                (tmp_path / name).unlink()
            parts = set()
        else:
            # What is complete stays.
            assert parts >= kept
        kept = parts
    with FaultyEngine(shared) as engine:
        assert engine.result(resume(engine, source, target))["status"] == "completed"
    assert digest(target) == digest(straight)
    assert [name for name in names(tmp_path) if name.endswith(".part")] == []


def test_a_damaged_part_is_made_again(clips: Clips, shared: Path, tmp_path: Path) -> None:
    """A part that was changed where only its hash shows it isn't taken for one."""
    target, source = tmp_path / "out.mp4", clips["big.mp4"]
    with FaultyEngine(shared) as engine:
        # The first part gets its name, the next one doesn't: all of them would be removed with the last.
        engine.fail(LINK, HANG, after=1)
        resume(engine, source, target)
        while not (parts := [each for each in names(tmp_path) if each.endswith(".part")]):
            time.sleep(0.01)
        kill(engine)
    assert not target.exists()
    part = tmp_path / parts[0]
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    with Engine() as engine:
        assert engine.result(resume(engine, source, target))["status"] == "completed"
        assert is_whole(target) and names(tmp_path) == ["out.mp4"]
        straight = tmp_path / "straight.mp4"
        assert engine.result(resume(engine, source, straight))["status"] == "completed"
    assert digest(target) == digest(straight)


def resume(engine: Engine, source: Path, target: Path) -> int:
    """Begins an export that can be gone on with, which is answered when it ends."""
    session = engine.call(
        "exportSession/create", asset=open_asset(engine, source), preset="MediumQuality",
        outputURL=str(target),
    )["exportSession"]
    return engine.send(
        "exportSession/export", exportSession=session, resume=True, progressInterval=0,
        completion="response",
    )


def state(engine: Engine, session: str) -> str:
    return str(engine.call("exportSession/status", exportSession=session)["status"])


def test_what_others_write_is_not_swept(clips: Clips, shared: Path, tmp_path: Path) -> None:
    """A temporary file whose writer lives stays, and so does whatever only looks like one."""
    (tmp_path / ".notes.partial").write_bytes(b"mine")
    with FaultyEngine(shared) as engine, Engine() as other:
        engine.faults.named = True
        asset = open_asset(engine, clips["big.mp4"])
        # It can't end before the other one.
        engine.fail(FLUSH, HANG)
        session, request = begin(engine, asset, "HighestQuality", tmp_path / "long.mp4")
        while len(names(tmp_path)) < 2:
            time.sleep(0.001)
        result = export(other, clips["small.mp4"], "Passthrough", tmp_path / "short.mp4")
        assert result["status"] == "completed"
        remains = names(tmp_path)
        assert len(remains) == 3 and remains[0].startswith(".long.mp4."), remains
        engine.heal()
        assert engine.result(request)["status"] == "completed"
    assert names(tmp_path) == [".notes.partial", "long.mp4", "short.mp4"]
    assert is_whole(tmp_path / "long.mp4")


@pytest.mark.parametrize("isNamed", [False, True])
@pytest.mark.parametrize("call, after", [(READ, 0), (READ, 3), (WRITE, 0), (WRITE, 1), (FLUSH, 0)])
def test_cancelled_while_a_call_hangs(
    call: int, after: int, isNamed: bool, clips: Clips, faulty: FaultyEngine, tmp_path: Path
) -> None:
    """A disk that doesn't answer keeps nobody waiting, and nothing comes of its late answer."""
    source = clips["small.mp4"]
    asset = open_asset(faulty, source)
    faulty.call("asset/tracks", asset=asset)
    faulty.faults.named = isNamed
    target = tmp_path / "out.mp4"
    session = faulty.call(
        "exportSession/create", asset=asset, preset="Passthrough", outputURL=str(target),
        shouldOptimizeForNetworkUse=True,
    )["exportSession"]
    faulty.fail(call, HANG, after=after, inode=source.stat().st_ino)
    request = faulty.send(
        "exportSession/export", exportSession=session, completion="response"
    )
    while faulty.faults.fired == 0:
        time.sleep(0.001)
    faulty.call("exportSession/cancel", exportSession=session)
    result = faulty.result(request, timeout=60)
    assert result["status"] == "cancelled"
    assert names(tmp_path) == []
    assert faulty.heal()
    faulty.faults.named = False
    for handle in (session, asset):
        faulty.call("handle/close", handle=handle)
    succeeds(faulty, clips, tmp_path)


def test_cancelled_while_it_gets_its_name(
    clips: Clips, faulty: FaultyEngine, tmp_path: Path
) -> None:
    """Too late: the file is complete, and nothing may be told but that."""
    asset = open_asset(faulty, clips["small.mp4"])
    target = tmp_path / "out.mp4"
    faulty.fail(LINK, HANG)
    session, request = begin(faulty, asset, "Passthrough", target)
    while faulty.faults.fired == 0:
        time.sleep(0.001)
    faulty.call("exportSession/cancel", exportSession=session)
    assert state(faulty, session) == "exporting"
    faulty.heal()
    assert faulty.result(request, timeout=60)["status"] == "completed"
    assert is_whole(target) and names(tmp_path) == ["out.mp4"]
    for handle in (session, asset):
        faulty.call("handle/close", handle=handle)


def test_cancelled_at_any_time(clips: Clips, faulty: FaultyEngine, tmp_path: Path) -> None:
    """One end for each export; cancelled without a file, or completed with a whole one."""
    times = random.Random(5)
    source = clips["small.mp4"]
    presets = ("Passthrough", "LowQuality")
    lengths = {}
    for preset in presets:
        start = time.monotonic()
        export(faulty, source, preset, tmp_path / "first.mp4")
        lengths[preset] = time.monotonic() - start
        (tmp_path / "first.mp4").unlink()
    counts = {"completed": 0, "cancelled": 0}
    asset = open_asset(faulty, source)
    for number in range(200):
        preset = presets[number % 2]
        faulty.faults.named = number % 3 == 0
        target = tmp_path / f"{number}.mp4"
        session, request = begin(
            faulty, asset, preset, target, shouldOptimizeForNetworkUse=number % 4 == 0
        )
        # At once, at some time, and when it is over.
        if number % 10 == 9:
            while state(faulty, session) not in ("completed", "failed"):
                time.sleep(0.001)
        elif number % 10 >= 2:
            time.sleep(times.uniform(0, lengths[preset] * 1.2))
        faulty.call("exportSession/cancel", exportSession=session)
        result = faulty.result(request, timeout=60)
        status = state(faulty, session)
        assert status == result["status"]
        if status == "cancelled":
            assert result["error"]["code"] == -11878
            assert not target.exists()
        else:
            assert status == "completed"
            assert is_whole(target)
            target.unlink()
        counts[status] += 1
        assert names(tmp_path) == []
        faulty.call("handle/close", handle=session)
    faulty.faults.named = False
    faulty.call("handle/close", handle=asset)
    assert min(counts.values()) > 10, counts
    succeeds(faulty, clips, tmp_path)
