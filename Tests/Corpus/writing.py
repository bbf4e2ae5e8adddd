"""The shared parts of the tests of asset writers: a copy through a reader and a writer, and the packets of files."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from engine import Engine, EngineError


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
    """In milliseconds: ffmpeg writes some tracks with another clock."""
    return None if time is None or before is None else round(float(time - before), 3)


def copy(
    engine: Engine, path: Path, **output: Any
) -> Tuple[List[Dict[str, Any]], List[Dict[str, Any]]]:
    """Copies through a reader and a writer; returns the asset's tracks, and the notifications meanwhile."""
    engine.notifications.clear()
    asset = engine.call("asset/open", url=str(path))["asset"]
    made = [asset]
    try:
        tracks = engine.call("asset/tracks", asset=asset)["tracks"]
        tracks = [track for track in tracks if track["mediaType"] in ("video", "audio")]
        if not tracks:
            return [], []
        outputs = [{"type": "track", "trackID": track["trackID"]} for track in tracks]
        reader = engine.call("assetReader/create", asset=asset, outputs=outputs)
        made.append(reader["assetReader"])
        inputs = [
            {"mediaType": track["mediaType"], "sourceFormatHint": {"fromOutput": output}}
            for track, output in zip(tracks, reader["outputs"])
        ]
        writer = engine.call("assetWriter/create", inputs=inputs, **output)
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
        reports = [each["params"] for each in engine.notifications]
        return tracks, reports
    finally:
        for handle in made:
            engine.call("handle/close", handle=handle)
