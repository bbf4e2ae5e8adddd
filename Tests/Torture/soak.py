"""S: correct frames, equal exports, and a long mixed load that leaks nothing."""

from __future__ import annotations

import base64
import hashlib
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Tuple

from checks import MEGABYTE, Alive, Census, Clean, close_all, scratch_environment
from damaged_inputs import MUTATIONS, clear
from rows import Run, expect, row
from server import Checked, Server
from steps import Steps
from support import digest
from waiting import HANG, Stopwatch


def oracle(path: Path, frames: int) -> List[str]:
    """The hash of each frame, as FFmpeg's own program decodes it."""
    arguments = [
        "-v",
        "error",
        "-noautorotate",
        "-i",
        str(path),
        "-map",
        "0:v:0",
        "-fps_mode",
        "passthrough",
        "-frames:v",
        str(frames),
        "-pix_fmt",
        "yuv420p",
        "-f",
        "framemd5",
        "-",
    ]
    made = subprocess.run(["ffmpeg", *arguments], capture_output=True, text=True, timeout=HANG)
    expect(made.returncode == 0, made.stderr)
    return [line.rsplit(",", 1)[1].strip() for line in made.stdout.splitlines() if not line.startswith("#")]


@row("S1", "decoded frames are FFmpeg's, bit by bit", quick=True)
def exact_frames(run: Run) -> None:
    names = [
        "small.mp4",
        "fragments.mp4",
        "small.mov",
        "small.mkv",
        "small.ts",
        "small.flv",
        "small.avi",
        "small.webm",
    ]
    with Server() as engine:
        for name in names[:: run.amount(3, 1)]:
            run.case(name, equal_frames, engine, run.media[name])
        if not run.options.isQuick:
            for path in run.media.ordinary(300_000):
                if path.suffix in (".mp4", ".mkv", ".webm", ".mov"):
                    run.case(path.name, equal_others, run, engine, path)


def frames_of(engine: Checked, path: Path, most: int) -> List[str]:
    asset = engine.call("asset/open", url=str(path))["asset"]
    output = {"type": "track", "mediaType": "video", "settings": {"pixelFormat": "yuv420p"}}
    found: List[str] = []
    try:
        made = engine.call("assetReader/create", asset=asset, outputs=[output])
        engine.call("assetReader/start", assetReader=made["assetReader"])
        isAtEnd = False
        while not isAtEnd and len(found) < most:
            pulled = engine.call("assetReader/nextSampleBuffers", output=made["outputs"][0], maxCount=16)
            for buffer in pulled["sampleBuffers"]:
                found.append(hashlib.md5(pixels(buffer)).hexdigest())
            isAtEnd = pulled["endOfStream"]
    finally:
        close_all(engine)
    return found[:most]


def pixels(buffer: Dict[str, Any]) -> bytes:
    """The rows of all planes, without the padding between them."""
    data, image = base64.b64decode(buffer["blob"]["data"]), buffer["image"]
    result = bytearray()
    for number, plane in enumerate(image["planes"]):
        width = image["width"] if number == 0 else (image["width"] + 1) // 2
        for line in range(plane["height"]):
            start = plane["offset"] + line * plane["bytesPerRow"]
            result += data[start : start + width]
    return bytes(result)


def equal_frames(engine: Checked, path: Path) -> None:
    expected, found = oracle(path, 60), frames_of(engine, path, 60)
    expect(len(found) == len(expected), f"{len(found)} frames of {len(expected)}")
    different = [number for number, (one, other) in enumerate(zip(found, expected)) if one != other]
    expect(not different, f"frames {different[:5]} differ")


def equal_others(run: Run, engine: Checked, path: Path) -> None:
    """Of files of others, where the program decodes without conversion and without an edit list."""
    probe = [
        "ffprobe",
        "-v",
        "error",
        "-select_streams",
        "v:0",
        "-show_entries",
        "stream=pix_fmt,start_pts",
        "-of",
        "csv=p=0",
        str(path),
    ]
    shown = subprocess.run(probe, capture_output=True, text=True, timeout=HANG).stdout.strip().split(",")
    if shown[:2] != ["yuv420p", "0"]:
        run.count("left out: another pixel format or start")
        return
    expected, found = oracle(path, 30), frames_of(engine, path, 30)
    run.count("equal" if expected == found else "different")
    same = sum(1 for one, other in zip(found, expected) if one == other)
    # Edit lists and damage may take frames away at an end; the remaining frames are the same.
    expect(
        set(found) <= set(expected) or same >= len(expected) - 1,
        f"{same} of {len(expected)} frames are equal",
    )


