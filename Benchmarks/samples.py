"""Samples delivered to the caller, against other libraries: `samples.py [--quick] [--json]`.

All frames of 20 seconds of 1080p H.264 as rgb24, of 5 seconds of 1080p ProRes as rgb48le and as
yuv420p10le, and an hour of AAC in stereo as f32; the files are made once and stored. Every turn is a fresh process (`sample_peers.py`, `samples.mjs`), and the programs
run in turns. Each has to return all samples, with about the same sums.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire
import results
from frames import made_clip
from images import HERE, KEPT

WIDTH, HEIGHT = 1920, 1080
RATE = 48000
# The jobs: of which kind, how many frames of which pixel format, in how many bytes, of which type for NumPy.
JOBS: dict[str, dict[str, Any]] = {
    "rgb24": {"kind": "video", "frames": 600, "size": WIDTH * HEIGHT * 3, "type": "u1"},
    "rgb48le": {"kind": "video", "frames": 150, "size": WIDTH * HEIGHT * 6, "type": "<u2"},
    "yuv420p10le": {"kind": "video", "frames": 150, "size": WIDTH * HEIGHT * 3, "type": "<u2"},
    "f32": {"kind": "audio"},
}
DEEP = {
    "reelwire, Python": "client",
    "PyAV, all threads": "pyav_auto",
    "PyAV, as it comes": "pyav",
    "ffmpeg, pipe": "ffmpeg",
}
WAYS = {
    "rgb24": {
        "reelwire, Python": "client",
        "reelwire, Node": "node",
        "PyAV, all threads": "pyav_auto",
        "PyAV, as it comes": "pyav",
        "OpenCV": "opencv",
        "decord": "decord",
        "torchcodec": "torchcodec",
        "ffmpeg, pipe": "ffmpeg",
    },
    "rgb48le": DEEP,
    "yuv420p10le": DEEP,
    "f32": {"reelwire, Python": "client", "PyAV": "pyav", "ffmpeg, pipe": "ffmpeg"},
}
PEERS = ("PyAV, all threads", "PyAV, as it comes", "PyAV", "OpenCV", "decord", "torchcodec")


@dataclass
class Contender:
    """A program that gets the samples, and the cost of each turn."""

    command: list[str]
    isPeer: bool
    turns: list[dict[str, Any]] = field(default_factory=list)

    def median(self, name: str) -> float:
        return statistics.median(turn.get(name, 0) for turn in self.turns)

    @property
    def taken(self) -> list[float]:
        return [turn["seconds"] for turn in self.turns]

    @property
    def seconds(self) -> float:
        return self.median("seconds")

    def summary(self) -> dict[str, Any]:
        taken = self.taken
        return {
            "median": self.seconds,
            "min": min(taken),
            "max": max(taken),
            "turns": len(taken),
            "clientCPU": self.median("cpu"),
            "engineCPU": self.median("engineCPU"),
            "clientMemory": self.median("memory") - self.median("base"),
            "engineMemory": self.median("engineMemory"),
        }


def made_sound(kept: Path) -> Path:
    """An hour of AAC in stereo: ten minutes, six times."""
    path = kept / "hour.m4a"
    if not path.exists():
        part, made = kept / "part.aac", path.with_suffix(".part.m4a")
        source = "aevalsrc=0.3*sin(2*PI*(300+t)*t)|0.3*sin(2*PI*440*t)+0.05*random(0)"
        ffmpeg = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
        subprocess.run(
            [*ffmpeg, "-f", "lavfi", "-i", f"{source}:s={RATE}:d=600"]
            + ["-c:a", "aac", "-b:a", "128k", str(part)],
            check=True,
        )
        # Frames of ADTS follow each other as they like.
        part.write_bytes(part.read_bytes() * 6)
        subprocess.run([*ffmpeg, "-i", str(part), "-c", "copy", str(made)], check=True)
        part.unlink()
        os.replace(made, path)
    return path


def made_prores(kept: Path) -> Path:
    """Five seconds of 1080p ProRes 422 HQ, ten bits."""
    path = kept / "1080p-prores.mov"
    if not path.exists():
        made = path.with_suffix(".part.mov")
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i"]
            + [f"testsrc2=size={WIDTH}x{HEIGHT}:rate=30:duration=5,noise=alls=4:allf=t"]
            + ["-c:v", "prores_ks", "-profile:v", "3", "-pix_fmt", "yuv422p10le", str(made)],
            check=True,
        )
        os.replace(made, path)
    return path


def made_file(job: dict[str, Any], kept: Path) -> Path:
    """The samples of a job."""
    if job["kind"] == "audio":
        return made_sound(kept)
    return made_clip(kept, 20) if job["frames"] == 600 else made_prores(kept)


def contenders(format: str, binary: str, file: Path) -> dict[str, Contender]:
    """The programs, without those that aren't installed."""
    found = {}
    for title, name in WAYS[format].items():
        if name == "node":
            node = shutil.which("node")
            if node is None:
                print("without Node: there is no node", file=sys.stderr)
                continue
            command = [node, str(HERE / "samples.mjs"), binary, str(file)]
        else:
            command = [sys.executable, str(HERE / "sample_peers.py"), name]
            tried = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
            if tried.returncode:
                reason = tried.stderr.decode().strip().splitlines()[-1:]
                print(f"without {title}: {''.join(reason)}", file=sys.stderr)
                continue
        found[title] = Contender(command, title in PEERS)
    return found


