"""Ten thousand messages with a fixed seed: one answer for each request, and no end."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path
from typing import Any, List, Tuple

from conftest import LEGACY, MODERN, Server, meta
from waiting import joined, received

COUNT = 10_000

METHODS = [
    "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list",
    "server/discover", "subscriptions/listen", "initialize", "ping", "tasks/get", "prompts/list", "", "tools/Call", "\u0000",
    "notifications/cancelled", "rpc.discover", "asset/open",
]  # fmt: skip
TOOLS = ["probe", "view_frames", "view_sheet", "job", "read_subtitles", "list_media", "export", "nonsense", 3, None]
PATHS = ["/nothing/here.mp4", "", "~", "~/x", "\u0000", "https://example.org/a", "file:///x%00", "../" * 40, "C:\\a.mp4", 5, None, [], {}]
VALUES = [
    None, True, False, 0, -1, 1.5, 1e308, -1e308, 2**63, 2**70, "", "1:02", "50%", "\ud83d", "x" * 3000, [], [[]], {},
    {"value": 1, "timescale": 0}, {"a": {"b": {}}}, [1, "2", None],
]  # fmt: skip
NAMES = ["path", "times", "frames", "start", "end", "count", "columns", "width", "job", "action", "track", "cursor", "folder", "wait_seconds", "x"]


class Fuzzer:
    """Makes messages; of each it is known how many answers it gets."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.last = 0

    def arguments(self) -> Any:
        if self.random.random() < 0.1:
            return self.random.choice(VALUES)
        arguments = {
            self.random.choice(NAMES): self.random.choice(VALUES) for _ in range(self.random.randrange(4))
        }
        if self.random.random() < 0.8:
            arguments["path"] = self.random.choice(PATHS)
        # The files that would be made have no folder, and the folder that would be listed is not the disk.
        arguments["output"] = self.random.choice(["/nothing/here/new.mp4", "", 4])
        arguments.pop("folder", None)
        return arguments

    def params(self, method: str) -> Any:
        params: Any = {}
        if self.random.random() < 0.1:
            return self.random.choice(VALUES)
        if method == "tools/call":
            params = {"name": self.random.choice(TOOLS), "arguments": self.arguments()}
        elif method == "resources/read":
            params = {"uri": self.random.choice(["reelwire://frame/x?t=1", "reelwire://sheet/", "x", 3, None])}
        elif method == "initialize":
            params = {"protocolVersion": self.random.choice([*LEGACY[2:], "x", 3, None])}
        elif self.random.random() < 0.2:
            params = {self.random.choice(NAMES): self.random.choice(VALUES)}
        kind = self.random.random()
        if kind < 0.7:
            params["_meta"] = meta(progressToken=self.random.choice(VALUES))
        elif kind < 0.8:
            params["_meta"] = self.random.choice(VALUES)
        return params

    def message(self) -> Tuple[bytes, int]:
        """A line, and how many answers it gets."""
        kind = self.random.random()
        if kind < 0.06:
            garbage = bytes(self.random.randrange(33, 127) for _ in range(self.random.randrange(1, 60)))
            if garbage[:1] in b'#{[':
                garbage = b"x" + garbage
            return garbage, 1
        method = self.random.choice(METHODS)
        message = {"jsonrpc": "2.0", "method": method, "params": self.params(method)}
        if kind < 0.1:
            if not (message["params"] is None or isinstance(message["params"], (dict, list))):
                return json.dumps(message).encode(), 1
            if "ud83d" in json.dumps(message):
                message["params"] = {}
            return json.dumps(message).encode(), 0
        self.last += 1
        message["id"] = self.last if kind < 0.9 else f"id {self.last}"
        if kind < 0.14:
            message["jsonrpc"] = self.random.choice(["1.0", 2, None])
        if kind > 0.97:
            message["id"] = self.random.choice([None, 1.5, {}, [], True])
        text = json.dumps(message).encode()
        if 0.14 < kind < 0.17:
            # Cut short.
            return text[: self.random.randrange(2, len(text))], 1
        return text, 1


def test_each_message_gets_one_answer(tmp_path: Path) -> None:
    fuzzer = Fuzzer(40)
    server = Server(tmp_path, "--root", str(tmp_path))
    # The answers are of many revisions.
    server.version = MODERN
    lines: List[bytes] = []
    expected = 0
    for _ in range(COUNT):
        line, count = fuzzer.message()
        lines.append(line)
        expected += count
    assert server.process.stdin
    stdin = server.process.stdin
    writer = threading.Thread(target=lambda: (stdin.write(b"\n".join(lines) + b"\n"), stdin.flush()))
    writer.start()
    answered = 0
    ids = set()
    while answered < expected:
        message = received(server.messages, lambda: f"{answered} of {expected} answers")
        assert message is not None, "".join(server.errors)
        if "method" in message:
            continue
        answered += 1
        if "id" in message:
            assert message["id"] not in ids, message
            ids.add(message["id"])
    joined(writer)
    # No answer is left over.
    server.send({"jsonrpc": "2.0", "id": "last", "method": "resources/list", "params": {"_meta": meta()}})
    message = received(server.messages)
    assert message and message["id"] == "last", message
    assert server.end() == 0
