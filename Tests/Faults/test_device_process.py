"""The abilities that the process of devices has and no other worker, and the ones that it lacks."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple

import pytest

from engine import binary
from support import ffmpeg
from waiting import HANG, eventually

PROBES = Path(__file__).with_name("probes.c")


class Worker:
    """A worker process whose supervisor is the test."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.results = folder / "temporary/results"
        library = folder / "probes.so"
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(PROBES), "-ldl"]
        subprocess.run(command, check=True)
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(folder / "server"))
        server.listen(4)
        self.server = server
        self.socket, theirs = socket.socketpair()
        self.socket.settimeout(HANG)
        numbers = os.memfd_create("numbers")
        os.ftruncate(numbers, 4096)
        ends = [fcntl.fcntl(each, fcntl.F_DUPFD, 100) for each in (theirs.fileno(), numbers)]

        def begin() -> None:
            for number, end in enumerate(ends):
                os.dup2(end, 3 + number, inheritable=True)

        environment = {
            **os.environ, "LD_PRELOAD": str(library), "REELWIRE_PROBES": str(self.results),
            "REELWIRE_PROBE_SERVER": str(folder / "server"), "REELWIRE_PROBE_OWN": str(folder / "own"),
            "REELWIRE_PROBE_FILE": str(folder / "a.mp4"), "TMPDIR": str(folder / "temporary"),
        }
        (folder / "temporary").mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [binary(), "serve", "--as-worker", *arguments], env=environment, preexec_fn=begin, close_fds=False,
        )
        theirs.close()
        for descriptor in (numbers, *ends):
            os.close(descriptor)
        self.file = self.socket.makefile("rb")

    def call(self, method: str, **params: Any) -> Dict[str, Any]:
        text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        while True:
            length = 0
            for line in iter(self.file.readline, b"\r\n"):
                assert line, "the worker has ended"
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            answer: Dict[str, Any] = json.loads(self.file.read(length))
            if "id" in answer:
                return answer

    def probed(self) -> Dict[str, int]:
        """By the name of each probe, 0 or the error's number."""
        lines = eventually(
            "all probes",
            lambda: self.results.exists() and "\nfile " in self.results.read_text() and self.results.read_text(),
        ).splitlines()
        return {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in lines}

    def end(self) -> None:
        self.socket.close()
        self.file.close()
        self.server.close()
        self.process.wait(HANG)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", str(tmp_path / "a.mp4"))
    return tmp_path


def tried(folder: Path, *arguments: str) -> Tuple[Dict[str, int], Dict[str, Any], Dict[str, Any]]:
    """The probes of a worker, its answer to the opening of a file, and its restrictions."""
    worker = Worker(folder, *arguments)
    try:
        stats = worker.call("engine/stats")["result"]
        opened = worker.call("asset/open", url=str(folder / "a.mp4"))
        return worker.probed(), opened, stats["isolation"]["confinement"]
    finally:
        worker.end()


def skip_without_filter(confinement: Dict[str, Any]) -> None:
    if not confinement["systemCalls"]["holds"]:
        pytest.skip("this kernel filters no system calls")


REFUSED = (
    "bind", "listen", "socket pair", "internet socket", "internet socket 6", "kernel socket", "program", "signal",
)


def test_devices_have_local_sockets_and_nothing_else(folder: Path) -> None:
    probes, opened, confinement = tried(folder, "--for-devices")
    skip_without_filter(confinement)
    assert probes["unix socket"] == probes["connect"] == 0
    for name in REFUSED:
        assert probes[name] == errno.EPERM, name
    assert not (folder / "own").exists()
    assert opened["error"]["data"]["name"] == "operationNotAllowed"


def test_media_has_no_socket_at_all(folder: Path) -> None:
    probes, opened, confinement = tried(folder)
    skip_without_filter(confinement)
    assert probes["unix socket"] == probes["connect"] == errno.EPERM
    for name in REFUSED:
        assert probes[name] == errno.EPERM, name
    assert opened["result"]["asset"].startswith("asset:")


@pytest.mark.parametrize("method", ["composition/create", "library/open", "assetWriter/create"])
def test_devices_make_no_objects_of_media(folder: Path, method: str) -> None:
    worker = Worker(folder, "--for-devices")
    try:
        params = {
            "composition/create": {}, "library/open": {"path": str(folder / "library")},
            "assetWriter/create": {"outputURL": str(folder / "b.mp4"), "inputs": [{"mediaType": "video"}]},
        }[method]
        assert worker.call(method, **params)["error"]["data"]["name"] == "operationNotAllowed"
        assert worker.call("handle/list")["result"]["handles"] == []
    finally:
        worker.end()


@pytest.mark.parametrize("isForDevices", [True, False])
def test_roots_hide_all_but_what_finds_devices(folder: Path, isForDevices: bool) -> None:
    """With roots, the process of devices reads the configuration that leads to an audio server, and no media."""
    (folder / "root").mkdir()
    options = ["--for-devices"] if isForDevices else []
    probes, _, confinement = tried(folder, *options, "--root", str(folder / "root"))
    if not confinement["files"]["holds"]:
        pytest.skip("this kernel restricts no files")
    assert probes["configuration"] == (0 if isForDevices else errno.EACCES)
    assert probes["file"] == errno.EACCES


@pytest.fixture
def node() -> Iterator[None]:
    """A file at the place of the last camera that is known."""
    try:
        os.close(os.open("/dev/video63", os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        pytest.skip(f"no file can be made in /dev: {error.strerror}")
    yield
    os.unlink("/dev/video63")


@pytest.mark.parametrize("allowed", ["camera,screen", "microphone", ""])
@pytest.mark.parametrize("isForDevices", [True, False])
def test_roots_hide_cameras_without_permission(
    folder: Path, node: None, allowed: str, isForDevices: bool
) -> None:
    (folder / "root").mkdir()
    options = ["--for-devices"] if isForDevices else []
    options += ["--allow-capture", allowed] if allowed else []
    probes, _, confinement = tried(folder, *options, "--root", str(folder / "root"))
    if not confinement["files"]["holds"]:
        pytest.skip("this kernel restricts no files")
    isAllowed = isForDevices and "camera" in allowed
    assert probes["camera"] == (0 if isAllowed else errno.EACCES)
