"""R4 to R15: memory, descriptors, threads, disks, reads and processors that are not there."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from allocations import WORK
from checks import Alive, close_all
from engine import binary
from media import has
from rows import Failure, Run, Skipped, command, expect, missing, row
from server import HERE, Checked, FaultyServer, Server, Shared, serve_arguments
from steps import Steps, leftovers
from support import READ, STALL, digest
from waiting import HANG, Stopwatch, eventually, joined, pause


def existing(run: Run, *tests: str) -> None:
    """Runs tests of Tests/Faults as cases; they are part of `make test` themselves."""
    if run.options.isQuick:
        raise Skipped("is in Tests/Faults, which `make test` runs")
    # Their driver doesn't know of more arguments, so the program adds them.
    program = run.folder / "reelwire"
    quoted = " ".join(f"'{argument}'" for argument in serve_arguments())
    program.write_text(
        f'#!/bin/sh\n[ "$1" = serve ] && exec \'{Path(binary()).resolve()}\' "$@" {quoted}\nexec \'{Path(binary()).resolve()}\' "$@"\n'
    )
    program.chmod(0o755)
    faults = HERE.parent / "Faults"
    for test in tests:
        run.case(test, passes, run, faults / test, {**os.environ, "REELWIRE_BINARY": str(program)})


def passes(run: Run, test: Path, environment: Dict[str, str]) -> None:
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--no-header",
            "-p",
            "no:cacheprovider",
            "--basetemp",
            str(run.folder / "pytest"),
            str(test),
        ],
        capture_output=True,
        text=True,
        timeout=5 * HANG,
        env=environment,
    )
    lines = ended.stdout.strip().splitlines()
    run.count(lines[-1] if lines else "no output")
    expect(ended.returncode == 0, "\n".join(lines[-12:]))
    expect("passed" in lines[-1], f"nothing ran: {lines[-1]}")


@contextlib.contextmanager
def control_group(kind: str, setting: str, value: str, pids: Sequence[int]) -> Iterator[Path]:
    """Processes in a control group of their own (version 1)."""
    root = Path("/sys/fs/cgroup") / kind
    group = root / f"torture-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        raise Skipped(f"no control group {kind} can be made: {error.strerror}") from error
    try:
        try:
            (group / setting).write_text(value)
            for pid in pids:
                (group / "cgroup.procs").write_text(str(pid))
        except OSError as error:
            raise Skipped(f"{kind}/{setting} can't be set: {error.strerror}") from error
        yield group
    finally:
        for member in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(OSError):
                (root / "cgroup.procs").write_text(member)

        def is_removed() -> bool:
            with contextlib.suppress(OSError):
                group.rmdir()
            return not group.exists()

        eventually("an empty control group", is_removed)


@row("R4", "the memory control group kills a worker: workerDied, and the next request is fine")
def memory_group(run: Run) -> None:
    with Server() as engine:
        alive = Alive(run.media.good)
        alive.check(engine)
        workers = engine.workers()
        if not workers:
            raise Skipped("needs worker processes: the engine isn't isolated")
        used = max(Path(f"/proc/{pid}/statm").read_text().split()[1] for pid in workers)
        limit = str(int(used) * 4096 + (24 << 20))
        with control_group("memory", "memory.limit_in_bytes", limit, workers):
            run.case("many large frames", exhausted, run, engine)
        run.case("alive", alive.check, engine)


def exhausted(run: Run, engine: Checked) -> None:
    opened = engine.call("asset/open", url=str(run.media.big))["asset"]
    output = {
        "type": "track",
        "mediaType": "video",
        "settings": {"pixelFormat": "rgba64le", "width": 3840, "height": 2160},
    }
    name, made = engine.attempt("assetReader/create", asset=opened, outputs=[output])
    if name == "ok":
        name, _ = engine.attempt("assetReader/start", assetReader=made["assetReader"])
    if name == "ok":
        name, _ = engine.attempt(
            "assetReader/nextSampleBuffers", output=made["outputs"][0], maxCount=30, delivery="shm"
        )
    run.count(name)
    expect(name in ("workerDied", "outOfMemory"), name)
    close_all(engine)


@row("R5", "descriptors run out: a named error, and room again after a close", quick=True)
def few_descriptors(run: Run) -> None:
    if has("prlimit"):
        raise Skipped("prlimit is missing")
    for most in (32, 48):
        run.case(f"{most} descriptors", descriptors, run, most)


def descriptors(run: Run, most: int) -> None:
    with Server(prefix=["prlimit", f"--nofile={most}", "--"]) as engine:
        opened: List[str] = []
        name = "ok"
        # Files are spread over three workers, each of which has descriptors of its own.
        while name == "ok" and len(opened) < 8 * most:
            # A file each: one that is open twice may be read through one descriptor.
            copy = run.folder / f"{len(opened)}-{most}.mp4"
            shutil.copy(run.media.good, copy)
            asset = engine.call("asset/open", url=str(copy))["asset"]
            opened.append(asset)
            made = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
            name, _ = engine.attempt("imageGenerator/generateImage", imageGenerator=made, time=0.2)
            opened.append(made)
        run.count(f"{name} after {len(opened) // 2} assets")
        expect(name == "contentIsUnavailable", name)
        expect(len(opened) >= 8, "not even four")
        for _ in range(3):
            engine.stats()
        for handle in opened:
            engine.call("handle/close", handle=handle)
        Alive(run.media.good).check(engine)


@row("R6", "threads and processes run out: named errors, and alive", quick=True)
def few_threads(run: Run) -> None:
    if os.geteuid() != 0 or has("prlimit", "setpriv"):
        raise Skipped("needs root, prlimit and setpriv")
    program = Path(binary()).resolve()
    reach = command("setpriv", "--reuid", "65534", "--clear-groups", program, "--version")
    if reach.returncode:
        raise Skipped(f"user 65534 can't run {program}")
    for most in (30, 60):
        run.case(f"at most {most} threads", threads, run, most)


def threads(run: Run, most: int) -> None:
    readable = run.folder / "good.mp4"
    shutil.copy(run.media.good, readable)
    for folder in (run.folder, run.folder.parent):
        folder.chmod(0o755)
    readable.chmod(0o644)
    prefix = [
        "setpriv",
        "--reuid",
        "65534",
        "--regid",
        "65534",
        "--clear-groups",
        "prlimit",
        f"--nproc={most}",
        "--",
    ]
    with Server(prefix=prefix) as engine:
        asset = engine.call("asset/open", url=str(readable))["asset"]
        sent = []
        for number in range(12):
            made = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
            sent.append(engine.send("imageGenerator/generateImage", imageGenerator=made, time=number / 10))
            sent.append(engine.send("waveform/generate", asset=asset, count=4, completion="response"))
        # Work that gets no thread waits for seconds until it tries again.
        for answer in engine.settle(sent).values():
            run.count(answer["error"]["data"]["name"] if "error" in answer else "ok")
        close_all(engine)
        engine.stats()
        engine.check_counts()
        engine.end()


@row("R7", "a full disk: start, middle, trailer")
def full_disk(run: Run) -> None:
    existing(
        run,
        "test_export_faults.py::test_a_full_disk",
        "test_export_faults.py::test_a_disk_with_just_enough_room",
        "test_writer_faults.py::test_a_full_disk",
    )


@row("R8", "a full disk at the n-th write, at fsync, at the rename")
def failing_writes(run: Run) -> None:
    existing(
        run,
        "test_export_faults.py::test_writes_that_fail",
        "test_export_faults.py::test_the_end_fails",
        "test_writer_faults.py::test_writes_that_fail",
    )


@row("R9", "a limit of the file size")
def file_size_limit(run: Run) -> None:
    existing(
        run,
        "test_export_faults.py::test_a_limit_of_the_process",
        "test_writer_faults.py::test_a_limit_of_the_process",
    )


class FaultyWork:
    """Work of an engine whose reads of one file fail."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.source = run.media["fast.mp4"]
        self.inode = self.source.stat().st_ino
        self.folder = run.subfolder("out")
        self.server = Shared(run, lambda: FaultyServer(run.folder, "--worker-deadline", "0"))
        self.alive = Alive(run.media.good)

    def work(self, name: str, **faults: Any) -> Tuple[Steps, bool]:
        """One kind of work, and whether a fault has struck."""
        engine = self.server()
        assert isinstance(engine, FaultyServer)
        steps = Steps(engine, self.source, self.folder)
        steps.open()
        engine.fail(READ, inode=self.inode, **faults) if faults else None
        try:
            self.run.count(steps.step(name, WORK[name], steps))
        finally:
            hasStruck = engine.heal()
        steps.close(steps.asset)
        return steps, hasStruck and bool(faults)