def measure(job: dict[str, Any], ways: dict[str, Contender], rounds: int) -> None:
    """Lets the ways take turns; each round begins with another one."""
    names = list(ways)
    for number in range(rounds):
        for position in range(len(names)):
            name = names[(number + position) % len(names)]
            told = subprocess.run(
                ways[name].command, input=json.dumps(job).encode(), stdout=subprocess.PIPE, check=False
            )
            if told.returncode:
                raise SystemExit(f"{name} ended with {told.returncode}")
            turn = json.loads(told.stdout)
            ways[name].turns.append(turn)
            if sys.stderr.isatty() or os.environ.get("REELWIRE_BENCH_TOLD"):
                print(f"{job['format']}: {name} {turn['seconds']:.2f} s", file=sys.stderr)


def check(job: dict[str, Any], ways: dict[str, Contender]) -> list[str]:
    """The programs with another number of samples, or other ones; audio may be cut at its ends in several ways."""
    wrong = []
    if job["kind"] == "video":
        totals = statistics.median(way.median("total") for way in ways.values())
        for name, way in ways.items():
            turns = way.turns
            if any(turn["count"] != job["frames"] or abs(turn["total"] / totals - 1) > 0.02 for turn in turns):
                wrong.append(name)
    else:
        counts = statistics.median(way.median("count") for way in ways.values())
        for name, way in ways.items():
            if any(abs(turn["count"] - counts) > 4096 for turn in way.turns):
                wrong.append(name)
    return wrong


def report(goals: results.Report, job: dict[str, Any], ways: dict[str, Contender]) -> None:
    """Adds the goals of a job, turn by turn: against the fastest peer, and against each other."""
    ours, what = ways["reelwire, Python"], job["format"]
    peers = [name for name, way in ways.items() if way.isPeer]
    if peers:
        best = min(peers, key=lambda name: ways[name].seconds)
        goals.add(f"samples-{what}", results.ratio(ways[best].taken, ours.taken), best)
    if node := ways.get("reelwire, Node"):
        goals.add("samples-node", results.ratio(ours.taken, node.taken))
    if what == "rgb24":
        memories = [turn["engineMemory"] / 1024 for turn in ours.turns]
        goals.add("samples-memory", results.median(memories))


def show(job: dict[str, Any], ways: dict[str, Contender], wrong: list[str]) -> None:
    """One table."""
    isVideo = job["kind"] == "video"
    what = f"{job['frames']} frames of 1080p" if isVideo else "an hour of sound"
    what += f", {job['format']}"
    best = min((way.seconds for way in ways.values() if way.isPeer), default=None)
    print(f"\n{what}")
    heads = ("median", "min", "max", "× best peer", "caller's cpu", "memory")
    heads += ("engine's cpu", "memory")
    print(f"{'':20}" + "".join(f"{head:>13}" for head in heads))
    for name, way in ways.items():
        row = way.summary()
        cells = "".join(f"{row[key]:11.2f} s" for key in ("median", "min", "max"))
        cells += f"{best / row['median']:13.2f}" if best else f"{'-':>13}"
        for part in ("client", "engine"):
            if row[f"{part}Memory"]:
                cells += f"{row[f'{part}CPU']:11.2f} s{row[f'{part}Memory'] / 1024:9.0f} MiB"
            else:
                cells += f"{'-':>13}{'-':>13}"
        print(f"{name:20}{cells}{'  OTHER SAMPLES' if name in wrong else ''}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Samples, against other libraries and commands")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--only", choices=list(JOBS), help="one job alone")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    binary = reelwire.find_binary(arguments.binary)
    rounds = 1 if arguments.quick else arguments.rounds
    KEPT.mkdir(parents=True, exist_ok=True)
    began, load = time.perf_counter(), os.getloadavg()[0]
    result = {}
    goals = results.Report(binary, records=not arguments.quick, prints=not arguments.json)
    for format in [arguments.only] if arguments.only else JOBS:
        job = {**JOBS[format], "format": format, "binary": binary, "width": WIDTH, "height": HEIGHT}
        file = made_file(job, KEPT)
        job["file"] = str(file)
        ways = contenders(format, binary, file)
        measure(job, ways, rounds)
        wrong = check(job, ways)
        if not arguments.json:
            show(job, ways, wrong)
        for name in wrong:
            ways[name].isPeer = False
        report(goals, job, ways)
        result[format] = {name: way.summary() for name, way in ways.items()}
        result[format]["wrong"] = wrong
    facts = {
        "cores": os.cpu_count(),
        "load": [round(load, 2), round(os.getloadavg()[0], 2)],
        "seconds": round(time.perf_counter() - began),
        "rounds": rounds,
    }
    if arguments.json:
        print(json.dumps({**facts, "jobs": result, "goals": goals.rows}, indent=2))
        return
    told = f"{facts['cores']} cores, load {facts['load'][0]} before and {facts['load'][1]} after"
    print(f"\n{told}, {rounds} rounds, {facts['seconds']} s")


if __name__ == "__main__":
    main()
