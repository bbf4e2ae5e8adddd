"""A server of audio of a test's own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from waiting import HANG, eventually

NEEDED = ("pulseaudio", "pactl", "parec")
needs_audio_server = pytest.mark.skipif(
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

    def load(self, module: str, *arguments: str) -> str:
        """Loads a module and returns its number."""
        number = self.asked("load-module", module, *arguments)
        assert number is not None
        return number.strip()

    def unload(self, number: str) -> None:
        assert self.asked("unload-module", number) is not None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(HANG)
        self.socket.unlink(missing_ok=True)
