"""A bare driver of the engine for the corpus tests: lines of JSON and nothing else.

It shares no code with the Python client, so that a mistake there can't hide one in the engine.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))

from waiting import HANG, received  # noqa: E402

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
    """One server process; answers and notifications are kept until a test requests them."""

    def __init__(
        self, *arguments: str, prefix: Sequence[str] = (), environment: Dict[str, str] = {}
    ) -> None:
        self.process = subprocess.Popen(
            [*prefix, binary(), "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **environment},
        )
        self.messages: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
        self.answers: Dict[int, Dict[str, Any]] = {}
        self.notifications: List[Dict[str, Any]] = []
        self.lastID = 0
        self.slabs: Dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def send(self, method: str, **params: Any) -> int:
        """Sends a request without waiting for its answer, which `result` returns for this id."""
        self.lastID += 1
        request = {"jsonrpc": "2.0", "id": self.lastID, "method": method, "params": params}
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return self.lastID

    def receive(self) -> None:
        """Waits for one message, and puts it where it belongs."""
        message = received(self.messages)
        if message is None:
            raise ConnectionError(f"the engine ended with {self.process.wait(HANG)}")
        if "id" in message:
            self.answers[message["id"]] = message
        else:
            self.notifications.append(message)

    def take(self) -> None:
        """Sorts the messages that have arrived, without waiting."""
        while not self.messages.empty():
            self.receive()

    def has_ended(self, request: int) -> bool:
        """True once the answer to a request has come, which `result` returns."""
        self.take()
        return request in self.answers

    def result(self, request: int) -> Dict[str, Any]:
        """Waits for the answer to one request, with answers in any order."""
        while request not in self.answers:
            self.receive()
        answer = self.answers.pop(request)
        if "error" in answer:
            raise EngineError(answer["error"])
        result: Dict[str, Any] = answer["result"]
        return result

    def notification(self) -> Dict[str, Any]:
        """The next notification, in the order of their coming."""
        while not self.notifications:
            self.receive()
        return self.notifications.pop(0)

    def call(self, method: str, **params: Any) -> Dict[str, Any]:
        return self.result(self.send(method, **params))

    def notify(self, method: str, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    @cached_property
    def document(self) -> Dict[str, Any]:
        """The document in which this engine describes itself."""
        return self.call("rpc.discover")

    @property
    def methods(self) -> Set[str]:
        """The names of the methods that it serves."""
        return {method["name"] for method in self.document["methods"]}

    def keys(self, kind: str) -> List[str]:
        """The keys that can be loaded, by the schema "AssetKey" or "TrackKey"."""
        return list(self.document["components"]["schemas"][kind]["enum"])

    def load(self, path: Path, *keys: str, **options: Any) -> "tuple[str, Dict[str, Any]]":
        asset = self.call("asset/open", url=str(path), options=options)["asset"]
        loaded = self.call(
            "asset/loadValues", asset=asset, keys=list(keys), completion="response"
        )
        return asset, loaded["values"]

    def read(self, blob: Dict[str, Any]) -> memoryview:
        """The bytes of a blob in shared memory, copied; its lease is not released."""
        if blob["path"] not in self.slabs:
            self.slabs[blob["path"]] = os.open(blob["path"], os.O_RDONLY)
        data = os.pread(self.slabs[blob["path"]], blob["size"], blob["offset"])
        assert len(data) == blob["size"]
        return memoryview(data)

    def pull(self, output: str, **params: Any) -> Iterator[Dict[str, Any]]:
        """All sample buffers of an output; each is released when the next one is requested."""
        params = {"maxCount": 512, "maxBytes": 16 << 20, "delivery": "shm", **params}
        isAtEnd = False
        while not isAtEnd:
            answer = self.call("assetReader/nextSampleBuffers", output=output, **params)
            isAtEnd = answer["endOfStream"]
            assert isAtEnd or answer["sampleBuffers"]
            yield from answer["sampleBuffers"]
            leases = [s["blob"]["lease"] for s in answer["sampleBuffers"] if "blob" in s]
            self.notify("blob/release", leases=leases)

    @contextlib.contextmanager
    def reader(
        self, asset: str, *outputs: Dict[str, Any], **params: Any
    ) -> "Iterator[tuple[str, List[str]]]":
        """A reader that has been started, and its outputs; it is closed in the end."""
        described = [{"type": "track", **output} for output in outputs]
        made = self.call("assetReader/create", asset=asset, outputs=described, **params)
        try:
            self.call("assetReader/start", assetReader=made["assetReader"])
            yield made["assetReader"], made["outputs"]
        finally:
            self.call("handle/close", handle=made["assetReader"])

    def close(self) -> int:
        for descriptor in self.slabs.values():
            os.close(descriptor)
        self.slabs = {}
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(HANG)

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def number(time: Any) -> Fraction:
    """A time in seconds, exactly."""
    return Fraction(int(time["value"]), time["timescale"])


def seconds(time: Any) -> float:
    return float(number(time))


def files(*folders: str) -> List[Path]:
    return sorted(p for folder in folders for p in (CORPUS / folder).rglob("*") if p.is_file())


def name(path: Path) -> str:
    """The name of a file of the corpus in tests and tables."""
    return str(path.relative_to(CORPUS))


ORDINARY = files("video", "audio", "images")
