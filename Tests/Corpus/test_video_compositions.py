"""A video composition with the properties of a file shows the same as the file.

Upright pictures of square pixels are the frames as they are. Of the others the images are computed in another
order, and are to be alike; and of files that can't be read the errors have names and hints.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Tuple, Union

import numpy
import pytest

import linear
from engine import CORPUS, Engine, EngineError, files, name, number
from timelines import NOT_REPEATABLE, wire

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

EXACT = {
    "requestedTimeToleranceBefore": 0,
    "requestedTimeToleranceAfter": 0,
    "dynamicRangePolicy": "matchSource",
    "appliesPreferredTrackTransform": True,
}
Image = Tuple["numpy.ndarray[Any, Any]", Fraction]


def image(engine: Engine, generator: str, time: Fraction) -> Union[Image, str]:
    """An image and its time, or the name of the error."""
    try:
        made = engine.call(
            "imageGenerator/generateImage",
            imageGenerator=generator,
            time=wire(time),
            format="rgb24",
            delivery="shm",
        )
    except EngineError as error:
        assert error.data["name"] != "internalError" and error.data["hint"], error
        return str(error.data["name"])
    picture, blob = made["image"], made["image"]["blob"]
    data = numpy.frombuffer(bytes(engine.read(blob)), numpy.uint8)
    engine.call("blob/release", leases=[blob["lease"]])
    (plane,) = picture["planes"]
    width, height = picture["width"], picture["height"]
    rows = [
        data[plane["offset"] + row * plane["bytesPerRow"] :][: width * 3] for row in range(height)
    ]
    return numpy.stack(rows).reshape(height, width, 3), number(made["actualTime"])


@pytest.mark.parametrize("path", files("video", "images", "hostile"), ids=name)
def test_the_file_is_shown(path: Path, engine: Engine) -> None:
    try:
        asset, values = engine.load(path, "tracks")
    except EngineError as error:
        assert error.data["hint"]
        return
    try:
        tracks = [t for t in values["tracks"].get("value", []) if t["mediaType"] == "video"]
        if len(tracks) == 1:
            compare(engine, asset, tracks[0]["trackID"], path)
    finally:
        engine.call("handle/close", handle=asset)


def compare(engine: Engine, asset: str, trackID: int, path: Path) -> None:
    try:
        composition = engine.call("videoComposition/withPropertiesOf", asset=asset)[
            "videoComposition"
        ]
        own = engine.call("imageGenerator/create", asset=asset, **EXACT)["imageGenerator"]
    except EngineError as error:
        assert error.data["name"] != "internalError" and error.data["hint"], error
        return
    generators = [own]
    try:
        generators.append(
            engine.call(
                "imageGenerator/create", asset=asset, videoComposition=composition, **EXACT
            )["imageGenerator"]
        )
        keys = ["timeRange", "preferredTransform"]
        loaded = engine.call(
            "track/loadValues", asset=asset, trackID=trackID, keys=keys, completion="response"
        )["values"]
        range_ = loaded["timeRange"].get("value")
        if not range_:
            return
        start, length = number(range_["start"]), number(range_["duration"])
        isUpright = loaded["preferredTransform"]["value"][:4] == [1, 0, 0, 1]
        for part in (Fraction(1, 100), Fraction(1, 2), Fraction(97, 100)):
            time = Fraction(int((start + length * part) * 90000), 90000)
            mine, theirs = (image(engine, each, time) for each in generators)
            if isinstance(mine, str) or isinstance(theirs, str):
                # The background is visible where the file shows nothing.
                continue
            if path.parent.name == "hostile" or path.name in NOT_REPEATABLE:
                continue
            check(mine, theirs, path, isUpright)
    except EngineError as error:
        assert error.data["name"] != "internalError" and error.data["hint"], error
    finally:
        for generator in generators:
            engine.call("handle/close", handle=generator)


def check(mine: Image, theirs: Image, path: Path, isUpright: bool) -> None:
    stream = linear.video_of(path) or {}
    pixels = stream.get("pix_fmt", "")
    if any(known in pixels for known in ("a", "pal8")) and "gray" not in pixels:
        # Transparent pixels show the background.
        return
    if stream.get("tags", {}).get("alpha_mode") == "1":
        # As above: VP8 and VP9 store transparency in addition to a stream of yuv420p.
        return
    difference = abs(mine[0].astype(int) - theirs[0])
    isSquare = stream.get("sample_aspect_ratio", "1:1") in ("1:1", "0:1", "N/A")
    # The composition of a photo has a video's range, with fewer levels than the photo's.
    levels = 2 if path.parent.name == "images" else 0
    if isUpright and isSquare:
        assert mine[1] == theirs[1]
        assert difference.max() <= levels, difference.max()
    else:
        assert difference.mean() < (1 if levels else 0.5), difference.mean()
