"""The engine's process, and the messages to and from it.

One JSON message a line over two pipes. The reader is our own: a line may be as long as it likes.
Everything here runs on one event loop; only ``release_later`` and ``close_later`` may be called
from any thread, because the garbage collector calls them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import subprocess
import weakref
from collections import deque
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, cast

from . import protocol
from .compositor import Compositors
from .errors import BinaryNotFoundError, EngineClosedError, EngineDiedError, error_from_wire
from .messages import encoded
from .operation import Operation
from .pipes import LineReader, Writer
from .playback import PLAYBACK, Playback
from .protocol import TERMINAL_NOTIFICATIONS, AsyncRequest
from .resource import Resources
from .shared_memory import SharedMemory

if TYPE_CHECKING:
    from .asset import AsyncAsset
    from .composition import AsyncComposition
    from .library import AsyncLibrary

__all__ = ["Transport", "of_another_process"]

#: The seconds within which released leases are collected, unless a request is sent before.
_SOON = 0.002

_log = logging.getLogger("reelwire")
_LEVELS = {
    "trace": 5,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
}

#: What requests with these verbs make, other than the noun of their method.
_MADE = {
    "fetch": "fetchResult",
    "addPeriodicTimeObserver": "timeObserver",
    "addBoundaryTimeObserver": "timeObserver",
}
#: The verbs of requests that make an object.
_MAKING = frozenset(("open", "create", "copy", "assemble", "import", *_MADE))


class _Pending:
    """A request that is not answered yet."""

    __slots__ = ("future", "method", "on_result", "terminal")

    def __init__(
        self,
        method: str,
        future: asyncio.Future[Any],
        terminal: str | None,
        on_result: Callable[[Any], None] | None = None,
    ) -> None:
        self.method = method
        #: Takes the result before any later message is looked at.
        self.on_result = on_result
        self.future = future
        #: The notification that ends the work, when the answer is to be an ``Operation``.
        self.terminal = terminal


class Transport:
    """An engine's process: requests, notifications and its end."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.command = list(command)
        self._env = None if env is None else dict(env)
        self._loop = asyncio.get_running_loop()
        self._owner = os.getpid()
        self._pending: dict[int, _Pending] = {}
        self._operations: dict[str, Operation] = {}
        self._last_id = 0
        self._closing = False
        self._failure: Exception | None = None
        self._ended = asyncio.Event()
        self._stderr: deque[str] = deque(maxlen=20)
        self._stderr_ended = asyncio.Event()
        self._garbage: deque[tuple[str, str]] = deque()
        self._collecting = False
        self._end_task: asyncio.Task[None] | None = None
        self.shared_memory = SharedMemory(self.release_later)
        #: The sources that the engine reads through this process.
        self.resources = Resources()
        #: The compositor of the frames that this process draws.
        self.compositors = Compositors(self)
        self.playback = Playback(self)
        #: The receivers of the segments of asset writers, by their handles.
        self.segments: dict[str, Callable[[protocol.AssetWriterDidOutputSegment], None]] = {}
        #: Makes a composition of clips: assets can't, for it is one.
        self.compose: Callable[..., Awaitable[AsyncComposition]]
        #: The assets that are open, by their handles.
        self.assets: weakref.WeakValueDictionary[str, AsyncAsset] = weakref.WeakValueDictionary()
        #: The libraries that are open, by their handles; they receive changes.
        self.libraries: weakref.WeakValueDictionary[str, AsyncLibrary] = (
            weakref.WeakValueDictionary()
        )
        #: The most bytes that a message to the engine has; 0 until it has reported it.
        self.message_limit = 0
        #: The typed face of ``send_request``: each method's params and result are known.
        self.request = cast(AsyncRequest, self.send_request)

    async def spawn(self) -> None:
        """Starts the process."""
        # A session of its own: Ctrl-C is for the client, which cancels and closes in good order.
        # The end of our process still ends the engine, because that closes its stdin.
        try:
            self._process = subprocess.Popen(  # noqa: ASYNC220
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._env,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise BinaryNotFoundError(
                f"{self.command[0]} cannot be started: {error.strerror}",
                hint="Give the path of the reelwire binary.",
            ) from error
        self._stdin, self._writer = await self._loop.connect_write_pipe(Writer, self._process.stdin)
        self._stdout, _ = await self._loop.connect_read_pipe(
            lambda: LineReader(self._on_line, self._on_end), self._process.stdout
        )
        self._log_pipe, _ = await self._loop.connect_read_pipe(
            lambda: LineReader(self._on_log, self._stderr_ended.set), self._process.stderr
        )

    @property
    def pid(self) -> int:
        """The process id of the engine."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """True if requests can be sent."""
        return self._failure is None and not self._closing and not self.is_forked

    @property
    def is_forked(self) -> bool:
        """True if this process is a fork of the one that the engine belongs to."""
        return os.getpid() != self._owner

    @property
    def stderr(self) -> list[str]:
        """The last lines that the engine wrote to its stderr."""
        return list(self._stderr)

    # Requests

    async def send_request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        on_result: Callable[[Any], None] | None = None,
    ) -> Any:
        """Sends a request and waits for its result; when cancelled, so is the request.

        ``on_result`` takes the result before any message that follows it.
        """
        return await self._answer(method, params, None, on_result)

    async def start(self, method: str, params: Mapping[str, Any]) -> Operation:
        """Sends a request that starts work, and waits until that has begun."""
        operation = await self._answer(method, params, TERMINAL_NOTIFICATIONS[method])
        return cast(Operation, operation)

    async def _answer(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        terminal: str | None,
        on_result: Callable[[Any], None] | None = None,
    ) -> Any:
        identifier = self._last_id = self._last_id + 1
        self._write(_message(method, params, identifier))
        future: asyncio.Future[Any] = self._loop.create_future()
        self._pending[identifier] = _Pending(method, future, terminal, on_result)
        try:
            await self._writer.ready.wait()
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                if future.exception() is None:
                    self._discard(method, future.result())
            else:
                future.cancel()
                if self.is_alive:
                    self.notify("$/cancelRequest", {"id": identifier})
            raise

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Sends a notification."""
        self._write(_message(method, params))

    def _write(self, message: Mapping[str, Any]) -> None:
        if self.is_forked:
            raise of_another_process()
        if self._failure is not None:
            raise self._failure
        if self._closing:
            raise EngineClosedError("the engine is closed", hint="Start another one.")
        if self._garbage:
            self._collect()
        self._write_now(message)

    def _write_now(self, message: Mapping[str, Any]) -> None:
        self._stdin.write(encoded(message, self.message_limit))

    # Incoming messages

    def _on_line(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = json.loads(line)
        except ValueError:
            _log.warning("the engine wrote what is no message: %r", line[:200])
            return
        for each in message if isinstance(message, list) else [message]:
            if "method" in each:
                self._on_notification(each["method"], each.get("params") or {})
            else:
                self._on_response(each)

    def _on_response(self, message: dict[str, Any]) -> None:
        if message.get("id") is None and "error" in message:
            self._fail_unidentified(message["error"])
            return
        pending = self._pending.pop(message.get("id") or 0, None)
        if pending is None:
            _log.warning("the engine answered what nobody asked: %.200s", message)
            return
        future, result = pending.future, message.get("result")
        if "error" in message:
            if not future.done():
                future.set_exception(error_from_wire(message["error"]))
        elif future.done():
            self._discard(pending.method, result)
        elif pending.terminal is None:
            if pending.on_result is not None:
                pending.on_result(result)
            future.set_result(result)
        else:
            # Registered here and not by the waiting caller: the next message may be its first.
            operation = Operation(cast("dict[str, str]", result)["operation"], pending.terminal)
            self._operations[operation.handle] = operation
            future.set_result(operation)

    def _fail_unidentified(self, error: Any) -> None:
        """Fails every unanswered request: one of them will never be answered, and it isn't known which.

        Those of them that the engine continues are cancelled. They stay registered, so that their
        late results are released.
        """
        for identifier, pending in list(self._pending.items()):
            if pending.future.done():
                continue
            pending.future.set_exception(error_from_wire(error))
            if self.is_alive:
                self._write_now(_message("$/cancelRequest", {"id": identifier}))

    def _on_notification(self, method: str, params: dict[str, Any]) -> None:
        if method == "engine/log":
            logger = _log.getChild(str(params.get("logger", "engine")))
            logger.log(_LEVELS.get(params.get("level", ""), logging.INFO), params.get("message"))
            return
        if method.startswith("resource/"):
            self.resources.deliver(method, params)
            return
        if method == "videoComposition/composeFrame":
            self.compositors.deliver(cast(Any, params))
            return
        if method == "assetWriter/didOutputSegment" and params["assetWriter"] in self.segments:
            self.segments[params["assetWriter"]](cast(Any, params))
            return
        if method.startswith(PLAYBACK) and params.get("operation", "") not in self._operations:
            self.playback.deliver(method, params)
            return
        if method == "library/didChange":
            library = self.libraries.get(params["library"])
            if library is not None:
                library._deliver(cast(Any, params))
            return
        if method == "library/didFail":
            library = self.libraries.get(params["library"])
            if library is not None:
                library._fail(error_from_wire(params["error"]))
            return
        operation = self._operations.get(params.get("operation", ""))
        if operation is None:
            self._discard(method, params)
            return
        operation.deliver(method, params)
        if operation.ended:
            del self._operations[operation.handle]

    def abandon(self, operation: Operation) -> None:
        """Drops the notifications of an operation that isn't waited for."""
        self._operations.pop(operation.handle, None)
        for params in operation.untaken():
            self._discard(operation.terminal, params)

    def _discard(self, method: str, value: Any) -> None:
        """Releases the resources of an answer that came too late."""
        if isinstance(value, Operation):
            self.abandon(value)
            self.close_later(value.handle)
            return
        self.give_back(value)
        noun, _, verb = method.partition("/")
        if isinstance(value, dict):
            made = _MADE.get(verb, noun)
            if verb in _MAKING and made in value:
                self.close_later(value[made])
            elif method in TERMINAL_NOTIFICATIONS and set(value) == {"operation"}:
                self.close_later(value["operation"])

    # Released leases

    def release_later(self, lease: str) -> None:
        """Returns a lease soon, together with others; from any thread."""
        self._collect_later("lease", lease)

    def give_back(self, value: Any) -> None:
        """Returns every lease in a result that isn't used; from any thread."""
        for lease in _leases(value):
            self.release_later(lease)

    def close_later(self, handle: str) -> None:
        """Closes a handle soon; from any thread."""
        self._collect_later("handle", handle)

    def _collect_later(self, kind: str, name: str) -> None:
        self._garbage.append((kind, name))
        if not self._collecting:
            self._collecting = True
            with contextlib.suppress(RuntimeError):  # The loop is closed, and so is the engine.
                self._loop.call_soon_threadsafe(self._collect_soon)

    def _collect_soon(self) -> None:
        # Waking the loop for each of thousands of buffers would take longer than reading them.
        self._loop.call_later(_SOON, self._collect)

    def _collect(self) -> None:
        # Appending code checks the flag afterwards: nothing is left between here and the end.
        self._collecting = False
        leases: list[str] = []
        handles: list[str] = []
        while self._garbage:
            kind, name = self._garbage.popleft()
            (leases if kind == "lease" else handles).append(name)
        if not self.is_alive:
            return
        if leases:
            self._write_now(_message("blob/release", {"leases": leases}))
        for handle in handles:
            self.ask_without_waiting("handle/close", {"handle": handle})

    def ask_without_waiting(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Sends a request whose answer isn't needed."""
        identifier = self._last_id = self._last_id + 1
        future: asyncio.Future[Any] = self._loop.create_future()
        future.cancel()
        self._pending[identifier] = _Pending(method, future, None)
        self._write_now(_message(method, params, identifier))

    # The end

    def _on_log(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip()
        self._stderr.append(text[:1000])
        _log.getChild("stderr").debug("%s", text)

    def _on_end(self) -> None:
        self._end_task = self._loop.create_task(self._end())

    async def _end(self) -> None:
        """The engine's stdout has ended: finds the reason, and wakes all waiting callers."""
        if not await self._exited(5):
            self._process.kill()
            await self._exited(5)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._stderr_ended.wait(), 1)
        if self._closing:
            self._failure = EngineClosedError("the engine was closed", hint="Start another one.")
        else:
            self._failure = EngineDiedError(self._process.returncode, self.stderr)
        for pending in self._pending.values():
            if not pending.future.done():
                pending.future.set_exception(self._failure)
        for operation in self._operations.values():
            operation.fail(self._failure)
        self._pending.clear()
        self._operations.clear()
        for library in list(self.libraries.values()):
            library._fail(self._failure)
        self.playback.fail(self._failure)
        self.resources.end()
        self.compositors.end()
        for pipe in (self._stdin, self._stdout, self._log_pipe):
            pipe.close()
        self._ended.set()

    async def _exited(self, patience: float) -> bool:
        deadline = self._loop.time() + patience
        pause = 0.001
        while self._process.poll() is None:
            if self._loop.time() > deadline:
                return False
            await asyncio.sleep(pause)
            pause = min(pause * 2, 0.05)
        return True

    async def close(self) -> None:
        """Ends the engine in good order, or by force when it does not go within two seconds."""
        if self.is_forked:
            return
        if not self._closing and self._failure is None:
            self._collect()
            self.ask_without_waiting("shutdown")
            self._write_now(_message("exit", None))
            self._closing = True
            self._stdin.close()
        for patience, force in ((2, self._process.terminate), (1, self._process.kill)):
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._ended.wait(), patience)
                return
            force()
        await self._ended.wait()

    async def wait_until_dead(self) -> None:
        """Waits until the process has ended and all waiting callers were woken."""
        await self._ended.wait()


def of_another_process() -> EngineClosedError:
    """The error of a fork that uses an engine which it has inherited."""
    return EngineClosedError(
        "the engine belongs to the process that forked this one",
        hint="Start an engine in each process.",
    )


def _message(
    method: str, params: Mapping[str, Any] | None, identifier: int | None = None
) -> dict[str, Any]:
    """A request, or a notification where there is no identifier."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if identifier is not None:
        message["id"] = identifier
    if params:
        message["params"] = params
    return message


def _leases(value: Any) -> list[str]:
    """Every lease in a result or in the params of a notification."""
    if isinstance(value, dict):
        found = [lease for member in value.values() for lease in _leases(member)]
        return [value["lease"], *found] if isinstance(value.get("lease"), str) else found
    if isinstance(value, list):
        return [lease for element in value for lease in _leases(element)]
    return []
