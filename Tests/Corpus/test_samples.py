"""The index of every track against `ffprobe -show_packets`, packet for packet.

Intended differences are listed, with their reasons, in docs/notes/assets-compared-with-ffprobe.md.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

import pytest

import differences
import oracle
from engine import CORPUS, ORDINARY, Engine, EngineError, name, number

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")


class Sample(NamedTuple):
    """Times on the asset's clock in seconds; None where the file doesn't state one."""

    pts: Optional[Fraction]
    dts: Optional[Fraction]
    duration: Optional[Fraction]
    size: int
    position: Optional[int]
    isSync: bool
    isDiscarded: bool


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


def samples_of(engine: Engine, asset: str, trackID: int) -> List[Sample]:
    """All samples of a track in decode order: the only place that knows the methods' form."""
    try:
        created = engine.call(
            "sampleCursor/create", asset=asset, trackID=trackID, position="first"
        )
    except EngineError as error:
        # As with AVFoundation there is no cursor where there is no sample.
        assert error.data["name"] == "invalidSampleCursor"
        return []
    cursor = created["sampleCursor"]
    result: List[Sample] = []
    isAtEnd = False
    while not isAtEnd:
        answer = engine.call("sampleCursor/samples", sampleCursor=cursor, maxCount=4096)
        isAtEnd = answer["endOfTrack"]
        assert isAtEnd or answer["samples"]
        for sample in answer["samples"]:
            isInferred = sample.get("presentationTimeInferred", False)
            isDerived = sample.get("durationInferred", False)
            result.append(
                Sample(
                    pts=None if isInferred else time(sample["presentationTime"]),
                    dts=time(sample.get("decodeTime")),
                    duration=None if isDerived else time(sample["duration"]),
                    size=sample["size"],
                    position=sample.get("packetPosition"),
                    isSync=sample["syncInfo"]["isFullSync"],
                    isDiscarded=sample.get("isDiscarded", False),
                )
            )
    engine.call("handle/close", handle=cursor)
    return result


def time(value: Any) -> Optional[Fraction]:
    return number(value) if isinstance(value, dict) else None


def packets_of(path: Path, stream: Dict[str, Any], zero: Fraction) -> List[Sample]:
    base = Fraction(stream["time_base"])

    def moment(ticks: Optional[int]) -> Optional[Fraction]:
        return None if ticks is None else ticks * base - zero

    return [
        Sample(
            pts=moment(packet.get("pts")),
            dts=moment(packet.get("dts")),
            duration=packet["duration"] * base if "duration" in packet else None,
            size=int(packet["size"]),
            position=int(packet["pos"]) if "pos" in packet else None,
            isSync="K" in packet["flags"],
            isDiscarded="D" in packet["flags"],
        )
        for packet in oracle.packets(path).get(stream["index"], [])
    ]


def compare(kind: str, ours: List[Sample], theirs: List[Sample]) -> List[differences.Difference]:
    """The first difference of each field."""
    found: Dict[str, differences.Difference] = {}
    if len(ours) != len(theirs):
        found["count"] = ("count", len(ours), len(theirs))
    for place, (mine, other) in enumerate(zip(ours, theirs)):
        for field, a, b in zip(Sample._fields, mine, other):
            # ffprobe doesn't print a duration of 0.
            if a != b and not (field == "duration" and not a and not b):
                found.setdefault(field, (field, f"{a} at {place}", b))
    return [(f"sample {kind} {field}", a, b) for field, a, b in found.values()]


@pytest.mark.parametrize("path", ORDINARY, ids=name)
def test_samples_are_the_packets_of_ffprobe(engine: Engine, path: Path) -> None:
    probed = oracle.facts(path)
    zero = oracle.origin(probed)
    asset, values = engine.load(path, "tracks")
    found: List[differences.Difference] = []
    try:
        tracks = values["tracks"]["value"]
        for track in tracks:
            stream = oracle.stream_of(track, tracks, probed)
            ours = samples_of(engine, asset, track["trackID"])
            theirs = packets_of(path, stream, zero)
            found += compare(track["mediaType"], ours, theirs)
    finally:
        engine.call("handle/close", handle=asset)
    differences.check(path, found, "sample ")
