"""Fleets of two workers on this machine: `python Benchmarks/fleet.py [--json] [--quick]`.

`probe` and `thumbnails` run a job on each ordinary file of the corpus, several times over: by one engine, one
file after the other, by a fleet, by a fleet that has a task for each file, and for `probe` by `ffprobe`, two
at a time, by xargs and as tasks of the same cluster. Clusters and engines are started before the time begins; the results
of the fleet have to be those of the one engine. `export` makes 720p of a minute of 1080p, by one engine, by parts that two
workers make, and by `ffmpeg` processes that encode pieces, two at a time, which another one joins.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

from distributed import Client, LocalCluster

import results
from export import FFMPEG, PRESET, SAME, made_source
from images import KEPT
from pipe import ordinary
from reelwire import jobs
from reelwire.dask import Fleet

FFPROBE = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json"]
SECONDS = 60
PIECE = 30
PARTS = 2
WORK: Dict[str, Any] = {
    "probe": jobs.Probe(
        ("duration", "tracks", "metadata"), ("nominal_frame_rate", "format_descriptions")
    ),
    "thumbnails": jobs.Thumbnails(count=5, width=160),
}
TIMES = {"probe": 5, "thumbnails": 1}
# The way that is compared with one engine, for the goal of a job.
COMPARED = {"probe": "fleet", "thumbnails": "fleet", "export": "fleet, in parts"}

Ways = Dict[str, Callable[[], Any]]


def ffprobe(path: str) -> str:
    """The output of `ffprobe` for a file."""
    return subprocess.run([*FFPROBE, path], capture_output=True, text=True).stdout


def xargs(paths: List[str]) -> None:
    subprocess.run(
        ["xargs", "-0", "-P2", "-n1", *FFPROBE],
        input="\0".join(paths),
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def many(name: str, paths: List[str], worker: Any, fleet: Fleet) -> Ways:
    """The ways to do a job with many files."""
    job = WORK[name]
    ways: Ways = {
        "one engine": lambda: [worker.attempt(job, path) for path in paths],
        "fleet": lambda: fleet.gather(job, paths),
        "fleet, a task a file": lambda: fleet.gather(job, paths, batch_size=1),
    }
    if name == "probe":
        client = fleet.client
        ways["xargs -P2 ffprobe"] = lambda: xargs(paths)
        ways["Dask, ffprobe a task"] = lambda: client.gather(
            client.map(ffprobe, paths, pure=False)
        )
    return ways


def compare(name: str, made: Dict[str, Any]) -> None:
    """The rows of fleets have to be those of one engine."""

    def known(rows: Any) -> List[Any]:
        return [(row.path, repr(row.value), repr(row.error)) for row in rows]

    right = known(made["one engine"])
    for way in ("fleet", "fleet, a task a file"):
        for expected, found in zip(right, known(made[way])):
            if expected != found:
                raise SystemExit(f"{name}: {way} returns {found}, one engine {expected}")


def source() -> Path:
    """A minute of 1080p with AAC."""
    path = KEPT / "1080p-60s-sound.mp4"
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        made = path.with_suffix(".part.mp4")
        twice = ["-stream_loop", "1", "-i", str(made_source(KEPT)), "-c", "copy", str(made)]
        subprocess.run([*FFMPEG, *twice], check=True)
        made.replace(path)
    return path


def pieces(path: Path, folder: Path) -> None:
    """av1an's method, by `ffmpeg`: pieces with one thread each, joined together with the audio."""
    starts = range(0, SECONDS, PIECE)
    commands = [
        " ".join(
            [*FFMPEG, "-ss", str(start), "-t", str(PIECE), "-i", str(path), "-an"]
            + ["-vf", "scale=1280:720", *SAME, "-threads", "1", "-x264-params", "stitchable=1"]
            + [str(folder / f"{start}.mp4")]
        )
        for start in starts
    ]
    shell = ["xargs", "-P2", "-I{}", "sh", "-c", "{}"]
    subprocess.run(shell, input="\n".join(commands), text=True, check=True)
    (folder / "list").write_text("".join(f"file '{folder}/{start}.mp4'\n" for start in starts))
    lists = ["-f", "concat", "-safe", "0", "-i", str(folder / "list"), "-i", str(path)]
    maps = ["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac"]
    subprocess.run([*FFMPEG, *lists, *maps, str(folder / "pieces.mp4")], check=True)


def long_export(worker: Any, fleet: Fleet) -> Ways:
    """The ways to export a long file, each to a new one."""
    path = source()

    def new(body: Callable[[Path], Any]) -> Callable[[], Any]:
        def made() -> None:
            with tempfile.TemporaryDirectory(dir=KEPT) as folder:
                body(Path(folder))

        return made

    def alone(folder: Path) -> None:
        worker.run(jobs.Export(PRESET, folder / "one.mp4"), path)

    def by_parts(folder: Path) -> None:
        fleet.export(path, folder / "parts.mp4", PRESET, parts=PARTS)

    return {
        "one engine": new(alone),
        "fleet, in parts": new(by_parts),
        "ffmpeg, in pieces": new(lambda folder: pieces(path, folder)),
    }


def measured(ways: Ways, rounds: int) -> tuple[Dict[str, List[float]], Dict[str, Any]]:
    """The seconds of each program, in turns, and its first result."""
    taken: Dict[str, List[float]] = {way: [] for way in ways}
    made: Dict[str, Any] = {}
    for number in range(rounds):
        names = list(ways)
        for way in names[number % len(names) :] + names[: number % len(names)]:
            began = time.perf_counter()
            result = ways[way]()
            taken[way].append(time.perf_counter() - began)
            made.setdefault(way, result)
    return taken, made


def show(name: str, medians: Dict[str, float]) -> None:
    """A table."""
    print(f"\n{name:<24}{'seconds':>10}{'of the one':>12}")
    for way, seconds in medians.items():
        print(f"  {way:<22}{seconds:>10.2f}{seconds / medians['one engine']:>12.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    release = Path(__file__).resolve().parents[1] / ".build" / "release" / "reelwire"
    parser.add_argument("--binary", default=str(release))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--only", choices=[*WORK, "export"])
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rounds = 1 if given.quick else given.rounds
    found: Dict[str, Dict[str, float]] = {}
    goals = results.Report(given.binary, records=not given.quick, prints=not given.json)
    files = [str(path) for path in ordinary()]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        with Client(cluster) as client, Fleet(client, binary=given.binary) as fleet:
            with jobs.Worker(binary=given.binary) as worker:
                for name in [given.only] if given.only else [*WORK, "export"]:
                    if name == "export":
                        ways = long_export(worker, fleet)
                    else:
                        ways = many(name, files * TIMES[name], worker, fleet)
                    taken, made = measured(ways, rounds)
                    found[name] = {way: statistics.median(each) for way, each in taken.items()}
                    if name in WORK:
                        compare(name, made)
                    if not given.json:
                        show(name, found[name])
                    pair = (taken[COMPARED[name]], taken["one engine"])
                    goals.add(f"fleet-{name}", results.ratio(*pair))
    if given.json:
        print(json.dumps({"jobs": found, "goals": goals.rows}))


if __name__ == "__main__":
    main()
