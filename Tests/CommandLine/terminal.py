"""A terminal that a test types into, and whose screen it reads as a person would."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
from pathlib import Path
from typing import Callable, Dict, List

import pyte

from waiting import eventually


class Terminal:
    def __init__(
        self,
        command: List[str],
        folder: Path,
        environment: Dict[str, str],
        columns: int = 100,
        rows: int = 40,
    ) -> None:
        self.screen = pyte.HistoryScreen(columns, rows, history=5000, ratio=1)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.controller, ours = pty.openpty()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.settings = termios.tcgetattr(ours)

        def take_terminal() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=ours,
            stdout=ours,
            stderr=ours,
            preexec_fn=take_terminal,
        )
        # Kept, so that its settings can be looked at after the program's end.
        self.ours = ours

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.controller)
        os.close(self.ours)

    # The person's input

    def type(self, text: str) -> None:
        os.write(self.controller, text.encode())

    def press(self, key: str) -> None:
        keys = {
            "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "tab": "\t",
            "enter": "\r", "backspace": "\x7f", "delete": "\x1b[3~", "home": "\x1b[H",
            "end": "\x1b[F", "word-left": "\x1bb", "word-right": "\x1bf",
        }  # fmt: skip
        self.type(keys.get(key) or chr(ord(key[-1]) & 0x1F))

    # The person's view

    @property
    def lines(self) -> List[str]:
        """All lines so far, those that have scrolled away too."""
        above = [
            "".join(line[column].data for column in range(self.screen.columns))
            for line in self.screen.history.top
        ]
        return [line.rstrip() for line in above + list(self.screen.display)]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).rstrip()

    @property
    def line(self) -> str:
        """The line that the cursor is in."""
        return self.screen.display[self.screen.cursor.y].rstrip()

    def read(self, timeout: float) -> bool:
        ready, _, _ = select.select([self.controller], [], [], timeout)
        if not ready:
            return False
        try:
            data = os.read(self.controller, 1 << 16)
        except OSError:
            return False
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def wait(self, until: "Callable[[], bool] | str") -> None:
        """Reads until something is so, or a text is on the screen."""
        is_so = until if callable(until) else lambda: until in self.text

        def has_come() -> bool:
            has_ended = self.process.poll() is not None
            while self.read(0):
                if is_so():
                    return True
            assert not has_ended, f"it ended without {until!r}:\n{self.text}"
            return False

        if not is_so():
            eventually(lambda: f"{until!r}:\n{self.text}", has_come)

    def end(self) -> int:
        """Waits for the end of the program, and returns its exit code."""

        def has_ended() -> bool:
            is_over = self.process.poll() is not None
            while self.read(0):
                pass
            return is_over

        eventually(lambda: f"the end:\n{self.text}", has_ended)
        return self.process.returncode

    def interrupt(self) -> None:
        """Ctrl-C, as the terminal sends it to the program."""
        self.process.send_signal(signal.SIGINT)

    @property
    def is_as_before(self) -> bool:
        """True if the terminal's settings are those it had."""
        return termios.tcgetattr(self.ours) == self.settings
