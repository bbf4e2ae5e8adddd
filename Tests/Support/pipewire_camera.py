"""A camera of PipeWire, which programs see as /dev/video0 through its library pw-v4l2."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Callable, Dict, List

import pytest

from waiting import HANG, eventually

NEEDED = ("pipewire", "wireplumber", "dbus-daemon", "gst-launch-1.0", "pw-cli", "wpctl", "pw-v4l2")
needs_pipewire = pytest.mark.skipif(
    not all(shutil.which(name) for name in NEEDED),
    reason="PipeWire, WirePlumber, GStreamer or pw-v4l2 isn't installed",
)

# Folders without which WirePlumber 0.4 doesn't start.
LOGIN_FOLDERS = [Path("/run/systemd") / name for name in ("", "seats", "sessions", "users", "machines")]


class PipeWireCamera:
    """A test picture as a source of video, with a session bus and a PipeWire of its own."""

    def __init__(self, folder: Path, size: str = "320x240", rate: int = 30, format: str = "YUY2") -> None:
        self.folder = folder
        width, height = size.split("x")
        self.picture = f"video/x-raw,width={width},height={height},framerate={rate}/1,format={format}"
        self.running: List[subprocess.Popen[bytes]] = []
        self.made: List[Path] = []
        bus = folder / "bus"
        self.environment: Dict[str, str] = {
            **os.environ, "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
            "PIPEWIRE_RUNTIME_DIR": str(folder), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={bus}",
        }
        folder.chmod(0o700)
        self.make_login_folders()
        self.launch("dbus-daemon", "--session", "--nofork", f"--address=unix:path={bus}")
        self.wait("a bus", bus.exists)
        self.launch("pipewire")
        self.wait("PipeWire", (folder / "pipewire-0").exists)
        self.launch("wireplumber")
        self.wait("WirePlumber", lambda: "WirePlumber" in self.asked("wpctl", "status"))
        self.plug()

    def make_login_folders(self) -> None:
        for path in LOGIN_FOLDERS:
            if not path.exists():
                try:
                    path.mkdir()
                except OSError:
                    pytest.skip(f"WirePlumber needs {path}")
                self.made.append(path)

    def launch(self, *command: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.running.append(process)
        return process

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        eventually(what, lambda: holds() or not self.are_running())
        if not self.are_running():
            self.kill()
            pytest.skip(f"{what} can't be started here")

    def are_running(self) -> bool:
        return all(process.poll() is None for process in self.running)

    def asked(self, *command: str) -> str:
        return subprocess.run(command, env=self.environment, capture_output=True).stdout.decode()

    def is_listed(self) -> bool:
        return 'node.name = "camera"' in self.asked("pw-cli", "ls", "Node")

    def plug(self) -> None:
        properties = "props,media.class=Video/Source,node.name=camera,node.description=Camera"
        self.source = self.launch(
            "gst-launch-1.0", "-q", "videotestsrc", "is-live=true", "pattern=ball", "!", self.picture,
            "!", "pipewiresink", "mode=provide", f"stream-properties={properties}",
        )  # fmt: skip
        self.wait("a camera", self.is_listed)

    def unplug(self) -> None:
        self.source.kill()
        self.source.wait(HANG)
        self.running.remove(self.source)

    @property
    def preloading(self) -> Dict[str, str]:
        """The environment of programs that see it."""
        out = self.asked("pw-v4l2", "printenv", "LD_PRELOAD").strip()
        return {**self.environment, "LD_PRELOAD": out}

    def kill(self) -> None:
        for process in reversed(self.running):
            process.kill()
            process.wait(HANG)
        for path in reversed(self.made):
            try:
                path.rmdir()
            except OSError:
                pass
