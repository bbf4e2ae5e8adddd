"""Audio players on a clock that runs automatically: their end, and the death of their worker; audio files that fail."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Dict

import pytest

from engine import Engine, EngineError
from child_processes import gone
from support import TOO_LARGE, ffmpeg, limited
from waiting import HANG


def made(engine: Engine, folder: Path, seconds: float, **settings: Any) -> str:
    path = folder / f"{seconds}.wav"
    ffmpeg("-f", "lavfi", "-i", f"sine=d={seconds}", "-ac", "2", "-ar", "48000", str(path))
    device = {"kind": "none"}
    player: str = engine.call(
        "audioPlayer/create", url=str(path), clock="host", audioDevice=device, **settings
    )["audioPlayer"]
    return player


def until(engine: Engine, method: str) -> Dict[str, Any]:
    while (message := engine.notification())["method"] != method:
        pass
    params: Dict[str, Any] = message["params"]
    return params


def ended(engine: Engine) -> None:
    engine.process.stdin and engine.process.stdin.close()
    assert engine.process.wait(HANG) == 0


def test_all_passes_end_once(tmp_path: Path) -> None:
    engine = Engine()
    player = made(engine, tmp_path, 0.1, numberOfLoops=2, meterInterval=0.02)
    engine.call("audioPlayer/play", audioPlayer=player)
    assert until(engine, "audioPlayer/didMeter")["audioPlayer"] == player
    assert until(engine, "audioPlayer/didFinishPlaying") == {
        "audioPlayer": player, "successfully": True,
    }
    state = engine.call("audioPlayer/state", audioPlayer=player)
    assert (state["isPlaying"], state["loop"]) == (False, 2)
    ended(engine)


def test_the_worker_may_die(tmp_path: Path) -> None:
    engine = Engine()
    player = made(engine, tmp_path, 600)
    engine.call("audioPlayer/play", audioPlayer=player)
    assert until(engine, "audioPlayer/didChange")["changes"]["isPlaying"]
    workers = engine.call("engine/stats")["isolation"]["workers"]
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    gone(workers)
    told = until(engine, "audioPlayer/didChange")
    while "status" not in told["changes"]:
        told = until(engine, "audioPlayer/didChange")
    assert told["audioPlayer"] == player and told["changes"]["status"] == "failed"
    assert told["changes"]["error"]["data"]["name"] == "workerDied"
    engine.call("handle/close", handle=player)
    # The next player is in another process.
    engine.call("audioPlayer/play", audioPlayer=made(engine, tmp_path, 0.1))
    assert until(engine, "audioPlayer/didFinishPlaying")["successfully"]
    ended(engine)


def test_the_end_of_a_file_that_couldnt_be_written_has_the_reason(tmp_path: Path) -> None:
    """The engine may write files of a mebibyte, and this one has three."""
    clip, target = tmp_path / "a.wav", tmp_path / "out.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=d=16", "-ac", "2", "-ar", "48000", str(clip))
    engine = limited(1 << 20)
    asset = engine.call("asset/open", url=str(clip))["asset"]
    item = engine.call("playerItem/create", asset=asset)["playerItem"]
    device = {"kind": "file", "path": str(target)}
    player = engine.call("player/create", items=[item], clock="manual", audioDevice=device)["player"]
    engine.call("player/play", player=player)
    engine.call("player/advanceClock", player=player, by=15)
    with pytest.raises(EngineError) as error:
        engine.call("player/finishAudioFile", player=player)
    assert (error.value.code, error.value.data["name"]) == TOO_LARGE
    assert engine.call("player/state", player=player)["audio"]["error"]["data"]["name"] == TOO_LARGE[1]
    engine.call("handle/close", handle=player)
    assert not target.exists()
    ended(engine)
