"""Exact images of long files, cold: `long.py [--quick] [--json]`.

Eighty minutes of 1080p H.264 (250 frames a group, three B-frames) and AAC as Matroska, MP4 and transport
stream. Of each the frame at 40:00, and twenty frames at random, 320 pixels wide, by a fresh engine, by
PyAV and by an `ffmpeg -ss` for each. A program that shows another frame than the others is marked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import results
from pipe import Pipe

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".build" / "bench"
MINUTES = 80
WIDTH, HEIGHT = 320, 180
#: Seconds from one sync sample to the next.
GROUP = 10
#: Half a frame, so that no time is on the border between two of them.
HALF = 0.02

#: Seconds, and the time of each frame that was shown, in milliseconds.
Turn = tuple[float, list[int]]


def made() -> dict[str, Path]:
    """The files, made where they are missing."""
    KEPT.mkdir(parents=True, exist_ok=True)
    files = {name: KEPT / f"long.{name}" for name in ("mkv", "mp4", "ts")}
    ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
    minute = KEPT / "minute.mp4"
    if not all(path.exists() for path in files.values()) and not minute.exists():
        print("making a minute of video", file=sys.stderr)
        subprocess.run(
            [*ffmpeg, "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=25:d=60,noise=alls=6:allf=t"]
            + ["-f", "lavfi", "-i", "sine=r=48000:d=60", "-c:v", "libx264", "-preset", "veryfast"]
            + ["-b:v", "3700k", "-g", str(GROUP * 25), "-keyint_min", "250", "-sc_threshold", "0"]
            + ["-bf", "3", "-pix_fmt", "yuv420p", "-c:a", "aac", "-t", "60", str(minute)],
            check=True,
        )
    for name, path in files.items():
        if not path.exists():
            print(f"making {path.name}", file=sys.stderr)
            whole = path.with_suffix(f".part.{name}")
            subprocess.run(
                [*ffmpeg, "-stream_loop", str(MINUTES - 1), "-i", str(minute), "-c", "copy"]
                + [str(whole)],
                check=True,
            )
            whole.rename(path)
    minute.unlink(missing_ok=True)
    return files


def engine(binary: str) -> Callable[[Path, list[float]], Turn]:
    """A fresh engine, from its start to the last image."""

    def way(path: Path, times: list[float]) -> Turn:
        before = time.perf_counter()
        pipe = Pipe(binary)
        asset = pipe.call("asset/open", url=str(path))["asset"]
        generator = pipe.call(
            "imageGenerator/create",
            asset=asset,
            maximumSize={"width": WIDTH, "height": 0},
            requestedTimeToleranceBefore=0,
            requestedTimeToleranceAfter=0,
        )["imageGenerator"]
        pipe.call(
            "imageGenerator/generateImages",
            imageGenerator=generator,
            times=times,
            format="rgb24",
            delivery="shm",
            completion="response",
        )
        taken = time.perf_counter() - before
        shown = {}
        for message in pipe.notifications:
            item = message["params"]
            if "index" in item:
                if not item.get("isExact"):
                    raise SystemExit(f"{path.name}: {item}")
                moment = item["actualTime"]
                shown[item["index"]] = round(moment["value"] * 1000 / moment["timescale"])
        pipe.close()
        return taken, [shown[place] for place in range(len(times))]

    return way


def pyav(path: Path, times: list[float]) -> Turn:
    """A fresh Python, from after its import to the last image (`long.py --pyav`)."""
    command = [sys.executable, str(HERE / "long.py"), "--pyav", str(path), json.dumps(times)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return told["seconds"], told["shown"]


def pyav_turn(path: str, times: list[float]) -> None:
    import av

    before = time.perf_counter()
    shown = []
    with av.open(path) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        assert stream.time_base is not None
        base = stream.time_base
        isStream = path.endswith(".ts")
        origin = round((container.start_time or 0) / 1_000_000 / base) if isStream else 0
        for moment in times:
            wanted = origin + int(moment / base)
            # In a transport stream a seek leads to any packet: it is told how long groups are.
            last, back = None, GROUP if isStream else 0
            while last is None:
                container.seek(max(origin, wanted - int(back / base)), stream=stream)
                for frame in container.decode(stream):
                    if frame.pts > wanted:
                        break
                    last = frame
                back = max(1, back * 2)
            last.reformat(WIDTH, HEIGHT, "rgb24").to_ndarray()
            shown.append(round(float((last.pts - origin) * base) * 1000))
    print(json.dumps({"seconds": time.perf_counter() - before, "shown": shown}))


def commands(path: Path, times: list[float]) -> Turn:
    """An `ffmpeg -ss` for each time."""
    before = time.perf_counter()
    for moment in times:
        # It takes the first frame that isn't before the time.
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-ss", f"{moment - HALF:.3f}", "-i", str(path)]
            + ["-an", "-frames:v", "1", "-vf", f"scale={WIDTH}:{HEIGHT}", "-pix_fmt", "rgb24"]
            + ["-f", "rawvideo", "-"],
            check=True,
            capture_output=True,
        )
    return time.perf_counter() - before, []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=str(HERE.parent / ".build/release/reelwire"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--only", help="jobs whose names contain this")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--pyav", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.pyav:
        return pyav_turn(given.pyav[0], json.loads(given.pyav[1]))
    if shutil.disk_usage(KEPT.parent).free < 16 << 30:
        raise SystemExit("skipped: the files take 7 GB, and less than 16 are free")
    rounds = 1 if given.quick else given.rounds
    chance = random.Random(4000)
    jobs = {
        "one image at 40:00": [2400 + HALF],
        "20 images": [round(chance.uniform(5, 4790) * 25) / 25 + HALF for _ in range(20)],
    }
    ways: dict[str, Callable[[Path, list[float]], Turn]] = {"reelwire": engine(given.binary)}
    try:
        import av  # noqa: F401

        ways["PyAV"] = pyav
    except ImportError:
        print("without PyAV, which isn't installed", file=sys.stderr)
    ways["ffmpeg -ss, each"] = commands
    files = made()
    rows: list[dict[str, Any]] = []
    goals = results.Report(given.binary, records=not given.quick, prints=not given.json)
    for name, path in files.items():
        for job, times in jobs.items():
            if given.only and given.only not in job:
                continue
            turns: dict[str, list[Turn]] = {way: [] for way in ways}
            for number in range(rounds):
                order = list(ways)
                for position in range(len(order)):
                    way = order[(number + position) % len(order)]
                    turns[way].append(ways[way](path, times))
            shown = turns["reelwire"][0][1]
            row: dict[str, Any] = {"file": name, "job": job}
            for way, found in turns.items():
                # Time stamps of Matroska are rounded to milliseconds, and those of streams are finer.
                same = all(
                    not other or all(abs(a - b) <= 1 for a, b in zip(other, shown))
                    for _, other in found
                )
                row[way] = {
                    "median": statistics.median(seconds for seconds, _ in found),
                    "min": min(seconds for seconds, _ in found),
                    "isSame": same,
                }
            rows.append(row)
            if "PyAV" in turns and len(times) == 1:
                pairs = ([seconds for seconds, _ in turns[way]] for way in ("reelwire", "PyAV"))
                goals.add(f"long-{name}", results.ratio(*pairs))
    if given.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"long files: load {os.getloadavg()[0]:.1f}, {rounds} rounds, medians in seconds")
    for row in rows:
        own = row["reelwire"]["median"]
        print(f"{row['file']}, {row['job']}: reelwire {own:.2f}")
        for way in ways:
            if way != "reelwire":
                note = "" if row[way]["isSame"] else "  INEXACT"
                print(
                    f"  {way:18} {row[way]['median']:7.2f}  {row[way]['median'] / own:6.2f}x{note}"
                )


if __name__ == "__main__":
    main()
