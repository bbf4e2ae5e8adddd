"""Facts of files, against ffprobe and PyAV: `python Benchmarks/assets.py [--json]`.

For every ordinary file of the corpus: its tracks, its duration and its metadata. One engine is asked
for one file after the other, and then for all of them at once; ffprobe is started for each file; PyAV
opens each in this process. Each way is also measured with both cores where it can use them. The
ways take turns, the files are in the page cache, and the start of the engine does not count.

PyAV brings FFmpeg libraries of its own, newer ones. Without it (`pip install av`) it is left out.

Then duration and tracks alone, of 80 of the files, as a program in Python gets them one after the other: by the
client, and by PyAV.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire
import results
from pipe import Pipe, ordinary

try:
    import av
except ImportError:
    av = None

KEYS = ["tracks", "duration", "metadata"]
CLIPS = 80
Way = Callable[["list[Path]"], int]


def check(values: dict[str, Any]) -> int:
    """1 when all keys are loaded."""
    return int(all(values[key]["status"] == "loaded" for key in KEYS))


def load(handle: str) -> tuple[str, dict[str, Any]]:
    """The request for an asset's facts."""
    return "asset/loadValues", {"asset": handle, "keys": KEYS, "completion": "response"}


def sequential(pipe: Pipe) -> Way:
    """Each request after the answer to the one before."""

    def way(files: list[Path]) -> int:
        done = 0
        for path in files:
            asset = pipe.call("asset/open", url=str(path))["asset"]
            done += check(pipe.read(pipe.write([load(asset)]))[0]["values"])
            pipe.call("handle/close", handle=asset)
        return done

    return way


def pipelined(pipe: Pipe) -> Way:
    """All files opened at once, then all loaded at once, then all closed."""

    def way(files: list[Path]) -> int:
        opened = pipe.read(pipe.write([("asset/open", {"url": str(path)}) for path in files]))
        assets = [answer["asset"] for answer in opened]
        loaded = pipe.read(pipe.write([load(asset) for asset in assets]))
        pipe.read(pipe.write([("handle/close", {"handle": asset}) for asset in assets]))
        return sum(check(answer["values"]) for answer in loaded)

    return way


def ffprobe_one(path: Path) -> int:
    """One process for one file."""
    command = ["ffprobe", "-v", "quiet", "-show_format", "-show_streams", "-of", "json"]
    output = subprocess.run([*command, f"file:{path}"], stdout=subprocess.PIPE, check=False).stdout
    return int("streams" in json.loads(output or b"{}"))


def pyav_one(path: Path) -> int:
    """PyAV's facts of one file."""
    try:
        with av.open(f"file:{path}", metadata_errors="replace") as container:
            facts = (container.duration, dict(container.metadata))
            streams = [(s.type, s.duration, s.time_base, s.metadata) for s in container.streams]
            return int(bool(facts and streams))
    except av.error.FFmpegError:
        return 0


def by_client(engine: reelwire.Engine) -> Callable[[Path], int]:
    """The duration and the tracks of one file by the Python client."""

    def one(path: Path) -> int:
        with engine.open(path) as asset:
            values = asset.load("duration", "tracks")
            return int(bool(values["tracks"]) and values["duration"] is not None)

    return one


def by_container(path: Path) -> int:
    """The same by PyAV."""
    with av.open(f"file:{path}", metadata_errors="replace") as container:
        return int(bool([(s.type, s.duration, s.time_base) for s in container.streams]) and container.duration != 0)


def one_by_one(one: Callable[[Path], int]) -> Way:
    """A function for each file, one after the other."""
    return lambda files: sum(map(one, files))


def by_threads(one: Callable[[Path], int]) -> Way:
    """The same by one thread for each core."""

    def way(files: list[Path]) -> int:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return sum(pool.map(one, files))

    return way


