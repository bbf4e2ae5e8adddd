"""Every frame at zero tolerance against `ffmpeg`'s linear decode, byte for byte.

Intended differences are listed, with their reasons, in docs/notes/images-compared-with-ffmpeg.md.
REELWIRE_SEED repeats a run; the seed of each is printed.
"""

from __future__ import annotations

import os
import random
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import pytest

import differences
import linear
import oracle
from engine import CORPUS, Engine, EngineError, files, name, number
from linear import RAW, lasts, picture_digest, video_of

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

SEED = os.environ.get("REELWIRE_SEED", str(random.randrange(1 << 32)))
# A single request may have to decode a whole group. This number of pixels is decoded for one order of one
# file; where that isn't enough for all of its frames, fewer frames are requested.
PIXELS = 100e6
LONG = CORPUS / "video" / "ax_long_1080p_lowbitrate.mp4"
EXACT: Dict[str, Any] = {
    "requestedTimeToleranceBefore": 0,
    "requestedTimeToleranceAfter": 0,
    "apertureMode": "encodedPixels",
    "dynamicRangePolicy": "matchSource",
}


class Shown(NamedTuple):
    """A frame of the linear decode."""

    # Its place in presentation order.
    place: int
    # In ticks, as the file states it.
    pts: int
    # The presentation time of the next one, or just after this one begins.
    end: int
    digest: str


def frames_of(path: Path) -> List[Shown]:
    """The linear decode of a file: the frames that are shown, and their ends."""
    # Of frames that share a time, the last one is shown.
    shown = {frame.pts: frame.digest for frame in linear.frames_of(path, FILES)}
    times = sorted(shown)
    ends = [*times[1:], times[-1] + 1] if times else []
    return [Shown(place, pts, end, shown[pts]) for place, (pts, end) in enumerate(zip(times, ends))]


EVERY = [path for path in files("video", "images") if video_of(path)]
FILES = [path for path in EVERY if lasts(path) < 20]


def windows_of(path: Path) -> bool:
    """True for a container of which a part can be indexed."""
    return oracle.facts(path)["format"]["format_name"].split(",")[0] in ("matroska", "mpegts")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    print(f"REELWIRE_SEED={SEED}")
    yield from started()


@pytest.fixture(scope="module")
def windowed() -> Iterator[Engine]:
    """An engine that indexes only the part of a file that a time needs, for files of any size."""
    yield from started("--always-index-windows")


def started(*arguments: str) -> Iterator[Engine]:
    with Engine(*arguments) as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []
        stats = engine.call("engine/stats")
        assert (stats["operations"], stats["leases"]) == (0, 0)


