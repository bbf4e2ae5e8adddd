"""Players of a server of audio of a test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Dict

from engine import Engine
from pulse_server import AudioServer, needs_audio_server
from support import ffmpeg

__all__ = ["AudioServer", "needs_audio_server", "playing", "until"]


def playing(engine: Engine, folder: Path, **settings: Any) -> str:
    """A player of an hour of audio, which is heard."""
    path = folder / "a.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=d=600", "-ac", "2", "-ar", "48000", str(path))
    asset = engine.call("asset/open", url=str(path))["asset"]
    item = engine.call("playerItem/create", asset=asset)["playerItem"]
    player: str = engine.call("player/create", items=[item], **settings)["player"]
    engine.call("player/play", player=player)
    until(engine, lambda change: change.get("effectiveRate") == 1)
    return player


def until(engine: Engine, holds: Callable[[Dict[str, Any]], bool]) -> Dict[str, Any]:
    """The first change of a player that is as wanted."""
    while True:
        message = engine.notification()
        if message["method"] == "player/didChange" and holds(message["params"]["changes"]):
            changes: Dict[str, Any] = message["params"]["changes"]
            return changes
