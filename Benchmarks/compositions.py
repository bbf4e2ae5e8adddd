"""Files made of many, against ffmpeg, melt and MoviePy: `compositions.py [--quick] [--json] [--only JOB]`.

Twenty clips with dissolves, a picture in a picture, a slideshow, eight tracks of an hour mixed, and a hundred
clips joined without encoding; and a timeline of 500 clips made and edited. Every turn is a fresh process, from
its start to the finished file, and the programs run in turns. All that encode do so with the same settings. The file
of each must have the total duration of the sources, and frames similar to those of ffmpeg.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

import results
from export import FFMPEG, Turn, has_moviepy
from images import HERE, KEPT, run
from pipe import Pipe
from processes import cost

VIDEO = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "22", "-g", "60", "-pix_fmt", "yuv420p"]
AUDIO = ["-c:a", "aac", "-b:a", "128k"]
# The same for the engine.
SETTINGS = {
    "video": {"codec": "h264", "rateFactor": 22, "keyFrameInterval": 2},
    "audio": {"codec": "aac", "bitRate": 128000},
}
HOUR = 3600

Way = Callable[[Path], Turn]


@dataclass
class Contender:
    way: Way
    # It shows or does something else, and counts as no peer.
    remark: str = ""
    turns: list[Turn] = field(default_factory=list)
    size: int = 0

    def median(self, of: str) -> float:
        return float(statistics.median(getattr(turn, of) for turn in self.turns))


@dataclass
class Job:
    name: str
    contenders: dict[str, Contender]
    # The goals: a key, the compared program, and the figure.
    goals: list[tuple[str, str, str]]
    # In seconds; each way's result is looked at.
    duration: float
    suffix: str = ".mp4"


# Sources, made once


def made(name: str, *arguments: str) -> Path:
    """A file that ffmpeg makes, if it isn't there."""
    path = KEPT / name
    if not path.exists():
        part = path.with_name("part-" + path.name)
        subprocess.run([*FFMPEG, *arguments, str(part)], check=True)
        os.replace(part, path)
    return path


def clips(count: int, seconds: int) -> list[Path]:
    """Clips of 1080p with different pictures and audio."""
    return [
        made(
            f"clip-{seconds}s-{number:03}.mp4",
            *("-f", "lavfi", "-i", f"testsrc2=s=1920x1080:r=30:d={seconds}"),
            *("-f", "lavfi", "-i", f"sine=f={200 + 20 * number}:r=48000:d={seconds}"),
            *("-vf", f"hue=h={number * 17}", "-c:v", "libx264", "-preset", "veryfast"),
            *("-crf", "26", "-g", "60", "-pix_fmt", "yuv420p"),
            *("-c:a", "aac", "-ac", "2", "-b:a", "128k"),
        )
        for number in range(count)
    ]


def photos(count: int) -> list[Path]:
    """Pictures of twelve megapixels."""
    return [
        made(
            f"photo-{number:02}.jpg",
            *("-f", "lavfi", "-i", "testsrc2=s=4000x3000:r=1"),
            *("-vf", f"hue=h={number * 6},noise=alls=12:allf=t", "-frames:v", "1", "-q:v", "3"),
        )
        for number in range(count)
    ]


def hours(count: int) -> list[Path]:
    """Tracks of an hour in stereo, as FLAC."""
    return [
        made(
            f"hour-{number}.flac",
            *("-f", "lavfi", "-i", f"aevalsrc=0.1*sin(2*PI*{110 * (number + 2)}*t)+0.02*random(0)")
            + ("-t", str(HOUR), "-ac", "2", "-ar", "48000", "-sample_fmt", "s16"),
        )
        for number in range(count)
    ]


# Ways


def engine(binary: str, sequence: dict[str, Any], **params: Any) -> Way:
    """One engine, one sequence, one export."""

    def way(target: Path) -> Turn:
        return exported(
            binary,
            lambda pipe: pipe.call("composition/assemble", sequence=sequence)["composition"],
            target,
            **{"settings": SETTINGS, **params},
        )

    return way


