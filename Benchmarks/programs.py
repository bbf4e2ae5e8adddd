"""Typical tasks of programs in Python, against PyAV: `programs.py [--quick] [--json] [--only JOB]`.

A thumbnail of each of the 80 shortest videos of the corpus; 32 random frames of each of ten of its videos, as one array a
video; and 300 frames of 1080p that the caller keeps. Every turn is a fresh process, they run
in turns, and the results of each have to be similar to those of the others. Memory is that of the caller and its
engine while the frames are there; shared pages count once.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import numpy
import reelwire
import results
from frames import Clip, made_clip
from images import KEPT
from pipe import ordinary
from processes import proportional

Job = dict[str, Any]
SIZE = 320
# By how much means of two pictures of the same frame may differ: peers repeat chroma, and round.
NEAR = 6.0
THREADS = 4
CLIPS = 80
VIDEOS, FRAMES = 10, 32
KEPT_FRAMES = 300


# Thumbnails


def thumbnails_reelwire(job: Job) -> Iterator[list[float]]:
    """One engine, and a thread for each file that is asked for at a time."""
    with reelwire.Engine(job["binary"]) as engine, ThreadPoolExecutor(THREADS) as pool:

        def thumbnail(file: list[Any]) -> list[float]:
            path, moment = file
            with engine.open(path) as asset:
                image = asset.image(moment, tolerance=job["tolerance"], maximum_size=SIZE)
                return checked(bytes(image))

        yield from pool.map(thumbnail, job["files"])


def thumbnails_asyncio(job: Job) -> Iterator[list[float]]:
    """One engine, and tasks that take a file at a time; as many of them as there are threads elsewhere."""

    async def all_of_them() -> list[list[float]]:
        files = iter(job["files"])
        made: list[list[float]] = []

        async def some(engine: reelwire.AsyncEngine) -> None:
            for path, moment in files:
                async with await engine.open(path) as asset:
                    image = await asset.image(moment, tolerance=job["tolerance"], maximum_size=SIZE)
                    made.append(checked(bytes(image)))

        async with reelwire.AsyncEngine(job["binary"]) as engine:
            await asyncio.gather(*(some(engine) for _ in range(THREADS)))
        return made

    yield from asyncio.run(all_of_them())


def thumbnails_pyav(job: Job) -> Iterator[list[float]]:
    """A container a file on four threads: the sync sample before the moment."""
    import av
    import PIL.JpegImagePlugin  # noqa: F401  imported by saving

    def thumbnail(file: list[Any]) -> list[float]:
        path, moment = file
        with av.open(path) as container:
            stream = container.streams.video[0]
            frame = None
            with contextlib.suppress(av.error.FFmpegError):
                container.seek((container.start_time or 0) + int(moment * 1_000_000))
                frame = next(container.decode(stream), None)
        if frame is None:
            # Where it can't seek, or finds nothing there, the first one has to do.
            with av.open(path) as container:
                frame = next(container.decode(container.streams.video[0]))
        scale = min(1.0, SIZE / max(frame.width, frame.height))
        width, height = (max(1, round(side * scale)) for side in (frame.width, frame.height))
        made = io.BytesIO()
        frame.reformat(width, height, "rgb24").to_image().save(made, "JPEG", quality=85)
        return checked(made.getvalue())

    with ThreadPoolExecutor(THREADS) as pool:
        yield from pool.map(thumbnail, job["files"])


def checked(data: bytes) -> list[float]:
    """Nothing to compare: each way takes the sync sample that it likes near the moment."""
    if data[:2] != b"\xff\xd8":
        raise SystemExit("a thumbnail is no JPEG file")
    return []


# Random frames


def frames_reelwire(job: Job) -> Iterator[list[float]]:
    """The numbers as they come, one array a video."""
    with reelwire.Engine(job["binary"]) as engine:
        for path, places, _ in job["videos"]:
            with engine.open(path) as asset:
                with asset.frames(applies_preferred_track_transform=False) as frames:
                    yield means(frames[places])


def frames_in_order(job: Job) -> Iterator[list[float]]:
    """The same numbers in ascending order."""
    ordered = [[path, sorted(places), []] for path, places, _ in job["videos"]]
    for (_, places, _), made in zip(job["videos"], frames_reelwire({**job, "videos": ordered})):
        by_place = dict(zip(sorted(places), made))
        yield [by_place[place] for place in places]


def frames_pyav(job: Job) -> Iterator[list[float]]:
    """As one writes it down: seek for each frame, and decode up to it."""
    import av

    for path, _, times in job["videos"]:
        with av.open(path) as container:
            stream = container.streams.video[0]
            pictures = []
            for pts in times:
                container.seek(pts, stream=stream)
                for frame in container.decode(stream):
                    if frame.pts is not None and frame.pts >= pts:
                        pictures.append(frame.to_ndarray(format="rgb24"))
                        break
            yield means(numpy.stack(pictures))


def means(pictures: Any) -> list[float]:
    """The compared value: the mean of every eighth pixel of every eighth row."""
    return [float(picture[::8, ::8].mean()) for picture in pictures]


# Frames that are kept


def read_reelwire(job: Job, keeps: bool) -> Iterator[list[float]]:
    warnings.simplefilter("ignore")
    output = reelwire.TrackOutput("video", pixel_format="rgb24")
    with reelwire.Engine(job["binary"]) as engine, engine.open(job["file"]) as asset:
        with asset.reader(output) as reader:
            kept = []
            for number, sample in enumerate(reader.outputs[0]):
                picture = numpy.asarray(sample)
                yield means([picture])
                if keeps:
                    kept.append(picture)
                if number + 1 == job["count"]:
                    break
            yield memory()


def read_pyav(job: Job, keeps: bool) -> Iterator[list[float]]:
    import av

    with av.open(job["file"]) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        kept = []
        for number, frame in enumerate(container.decode(stream)):
            picture = frame.to_ndarray(format="rgb24")
            yield means([picture])
            if keeps:
                kept.append(picture)
            if number + 1 == job["count"]:
                break
        yield memory()


def memory() -> list[float]:
    """The memory of this process and its engine in kilobytes, as the last result of a turn."""
    return [proportional(os.getpid())]


JOBS: dict[str, dict[str, Callable[[Job], Iterator[list[float]]]]] = {
    "thumbnails": {
        "reelwire": thumbnails_reelwire,
        "reelwire, asyncio": thumbnails_asyncio,
        "PyAV, four threads": thumbnails_pyav,
    },
    "frames": {
        "reelwire": frames_reelwire,
        "reelwire, in order": frames_in_order,
        "PyAV, one by one": frames_pyav,
    },
    "kept": {
        "reelwire, kept": lambda job: read_reelwire(job, True),
        "reelwire, looked at": lambda job: read_reelwire(job, False),
        "PyAV, kept": lambda job: read_pyav(job, True),
    },
}
# The goals: a job, a program, the one that it is compared with, and the figure.
GOALS = {
    "thumbnails": ("thumbnails", "reelwire", "PyAV, four threads", "seconds"),
    "thumbnails-asyncio": ("thumbnails", "reelwire, asyncio", "PyAV, four threads", "seconds"),
    "frames": ("frames", "reelwire", "PyAV, one by one", "seconds"),
    "frames-in-order": ("frames", "reelwire", "reelwire, in order", "seconds"),
    "retained": ("kept", "reelwire, kept", "reelwire, looked at", "seconds"),
    "retained-memory": ("kept", "reelwire, kept", "PyAV, kept", "memory"),
}
FIGURES = ("seconds", "cpu", "memory")
Turns = dict[str, list[dict[str, float]]]


def turn(name: str, way: str, job: Job) -> None:
    """Runs a job in this process, which is a fresh one, and prints its costs."""
    make = JOBS[name][way]
    if way.startswith("PyAV"):
        import av  # noqa: F401  that doesn't count
        import PIL.JpegImagePlugin  # noqa: F401
    cpu, before = processors(), time.perf_counter()
    made = list(make(job))
    taken = {"seconds": time.perf_counter() - before, "cpu": processors() - cpu, "made": made}
    taken["memory"] = made.pop()[0] if name == "kept" else 0
    print(json.dumps(taken))


def processors() -> float:
    """Seconds of processors, of this process and of children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


