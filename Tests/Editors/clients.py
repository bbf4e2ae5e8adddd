"""The engine behind other projects' clients for Python, with one interface for the tests.

`start` sends a request and returns its id and the future of its result, and `cancel` cancels it by
that id. `Failure` is an error of the engine as the client passes it on. Notifications wait in
`notifications`, in the order in which they came.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import subprocess
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from waiting import HANG, joined, received

Notification = Tuple[str, Dict[str, Any]]


class Failure(Exception):
    def __init__(self, error: Any) -> None:
        super().__init__(error.message)
        self.code: int = error.code
        self.message: str = error.message
        self.data: Dict[str, Any] = plain(error.data)


def plain(value: Any) -> Any:
    """pygls makes named tuples of objects."""
    if hasattr(value, "_asdict"):
        return {name: plain(member) for name, member in value._asdict().items()}
    if isinstance(value, list):
        return [plain(element) for element in value]
    return value


class Client:
    """The common part of both: blocking calls, and waiting for notifications."""

    def __init__(self) -> None:
        self.notifications: "queue.Queue[Notification]" = queue.Queue()

    def start(self, method: str, params: Any = None) -> "Tuple[Any, Future[Any]]":
        raise NotImplementedError

    def notify(self, method: str, params: Any = None) -> None:
        raise NotImplementedError

    def result(self, future: "Future[Any]") -> Any:
        try:
            return plain(future.result(HANG))
        except self.failures as error:
            raise Failure(error) from None

    def call(self, method: str, params: Any = None) -> Any:
        return self.result(self.start(method, params)[1])

    def cancel(self, message_id: Any) -> None:
        self.notify("$/cancelRequest", {"id": message_id})

    def until(self, method: str) -> Iterator[Notification]:
        """The notifications up to the first of a method, which is the last one."""
        while True:
            notification = received(self.notifications)
            yield notification
            if notification[0] == method:
                return


class LanguageServerEndpoint(Client):
    """python-lsp-jsonrpc: two blocking streams with a thread that reads."""

    def __init__(self, command: List[str]) -> None:
        from pylsp_jsonrpc.endpoint import Endpoint
        from pylsp_jsonrpc.exceptions import JsonRpcException
        from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

        super().__init__()
        self.failures = JsonRpcException
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.writer = JsonRpcStreamWriter(self.process.stdin)
        self.last_id = ""
        numbers = itertools.count(1)

        # To cancel a request its id has to be known. The future's own cancel() sends it too, but
        # the answer to it then ends the reading thread of python-lsp-jsonrpc 1.1.2.
        def generate() -> str:
            self.last_id = f"request-{next(numbers)}"
            return self.last_id

        self.endpoint = Endpoint(Notifications(self), self.writer.write, generate)
        reader = JsonRpcStreamReader(self.process.stdout)
        self.thread = threading.Thread(target=reader.listen, args=(self.endpoint.consume,))
        self.thread.start()

    def start(self, method: str, params: Any = None) -> "Tuple[Any, Future[Any]]":
        future = self.endpoint.request(method, params)
        return self.last_id, future

    def notify(self, method: str, params: Any = None) -> None:
        self.endpoint.notify(method, params)

    def close(self) -> int:
        self.notify("exit")
        code = self.process.wait(HANG)
        joined(self.thread)
        self.endpoint.shutdown()
        self.writer.close()
        self.process.stdout.close()
        return code


class Notifications:
    """A dispatcher of python-lsp-jsonrpc that accepts every method."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def __getitem__(self, method: str) -> Any:
        return lambda params: self.client.notifications.put((method, params))


class GenericLanguageServerClient(Client):
    """pygls: asyncio, in a thread of its own."""

    # Its protocol knows a method by name only.
    METHODS = [
        "asset/didLoadValues",
        "imageGenerator/didGenerateImage",
        "imageGenerator/didFinish",
        "exportSession/didProgress",
        "exportSession/didFinish",
    ]

    def __init__(self, command: List[str]) -> None:
        from pygls.client import JsonRPCClient
        from pygls.exceptions import JsonRpcException

        super().__init__()
        self.failures = JsonRpcException
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.client = JsonRPCClient()
        for method in self.METHODS:
            self.client.feature(method)(self.receiver(method))
        self.run(self.client.start_io(*command))
        self.numbers = itertools.count(1)

    def receiver(self, method: str) -> Any:
        def receive(params: Any) -> None:
            self.notifications.put((method, plain(params)))

        return receive

    def run(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(HANG)

    def start(self, method: str, params: Any = None) -> "Tuple[Any, Future[Any]]":
        message_id = next(self.numbers)

        async def send() -> "Future[Any]":
            return self.client.protocol.send_request(method, params, msg_id=message_id)

        return message_id, self.run(send())

    def notify(self, method: str, params: Any = None) -> None:
        async def send() -> None:
            self.client.protocol.notify(method, params)

        self.run(send())

    def close(self) -> int:
        process = self.client._server
        self.notify("exit")
        code = self.run(process.wait())
        self.run(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        joined(self.thread)
        self.loop.close()
        return code


def launch(name: str, binary: Path) -> Client:
    kinds = {"python-lsp-jsonrpc": LanguageServerEndpoint, "pygls": GenericLanguageServerClient}
    return kinds[name]([str(binary), "serve"])
