"""Seeks, steps and a minute of playback, against mpv: `playback.py [--quick] [--json]`.

Both play the same files, paused for seeks and steps, without a screen and without audio. A seek begins with its
request and ends when its frame is available: mpv reports `playback-restart`, the engine returns the pixels. The programs run
in turns, a seek of one after a seek of the other.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import socket
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
from frames import made_clip
from images import KEPT, run
from pipe import Pipe
from processes import cost

GOP = 250
# The minute of playback is divided into turns.
MINUTES = 3
GOALS = {"exact seek": "seek-exact", "keyframe seek": "seek-sync"}


def small_clip() -> Path:
    """A minute of 640x360 H.264, 250 frames a group; made once, and kept."""
    path = KEPT / "360p-gop250.mp4"
    if not path.exists():
        made = path.with_suffix(".part.mp4")
        KEPT.mkdir(parents=True, exist_ok=True)
        command = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i"]
        command += ["testsrc2=size=640x360:rate=30:duration=60", "-c:v", "libx264", "-g", str(GOP)]
        command += ["-keyint_min", str(GOP), "-sc_threshold", "0", "-bf", "3", "-pix_fmt", "yuv420p"]
        subprocess.run([*command, str(made)], check=True)
        os.replace(made, path)
    return path


class Mpv:
    """mpv, which is driven over its socket."""

    def __init__(self, path: Path, folder: str, *options: str) -> None:
        where = os.path.join(folder, "mpv")
        self.process = subprocess.Popen(
            ["mpv", "--no-config", "--vo=null", "--ao=null", "--no-terminal", "--keep-open=yes"]
            + [f"--input-ipc-server={where}", *options, str(path)],
            stdin=subprocess.DEVNULL,
        )
        self.socket = socket.socket(socket.AF_UNIX)
        while True:
            try:
                self.socket.connect(where)
                break
            except OSError:
                time.sleep(0.01)
        self.lines = self.socket.makefile("rb")

    def command(self, *words: Any) -> None:
        self.socket.sendall(json.dumps({"command": words}).encode() + b"\n")

    def until(self, event: str) -> None:
        while json.loads(self.lines.readline()).get("event") != event:
            pass

    def seek(self, moment: float, exact: bool) -> float:
        begin = time.perf_counter()
        self.command("seek", moment, "absolute+exact" if exact else "absolute+keyframes")
        self.until("playback-restart")
        return time.perf_counter() - begin

    def step_back(self) -> float:
        begin = time.perf_counter()
        self.command("frame-back-step")
        self.until("playback-restart")
        return time.perf_counter() - begin

    def close(self) -> None:
        self.command("quit")
        self.process.wait()
        self.socket.close()


class Ours:
    """An engine with a player of the file, and a video output of its size."""

    def __init__(self, binary: str, path: Path, **output: Any) -> None:
        self.pipe = Pipe(binary)
        asset = self.pipe.call("asset/open", url=str(path))["asset"]
        self.item = self.pipe.call("playerItem/create", asset=asset)["playerItem"]
        self.player = self.pipe.call(
            "player/create", items=[self.item], clock="host", audioDevice={"kind": "none"}
        )["player"]
        self.output = ""
        if output:
            self.output = self.pipe.call("videoOutput/create", playerItem=self.item, **output)[
                "videoOutput"
            ]
        while self.pipe.call("playerItem/state", playerItem=self.item)["status"] == "unknown":
            time.sleep(0.01)

    def picture(self) -> float:
        """The moment at which the frame was available."""
        got = self.pipe.call(
            "videoOutput/copyPixelBuffer", videoOutput=self.output, onlyIfNew=False, timeoutMs=10_000
        )
        moment = time.perf_counter()
        self.pipe.call("blob/release", leases=[got["blob"]["lease"]])
        return moment

    def seek(self, moment: float, exact: bool) -> float:
        tolerance = "0" if exact else "+infinity"
        begin = time.perf_counter()
        self.pipe.call(
            "player/seek", player=self.player, time=f"{moment:.3f}", toleranceBefore=tolerance,
            toleranceAfter=tolerance, completion="response",
        )
        return self.picture() - begin

    def step_back(self) -> float:
        begin = time.perf_counter()
        self.pipe.call("playerItem/step", playerItem=self.item, count=-1)
        return self.picture() - begin

    def close(self) -> None:
        self.pipe.close()


def alternate(
    count: int, ours: Callable[[int], float], theirs: Callable[[int], float]
) -> dict[str, list[float]]:
    """Both ways in turn."""
    result: dict[str, list[float]] = {"reelwire": [], "mpv": []}
    for number in range(count):
        result["reelwire"].append(ours(number))
        result["mpv"].append(theirs(number))
    return result


def minute(binary: str, path: Path, seconds: int) -> dict[str, tuple[float, int]]:
    """The processor seconds of playing some seconds, and the most memory in kilobytes, without and with pictures."""

    def playing(**output: Any) -> tuple[float, int]:
        ours = Ours(binary, path, **output)
        ours.pipe.call("player/play", player=ours.player)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if output:
                ours.picture()
            time.sleep(1 / 30)
        used = cost(ours.pipe.process.pid)
        ours.close()
        return used.seconds, used.memory

    mpv = ["mpv", "--no-config", "--vo=null", "--ao=null", "--no-terminal", f"--length={seconds}"]
    _, spent, memory, _ = run([*mpv, str(path)])
    size = {"pixelFormat": "yuv420p", "width": 1280, "delivery": "shm"}
    return {
        "mpv": (spent, memory),
        "reelwire, no output": playing(),
        "reelwire, 720p": playing(**size),
    }


def summary(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "median": statistics.median(ordered) * 1e3,
        "p90": ordered[int(0.9 * (len(ordered) - 1))] * 1e3,
        "max": ordered[-1] * 1e3,
    }


def measure(binary: str, quick: bool, isMinute: bool, goals: results.Report) -> dict[str, Any]:
    chance = random.Random(1)
    count = 10 if quick else 40
    clip = small_clip()
    result: dict[str, Any] = {"load": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as folder:
        theirs = Mpv(clip, folder, "--pause", "--hr-seek=yes")
        theirs.until("playback-restart")
        ours = Ours(binary, clip, pixelFormat="yuv420p", delivery="shm")
        moments = [chance.uniform(0, 59) for _ in range(count)]
        for name, exact in (("exact seek", True), ("keyframe seek", False)):
            found = alternate(
                count,
                lambda number: ours.seek(moments[number], exact),
                lambda number: theirs.seek(moments[number], exact),
            )
            result[name] = {way: summary(times) for way, times in found.items()}
            goals.add(GOALS[name], results.ratio(found["reelwire"], found["mpv"]))
        ours.seek(50, True), theirs.seek(50, True)
        found = alternate(
            count * 4, lambda _: ours.step_back(), lambda _: theirs.step_back()
        )
        result["step back"] = {way: summary(times) for way, times in found.items()}
        goals.add("step-back", results.median(each * 1e3 for each in found["reelwire"]))
        ours.close()
        theirs.close()
    if isMinute:
        rounds = [minute(binary, made_clip(KEPT), 60 // MINUTES) for _ in range(MINUTES)]
        result["minute"] = rounds
        for_each = {way: [turn[way] for turn in rounds] for way in rounds[0]}
        pair = ([seconds for seconds, _ in for_each[way]] for way in ("reelwire, no output", "mpv"))
        goals.add("minute", results.ratio(*pair))
        memory = results.median(kilobytes * 1024 / 1e6 for _, kilobytes in for_each["reelwire, 720p"])
        goals.add("minute-memory", memory)
    return result


def show(result: dict[str, Any]) -> None:
    print(f"load {result['load']:.1f}\n")
    print(f"{'':34}{'median':>9}{'p90':>9}{'max':>9}   ms")
    for name in ("exact seek", "keyframe seek", "step back"):
        for way, times in result[name].items():
            cells = "".join(f"{times[key]:9.1f}" for key in ("median", "p90", "max"))
            print(f"{f'{name}, {way}':34}{cells}")
        ratio = result[name]["reelwire"]["median"] / result[name]["mpv"]["median"]
        print(f"{'':34}{ratio:8.2f}x")
    for turn in result.get("minute", []):
        for way, (seconds, memory) in turn.items():
            print(f"{f'{60 // MINUTES} s of 1080p, {way}':34}{seconds:9.1f} s of processor, {memory * 1024 / 1e6:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--quick", action="store_true", help="few seeks, and no minute")
    parser.add_argument("--seeks", action="store_true", help="only seeks and steps")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    if shutil.which("mpv") is None:
        print("skipped: mpv isn't installed")
        return
    binary = reelwire.find_binary(arguments.binary)
    goals = results.Report(binary, records=not arguments.quick, prints=not arguments.json)
    result = measure(binary, arguments.quick, not (arguments.quick or arguments.seeks), goals)
    print(json.dumps(result, indent=2)) if arguments.json else show(result)


if __name__ == "__main__":
    main()