# The tasks


def videos() -> list[tuple[Path, float, int]]:
    """Every video of the corpus that PyAV decodes: its length in seconds, and its frames."""
    import av

    found = []
    for path in ordinary(("video",)):
        try:
            with av.open(str(path)) as container:
                stream = container.streams.video[0]
                still = stream.disposition & av.stream.Disposition.attached_pic
                next(container.decode(stream))
                seconds = (container.duration or 0) / 1_000_000
                frames = stream.frames
        except (av.error.FFmpegError, IndexError, StopIteration):
            continue
        if not still:
            found.append((path, seconds, frames))
    return found


def described(name: str, binary: str) -> Job:
    """A job as its turns get it."""
    if name == "kept":
        return {"binary": binary, "file": str(made_clip(KEPT, 20)), "count": KEPT_FRAMES}
    found = videos()
    if name == "thumbnails":
        short = sorted(found, key=lambda video: video[1])[:CLIPS]
        files = [(str(path), seconds / 2) for path, seconds, _ in sorted(short)]
        return {"binary": binary, "files": files, "tolerance": 1_000_000}
    chosen: list[Any] = []
    picks = random.Random(1)
    for path, _, _ in sorted(found, key=lambda video: -video[2]):
        clip = Clip(path, path.name, KEPT)
        # Without time stamps, or with the same twice, PyAV has nothing to seek by.
        times = clip.times
        if len(times) < 2 * FRAMES or len(set(times)) < len(times) or times[0] < 0:
            continue
        places = picks.sample(range(len(times)), FRAMES)
        chosen.append((str(path), places, [times[place] for place in places]))
        if len(chosen) == VIDEOS:
            break
    return {"binary": binary, "videos": chosen}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    release = Path(__file__).resolve().parents[1] / ".build" / "release" / "reelwire"
    parser.add_argument("--binary", default=str(release))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--only", choices=JOBS)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--turn", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.turn:
        turn(*given.turn, json.load(sys.stdin))
        return
    KEPT.mkdir(parents=True, exist_ok=True)
    found: dict[str, Turns] = {}
    goals = results.Report(given.binary, records=not given.quick, prints=not given.json)
    for name in [given.only] if given.only else JOBS:
        found[name] = measured(name, given.binary, 1 if given.quick else given.rounds)
        if not given.json:
            show(name, found[name])
        for key, (job, way, other, figure) in GOALS.items():
            if job == name:
                pair = ([turn[figure] for turn in found[job][each]] for each in (way, other))
                goals.add(key, results.ratio(*pair))
    if given.json:
        print(json.dumps({"jobs": found, "goals": goals.rows}))


