"""Reader to writer: what is read as it is stored and written as it is, against ffmpeg's own copy.

Files of up to 3 MB go into their own container. Of each packet the bytes, the sync flag and the distance to
the one before it have to be ffmpeg's; where a file begins on its container's clock is ffmpeg's own business.
"""

from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

from engine import CORPUS, Engine, EngineError, files, name

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

OWN = {"m4v": "mp4", "m4a": "mp4", "qt": "mov", "3gp": "mp4", "mka": "mkv", "opus": "ogg"}
TYPES = {"mov", "mp4", "mkv", "webm", "mp3", "wav", "flac", "ogg"}

#: Files whose copies differ, and why.
EXCEPTIONS: Dict[str, str] = {
    "audio/mb_vorbis-eos.ogg": "its last packet has no samples, and readers leave it out",
    "video/tc_nasa_13013.mp4": "the muxer has one clock for both video tracks, as in exports",
}


def cases() -> List[Path]:
    return [
        path
        for path in files("video", "audio")
        if own(path) in TYPES and path.stat().st_size <= 3_000_000
    ]


def own(path: Path) -> str:
    suffix = path.suffix[1:].lower()
    return OWN.get(suffix, suffix)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


def run(*command: str) -> List[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def packets(path: Path, stream: str) -> List[List[Any]]:
    """Of each packet the distance to the one before it, the size, the hash and the sync flag."""
    hashes = run("ffmpeg", "-v", "error", "-copyts", "-i", str(path), "-map", f"0:{stream}", "-c",
                 "copy", "-f", "framemd5", "-")
    rows = [line.split(",") for line in hashes if line and not line.startswith("#")]
    base = next(Fraction(line.split(":")[1].strip()) for line in hashes if line[:3] == "#tb")
    times = [None if "NOPTS" in row[2] else int(row[2]) * base for row in rows]
    flags = run("ffprobe", "-v", "error", "-select_streams", stream, "-show_entries",
                "packet=flags", "-of", "default=nk=1:nw=1", str(path))
    keys = [flag[0] for flag in flags if len(flag) in (2, 3) and flag[0] in "K_"]
    return [
        [step(time, before), row[4].strip(), row[5].strip(), key]
        for row, time, before, key in zip(rows, times, times[:1] + times, keys)
    ]


def step(time: Optional[Fraction], before: Optional[Fraction]) -> Optional[float]:
    """In milliseconds: ffmpeg gives some tracks another clock."""
    return None if time is None or before is None else round(float(time - before), 3)


def copy(engine: Engine, path: Path, target: Path) -> List[Dict[str, Any]]:
    """Copies through a reader and a writer; what the asset's tracks are."""
    asset = engine.call("asset/open", url=str(path))["asset"]
    made = [asset]
    try:
        tracks = engine.call("asset/tracks", asset=asset)["tracks"]
        tracks = [track for track in tracks if track["mediaType"] in ("video", "audio")]
        if not tracks:
            return []
        outputs = [{"type": "track", "trackID": track["trackID"]} for track in tracks]
        reader = engine.call("assetReader/create", asset=asset, outputs=outputs)
        made.append(reader["assetReader"])
        inputs = [
            {"mediaType": track["mediaType"], "sourceFormatHint": {"fromOutput": output}}
            for track, output in zip(tracks, reader["outputs"])
        ]
        writer = engine.call("assetWriter/create", outputURL=str(target), inputs=inputs)
        made.append(writer["assetWriter"])
        engine.call("assetReader/start", assetReader=reader["assetReader"])
        engine.call("assetWriter/start", assetWriter=writer["assetWriter"])
        engine.call("assetWriter/startSession", assetWriter=writer["assetWriter"], sourceTime=0)
        pairs = [
            {"output": output, "input": one}
            for output, one in zip(reader["outputs"], writer["inputs"])
        ]
        moved = engine.call(
            "assetWriter/transfer", assetWriter=writer["assetWriter"], pairs=pairs,
            completion="response",
        )
        if moved["result"] != "succeeded":
            raise EngineError(moved["error"])
        end = engine.call(
            "assetWriter/finish", assetWriter=writer["assetWriter"], completion="response"
        )
        if end["status"] != "completed":
            raise EngineError(end["error"])
        return tracks
    finally:
        for handle in made:
            engine.call("handle/close", handle=handle)


@pytest.mark.parametrize("path", cases(), ids=name)
def test_a_copy_is_ffmpegs(engine: Engine, path: Path, tmp_path: Path) -> None:
    if name(path) in EXCEPTIONS:
        pytest.skip(EXCEPTIONS[name(path)])
    target, reference = (tmp_path / f"{stem}.{own(path)}" for stem in ("out", "copy"))
    try:
        tracks = copy(engine, path, target)
    except EngineError as error:
        assert list(tmp_path.iterdir()) == []
        pytest.skip(str(error)[:200])
    if not tracks:
        pytest.skip("neither video nor audio")
    ffmpeg = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:V?", "-map", "0:a?", "-c", "copy"]
        + [str(reference)],
        capture_output=True, text=True,
    )
    if ffmpeg.returncode != 0:
        pytest.skip("ffmpeg doesn't copy it")
    for kind, stream in (("video", "V"), ("audio", "a")):
        for number in range(sum(track["mediaType"] == kind for track in tracks)):
            ours = packets(target, f"{stream}:{number}")
            assert ours == packets(reference, f"{stream}:{number}"), f"{stream}:{number}"