@row("R10", "the n-th read fails: the right result or a named error, never a part", quick=True)
def failing_reads(run: Run) -> None:
    faulty = FaultyWork(run)
    for name in list(WORK)[:: run.amount(3, 1)]:
        good, _ = faulty.work(name)
        for number in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55][: run.amount(4, 10)]:
            for isLasting in (False, True):
                what = f"{name}, read {number} {'and all later' if isLasting else ''}"
                run.case(what, failing_read, faulty, name, good, number, isLasting)
    run.case("alive", lambda: faulty.alive.check(faulty.server()))


def failing_read(faulty: FaultyWork, name: str, good: Steps, number: int, isLasting: bool) -> None:
    steps, hasStruck = faulty.work(name, error=errno.EIO, after=number, forever=isLasting)
    outcome = steps.outcomes[0][1]
    if outcome in ("ok", "marked"):
        # A read-ahead may fail unnoticed.
        expect(steps.digests == good.digests or outcome == "marked", "another result, and no error")
    elif not hasStruck:
        raise Failure(f"{outcome}, and no read has failed")
    else:
        expect(
            outcome
            in (
                "failedToLoadMediaData",
                "failedToLoadSampleData",
                "contentIsUnavailable",
                "fileFailedToParse",
            ),
            outcome,
        )
    expect(leftovers(faulty.folder) == [], f"left behind: {leftovers(faulty.folder)}")
    faulty.server().check_counts()