def measured(name: str, binary: str, rounds: int) -> Turns:
    """The turns of a job's ways."""
    job = described(name, binary)
    turns: dict[str, list[Any]] = {way: [] for way in JOBS[name]}
    for number in range(rounds):
        ways = list(turns)
        for way in ways[number % len(ways) :] + ways[: number % len(ways)]:
            command = [sys.executable, __file__, "--turn", name, way]
            made = subprocess.run(
                command, input=json.dumps(job), stdout=subprocess.PIPE, check=True, text=True
            )
            turns[way].append(json.loads(made.stdout))
    compare({way: taken[0]["made"] for way, taken in turns.items()}, job)
    return {
        way: [{figure: each[figure] for figure in FIGURES} for each in taken]
        for way, taken in turns.items()
    }


def compare(made: dict[str, list[list[float]]], job: Job) -> None:
    """Every way has to have made the same pictures, as near as their conversions are."""
    first, *others = made
    for way in others:
        if len(made[way]) != len(made[first]):
            raise SystemExit(f"{way} has made {len(made[way])}, {first} {len(made[first])}")
        for number, (ours, theirs) in enumerate(zip(made[first], made[way])):
            far = [abs(a - b) for a, b in zip(ours, theirs)]
            if far and max(far) > NEAR:
                what = job["videos"][number][0] if "videos" in job else f"number {number}"
                print(f"  {what}: {way} differs from {first} by {max(far):.1f}")


def show(name: str, turns: Turns) -> None:
    """A table of medians."""
    print(f"\n{name:<24}{'seconds':>10}{'processors':>12}{'memory':>12}")
    for way, taken in turns.items():
        seconds, cpu, memory = (statistics.median(each[figure] for each in taken) for figure in FIGURES)
        cell = f"{memory / 1024:>8.0f} MiB" if memory else f"{'-':>12}"
        print(f"  {way:<22}{seconds:>10.2f}{cpu:>12.2f}{cell}")


if __name__ == "__main__":
    main()
