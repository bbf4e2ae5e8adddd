"""Exports that are killed and cancelled, and their traces later.

In all cases, the target is complete or absent, the source is as it was, nothing else is left, the session
reports the reason, and the engine continues.
"""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Dict, List, Set, Tuple

import pytest

from engine import Engine
from support import (
    FLUSH,
    LINK,
    READ,
    STALL,
    UNLINK,
    WRITE,
    Clips,
    FaultyEngine,
    begin,
    digest,
    export,
    is_whole,
    kill,
    names,
    open_asset,
    succeeds,
)
from child_processes import stop
from waiting import HANG, eventually

# The preset whose export is still running when the engine is ended.
LONG = "HEVCHighestQuality"


# A call, and how many of its kind are done before it is held for ever.
Place = Tuple[int, int]


def places(counts: Dict[int, int]) -> List[Place]:
    """All writes, flushes and links of an export, and some of its reads: first and last ones, and between them."""
    reads = counts[READ]
    some = sorted({0, 1, reads // 4, reads // 2, reads - 1})
    return [(READ, number) for number in some] + [
        (call, number) for call in (WRITE, FLUSH, LINK) for number in range(counts[call])
    ]


def counted(engine: FaultyEngine, source: Path, asset: str, preset: str, target: Path) -> Dict[int, int]:
    """The number of calls of each kind that an export makes, which is done once for each."""
    counts = {}
    inode = source.stat().st_ino
    for call in (READ, WRITE, FLUSH, LINK):
        session, request = begin(engine, asset, preset, target, lambda: engine.count(call, inode))
        assert engine.result(request)["status"] == "completed"
        counts[call] = engine.counted
        engine.call("handle/close", handle=session)
        target.unlink()
    engine.heal()
    return counts


def held(engine: FaultyEngine, request: int) -> bool:
    """Waits until a call is held, and returns true then; or until the answer is there."""
    eventually("a call that is held", lambda: engine.has_struck or engine.has_ended(request))
    return engine.has_struck


@pytest.mark.parametrize("isNamed", [False, True])
def test_killed_at_any_time(isNamed: bool, clips: Clips, shared: Path, tmp_path: Path) -> None:
    """The target is absent or complete; files of a temporary name are gone after the next export."""
    preset, source = "LowQuality", clips["small.mp4"]
    inode = source.stat().st_ino
    with FaultyEngine(shared) as engine:
        engine.faults.named = isNamed
        asset = open_asset(engine, source)
        enumerated = places(counted(engine, source, asset, preset, tmp_path / "first.mp4"))
    assert len(enumerated) >= 10
    over = (LINK, 1)
    named = [(FLUSH, 1), over]
    left, completed = 0, 0
    # In addition to its calls: at once, and when it is over.
    for place in [None, *enumerated, over]:
        engine = FaultyEngine(shared)
        engine.faults.named = isNamed
        target = tmp_path / "out.mp4"

        def arm() -> None:
            if place:
                engine.fail(place[0], STALL, after=place[1], forever=True, inode=inode)

        _, request = begin(engine, open_asset(engine, source), preset, target, arm)
        isHeld = held(engine, request) if place else False
        assert isHeld == (place in enumerated), place
        kill(engine)
        # A call that is held has done nothing; after the last link only the folder is flushed.
        assert target.exists() == (place in named) or place is None, place
        if target.exists():
            assert is_whole(target), place
            completed += 1
            target.unlink()
        remains = names(tmp_path)
        left += len(remains)
        # At most the one of this run: each run sweeps the file that the one before has left.
        assert len(remains) <= 1 and all(name.endswith(".reelwire-partial") for name in remains)
        if isHeld and place and place[0] != READ and place not in named:
            assert len(remains) == isNamed, place
    assert completed >= 2
    assert isNamed or left == 0
    assert not isNamed or left > 0
    with FaultyEngine(shared) as engine:
        succeeds(engine, clips, tmp_path)


@pytest.mark.parametrize("way", ["SIGTERM", "EOF"])
def test_ended_with_a_named_file(way: str, clips: Clips, shared: Path, tmp_path: Path) -> None:
    engine = FaultyEngine(shared, "--drain", "0")
    engine.faults.named = True
    begin(engine, open_asset(engine, clips["big.mp4"]), LONG, tmp_path / "out.mp4")
    eventually("a named file", lambda: names(tmp_path))
    if way == "EOF":
        assert engine.close() == 1
    else:
        engine.process.terminate()
        assert engine.process.wait(HANG) == 0
        engine.close()
    assert names(tmp_path) == []


def test_ended_while_the_workers_hang(clips: Clips, tmp_path: Path) -> None:
    """The exit code doesn't wait for workers: the unfinished files are known without them."""
    engine = Engine("--drain", "0")
    begin(engine, open_asset(engine, clips["big.mp4"]), LONG, tmp_path / "out.mp4")
    isolation = engine.call("engine/stats").get("isolation")
    if isolation is None:
        engine.close()
        pytest.skip("without isolation there is one process")
    for worker in isolation["workers"]:
        stop(worker)
    assert engine.close() == 1
    assert names(tmp_path) == []


def test_shut_down_while_a_worker_hangs(clips: Clips, tmp_path: Path) -> None:
    """After `shutdown` the code is 0, at any progress of the worker with the export."""
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
        stop(worker)
    engine.call("shutdown")
    engine.notify("exit")
    assert engine.process.wait(HANG) == 0
    engine.close()
    assert names(tmp_path) == []


# The call at which an export in two parts is held, one run after the other, and the number of parts that are
# complete then.
RESUMED: List[Tuple[int, int, int]] = [
    (READ, 0, 0), (WRITE, 0, 0), (READ, 20, 0), (WRITE, 1, 0), (FLUSH, 0, 0), (LINK, 0, 0),
    (FLUSH, 1, 1), (WRITE, 0, 1), (WRITE, 2, 1), (FLUSH, 0, 1), (LINK, 0, 1),
    (FLUSH, 1, 2), (WRITE, 0, 2), (WRITE, 7, 2), (FLUSH, 0, 2), (LINK, 0, 2),
]  # fmt: skip


@pytest.mark.parametrize("isNamed", [False, True])
def test_resumed_after_kills(isNamed: bool, clips: Clips, shared: Path, tmp_path: Path) -> None:
    """Killed anywhere, the next export continues, and the file is that of an undisturbed one."""
    source, straight = clips["big.mp4"], tmp_path / "straight.mp4"
    with FaultyEngine(shared) as engine:
        assert engine.result(resume(engine, source, straight))["status"] == "completed"
    assert is_whole(straight)
    target = tmp_path / "out.mp4"

    def killed(call: int, after: int) -> Set[str]:
        """Kills an export while a call is held; the parts that are complete."""
        engine = FaultyEngine(shared)
        engine.faults.named = isNamed
        inode = source.stat().st_ino
        request = resume(
            engine, source, target, lambda: engine.fail(call, STALL, after, forever=True, inode=inode)
        )
        assert held(engine, request), (call, after)
        kill(engine)
        return {name for name in names(tmp_path) if name.endswith(".part")}

    kept: Set[str] = set()
    for call, after, count in RESUMED:
        parts = killed(call, after)
        assert not target.exists() and len(parts) == count, (call, after)
        # Complete parts stay.
        assert parts >= kept
        kept = parts
    # It is complete, and killed before it has removed its parts. The next one begins anew.
    for call, after, count in [(FLUSH, 1, 2), (UNLINK, 0, 2), (UNLINK, 1, 1)]:
        parts = killed(call, after)
        assert digest(target) == digest(straight) and len(parts) == count, (call, after)
        for name in (target.name, *parts):
            (tmp_path / name).unlink()
    with FaultyEngine(shared) as engine:
        assert engine.result(resume(engine, source, target))["status"] == "completed"
    assert digest(target) == digest(straight)
    assert [name for name in names(tmp_path) if name.endswith(".part")] == []


def test_a_damaged_part_is_made_again(clips: Clips, shared: Path, tmp_path: Path) -> None:
    """A part that was changed so that only its hash shows it isn't accepted."""
    target, source = tmp_path / "out.mp4", clips["big.mp4"]
    with FaultyEngine(shared) as engine:
        # The first part gets its name, the next one doesn't: all of them would be removed with the last.
        engine.fail(LINK, STALL, after=1)
        resume(engine, source, target)
        parts = eventually(
            "a part", lambda: [each for each in names(tmp_path) if each.endswith(".part")]
        )
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


def resume(
    engine: Engine, source: Path, target: Path, first: Callable[[], None] = lambda: None
) -> int:
    """Begins an export that can be gone on with, which is answered when it ends."""
    session = engine.call(
        "exportSession/create", asset=open_asset(engine, source), preset="MediumQuality",
        outputURL=str(target),
    )["exportSession"]
    first()
    return engine.send(
        "exportSession/export", exportSession=session, resume=True, progressInterval=0,
        completion="response",
    )


def state(engine: Engine, session: str) -> str:
    return str(engine.call("exportSession/status", exportSession=session)["status"])


def test_what_others_write_is_not_swept(clips: Clips, shared: Path, tmp_path: Path) -> None:
    """A temporary file whose writer lives stays, and so does any file that only looks like one."""
    (tmp_path / ".notes.partial").write_bytes(b"mine")
    with FaultyEngine(shared) as engine, Engine() as other:
        engine.faults.named = True
        asset = open_asset(engine, clips["big.mp4"])
        # It can't end before the other one.
        engine.fail(FLUSH, STALL)
        session, request = begin(engine, asset, "HighestQuality", tmp_path / "long.mp4")
        eventually("a named file", lambda: len(names(tmp_path)) >= 2)
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
    """A disk that doesn't answer blocks no request, and nothing comes of its late answer."""
    source = clips["small.mp4"]
    asset = open_asset(faulty, source)
    faulty.call("asset/tracks", asset=asset)
    faulty.faults.named = isNamed
    target = tmp_path / "out.mp4"
    session = faulty.call(
        "exportSession/create", asset=asset, preset="Passthrough", outputURL=str(target),
        shouldOptimizeForNetworkUse=True,
    )["exportSession"]
    faulty.fail(call, STALL, after=after, inode=source.stat().st_ino)
    request = faulty.send(
        "exportSession/export", exportSession=session, completion="response"
    )
    faulty.struck()
    faulty.call("exportSession/cancel", exportSession=session)
    result = faulty.result(request)
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
    """Too late: the file is complete, and only that may be reported."""
    asset = open_asset(faulty, clips["small.mp4"])
    target = tmp_path / "out.mp4"
    faulty.fail(LINK, STALL)
    session, request = begin(faulty, asset, "Passthrough", target)
    faulty.struck()
    faulty.call("exportSession/cancel", exportSession=session)
    assert state(faulty, session) == "exporting"
    faulty.heal()
    assert faulty.result(request)["status"] == "completed"
    assert is_whole(target) and names(tmp_path) == ["out.mp4"]
    for handle in (session, asset):
        faulty.call("handle/close", handle=handle)


def test_cancelled_at_any_time(clips: Clips, faulty: FaultyEngine, tmp_path: Path) -> None:
    """One end for each export; cancelled without a file, or completed with a whole one."""
    source = clips["small.mp4"]
    inode = source.stat().st_ino
    counts = {"completed": 0, "cancelled": 0}
    asset = open_asset(faulty, source)
    faulty.call("asset/tracks", asset=asset)
    number = 0
    for preset in ("Passthrough", "LowQuality"):
        faulty.faults.named = False
        enumerated = places(counted(faulty, source, asset, preset, tmp_path / "first.mp4"))
        # In addition to its calls: at once, and when it is over.
        for place in [None, None, None, *enumerated, "end", "end", "end"]:
            number += 1
            faulty.faults.named = number % 3 == 0
            target = tmp_path / f"{number}.mp4"

            def arm() -> None:
                if isinstance(place, tuple):
                    faulty.fail(place[0], STALL, after=place[1], forever=True, inode=inode)

            session, request = begin(
                faulty, asset, preset, target, arm, shouldOptimizeForNetworkUse=number % 4 == 0
            )
            isHeld = held(faulty, request) if isinstance(place, tuple) else False
            if place == "end":
                eventually("the end", lambda: state(faulty, session) in ("completed", "failed"))
            faulty.call("exportSession/cancel", exportSession=session)
            # The file gets its name, or has it, and only its folder is flushed.
            isTooLate = isHeld and place in [(LINK, 0), (FLUSH, 1)]
            if isTooLate:
                assert state(faulty, session) == "exporting"
                faulty.heal()
            result = faulty.result(request)
            status = state(faulty, session)
            assert status == result["status"]
            if isHeld:
                assert status == ("completed" if isTooLate else "cancelled"), place
            elif place == "end":
                assert status == "completed"
            if status == "cancelled":
                assert result["error"]["code"] == -11878
                assert not target.exists()
            else:
                assert status == "completed"
                assert is_whole(target)
                target.unlink()
            counts[status] += 1
            assert names(tmp_path) == []
            faulty.heal()
            faulty.call("handle/close", handle=session)
    faulty.faults.named = False
    faulty.call("handle/close", handle=asset)
    assert counts["completed"] >= 8 and counts["cancelled"] >= 20, counts
    succeeds(faulty, clips, tmp_path)
