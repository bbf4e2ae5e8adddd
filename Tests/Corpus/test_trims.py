"""Trims without encoding: a part shows the same as a decode of the whole does there.

`ffmpeg` decodes the source from its start, and the result as any player would, with its edit list.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np
import pytest

import oracle
from engine import CORPUS, ROOT, Engine, EngineError, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

# Of each file in each mode. Fifty take ten minutes on two cores.
RANGES = int(os.environ.get("REELWIRE_RANGES", "8"))
# Codecs, containers and traps that differ; and the types that the parts are written into.
FILES = {
    "video/m4_bbb_prog_10s.mp4": "mp4",  # H.264 with B-frames, AAC
    "video/ax_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4": "mov",  # B-frames that others refer to
    "video/ax_iibbibb_editlist_videoonly.mp4": "mp4",  # open groups, begins in one by an edit list
    "video/tc_h265_video.mp4": "mp4",  # HEVC, open groups
    "video/ax_sample.avi": "mov",  # MPEG-4 and MP3
    "video/mb_frames.webm": "mkv",  # VP9
    "video/mb_missing-keyframe-labels.ts": "mp4",  # MPEG-2 TS, H.264 and AAC
    "video/st_awesome movie.mov": "mov",  # frames at uneven distances, AAC
    "video/ip_v3.mp4": "mkv",  # H.264 and AAC, into a container without edit lists
    "video/ax_sample_with_chapters.mp4": "mov",  # a pause after the first packet of audio
    "audio/ip_count-deutsch-audio.mp4": "mp4",  # AAC
    "audio/ax_bear-alac.mka": "mp4",  # packets that don't state their lengths
    "audio/mo_crunching.mp3": "mp4",
    "audio/mb_sample.flac": "mkv",
    "audio/tc_sine_mono_s16.wav": "mov",
}
MODES = ("editList", "keyframe", "smart")
# Below this a frame that was encoded anew isn't the frame it was: the engine's own number. It takes the
# worst plane, and here all count together, which is never worse.
SMART_CUTTER = next((ROOT / "Sources/MediaEngine").rglob("SmartCutter.swift"))
WORST_PSNR = float(re.findall(r"minimumPSNR = ([\d.]+)", SMART_CUTTER.read_text())[0])


class Picture(NamedTuple):
    start: Fraction
    digest: str


class Sound(NamedTuple):
    codec: str
    start: Fraction
    rate: int
    # Frames by channels.
    samples: "np.ndarray[Any, Any]"
    # Of the longest packet.
    packet: Fraction
    # Of the container's clock.
    tick: Fraction


class Source(NamedTuple):
    path: Path
    pictures: List[Picture]
    end: Fraction
    sound: Optional[Sound]
    audio: Optional[Dict[str, Any]]
    duration: Fraction
    syncs: List[Fraction]
    # Of the clock of its video, or a millisecond.
    tick: Fraction


def run(*arguments: Any, check: bool = True) -> bytes:
    return subprocess.run([str(a) for a in arguments], capture_output=True, check=check).stdout


def rows_of(listing: str) -> "Tuple[Fraction, List[List[str]]]":
    """The clock and the lines of a `framemd5`."""
    lines = listing.splitlines()
    rows = [x.split(",") for x in lines if x and not x.startswith("#")]
    base = next((x.split(":")[1].strip() for x in lines if x.startswith("#tb 0:")), "1")
    return Fraction(base), rows


# Of a file that begins with no IDR picture and is at its end before its first picture is out, FFmpeg's
# decoder outputs nothing but that one, unless it may output frames that could be damaged.
DECODE = ["ffmpeg", "-v", "quiet", "-noautorotate", "-copyts", "-flags", "+output_corrupt"]


def pictures_in(listing: str, zero: Fraction) -> List[Picture]:
    base, rows = rows_of(listing)
    return [Picture(int(r[2]) * base - zero, r[5].strip()) for r in rows]


def decode(
    path: Path, zero: Fraction, hasVideo: bool, stream: Optional[Dict[str, Any]], *options: str
) -> "Tuple[List[Picture], Optional[Sound]]":
    """All pictures, and the audio of a stream that is described like this."""
    form, kind = {"s16": ("s16le", "<i2"), "s16p": ("s16le", "<i2"), "s32": ("s32le", "<i4")}.get(
        stream["sample_fmt"] if stream else "", ("f32le", "<f4")
    )
    with tempfile.TemporaryDirectory() as folder:
        video, audio, raw = (Path(folder) / n for n in ("video", "audio", "raw"))
        command = [*DECODE, *options, "-i", f"file:{path}"]
        if hasVideo:
            command += ["-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "-1"]
            command += ["-f", "framemd5", str(video)]
        if stream:
            command += ["-map", "0:a:0", "-f", "framemd5", str(audio)]
            command += ["-map", "0:a:0", "-c:a", f"pcm_{form}", "-f", form, str(raw)]
        # It complains of a track without a sample.
        run(*command, check=False)
        pictures = pictures_in(video.read_text(), zero) if video.exists() else []
        if not stream or not raw.exists():
            return pictures, None
        base, rows = rows_of(audio.read_text())
        samples = np.fromfile(raw, kind).reshape(-1, stream["channels"])
    rate = int(stream["sample_rate"])
    start = int(rows[0][2]) * base - zero if rows else Fraction(0)
    packet = max((int(r[3]) * base for r in rows), default=Fraction(0))
    tick = Fraction(stream["time_base"])
    return pictures, Sound(stream["codec_name"], start, rate, samples, packet, tick)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


@lru_cache(maxsize=2)
def source_of(name: str) -> Source:
    path = CORPUS / name
    probed = oracle.facts(path)
    zero = oracle.origin(probed)
    streams = {s["codec_type"]: s for s in reversed(oracle.media_streams(probed["streams"]))}
    video, audio = streams.get("video"), streams.get("audio")
    pictures, sound = decode(path, zero, video is not None, audio)
    syncs, end = [], Fraction(0)
    base = Fraction(1, 1000)
    if video:
        base = Fraction(video["time_base"])
        packets = oracle.packets(path)[video["index"]]
        syncs = sorted(p["pts"] * base - zero for p in packets if "K" in p["flags"] and "pts" in p)
        last = max((p for p in packets if "pts" in p), key=lambda p: p["pts"])
        end = (last["pts"] + last.get("duration", 0)) * base - zero
    with Engine() as engine:
        _, values = engine.load(path, "duration", preferPreciseDurationAndTiming=True)
    duration = number(values["duration"]["value"])
    tick = max(base, Fraction(1, 1000))
    return Source(path, pictures, end, sound, audio, duration, syncs, tick)


def export(engine: Engine, asset: str, target: Path, **params: Any) -> Dict[str, Any]:
    made = engine.call(
        "exportSession/create", asset=asset, preset="Passthrough", outputURL=str(target), **params
    )
    try:
        done = engine.call(
            "exportSession/export", exportSession=made["exportSession"], completion="response"
        )
    finally:
        engine.call("handle/close", handle=made["exportSession"])
    if done["status"] == "failed":
        raise EngineError(done["error"])
    assert done["status"] == "completed", done
    return done


def wire(time: Fraction) -> Dict[str, int]:
    return {"value": time.numerator, "timescale": time.denominator}


def some_ranges(source: Source, seed: int) -> List[Tuple[Fraction, Fraction]]:
    """Ranges that begin and end at frames, between them, and at the ends of the file."""
    chance = random.Random(seed)
    longest = min(source.duration, Fraction(1))
    edges = [p.start for p in source.pictures] + source.syncs
    ranges = []
    while len(ranges) < RANGES:
        start = Fraction(chance.randrange(int(source.duration * 1000)), 1000)
        end = start + Fraction(chance.randrange(40, int(longest * 1000)), 1000)
        if edges and chance.random() < 0.4:
            start = chance.choice(edges)
        if edges and chance.random() < 0.4:
            end = chance.choice([e for e in edges if e <= start + longest] or edges)
        if chance.random() < 0.05:
            start = Fraction(0)
        start, end = max(start, Fraction(0)), min(end, source.duration)
        # Some files last longer than their media.
        if not source.sound and start >= source.end:
            continue
        if end - start >= Fraction(1, 50):
            ranges.append((start, end))
    return ranges


def shown(source: Source, start: Fraction, end: Fraction) -> List[Picture]:
    """The pictures of a range, with their times in it: each is shown until the next."""
    result = []
    following = [p.start for p in source.pictures[1:]] + [source.end]
    for picture, until in zip(source.pictures, following):
        if picture.start < end and until > start:
            result.append(Picture(max(picture.start, start) - start, picture.digest))
    return result


class Checker:
    """The errors in one part of a file."""

    def __init__(self, source: Source, target: Path, done: Dict[str, Any]) -> None:
        self.source, self.target, self.done = source, target, done
        self.start = number(done["timeRange"]["start"])
        self.length = number(done["timeRange"]["duration"])
        self.hasEdits = target.suffix in (".mp4", ".mov")
        # Matroska counts milliseconds.
        self.grain = Fraction(0) if self.hasEdits else Fraction(1, 1000)
        self.wrong: List[str] = []

    def check(self) -> List[str]:
        hasVideo = bool(self.source.pictures)
        pictures, sound = decode(self.target, Fraction(0), hasVideo, self.source.audio)
        if hasVideo:
            self.pictures(pictures)
        if self.source.sound:
            self.sound(self.source.sound, sound)
        return self.wrong

    def expect(self, isRight: bool, *told: Any) -> None:
        if not isRight:
            self.wrong.append(" ".join(str(t) for t in told))

    def pictures(self, found: List[Picture]) -> None:
        expected = shown(self.source, self.start, self.start + self.length)
        if len(found) != len(expected):
            self.wrong.append(f"{len(found)} pictures instead of {len(expected)}")
            return
        late = [
            (n, f.start, e.start)
            for n, (f, e) in enumerate(zip(found, expected))
            if abs(f.start - e.start) > self.grain
        ]
        self.expect(not late, "times", late[:3])
        other = [n for n, (f, e) in enumerate(zip(found, expected)) if f.digest != e.digest]
        if self.done.get("trimMode") == "smart":
            self.edges(other, expected)
        else:
            self.expect(not other, "other pictures at", other[:5], "of", len(expected))

    def edges(self, other: List[int], expected: List[Picture]) -> None:
        """Pictures that were encoded anew lie before the first sync sample, or are the last ones that
        need one after the end; and they look the same."""
        count = len(expected)
        inside = [s for s in self.source.syncs if self.start <= s < self.start + self.length]
        join = min(inside, default=self.start + self.length) - self.start
        middle = [n for n in other if expected[n].start >= join and n < count - 8]
        self.expect(not middle, "other pictures in the middle", middle[:5])
        if self.hasEdits:
            entries = ("-select_streams", "v:0", "-show_packets")
            packets = oracle.run_ffprobe(self.target, ("-ignore_editlist", "1", *entries))["packets"]
            self.expect(len(packets) == count, len(packets) - count, "are hidden")
        if not other:
            return
        positions = [
            n
            for n, (p, until) in enumerate(
                zip(
                    self.source.pictures,
                    [p.start for p in self.source.pictures[1:]] + [self.source.end],
                )
            )
            if p.start < self.start + self.length and until > self.start
        ]
        first, last = positions[0], positions[-1]
        # As far as the source is needed.
        length = float(self.start + self.length) + 1
        lines = run(
            "ffmpeg", "-v", "error", "-i", f"file:{self.target}",
            "-t", length, "-i", f"file:{self.source.path}",
            "-filter_complex",
            f"[0:v:0]setpts=N/TB[a];[1:v:0]select=between(n\\,{first}\\,{last}),setpts=N/TB[b];"
            "[a][b]psnr=stats_file=-", "-fps_mode", "passthrough", "-f", "null", "-",
        ).decode().splitlines()  # fmt: skip
        levels = [dict(p.split(":") for p in x.split())["psnr_avg"] for x in lines if "psnr_avg" in x]
        worst = min(float(level) for level in levels)
        self.expect(len(levels) == count, len(levels), "pictures compared of", count)
        self.expect(worst >= WORST_PSNR, "psnr", worst)

    def sound(self, theirs: Sound, ours: Optional[Sound]) -> None:
        end = theirs.start + Fraction(len(theirs.samples), theirs.rate)
        start, until = max(self.start, theirs.start), min(self.start + self.length, end)
        if until - start <= theirs.packet and (ours is None or len(ours.samples) == 0):
            return
        if ours is None:
            self.wrong.append("no sound")
            return
        tolerance = max(theirs.packet, ours.packet) + self.grain
        exact = max(Fraction(1, theirs.rate), theirs.tick) + self.grain
        isDivisible = theirs.codec == "flac" or theirs.codec.startswith("pcm_")
        if isDivisible:
            tolerance = exact
        elif not self.hasEdits:
            exact = tolerance
        self.expect(
            abs(ours.start - (start - self.start)) <= exact, "sound begins at", float(ours.start)
        )
        length = Fraction(len(ours.samples), ours.rate)
        self.expect(
            abs(ours.start + length - (until - self.start)) <= tolerance,
            "sound ends at", float(ours.start + length), "not", float(until - self.start),
        )  # fmt: skip
        # The samples themselves, from any start.
        first = round((self.start + ours.start - theirs.start) * theirs.rate)
        slack = 1 + round(max(self.grain, theirs.tick) * theirs.rate)
        count = min(len(ours.samples), len(theirs.samples) - first - slack) - slack
        # The first samples after the start of a decode aren't right at once.
        skip = 0 if self.hasEdits else 2 * round(theirs.packet * theirs.rate)
        if count <= skip:
            return
        mine = ours.samples[skip:count].astype("f8")
        best = min(
            np.abs(mine - theirs.samples[first + d + skip : first + d + count].astype("f8")).max()
            for d in range(-min(slack, first + skip), slack + 1)
        )
        full = 1.0 if ours.samples.dtype.kind == "f" else float(np.iinfo(ours.samples.dtype).max)
        # Samples that decoders make up or predict depend on the samples decoded before.
        bound = 1e-2 if theirs.codec in ("aac", "opus") else 1e-6
        self.expect(best / full <= bound, "sound differs by", best / full)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FILES)
def test_parts_show_what_the_whole_shows(engine: Engine, name: str, mode: str) -> None:
    source = source_of(name)
    asset, _ = engine.load(source.path, "tracks", preferPreciseDurationAndTiming=True)
    used: Dict[str, int] = {}
    notes = set()
    wrong: List[str] = []

    def check(turn: int, start: Fraction, end: Fraction, target: Path, done: Dict[str, Any]) -> None:
        found = Checker(source, target, done).check() + told_truly(source, done, start, end)
        wrong.extend(f"{turn} [{float(start):.4f}, {float(end):.4f}): {w}" for w in found)
        target.unlink()

    try:
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(max_workers=2) as pool:
            checks = []
            for turn, (start, end) in enumerate(some_ranges(source, seed=len(name))):
                target = Path(folder) / f"{turn}.{FILES[name]}"
                done = export(
                    engine, asset, target, trimMode=mode,
                    timeRange={"start": wire(start), "duration": wire(end - start)},
                )  # fmt: skip
                used[done["trimMode"]] = used.get(done["trimMode"], 0) + 1
                notes.add(done.get("trimNote"))
                assert ("trimNote" in done) == (done["trimMode"] != mode)
                checks.append(pool.submit(check, turn, start, end, target, done))
            for pending in checks:
                pending.result()
    finally:
        engine.call("handle/close", handle=asset)
    print(used, notes)
    assert not wrong, f"{len(wrong)} of {RANGES}:\n" + "\n".join(wrong[:20])


def told_truly(source: Source, done: Dict[str, Any], start: Fraction, end: Fraction) -> List[str]:
    """Exact modes keep the range, but for a tick; others report the range that they have."""
    found, until = (number(done["timeRange"][k]) for k in ("start", "duration"))
    until += found
    tick = source.tick
    if done["trimMode"] != "keyframe":
        near = abs(found - start) <= tick and abs(until - end) <= tick
        return [] if near else [f"{float(found)} to {float(until)} is told"]
    wrong = []
    if found > start + tick or until < end - tick:
        wrong.append(f"{float(found)} to {float(until)} is less than was wanted")
    if source.pictures:
        before = [s for s in source.syncs if s <= start + tick]
        if found != start and (not before or abs(found - max(before)) > tick):
            # An open group's sync sample is of no use for the frames that are shown before it.
            if found not in source.syncs and not (found == 0 and source.syncs[0] < 0):
                wrong.append(f"{float(found)} is no sync sample")
    return wrong


# The other's clock counts frames, which each make a part.
@pytest.mark.parametrize(
    "mode, name, count",
    [("editList", "video/mb_sar_2x1.mp4", 1000), ("smart", "video/ip_v3.mp4", 1000)],
)
def test_a_thousand_parts_are_the_whole(engine: Engine, mode: str, name: str, count: int) -> None:
    """Nothing is lost and nothing is twice between ranges that follow each other."""
    asset, values = engine.load(CORPUS / name, "duration", preferPreciseDurationAndTiming=True)
    duration = number(values["duration"]["value"])
    chance = random.Random(1000)
    cuts = [Fraction(n, 10**6) for n in chance.sample(range(1, int(duration * 10**6)), count - 1)]
    told = written = Fraction(0)
    try:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "part.mp4"
            edges = [Fraction(0), *sorted(cuts), duration]
            for start, end in zip(edges, edges[1:]):
                wanted = {"start": wire(start), "duration": wire(end - start)}
                try:
                    done = export(engine, asset, target, trimMode=mode, timeRange=wanted)
                except EngineError as error:
                    # Both ends at one tick of the clock: nothing lies between.
                    assert "shorter than a tick" in str(error)
                    continue
                told += number(done["timeRange"]["duration"])
                written += oracle.movie_duration(target)
                target.unlink()
    finally:
        engine.call("handle/close", handle=asset)
    assert told == duration
    assert written == duration
