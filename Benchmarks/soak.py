"""A check for leaks: `python Benchmarks/soak.py [--cycles N] [--json]`.

One engine opens, loads and closes small files of the corpus in turn, 10,000 times. After the first
500 cycles resident memory may grow by 5 %, the number of descriptors not at all, and at the end no
handle may be left. It fails when one of these does not hold.

Then images: 2,000 series of exact images of one asset by one generator, and 2,000 assets with a series
each. The same holds for them after a quarter of the series, and no lease may be left either.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from pipe import CORPUS, Pipe, ordinary

KEYS = ["tracks", "duration", "metadata", "naturalSize", "preferredTransform", "isPlayable"]
TRACK_KEYS = ["formatDescriptions", "timeRange", "nominalFrameRate", "languageCode", "metadata"]
GROWTH = 1.05
# In kilobytes: so much the heap of a process varies by that keeps nothing.
SLACK = 2048
LARGEST = 100_000
# A second of 360p with B-frames.
IMAGES_OF = "ax_testvid_1022ms.mp4"


def resident(pid: int) -> int:
    """Resident memory in kilobytes that is the process's own, or shared by it with its caller.

    Pages of libraries are not counted: the number of mapped ones depends on other processes.
    """
    own = ("RssAnon:", "RssShmem:")
    with open(f"/proc/{pid}/status") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(own))


def descriptors(pid: int) -> int:
    """The number of files that the process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def cycle(pipe: Pipe, paths: list[Path]) -> None:
    """Opens files, loads keys of their assets and of their first tracks, and closes them."""
    opened = pipe.read(pipe.write([("asset/open", {"url": str(path)}) for path in paths]))
    assets = [answer["asset"] for answer in opened]
    how = {"completion": "response"}
    loaded = pipe.read(
        pipe.write(
            [("asset/loadValues", {"asset": asset, "keys": KEYS, **how}) for asset in assets]
        )
    )
    tracks = []
    for asset, answer in zip(assets, loaded):
        values = answer["values"]["tracks"]["value"]
        for track in values[:1]:
            params = {"asset": asset, "trackID": track["trackID"], "keys": TRACK_KEYS, **how}
            tracks.append(("track/loadValues", params))
    pipe.read(pipe.write(tracks))
    pipe.read(pipe.write([("handle/close", {"handle": asset}) for asset in assets]))


def soak(binary: str, cycles: int, settled: int = 500, together: int = 1) -> dict[str, Any]:
    """Runs the cycles, and reports the growth after the first `settled` ones."""
    files = [path for path in ordinary() if path.stat().st_size < LARGEST]
    pipe = Pipe(binary)
    pid = pipe.process.pid
    memory: list[tuple[int, int]] = []
    opened = 0
    began = time.perf_counter()
    for number in range(0, cycles, together):
        if number >= settled and not opened:
            opened = descriptors_at_rest(pipe, pid)
        cycle(pipe, [files[(number + place) % len(files)] for place in range(together)])
        memory.append((number, resident(pid)))
    took = time.perf_counter() - began
    # Resident memory goes up and down by some megabytes as the heap returns pages. So the maximum
    # of the two turns through the files before the mark counts, and the middle of the last.
    turn = len(files)
    before = max(kb for n, kb in memory if settled - 2 * turn <= n < settled)
    after = statistics.median(kb for n, kb in memory if n >= cycles - turn)
    result = {
        "files": len(files),
        "cycles": cycles,
        "together": together,
        "cyclesPerSecond": round(cycles / took, 1),
        "residentBefore": before,
        "residentAfter": after,
        "growth": round(after / before - 1, 4),
        "descriptorsBefore": opened,
        "descriptorsAfter": descriptors_at_rest(pipe, pid, opened),
        "handles": pipe.call("handle/list")["handles"],
    }
    pipe.close()
    return result


def series(pipe: Pipe, generator: str, times: list[dict[str, int]]) -> list[str]:
    """Exact images of some times, small and in shared memory; returns their leases."""
    answer = pipe.call(
        "imageGenerator/generateImages",
        imageGenerator=generator,
        times=times,
        delivery="shm",
        completion="response",
    )
    told = [message["params"] for message in pipe.notifications]
    pipe.notifications.clear()
    made = [item for item in told if "image" in item]
    if answer["succeeded"] != len(times) or not all(item["isExact"] for item in made):
        raise SystemExit(f"of {len(times)} images {answer}")
    return [item["image"]["blob"]["lease"] for item in made]


def open_generator(pipe: Pipe, path: Path) -> tuple[str, str]:
    """An asset, and its generator of small exact images."""
    asset = pipe.call("asset/open", url=str(path))["asset"]
    created = pipe.call(
        "imageGenerator/create",
        asset=asset,
        maximumSize={"width": 160, "height": 90},
        requestedTimeToleranceBefore=0,
        requestedTimeToleranceAfter=0,
    )
    return asset, created["imageGenerator"]