def exported(
    binary: str, make: Callable[[Pipe], str], target: Path, **params: Any
) -> Turn:
    before = time.perf_counter()
    pipe = Pipe(binary)
    session = pipe.call(
        "exportSession/create", asset=make(pipe), outputURL=str(target), **params
    )["exportSession"]
    result = pipe.call("exportSession/export", exportSession=session, completion="response")
    if result["status"] != "completed":
        raise SystemExit(f"the export failed: {result}")
    taken = time.perf_counter() - before
    cpu, _, memory = cost(pipe.process.pid)
    pipe.close()
    return Turn(taken, cpu, memory)


def ffmpeg(*arguments: str) -> Way:
    def way(target: Path) -> Turn:
        return Turn(*run([*FFMPEG, *arguments, str(target)])[:3])

    return way


def melt(*arguments: str, profile: str) -> Way:
    def way(target: Path) -> Turn:
        given = ["melt", *arguments, "-profile", profile, "-consumer", f"avformat:{target}"]
        given += ["vcodec=libx264", "preset=veryfast", "crf=22", "g=60", "pix_fmt=yuv420p"]
        given += ["acodec=aac", "ab=128k", "real_time=-2", "-silent"]
        return Turn(*run(given)[:3])

    return way


def moviepy(job: str, *paths: Path) -> Way:
    def way(target: Path) -> Turn:
        environment = {**os.environ, "IMAGEIO_FFMPEG_EXE": "ffmpeg", "FFMPEG_BINARY": "ffmpeg"}
        given = [sys.executable, str(HERE / "composition_peers.py"), job, str(target)]
        told = subprocess.check_output([*given, *map(str, paths)], env=environment)
        return Turn(**json.loads(told))

    return way


def inputs(paths: list[Path], *before: str) -> list[str]:
    return [part for path in paths for part in (*before, "-i", str(path))]


# Jobs


def dissolves(binary: str) -> Job:
    """Twenty clips of five seconds at 720p, each dissolving into the next for a second."""
    paths = clips(20, 5)
    sequence = {
        "size": {"width": 1280, "height": 720},
        "frameRate": 30,
        "clips": [
            {"url": str(path), "transition": {"kind": "dissolve", "duration": 1}}
            for path in paths[:-1]
        ]
        + [{"url": str(paths[-1])}],
    }
    scaled = [
        f"[{n}:v]scale=1280:720,fps=30,settb=AVTB[v{n}]" for n in range(len(paths))
    ]
    last, sound = "v0", "0:a"
    for n in range(1, len(paths)):
        scaled.append(f"[{last}][v{n}]xfade=duration=1:offset={4 * n}[x{n}]")
        scaled.append(f"[{sound}][{n}:a]acrossfade=d=1:c1=tri:c2=tri[a{n}]")
        last, sound = f"x{n}", f"a{n}"
    graph = ["-filter_complex", ";".join(scaled), "-map", f"[{last}]", "-map", f"[{sound}]"]
    ways = {
        "reelwire": Contender(engine(binary, sequence)),
        "ffmpeg xfade": Contender(ffmpeg(*inputs(paths), *graph, *VIDEO, *AUDIO)),
    }
    if shutil.which("melt"):
        given = [str(paths[0]), "out=149"]
        for path in paths[1:]:
            given += [str(path), "out=149", "-mix", "30", "-mixer", "luma", "-mixer", "mix:-1"]
        ways["melt"] = Contender(melt(*given, profile="atsc_720p_30"))
    if has_moviepy():
        ways["MoviePy"] = Contender(moviepy("dissolves", *paths))
    goals = [("dissolves", "ffmpeg xfade", "seconds"), ("dissolves-memory", "ffmpeg xfade", "memory")]
    goals += faster("dissolves", ways)
    return Job("20 clips with dissolves to 720p", ways, goals, 81)


def faster(key: str, ways: dict[str, Contender]) -> list[tuple[str, str, str]]:
    return [(f"{key}-{name.lower()}", name, "seconds") for name in ("melt", "MoviePy") if name in ways]


