"""The process that fetches URLs: its connections, its ends, and the failures that commands report of it."""

from __future__ import annotations

import contextlib
import fcntl
import http.server
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import threading
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Set, Tuple

import pytest

from conftest import BINARY, Program, environment
from child_processes import stop
from waiting import HANG, eventually

HEADERS, BYTES, END = 1, 2, 3
PARTIAL_FILE = 18

Answer = Callable[["Site", http.server.BaseHTTPRequestHandler, int, int], None]


class Site:
    """A server of one file by ranges, over connections that stay open; `answer` may do something else for a request."""

    def __init__(self, data: bytes, certificate: Optional[Path] = None) -> None:
        self.data = data
        self.answer: Answer = Site.serve
        self.connections = 0
        self.requests: List[Tuple[int, int]] = []
        #: Set when the test ends: handlers that wait continue.
        self.ended = threading.Event()
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle(self) -> None:
                site.connections += 1
                with contextlib.suppress(OSError):
                    super().handle()

            def do_GET(self) -> None:
                wanted = re.match(r"bytes=(\d+)-(\d+)", self.headers["Range"])
                assert wanted
                first, last = int(wanted[1]), min(int(wanted[2]), len(site.data) - 1)
                site.requests.append((first, last))
                site.answer(site, self, first, last)

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        scheme, port = "https" if certificate else "http", self.server.server_address[1]
        self.url = f"{scheme}://127.0.0.1:{port}/clip.mp4"

    def begin(self, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {first}-{last}/{len(self.data)}")
        handler.send_header("Content-Length", str(last + 1 - first))
        handler.end_headers()

    def serve(self, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        self.begin(handler, first, last)
        handler.wfile.write(self.data[first : last + 1])

    def cut(self, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        """Closes the connection in the middle of the bytes."""
        self.begin(handler, first, last)
        handler.wfile.write(self.data[first : first + 100])
        handler.close_connection = True

    def stall(self, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        self.begin(handler, first, last)
        self.ended.wait()

    def close(self) -> None:
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def site(program: Program) -> Iterator[Site]:
    site = Site((program.folder / "clip.mp4").read_bytes())
    yield site
    site.close()


class WebProcess:
    """The process, asked by the test as the program asks it (CCurl.h)."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        end = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD, 100)

        def begin() -> None:
            os.dup2(end, 3, inheritable=True)

        self.process = subprocess.Popen(
            [str(BINARY), "--as-web-process"], env=environment(), preexec_fn=begin, close_fds=False,
            stdout=subprocess.PIPE,
        )
        theirs.close()
        os.close(end)

    def ask(self, url: str, first: int, last: int) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.settimeout(HANG)
        packet = b"\0".join(part.encode() for part in (url, f"{first}-{last}", "", "", "")) + b"\0"
        socket.send_fds(self.control, [packet], [theirs.fileno()])
        theirs.close()
        return ours

    def fetch(self, url: str, first: int, last: int) -> Tuple[bytes, int]:
        """The bytes of an answer, and libcurl's code at its end."""
        found = b""
        with self.ask(url, first, last) as answer, answer.makefile("rb") as file:
            while True:
                kind, count = struct.unpack(">BI", file.read(5))
                content = file.read(count)
                if kind == BYTES:
                    found += content
                if kind == END:
                    return found, struct.unpack(">I", content[:4])[0]

    def end(self) -> None:
        self.control.close()
        assert self.process.stdout and self.process.stdout.read() == b""
        assert self.process.wait(HANG) == 0


@pytest.fixture
def web() -> Iterator[WebProcess]:
    process = WebProcess()
    yield process
    process.end()


def fetchers(pid: int) -> Set[int]:
    """The processes that fetch URLs for a program."""
    found = set()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            name, _, rest = (entry / "stat").read_text().partition(" (")[2].rpartition(") ")
            if name == "reelwire web" and int(rest.split()[1]) == pid:
                found.add(int(entry.name))
    return found


def is_running(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[0] not in "ZX"
    return False


# Connections


def test_ranges_share_a_connection(web: WebProcess, site: Site) -> None:
    for index in range(200):
        assert web.fetch(site.url, index * 10, index * 10 + 9) == (site.data[index * 10 : index * 10 + 10], 0)
    assert site.connections == 1 and len(site.requests) == 200


def test_a_command_has_one_connection(program: Program, site: Site) -> None:
    program.ok("probe", site.url)
    assert site.connections == 1 and len(site.requests) > 1


def test_a_connection_that_was_closed_meanwhile(web: WebProcess, site: Site) -> None:
    """Without an announcement, as servers do after a while."""
    closed = threading.Semaphore(0)

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        site.serve(handler, first, last)
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True
        closed.release()

    site.answer = answer
    for index in range(3):
        assert web.fetch(site.url, index, index) == (site.data[index : index + 1], 0)
        assert closed.acquire(timeout=HANG)
    assert site.connections == 3


def test_a_range_that_is_cut_is_fetched_again(program: Program, site: Site) -> None:
    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        is_first = first == 0 or site.requests.count((first, last)) > 1
        (Site.serve if is_first else Site.cut)(site, handler, first, last)

    site.answer = answer
    assert "5 s" in program.ok("probe", site.url)
    assert site.connections == 2 and site.requests[1] == site.requests[2]


def test_a_range_that_is_cut_twice_is_an_error(program: Program, web: WebProcess, site: Site) -> None:
    site.answer = lambda site, handler, first, last: (Site.cut if first else Site.serve)(site, handler, first, last)
    assert web.fetch(site.url, 1000, 1999) == (site.data[1000:1100], PARTIAL_FILE)
    site.requests.clear()
    assert "bytes remaining" in program.fails(1, "export", site.url, "out.mp4", "--preset", "Passthrough")
    # The engine may ask again as well.
    assert all(first == 0 or site.requests.count((first, last)) % 2 == 0 for first, last in site.requests)
    assert not (program.folder / "out.mp4").exists()


def test_an_abandoned_request_closes_its_connection(web: WebProcess, site: Site) -> None:
    """And only that: others continue, also while nothing reads an endless answer."""
    begun, closed = threading.Event(), threading.Event()

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        if last < 100:
            return site.serve(handler, first, last)
        site.begin(handler, 0, 1 << 40)
        begun.set()
        try:
            while True:
                handler.wfile.write(bytes(1 << 16))
        except OSError:
            closed.set()

    site.answer = answer
    endless = web.ask(site.url, 0, 200)
    assert begun.wait(HANG)
    assert web.fetch(site.url, 5, 9) == (site.data[5:10], 0)
    assert not closed.is_set()
    endless.close()
    assert closed.wait(HANG)
    assert web.fetch(site.url, 5, 9) == (site.data[5:10], 0)


def test_a_url_that_is_too_long(web: WebProcess, site: Site) -> None:
    _, code = web.fetch(site.url + "?" + "x" * (170 << 10), 0, 9)
    assert code == 100 and not site.requests
    assert web.fetch(site.url, 0, 9) == (site.data[:10], 0)


def test_it_is_for_the_program_alone(program: Program) -> None:
    assert "for the program itself" in program.fails(2, "--as-web-process")


# Ends


@pytest.mark.parametrize("is_opening", [True, False])
def test_a_killed_process_is_named_and_replaced(program: Program, site: Site, is_opening: bool) -> None:
    started: "List[subprocess.Popen[bytes]]" = []
    ready = threading.Event()
    killed: List[int] = []

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        if killed or (first == 0) != is_opening:
            return site.serve(handler, first, last)
        assert ready.wait(HANG)
        killed.extend(fetchers(started[0].pid))
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        handler.close_connection = True

    site.answer = answer
    started.append(program.start("probe", site.url))
    ready.set()
    output, errors = started[0].communicate(timeout=HANG)
    assert len(killed) == 1
    if is_opening:
        assert started[0].returncode == 1 and output == b""
        assert b"the process that fetches URLs was ended by SIGKILL" in errors
    else:
        # The engine asks again, and the request starts another process.
        assert started[0].returncode == 0 and b"5 s" in output, errors
        assert site.connections == 2


@pytest.mark.parametrize("is_stopped", [False, True])
@pytest.mark.parametrize("is_opening", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_it_ends_with_the_command(
    program: Program, site: Site, number: signal.Signals, is_opening: bool, is_stopped: bool
) -> None:
    """Which waits for an answer that doesn't come, and would wait for ever."""

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        (Site.stall if is_opening or first else Site.serve)(site, handler, first, last)

    site.answer = answer
    started = program.start("probe", site.url, REELWIRE_SPEED_LIMIT="0")
    eventually("a request", lambda: len(site.requests) == (1 if is_opening else 2))
    (pid,) = fetchers(started.pid)
    if is_stopped:
        stop(pid)
    started.send_signal(number)
    output, _ = started.communicate(timeout=HANG)
    assert output == b"" and started.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
    eventually("its end", lambda: not is_running(pid))


# Failures


def test_without_libcurl(program: Program, site: Site) -> None:
    folder = program.folder / "libraries"
    folder.mkdir()
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        (folder / name).write_bytes(b"")
    variables: Dict[str, Optional[str]] = {"LD_LIBRARY_PATH": str(folder)}
    ended = program("probe", site.url, env=environment(**variables))
    assert ended.returncode == 1 and ended.stdout == b""
    assert b"read by libcurl, which can't be opened" in ended.stderr and b"Install libcurl" in ended.stderr
    assert b"! no URL can be read" in program("doctor", env=environment(**variables)).stdout
    assert "URLs are read by libcurl" in program.ok("doctor")


def test_a_server_that_is_not_there(program: Program) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        error = program.fails(1, "probe", f"http://127.0.0.1:{taken.getsockname()[1]}/a.mp4")
    assert "connect" in error and "Check the port" in error


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl to make a certificate")
def test_certificates(program: Program) -> None:
    """An unknown one is refused; CURL_CA_BUNDLE and SSL_CERT_FILE make it a known one."""
    file = program.folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(file), "-out", str(file) + ".out"]
        + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )
    authority = program.folder / "authority.pem"
    authority.write_bytes(Path(str(file) + ".out").read_bytes())
    file.write_bytes(file.read_bytes() + authority.read_bytes())
    site = Site((program.folder / "clip.mp4").read_bytes(), file)
    try:
        names = ("CURL_CA_BUNDLE", "SSL_CERT_FILE")
        unset: Dict[str, Optional[str]] = {name: None for name in (*names, "SSL_CERT_DIR")}
        ended = program("probe", site.url, env=environment(**unset))
        assert ended.returncode == 1 and not site.requests
        assert b"certificate" in ended.stderr and b"CURL_CA_BUNDLE" in ended.stderr
        for name in names:
            ended = program("probe", site.url, env=environment(**{**unset, name: str(authority)}))
            assert ended.returncode == 0 and b"5 s" in ended.stdout, ended.stderr
    finally:
        site.close()
