"""Files made of files, against ffmpeg and MoviePy: `export.py [--quick] [--json]`.

Thirty seconds of 1080p H.264 with audio to 720p; a small file, all of that clip and an hour of 1080p copied; ten
seconds cut out of the hour. The files are made once and stored. Every turn is a fresh process, from its start to the
finished file, and the programs run in turns. All encode with the same settings, which are compared in x264's
own report, and the similarity of the frames to the source's is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import reelwire
import results
from frames import made_clip
from images import HERE, KEPT, run
from pipe import Pipe
from processes import cost

FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
# The settings of the preset 1280x720.
PRESET = "1280x720"
SAME = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-g", "60"]
SAME += ["-c:a", "aac", "-b:a", "160k"]
# The cut begins between two sync samples of the hour, half a second after one.
CUT = (1805.5, 10)
# So much poorer may pictures be: the noise of two encodings of the same.
DECIBELS = 0.05


@dataclass
class Turn:
    """Seconds, seconds of processors and kilobytes at most."""

    seconds: float
    cpu: float
    memory: float


Way = Callable[[Path, Path], Turn]


class Refused(Exception):
    """The engine can't do that (yet)."""


@dataclass
class Contender:
    way: Way
    turns: list[Turn] = field(default_factory=list)
    size: int = 0
    # Of the luma of all frames against the source's, in decibels.
    psnr: float | None = None
    settings: str = ""

    def all_of(self, figure: str) -> list[float]:
        return [getattr(turn, figure) for turn in self.turns]

    def seconds(self) -> float:
        return statistics.median(self.all_of("seconds"))

    def summary(self) -> dict[str, Any]:
        taken = self.all_of("seconds")
        return {
            "median": self.seconds(),
            "min": min(taken),
            "max": max(taken),
            "turns": len(taken),
            "cpu": statistics.median(turn.cpu for turn in self.turns),
            "memory": statistics.median(turn.memory for turn in self.turns),
            "size": self.size,
            "psnr": self.psnr,
        }


@dataclass
class Job:
    """A job, the programs that run it, and those that the engine is compared with."""

    name: str
    source: Path
    contenders: dict[str, Contender]
    # The goals: a key, the compared way, and the figure.
    goals: list[tuple[str, str, str]]
    isEncoded: bool = False


def made_source(kept: Path) -> Path:
    """Thirty seconds of 1080p H.264 and AAC in stereo."""
    path = kept / "1080p-30s-sound.mp4"
    if not path.exists():
        made = path.with_suffix(".part.mp4")
        sound = "aevalsrc=0.3*sin(2*PI*(300+t)*t)|0.3*sin(2*PI*440*t)+0.05*random(0):s=48000:d=30"
        subprocess.run(
            [*FFMPEG, "-i", str(made_clip(kept)), "-f", "lavfi", "-i", sound, "-t", "30"]
            + ["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac", "-b:a", "160k"]
            + [str(made)],
            check=True,
        )
        os.replace(made, path)
    return path