def picture_in_picture(binary: str) -> Job:
    """Two clips of 1080p, the second in a corner."""
    low, high = clips(2, 30)
    sequence = {
        "size": {"width": 1920, "height": 1080},
        "frameRate": 30,
        "clips": [{"url": str(low)}],
        "overlays": [
            {
                "url": str(high),
                "timeRange": {"start": 0, "duration": 30},
                "frame": {"x": 1240, "y": 680, "width": 640, "height": 360},
            }
        ],
    }
    graph = ["-filter_complex", "[1:v]scale=640:360[p];[0:v][p]overlay=1240:680[v]"]
    graph += ["-map", "[v]", "-map", "0:a"]
    ways = {
        "reelwire": Contender(engine(binary, sequence)),
        "ffmpeg overlay": Contender(ffmpeg(*inputs([low, high]), *graph, *VIDEO, *AUDIO)),
    }
    if shutil.which("melt"):
        given = [str(low), "-track", str(high), "-transition", "composite", "a_track=0"]
        given += ["b_track=1", "geometry=1240/680:640x360", "distort=1"]
        ways["melt"] = Contender(melt(*given, profile="atsc_1080p_30"))
    if has_moviepy():
        ways["MoviePy"] = Contender(moviepy("overlay", low, high))
    goals = [("overlay", "ffmpeg overlay", "seconds"), *faster("overlay", ways)]
    return Job("picture in picture at 1080p", ways, goals, 30)


def slideshow(binary: str) -> Job:
    """Sixty photos of twelve megapixels for three seconds each, with fades of half a second."""
    paths = photos(60)
    sequence = {
        "size": {"width": 1920, "height": 1080},
        "frameRate": 30,
        "clips": [
            {
                "url": str(path),
                "duration": 3,
                "transition": {"kind": "dissolve", "duration": {"value": 1, "timescale": 2}},
            }
            for path in paths[:-1]
        ]
        + [{"url": str(paths[-1]), "duration": 3}],
    }
    box = "scale=1920:1080:force_original_aspect_ratio=decrease,pad=1920:1080:-1:-1,setsar=1"
    graph = [f"[{n}:v]{box},format=yuv420p,settb=AVTB[v{n}]" for n in range(len(paths))]
    last = "v0"
    for n in range(1, len(paths)):
        graph.append(f"[{last}][v{n}]xfade=duration=0.5:offset={2.5 * n}[x{n}]")
        last = f"x{n}"
    given = inputs(paths, "-loop", "1", "-framerate", "30", "-t", "3")
    given += ["-filter_complex", ";".join(graph), "-map", f"[{last}]"]
    ways = {
        "reelwire": Contender(engine(binary, sequence)),
        "ffmpeg xfade": Contender(ffmpeg(*given, *VIDEO)),
    }
    if shutil.which("melt"):
        given = [str(paths[0]), "out=89"]
        for path in paths[1:]:
            given += [str(path), "out=89", "-mix", "15", "-mixer", "luma"]
        ways["melt"] = Contender(melt(*given, profile="atsc_1080p_30"))
    if has_moviepy():
        ways["MoviePy"] = Contender(moviepy("slideshow", *paths))
    goals = [("slideshow", "ffmpeg xfade", "seconds"), *faster("slideshow", ways)]
    return Job("slideshow of 60 photos at 1080p", ways, goals, 150.5)


