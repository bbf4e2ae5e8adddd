"""C14: worker processes that are killed in the middle of work, stopped, or killed again and again."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
from pathlib import Path
from typing import Any, Dict, List, Set, Tuple

from checks import MEGABYTE, Alive, Process
from rows import Run, Skipped, expect, row
from server import Checked, Server
from child_processes import gone, is_running, stop
from steps import leftovers
from waiting import Stopwatch, pause

DEADLY = [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL]

# The errors that a request may have whose worker died, apart from a result that came before.
ALLOWED = {"workerDied", "operationCancelled", "requestCancelled", "unknownHandle"}


def isolated(engine: Checked) -> None:
    if not engine.is_isolated():
        raise Skipped("needs worker processes: engine/stats has no isolation")


def fresh(run: Run, path: Path, number: int = 0) -> Path:
    """A file that no death is remembered of: one that was in work at two deaths is refused."""
    copy = run.subfolder("copies") / f"{len(run.result.failed)}-{run.result.cases}-{number}{path.suffix}"
    copy.unlink(missing_ok=True)
    copy.write_bytes(path.read_bytes())
    return copy


class Work:
    """Random work on several files in one connection, and everything that has to come of it."""

    def __init__(self, run: Run, engine: Checked, numbers: random.Random, folder: Path) -> None:
        self.run, self.engine, self.numbers, self.folder = run, engine, numbers, folder
        self.sent: List[int] = []
        self.assets: List[str] = []
        self.handles: List[str] = []
        self.exports: Dict[str, Path] = {}
        self.number = 0

    def open(self) -> None:
        """A few files; a worker may have died before, so this has to succeed."""
        files = self.run.media.few() + [self.run.media.big]
        for number, path in enumerate(self.numbers.sample(files, self.numbers.randint(2, 4))):
            copy = fresh(self.run, path, number)
            asset = self.engine.call("asset/open", url=str(copy))["asset"]
            self.assets.append(asset)
            self.handles.append(asset)

    def start(self) -> None:
        """Sends requests, and waits for none."""
        for _ in range(self.numbers.randint(4, 12)):
            asset = self.numbers.choice(self.assets)
            self.numbers.choice(
                [self.image, self.images, self.export, self.pull, self.waveform, self.keys, self.sheet]
            )(asset)

    def send(self, method: str, **params: Any) -> None:
        if self.numbers.random() < 0.5 and method in COMPLETIONS:
            params["completion"] = "response"
        self.sent.append(self.engine.send(method, **params))

    def made(self, method: str, **params: Any) -> Dict[str, Any]:
        """An object for work; none if this file has no such track."""
        name, result = self.engine.attempt(method, **params)
        self.handles += [
            value for key, value in result.items() if name == "ok" and key == method.split("/")[0]
        ]
        return result if name == "ok" else {}

    def image(self, asset: str) -> None:
        made = self.made("imageGenerator/create", asset=asset)
        if made:
            self.send(
                "imageGenerator/generateImage",
                imageGenerator=made["imageGenerator"],
                time=self.numbers.uniform(0, 2),
            )

    def images(self, asset: str) -> None:
        made = self.made(
            "imageGenerator/create",
            asset=asset,
            requestedTimeToleranceBefore=0,
            requestedTimeToleranceAfter=0,
        )
        if made:
            times = [self.numbers.uniform(0, 2) for _ in range(self.numbers.randint(1, 30))]
            self.send("imageGenerator/generateImages", imageGenerator=made["imageGenerator"], times=times)

    def sheet(self, asset: str) -> None:
        made = self.made("imageGenerator/create", asset=asset)
        if made:
            self.send("imageGenerator/contactSheet", imageGenerator=made["imageGenerator"], columns=3, rows=3)

    def export(self, asset: str) -> None:
        self.number += 1
        target = self.folder / f"out-{self.number}.{self.numbers.choice(['mp4', 'mkv'])}"
        preset = self.numbers.choice(["Passthrough", "LowQuality", "HighestQuality"])
        made = self.made("exportSession/create", asset=asset, preset=preset, outputURL=str(target))
        if made:
            self.send("exportSession/export", exportSession=made["exportSession"])

    def pull(self, asset: str) -> None:
        kind = self.numbers.choice(["video", "audio"])
        settings: Dict[str, Any] = (
            {"pixelFormat": "rgb24", "width": 64} if kind == "video" else {"sampleFormat": "s16"}
        )
        made = self.made(
            "assetReader/create",
            asset=asset,
            outputs=[{"type": "track", "mediaType": kind, "settings": settings}],
        )
        if made:
            self.send("assetReader/start", assetReader=made["assetReader"])
            for _ in range(3):
                delivery = self.numbers.choice(["inline", "shm"])
                self.send(
                    "assetReader/nextSampleBuffers", output=made["outputs"][0], maxCount=20, delivery=delivery
                )

    def waveform(self, asset: str) -> None:
        self.send("waveform/generate", asset=asset, count=50)

    def keys(self, asset: str) -> None:
        self.send("asset/loadValues", asset=asset, keys=["duration", "metadata", "tracks"])

    def settle(self) -> Set[str]:
        """One answer an id, one end an operation; the names of the errors."""
        names: Set[str] = set()
        for id, answer in self.engine.settle(self.sent).items():
            for error in errors_of(answer.get("error"), answer.get("result")):
                names.add(check_error(error))
        self.engine.wait_for_ends()
        for notification in self.engine.notifications:
            for error in errors_of(None, notification["params"]):
                names.add(check_error(error))
        self.engine.notifications.clear()
        self.engine.check_ends()
        unanswered = [id for id in self.sent if self.engine.answered[json.dumps(id)] != 1]
        expect(not unanswered, f"not answered once: {unanswered[:5]}")
        return names

    def close(self) -> None:
        for handle in reversed(self.handles):
            name, _ = self.engine.attempt("handle/close", handle=handle)
            expect(name in ("ok", "unknownHandle"), f"handle/close {handle}: {name}")
        left = self.engine.call("handle/list")["handles"]
        expect(not left, f"open handles: {left[:3]}")


COMPLETIONS = {
    "imageGenerator/generateImages",
    "imageGenerator/contactSheet",
    "exportSession/export",
    "waveform/generate",
    "asset/loadValues",
}


def errors_of(error: Any, value: Any) -> List[Dict[str, Any]]:
    """The errors in an answer, at any depth."""
    if isinstance(error, dict):
        return [error]
    if isinstance(value, dict):
        inner = value.get("error")
        own = [inner] if isinstance(inner, dict) and "code" in inner else []
        return own + [each for member in value.values() for each in errors_of(None, member)]
    if isinstance(value, list):
        return [each for member in value for each in errors_of(None, member)]
    return []


def check_error(error: Dict[str, Any]) -> str:
    name = str(error["data"]["name"])
    if name == "workerDied":
        expect(error["code"] == 1004, f"code {error['code']}")
        expect(
            error["data"].get("signal") in [int(number) for number in DEADLY],
            f"signal {error['data'].get('signal')}",
        )
    return name


class Levels:
    """The resources of the supervisor itself; they stay, with any number of dead workers."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.all: List[Tuple[int, int]] = []

    def add(self) -> None:
        process = Process.of(self.pid)
        assert process
        self.all.append((len(process.descriptors), process.resident))

    def check(self) -> None:
        warm = self.all[min(5, len(self.all) - 1)]
        last = self.all[-1]
        expect(last[0] <= warm[0] + 4, f"descriptors of the supervisor: {warm[0]}, then {last[0]}")
        expect(
            last[1] <= warm[1] + 32 * MEGABYTE,
            f"resident MB of the supervisor: {warm[1] >> 20}, then {last[1] >> 20}",
        )


