"""Images of one file by one engine, by other libraries and by commands: `images.py [--quick] [--json]`.

Two files: two minutes of 1080p H.264 with 250 frames a group and three B-frames, made once, and the
long clip of the corpus. Of each 12, 48 and 200 exact images, evenly spaced, and 48 with a
tolerance, as JPEG files that fit into 320 × 180.

Every turn is a fresh process. Of the engine, of commands and of the floor everything counts from the
start of the process; of Python libraries only the time after their import. The programs run in turns; after the
first round only those of the targets continue. The images are compared with the linear decode
of the file: a program that shows other frames is marked inexact and doesn't count.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire
import results
from frames import SIZE, Clip, Frame, made_clip, right_frames
from pipe import CORPUS, Pipe
from processes import cost

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".build" / "bench"
# Up to this number each image gets its `ffmpeg -ss`; of more, some do, and the time is scaled.
COMMANDS = 48
# The clip whose figures are those of the goals.
MADE = "1080p, 250 frames a group"


@dataclass
class Turn:
    """The cost of one turn of one program: seconds, seconds of processors, maximum kilobytes."""

    seconds: float
    cpu: float
    memory: int
    # The frames that the files in the folder shall show, by the number in the file's name.
    frames: list[Frame]
    # A second measurement of the same turn.
    again: Turn | None = None


@dataclass
class Job:
    """The requested images."""

    name: str
    clip: Clip
    frames: list[Frame]
    isExact: bool = True

    def told(self, folder: Path, **more: Any) -> dict[str, Any]:
        """The job as `image_peers.py` reads it."""
        return {
            "file": str(self.clip.path),
            "folder": str(folder),
            "width": SIZE[0],
            "height": SIZE[1],
            "frames": [(frame.number, frame.place, frame.pts) for frame in self.frames],
            "moments": [self.moment(frame) for frame in self.frames],
            "keys": self.clip.keys,
            "times": {key: self.clip.times[key] for key in self.clip.keys},
            **more,
        }

    def moment(self, frame: Frame) -> tuple[int, int]:
        """Half a frame into the frame, as value and timescale."""
        moment = (frame.pts + self.clip.half) * self.clip.base
        return moment.numerator, moment.denominator


Way = Callable[[Job, Path], Turn]


def run(command: list[str], text: str = "") -> tuple[float, float, int, str]:
    """Seconds, seconds of processors, kilobytes and output of a process that has to succeed."""
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as told:
        given.write(text)
        given.seek(0)
        before = time.perf_counter()
        process = subprocess.Popen(command, stdin=given, stdout=told)
        _, status, usage = os.wait4(process.pid, 0)
        taken = time.perf_counter() - before
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{command[0]} ended with {process.returncode}")
        told.seek(0)
        return taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, told.read()


def engine(binary: str, **settings: Any) -> Way:
    """One engine and one request for all images; then the same request once more."""

    def way(job: Job, folder: Path) -> Turn:
        before = time.perf_counter()
        pipe = Pipe(binary)
        asset = pipe.call("asset/open", url=str(job.clip.path))["asset"]
        size = dict(zip(("width", "height"), SIZE))
        tolerances = {}
        if job.isExact:
            tolerances = {"requestedTimeToleranceBefore": 0, "requestedTimeToleranceAfter": 0}
        generator = pipe.call(
            "imageGenerator/create", asset=asset, maximumSize=size, **tolerances
        )["imageGenerator"]
        turns = []
        for part in ("first", "again"):
            target = folder if part == "first" else folder / part
            target.mkdir(exist_ok=True)
            times = [
                {"value": value, "timescale": scale}
                for value, scale in map(job.moment, job.frames)
            ]
            pipe.notifications.clear()
            pipe.call(
                "imageGenerator/generateImages",
                imageGenerator=generator,
                times=times,
                delivery={"kind": "file", "path": str(target / "%03d.jpg")},
                completion="response",
            )
            taken = time.perf_counter() - before
            cpu, _, memory = cost(pipe.process.pid)
            check(job, pipe.notifications)
            turns.append(Turn(taken, cpu - sum(turn.cpu for turn in turns), memory, job.frames))
            before = time.perf_counter()
        pipe.close()
        turns[0].again = turns[1]
        return turns[0]

    return way


def check(job: Job, notifications: list[Any]) -> None:
    """True if the engine states that each image is the requested one."""
    made = [message["params"] for message in notifications if "result" in message["params"]]
    by_index = {item["index"]: item for item in made}
    for place, frame in enumerate(job.frames):
        item = by_index[place]
        if item["result"] != "succeeded":
            raise SystemExit(f"{job.name}: image {place} {item}")
        if job.isExact and (item["sampleIndex"], item["isExact"]) != (frame.place, True):
            raise SystemExit(f"{job.name}: image {place} is of another frame: {item}")


def library(way_name: str, **more: Any) -> Way:
    """A way of `image_peers.py`."""

    def way(job: Job, folder: Path) -> Turn:
        command = [sys.executable, str(HERE / "image_peers.py"), way_name]
        _, cpu, _, told = run(command, json.dumps(job.told(folder, **more), default=int))
        result = json.loads(told)
        return Turn(result["seconds"], cpu, result["memory"] - result["base"], job.frames)

    return way


def floor(program: Path) -> Way:
    """The C program that decodes only the necessary frames."""

    def way(job: Job, folder: Path) -> Turn:
        clip = job.clip
        lines = []
        for frame in sorted(job.frames, key=lambda frame: frame.place):
            key = clip.times[clip.key_before(frame.place)]
            lines.append(f"{key} {frame.pts if job.isExact else key} {frame.number}\n")
        command = [str(program), str(clip.path), str(folder), str(clip.stream)]
        taken, cpu, memory, _ = run([*command, *map(str, SIZE)], "".join(lines))
        return Turn(taken, cpu, memory, job.frames)

    return way


FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-n"]
SCALE = f"scale={SIZE[0]}:{SIZE[1]}"


def commands(job: Job, folder: Path) -> Turn:
    """One `ffmpeg -ss` for each image: it seeks before it decodes, and is exact when it encodes."""
    step = -(-len(job.frames) // COMMANDS)
    frames = job.frames[step // 2 :: step]
    seconds, cpu, memory = 0.0, 0.0, 0
    for frame in frames:
        # It takes the first frame that isn't before the time.
        moment = float((frame.pts - job.clip.half) * job.clip.base)
        taken = run(
            [*FFMPEG, "-ss", f"{max(moment, 0):.6f}", "-i", str(job.clip.path), "-an"]
            + ["-frames:v", "1", "-vf", SCALE, "-q:v", "3", str(folder / f"{frame.number:03d}.jpg")]
        )
        seconds, cpu, memory = seconds + taken[0], cpu + taken[1], max(memory, taken[2])
    scaled = len(job.frames) / len(frames)
    return Turn(seconds * scaled, cpu * scaled, memory, frames)


def one_command(job: Job, folder: Path) -> Turn:
    """One `ffmpeg` with an `fps` filter: the same number of images at about the same distances."""
    clip = job.clip
    rate = Fraction(len(job.frames)) / (len(clip.times) * 2 * clip.half * clip.base)
    taken, cpu, memory, _ = run(
        [*FFMPEG, "-i", str(clip.path), "-an", "-vf", f"fps={rate},{SCALE}"]
        + ["-frames:v", str(len(job.frames)), "-q:v", "3", "-start_number", "0"]
        + [str(folder / "%03d.jpg")]
    )
    return Turn(taken, cpu, memory, job.frames)


@dataclass
class Contender:
    """A program, its comparable measures, and its costs."""

    way: Way
    # "engine", "floor", "peer" or "other": only peers count as such.
    kind: str
    turns: list[Turn] = field(default_factory=list)
    right: int = 0
    wrong: int = 0

    @property
    def isInexact(self) -> bool:
        return self.wrong > 0

    def taken(self) -> list[float]:
        return [turn.seconds for turn in self.turns]

    def memories(self) -> list[int]:
        return [turn.memory for turn in self.turns]

    def seconds(self) -> float:
        return statistics.median(self.taken())

    def again(self) -> float:
        return statistics.median(turn.again.seconds for turn in self.turns if turn.again)

    def memory(self) -> float:
        return statistics.median(self.memories())

    def summary(self) -> dict[str, Any]:
        taken = [turn.seconds for turn in self.turns]
        result = {
            "kind": self.kind,
            "median": self.seconds(),
            "min": min(taken),
            "max": max(taken),
            "turns": len(taken),
            "cpu": statistics.median(turn.cpu for turn in self.turns),
            "memory": self.memory(),
            "right": self.right,
            "wrong": self.wrong,
        }
        if self.kind == "engine":
            result["again"] = self.again()
        return result


def measure(job: Job, contenders: dict[str, Contender], rounds: int) -> None:
    """Lets the ways take turns; each round begins with another one."""
    for number in range(rounds):
        names = [name for name in contenders if not number or is_compared(name, contenders)]
        for position in range(len(names)):
            name = names[(number + position) % len(names)]
            contender = contenders[name]
            with tempfile.TemporaryDirectory() as folder:
                turn = contender.way(job, Path(folder))
                made = len(list(Path(folder).glob("*.jpg")))
                if made != len(turn.frames) and contender.kind != "other":
                    raise SystemExit(f"{name} made {made} of {len(turn.frames)} images")
                contender.turns.append(turn)
                if job.isExact and not number:
                    right, told = right_frames(job.clip, turn.frames, Path(folder))
                    contender.right, contender.wrong = right, told - right
            if sys.stderr.isatty() or os.environ.get("REELWIRE_BENCH_TOLD"):
                print(f"{job.clip.name}, {job.name}: {name} {turn.seconds:.2f} s", file=sys.stderr)


def exact_peers(contenders: dict[str, Contender]) -> list[str]:
    """The peers that show the right frames, the fastest first."""
    found = [n for n, c in contenders.items() if c.kind == "peer" and c.turns and not c.isInexact]
    return sorted(found, key=lambda name: contenders[name].seconds())


def is_compared(name: str, contenders: dict[str, Contender]) -> bool:
    kind = contenders[name].kind
    return kind in ("engine", "floor") or name in exact_peers(contenders)[:1]


def ways(binary: str, program: Path | None, isExact: bool, count: int) -> dict[str, Contender]:
    """The programs, without libraries that aren't installed."""
    found = {"reelwire": Contender(engine(binary), "engine")}
    if program:
        found["floor (C, 2 decoders)"] = Contender(floor(program), "floor")
    if not isExact:
        if is_installed("pyav_keys"):
            found["PyAV, sync samples"] = Contender(library("pyav_keys"), "other")
        return found
    peers = {"PyAV": "pyav", "OpenCV": "opencv", "decord": "decord"}
    for title, name in peers.items():
        if is_installed(name):
            found[title] = Contender(library(name), "peer")
    found["ffmpeg -ss, each"] = Contender(commands, "peer")
    if count == 48:
        found["ffmpeg, fps filter"] = Contender(one_command, "other")
        found["reelwire, Python client"] = Contender(library("client", binary=binary), "other")
        if is_installed("pyav_two"):
            found["PyAV, 2 decoders by hand"] = Contender(library("pyav_two"), "other")
    return found


