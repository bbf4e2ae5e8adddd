"""A client that writes bytes as they are, and reads messages in either framing."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import queue
import signal
import struct
import subprocess
import termios
import threading
from typing import Any, Dict, List, Optional, Sequence, Set

from rows import expect
from server import serve_arguments, strict
from child_processes import children_of, gone_or_killed

from engine import binary
from waiting import HANG, eventually, received

STATS = b'{"jsonrpc":"2.0","id":"alive","method":"engine/stats"}'


def request(id: object, method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()


def lines(body: bytes) -> bytes:
    return body + b"\n"


def headers(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Raw:
    """One server process, whose every message is kept."""

    def __init__(
        self,
        *arguments: str,
        prefix: Sequence[str] = (),
        environment: Optional[Dict[str, str]] = None,
        stderr: int = subprocess.DEVNULL,
        reads: bool = True,
        **options: Any,
    ) -> None:
        self.process = subprocess.Popen(
            [*prefix, binary(), "serve", *arguments, *serve_arguments()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env={**os.environ, **(environment or {})},
            **options,
        )
        self.messages: "queue.Queue[Any]" = queue.Queue()
        self.impure: List[bytes] = []
        # The ids of all answers, those that were dropped too.
        self.answered: Set[object] = set()
        self.reader = threading.Thread(target=self._read, daemon=True)
        if reads:
            self.reader.start()

    def _read(self) -> None:
        stdout = self.process.stdout
        assert stdout
        while True:
            line = stdout.readline()
            if not line:
                break
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
                while stdout.readline().strip():
                    pass
                line = stdout.read(length)
            try:
                message = strict(line)
            except ValueError:
                self.impure.append(line[:200])
                continue
            if isinstance(message, dict) and isinstance(message.get("id"), (int, str)):
                self.answered.add(message["id"])
            self.messages.put(message)
        self.messages.put(None)

    def write(self, data: bytes, size: int = 1 << 20) -> None:
        """Writes it in pieces of ``size`` bytes."""
        assert self.process.stdin
        for at in range(0, len(data), size):
            self.process.stdin.write(data[at : at + size])
            self.process.stdin.flush()

    def next(self) -> Any:
        message = received(self.messages)
        expect(message is not None, f"it ended with {self.process.poll()}")
        return message

    def answer(self, id: object) -> Dict[str, Any]:
        """The answer to a request; everything before it is dropped."""
        while True:
            message = self.next()
            if isinstance(message, dict) and "method" not in message and message.get("id") == id:
                return message

    def until(self, id: object) -> List[Any]:
        """All messages before the answer to a request."""
        found: List[Any] = []
        while True:
            message = self.next()
            if isinstance(message, dict) and "method" not in message and message.get("id") == id:
                return found
            found.append(message)

    def taken(self) -> None:
        """Waits until the engine has read all that was written."""
        assert self.process.stdin
        pipe = self.process.stdin.fileno()
        eventually("an engine that reads", lambda: unread(pipe) == 0)

    def waits(self) -> None:
        """Waits until the engine has read all, and written something that isn't read."""
        self.taken()
        assert self.process.stdout
        pipe = self.process.stdout.fileno()
        eventually("an answer", lambda: unread(pipe) > 0)

    def close_input(self) -> None:
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def end(self) -> int:
        self.close_input()
        return self.process.wait(HANG)

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: Any) -> None:
        children = children_of(self.process.pid)
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.close_input()
        try:
            self.process.wait(HANG)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(HANG)
        gone_or_killed(children)


def unread(pipe: int) -> int:
    """The number of bytes in a pipe."""
    return int(struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0])
