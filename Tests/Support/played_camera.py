"""Cameras of V4L2 that a test plays, frame by frame, through camera.c."""

from __future__ import annotations

import errno
import socket
import struct
import subprocess
from pathlib import Path
from typing import List, Optional

from waiting import HANG

SOURCE = Path(__file__).with_name("camera.c")

# V4L2_BUF_FLAG_…
MONOTONIC, DAMAGED = 0x2000, 0x40

START, BUFFER = 0, 1

BUSY, REFUSED = errno.EBUSY, errno.EACCES


class PlayedCamera:
    """A camera; ``lines`` describe it as camera.c has them."""

    def __init__(self, folder: Path, *lines: str, number: int = 0) -> None:
        self.description = folder / f"video{number}"
        self.address = folder / f"video{number}.frames"
        self.lines = lines
        self.server: Optional[socket.socket] = None
        self.device: Optional[socket.socket] = None
        self.sequence = 0
        self.plug()

    def plug(self) -> None:
        """Has it appear."""
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.server.settimeout(HANG)
        self.server.bind(str(self.address))
        self.server.listen(64)
        self.describe(*self.lines)

    def describe(self, *lines: str) -> None:
        made = self.description.with_suffix(".made")
        made.write_text("\n".join(lines) + "\n")
        # At once, as devices appear.
        made.rename(self.description)

    def unplug(self) -> None:
        """Has it disappear, from who uses it, too."""
        self.hide()
        if self.device:
            self.device.close()
            self.device = None

    def hide(self) -> None:
        """Has it disappear, with no word to who uses it."""
        self.description.unlink(missing_ok=True)
        self.address.unlink(missing_ok=True)
        if self.server:
            self.server.close()
            self.server = None

    def wait_for_start(self) -> None:
        """Returns when a program has started it; others may only look at it."""
        assert self.server
        while True:
            device, _ = self.server.accept()
            device.settimeout(HANG)
            message = device.recv(8)
            if message and struct.unpack("II", message)[0] == START:
                self.device = device
                self.sequence = 0
                return
            device.close()

    def send(
        self, frame: bytes, time: int, *, skip: int = 0, flags: int = MONOTONIC, used: int = 0
    ) -> None:
        """Brings a frame, some microseconds after the start, and waits until the driver has its buffer again.

        Before it, ``skip`` frames are lost.
        """
        assert self.device
        self.sequence += skip
        header = struct.pack("IIQII", self.sequence, flags, time, used, 0)
        self.sequence += 1
        self.device.send(header + frame)
        assert struct.unpack("II", self.device.recv(8))[0] == BUFFER



class PlayedCameras:
    """Cameras that programs with this environment see, and no other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all: List[PlayedCamera] = []
        library = folder / "camera.so"
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)
        self.environment = {"LD_PRELOAD": str(library), "REELWIRE_CAMERAS": str(folder)}

    def add(self, *lines: str, number: int = 0) -> PlayedCamera:
        """A camera that is plugged in; the lines are those of camera.c."""
        camera = PlayedCamera(self.folder, *lines, number=number)
        self.all.append(camera)
        return camera

    def close(self) -> None:
        for camera in self.all:
            camera.unplug()