@row("R11", "a read that hangs: a cancel and a close are served in time, others go on", quick=True)
def hanging_reads(run: Run) -> None:
    faulty = FaultyWork(run)
    requests = [
        "imageGenerator/generateImage",
        "asset/loadValues",
        "waveform/generate",
        "assetReader/nextSampleBuffers",
    ]
    for method in requests:
        # A close waits for the work itself, which only a worker's end can end.
        for way in ("cancel", "close")[: run.amount(1, 2)]:
            run.case(f"{method}, {way}", hanging_read, faulty, method, way)
    run.case("alive", lambda: faulty.alive.check(faulty.server()))


def hanging_read(faulty: FaultyWork, method: str, way: str) -> None:
    engine = faulty.server()
    assert isinstance(engine, FaultyServer)
    asset = handle = engine.call("asset/open", url=str(faulty.source))["asset"]
    params: Dict[str, Any] = {"asset": asset, "completion": "response"}
    if method == "asset/loadValues":
        params["keys"] = ["duration", "metadata"]
    elif method == "waveform/generate":
        params["count"] = 10
    elif method == "imageGenerator/generateImage":
        handle = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
        params = {"imageGenerator": handle, "time": 1}
    else:
        outputs = [{"type": "track", "mediaType": "video", "settings": {"pixelFormat": "rgb24"}}]
        made = engine.call("assetReader/create", asset=asset, outputs=outputs)
        handle = made["assetReader"]
        params = {"output": made["outputs"][0]}
    try:
        engine.fail(READ, STALL, forever=True, inode=faulty.inode)
        if method.startswith("assetReader"):
            engine.send("assetReader/start", assetReader=handle)
        sent = engine.send(method, **params)
        engine.struck()
        faulty.alive.check(engine)
        watch = Stopwatch()
        if way == "cancel":
            engine.notify("$/cancelRequest", id=sent)
        else:
            engine.send("handle/close", handle=handle)
        answer = engine.settle([sent])[sent]
        faulty.run.count(answer["error"]["data"]["name"] if "error" in answer else "ok")
        faulty.run.note(f"{method}, {way}: answered after {watch}")
        # The read hangs still, and no worker was ended for it.
        deaths = engine.stats().get("isolation", {}).get("deaths", 0)
        expect(deaths == 0, f"{deaths} workers have died")
    finally:
        engine.heal()
        close_all(engine)


