"""R1 to R3: allocations of the FFmpeg libraries that fail: one, all from one on, and all above a size."""

from __future__ import annotations

import ctypes
import mmap
import subprocess
from typing import Any, Callable, Dict, Tuple

from checks import Alive, close_all
from rows import Run, expect, row
from server import HERE, Checked, EngineError, Server, Shared
from steps import Steps, leftovers


class Allocations(ctypes.Structure):
    """The memory that allocations.c shares with its row."""

    _fields_ = [
        (name, ctypes.c_int64) for name in ("armed", "remaining", "forever", "seen", "fired", "limit")
    ]


class Scarce:
    """Engines whose allocations fail as `arm` states."""

    def __init__(self, run: Run) -> None:
        self.library = run.folder / "allocations.so"
        source = HERE / "allocations.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, source], check=True)
        self.control = run.folder / "allocations"
        self.control.write_bytes(bytes(4096))
        with self.control.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 4096)
        self.allocations = Allocations.from_buffer(self.memory)

    def make(self) -> Checked:
        environment = {"LD_PRELOAD": str(self.library), "REELWIRE_ALLOCATIONS": str(self.control)}
        return Server(environment=environment)

    def arm(self, after: int = 1 << 60, forever: bool = False, limit: int = 0) -> None:
        """Has one allocation fail once ``after`` have succeeded; without a number they are counted alone."""
        shared = self.allocations
        shared.armed = 0
        shared.seen = shared.fired = 0
        shared.remaining, shared.forever, shared.limit = after, forever, limit
        shared.armed = 1

    def disarm(self) -> Tuple[int, int]:
        """Ends it; how many calls there were, and how many of them have failed."""
        self.allocations.armed = 0
        return int(self.allocations.seen), int(self.allocations.fired)


Work = Callable[[Steps], str]

WORK: Dict[str, Work] = {
    "keys": lambda steps: steps.keys(),
    "image": lambda steps: steps.image(1.3),
    "sheet": lambda steps: steps.sheet(),
    "cursor": lambda steps: steps.cursor(),
    "stored": lambda steps: steps.read("video", None, 1000),
    "decoded": lambda steps: steps.read("video", {"pixelFormat": "rgb24", "width": 64}, 1000),
    "audio": lambda steps: steps.read("audio", {"sampleFormat": "s16"}, 1000),
    "waveform": lambda steps: steps.waveform(),
    "copy": lambda steps: steps.export("Passthrough", "mp4"),
    "transcode": lambda steps: steps.export("LowQuality", "mp4", 0.4),
}


class Failing:
    """The cases of R1 to R3: work, with its results when nothing fails."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.scarce = Scarce(run)
        self.server = Shared(run, self.scarce.make)
        self.isIsolated = self.server().is_isolated()
        self.alive = Alive(run.media.good)
        self.folder = run.subfolder("out")
        self.deaths = 0
        self.others = 0
        self.number = 0
        if not self.isIsolated:
            run.note("without isolation, a death of the process is counted and is no failure")

    def work(self, name: str) -> Steps:
        # A file each: one that was in work at two deaths is refused.
        self.number += 1
        path = self.run.folder / f"{self.number}.mp4"
        path.write_bytes(self.run.media["fast.mp4"].read_bytes())
        steps = Steps(self.server(), path, self.folder)
        steps.open()
        outcome = steps.step(name, WORK[name], steps)
        self.run.count(outcome)
        steps.outcomes = [(name, outcome)]
        self.server().attempt("handle/close", handle=steps.asset)
        path.unlink()
        return steps

    def good(self, name: str) -> Tuple[Dict[str, str], int]:
        """The right results, and the number of allocations that they take."""
        self.work(name)
        self.scarce.arm()
        steps = self.work(name)
        seen, _ = self.scarce.disarm()
        expect(steps.outcomes == [(name, "ok")], str(steps.outcomes))
        expect(seen > 10, f"{seen} allocations: the library isn't loaded")
        return steps.digests, seen

    def case(self, name: str, good: Dict[str, str], arm: Dict[str, Any]) -> None:
        self.scarce.arm(**arm)
        try:
            steps = self.work(name)
            self.scarce.disarm()
            outcome = steps.outcomes[0][1]
            if outcome == "ok" and steps.digests != good:
                self.run.count("another result")
                self.others += 1
            expect(leftovers(self.folder) == [], f"left behind: {leftovers(self.folder)}")
            self.check_alive()
        except ConnectionError:
            # The whole process; a broken pipe, too.
            self.scarce.disarm()
            self.deaths += 1
            self.run.count("the process died")
            self.server.drop()
            for path in self.folder.iterdir():
                path.unlink()
            if self.isIsolated:
                raise
        except Exception:
            self.scarce.disarm()
            self.server.drop()
            for path in self.folder.iterdir():
                path.unlink()
            raise

    def check_alive(self) -> None:
        """A worker may die late, of work that it has done ahead; then the next one is fine."""
        try:
            self.alive.check(self.server())
        except EngineError as error:
            if error.data["name"] != "workerDied":
                raise
            self.run.count("workerDied")
            close_all(self.server())
            self.alive.check(self.server())

    def check_results(self, allowed: int) -> None:
        """FFmpeg loses some errors of its own: `mov_build_index` and the start of an H.264 picture return none
        when one allocation fails. Of all allocations from one on, none is lost."""
        expect(self.others <= allowed, f"{self.others} other results, and no error")

    def note(self) -> None:
        deaths = self.server().stats().get("isolation", {}).get("deaths", 0)
        self.run.note(f"processes that died {self.deaths}, workers that died {deaths}")


def sweep(run: Run, isForever: bool) -> None:
    failing = Failing(run)
    count = max(1, run.options.allocations // len(WORK))
    for name in WORK:
        good, seen = failing.good(name)
        run.note(f"{name}: {seen} allocations")
        # Evenly over them, another place each within its part.
        numbers = run.random(name)
        for part in range(count):
            after = min(seen - 1, int((part + numbers.random()) * seen / count))
            run.case(
                f"{name} {part}: {after} succeed",
                failing.case,
                name,
                good,
                {"after": after, "forever": isForever},
            )
    run.case("alive", lambda: failing.alive.check(failing.server()))
    run.case("errors", failing.check_results, 0 if isForever else max(2, count * len(WORK) // 20))
    failing.note()


@row("R1", "one allocation of FFmpeg fails: the right result, a named error, or a worker's death", quick=True)
def allocation_fails(run: Run) -> None:
    sweep(run, isForever=False)


@row("R2", "all allocations from one on fail")
def allocations_fail(run: Run) -> None:
    sweep(run, isForever=True)


@row("R3", "no allocation above a size: 4 kB to 256 MB")
def allocation_limit(run: Run) -> None:
    failing = Failing(run)
    for name in WORK:
        good, _ = failing.good(name)
        for power in range(12, 29, run.amount(8, 1)):
            run.case(f"{name}, at most {1 << power} bytes", failing.case, name, good, {"limit": 1 << power})
    run.case("errors", failing.check_results, 0)
    failing.note()
