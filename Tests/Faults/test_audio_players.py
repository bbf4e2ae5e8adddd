"""Audio players on a clock that runs automatically: their end, and the death of their worker."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Dict

from engine import Engine
from child_processes import gone
from support import ffmpeg
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
