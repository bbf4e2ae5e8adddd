"""Exact images, against one command for each: `python Benchmarks/images.py [--file F] [--json]`.

The same times of one clip, as files of the same size: by one engine that is asked for all of them at
zero tolerance, by the same engine asked for one after the other, and by `ffmpeg -ss`, which is
started for each. The ways take turns, and medians are shown. Start-up counts for all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire

Way = Callable[[Path, "list[float]", Path], None]


def make_clip(path: Path) -> None:
    """Thirty seconds of 720p H.264 with B-frames and a sync sample every two seconds."""
    run_ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=30"),
        *("-c:v", "libx264", "-preset", "veryfast", "-g", "60", "-bf", "2"),
        *("-pix_fmt", "yuv420p", str(path)),
    )


def run_ffmpeg(*arguments: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-n", *arguments], check=True)


def duration(path: Path) -> float:
    """The seconds that the first video track lasts."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0"]
    command += ["-show_entries", "stream=duration:format=duration", "-of", "json", str(path)]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return float(found["streams"][0].get("duration") or found["format"]["duration"])


def by_series(binary: str) -> Way:
    """One engine, one request for all images."""

    def way(clip: Path, times: list[float], folder: Path) -> None:
        with reelwire.Engine(binary) as engine, engine.open(clip) as asset:
            with asset.image_generator(tolerance=0) as generator:
                made = list(generator.images(times, delivery=folder / "%03d.jpg"))
        failed = [image.error for image in made if image.error]
        if failed:
            raise SystemExit(f"{len(failed)} images failed, the first with: {failed[0]}")

    return way


def by_single_requests(binary: str) -> Way:
    """One engine, one request for each image, each after the answer to the one before."""

    def way(clip: Path, times: list[float], folder: Path) -> None:
        with reelwire.Engine(binary) as engine, engine.open(clip) as asset:
            with asset.image_generator(tolerance=0) as generator:
                for number, moment in enumerate(times):
                    generator.image(moment, delivery=folder / f"{number:03d}.jpg")

    return way


def by_command(clip: Path, times: list[float], folder: Path) -> None:
    """One `ffmpeg -ss` for each image; it seeks before it decodes, and is exact when it encodes."""
    for number, moment in enumerate(times):
        output = str(folder / f"{number:03d}.jpg")
        run_ffmpeg(
            *("-ss", f"{moment:.6f}", "-i", str(clip), "-frames:v", "1", "-q:v", "3", output)
        )


def measure(ways: dict[str, Way], clip: Path, times: list[float], rounds: int) -> dict[str, Any]:
    """The seconds of each way in each round; every round begins with another way."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for number in range(rounds):
        for position in range(len(names)):
            name = names[(number + position) % len(names)]
            with tempfile.TemporaryDirectory() as folder:
                before = time.perf_counter()
                ways[name](clip, times, Path(folder))
                seconds[name].append(time.perf_counter() - before)
                made = len(list(Path(folder).iterdir()))
            if made != len(times):
                raise SystemExit(f"{name} made {made} of {len(times)} images")
    return {
        name: {"median": statistics.median(taken), "min": min(taken), "max": max(taken)}
        for name, taken in seconds.items()
    }


def show(result: dict[str, Any]) -> None:
    """Prints the table."""
    count = result["images"]
    print(f"{count} exact images of {result['clip']}, {result['rounds']} rounds, ", end="")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}\n")
    print(f"{'':38}{'median':>9}{'min':>9}{'max':>9}{'an image':>13}{'images/s':>10}")
    for name, numbers in result["ways"].items():
        cells = "".join(f"{numbers[key]:8.2f} " for key in ("median", "min", "max"))
        each = numbers["median"] / count
        print(f"{name:38} {cells}s{each * 1e3:9.1f} ms{1 / each:10.1f}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Exact images, against one command for each")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--file", type=Path, help="a file to take images from")
    parser.add_argument("--count", type=int, default=48, help="of images")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    binary = reelwire.find_binary(arguments.binary)
    ways: dict[str, Way] = {
        "reelwire, one request": by_series(binary),
        "reelwire, a request for each": by_single_requests(binary),
        "ffmpeg -ss, a command for each": by_command,
    }
    with tempfile.TemporaryDirectory() as folder:
        clip: Path = arguments.file or Path(folder, "clip.mp4")
        if arguments.file is None:
            make_clip(clip)
        # The last quarter of a second is left out: ffmpeg makes no image behind the last frame.
        length = duration(clip) - 0.25
        chance = random.Random(48)
        times = [chance.uniform(0, length) for _ in range(arguments.count)]
        result = {
            "clip": arguments.file.name if arguments.file else "30 s of 720p H.264",
            "images": arguments.count,
            "rounds": arguments.rounds,
            "ways": measure(ways, clip, times, arguments.rounds),
        }
    print(json.dumps(result, indent=2)) if arguments.json else show(result)


if __name__ == "__main__":
    main()
