"""Samples as stored, of every track, against `ffprobe -show_packets -show_data_hash md5`.

Intended differences are listed, with their reasons, in docs/notes/samples-compared-with-ffmpeg.md.
"""

from __future__ import annotations

import base64
import hashlib
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Set

import pytest

import differences
import oracle
from engine import CORPUS, ORDINARY, Engine, EngineError, name, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")


class Sample(NamedTuple):
    """Times on the asset's clock in seconds; None where ffprobe doesn't report one."""

    pts: Optional[Fraction]
    dts: Optional[Fraction]
    duration: Optional[Fraction]
    isSync: bool
    isDiscarded: bool
    size: int
    digest: str


def time(value: Any) -> Optional[Fraction]:
    return number(value) if isinstance(value, dict) else None


def samples_of(engine: Engine, output: str) -> List[Sample]:
    result = []
    for buffer in engine.pull(output):
        data = engine.read(buffer["blob"]) if "blob" in buffer else b""
        attachments = buffer["attachments"]
        assert buffer["numSamples"] == 1
        assert bool(result) or "format" in buffer
        result.append(
            Sample(
                pts=time(buffer["presentationTime"]),
                dts=time(buffer.get("decodeTime")),
                duration=time(buffer["duration"]),
                isSync=not attachments.get("notSync", False),
                isDiscarded=attachments.get("doNotDisplay", False),
                size=len(data),
                digest=hashlib.md5(data).hexdigest(),
            )
        )
    return result


def packets_of(path: Path, stream: Dict[str, Any], zero: Fraction) -> List[Sample]:
    base = Fraction(stream["time_base"])

    def moment(ticks: Optional[int]) -> Optional[Fraction]:
        return None if ticks is None else ticks * base - zero

    return [
        Sample(
            pts=moment(packet.get("pts")),
            dts=moment(packet.get("dts")),
            duration=packet["duration"] * base if "duration" in packet else None,
            isSync="K" in packet["flags"],
            isDiscarded="D" in packet["flags"],
            size=int(packet["size"]),
            digest=packet["data_hash"].partition(":")[2],
        )
        for packet in oracle.packets(path).get(stream["index"], [])
    ]


def compare(kind: str, ours: List[Sample], theirs: List[Sample]) -> List[differences.Difference]:
    """The first difference of each field, among the fields that ffprobe reports."""
    found: Dict[str, differences.Difference] = {}
    if len(ours) != len(theirs):
        found["count"] = ("count", len(ours), len(theirs))
    for place, (mine, other) in enumerate(zip(ours, theirs)):
        for field, a, b in zip(Sample._fields, mine, other):
            if b is not None and a != b:
                found.setdefault(field, (field, f"{a} at {place}", b))
    return [(f"stored {kind} {field}", a, b) for field, a, b in found.values()]


def artwork_of(engine: Engine, asset: str) -> Set[str]:
    """The digests of all bytes among the metadata."""
    items = engine.call("asset/metadata", asset=asset)["metadata"]
    values = [item["value"] for item in items if isinstance(item["value"], dict)]
    return {
        hashlib.md5(base64.b64decode(value["blob"]["data"])).hexdigest()
        for value in values
        if "blob" in value
    }


@pytest.mark.parametrize("path", ORDINARY, ids=name)
def test_stored_samples_are_the_packets_of_ffprobe(engine: Engine, path: Path) -> None:
    probed = oracle.facts(path)
    zero = oracle.origin(probed)
    asset, values = engine.load(path, "tracks")
    found: List[differences.Difference] = []
    try:
        tracks = values["tracks"]["value"]
        streams = [oracle.stream_of(track, tracks, probed) for track in tracks]
        if tracks:
            wanted = [{"trackID": track["trackID"]} for track in tracks]
            with engine.reader(asset, *wanted) as (reader, outputs):
                end = "completed"
                for track, stream, output in zip(tracks, streams, outputs):
                    try:
                        ours = samples_of(engine, output)
                    except EngineError as error:
                        found.append(("stored error", error.data["name"], None))
                        end = "failed"
                        continue
                    found += compare(track["mediaType"], ours, packets_of(path, stream, zero))
                status = engine.call("assetReader/status", assetReader=reader)
                assert status["status"] == end
        for stream in probed["streams"]:
            if stream in streams:
                continue
            if stream["disposition"]["attached_pic"]:
                # Artwork is metadata; it has the same bytes.
                digests = {sample.digest for sample in packets_of(path, stream, zero)}
                if not digests <= artwork_of(engine, asset):
                    found.append(("stored artwork digest", None, digests))
            else:
                found.append(("stored track", None, stream.get("codec_name")))
    finally:
        engine.call("handle/close", handle=asset)
    differences.check(path, found, "stored ", differences.READER_ROWS)


def test_every_pattern_of_the_table_names_a_file() -> None:
    for row in differences.READER_ROWS:
        for pattern in row.patterns:
            alone = row._replace(patterns=[pattern])
            assert any(alone.covers(path) for path in ORDINARY), pattern
