"""The shared parts of the tests of `reelwire mcp`: clips, and a conversation with the program line by line."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Support"), str(Path(__file__).resolve().parent)]

from oracle import check_message  # noqa: E402
from waiting import HANG, joined, received  # noqa: E402

BINARY = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire")).resolve()

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


def meta(capabilities: Optional[Dict[str, Any]] = None, **more: Any) -> Dict[str, Any]:
    return {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities or {},
        **more,
    }


def ffmpeg(*arguments: str) -> None:
    subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True, timeout=HANG)


class Server:
    """The program, spoken to line by line; each message of its is checked against the types of the protocol."""

    def __init__(
        self, folder: Path, *arguments: str, environment: Optional[Dict[str, str]] = None,
        version: str = MODERN,
    ) -> None:  # fmt: skip
        self.version = version
        self.process = subprocess.Popen(
            [str(BINARY), "mcp", *arguments],
            cwd=folder, env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.messages: "queue.Queue[Optional[Any]]" = queue.Queue()
        self.errors: List[str] = []
        self.methods: Dict[Any, str] = {}
        self.notifications: List[Dict[str, Any]] = []
        self.answers: Dict[Any, Dict[str, Any]] = {}
        self._last = 0
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._drain, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        if version != MODERN:
            self.initialize(version)

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def _drain(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors.append(line.decode(errors="replace"))

    # Sending

    def send(self, message: Any) -> None:
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()

    def begin(
        self, method: str, params: Optional[Dict[str, Any]] = None,
        capabilities: Optional[Dict[str, Any]] = None, **more: Any,
    ) -> int:  # fmt: skip
        """Sends a request and returns its id; `more` goes into its `_meta`."""
        self._last += 1
        params = dict(params or {})
        if self.version == MODERN:
            params["_meta"] = meta(capabilities, **more)
        elif more:
            params["_meta"] = more
        self.methods[self._last] = method
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return self._last

    def notify(self, method: str, **params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    # Receiving

    def next(self) -> Any:
        """The next message, a notification or an answer."""
        message = received(self.messages, lambda: "a message; stderr: " + "".join(self.errors))
        assert message is not None, "".join(self.errors)
        if isinstance(message, dict):
            check_message(message, self.methods.get(message.get("id")), self.version)
        return message

    def answer(self, number: Any) -> Dict[str, Any]:
        """The answer to a request; earlier messages are put aside."""
        while number not in self.answers:
            message = self.next()
            if "method" in message:
                self.notifications.append(message)
            else:
                assert message["id"] not in self.answers, message
                self.answers[message["id"]] = message
        return self.answers.pop(number)

    def request(self, method: str, params: Optional[Dict[str, Any]] = None, **more: Any) -> Any:
        """The result of a request."""
        answer = self.answer(self.begin(method, params, **more))
        assert "error" not in answer, answer
        return answer["result"]

    def refusal(self, method: str, params: Optional[Dict[str, Any]] = None, **more: Any) -> Any:
        """The error of a request."""
        answer = self.answer(self.begin(method, params, **more))
        assert "result" not in answer, answer
        return answer["error"]

    def initialize(self, version: str) -> Dict[str, Any]:
        self.version = version
        result = self.request(
            "initialize",
            {
                "protocolVersion": version, "capabilities": {},
                "clientInfo": {"name": "tests", "version": "1"},
            },
        )  # fmt: skip
        self.notify("notifications/initialized")
        return dict(result)

    def call(self, tool: str, **arguments: Any) -> Dict[str, Any]:
        """The result of a tool, which must not be an error."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result["content"]
        return dict(result)

    def failure(self, tool: str, **arguments: Any) -> str:
        """The text of a tool's error."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        assert result.get("isError"), result
        return text(result)

    # The end

    def end(self) -> int:
        """Closes stdin, and returns the exit code once nothing of the program is left."""
        assert self.process.stdin
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(HANG)
        for thread in self._threads:
            joined(thread)
        return code


def text(result: Dict[str, Any]) -> str:
    return "\n".join(each["text"] for each in result["content"] if each["type"] == "text")


def images(result: Dict[str, Any]) -> List[Dict[str, Any]]:
    return [each for each in result["content"] if each["type"] == "image"]


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of small media, which no test changes."""
    folder = tmp_path_factory.mktemp("clips")
    (folder / "cues.srt").write_text(
        "1\n00:00:00,500 --> 00:00:01,500\nHello there\n\n"
        "2\n00:00:02,000 --> 00:00:03,000\nA second line\n"
    )
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30000/1001:d=4", "-f", "lavfi", "-i",
        "sine=440:r=48000:d=4", "-c:v", "libx264", "-g", "30", "-bf", "2", "-pix_fmt", "yuv420p",
        "-c:a", "aac", "-t", "4", "-metadata", "title=A take", str(folder / "take.mp4"),
    )  # fmt: skip
    ffmpeg(
        "-i", str(folder / "take.mp4"), "-i", str(folder / "cues.srt"), "-map", "0", "-map", "1",
        "-c", "copy", "-c:s", "srt", str(folder / "my film.mkv"),
    )  # fmt: skip
    ffmpeg(
        "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*300*t):s=44100:d=20",
        str(folder / "tone.wav"),
    )  # fmt: skip
    return folder


@pytest.fixture(scope="session")
def long_take(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film that takes a while to encode."""
    path = tmp_path_factory.mktemp("long") / "long.mp4"
    ffmpeg("-stream_loop", "29", "-i", str(clips / "take.mp4"), "-c", "copy", str(path))
    return path


@pytest.fixture(scope="session")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outputs")


@pytest.fixture
def tmp_path(outputs: Path) -> Path:
    """A folder of the test, in one that the server may use."""
    path = outputs / f"{len(os.listdir(outputs))}"
    path.mkdir()
    return path


@pytest.fixture(scope="module")
def server(clips: Path, outputs: Path) -> Iterator[Server]:
    """A server that may read the clips, and write to the folders of the tests."""
    server = Server(clips, "--root", str(clips), "--root", str(outputs))
    yield server
    assert server.end() == 0


@pytest.fixture
def confined(clips: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that may use the clips and the folder of the test alone."""
    server = Server(clips, "--root", str(clips), "--root", str(tmp_path))
    yield server
    assert server.end() == 0
