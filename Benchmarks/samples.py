"""Samples in the caller's hands, against other libraries: `samples.py [--quick] [--json]`.

All frames of 20 seconds of 1080p H.264 as rgb24, and an hour of AAC in stereo as f32; both files are
made once and kept. Every turn is a fresh process (`sample_peers.py`, `samples.mjs`), and the ways take
turns. Each has to give all samples, and what it gave has to come to about the same.
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
from frames import made_clip
from images import HERE, KEPT, holds

SIZE = (1920, 1080)
SECONDS = 20
FRAMES = 30 * SECONDS
RATE = 48000
# The most that the engine may have in memory, in kilobytes.
MEMORY = 300 * 1024
WAYS = {
    "video": {
        "reelwire, Python": "client",
        "reelwire, Node": "node",
        "PyAV, all threads": "pyav_auto",
        "PyAV, as it comes": "pyav",
        "OpenCV": "opencv",
        "decord": "decord",
        "ffmpeg, pipe": "ffmpeg",
    },
    "audio": {"reelwire, Python": "client", "PyAV": "pyav", "ffmpeg, pipe": "ffmpeg"},
}
PEERS = ("PyAV, all threads", "PyAV, as it comes", "PyAV", "OpenCV", "decord")


@dataclass
class Contender:
    """A way to get the samples, and what each turn took."""

    command: list[str]
    isPeer: bool
    turns: list[dict[str, Any]] = field(default_factory=list)

    def median(self, name: str) -> float:
        return statistics.median(turn.get(name, 0) for turn in self.turns)

    @property
    def seconds(self) -> float:
        return self.median("seconds")

    def summary(self) -> dict[str, Any]:
        taken = [turn["seconds"] for turn in self.turns]
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


def contenders(kind: str, binary: str, file: Path) -> dict[str, Contender]:
    """Who takes part; what isn't installed doesn't."""
    found = {}
    for title, name in WAYS[kind].items():
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
                print(f"{job['kind']}: {name} {turn['seconds']:.2f} s", file=sys.stderr)


def check(job: dict[str, Any], ways: dict[str, Contender]) -> list[str]:
    """Who gave another number of samples, or others; sound may be cut at its ends in several ways."""
    wrong = []
    if job["kind"] == "video":
        totals = statistics.median(way.median("total") for way in ways.values())
        for name, way in ways.items():
            turns = way.turns
            if any(turn["count"] != FRAMES or abs(turn["total"] / totals - 1) > 0.02 for turn in turns):
                wrong.append(name)
    else:
        counts = statistics.median(way.median("count") for way in ways.values())
        for name, way in ways.items():
            if any(abs(turn["count"] - counts) > 4096 for turn in way.turns):
                wrong.append(name)
    return wrong


def targets(kind: str, ways: dict[str, Contender]) -> list[tuple[str, float, str, float]]:
    """What shall hold: its name, what was found, "≥" or "≤", and the bound."""
    found: list[tuple[str, float, str, float]] = []
    ours = ways["reelwire, Python"]
    peers = sorted((way.seconds, name) for name, way in ways.items() if way.isPeer)
    if peers:
        seconds, name = peers[0]
        bound = 1.15 if kind == "video" else 1.5
        found.append((f"{kind}: × {name}", seconds / ours.seconds, "≥", bound))
    if node := ways.get("reelwire, Node"):
        found.append(("video: Node's time, × Python's", node.seconds / ours.seconds, "≤", 1.3))
    memory = max(way.median("engineMemory") for name, way in ways.items() if "reelwire" in name)
    found.append((f"{kind}: the engine's memory, × 300 MiB", memory / MEMORY, "≤", 1.0))
    return found


def show(job: dict[str, Any], ways: dict[str, Contender], wrong: list[str]) -> None:
    """One table."""
    what = f"{FRAMES} frames of 1080p, rgb24" if job["kind"] == "video" else "an hour of sound, f32"
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
    parser.add_argument("--only", choices=list(WAYS), help="video or audio alone")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    binary = reelwire.find_binary(arguments.binary)
    rounds = 1 if arguments.quick else arguments.rounds
    KEPT.mkdir(parents=True, exist_ok=True)
    began, load = time.perf_counter(), os.getloadavg()[0]
    result, found = {}, []
    for kind in [arguments.only] if arguments.only else WAYS:
        file = made_clip(KEPT, SECONDS) if kind == "video" else made_sound(KEPT)
        job = {"kind": kind, "file": str(file), "binary": binary}
        job.update(width=SIZE[0], height=SIZE[1])
        ways = contenders(kind, binary, file)
        measure(job, ways, rounds)
        wrong = check(job, ways)
        if not arguments.json:
            show(job, ways, wrong)
        for name in wrong:
            ways[name].isPeer = False
        found += targets(kind, ways)
        result[kind] = {name: way.summary() for name, way in ways.items()}
        result[kind]["wrong"] = wrong
    facts = {
        "cores": os.cpu_count(),
        "load": [round(load, 2), round(os.getloadavg()[0], 2)],
        "seconds": round(time.perf_counter() - began),
        "rounds": rounds,
    }
    if arguments.json:
        told = [(*target, holds(target)) for target in found]
        print(json.dumps({**facts, "jobs": result, "targets": told}, indent=2))
        return
    print("\ntargets")
    for target in found:
        name, value, relation, bound = target
        print(f"  {'pass' if holds(target) else 'MISS'}  {name:44}{value:8.2f}  {relation} {bound}")
    told = f"{facts['cores']} cores, load {facts['load'][0]} before and {facts['load'][1]} after"
    print(f"\n{told}, {rounds} rounds, {facts['seconds']} s")


if __name__ == "__main__":
    main()
