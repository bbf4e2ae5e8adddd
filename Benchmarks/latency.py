"""The engine's start time and response time: `python Benchmarks/latency.py [--json]`.

Start: from before the process is made until the first answer is read. Round trip: one
`engine/stats` at a time, over the bare pipe, with and without a supervisor, and through the Python client. Commands:
from before the process is made until it has ended. `import reelwire`: the time of that line in a new Python.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire
import results

REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"engine/stats"}\n'


class Pipe:
    """The engine with nothing between it and us."""

    def __init__(self, binary: str, *options: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [binary, "serve", *options], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input = self.process.stdin.fileno()
        self.output = self.process.stdout.fileno()

    def ask(self) -> None:
        os.write(self.input, REQUEST)
        answer = b""
        while not answer.endswith(b"\n"):
            part = os.read(self.output, 65536)
            if not part:
                raise SystemExit("the engine ended instead of answering")
            answer += part

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(5)
        self.process.stdout.close()


def summary(seconds: list[float], unit: float) -> dict[str, float]:
    """The median, the extremes and the 99th percentile in a unit."""
    ordered = sorted(seconds)
    return {
        "median": statistics.median(ordered) * unit,
        "min": ordered[0] * unit,
        "p99": ordered[int(len(ordered) * 0.99)] * unit,
        "max": ordered[-1] * unit,
        "count": len(ordered),
    }


def timed(action: Callable[[], Any], count: int) -> list[float]:
    """The time of each of `count` calls."""
    times = []
    for _ in range(count):
        before = time.perf_counter()
        action()
        times.append(time.perf_counter() - before)
    return times


def starts(binary: str, count: int) -> list[float]:
    """From nothing to the first answer, over the bare pipe."""
    times = []
    for _ in range(count):
        before = time.perf_counter()
        pipe = Pipe(binary)
        pipe.ask()
        times.append(time.perf_counter() - before)
        pipe.close()
    return times


def client_starts(binary: str, count: int) -> list[float]:
    """From nothing to the client's first result."""
    times = []
    for _ in range(count):
        before = time.perf_counter()
        with reelwire.Engine(binary) as engine:
            engine.stats()
            times.append(time.perf_counter() - before)
    return times


def clip(folder: Path) -> Path:
    """Five seconds of video with audio."""
    path = folder / "small.mp4"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:d=5"]
    command += ["-f", "lavfi", "-i", "sine=d=5", "-pix_fmt", "yuv420p", str(path)]
    subprocess.run(command, check=True)
    return path


def commands(binary: str, count: int) -> dict[str, list[float]]:
    """Commands and an import, from nothing to their end, in turns; the first turn fills the caches."""
    package = str(Path(reelwire.__file__).parents[1])
    timed_import = (
        f"import sys, time; sys.path.insert(0, {package!r}); began = time.perf_counter(); import reelwire; "
        "print(time.perf_counter() - began)"
    )
    found: dict[str, list[float]] = {"version": [], "probe": [], "import": []}
    with tempfile.TemporaryDirectory() as folder:
        small = str(clip(Path(folder)))
        for number in range(count + 1):
            taken = {}
            for name, arguments in (("version", ["--version"]), ("probe", ["probe", small])):
                before = time.perf_counter()
                subprocess.run([binary, *arguments], check=True, stdout=subprocess.DEVNULL)
                taken[name] = time.perf_counter() - before
            taken["import"] = float(subprocess.check_output([sys.executable, "-c", timed_import]))
            for name, seconds in taken.items() if number else ():
                found[name].append(seconds)
    return found


def supervised(binary: str, count: int, rounds: int) -> dict[str, list[float]]:
    """The medians of round trips in seconds, through a supervisor and without one, in turns."""
    pipes = {"supervisor": Pipe(binary), "alone": Pipe(binary, "--no-isolation")}
    found: dict[str, list[float]] = {name: [] for name in pipes}
    for _ in range(rounds):
        for name, pipe in pipes.items():
            timed(pipe.ask, 20)
            found[name].append(statistics.median(timed(pipe.ask, count)))
    for pipe in pipes.values():
        pipe.close()
    return found


