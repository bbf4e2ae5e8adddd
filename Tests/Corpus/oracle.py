"""ffprobe's facts of the corpus, requested once in a run, two files at a time.

A request for a file also starts the files after it, so that the answers of a test that goes
through the corpus are there when it comes to them.
"""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Tuple

from engine import ORDINARY

FACTS = ("-show_format", "-show_streams", "-show_chapters")
PACKETS = ("-show_packets", "-show_data_hash", "md5")

# The ticks by which libavformat presents all of a video too late, for the composition offsets of its fragments are
# negative (docs/notes/assets-compared-with-ffprobe.md).
_DELAYED = {"rotate-buck-bunny.mp4": 4800}

_pool = ThreadPoolExecutor(max_workers=2)
_asked: "Dict[Tuple[Path, Tuple[str, ...]], Future[Dict[str, Any]]]" = {}
_place = {path: place for place, path in enumerate(ORDINARY)}


def run_ffprobe(path: Path, entries: Tuple[str, ...]) -> Dict[str, Any]:
    output = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", *entries, "file:" + str(path)],
        capture_output=True,
        check=False,
    )
    return json.loads(output.stdout or b"{}")


def delay(path: Path) -> int:
    """The ticks by which ffprobe and ffmpeg have a video later than its file states."""
    return _DELAYED.get(path.name.partition("_")[2], 0)


def _ask(path: Path, entries: Tuple[str, ...]) -> "Future[Dict[str, Any]]":
    key = (path, entries)
    if key not in _asked:
        _asked[key] = _pool.submit(run_ffprobe, path, entries)
    return _asked[key]


def _kept(path: Path, entries: Tuple[str, ...]) -> Dict[str, Any]:
    answer = _ask(path, entries)
    place = _place.get(path)
    if place is not None:
        for later in ORDINARY[place + 1 : place + 4]:
            _ask(later, entries)
    return answer.result()


def facts(path: Path) -> Dict[str, Any]:
    """`-show_format -show_streams -show_chapters` of a file that does not change."""
    return _kept(path, FACTS)


def packets(path: Path) -> Dict[int, List[Dict[str, Any]]]:
    """`-show_packets` with hashes of a file that does not change, by stream, in the order of the file."""
    result: Dict[int, List[Dict[str, Any]]] = {}
    for packet in _kept(path, PACKETS).get("packets", []):
        result.setdefault(packet["stream_index"], []).append(packet)
    return result


def media_streams(streams: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Video and audio, without artwork."""
    return [
        s
        for s in streams
        if s["codec_type"] in ("video", "audio") and not s["disposition"]["attached_pic"]
    ]


def is_movie(probed: Dict[str, Any]) -> bool:
    name: str = probed["format"]["format_name"]
    return name.startswith("mov,")


def origin(probed: Dict[str, Any]) -> Fraction:
    """The container's time that is the asset's zero (docs/notes, "Time zero")."""
    name = probed["format"]["format_name"]
    start = Fraction(probed["format"].get("start_time", "0"))
    if is_movie(probed) or (name.startswith("matroska") and start < 0):
        return Fraction(0)
    for stream in probed["streams"]:
        if "start_pts" in stream:
            exact = stream["start_pts"] * Fraction(stream["time_base"])
            if abs(exact - start) <= Fraction(1, 1_000_000):
                return exact
    return start


def stream_of(track: Dict[str, Any], tracks: List[Dict[str, Any]], probed: Any) -> Dict[str, Any]:
    """The stream of a track: by the container's number where trackID is that."""
    streams = probed["streams"]
    numbers = {int(s["id"], 0): s for s in streams if "id" in s}
    if all(t["trackID"] in numbers for t in tracks):
        return numbers[track["trackID"]]
    found = [s for s in streams if s["index"] == track["trackID"] - 1]
    assert found, f"track {track['trackID']} is no stream"
    return found[0]


def movie_duration(path: Path) -> Fraction:
    """The exact duration in a movie's header (ISO/IEC 14496-12, 8.2.2)."""
    data = path.read_bytes()
    at = data.index(b"mvhd") + 4
    long = data[at] == 1
    scale = int.from_bytes(data[at + (20 if long else 12) :][:4], "big")
    return Fraction(int.from_bytes(data[at + (24 if long else 16) :][: 8 if long else 4], "big"), scale)