def made_small(kept: Path) -> Path:
    """Five seconds of 320x240 H.264 and AAC, 150 KB."""
    path = kept / "small.mp4"
    if not path.exists():
        made = path.with_suffix(".part.mp4")
        subprocess.run(
            [*FFMPEG, "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=5", "-f", "lavfi"]
            + ["-i", "sine=d=5", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", str(made)],
            check=True,
        )
        os.replace(made, path)
    return path


def made_hour(kept: Path) -> Path:
    """An hour of 1080p with a sync sample every two seconds, and AAC: a minute, sixty times."""
    path = kept / "1080p-hour.mp4"
    if not path.exists():
        part, made = kept / "minute.part.mp4", path.with_suffix(".part.mp4")
        subprocess.run(
            [*FFMPEG, "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=60"]
            + ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=60"]
            + ["-c:v", "libx264", "-preset", "veryfast", "-crf", "38", "-g", "60"]
            + ["-pix_fmt", "yuv420p", "-c:a", "aac", "-ac", "2", "-b:a", "128k", str(part)],
            check=True,
        )
        loop = ["-stream_loop", "59", "-i", str(part), "-c", "copy", str(made)]
        subprocess.run([*FFMPEG, *loop], check=True)
        part.unlink()
        os.replace(made, path)
    return path


def engine(binary: str, **params: Any) -> Way:
    """One engine, one export."""

    def way(source: Path, target: Path) -> Turn:
        before = time.perf_counter()
        pipe = Pipe(binary)
        try:
            asset = pipe.call("asset/open", url=str(source))["asset"]
            session = pipe.call(
                "exportSession/create", asset=asset, outputURL=str(target), **params
            )["exportSession"]
        except SystemExit as error:
            pipe.close()
            raise Refused(str(error)) from error
        pipe.call("exportSession/export", exportSession=session, completion="response")
        taken = time.perf_counter() - before
        cpu, _, memory = cost(pipe.process.pid)
        pipe.close()
        return Turn(taken, cpu, memory)

    return way


def command(*arguments: str, before: tuple[str, ...] = ()) -> Way:
    """One ffmpeg."""

    def way(source: Path, target: Path) -> Turn:
        given = [*FFMPEG, *before, "-i", str(source), *arguments, str(target)]
        return Turn(*run(given)[:3])

    return way


def flushed(way: Way) -> Way:
    """The same, until the file is on the disk: the engine names no file before."""

    def both(source: Path, target: Path) -> Turn:
        turn = way(source, target)
        before = time.perf_counter()
        with open(target, "rb") as file:
            os.fsync(file.fileno())
        turn.seconds += time.perf_counter() - before
        return turn

    return both


def moviepy(source: Path, target: Path) -> Turn:
    """MoviePy with the system's ffmpeg; its import doesn't count."""
    environment = {**os.environ, "IMAGEIO_FFMPEG_EXE": "ffmpeg", "FFMPEG_BINARY": "ffmpeg"}
    given = [sys.executable, str(HERE / "export_peers.py"), "moviepy", str(source), str(target)]
    told = json.loads(subprocess.check_output(given, env=environment))
    return Turn(told["seconds"], told["cpu"], told["memory"])


def has_moviepy() -> bool:
    tried = [sys.executable, str(HERE / "export_peers.py"), "moviepy"]
    found = subprocess.run(tried, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if found.returncode:
        print("without MoviePy: it isn't installed", file=sys.stderr)
    return found.returncode == 0


def jobs(binary: str) -> list[Job]:
    source, hour = made_source(KEPT), made_hour(KEPT)
    transcode = {
        "reelwire": Contender(engine(binary, preset=PRESET)),
        "ffmpeg": Contender(command("-vf", "scale=1280:720", *SAME)),
    }
    if has_moviepy():
        transcode["MoviePy"] = Contender(moviepy)
    goals = [("transcode", "ffmpeg", "cpu"), ("transcode-time", "ffmpeg", "seconds")]
    found = [Job("30 s of 1080p to 720p", source, transcode, goals, isEncoded=True)]
    small = made_small(KEPT)
    for name, key, file in (
        ("copy of a small file", "copy-small", small),
        ("copy of 30 s", "", source),
        ("copy of an hour", "copy-hour", hour),
    ):
        copy = command("-map", "0", "-c", "copy")
        ways = {
            "reelwire": Contender(engine(binary, preset="Passthrough")),
            "ffmpeg -c copy": Contender(copy),
            "ffmpeg -c copy, and on the disk": Contender(flushed(copy)),
        }
        goals = [(key, "ffmpeg -c copy", "seconds")] if key else []
        found.append(Job(name, file, ways, goals))
    cut = smart_cut(binary, hour)
    return [*found, cut] if cut else found


def smart_cut(binary: str, hour: Path) -> Job | None:
    """Ten seconds out of the hour, of which only incomplete groups are encoded; None if the
    engine doesn't support that mode."""
    start, seconds = CUT
    wanted = {
        "preset": "Passthrough",
        "trimMode": "smart",
        "timeRange": {
            "start": {"value": round(start * 1000), "timescale": 1000},
            "duration": {"value": seconds * 1000, "timescale": 1000},
        },
    }
    way = engine(binary, **wanted)
    with tempfile.TemporaryDirectory() as folder:
        try:
            way(hour, Path(folder) / "tried.mp4")
        except (Refused, SystemExit) as error:
            print(f"without smart cuts: {error}", file=sys.stderr)
            return None
    place = ("-ss", str(start), "-t", str(seconds))
    ways = {
        "reelwire": Contender(way),
        "ffmpeg, all encoded": Contender(command(*SAME, before=place)),
        "ffmpeg -c copy, from the sync sample": Contender(command("-c", "copy", before=place)),
    }
    return Job("10 s cut out of an hour", hour, ways, [("cut", "ffmpeg, all encoded", "seconds")])


def settings(path: Path) -> str:
    """The settings that x264 reports."""
    found = re.search(rb"x264 - core[^\0]*options: ([^\0]*)", path.read_bytes())
    return found[1].decode() if found else ""


def psnr(source: Path, made: Path) -> float:
    """The similarity of the frames to the source's, scaled as exactly as libswscale can."""
    graph = "[0:v]scale=1280:720:flags=bicubic+accurate_rnd+full_chroma_int[a];[a][1:v]psnr"
    told = subprocess.run(
        ["ffmpeg", "-nostdin", "-i", str(source), "-i", str(made), "-lavfi", graph]
        + ["-fps_mode", "passthrough", "-an", "-f", "null", "-"],
        stderr=subprocess.PIPE,
        check=True,
    ).stderr.decode()
    found = re.search(r"PSNR y:([0-9.]+)", told)
    if not found:
        raise SystemExit(f"no PSNR in: {told[-500:]}")
    return float(found[1])


def packets(path: Path) -> int:
    """The frames of the video."""
    told = subprocess.check_output(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets", "-of", "csv=p=0"]
        + ["-show_entries", "stream=nb_read_packets", str(path)]
    )
    return int(told.split()[0].strip(b","))


def measure(job: Job, rounds: int) -> None:
    """Lets the ways take turns; each round begins with another one."""
    names = list(job.contenders)
    for number in range(rounds):
        for position in range(len(names)):
            name = names[(number + position) % len(names)]
            contender = job.contenders[name]
            with tempfile.TemporaryDirectory(dir=KEPT) as folder:
                target = Path(folder) / "out.mp4"
                turn = contender.way(job.source, target)
                contender.turns.append(turn)
                if not number:
                    look_at(job, contender, target)
            if sys.stderr.isatty() or os.environ.get("REELWIRE_BENCH_TOLD"):
                print(f"{job.name}: {name} {turn.seconds:.2f} s", file=sys.stderr)


def look_at(job: Job, contender: Contender, target: Path) -> None:
    """The result of a program's first turn."""
    contender.size = target.stat().st_size
    if job.isEncoded:
        contender.settings = settings(target)
        contender.psnr = psnr(job.source, target)


def check(job: Job) -> list[str]:
    """The differences that would make the comparison invalid."""
    if not job.isEncoded:
        return []
    ours, found = job.contenders["reelwire"], []
    other = job.contenders["ffmpeg"]
    if ours.settings != other.settings:
        found.append(f"settings differ: {ours.settings} and {other.settings}")
    if ours.psnr is not None and other.psnr is not None and ours.psnr < other.psnr - DECIBELS:
        found.append(f"poorer pictures: {ours.psnr:.2f} dB and {other.psnr:.2f} dB")
    return found


def report(goals: results.Report, job: Job) -> None:
    """Adds the goals of a job, turn by turn; not those of files that can't be compared."""
    if check(job):
        return
    for key, name, figure in job.goals:
        pair = (job.contenders[way].all_of(figure) for way in ("reelwire", name))
        goals.add(key, results.ratio(*pair))


def show(job: Job) -> None:
    """One table."""
    ours = job.contenders["reelwire"].seconds()
    print(f"\n{job.name}")
    heads = ("median", "min", "max", "cpu", "takes ×", "memory", "size")
    print(f"{'':38}" + "".join(f"{head:>10}" for head in heads) + f"{'PSNR':>10}")
    for name, contender in job.contenders.items():
        row = contender.summary()
        cells = "".join(f"{row[key]:8.2f} s" for key in ("median", "min", "max", "cpu"))
        cells += f"{row['median'] / ours:10.2f}{row['memory'] / 1024:6.0f} MiB"
        cells += f"{row['size'] / (1 << 20):6.1f} MiB"
        cells += f"{row['psnr']:7.2f} dB" if row["psnr"] is not None else f"{'-':>10}"
        print(f"{name:38}{cells}")
    for problem in check(job):
        print(f"  NOT THE SAME: {problem}")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Exports, against ffmpeg and MoviePy")
    parser.add_argument("--binary", help="the reelwire binary")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--only", help="jobs whose names have this in them")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    binary = reelwire.find_binary(arguments.binary)
    KEPT.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    load = os.getloadavg()[0]
    found = [job for job in jobs(binary) if (arguments.only or "") in job.name]
    goals = results.Report(binary, records=not arguments.quick, prints=not arguments.json)
    for job in found:
        measure(job, 1 if arguments.quick else arguments.rounds)
        if not arguments.json:
            show(job)
        report(goals, job)
    facts = {
        "cores": os.cpu_count(),
        "load": [round(load, 2), round(os.getloadavg()[0], 2)],
        "seconds": round(time.perf_counter() - began),
    }
    if arguments.json:
        all_jobs = {
            job.name: {
                "ways": {name: c.summary() for name, c in job.contenders.items()},
                "problems": check(job),
            }
            for job in found
        }
        print(json.dumps({**facts, "jobs": all_jobs, "goals": goals.rows}, indent=2))
        return
    before, after = facts["load"]
    print(f"\n{facts['cores']} cores, load {before} before and {after} after, {facts['seconds']} s")


if __name__ == "__main__":
    main()
