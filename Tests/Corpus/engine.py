"""A bare driver of the engine for the corpus tests: lines of JSON and nothing else.

It shares no code with the Python client, so that a mistake there can't hide one in the engine.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("REELWIRE_CORPUS", ROOT.parent / "shared" / "media"))


def binary() -> str:
    named = os.environ.get("REELWIRE_BINARY")
    if named:
        return named
    for configuration in ("release", "debug"):
        built = ROOT / ".build" / configuration / "reelwire"
        if built.exists():
            return str(built)
    raise FileNotFoundError("build the engine first, or set REELWIRE_BINARY")


class EngineError(Exception):
    def __init__(self, error: Dict[str, Any]) -> None:
        super().__init__(f"{error['code']} {error['message']}")
        self.code = error["code"]
        self.data = error.get("data", {})


class Engine:
    """One server process; requests one after the other, notifications kept."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [binary(), "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.messages: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
        self.notifications: List[Dict[str, Any]] = []
        self.lastID = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def call(self, method: str, timeout: float = 60, **params: Any) -> Dict[str, Any]:
        self.lastID += 1
        request = {"jsonrpc": "2.0", "id": self.lastID, "method": method, "params": params}
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            message = self.messages.get(timeout=timeout)
            if message is None:
                raise ConnectionError(f"the engine ended with {self.process.wait()} in {method}")
            if message.get("id") != self.lastID:
                self.notifications.append(message)
            elif "error" in message:
                raise EngineError(message["error"])
            else:
                result: Dict[str, Any] = message["result"]
                return result

    def notify(self, method: str, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def load(self, path: Path, *keys: str, **options: Any) -> "tuple[str, Dict[str, Any]]":
        asset = self.call("asset/open", url=str(path), options=options)["asset"]
        loaded = self.call(
            "asset/loadValues", asset=asset, keys=list(keys), completion="response"
        )
        return asset, loaded["values"]

    def close(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(timeout=10)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def seconds(time: Any) -> float:
    return int(time["value"]) / time["timescale"]


def probe(path: Path, *entries: str) -> Dict[str, Any]:
    """What ffprobe says of a file, from the same FFmpeg."""
    output = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", *entries, str(path)],
        capture_output=True,
        check=False,
    )
    return json.loads(output.stdout or b"{}")


def files(*folders: str) -> List[Path]:
    return sorted(p for folder in folders for p in (CORPUS / folder).rglob("*") if p.is_file())
