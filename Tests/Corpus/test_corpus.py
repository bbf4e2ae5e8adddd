"""The engine over real files from elsewhere, against ffprobe and ffmpeg of the same FFmpeg.

Skipped where the corpus isn't: set REELWIRE_CORPUS, or put it at ../shared/media.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

import oracle
from engine import CORPUS, Engine, EngineError, files, name
from oracle import media_streams

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")

HOSTILE = files("hostile")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []
        stats = engine.call("engine/stats")
        assert (stats["operations"], stats["leases"]) == (0, 0)


def ffmpeg_input(path: Path) -> List[str]:
    # A name that begins with a dash would be parsed as an option.
    return ["-i", "file:" + str(path)]


def packet_rows(path: Path, streams: List[int]) -> List[List[str]]:
    """Stream, dts, pts, duration, size and MD5 of every packet, from the first one on."""
    maps = [argument for index in streams for argument in ("-map", f"0:{index}")]
    done = subprocess.run(
        ["ffmpeg", "-v", "error", *ffmpeg_input(path), *maps]
        + ["-c", "copy", "-f", "framemd5", "-"],
        capture_output=True,
        check=True,
    )
    lines = done.stdout.decode().splitlines()
    return [[c.strip() for c in x.split(",")] for x in lines if x and not x.startswith("#")]


# Changes that libavformat's own muxers or demuxers make, in `ffmpeg -c copy` as well.
PACKETS_DIFFER = {
    "video/ax_sample_eac3.mp4": "the muxer gives E-AC-3's edit list another start",
}
HOLDS_NOTHING = {
    "audio/ax_large_stbl_truncated_after_moov.m4b",
    "audio/mg_nero-chapters.m4b",
    "audio/tl_ilst-is-last.m4a",
}
MOVIES = [p for p in files("video", "audio") if p.suffix in (".mp4", ".mov", ".m4a", ".m4b")]


@pytest.mark.parametrize("path", MOVIES, ids=name)
def test_passthrough_keeps_every_packet(engine: Engine, path: Path, tmp_path: Path) -> None:
    output = tmp_path / "copy.mov" if path.suffix == ".mov" else tmp_path / "copy.mp4"
    asset = engine.call("asset/open", url=str(path))["asset"]
    session = engine.call(
        "exportSession/create", asset=asset, preset="Passthrough", outputURL=str(output)
    )["exportSession"]
    try:
        done = engine.call("exportSession/export", exportSession=session, completion="response")
    finally:
        engine.call("handle/close", handle=session)
        engine.call("handle/close", handle=asset)
    if name(path) in HOLDS_NOTHING:
        assert done["error"]["data"]["name"] == "invalidSourceMedia"
        assert not output.exists()
        return
    if done["status"] == "failed" and done["error"]["data"]["name"] == "formatUnsupported":
        pytest.skip(done["error"]["message"])
    assert done["status"] == "completed", done
    ours = media_streams(oracle.run_ffprobe(output, oracle.FACTS)["streams"])
    theirs = media_streams(oracle.facts(path)["streams"])
    assert [s["codec_name"] for s in ours] == [s["codec_name"] for s in theirs]
    before = packet_rows(path, [s["index"] for s in theirs])
    after = packet_rows(output, [s["index"] for s in ours])
    for position, (a, b) in enumerate(zip(theirs, ours)):
        # Without the side data at the end: its skipped samples repeat the edit list.
        rows = [[r[1:6] for r in rows if r[0] == str(position)] for rows in (before, after)]
        assert [r[4] for r in rows[0]] == [r[4] for r in rows[1]]
        # After an empty edit ffprobe loses the end of the last packet (docs/notes, "Copies").
        if rows[0] and a.get("start_pts", 0) > 0:
            rows[0][-1][2] = rows[1][-1][2]
        if a["codec_type"] == "video" and oracle.delay(path):
            rows[0] = [[str(int(time) - oracle.delay(path)) for time in r[:2]] + r[2:] for r in rows[0]]
        if a["time_base"] == b["time_base"] and name(path) not in PACKETS_DIFFER:
            assert rows[0] == rows[1]


def attempt(engine: Engine, method: str, **params: Any) -> Optional[Dict[str, Any]]:
    """A call that may fail, but by a named error with a hint, and soon."""
    try:
        return engine.call(method, **params)
    except EngineError as error:
        assert error.data.get("name") and error.data.get("hint")
        return None


@pytest.mark.parametrize("path", HOSTILE, ids=name)
def test_hostile_files_get_an_answer(engine: Engine, path: Path, tmp_path: Path) -> None:
    keys = ["duration", "tracks", "metadata", "isPlayable", "preferredTransform", "naturalSize"]
    asset, values = engine.load(path, *keys)
    for state in values.values():
        assert state["status"] in ("loaded", "failed")
        if state["status"] == "failed":
            assert state["error"]["data"]["name"] and state["error"]["data"]["hint"]
    generator = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
    for time in (0, 0.5, 1e9):
        attempt(engine, "imageGenerator/generateImage", imageGenerator=generator, time=time)
    output = tmp_path / "out.mkv"
    for preset in ("Passthrough", "LowQuality"):
        created = attempt(
            engine,
            "exportSession/create",
            asset=asset,
            preset=preset,
            outputURL=str(output),
            timeRange={"start": 0, "duration": 1},
        )
        if not created:
            continue
        session = created["exportSession"]
        done = attempt(
            engine, "exportSession/export", exportSession=session, completion="response"
        )
        assert done and done["status"] in ("completed", "failed")
        assert output.exists() == (done["status"] == "completed")
        output.unlink(missing_ok=True)
        engine.call("handle/close", handle=session)
    assert list(tmp_path.iterdir()) == []
    engine.call("handle/close", handle=generator)
    engine.call("handle/close", handle=asset)
