"""The engine's start time and response time: `python Benchmarks/latency.py [--json]`.

Start: from before the process is made until the first answer is read. Round trip: one
`engine/stats` at a time, over the bare pipe and through the Python client.
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
import time
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire

REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"engine/stats"}\n'


class Pipe:
    """The engine with nothing between it and us."""

    def __init__(self, binary: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [binary, "serve"], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0
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
    each = result["pipelined"]["perRequest"]
    print(f"{'1000 pipelined, each':38}{each:9.1f}{'':27}  µs")


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


if __name__ == "__main__":
    main()