def soak_images(
    binary: str, count: int, path: Path, reopens: bool, settled: int = 0
) -> dict[str, Any]:
    """Series of images, of one asset or of one that is opened for each.

    It reports the growth after the first `settled` ones, by default a quarter of them.
    """
    pipe = Pipe(binary)
    pid = pipe.process.pid
    memory: list[int] = []
    opened = 0
    settled = settled or count // 4
    began = time.perf_counter()
    handles = None if reopens else open_generator(pipe, path)
    for number in range(count):
        if number == settled:
            opened = descriptors_at_rest(pipe, pid)
        asset, generator = handles or open_generator(pipe, path)
        # Other times in each, forwards and backwards, in one group and in several.
        places = [(number * 7 + step * 13) % 29 for step in range(1 + number % 3)]
        leases = series(pipe, generator, [{"value": place, "timescale": 30} for place in places])
        pipe.notify("blob/release", leases=leases)
        if reopens:
            pipe.call("handle/close", handle=generator)
            pipe.call("handle/close", handle=asset)
        memory.append(resident(pid))
    took = time.perf_counter() - began
    if handles:
        for handle in reversed(handles):
            pipe.call("handle/close", handle=handle)
    before = max(memory[settled // 2 : settled])
    after = statistics.median(memory[-(count // 4) :])
    result = {
        "series": count,
        "opens": count if reopens else 1,
        "seriesPerSecond": round(count / took, 1),
        "residentBefore": before,
        "residentAfter": after,
        "growth": round(after / before - 1, 4),
        "descriptorsBefore": opened,
        "descriptorsAfter": descriptors_at_rest(pipe, pid, opened),
        "handles": pipe.call("handle/list")["handles"],
        "leases": pipe.call("engine/stats")["leases"],
    }
    pipe.close()
    return result


def descriptors_at_rest(pipe: Pipe, pid: int, expected: int | None = None) -> int:
    """The descriptors once the closed objects are freed, which may be shortly after the answer."""
    least = descriptors(pid)
    for _ in range(200):
        if least == expected:
            break
        pipe.call("engine/stats")
        least = min(least, descriptors(pid))
    return least


def failures(result: dict[str, Any]) -> list[str]:
    """The conditions that do not hold."""
    told = []
    if result["residentAfter"] > result["residentBefore"] * GROWTH + SLACK:
        told.append(f"resident memory grew by {result['growth']:.1%}")
    if result["descriptorsAfter"] > result["descriptorsBefore"]:
        told.append(
            f"{result['descriptorsBefore']} descriptors became {result['descriptorsAfter']}"
        )
    if result["handles"]:
        told.append(f"{len(result['handles'])} handles are left")
    if result.get("leases"):
        told.append(f"{result['leases']} leases are left")
    return told


def main() -> None:
    """The command."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))
    import reelwire

    parser = argparse.ArgumentParser(description="Whether anything stays behind")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--cycles", type=int, default=10_000)
    parser.add_argument("--together", type=int, default=1, help="assets that are open at once")
    parser.add_argument("--series", type=int, default=2000, help="of images")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    binary = reelwire.find_binary(arguments.binary)
    result = soak(binary, arguments.cycles, together=arguments.together)
    clip = CORPUS / "video" / IMAGES_OF
    images = [soak_images(binary, arguments.series, clip, reopens) for reopens in (False, True)]
    if arguments.json:
        print(json.dumps({**result, "images": images}, indent=2))
    else:
        print(
            f"{result['cycles']} cycles over {result['files']} files, {result['together']} at once,"
            f" {result['cyclesPerSecond']:.0f} a second\n"
            f"resident memory  {result['residentBefore'] / 1024:8.1f} MiB after 500 cycles,"
            f" {result['residentAfter'] / 1024:.1f} MiB at the end ({result['growth']:+.1%})\n"
            f"descriptors      {result['descriptorsBefore']:8} after 500 cycles,"
            f" {result['descriptorsAfter']} at the end"
        )
        for turn in images:
            print(
                f"{turn['series']} series of images, {turn['opens']} opened,"
                f" {turn['seriesPerSecond']:.0f} a second\n"
                f"resident memory  {turn['residentBefore'] / 1024:8.1f} MiB after a quarter,"
                f" {turn['residentAfter'] / 1024:.1f} MiB at the end ({turn['growth']:+.1%})\n"
                f"descriptors      {turn['descriptorsBefore']:8} after a quarter,"
                f" {turn['descriptorsAfter']} at the end"
            )
    if told := [reason for turn in (result, *images) for reason in failures(turn)]:
        raise SystemExit("failed: " + "; ".join(told))


if __name__ == "__main__":
    main()