def mix(binary: str) -> Job:
    """Eight tracks of an hour, each with a ramp of a minute, to AAC."""
    paths = hours(8)
    start = {"value": 0, "timescale": 1}

    def composed(pipe: Pipe) -> str:
        composition = pipe.call("composition/create")["composition"]
        for path in paths:
            asset = pipe.call("asset/open", url=str(path))["asset"]
            track = pipe.call("composition/addTrack", composition=composition, mediaType="audio")
            pipe.call(
                "composition/insertTimeRange",
                composition=composition,
                asset=asset,
                trackID=track["trackID"],
                at=start,
            )
        return str(composition)

    ramp = {"from": 0.0, "to": 0.5, "timeRange": {"start": start, "duration": seconds(60)}}
    volumes = {
        "inputParameters": [{"trackID": n + 1, "volume": [ramp]} for n in range(len(paths))]
    }

    def way(target: Path) -> Turn:
        settings = {"audio": SETTINGS["audio"]}
        return exported(binary, composed, target, settings=settings, audioMix=volumes)

    graph = [f"[{n}:a]afade=t=in:d=60,volume=0.5[a{n}]" for n in range(len(paths))]
    names = "".join(f"[a{n}]" for n in range(len(paths)))
    graph.append(f"{names}amix=inputs={len(paths)}:normalize=0:duration=longest[a]")
    given = [*inputs(paths), "-filter_complex", ";".join(graph), "-map", "[a]", *AUDIO]
    ways = {"reelwire": Contender(way), "ffmpeg amix": Contender(ffmpeg(*given))}
    return Job("8 tracks of an hour to AAC", ways, [("mix", "ffmpeg amix", "seconds")], HOUR, ".m4a")


def join(binary: str) -> Job:
    """A hundred clips of ten seconds, their video copied."""
    paths = clips(100, 10)

    def composed(pipe: Pipe) -> str:
        sequence = {"clips": [{"url": str(path)} for path in paths]}
        return str(pipe.call("composition/assemble", sequence=sequence)["composition"])

    def way(target: Path) -> Turn:
        return exported(binary, composed, target, preset="Passthrough")

    names = KEPT / "join.txt"
    names.write_text("".join(f"file '{path}'\n" for path in paths))
    given = ["-f", "concat", "-safe", "0", "-i", str(names), "-c:v", "copy"]
    ways = {
        "reelwire": Contender(way),
        "ffmpeg concat, audio encoded": Contender(ffmpeg(*given, *AUDIO)),
        "ffmpeg concat, all copied": Contender(ffmpeg(*given, "-c:a", "copy"), "wrong audio"),
    }
    goals = [("join", "ffmpeg concat, audio encoded", "seconds")]
    return Job("100 clips joined", ways, goals, 1000)


def encoded_join(binary: str) -> Job:
    """Twenty clips of five seconds, one after the other at 720p."""
    paths = clips(20, 5)
    sequence = {
        "size": {"width": 1280, "height": 720},
        "frameRate": 30,
        "clips": [{"url": str(path)} for path in paths],
    }
    graph = [f"[{n}:v]scale=1280:720[v{n}]" for n in range(len(paths))]
    pairs = "".join(f"[v{n}][{n}:a]" for n in range(len(paths)))
    graph.append(f"{pairs}concat=n={len(paths)}:v=1:a=1[v][a]")
    given = [*inputs(paths), "-filter_complex", ";".join(graph), "-map", "[v]", "-map", "[a]"]
    ways = {
        "reelwire": Contender(engine(binary, sequence)),
        "ffmpeg concat filter": Contender(ffmpeg(*given, *VIDEO, *AUDIO)),
    }
    goals = [("encode", "ffmpeg concat filter", "seconds")]
    return Job("20 clips to 720p", ways, goals, 100)


def seconds(count: int) -> dict[str, int]:
    return {"value": count, "timescale": 1}


JOBS = {
    "dissolves": dissolves,
    "overlay": picture_in_picture,
    "slideshow": slideshow,
    "mix": mix,
    "join": join,
    "encode": encoded_join,
}


def timeline(binary: str, rounds: int) -> list[float]:
    """The milliseconds that a timeline of 500 clips takes whose sources are known."""
    paths = clips(20, 5)
    pipe = Pipe(binary)
    pipe.call("composition/assemble", sequence={"clips": [{"url": str(p)} for p in paths]})
    sequence = {"clips": [{"url": str(paths[n % len(paths)])} for n in range(500)]}
    given = pipe.call("composition/assemble", sequence=sequence)["timeline"]
    taken = []
    for _ in range(rounds):
        before = time.perf_counter()
        pipe.call("composition/create", timeline=given)
        taken.append(1000 * (time.perf_counter() - before))
    pipe.close()
    return taken


