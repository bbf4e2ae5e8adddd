"""Processor time of recording a screen, against ffmpeg: `capture.py [--quick] [--json]`.

Both record the same X server, 1280x720 at 30 frames per second, on which mpv plays a test picture; both encode with
libx264 and the settings that the engine's file names. The two take turns; the first turn isn't counted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire
import results

SIZE = "1280x720"
RATE = 30


class Screen:
    """An X server in memory, on which something moves."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{SIZE}x24", "-nolisten", "tcp"]
            + ["-noreset"],
            pass_fds=[writing],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as number:
            self.display = f":{int(number.readline())}"
        self.player = subprocess.Popen(
            ["mpv", "--no-config", "--no-terminal", "--vo=x11", "--fullscreen", "--ao=null"]
            + [f"av://lavfi:testsrc2=size={SIZE}:rate={RATE}"],
            env={**os.environ, "DISPLAY": self.display},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def close(self) -> None:
        for process in (self.player, self.server):
            process.terminate()
            process.wait()


def spent(command: list[str], display: str) -> tuple[float, str]:
    """The processor time of a command and its children, in seconds, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "DISPLAY": display},
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    time = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return time, ended.stdout


def frames(path: Path) -> int:
    count = subprocess.check_output(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets"]
        + ["-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", str(path)],
        text=True,
    )
    return int(count.strip().rstrip(","))


# Settings that libx264 reports, and accepts as options.
X264_SETTINGS = [
    "ref", "bframes", "b_adapt", "keyint", "keyint_min", "scenecut", "rc_lookahead", "mbtree", "crf",
]  # fmt: skip


def x264_settings(path: Path) -> str:
    """The settings that libx264 has put into the first picture, as ffmpeg takes them."""
    found = re.search(rb"x264 - core.*?options: ([ -~]+)", path.read_bytes())
    assert found, f"{path} has no settings of x264"
    stated = dict(text.split("=", 1) for text in found[1].decode().split() if "=" in text)
    return ":".join(f"{name.replace('_', '-')}={stated[name]}" for name in X264_SETTINGS)


def record(binary: str, path: Path, seconds: int, display: str) -> tuple[float, int]:
    """The processor time, and how many frames were dropped."""
    command = [binary, "record", str(path), "--screen", "default", "--size", SIZE, "--fps", str(RATE)]
    command += ["--duration", str(seconds), "--video-codec", "h264", "--json"]
    time, printed = spent(command, display)
    dropped = 0
    for line in printed.splitlines():
        for track in json.loads(line).get("params", {}).get("tracks", []):
            dropped += sum(track.get("dropped", {}).values())
    return time, dropped


def ffmpeg_command(path: Path, seconds: int, display: str, settings: str) -> list[str]:
    return [
        *["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "x11grab", "-draw_mouse", "0"],
        *["-framerate", str(RATE), "-video_size", SIZE, "-i", display, "-t", str(seconds)],
        *["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-x264-params", settings],
        str(path),
    ]


def measure(binary: str, runs: int, seconds: int) -> dict[str, Any]:
    screen = Screen()
    result: dict[str, Any] = {"load": os.getloadavg()[0], "reelwire": [], "ffmpeg": []}
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            settings = ""
            for number in range(runs + 1):
                ours, theirs = folder / f"ours-{number}.mp4", folder / f"theirs-{number}.mp4"
                time.sleep(1)
                cost, dropped = record(binary, ours, seconds, screen.display)
                settings = settings or x264_settings(ours)
                time.sleep(1)
                command = ffmpeg_command(theirs, seconds, screen.display, settings)
                other, _ = spent(command, screen.display)
                # The first of each isn't counted.
                if number == 0:
                    continue
                result["reelwire"].append(
                    {"cpu": cost, "frames": frames(ours), "dropped": dropped, "bytes": ours.stat().st_size}
                )
                result["ffmpeg"].append(
                    {"cpu": other, "frames": frames(theirs), "bytes": theirs.stat().st_size}
                )
            result["settings"] = settings
    finally:
        screen.close()
    return result


def show(result: dict[str, Any], seconds: int) -> None:
    print(f"{SIZE} at {RATE}, {seconds} s, load {result['load']:.1f}; {result['settings']}\n")
    print(f"{'':12}{'processor':>12}{'frames':>10}{'dropped':>10}{'bytes':>12}")
    medians = {}
    for way in ("reelwire", "ffmpeg"):
        rows = result[way]
        medians[way] = statistics.median(row["cpu"] for row in rows)
        counted, dropped, size = (
            statistics.median(row.get(key, 0) for row in rows) for key in ("frames", "dropped", "bytes")
        )
        print(f"{way:12}{medians[way]:10.2f} s{counted:10.0f}{dropped:10.0f}{size:12.0f}")
    print(f"{'':12}{medians['reelwire'] / medians['ffmpeg']:10.2f} x")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--quick", action="store_true", help="one short run")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    for name in ("Xvfb", "mpv", "ffmpeg"):
        if shutil.which(name) is None:
            print(f"skipped: {name} isn't installed")
            return
    runs, seconds = (1, 3) if arguments.quick else (5, 10)
    binary = reelwire.find_binary(arguments.binary)
    result = measure(binary, runs, seconds)
    print(json.dumps(result, indent=2)) if arguments.json else show(result, seconds)
    goals = results.Report(binary, records=not arguments.quick, prints=not arguments.json)
    pair = ([row["cpu"] for row in result[way]] for way in ("reelwire", "ffmpeg"))
    dropped = results.maximum(row["dropped"] for row in result["reelwire"])
    goals.add("capture-drops", dropped)
    # Frames that weren't encoded cost nothing.
    if not dropped.value:
        goals.add("capture", results.ratio(*pair))


if __name__ == "__main__":
    main()
