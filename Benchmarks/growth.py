"""Cost against size: `growth.py [--only JOB] [--quick] [--json]`.

Each job is done at several sizes (minutes of a file, tracks, parts, files, handles, requests in flight), each time by
a fresh engine. Processor time, bytes read and the peak memory of all of its processes are compared from size to
size: a slope of 1 is linear, of 2 quadratic, of 0 flat. Processor time hardly depends on other programs.

The costs are stored (`results.py`), and `table.py` makes a table and a picture of them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import processes
import reelwire
import results
from library import make

HERE = Path(__file__).resolve().parent
FILES = HERE.parent / ".build" / "bench" / "growth"
Cost = dict[str, float]
# A cost below this is the noise of a process, and has no slope.
FLOORS = {"seconds": 0.05, "read": 1.0, "memory": 8.0}
UNITS = {"seconds": "s", "read": "MB read", "memory": "MB of memory"}


def cost(pid: int) -> Cost:
    """Processor seconds, megabytes read, and the sum of peaks of memory in megabytes."""
    seconds, read, memory = processes.cost(pid)
    return {"seconds": seconds, "read": read / 1e6, "memory": memory / 1e3}


# Files, made once


def made(name: str, *arguments: str) -> Path:
    """A file that ffmpeg makes, if it isn't there."""
    target = FILES / name
    if not target.exists():
        FILES.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f"part-{name}")
        command = ["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments, str(partial)]
        subprocess.run(command, check=True)
        partial.rename(target)
    return target


def clip(minutes: int, kind: str = "mp4") -> Path:
    """Small H.264 at 30 frames per second with AAC, a sync sample every two seconds."""
    picture = made(
        "minute.mp4", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=30:d=60",
        *"-c:v libx264 -preset veryfast -g 60".split(),
    )  # fmt: skip
    audio = made("minute.aac", "-f", "lavfi", "-i", "sine=d=60", *"-c:a aac -b:a 48k".split())
    # ADTS has no times: its packets follow each other without a gap.
    packets = FILES / f"{minutes}.aac"
    if not packets.exists():
        packets.write_bytes(audio.read_bytes() * minutes)
    options = []
    if kind == "fragmented.mp4":
        options = ["-bsf:a", "aac_adtstoasc", "-movflags", "frag_keyframe+empty_moov+default_base_moof"]
    return made(
        f"{minutes}.{kind}", "-stream_loop", str(minutes - 1), "-i", str(picture),
        "-i", str(packets), *"-map 0 -map 1 -c copy".split(), *options, "-t", str(minutes * 60),
    )  # fmt: skip


def tracks(count: int) -> Path:
    """A minute of AAC in several tracks."""
    source = ["-f", "lavfi", "-i", "sine=d=60", "-c:a", "aac", "-b:a", "48k"]
    return made(f"{count}-tracks.mp4", *source, *["-map", "0"] * count)


# Jobs


@dataclass
class Job:
    """Work that is done at several sizes."""

    name: str
    # The goal that the job belongs to.
    goal: str
    unit: str
    sizes: list[int]
    work: Callable[[reelwire.Engine, int], object]
    # Files that the work needs, made before it is measured.
    prepare: Callable[[int], object]


MINUTES = [1, 10, 60, 600]
KINDS = ["mp4", "mkv", "ts", "fragmented.mp4"]


def of_length(kind: str) -> list[Job]:
    """Jobs of files of a minute to ten hours."""

    def keys(engine: reelwire.Engine, minutes: int) -> None:
        with engine.open(clip(minutes, kind)) as asset:
            asset.load("tracks", "duration", "metadata")

    def image(engine: reelwire.Engine, minutes: int) -> None:
        with engine.open(clip(minutes, kind)) as asset:
            asset.image(minutes * 30)

    def audio(engine: reelwire.Engine, minutes: int) -> None:
        with engine.open(clip(minutes, kind)) as asset:
            asset.audio(time_range=reelwire.TimeRange(minutes * 30, 10))

    def trim(engine: reelwire.Engine, minutes: int) -> None:
        with tempfile.TemporaryDirectory() as folder, engine.open(clip(minutes, kind)) as asset:
            asset.export(f"{folder}/cut.mp4", "Passthrough", time_range=reelwire.TimeRange(minutes * 30, 10))

    jobs = {"keys": keys, "an image in the middle": image, "10 s of audio": audio, "10 s copied": trim}
    return [
        Job(f"{name}, {kind}", "length", "minutes", MINUTES, work, lambda size: clip(size, kind))
        for name, work in jobs.items()
    ]


def read_tracks(engine: reelwire.Engine, count: int) -> None:
    """Reads all tracks by one reader."""
    with engine.open(tracks(count)) as asset:
        outputs = [reelwire.TrackOutput(track.track_id) for track in asset.tracks]
        with asset.reader(*outputs) as reader:
            for output in reader.outputs:
                for _ in output:
                    pass


def mix_tracks(engine: reelwire.Engine, count: int) -> None:
    """Reads the mix of all tracks."""
    with engine.open(tracks(count)) as asset:
        with asset.reader(reelwire.AudioMixOutput(*asset.tracks)) as reader:
            for _ in reader.outputs[0]:
                pass


def composed(engine: reelwire.Engine, parts: int) -> None:
    """A composition of parts of one file, made in one request."""
    with engine.open(clip(60)) as asset, engine.composition() as composition:
        track = composition.add_track("video")
        composition.insert_time_ranges(
            track, [asset[number % 3000 : number % 3000 + 1] for number in range(parts)]
        )
        composition.load("tracks", "duration")


def inserted(engine: reelwire.Engine, parts: int) -> None:
    """The same by a request for each part."""
    with engine.open(clip(60)) as asset, engine.composition() as composition:
        for number in range(parts):
            composition.insert_time_range(
                asset, time_range=reelwire.TimeRange(number % 3000, 1), at=number
            )


def joined(engine: reelwire.Engine, parts: int) -> None:
    """A join of small files without encoding."""
    with tempfile.TemporaryDirectory() as folder:
        engine.join([clip(1)] * parts, f"{folder}/joined.mp4", "Passthrough")


def handles(engine: reelwire.Engine, count: int) -> None:
    """Assets opened, and closed when all are open."""
    assets = [engine.open(clip(1)) for _ in range(count)]
    for asset in assets:
        asset.close()


def files(count: int) -> Path:
    """A folder of files, of which one in a hundred can be played."""
    folder = FILES / f"{count}-files"
    if not folder.exists():
        partial = FILES / f"part-{count}-files"
        make(partial, count)
        partial.rename(folder)
    return folder


def scanned(engine: reelwire.Engine, count: int) -> None:
    """A scan of a folder into a new library."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/library.sqlite"
        with engine.library(files(count), database=database, watch=False) as library:
            library.scan()


def generators(engine: reelwire.Engine, count: int) -> None:
    """Generators of one asset, each of which makes an image."""
    with engine.open(clip(10)) as asset:
        kept = [asset.image_generator() for _ in range(count)]
        for number, generator in enumerate(kept):
            generator.image(number % 590)


def in_flight(engine: reelwire.Engine, count: int) -> None:
    """Requests for the keys of one asset that are all in flight."""
    with engine.open(clip(1)) as asset, ThreadPoolExecutor(min(count, 500)) as pool:
        list(pool.map(lambda _: asset.load("duration"), range(count)))


def jobs() -> list[Job]:
    """All jobs."""
    found = [job for kind in KINDS for job in of_length(kind)]
    counts = [10, 100, 1000, 10_000]
    few = [1, 4, 16, 64]
    found += [
        Job("audio tracks read", "tracks", "tracks", few, read_tracks, tracks),
        Job("audio tracks mixed", "tracks", "tracks", few, mix_tracks, tracks),
        Job("composed in one request", "parts", "parts", counts, composed, lambda _: clip(60)),
        Job("inserted by a request each", "parts", "parts", counts, inserted, lambda _: clip(60)),
        Job("joined without encoding", "parts", "parts", [10, 100, 1000], joined, lambda _: clip(1)),
        Job("opened and closed", "files", "files", counts, handles, lambda _: clip(1)),
        Job("scanned into a library", "files", "files", counts, scanned, files),
        Job("an image each", "generators", "generators", [1, *counts[:-1]], generators, lambda _: clip(10)),
        Job("keys of one asset", "requests", "requests", counts, in_flight, lambda _: clip(1)),
    ]
    return found


# Measuring


def measured(binary: str, work: Callable[[reelwire.Engine, int], object], size: int) -> Cost:
    """The cost of work, without that of an engine that has loaded a small file."""
    with reelwire.Engine(binary) as engine:
        with engine.open(clip(1)) as asset:
            asset.load("tracks")
            before = cost(engine.pid)
            work(engine, size)
            after = cost(engine.pid)
    return {name: round(after[name] - before[name], 3) for name in after}


def slopes(sizes: list[int], costs: list[Cost]) -> dict[str, float | None]:
    """Slopes between the last two sizes, on logarithmic scales; none where a cost is noise."""
    found: dict[str, float | None] = {}
    for name, floor in FLOORS.items():
        small, large = costs[-2][name], costs[-1][name]
        ratio = sizes[-1] / sizes[-2]
        found[name] = None
        if large > floor:
            found[name] = math.log(large / max(small, floor)) / math.log(ratio)
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Cost against size")
    parser.add_argument("--binary", default=str(HERE.parent / ".build/release/reelwire"))
    parser.add_argument("--only", help="jobs whose names contain this")
    parser.add_argument("--quick", action="store_true", help="without the largest size")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    if not arguments.json:
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}; costs beyond an idle engine's\n")
    for job in jobs():
        if arguments.only and arguments.only not in job.name:
            continue
        sizes = job.sizes[: -1 if arguments.quick else None]
        for size in sizes:
            job.prepare(size)
        costs = []
        for size in sizes:
            costs.append(measured(arguments.binary, job.work, size))
            if not arguments.json:
                cells = "".join(f"{costs[-1][name]:12.2f} {unit}" for name, unit in UNITS.items())
                print(f"{job.name:38}{size:8} {job.unit:12}{cells}", flush=True)
        found = slopes(sizes, costs)
        row = {"job": job.name, "goal": job.goal, "unit": job.unit, "sizes": sizes, "costs": costs, "slopes": found}
        rows.append(row)
        if not arguments.quick:
            results.append(row, results.GROWTH)
        if not arguments.json:
            shown = ", ".join(
                f"{name} {'–' if slope is None else f'{slope:.2f}'}" for name, slope in found.items()
            )
            print(f"{'':38}slopes: {shown}\n", flush=True)
    report(rows, arguments.binary, not arguments.quick, not arguments.json)
    if arguments.json:
        print(json.dumps(rows, indent=2))


def report(rows: list[dict[str, Any]], binary: str, records: bool, prints: bool) -> None:
    """Adds the goals: each is that of the steepest of its jobs, and is recorded if all of these were done."""
    goals = results.Report(binary, records=records, prints=prints)
    done = {row["job"] for row in rows}
    for key in dict.fromkeys(row["goal"] for row in rows):
        is_whole = all(job.name in done for job in jobs() if job.goal == key)
        steepest = [row["slopes"]["seconds"] or 0 for row in rows if row["goal"] == key]
        goals.add(f"growth-{key}", results.maximum(steepest), records=is_whole)


if __name__ == "__main__":
    main()