async def asynchronous(binary: str, count: int) -> tuple[list[float], float]:
    """Round trips of the asyncio client, and the seconds for a thousand requests at once."""
    async with reelwire.AsyncEngine(binary) as engine:
        times = []
        for _ in range(count):
            before = time.perf_counter()
            await engine.stats()
            times.append(time.perf_counter() - before)
        before = time.perf_counter()
        await asyncio.gather(*(engine.stats() for _ in range(1000)))
        return times, time.perf_counter() - before


def machine(binary: str) -> dict[str, Any]:
    """The machine of the measurement."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if "model name" in line), "")
    with reelwire.Engine(binary) as engine:
        info = engine.info
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "engine": info["serverInfo"].get("version"),
        "ffmpeg": info["ffmpeg"]["version"],
    }


def measure(binary: str, spawns: int, calls: int) -> dict[str, Any]:
    """Everything."""
    facts = machine(binary)
    result: dict[str, Any] = {"machine": facts}
    result["commands"] = commands(binary, spawns)
    result["supervised"] = supervised(binary, 200, 20)
    result["start"] = {
        "pipe": summary(starts(binary, spawns), 1e3),
        "client": summary(client_starts(binary, spawns), 1e3),
    }
    pipe = Pipe(binary)
    timed(pipe.ask, 100)
    round_trip = {"pipe": summary(timed(pipe.ask, calls), 1e6)}
    pipe.close()
    with reelwire.Engine(binary) as engine:
        timed(engine.stats, 100)
        round_trip["sync client"] = summary(timed(engine.stats, calls), 1e6)
    times, pipelined = asyncio.run(asynchronous(binary, calls))
    round_trip["async client"] = summary(times, 1e6)
    result["roundTrip"] = round_trip
    result["pipelined"] = {"perRequest": pipelined * 1e3, "count": 1000}
    return result


def show(result: dict[str, Any]) -> None:
    """Prints the table."""
    facts = result["machine"]
    print(f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']}, Linux {facts['kernel']}")
    print(
        f"reelwire {facts['engine']}, FFmpeg {facts['ffmpeg']}, Python {facts['python']}",
        end="\n\n",
    )
    print(f"{'':38}{'median':>9}{'min':>9}{'p99':>9}{'max':>9}")
    for title, key, unit in (
        ("start to first answer", "start", "ms"),
        ("engine/stats round trip", "roundTrip", "µs"),
    ):
        for way, numbers in result[key].items():
            cells = "".join(f"{numbers[name]:9.1f}" for name in ("median", "min", "p99", "max"))
            print(f"{f'{title}, {way}':38}{cells}  {unit}")
    for name, seconds in result["commands"].items():
        numbers = summary(seconds, 1e3)
        cells = "".join(f"{numbers[key]:9.1f}" for key in ("median", "min", "p99", "max"))
        print(f"{name:38}{cells}  ms")
    each = result["pipelined"]["perRequest"]
    print(f"{'1000 pipelined, each':38}{each:9.1f}{'':27}  µs")


def report(result: dict[str, Any], binary: str, prints: bool) -> None:
    """The goals."""
    goals = results.Report(binary, prints=prints)
    for name, seconds in result["commands"].items():
        goals.add(f"start-{name}", results.median([each * 1e3 for each in seconds]))
    pairs = zip(result["supervised"]["supervisor"], result["supervised"]["alone"])
    goals.add("supervisor", results.median((one - other) * 1e6 for one, other in pairs))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="How long the engine takes to start and to answer")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--spawns", type=int, default=20)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    binary = reelwire.find_binary(arguments.binary)
    result = measure(binary, arguments.spawns, arguments.calls)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)
    report(result, binary, not arguments.json)


if __name__ == "__main__":
    main()
