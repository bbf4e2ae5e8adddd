"""Every ordinary file exported in parts and in one piece: the same packets' times, and the same audio."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest

from engine import ORDINARY, Engine, EngineError, name
from oracle import facts, run_ffprobe

MOST_BYTES = 3_000_000
MOST_SECONDS = 30
PARTS = 3
SETTINGS = {"video": {"codec": "h264", "height": 90}, "audio": {}}

FILES = [path for path in ORDINARY if path.stat().st_size <= MOST_BYTES]


def packets(path: Path) -> Dict[int, List[Any]]:
    """The presentation times of the packets of each stream, in order of time."""
    found: Dict[int, List[Any]] = {}
    probed = run_ffprobe(path, ("-show_entries", "packet=stream_index,pts,duration"))
    for packet in probed.get("packets", []):
        times = packet.get("pts", 0), packet.get("duration", 0)
        found.setdefault(packet["stream_index"], []).append(times)
    return {stream: sorted(times) for stream, times in found.items()}


def decoded_audio(path: Path) -> List[str]:
    """The hash of the audio of each track; all of the file is decoded, and nothing of it is damaged."""
    listed = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", "file:" + str(path), "-map", "0:v?", "-map", "0:a?"]
        + ["-f", "streamhash", "-hash", "md5", "-"],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert not listed.stderr
    return [line for line in listed.stdout.splitlines() if ",a," in line]


def session(engine: Engine, path: Path, output: Path) -> Dict[str, Any]:
    asset = engine.call("asset/open", url=str(path))["asset"]
    made = engine.call(
        "exportSession/create", asset=asset, settings=SETTINGS, outputURL=str(output)
    )
    return {"asset": asset, "exportSession": made["exportSession"]}


def whole(engine: Engine, path: Path, output: Path) -> Dict[str, Any]:
    """Exports in one piece."""
    made = session(engine, path, output)["exportSession"]
    return engine.call(
        "exportSession/export", exportSession=made, progressInterval=0, completion="response"
    )


def joined(engine: Engine, path: Path, output: Path, folder: Path) -> Optional[Dict[str, Any]]:
    """Exports in parts, each by a session of its own; `None` for a file without parts."""
    first = session(engine, path, output)["exportSession"]
    try:
        plan = engine.call("exportSession/plan", exportSession=first, partCount=PARTS)["plan"]
    except EngineError as error:
        assert error.data["name"] in (
            "operationNotSupportedForPreset",
            "operationNotSupportedForAsset",
        )
        return None
    files = []
    for number in range(len(plan["parts"])):
        files.append(str(folder / f"{number}.part"))
        other = session(engine, path, output)["exportSession"]
        done = engine.call(
            "exportSession/exportPart", exportSession=other, plan=plan, part=number,
            outputURL=files[-1], progressInterval=0, completion="response",
        )  # fmt: skip
        assert done["status"] == "completed", done
    return engine.call(
        "exportSession/join", exportSession=first, plan=plan, partURLs=files,
        progressInterval=0, completion="response",
    )  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=name)
def test_parts_are_the_whole(engine: Engine, path: Path, tmp_path: Path) -> None:
    if float(facts(path).get("format", {}).get("duration", 0)) > MOST_SECONDS:
        pytest.skip("too long")
    alone, parts = tmp_path / "whole.mkv", tmp_path / "parts.mkv"
    try:
        expected = whole(engine, path, alone)
        if expected["status"] != "completed":
            pytest.skip(expected["error"]["message"])
        found = joined(engine, path, parts, tmp_path)
        if found is None:
            pytest.skip("it has no parts")
        assert found["status"] == "completed", found
        assert found["timeRange"] == expected["timeRange"]
        assert found.get("dropped") == expected.get("dropped")
        assert packets(parts) == packets(alone)
        assert decoded_audio(parts) == decoded_audio(alone)
    finally:
        for each in engine.call("handle/list")["handles"]:
            engine.call("handle/close", handle=each["handle"])
