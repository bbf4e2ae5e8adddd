"""Players whose audio goes to an audio server: the death of the process of devices, of the server, and of the worker."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

import pytest

from engine import Engine
from processes import children_of, gone
from support import ffmpeg
from waiting import HANG, eventually

NEEDED = ("pulseaudio", "pactl", "parec")
pytestmark = pytest.mark.skipif(
    not all(shutil.which(name) for name in NEEDED), reason="PulseAudio isn't installed"
)


class AudioServer:
    """A PulseAudio with a null sink, and no other device."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "pulse/native"
        self.environment = {**os.environ, "PULSE_SERVER": f"unix:{self.socket}"}
        self.start()

    def start(self) -> None:
        (self.folder / "pulse").mkdir(mode=0o700, exist_ok=True)
        home = {
            "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder),
            "PULSE_RUNTIME_PATH": str(self.folder / "pulse"),
            "PULSE_STATE_PATH": str(self.folder / "pulse"), "DBUS_SESSION_BUS_ADDRESS": "",
        }
        sink = "module-null-sink sink_name=out rate=48000 channels=2 format=float32le norewinds=1"
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
            + ["--realtime=no", "--high-priority=no", "--log-level=error"]
            + ["-L", f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}"]
            + ["-L", sink],
            env={**os.environ, **home}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        eventually("an audio server", lambda: self.asked("info") is not None)

    def asked(self, *words: str) -> "str | None":
        done = subprocess.run(["pactl", *words], env=self.environment, capture_output=True)
        return done.stdout.decode() if done.returncode == 0 else None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(HANG)
        self.socket.unlink(missing_ok=True)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AudioServer]:
    server = AudioServer(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def engine(server: AudioServer) -> Iterator[Engine]:
    engine = Engine(environment={"PULSE_SERVER": server.environment["PULSE_SERVER"]})
    yield engine
    engine.process.stdin and engine.process.stdin.close()
    assert engine.process.wait(HANG) == 0


def playing(engine: Engine, folder: Path) -> str:
    """A player of an hour of audio, which is heard."""
    path = folder / "a.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=d=600", "-ac", "2", "-ar", "48000", str(path))
    asset = engine.call("asset/open", url=str(path))["asset"]
    item = engine.call("playerItem/create", asset=asset)["playerItem"]
    player: str = engine.call("player/create", items=[item])["player"]
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
    # What is played next has audio again.
    engine.call("handle/close", handle=player)
    playing(engine, tmp_path / "..")


def test_sixteen_players_have_audio(engine: Engine, tmp_path: Path) -> None:
    players = [playing(engine, tmp_path) for _ in range(16)]
    states = [engine.call("player/state", player=player) for player in players]
    assert {(state["clock"], state["audio"]["state"]) for state in states} == {("audio", "open")}
    for player in players:
        engine.call("handle/close", handle=player)
