"""Engines for the rows: a strict reader of every byte, and a count of every answer and every end.

The bare driver is the corpus tests'; `REELWIRE_SERVE_ARGUMENTS` is added to `serve`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

HERE = Path(__file__).resolve().parent
for neighbour in ("Corpus", "Faults"):
    sys.path.insert(0, str(HERE.parent / neighbour))

from engine import Engine, EngineError  # noqa: E402
from child_processes import children_of, gone_or_killed  # noqa: E402
from support import FaultyEngine  # noqa: E402

from rows import Run, expect  # noqa: E402
from waiting import HANG, eventually, received  # noqa: E402

__all__ = ["EngineError", "FaultyServer", "Server", "Shared", "serve_arguments"]

TERMINAL = {
    "asset/didLoadValues",
    "track/didLoadValues",
    "imageGenerator/didFinish",
    "imageGenerator/didFinishContactSheet",
    "exportSession/didFinish",
    "waveform/didFinish",
    "analysis/didFindSceneChanges",
    "analysis/didFindSilences",
    "analysis/didMeasureLoudness",
    "assetWriter/didTransfer",
    "library/didScan",
    "library/didFindDuplicates",
    "assetWriter/didFinish",
}


def serve_arguments() -> List[str]:
    return shlex.split(os.environ.get("REELWIRE_SERVE_ARGUMENTS", ""))


def refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def strict(line: bytes) -> Any:
    """A message as a strict parser reads it: UTF-8, no lone surrogates, no NaN."""
    value = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
    if b"\\ud" in line or b"\\uD" in line:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def has_internal_error(value: Any) -> bool:
    """True if an error, at any depth, reports a fault of the engine."""
    if isinstance(value, dict):
        return value.get("code") == -32603 or any(map(has_internal_error, value.values()))
    return isinstance(value, list) and any(map(has_internal_error, value))


class Checked(Engine):
    """Checks the invariants of every connection, with any use of it."""

    def _begin(self) -> None:
        self.impurities: List[str] = []
        self.internal: List[str] = []
        self.answered: "Counter[Any]" = Counter()
        self.ended: "Counter[str]" = Counter()
        self.began: Set[str] = set()
        self.observer: Optional[Callable[[Dict[str, Any]], None]] = None

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            try:
                message = strict(line)
                self._check(line, message)
            except ValueError as error:
                self.impurities.append(f"{error}: {line[:200]!r}")
                continue
            for single in message if isinstance(message, list) else [message]:
                self._record(single)
                self.messages.put(single)
        self.messages.put(None)

    def _check(self, line: bytes, message: Any) -> None:
        if not isinstance(message, (dict, list)):
            raise ValueError("not a message")
        # The engine's document lists the code.
        if b"-32603" in line and b'"openrpc"' not in line[:200] and has_internal_error(message):
            self.internal.append(line.decode("utf-8")[:600])

    def _record(self, message: Dict[str, Any]) -> None:
        if "id" in message:
            id = message["id"]
            self.answered[json.dumps(id)] += 1
            result = message.get("result")
            if isinstance(result, dict) and "operation" in result:
                self.began.add(result["operation"])
                # With `completion: response` this is the end, too: nothing else has more members.
                if len(result) > 1:
                    self.ended[result["operation"]] += 1
        elif message.get("method") in TERMINAL:
            self.ended[message["params"]["operation"]] += 1

    def receive(self) -> None:
        message = received(self.messages)
        if message is None:
            self.messages.put(None)
            raise ConnectionError(f"the engine ended with {self.process.wait(HANG)}")
        if "id" in message:
            if isinstance(message["id"], (int, str)):
                self.answers[message["id"]] = message
        elif self.observer is not None:
            self.observer(message)
        else:
            self.notifications.append(message)

    def operation(self, id: str) -> Dict[str, Any]:
        """The params of the terminal notification of an operation; earlier ones are dropped."""
        while True:
            notification = self.notification()
            params: Dict[str, Any] = notification["params"]
            if notification["method"] in TERMINAL and params["operation"] == id:
                return params

    def attempt(self, method: str, **params: Any) -> Tuple[str, Dict[str, Any]]:
        """A call's outcome: "ok" and its result, or the name of its error and its data."""
        try:
            return "ok", self.call(method, **params)
        except EngineError as error:
            return str(error.data["name"]), dict(error.data)

    def write(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def stats(self) -> Dict[str, Any]:
        return self.call("engine/stats")

    def workers(self) -> List[int]:
        """The numbers of the worker processes; none without isolation."""
        return list(self.stats().get("isolation", {}).get("workers", []))

    @property
    def isRunning(self) -> bool:
        return self.process.poll() is None

    def is_isolated(self) -> bool:
        return "isolation" in self.stats()

    def settle(self, ids: Sequence[int]) -> Dict[int, Dict[str, Any]]:
        """All answers to these requests, errors too."""
        while any(id not in self.answers for id in ids):
            self.receive()
        return {id: self.answers.pop(id) for id in ids}

    def check_counts(self) -> None:
        """One answer an id, one end an operation, and never an internal error."""
        # Each is reported once: by the case that has seen it first.
        impurities, self.impurities = self.impurities, []
        internal, self.internal = self.internal, []
        twice = [id for id, count in self.answered.items() if count > 1 and id != "null"]
        ends = [id for id, count in self.ended.items() if count > 1]
        self.answered.update({id: 1 - self.answered[id] for id in twice})
        self.ended.update({id: 1 - self.ended[id] for id in ends})
        expect(not impurities, f"not messages: {impurities[:3]}")
        expect(not internal, f"internal errors: {internal[:2]}")
        expect(not twice, f"answered more than once: {twice[:5]}")
        expect(not ends, f"ended more than once: {ends[:5]}")

    def wait_for_ends(self) -> None:
        """Until each operation has ended, once; the operations' notifications are dropped."""

        def has_all() -> bool:
            self.take()
            return not self.began - set(self.ended)

        eventually(
            lambda: f"operations without an end: {sorted(self.began - set(self.ended))[:5]}", has_all
        )
        # The messages before the answer have come.
        self.stats()
        self.check_ends()

    def check_ends(self) -> None:
        """Checks that each operation has ended once, after all work has ended."""
        self.check_counts()
        without = sorted(self.began - set(self.ended))
        self.began -= set(without)
        expect(not without, f"operations without an end: {without[:5]}")

    def end(self) -> int:
        """Closes stdin, and returns the exit code."""
        self.close_descriptors()
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        return self.process.wait(HANG)

    def close_descriptors(self) -> None:
        for descriptor in self.slabs.values():
            os.close(descriptor)
        self.slabs.clear()

    def kill(self) -> None:
        """Ends it, in any state; a process of its own that doesn't notice is ended too."""
        children = children_of(self.process.pid)
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(HANG)
        self.close_descriptors()
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.process.stdin.close()
        gone_or_killed(children)

    def __exit__(self, *_: Any) -> None:
        try:
            if self.isRunning:
                self.end()
        finally:
            self.kill()


class Server(Checked):
    """An engine as rows use it."""

    def __init__(self, *arguments: str, prefix: Sequence[str] = (), environment: Dict[str, str] = {}) -> None:
        self._begin()
        super().__init__(*arguments, *serve_arguments(), prefix=prefix, environment=environment)


class FaultyServer(Checked, FaultyEngine):
    """An engine whose system calls fail as `fail` configures."""

    def __init__(self, folder: Path, *arguments: str, **options: Any) -> None:
        self._begin()
        super().__init__(folder, *arguments, *serve_arguments(), **options)


class Shared:
    """A server for case after case, which is begun anew when one has ended it."""

    def __init__(self, run: Run, make: Callable[[], Checked] = Server) -> None:
        self.make = make
        self.current: Optional[Checked] = None
        self.begun = 0
        run.resources.callback(self.close)

    def __call__(self) -> Checked:
        if self.current is not None and not self.current.isRunning:
            self.drop()
        if self.current is None:
            self.current = self.make()
            self.begun += 1
        return self.current

    def drop(self) -> None:
        """The next one gets a new engine."""
        if self.current is not None:
            self.current.kill()
            self.current = None

    def close(self) -> None:
        if self.current is None:
            return
        current, self.current = self.current, None
        try:
            if current.isRunning:
                current.check_counts()
                current.end()
        finally:
            current.kill()