@row(
    "R12", "short reads and writes, and stops and continues a hundred times a second: byte-exact", quick=True
)
def interrupted(run: Run) -> None:
    for preset in ("Passthrough", "LowQuality"):
        run.case(f"stops, {preset}", stopped_often, run, preset)
    if not run.options.isQuick:
        existing(run, "test_export_faults.py::test_calls_that_do_less")


def exported(engine: Checked, source: Path, preset: str, target: Path) -> str:
    asset = engine.call("asset/open", url=str(source))["asset"]
    session = engine.call("exportSession/create", asset=asset, preset=preset, outputURL=str(target))[
        "exportSession"
    ]
    ended = engine.call("exportSession/export", exportSession=session, completion="response")
    for handle in (session, asset):
        engine.call("handle/close", handle=handle)
    expect(ended["status"] == "completed", str(ended)[:300])
    value = digest(target)
    target.unlink()
    return str(value)


def stopped_often(run: Run, preset: str) -> None:
    target = run.folder / "out.mp4"
    with Server() as engine:
        good = exported(engine, run.media.good, preset, target)
        pids = [engine.process.pid, *engine.workers()]
        ends = threading.Event()

        def stop() -> None:
            while not ends.is_set():
                for number in (signal.SIGSTOP, signal.SIGCONT):
                    for pid in pids:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(pid, number)
                    pause(0.005)

        stopping = threading.Thread(target=stop)
        stopping.start()
        try:
            for _ in range(run.amount(2, 10)):
                expect(exported(engine, run.media.good, preset, target) == good, "other bytes")
        finally:
            ends.set()
            joined(stopping)


@row("R13", "no processor: 8 busy loops on one core and 20 exports at once, stats in time")
def starved(run: Run) -> None:
    if has("taskset"):
        raise Skipped("taskset is missing")
    run.case("one core", starvation, run)


def starvation(run: Run) -> None:
    folder = run.subfolder("out")
    loops = [subprocess.Popen(["taskset", "-c", "0", "sh", "-c", "while :; do :; done"]) for _ in range(8)]
    try:
        with Server(prefix=["taskset", "-c", "0"]) as engine:
            asset = engine.call("asset/open", url=str(run.media.good))["asset"]
            for number in range(20):
                session = engine.call(
                    "exportSession/create",
                    asset=asset,
                    preset="LowQuality",
                    outputURL=str(folder / f"{number}.mp4"),
                )["exportSession"]
                engine.call("exportSession/export", exportSession=session)
            slowest = 0.0
            for _ in range(20):
                watch = Stopwatch()
                engine.stats()
                slowest = max(slowest, watch.seconds)
                engine.take()
                ended = [each for each in engine.notifications if each["method"] == "exportSession/didFinish"]
                expect(len(ended) < 20, "the exports were over before the answer")
            run.note(f"slowest answer {slowest:.2f} s")
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    expect(leftovers_without_targets(folder) == [], str(leftovers(folder)))


def leftovers_without_targets(folder: Path) -> List[str]:
    return [name for name in leftovers(folder) if not name.endswith(".mp4")]


missing(
    "R14",
    "the clock jumps",
    "needs libfaketime or another clock of the machine; deadlines don't use the clock that jumps",
)


@row("R15", "targets that can't be written: read-only, missing folder, a folder, no permission")
def unwritable_targets(run: Run) -> None:
    existing(
        run,
        "test_export_names.py::test_folders_that_are_of_no_use",
        "test_export_names.py::test_a_file_system_that_can_only_be_read",
    )
