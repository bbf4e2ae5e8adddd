"""Images, readers and exports of a video composition show the same, for any requests in any order.

The timelines are random, over files of the corpus; each is made of its number alone, which is its name here.
REELWIRE_TIMELINES is their number, REELWIRE_FIRST_TIMELINE the first.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import pytest

import oracle
from engine import CORPUS, Engine, EngineError, number
from timelines import Maker, Source, Timeline, sources, span, wire

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

FIRST = int(os.environ.get("REELWIRE_FIRST_TIMELINE", "0"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("REELWIRE_TIMELINES", "6")))
TIMES = 10


class Picture(NamedTuple):
    start: Fraction
    digest: str


@pytest.fixture(scope="module")
def videos(engine: Engine) -> List[Source]:
    return sources(engine, "video")


def digest(engine: Engine, blob: Dict[str, Any]) -> str:
    return hashlib.md5(engine.read(blob)).hexdigest()


def read(
    engine: Engine, asset: str, timeRange: Optional[Dict[str, Any]] = None, pixels: str = "rgb24"
) -> List[Picture]:
    output = {"type": "videoComposition", "settings": {"pixelFormat": pixels}}
    more = {} if timeRange is None else {"timeRange": timeRange}
    with engine.reader(asset, output, **more) as (_, (pictures,)):
        return [
            Picture(number(made["presentationTime"]), digest(engine, made["blob"]))
            for made in engine.pull(pictures)
        ]


class Images:
    """A generator of exact images."""

    def __init__(self, engine: Engine, asset: str) -> None:
        self.engine = engine
        self.generator = engine.call(
            "imageGenerator/create",
            asset=asset,
            requestedTimeToleranceBefore=0,
            requestedTimeToleranceAfter=0,
            dynamicRangePolicy="matchSource",
        )["imageGenerator"]

    def at(self, time: Fraction) -> Picture:
        made = self.engine.call(
            "imageGenerator/generateImage",
            imageGenerator=self.generator,
            time=wire(time),
            format="rgb24",
            delivery="shm",
        )
        blob = made["image"]["blob"]
        picture = Picture(number(made["actualTime"]), digest(self.engine, blob))
        self.engine.call("blob/release", leases=[blob["lease"]])
        return picture

    def close(self) -> None:
        self.engine.call("handle/close", handle=self.generator)


def shown(pictures: List[Picture], start: Fraction, end: Fraction) -> List[Picture]:
    """Those of which something is seen in a range."""
    ends = [each.start for each in pictures[1:]] + [end]
    return [p for p, after in zip(pictures, ends) if p.start < end and after > start]


def whole(engine: Engine, made: Dict[str, Any]) -> str:
    """The digest of all samples of a picture of 8 bits, without the padding of its rows."""
    image, data = made["image"], engine.read(made["blob"])
    digest = hashlib.md5()
    for position, plane in enumerate(image["planes"]):
        width = image["width"]
        if position and plane["height"] < image["height"] or "422" in image["pixelFormat"]:
            width = -(-width // 2) if position else width
        for row in range(plane["height"]):
            start = plane["offset"] + row * plane["bytesPerRow"]
            digest.update(data[start : start + width])
    return digest.hexdigest()


@pytest.mark.parametrize("seed", SEEDS)
def test_an_export_has_the_pictures_of_a_reader(
    seed: int, engine: Engine, videos: List[Source], tmp_path: Path
) -> None:
    maker = Maker(seed, videos)
    timeline = maker.pictures(evenSize=True)
    print(json.dumps(timeline.document))
    composition = engine.call("composition/create", timeline=timeline.document)["composition"]
    try:
        start, end = sorted(maker.time(timeline) for _ in range(2))
        for number_, range_ in enumerate([None, (start, end)]):
            if range_ is None or end - start > Fraction(1, 100):
                export(engine, composition, range_, tmp_path / f"{number_}.mov")
    finally:
        engine.call("handle/close", handle=composition)


def export(
    engine: Engine, composition: str, range_: Optional[Tuple[Fraction, Fraction]], path: Path
) -> None:
    timeRange = {} if range_ is None else {"timeRange": span(*range_)}
    session = engine.call(
        "exportSession/create",
        asset=composition,
        outputURL=str(path),
        # Without loss.
        settings={"video": {"codec": "h264", "rateFactor": 0}},
        **timeRange,
    )["exportSession"]
    ended = engine.call("exportSession/export", exportSession=session, completion="response")
    engine.call("handle/close", handle=session)
    if ended["status"] != "completed":
        assert ended["error"]["data"]["name"] in REFUSALS, ended
        return
    (stream,) = oracle.facts(path)["streams"]
    pixels = stream["pix_fmt"].replace("yuvj", "yuv")
    if "10" in pixels:
        # There it has losses.
        return
    decoded = ["ffmpeg", "-v", "error", "-i", str(path), "-fps_mode", "passthrough"]
    decoded += ["-enc_time_base", "-1", "-f", "framemd5", "-"]
    lines = subprocess.run(decoded, check=True, capture_output=True, text=True).stdout.splitlines()
    found = [line.split(",")[5].strip() for line in lines if not line.startswith("#")]
    output = {"type": "videoComposition", "settings": {"pixelFormat": pixels}}
    with engine.reader(composition, output, **timeRange) as (_, (pictures,)):
        read = [(number(m["presentationTime"]), whole(engine, m)) for m in engine.pull(pictures)]
    base = Fraction(stream["time_base"])
    times = sorted(p["pts"] * base for p in oracle.packets(path)[stream["index"]])
    origin = range_[0] if range_ else Fraction(0)
    expected = [max(Fraction(0), time - origin) for time, _ in read]
    # The frame that is held at the end is there twice.
    if len(found) == len(read) + 1 and found[-1] == found[-2]:
        del found[-1], times[-1]
    assert len(found) == len(read)
    assert all(abs(time - wanted) <= base for time, wanted in zip(times, expected))
    assert found == [digest for _, digest in read]
    seconds = Fraction(stream["duration"])
    length = range_[1] - range_[0] if range_ else None
    assert length is None or abs(seconds - length) <= max(base, Fraction(1, 1000)), seconds


@pytest.mark.parametrize("seed", SEEDS)
def test_images_readers_and_ranges_agree(seed: int, engine: Engine, videos: List[Source]) -> None:
    maker = Maker(seed, videos)
    timeline = maker.pictures()
    print(json.dumps(timeline.document))
    composition = engine.call("composition/create", timeline=timeline.document)["composition"]
    try:
        agree(engine, composition, timeline, maker)
    finally:
        engine.call("handle/close", handle=composition)


def agree(engine: Engine, composition: str, timeline: Timeline, maker: Maker) -> None:
    try:
        pictures = read(engine, composition)
    except EngineError as error:
        # Of sources that can't be put together.
        assert error.data["name"] in REFUSALS and error.data["hint"], error
        return
    times = [picture.start for picture in pictures]
    assert times == sorted(set(times)) and times[0] == 0 and times[-1] < timeline.length
    wanted = [maker.time(timeline) for _ in range(TIMES)]
    generator = Images(engine, composition)
    for order in (wanted, sorted(wanted), sorted(wanted, reverse=True)):
        for time in order:
            expected = [picture for picture in pictures if picture.start <= time][-1]
            assert generator.at(time) == expected, f"image at {time}"
    generator.close()
    for _ in range(4):
        start, end = sorted(maker.time(timeline) for _ in range(2))
        if start < end:
            part = read(engine, composition, span(start, end))
            assert part == shown(pictures, start, end), f"{start} to {end}"


# Standard range can't be made high, and there is no decoder for a few.
REFUSALS = {"operationNotSupportedForAsset"}
