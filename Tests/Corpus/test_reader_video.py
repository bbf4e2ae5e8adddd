"""Decoded video in presentation order against `ffmpeg -f framemd5`: count, times and pixels.

Video of 8 bits in 4:2:0, which nothing converts. Intended differences are listed, with their reasons, in
docs/notes/samples-compared-with-ffmpeg.md.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Dict

import pytest

import differences
import linear
import oracle
from engine import CORPUS, Engine, files, name, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

FILES = [
    path
    for path in files("video", "images")
    if (linear.video_of(path) or {}).get("pix_fmt") in ("yuv420p", "yuvj420p")
]


@pytest.mark.parametrize("path", FILES, ids=name)
def test_decoded_video_is_that_of_ffmpeg(engine: Engine, path: Path) -> None:
    stream = linear.video_of(path)
    assert stream
    base, zero = Fraction(stream["time_base"]), oracle.origin(oracle.facts(path))
    asset, values = engine.load(path, "tracks")
    found: Dict[str, differences.Difference] = {}
    count = 0
    try:
        tracks, probed = values["tracks"]["value"], oracle.facts(path)
        (track,) = [t for t in tracks if oracle.stream_of(t, tracks, probed) == stream]
        wanted = {"trackID": track["trackID"], "settings": {"pixelFormat": "yuv420p"}}
        theirs = linear.frames_of(path, FILES)
        isWhole = linear.lasts(path) < 20
        with engine.reader(asset, wanted) as (_, outputs):
            buffers = engine.pull(outputs[0])
            for buffer in buffers if isWhole else islice(buffers, len(theirs)):
                if count < len(theirs):
                    other = theirs[count]
                    layout = buffer["image"]
                    data = engine.read(buffer["blob"])
                    digest = linear.picture_digest(data, layout, layout["planes"])
                    start, expected = number(buffer["presentationTime"]), other.pts * base - zero
                    if start != expected:
                        found.setdefault("time", ("decoded time", f"{start} at {count}", expected))
                    if digest != other.digest:
                        told = f"{digest} at {count}"
                        found.setdefault("picture", ("decoded picture", told, other.digest))
                count += 1
        if count != len(theirs):
            found["count"] = ("decoded count", count, len(theirs))
    finally:
        engine.call("handle/close", handle=asset)
    print(f"{count} frames")
    differences.check(path, list(found.values()), "decoded ", differences.READER_ROWS)