def measure(ways: dict[str, Way], files: list[Path], rounds: int) -> dict[str, Any]:
    """The files a second of each way; every round begins with another way."""
    names = list(ways)
    rates: dict[str, list[float]] = {name: [] for name in names}
    done: dict[str, int] = {}
    for number in range(rounds + 1):
        for position in range(len(names)):
            name = names[(number + position) % len(names)]
            before = time.perf_counter()
            done[name] = ways[name](files)
            # The first round fills the caches.
            if number:
                rates[name].append(len(files) / (time.perf_counter() - before))
    return {
        name: {
            "rates": found,
            "median": statistics.median(found),
            "min": min(found),
            "max": max(found),
            "done": done[name],
        }
        for name, found in rates.items()
    }


def facts(binary: str, files: list[Path], rounds: int) -> dict[str, Any]:
    """Duration and tracks of evenly chosen files that both programs can open."""
    with reelwire.Engine(binary) as engine:
        ours = by_client(engine)
        usable = [path for path in files if works(ours, path) and works(by_container, path)]
        chosen = [usable[len(usable) * number // CLIPS] for number in range(CLIPS)]
        ways = {"reelwire, Python client": one_by_one(ours), "PyAV": one_by_one(by_container)}
        return measure(ways, chosen, rounds)


def works(one: Callable[[Path], int], path: Path) -> bool:
    """True if a program opens a file."""
    try:
        return bool(one(path))
    except (reelwire.ReelwireError, av.error.FFmpegError):
        return False


def show(result: dict[str, Any]) -> None:
    """Prints the table."""
    ways = result["ways"]
    print(f"tracks, duration and metadata of {result['files']} files, ", end="")
    print(f"{result['rounds']} rounds, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}")
    if result["pyav"]:
        library = ".".join(map(str, result["pyav"]["libavformat"]))
        print(f"PyAV {result['pyav']['version']} with libavformat {library}", end="")
    print("\n")
    others = [name for name in ("ffprobe", "PyAV") if name in ways]
    heads = "".join(f"{'× ' + name:>12}" for name in others)
    print(f"{'files a second':38}{'median':>9}{'min':>9}{'max':>9}{'each':>12}{'done':>7}{heads}")
    for name, way in ways.items():
        cells = "".join(f"{way[key]:9.1f}" for key in ("median", "min", "max"))
        ratios = "".join(f"{way['median'] / ways[other]['median']:12.2f}" for other in others)
        print(f"{name:38}{cells}{1e3 / way['median']:9.2f} ms{way['done']:7}{ratios}")


def everything(binary: str, files: list[Path], rounds: int) -> dict[str, Any]:
    """The facts of all files by each program."""
    pipe = Pipe(binary)
    ways: dict[str, Way] = {
        "reelwire, one request after the other": sequential(pipe),
        "reelwire, all requests at once": pipelined(pipe),
        "ffprobe": one_by_one(ffprobe_one),
        "ffprobe, a process for each core": by_threads(ffprobe_one),
    }
    if av is not None:
        ways["PyAV"] = one_by_one(pyav_one)
        ways["PyAV, a thread for each core"] = by_threads(pyav_one)
    result = {
        "files": len(files),
        "rounds": rounds,
        "pyav": av
        and {"version": av.__version__, "libavformat": av.library_versions["libavformat"]},
        "ways": measure(ways, files, rounds),
    }
    pipe.close()
    return result


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Facts of files, against ffprobe and PyAV")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folders", nargs="+", default=["video", "audio", "images"])
    parser.add_argument("--facts", action="store_true", help="only duration and tracks of 80 files")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    files = ordinary(tuple(arguments.folders))
    binary = reelwire.find_binary(arguments.binary)
    result: dict[str, Any] = {}
    if not arguments.facts:
        result = everything(binary, files, arguments.rounds)
        if not arguments.json:
            show(result)
    if av is not None:
        found = facts(binary, files, 4 * arguments.rounds)
        ours, theirs = (way["rates"] for way in found.values())
        goals = results.Report(binary, prints=not arguments.json)
        goals.add("facts", results.ratio(ours, theirs))
        result["facts"] = found
    if arguments.json:
        print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
