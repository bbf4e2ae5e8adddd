"""An X server of a test's own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from waiting import HANG

needs_x_server = pytest.mark.skipif(not shutil.which("Xvfb"), reason="Xvfb isn't installed")


class Display:
    """An X server whose screen is in memory."""

    def __init__(self, size: str = "320x240x24", *arguments: str) -> None:
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
            + ["-noreset", *arguments],
            pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as number:
            line = number.readline()
        if not line:
            self.process.wait(HANG)
            pytest.skip("Xvfb can't be started here")
        self.number = int(line)

    @property
    def id(self) -> str:
        return f"screen:{self.number}.0"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(HANG)
        Path(f"/tmp/.X{self.number}-lock").unlink(missing_ok=True)
        Path(f"/tmp/.X11-unix/X{self.number}").unlink(missing_ok=True)
