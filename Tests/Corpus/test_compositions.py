"""Parts of each file in a composition: they show the same as the file, and all of it exports.

The file's own images and audio are compared with ffmpeg's in test_images.py and test_decoded_audio.py.
"""

from __future__ import annotations

import base64
import hashlib
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Union

import pytest

import oracle
from engine import CORPUS, Engine, EngineError, files, name, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

FILES = files("video", "audio")
EXACT: Dict[str, Any] = {
    "requestedTimeToleranceBefore": 0,
    "requestedTimeToleranceAfter": 0,
    "dynamicRangePolicy": "matchSource",
}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


def wire(time: Fraction) -> Dict[str, int]:
    return {"value": time.numerator, "timescale": time.denominator}


def time_range(start: Fraction, duration: Fraction) -> Dict[str, Any]:
    return {"start": wire(start), "duration": wire(duration)}


def image(engine: Engine, generator: str, time: Fraction) -> Optional[str]:
    """The digest of an image, or the name of the error."""
    try:
        made = engine.call(
            "imageGenerator/generateImage",
            imageGenerator=generator,
            time=wire(time),
            format="rgb24",
            delivery={"kind": "inline"},
        )
    except EngineError as error:
        return str(error.data["name"])
    size = (made["image"]["width"], made["image"]["height"])
    return f"{size} {hashlib.sha256(made['image']['blob']['data'].encode()).hexdigest()}"


def audio(engine: Engine, asset: str, span: Dict[str, Any]) -> Union[bytes, str]:
    """The samples, as two channels of 32-bit floats at 48 kHz, or the name of the error."""
    try:
        return samples(engine, asset, span)
    except EngineError as error:
        return str(error.data["name"])


def samples(engine: Engine, asset: str, span: Dict[str, Any]) -> bytes:
    reader = engine.call(
        "assetReader/create",
        asset=asset,
        timeRange=span,
        outputs=[
            {
                "type": "track",
                "mediaType": "audio",
                "settings": {"sampleFormat": "f32", "sampleRate": 48000, "channels": 2},
            }
        ],
    )
    engine.call("assetReader/start", assetReader=reader["assetReader"])
    taken: List[bytes] = []
    while True:
        got = engine.call(
            "assetReader/nextSampleBuffers", output=reader["outputs"][0], maxCount=64
        )
        taken += [base64.b64decode(each["blob"]["data"]) for each in got["sampleBuffers"]]
        if got["endOfStream"]:
            break
    engine.call("handle/close", handle=reader["assetReader"])
    return b"".join(taken)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_parts_show_what_the_file_shows(path: Path, engine: Engine, tmp_path: Path) -> None:
    asset = engine.call("asset/open", url=str(path))["asset"]
    composition = engine.call("composition/create")["composition"]
    try:
        check(engine, asset, composition, path, tmp_path)
    finally:
        for handle in (composition, asset):
            engine.call("handle/close", handle=handle)


def check(engine: Engine, asset: str, composition: str, path: Path, folder: Path) -> None:
    half = Fraction(1, 2)
    try:
        whole = engine.call("composition/insertTimeRange", composition=composition, asset=asset)
    except EngineError as error:
        # A file that can't be opened or has no track can't be shown either.
        assert error.data["name"] != "internalError", error
        assert error.data["hint"]
        return
    length = number(whole["duration"])
    if length is None or length < 1:
        pytest.skip("shorter than a second")
    middle = Fraction(int(length * 500), 1000)
    start = max(Fraction(0), middle - Fraction(1, 3))
    engine.call(
        "composition/insertTimeRange",
        composition=composition,
        asset=asset,
        at=wire(Fraction(0)),
        timeRange=time_range(start, half),
    )
    tracks = engine.call("asset/tracks", asset=composition)["tracks"]
    kinds = {track["mediaType"] for track in tracks if track["isDecodable"]}
    if "video" in kinds:
        own = engine.call("imageGenerator/create", asset=asset, **EXACT)["imageGenerator"]
        its = engine.call("imageGenerator/create", asset=composition, **EXACT)["imageGenerator"]
        for offset in (Fraction(1, 100), Fraction(1, 4), Fraction(49, 100)):
            wanted = image(engine, own, start + offset)
            assert image(engine, its, offset) == wanted, offset
            # The same, after the inserted part.
            assert image(engine, its, half + start + offset) == wanted, offset
        for generator in (own, its):
            engine.call("handle/close", handle=generator)
    if "audio" in kinds:
        both = audio(engine, composition, time_range(Fraction(0), half))
        if isinstance(both, str):
            # A file whose samples can't be read.
            assert audio(engine, asset, time_range(start, half)) == both
            return
        assert len(both) in (0, 24000 * 8), len(both)
    target = folder / "out.mkv"
    session = engine.call(
        "exportSession/create",
        asset=composition,
        outputURL=str(target),
        settings={"video": {"codec": "h264", "width": 64, "height": 36}, "audio": {"codec": "pcm"}},
        timeRange=time_range(Fraction(0), Fraction(1)),
    )["exportSession"]
    ended = engine.call(
        "exportSession/export", exportSession=session, completion="response"
    )
    engine.call("handle/close", handle=session)
    if ended["status"] != "completed":
        assert ended["error"]["data"]["hint"]
        assert not target.exists()
        return
    facts = oracle.facts(target)
    assert abs(float(facts["format"]["duration"]) - 1) < 0.1
