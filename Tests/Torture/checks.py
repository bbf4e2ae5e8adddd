"""The checks after each case: the engine is alive, and nothing is left."""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from rows import Run, expect
from server import Checked, Server
from child_processes import children_of
from waiting import Hung, Stopwatch, eventually

MEGABYTE = 1 << 20


def image_hash(engine: Checked, path: Path, time: object = 0.5) -> str:
    """The pixels of one exact image, as a hash; the asset and the generator are closed again."""
    asset = engine.call("asset/open", url=str(path))["asset"]
    generator = engine.call(
        "imageGenerator/create",
        asset=asset,
        requestedTimeToleranceBefore=0,
        requestedTimeToleranceAfter=0,
    )["imageGenerator"]
    try:
        made = engine.call(
            "imageGenerator/generateImage", imageGenerator=generator, time=time, format="rgb24"
        )
    finally:
        for handle in (generator, asset):
            engine.call("handle/close", handle=handle)
    return hashlib.sha256(made["image"]["blob"]["data"].encode()).hexdigest()


class Alive:
    """The next request is answered in time, and a good file has its usual image."""

    def __init__(self, good: Path) -> None:
        self.good = good
        with Server() as engine:
            self.expected = image_hash(engine, good)
        self.slowest = 0.0

    def check(self, engine: Checked) -> None:
        watch = Stopwatch()
        engine.stats()
        self.slowest = max(self.slowest, watch.seconds)
        expect(image_hash(engine, self.good) == self.expected, "the good file's image is another one")
        engine.check_counts()


@dataclass
class Process:
    pid: int
    descriptors: List[str]
    threads: int
    resident: int

    @staticmethod
    def of(pid: int) -> "Optional[Process]":
        try:
            descriptors = [readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
            status = Path(f"/proc/{pid}/status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return None
        fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        resident = int(fields.get("VmRSS", "0 kB").split()[0]) << 10
        return Process(pid, descriptors, int(fields["Threads"]), resident)


def readlink(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return "closed"


@dataclass
class Census:
    """The resources of an engine: its own process first, then those that it has begun."""

    processes: List[Process]
    files: int

    @staticmethod
    def of(engine: Checked, *folders: Path) -> "Census":
        pid = engine.process.pid
        found = [Process.of(each) for each in [pid, *children_of(pid)]]
        files = sum(1 for folder in folders for path in folder.rglob("*") if not path.is_dir())
        return Census([process for process in found if process], files)

    @property
    def descriptors(self) -> int:
        return max((len(process.descriptors) for process in self.processes), default=0)

    @property
    def threads(self) -> int:
        return max((process.threads for process in self.processes), default=0)

    @property
    def resident(self) -> int:
        return sum(process.resident for process in self.processes)

    @property
    def children(self) -> int:
        return len(self.processes) - 1


@dataclass
class Margin:
    """The increase over the level before that is still clean."""

    descriptors: int = 4
    children: int = 2
    # Queues retain the threads that a peak has made.
    threads: int = 80
    # Of each process: pools, and the caches of libraries, after the first large picture.
    resident: int = 64 * MEGABYTE
    files: int = 0


class Clean:
    """Compares an engine's resources with those before; the comparison waits for late ends."""

    def __init__(self, engine: Checked, good: Path, *folders: Path, margin: Margin = Margin()) -> None:
        # Resources that are made once and stay: queues, threads, the pool of shared memory; in each of three
        # workers, of which an asset gets the one that has the fewest handles.
        held = []
        for _ in range(3):
            held.append(engine.call("asset/open", url=str(good))["asset"])
            image_hash(engine, good)
        for asset in held:
            engine.call("handle/close", handle=asset)
        self.engine, self.folders, self.margin = engine, folders, margin
        self.before = Census.of(engine, *folders)

    def problems(self) -> List[str]:
        now, before, margin = Census.of(self.engine, *self.folders), self.before, self.margin
        compared = {
            "descriptors": (before.descriptors, now.descriptors, margin.descriptors),
            "child processes": (before.children, now.children, margin.children),
            "threads": (before.threads, now.threads, margin.threads),
            "resident bytes": (before.resident, now.resident, margin.resident * (1 + now.children)),
            "files": (before.files, now.files, margin.files),
        }
        return [
            f"{name}: {was} before, {now} now"
            for name, (was, now, most) in compared.items()
            if now > was + most
        ]

    def check(self) -> None:
        with contextlib.suppress(Hung):
            eventually(lambda: self.problems(), lambda: not self.problems())
        problems = self.problems()
        expect(not problems, "not clean: " + "; ".join(problems))
        handles = self.engine.call("handle/list")["handles"]
        expect(not handles, f"open handles: {handles[:3]}")
        stats = self.engine.stats()
        expect(stats["operations"] == 0 and stats["leases"] == 0, f"left over: {stats}")


def close_all(engine: Checked) -> None:
    """Closes every handle that is open."""
    for handle in engine.call("handle/list")["handles"]:
        engine.attempt("handle/close", handle=handle["handle"])


class Memory:
    """The growth of the resident memory of an engine and its children, at its highest."""

    def __init__(self, engine: Checked) -> None:
        self.engine = engine
        for pid in [engine.process.pid, *children_of(engine.process.pid)]:
            # Has the kernel forget the peak before.
            with contextlib.suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text("5")
        self.before = Census.of(engine).resident

    def growth(self) -> int:
        """From the peaks that the kernel has recorded."""
        total = 0
        for pid in [self.engine.process.pid, *children_of(self.engine.process.pid)]:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                    if line.startswith("VmHWM:"):
                        total += int(line.split()[1]) << 10
        return total - self.before

    def check(self, most: int) -> None:
        grown = self.growth()
        expect(grown <= most, f"memory grew by {grown >> 20} MB, {most >> 20} are allowed")


class Effort:
    """The processor time that an engine and its children have used, and the bytes that they have read:
    independent of the machine's load."""

    def __init__(self, engine: Checked) -> None:
        self.engine = engine
        self.before = self.now()

    def now(self) -> Tuple[float, int]:
        seconds, bytes = 0.0, 0
        for pid in [self.engine.process.pid, *children_of(self.engine.process.pid)]:
            with contextlib.suppress(FileNotFoundError, ProcessLookupError, PermissionError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                lines = Path(f"/proc/{pid}/io").read_text().splitlines()
                bytes += next(int(line.split()[1]) for line in lines if line.startswith("rchar"))
        return seconds, bytes

    def check(self, seconds: float, bytes: int) -> None:
        """At most ``seconds`` of one processor, and at most ``bytes`` read."""
        used, read = (now - before for now, before in zip(self.now(), self.before))
        expect(used <= seconds, f"it took {used:.1f} s of a processor, {seconds} are allowed")
        expect(read <= bytes, f"it read {read / MEGABYTE:.1f} MB, {bytes / MEGABYTE:.1f} are allowed")


def is_internal(error: Dict[str, Any]) -> bool:
    return bool(error.get("code") == -32603)


def scratch_environment(run: Run) -> Dict[str, str]:
    """Has an engine's temporary files appear in the run's folder, where they are counted."""
    return {"TMPDIR": str(run.subfolder("temporary"))}
