"""Every ordinary file through a preset that encodes, and ffprobe's reading of the result.

The frames must be those of the source, each at its time; the audio must begin and last as the source's does;
all of it must decode.
"""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple

import pytest

from engine import ORDINARY, Engine, name, number
from oracle import delay, facts, media_streams, origin

# Larger or longer ones would take minutes on two cores; the others have all their codecs.
MOST_BYTES = 3_000_000
MOST_SECONDS = 30
# A gap in the audio that is shorter than this is the container's rounding.
LEAST_PAUSE = Fraction(1, 10)

FILES = [path for path in ORDINARY if path.stat().st_size <= MOST_BYTES]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


def frame_times(path: Path, stream: int) -> List[Fraction]:
    output = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", "-select_streams", str(stream), "-show_entries",
         "frame=best_effort_timestamp:stream=time_base", "file:" + str(path)],
        capture_output=True, check=False,
    )  # fmt: skip
    found = json.loads(output.stdout)
    base = Fraction(found["streams"][0]["time_base"])
    times = [frame.get("best_effort_timestamp") for frame in found.get("frames", [])]
    return sorted((time - delay(path)) * base for time in times if time is not None)


class Sound(NamedTuple):
    """The decoded audio of a track: its duration, and the end of its last sample."""

    length: Fraction
    end: Fraction
    hasPauses: bool


def sound_of(path: Path, stream: int) -> Sound:
    """By the frames of a linear decode, which has the start and the duration of each."""
    listing = subprocess.run(
        ["ffmpeg", "-v", "quiet", "-i", "file:" + str(path), "-map", f"0:{stream}",
         "-f", "framemd5", "-"],
        capture_output=True, check=False, text=True,
    ).stdout.splitlines()  # fmt: skip
    base = next((line.split(":")[1] for line in listing if line.startswith("#tb 0:")), "1").strip()
    rows = [line.split(",") for line in listing if line and not line.startswith("#")]
    spans = [(int(row[2]) * Fraction(base), int(row[3]) * Fraction(base)) for row in rows]
    length = sum((duration for _, duration in spans), Fraction(0))
    if not spans:
        return Sound(length, length, False)
    end = spans[-1][0] + spans[-1][1]
    return Sound(length, end, end - spans[0][0] - length > LEAST_PAUSE)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_an_encoded_file_has_the_frames_of_its_source(
    engine: Engine, path: Path, tmp_path: Path
) -> None:
    probed = facts(path)
    sources = media_streams(probed.get("streams", []))
    if not sources or float(probed["format"].get("duration", 0)) > MOST_SECONDS:
        pytest.skip("nothing to encode, or too long")
    target = tmp_path / "out.mp4"
    asset = engine.call("asset/open", url=str(path))["asset"]
    presets = engine.call("exportSession/compatiblePresets", asset=asset, outputFileType="mp4")
    if "LowQuality" not in presets["presets"]:
        pytest.skip("no preset suits it")
    made = engine.call(
        "exportSession/create", asset=asset, preset="LowQuality", outputURL=str(target)
    )
    result = engine.call(
        "exportSession/export", exportSession=made["exportSession"], completion="response",
        progressInterval=0,
    )  # fmt: skip
    engine.call("handle/close", handle=asset)
    assert result["status"] == "completed", result.get("error")
    decoded = subprocess.run(
        ["ffmpeg", "-v", "error", "-xerror", "-i", str(target), "-f", "null", "-"],
        capture_output=True, check=False,
    )  # fmt: skip
    assert decoded.returncode == 0, decoded.stderr
    shown = json.loads(
        subprocess.run(
            ["ffprobe", "-v", "error", "-of", "json", "-show_streams", str(target)],
            capture_output=True, check=True,
        ).stdout
    )["streams"]  # fmt: skip
    check_pictures(path, target, sources, shown, probed, result)
    check_sound(path, target, sources, shown)


def check_pictures(
    path: Path, target: Path, sources: List[Dict[str, Any]], shown: List[Dict[str, Any]],
    probed: Dict[str, Any], result: Dict[str, Any],
) -> None:  # fmt: skip
    before = [stream for stream in sources if stream["codec_type"] == "video"]
    after = [stream for stream in media_streams(shown) if stream["codec_type"] == "video"]
    if len(before) != 1:
        return
    zero = origin(probed)
    wanted = [time - zero for time in frame_times(path, before[0]["index"])]
    end = number(result["timeRange"]["duration"])
    wanted = [time for time in wanted if time < end]
    assert len(after) == 1
    found = frame_times(target, after[0]["index"])
    assert len(found) == len(wanted)
    tick = max(Fraction(after[0]["time_base"]), Fraction(before[0]["time_base"]))
    wrong = [
        (place, float(a), float(b))
        for place, (a, b) in enumerate(zip(wanted, found))
        if abs(max(a, Fraction(0)) - b) > tick
    ]
    assert not wrong


def check_sound(
    path: Path, target: Path, sources: List[Dict[str, Any]], shown: List[Dict[str, Any]]
) -> None:
    before = [stream for stream in sources if stream["codec_type"] == "audio"]
    after = [stream for stream in media_streams(shown) if stream["codec_type"] == "audio"]
    for old, new in zip(before, after):
        block = Fraction(2048, int(new["sample_rate"]))
        theirs, ours = sound_of(path, old["index"]), sound_of(target, new["index"])
        if theirs.hasPauses:
            assert abs(theirs.end - ours.end) <= block + LEAST_PAUSE, (theirs, ours)
        else:
            assert abs(theirs.length - ours.length) <= block, (theirs, ours)