_installed: dict[str, bool] = {}


def is_installed(way_name: str) -> bool:
    if way_name not in _installed:
        command = [sys.executable, str(HERE / "image_peers.py"), way_name]
        tried = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        _installed[way_name] = tried.returncode == 0
        if tried.returncode:
            reason = tried.stderr.decode().strip().splitlines()[-1:]
            print(f"without {way_name}: {''.join(reason)}", file=sys.stderr)
    return _installed[way_name]


def build_floor() -> Path | None:
    """Compiles the floor; without a compiler it is left out."""
    program = KEPT / "floor"
    libraries = ["libavformat", "libavcodec", "libswscale", "libavutil"]
    try:
        flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", *libraries], text=True)
        command = ["cc", "-O2", "-o", str(program), str(HERE / "floor.c"), *flags.split()]
        subprocess.run([*command, "-pthread"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"without the floor: {error}", file=sys.stderr)
        return None
    return program


def report(goals: results.Report, jobs: dict[str, dict[str, Contender]], records: bool) -> None:
    """Adds the goals of a clip; that of the fastest exact peer is compared turn by turn."""
    for name, contenders in jobs.items():
        if not name.endswith("exact"):
            continue
        key = f"images-{name.split()[0]}"
        ours = contenders["reelwire"]
        if peers := exact_peers(contenders):
            best = contenders[peers[0]]
            goals.add(key, results.ratio(best.taken(), ours.taken()), peers[0], records)
            least = min(peers, key=lambda peer: contenders[peer].memory())
            memory = results.ratio(ours.memories(), contenders[least].memories())
            goals.add(f"{key}-memory", memory, least, records)
            if "48 near" in jobs and name == "48 exact":
                near = jobs["48 near"]["reelwire"].taken()
                goals.add("images-near", results.ratio(best.taken(), near), peers[0], records)
        for contender in contenders.values():
            if contender.kind == "floor":
                goals.add(f"{key}-floor", results.ratio(ours.taken(), contender.taken()), "", records)
                memory = results.ratio(ours.memories(), contender.memories())
                goals.add(f"{key}-floor-memory", memory, "", records)
        again = [turn.again.seconds for turn in ours.turns if turn.again]
        goals.add(f"{key}-again", results.ratio(ours.taken(), again), "", records)


def show_job(job: Job, contenders: dict[str, Contender]) -> None:
    """One table."""
    ours = contenders["reelwire"].seconds()
    print(f"\n{job.clip.name}: {job.name}")
    heads = ("median", "min", "max", "cpu", "images/s", "takes ×", "memory")
    print(f"{'':28}" + "".join(f"{head:>10}" for head in heads) + f"{'exact':>11}")
    rows = [(name, c.summary()) for name, c in contenders.items()]
    first = rows[0][1]
    again = [turn.again for turn in contenders["reelwire"].turns if turn.again]
    taken = [turn.seconds for turn in again]
    rows.insert(
        1,
        (
            "reelwire, the same again",
            {
                **first,
                "median": statistics.median(taken),
                "min": min(taken),
                "max": max(taken),
                "cpu": statistics.median(turn.cpu for turn in again),
                "memory": max(turn.memory for turn in again),
            },
        ),
    )
    for name, row in rows:
        cells = "".join(f"{row[key]:8.2f} s" for key in ("median", "min", "max", "cpu"))
        cells += f"{len(job.frames) / row['median']:10.1f}{row['median'] / ours:10.2f}"
        cells += f"{row['memory'] / 1024:6.0f} MiB"
        told = row["right"] + row["wrong"]
        exact = f"{row['right']} of {told}" if told else "-"
        mark = "  INEXACT" if row["wrong"] else ""
        print(f"{name:28}{cells}{exact:>11}{mark}")


def clips(arguments: argparse.Namespace) -> list[Clip]:
    if arguments.file:
        return [Clip(path, path.name, KEPT) for path in arguments.file]
    found = [Clip(made_clip(KEPT), MADE, KEPT)]
    if arguments.only:
        return found
    long = CORPUS / "video" / "ax_long_1080p_lowbitrate.mp4"
    if long.exists():
        found.append(Clip(long, "362 s of 1080p, low rate", KEPT))
    else:
        print(f"without the long clip: no {long}, set REELWIRE_CORPUS", file=sys.stderr)
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Images, against other libraries and commands")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--file", type=Path, action="append", help="a file to take images from")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one round, without 200 images")
    parser.add_argument("--only", help="one job of the made clip, such as '48 exact'")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    binary = reelwire.find_binary(arguments.binary)
    rounds = 1 if arguments.quick else arguments.rounds
    KEPT.mkdir(parents=True, exist_ok=True)
    program = build_floor()
    result = []
    goals = results.Report(binary, records=not arguments.quick, prints=not arguments.json)
    began = time.perf_counter()
    load = os.getloadavg()[0]
    for clip in clips(arguments):
        jobs: dict[str, dict[str, Contender]] = {}
        for count, isExact in ((12, True), (48, True), (200, True), (48, False)):
            if arguments.quick and count == 200:
                continue
            name = f"{count} {'exact' if isExact else 'near'}"
            if arguments.only not in (None, name):
                continue
            job = Job(name, clip, clip.spaced(count), isExact)
            jobs[name] = ways(binary, program, isExact, count)
            measure(job, jobs[name], rounds)
            if not arguments.json:
                show_job(job, jobs[name])
        report(goals, jobs, records=clip.name == MADE)
        result.append(
            {
                "clip": clip.name,
                "jobs": {
                    name: {way: contender.summary() for way, contender in contenders.items()}
                    for name, contenders in jobs.items()
                },
            }
        )
    facts = {
        "cores": os.cpu_count(),
        "load": [round(load, 2), round(os.getloadavg()[0], 2)],
        "seconds": round(time.perf_counter() - began),
        "rounds": rounds,
    }
    if arguments.json:
        print(json.dumps({**facts, "clips": result, "goals": goals.rows}, indent=2))
    else:
        told = f"{facts['cores']} cores, load {facts['load'][0]} before and {facts['load'][1]} after"
        print(f"\n{told}, {rounds} rounds, {facts['seconds']} s")


if __name__ == "__main__":
    main()
