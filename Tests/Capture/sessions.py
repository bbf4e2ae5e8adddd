"""Capture sessions for the tests, and the contents of their files as other programs see them."""

from __future__ import annotations

import json
import subprocess
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from engine import Engine
from child_processes import children_of

Message = Dict[str, Any]


def seconds(time: Dict[str, int]) -> Fraction:
    return Fraction(time["value"], time["timescale"])


def device_process(engine: Engine) -> int:
    """The process of devices."""
    for child in children_of(engine.process.pid):
        arguments = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        if b"--for-devices" in arguments:
            return child
    raise AssertionError("there is no process of devices")


class Session:
    """A session with one synthetic device, and all notifications that have come of it."""

    def __init__(
        self, engine: Engine, *outputs: Dict[str, Any], clock: str = "manual",
        preset: str = "high", device: Optional[Dict[str, Any]] = None, isStarted: bool = True,
        **settings: Any,
    ) -> None:  # fmt: skip
        self.engine = engine
        self.notes: List[Message] = []
        made = engine.call("captureSession/create", clock=clock, preset=preset)
        self.handle: str = made["captureSession"]
        added = {"add": "input", "device": "synthetic:1", "settings": settings, **(device or {})}
        changes = [added, *({"add": "output", **output} for output in outputs)]
        self.made = self.configure(*changes)
        self.outputs: List[str] = self.made["outputs"]
        self.input: str = self.made["inputs"][0]
        if isStarted:
            self.start()

    def configure(self, *changes: Dict[str, Any], **more: Any) -> Dict[str, Any]:
        return self.engine.call(
            "captureSession/configure", captureSession=self.handle, changes=list(changes), **more
        )

    def start(self) -> Dict[str, Any]:
        return self.engine.call(
            "captureSession/start", captureSession=self.handle, completion="response"
        )

    def stop(self) -> Dict[str, Any]:
        end = self.engine.call(
            "captureSession/stop", captureSession=self.handle, completion="response"
        )
        self.take()
        return end

    def advance(self, by: Any) -> Dict[str, Any]:
        moved = self.engine.call("captureSession/advanceClock", captureSession=self.handle, by=by)
        before = len(self.notes)
        self.take()
        # Those of requests before may be among them.
        assert len(self.notes) - before >= moved["notifications"]
        return moved

    def take(self) -> None:
        """Collects the notifications that have arrived."""
        self.engine.take()
        self.notes += self.engine.notifications
        self.engine.notifications = []

    def wait(self, method: str, count: int = 1) -> Message:
        """The n-th notification of a method."""
        while True:
            self.take()
            found = [note for note in self.notes if note["method"] == method]
            if len(found) >= count:
                params: Message = found[count - 1]["params"]
                return params
            self.engine.receive()

    def of(self, method: str) -> List[Message]:
        return [note["params"] for note in self.notes if note["method"] == method]

    def names(self, *left: str) -> List[str]:
        """The methods of the notifications that have arrived, without the namespaces, and without changes of
        the state."""
        return [
            name for note in self.notes
            if (name := note["method"].split("/")[1]) not in (*left, "didChange")
        ]  # fmt: skip

    def copy(self) -> Dict[str, Any]:
        """A client's copy of the state, by all reports of its changes that have come."""
        self.take()
        copy: Dict[str, Any] = {"isRunning": False, "isInterrupted": False}
        for changes in self.of("captureSession/didChange"):
            assert len(changes) > 1
            for member, value in changes.items():
                assert copy.get(member) != value or member == "captureSession"
                copy[member] = value
        return copy

    def record(self, path: Path, output: int = 0, **more: Any) -> str:
        operation: str = self.engine.call(
            "captureOutput/startRecording", captureOutput=self.outputs[output],
            outputURL=str(path), **more,
        )["operation"]  # fmt: skip
        return operation

    def call(self, word: str, output: int = 0, **more: Any) -> Dict[str, Any]:
        return self.engine.call(
            f"captureOutput/{word}", captureOutput=self.outputs[output], **more
        )

    def end(self, operation: str) -> Message:
        """The end of a recording, which has come."""
        self.take()
        (end,) = [
            end for end in self.of("captureOutput/didFinishRecording")
            if end["operation"] == operation
        ]  # fmt: skip
        return end

    def close(self) -> None:
        self.engine.call("handle/close", handle=self.handle)


# MARK: Oracles


def probe(path: Path) -> Dict[str, Any]:
    """ffprobe's facts of a file."""
    out = subprocess.run(
        ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", str(path)],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    facts: Dict[str, Any] = json.loads(out)
    return facts


def numbers(path: Path, stream: str = "0:v:0", size: Tuple[int, int] = (640, 480)) -> List[int]:
    """The numbers in the pictures of a file: 16 cells in the top eighth, of which each is a bit."""
    width, height = size
    luma = subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-xerror", "-noautorotate", "-i", str(path)),
            *("-map", stream, "-fps_mode", "passthrough", "-pix_fmt", "gray"),
            *("-f", "rawvideo", "-"),
        ],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    assert len(luma) % (width * height) == 0
    found = []
    for frame in range(len(luma) // (width * height)):
        row = frame * width * height + (height // 16) * width
        cells = [luma[row + cell * (width // 16) + width // 32] > 126 for cell in range(16)]
        found.append(sum(bit << (15 - cell) for cell, bit in enumerate(cells)))
    return found


def times(path: Path, stream: str = "v:0") -> List[Fraction]:
    """The times of a stream's packets, in the order of presentation."""
    out = subprocess.run(
        [
            *("ffprobe", "-v", "error", "-select_streams", stream),
            *("-show_entries", "stream=time_base:packet=pts", "-of", "json", str(path)),
        ],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    facts = json.loads(out)
    base = Fraction(facts["streams"][0]["time_base"])
    return sorted(packet["pts"] * base for packet in facts["packets"])


def samples(path: Path, stream: str = "0:a:0") -> "array[float]":
    """The audio of a file, mono, as it is stored."""
    out = subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-i", str(path), "-map", stream, "-ac", "1"),
            *("-f", "f32le", "-"),
        ],
        check=True, capture_output=True,
    ).stdout  # fmt: skip
    return array("f", out)


def tone(count: int, rate: int = 48000) -> "array[float]":
    """The audio of a synthetic device."""
    import math

    beep = [0.5 * math.sin(2 * math.pi * 1000 * n / rate) for n in range(rate // 10)]
    return array("f", ((beep[n % rate] if n % rate < len(beep) else 0) for n in range(count)))


def same(one: "array[float]", other: "array[float]") -> bool:
    """True for equal audio, but for the rounding of an encoder of integers."""
    return len(one) == len(other) and all(abs(a - b) < 1e-6 for a, b in zip(one, other))


def total(drops: Dict[str, int]) -> int:
    return sum(drops.values())