class Asked:
    """A file's generator, and the differences of its answers."""

    def __init__(self, engine: Engine, path: Path, isWhole: bool = True) -> None:
        self.engine = engine
        self.isWhole = isWhole
        self.stream = video_of(path) or {}
        self.base = Fraction(self.stream["time_base"])
        self.zero = oracle.origin(oracle.facts(path))
        self.format = RAW.get(self.stream["pix_fmt"], "yuv420p")
        self.asset = engine.call("asset/open", url=str(path))["asset"]
        created = engine.call("imageGenerator/create", asset=self.asset, **EXACT)
        self.generator = created["imageGenerator"]
        self.found: Dict[str, differences.Difference] = {}
        if self.stream["pix_fmt"] not in RAW:
            self.differ("conversion", "answered", self.format, self.stream["pix_fmt"])

    def close(self) -> None:
        self.engine.call("handle/close", handle=self.generator)
        self.engine.call("handle/close", handle=self.asset)

    def request(self) -> Dict[str, Any]:
        return {"imageGenerator": self.generator, "format": self.format, "delivery": "shm"}

    def time(self, ticks: int) -> Dict[str, int]:
        moment = ticks * self.base - self.zero
        return {"value": moment.numerator, "timescale": moment.denominator}

    def digest(self, image: Dict[str, Any]) -> str:
        """The MD5 of the pixels without padding; releases the bytes."""
        data = self.engine.read(image["blob"])
        pixel = {"rgb24": 3, "rgba": 4, "bgra": 4}.get(self.format, 1)
        digest = picture_digest(data, image, image["planes"], pixel)
        self.engine.notify("blob/release", leases=[image["blob"]["lease"]])
        return digest

    def differ(self, field: str, how: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            self.found.setdefault(field, (field, f"{ours} ({how})", theirs))

    def compare(self, frame: Shown, answer: Dict[str, Any], how: str) -> None:
        """Compares an answer's picture, and its properties."""
        how = f"{how}, frame {frame.place}"
        if "image" not in answer:
            self.differ("missing", how, answer["error"]["message"], None)
            return
        self.differ("picture", how, self.digest(answer["image"]), frame.digest)
        actual = number(answer["actualTime"])
        self.differ("actualTime", how, actual, frame.pts * self.base - self.zero)
        # Where a part of the file is indexed, samples aren't counted from its start.
        if self.isWhole or "sampleIndex" in answer:
            self.differ("sampleIndex", how, answer.get("sampleIndex"), frame.place)
        self.differ("isExact", how, answer["isExact"], True)

    def one(self, frame: Shown, ticks: int, how: str) -> None:
        """One frame by a request of its own."""
        try:
            answer = self.engine.call(
                "imageGenerator/generateImage", time=self.time(ticks), **self.request()
            )
        except EngineError as error:
            answer = {"error": {"message": str(error)}}
        self.compare(frame, answer, f"{how}, at {ticks}")

    def series(self, wanted: List[Tuple[Shown, int]], how: str) -> None:
        """Frames by one request, each of which gets one answer."""
        times = [self.time(ticks) for _, ticks in wanted]
        self.engine.call("imageGenerator/generateImages", times=times, **self.request())
        answered = [0] * len(wanted)
        while True:
            message = self.engine.notification()
            answer = message["params"]
            if message["method"] == "imageGenerator/didFinish":
                break
            answered[answer["index"]] += 1
            frame, ticks = wanted[answer["index"]]
            self.compare(frame, answer, f"{how}, at {ticks}")
        assert answered == [1] * len(wanted)


def affordable(path: Path, asked: Asked, frames: List[Shown]) -> List[Shown]:
    """Frames that single requests may request: all, or some from everywhere."""
    packets = oracle.packets(path).get(asked.stream["index"], [])
    keys = max(1, sum("K" in packet["flags"] for packet in packets))
    pixels = asked.stream["width"] * asked.stream["height"]
    count = int(PIXELS / (pixels * max(1.0, len(frames) / keys / 2))) + 3
    if count >= len(frames):
        return frames
    step = (len(frames) - 1) / (count - 1)
    return [frames[round(n * step)] for n in range(count)]


@pytest.mark.parametrize("path", FILES, ids=name)
def test_every_frame_is_that_of_the_linear_decode(engine: Engine, path: Path) -> None:
    frames = frames_of(path)
    chance = random.Random(f"{SEED} {name(path)}")
    asked = Asked(engine, path)
    try:
        # All of them at once, each at any moment at which it is shown.
        everything = [(frame, chance.randrange(frame.pts, frame.end)) for frame in frames]
        chance.shuffle(everything)
        asked.series(everything, "at once")
        some = affordable(path, asked, frames)
        for frame in some:
            asked.one(frame, frame.pts, "forwards")
        for frame in reversed(some):
            asked.one(frame, frame.end - 1, "backwards")
        for frame in chance.sample(some, len(some)):
            asked.one(frame, chance.randrange(frame.pts, frame.end), "in random order")
    finally:
        asked.close()
    print(f"{len(frames)} frames, {len(some)} one by one, REELWIRE_SEED={SEED}")
    differences.check(path, list(asked.found.values()), rows=differences.IMAGE_ROWS)


@pytest.mark.parametrize("path", [path for path in FILES if windows_of(path)], ids=name)
def test_windows_of_the_index_give_the_same_frames(windowed: Engine, path: Path) -> None:
    frames = frames_of(path)
    chance = random.Random(f"{SEED} {name(path)}")
    asked = Asked(windowed, path, isWhole=False)
    try:
        some = affordable(path, asked, frames)
        for frame in chance.sample(some, len(some)):
            asked.one(frame, chance.randrange(frame.pts, frame.end), "in random order")
        asked.close()
        asked = Asked(windowed, path, isWhole=False)
        everything = [(frame, chance.randrange(frame.pts, frame.end)) for frame in frames]
        asked.series(chance.sample(everything, len(everything)), "at once")
    finally:
        asked.close()
    differences.check(path, list(asked.found.values()), rows=differences.IMAGE_ROWS)


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_the_first_frame_needs_no_time(engine: Engine, path: Path) -> None:
    decoded = linear.decode(path, 4)
    assert decoded
    first = min(frame.pts for frame in decoded)
    digest = [frame.digest for frame in decoded if frame.pts == first][-1]
    asked = Asked(engine, path)
    try:
        answer = engine.call("imageGenerator/generateImage", **asked.request())
        asked.compare(Shown(0, first, first + 1, digest), answer, "without a time")
        assert answer["requestedTime"] == answer["actualTime"]
    finally:
        asked.close()
    # A listed difference of a file may appear in later frames only.
    found, _ = differences.unlisted_and_gone(
        path, list(asked.found.values()), rows=differences.IMAGE_ROWS
    )
    assert found == []


def test_every_pattern_of_the_table_names_a_file() -> None:
    for row in differences.IMAGE_ROWS:
        for pattern in row.patterns:
            alone = row._replace(patterns=[pattern])
            assert any(alone.covers(path) for path in FILES), pattern


@pytest.mark.parametrize("way", ["cancelAll", "close"])
def test_five_hundred_images_cancelled_halfway(engine: Engine, way: str) -> None:
    if not LONG.exists():
        pytest.skip("no long clip")
    asset = engine.call("asset/open", url=str(LONG))["asset"]
    generator = engine.call("imageGenerator/create", asset=asset, **EXACT)["imageGenerator"]
    engine.call(
        "imageGenerator/generateImages",
        imageGenerator=generator,
        times=[{"value": 7 * n, "timescale": 10} for n in range(500)],
        format="gray",
        delivery="shm",
    )
    results: Dict[int, List[str]] = {index: [] for index in range(500)}
    finished: Optional[Dict[str, Any]] = None
    stopping: Optional[int] = None
    while finished is None:
        message = engine.notification()
        params = message["params"]
        if message["method"] == "imageGenerator/didFinish":
            finished = params
            break
        results[params["index"]].append(params["result"])
        if "image" in params:
            engine.notify("blob/release", leases=[params["image"]["blob"]["lease"]])
        if stopping is None and sum(map(len, results.values())) == 20:
            if way == "close":
                stopping = engine.send("handle/close", handle=generator)
            else:
                stopping = engine.send("imageGenerator/cancelAll", imageGenerator=generator)
    assert stopping is not None
    engine.result(stopping)
    assert all(len(several) == 1 for several in results.values())
    outcomes = [several[0] for several in results.values()]
    assert set(outcomes) == {"succeeded", "cancelled"}
    assert outcomes.count("cancelled") > 250
    for outcome in ("succeeded", "failed", "cancelled"):
        assert finished[outcome] == outcomes.count(outcome)
    if way == "cancelAll":
        # It can be used again.
        image = engine.call(
            "imageGenerator/generateImage", imageGenerator=generator, time=100, format="gray"
        )
        assert image["isExact"]
        engine.call("handle/close", handle=generator)
    engine.call("handle/close", handle=asset)