def levels(binary: str) -> list[float]:
    """The maximum difference of each picture of a dissolve from the weighted mean of the frames that ffmpeg decodes.

    Two clips of 1080p overlap for a second; the export is without loss.
    """
    import numpy

    first, second = clips(2, 5)
    transition = {"kind": "dissolve", "duration": 1}
    sequence = {"clips": [{"url": str(first), "transition": transition}, {"url": str(second)}]}

    def decoded(path: Path, start: int) -> Any:
        """The thirty frames from a number on, as levels of all planes."""
        chosen = f"trim=start_frame={start}:end_frame={start + 30}"
        command = [*FFMPEG, "-i", str(path), "-vf", chosen, "-fps_mode", "passthrough"]
        data = subprocess.check_output([*command, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
        return numpy.frombuffer(data, numpy.uint8).reshape(30, -1)

    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        made = Path(folder) / "dissolve.mkv"
        engine(binary, sequence, settings={"video": {"codec": "ffv1"}})(made)
        shown, before, after = decoded(made, 120), decoded(first, 120), decoded(second, 0)
    differences = []
    for number in range(30):
        weight = number / 30
        wanted = before[number] * (1 - weight) + after[number] * weight
        differences.append(float(abs(shown[number] - wanted).max()))
    return differences


# Measuring


def measure(job: Job, rounds: int) -> None:
    """Lets the ways take turns; each round begins with another one."""
    names = list(job.contenders)
    for number in range(rounds):
        for position in range(len(names)):
            name = names[(number + position) % len(names)]
            contender = job.contenders[name]
            with tempfile.TemporaryDirectory(dir=KEPT) as folder:
                target = Path(folder) / f"out{job.suffix}"
                turn = contender.way(target)
                contender.turns.append(turn)
                if not number:
                    contender.size = target.stat().st_size
                    look_at(job, contender, target)
            print(f"{job.name}: {name} {turn.seconds:.2f} s", file=sys.stderr)


def look_at(job: Job, contender: Contender, target: Path) -> None:
    """True if the file has the expected duration."""
    told = subprocess.check_output(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"]
        + [str(target)]
    )
    length = float(told)
    if abs(length - job.duration) > 0.1 and not contender.remark:
        contender.remark = f"{length:.2f} s long"


def show(job: Job) -> None:
    """One table."""
    print(f"\n{job.name}")
    print(f"{'':32}" + "".join(f"{head:>11}" for head in ("median", "cpu", "memory", "size")))
    for name, contender in job.contenders.items():
        cells = f"{contender.median('seconds'):9.2f} s{contender.median('cpu'):9.2f} s"
        cells += f"{contender.median('memory') / 1024:7.0f} MiB{contender.size / (1 << 20):7.1f} MiB"
        print(f"{name:32}{cells}  {contender.remark}".rstrip())


def report(goals: results.Report, job: Job) -> None:
    """Adds the goals of a job, turn by turn; not those against a program that does something else."""
    for key, name, figure in job.goals:
        if not job.contenders[name].remark and not job.contenders["reelwire"].remark:
            pair = (
                [getattr(turn, figure) for turn in job.contenders[way].turns]
                for way in ("reelwire", name)
            )
            goals.add(key, results.ratio(*pair))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=".build/release/reelwire")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--only", choices=[*JOBS, "levels", "timeline"], action="append")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    rounds = 1 if options.quick else options.rounds
    chosen = options.only or [*JOBS, "levels", "timeline"]
    goals = results.Report(options.binary, records=not options.quick, prints=not options.json)
    tables = {}
    if not options.json:
        print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    for name in chosen:
        if name not in JOBS:
            continue
        job = JOBS[name](options.binary)
        measure(job, rounds)
        if not options.json:
            show(job)
        report(goals, job)
        tables[name] = {
            way: {key: contender.median(key) for key in ("seconds", "cpu", "memory")}
            for way, contender in job.contenders.items()
        }
    if "levels" in chosen:
        goals.add("composed-levels", results.maximum(levels(options.binary)))
    if "timeline" in chosen:
        goals.add("timeline", results.median(timeline(options.binary, max(5, rounds))))
    if options.json:
        print(json.dumps({"jobs": tables, "goals": goals.rows}))


if __name__ == "__main__":
    main()