@row(
    "C14",
    "workers are killed at random: one answer a request, one end an operation, nothing left",
    quick=True,
)
def killed_workers(run: Run) -> None:
    folder = run.subfolder("out")
    alive = Alive(run.media.good)
    with Server() as engine:
        isolated(engine)
        alive.check(engine)
        levels = Levels(engine.process.pid)
        levels.add()
        killed = 0
        for number in range(run.options.kills):
            name = f"kill {number}"
            if not run.case(name, one_kill, run, engine, alive, folder, name) and not engine.isRunning:
                break
            killed += 1
            levels.add()
        if engine.isRunning:
            deaths = engine.stats()["isolation"]["deaths"]
            run.note(
                f"{deaths} deaths counted, descriptors and resident MB of the supervisor "
                f"{[(count, level >> 20) for count, level in levels.all][:: max(1, killed // 8)]}"
            )
            left = engine.call("handle/list")["handles"]
            run.case("no handle is left", lambda: expect(not left, f"{left}"))
            workers = engine.workers()
            run.case("no more than three workers are left", lambda: expect(len(workers) <= 3, f"{workers}"))
            run.case("the supervisor stays as it is", levels.check)
            run.case("deaths are counted", lambda: expect(deaths >= 1, f"{deaths} of {killed}"))


