"""Players whose audio goes to an audio server: the death of the process of devices, of the server, and of the worker."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Dict

from audio_server import AudioServer, needs_audio_server, playing, until
from engine import Engine
from child_processes import children_of, gone
from support import ffmpeg
from waiting import HANG, eventually

pytestmark = needs_audio_server


def devices(engine: Engine) -> int:
    """The process of devices."""
    names = {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in children_of(engine.process.pid)}
    (found,) = [pid for pid, comm in names.items() if comm == "reelwire device"]
    return found


def test_audio_is_heard_in_the_server(engine: Engine, server: AudioServer, tmp_path: Path) -> None:
    player = playing(engine, tmp_path)
    state = engine.call("player/state", player=player)
    assert (state["clock"], state["audio"]["state"]) == ("audio", "open")
    inputs = server.asked("list", "sink-inputs") or ""
    assert 'application.name = "reelwire"' in inputs
    engine.call("player/pause", player=player)
    eventually("a pause", lambda: "Corked: yes" in (server.asked("list", "sink-inputs") or ""))
    engine.call("handle/close", handle=player)
    eventually("the end of the stream", lambda: not server.asked("list", "short", "sink-inputs"))


def test_the_process_of_devices_may_die(engine: Engine, tmp_path: Path) -> None:
    player = playing(engine, tmp_path)
    before = engine.call("player/state", player=player)["time"]
    process = devices(engine)
    os.kill(process, signal.SIGKILL)
    lost = until(engine, lambda change: change.get("clock") == "host")
    assert lost["audio"]["state"] == "unavailable"
    assert lost["audio"]["error"]["data"]["name"] == "mediaServicesWereReset"
    until(engine, lambda change: change.get("clock") == "audio")
    until(engine, lambda change: change.get("effectiveRate") == 1)
    state = engine.call("player/state", player=player)
    assert state["audio"]["state"] == "open" and state["timeControlStatus"] == "playing"
    assert state["time"]["value"] / state["time"]["timescale"] >= before["value"] / before["timescale"]
    assert devices(engine) != process


def test_the_server_may_die(engine: Engine, server: AudioServer, tmp_path: Path) -> None:
    player = playing(engine, tmp_path)
    server.kill()
    until(engine, lambda change: change.get("clock") == "host")
    assert engine.call("player/state", player=player)["effectiveRate"] == 1
    server.start()
    until(engine, lambda change: change.get("clock") == "audio")


def test_the_worker_may_die(engine: Engine, server: AudioServer, tmp_path: Path) -> None:
    player = playing(engine, tmp_path)
    process = devices(engine)
    workers = [pid for pid in engine.call("engine/stats")["isolation"]["workers"] if pid != process]
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    gone(workers)
    changes = until(engine, lambda change: change.get("status") == "failed")
    assert changes["error"]["data"]["name"] == "workerDied"
    eventually("silence", lambda: not server.asked("list", "short", "sink-inputs"))
    # The next playback has audio again.
    engine.call("handle/close", handle=player)
    playing(engine, tmp_path / "..")


def test_the_device_that_plays_is_named(engine: Engine, server: AudioServer, tmp_path: Path) -> None:
    player = playing(engine, tmp_path)
    assert engine.call("player/state", player=player)["audio"]["device"] == "pulse:out"
    server.load("module-rescue-streams")
    headphones = server.load("module-null-sink", "sink_name=headphones")
    engine.call("player/set", player=player, audioDevice="pulse:headphones")
    assert engine.call("player/state", player=player)["audio"]["device"] == "pulse:headphones"
    server.unload(headphones)
    moved = until(engine, lambda change: change.get("audio", {}).get("device") == "pulse:out")
    assert moved["audio"]["state"] == "open"
    server.load("module-null-sink", "sink_name=headphones")
    engine.call("player/set", player=player, audioDevice="pulse:headphones")
    assert engine.call("player/state", player=player)["audio"]["device"] == "pulse:headphones"
    assert "Sink Input" in (server.asked("list", "sink-inputs") or "")


def test_sixteen_players_have_audio(engine: Engine, tmp_path: Path) -> None:
    players = [playing(engine, tmp_path) for _ in range(16)]
    states = [engine.call("player/state", player=player) for player in players]
    assert {(state["clock"], state["audio"]["state"]) for state in states} == {("audio", "open")}
    for player in players:
        engine.call("handle/close", handle=player)
