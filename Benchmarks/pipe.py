"""The engine with nothing between it and us: lines of JSON over its pipes, read without a thread."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

CORPUS = Path(
    os.environ.get("REELWIRE_CORPUS", Path(__file__).resolve().parents[2] / "shared" / "media")
)


def ordinary(folders: tuple[str, ...] = ("video", "audio", "images")) -> list[Path]:
    """The ordinary files of the corpus; without a corpus the program ends."""
    found = sorted(p for folder in folders for p in (CORPUS / folder).glob("*") if p.is_file())
    if not found:
        print(f"skipped: no corpus at {CORPUS}, set REELWIRE_CORPUS")
        raise SystemExit(0)
    return found


class Pipe:
    """One engine process. Requests may be sent without waiting; answers come in any order."""

    def __init__(self, binary: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [binary, "serve"], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        self.answers: dict[int, Any] = {}
        #: The notifications that arrived while answers were read; their reader empties it.
        self.notifications: list[Any] = []
        self.last = 0

    def write(self, requests: list[tuple[str, dict[str, Any]]]) -> list[int]:
        """Sends requests in one write, and returns their ids."""
        assert self.process.stdin is not None
        lines, ids = [], []
        for method, params in requests:
            self.last += 1
            ids.append(self.last)
            request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
            lines.append(json.dumps(request) + "\n")
        self.process.stdin.write("".join(lines).encode())
        self.process.stdin.flush()
        return ids

    def read(self, ids: list[int]) -> list[Any]:
        """The results of requests, in their order."""
        assert self.process.stdout is not None
        results = []
        for number in ids:
            while number not in self.answers:
                line = self.process.stdout.readline()
                if not line:
                    raise SystemExit("the engine ended instead of answering")
                message = json.loads(line)
                if "id" in message:
                    self.answers[message["id"]] = message
                else:
                    self.notifications.append(message)
            answer = self.answers.pop(number)
            if "error" in answer:
                raise SystemExit(f"the engine answered {answer['error']}")
            results.append(answer["result"])
        return results

    def call(self, method: str, **params: Any) -> Any:
        """One request and its result."""
        return self.read(self.write([(method, params)]))[0]

    def notify(self, method: str, **params: Any) -> None:
        """Sends a message without an answer."""
        assert self.process.stdin is not None
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def close(self) -> None:
        """Ends the engine."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(5)
        self.process.stdout.close()