def one_kill(run: Run, engine: Checked, alive: Alive, folder: Path, name: str) -> None:
    numbers = run.random(name)
    work = Work(run, engine, numbers, folder)
    work.open()
    workers = engine.workers()
    before = engine.stats()["isolation"]["deaths"]
    work.start()
    pause(numbers.choice([0, numbers.uniform(0, 0.05), numbers.uniform(0, 0.5)]))
    # The workers may have come during the work.
    number = numbers.choice(DEADLY)
    running = [pid for pid in set(workers) | set(engine.workers()) if is_running(pid)]
    expect(running, "no worker runs")
    victims = numbers.sample(sorted(running), 1 if numbers.random() < 0.8 else len(running))
    for pid in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
    try:
        names = work.settle()
        for each in names:
            run.count(each)
        # A copy into a container that can't hold the codec fails as formatUnsupported.
        allowed = ALLOWED | {
            "formatUnsupported",
            "noSourceTrack",
            "noImageAtTime",
            "unsupportedOutputSettings",
            "operationNotAllowed",
        }
        expect(names <= allowed, f"{number.name}: {sorted(names - allowed)}")
        alive.check(engine)
        work.close()
        check_targets(folder)
        after = engine.stats()["isolation"]["deaths"]
        expect(after == before + len(victims), f"{after - before} deaths counted of {len(victims)}")
        gone = [pid for pid in victims if Path(f"/proc/{pid}").exists()]
        expect(not gone, f"not collected: {gone}")
    finally:
        for path in [*folder.iterdir(), *run.subfolder("copies").iterdir()]:
            path.unlink()
        # Handles that a failed case has left open don't count for the next one.
        if engine.isRunning:
            for entry in engine.call("handle/list")["handles"]:
                engine.attempt("handle/close", handle=entry["handle"])


def check_targets(folder: Path) -> None:
    """Targets are whole, and nothing else is there."""
    others = [name for name in leftovers(folder) if not name.startswith("out-")]
    expect(not others, f"left behind: {others}")


@row(
    "W1", "a worker that is stopped is killed, and answered for; the engine can end meanwhile", quick=True
)
def stopped_workers(run: Run) -> None:
    with Server() as engine:
        isolated(engine)
    run.case("stopped", stopped, run)
    run.case("the engine ends with a stopped worker", ends_with_stopped, run)


def stopped(run: Run) -> None:
    # Twice this number of seconds passes before a worker counts as stopped.
    with Server("--worker-patience", "0.5") as engine:
        asset = engine.call("asset/open", url=str(fresh(run, run.media.big)))["asset"]
        made = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
        workers = engine.workers()
        for pid in workers:
            stop(pid)
        watch = Stopwatch()
        sent = engine.send("imageGenerator/generateImage", imageGenerator=made, time=1)
        error = engine.settle([sent])[sent].get("error")
        run.note(f"it was killed after {watch}")
        expect(error is not None, "a result of a stopped worker")
        expect(error["data"]["name"] == "workerDied", f"it failed as {error}")
        expect(error["data"].get("signal") == signal.SIGKILL, f"ended by {error['data'].get('signal')}")
        Alive(run.media.good).check(engine)


def ends_with_stopped(run: Run) -> None:
    with Server() as engine:
        Alive(run.media.good).check(engine)
        workers = engine.workers()
        for pid in workers:
            stop(pid)
        watch = Stopwatch()
        engine.end()
        run.note(f"it ended after {watch}")
        try:
            gone(workers)
        finally:
            for pid in workers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


@row("W2", "handles of a dead worker fail as workerDied until they are closed; a new open works", quick=True)
def dead_handles(run: Run) -> None:
    with Server() as engine:
        isolated(engine)
        for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT):
            run.case(number.name, dead_handle, run, engine, number)
        run.case("a loop of deaths", death_loop, run, engine, run.amount(5, 50))
        run.case("alive", Alive(run.media.good).check, engine)


def dead_handle(run: Run, engine: Checked, number: signal.Signals) -> None:
    asset = engine.call("asset/open", url=str(fresh(run, run.media.good)))["asset"]
    made = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
    engine.call("imageGenerator/generateImage", imageGenerator=made)
    workers = engine.workers()
    for pid in workers:
        os.kill(pid, number)
    gone(workers)
    for _ in range(2):
        for method, params in (
            ("imageGenerator/generateImage", {"imageGenerator": made}),
            ("asset/tracks", {"asset": asset}),
        ):
            name, data = engine.attempt(method, **params)
            run.count(name)
            expect(
                name == "workerDied" and data.get("signal") == number,
                f"{method}: {name} {data.get('signal')}",
            )
    handles = {entry["handle"] for entry in engine.call("handle/list")["handles"]}
    expect({asset, made} <= handles, f"handle/list: {handles}")
    for handle in (made, asset):
        expect(engine.attempt("handle/close", handle=handle)[0] == "ok", f"closing {handle}")
        expect(engine.attempt("handle/close", handle=handle)[0] == "unknownHandle", f"closing {handle} twice")


def death_loop(run: Run, engine: Checked, count: int) -> None:
    """The next open gets a worker, after any number of deaths."""
    slowest = 0.0
    for number in range(count):
        path = fresh(run, run.media.good, number)
        watch = Stopwatch()
        asset = engine.call("asset/open", url=str(path))["asset"]
        name, _ = engine.attempt(
            "asset/loadValues", asset=asset, keys=["duration"], completion="response"
        )
        slowest = max(slowest, watch.seconds)
        expect(name == "ok", name)
        for pid in engine.workers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        engine.attempt("handle/close", handle=asset)
    run.note(f"slowest open after a death {slowest:.2f} s")
    deaths = engine.stats()["isolation"]["deaths"]
    expect(deaths >= count, f"{deaths} deaths counted of {count}")