@row("S3", "the same export twice, and 4 at once: the same bytes", quick=True)
def same_bytes(run: Run) -> None:
    for preset in ("Passthrough", "LowQuality", "WAV", "GIF")[:: run.amount(2, 1)]:
        run.case(preset, same_exports, run, preset)


def same_exports(run: Run, preset: str) -> None:
    type = {"WAV": "wav", "GIF": "gif"}.get(preset, "mp4")
    folder = run.subfolder(preset)
    with Server() as engine:
        asset = engine.call("asset/open", url=str(run.media.good))["asset"]
        hashes = set()
        for round, count in enumerate((1, 1, 4)):
            sent: List[int] = []
            targets = [folder / f"{round}-{number}.{type}" for number in range(count)]
            for target in targets:
                session = engine.call(
                    "exportSession/create", asset=asset, preset=preset, outputURL=str(target)
                )["exportSession"]
                sent.append(engine.send("exportSession/export", exportSession=session, completion="response"))
            for id in sent:
                ended = engine.result(id)
                expect(ended["status"] == "completed", str(ended)[:300])
            hashes |= {digest(target) for target in targets}
        expect(len(hashes) == 1, f"{len(hashes)} different files of 6")


@row("S4", "a long mixed load, 3 of 10 files hostile: memory, descriptors, threads stay", quick=True)
def long_load(run: Run) -> None:
    folder = run.subfolder("out")
    environment = scratch_environment(run)
    good = run.media.few()
    others = run.media.ordinary(300_000)[:: run.amount(40, 4)] if run.media.corpus else []
    hostile = [path for path in run.media.hostile() if path.stat().st_size < 1 << 20]
    levels: List[Tuple[int, int]] = []
    with Server(environment=environment) as engine:
        clean = Clean(engine, run.media.good, run.subfolder("temporary"))
        watch, round = Stopwatch(), 0
        while watch.seconds < run.options.soak:
            name = f"round {round}"
            if not run.case(name, mixed, run, engine, good + others, hostile, folder, name):
                break
            round += 1
            if round % 10 == 0:
                levels.append((engine.lastID, Census.of(engine).resident))
        run.note(
            f"{engine.lastID} requests in {round} rounds, resident MB {[level >> 20 for _, level in levels][:: max(1, len(levels) // 12)]}"
        )
        if engine.isRunning:
            run.case("clean", clean.check)
            run.case("alive", Alive(run.media.good).check, engine)
            run.case("ends", engine.check_ends)
            run.case("growth", growth, run, levels)


def mixed(run: Run, engine: Checked, good: List[Path], hostile: List[Path], folder: Path, name: str) -> None:
    numbers = run.random(name)
    path = numbers.choice(good)
    if numbers.random() < 0.3:
        if hostile and numbers.random() < 0.5:
            path = numbers.choice(hostile)
        else:
            changed = run.folder / f"mutated{path.suffix}"
            kind = numbers.choice(list(MUTATIONS))
            changed.write_bytes(MUTATIONS[kind](bytearray(path.read_bytes()), numbers))
            path = changed
    steps = Steps(engine, path, folder, count=run.count)
    try:
        steps.some(numbers, 3)
    finally:
        clear(folder)
    engine.check_counts()


def growth(run: Run, levels: List[Tuple[int, int]]) -> None:
    """The slope of the later half, by the lowest levels of its halves."""
    if len(levels) < 40:
        run.note("too short for a slope: at least 400 rounds are needed")
        return
    half = levels[len(levels) // 2 :]
    first, second = half[: len(half) // 2], half[len(half) // 2 :]
    grown = min(level for _, level in second) - min(level for _, level in first)
    requests = second[0][0] - first[0][0]
    slope = grown / max(1, requests) * 1000
    run.note(f"{slope / MEGABYTE:.2f} MB per 1000 requests")
    expect(
        slope < MEGABYTE or grown < 8 * MEGABYTE,
        f"memory grows by {slope / MEGABYTE:.1f} MB per 1000 requests",
    )
