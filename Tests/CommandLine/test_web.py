"""Web servers that lie: the requests of the program, and the results. All are on this machine."""

from __future__ import annotations

import contextlib
import http.server
import json
import re
import subprocess
import threading
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Optional, Tuple

import pytest

from conftest import Program, environment, ffmpeg

Answer = Callable[["Site", http.server.BaseHTTPRequestHandler, int, int], None]


class Site:
    """A server of one file by ranges; `answer` may do something else for a request."""

    def __init__(self, data: bytes, answer: Optional[Answer] = None) -> None:
        self.data = data
        self.answer = answer
        #: The path and the headers of each request.
        self.requests: List[Tuple[str, Dict[str, str]]] = []
        self.tag = '"1"'
        #: Set when the test ends: handlers that wait continue.
        self.ended = threading.Event()
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.requests.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
                wanted = re.match(r"bytes=(\d+)-(\d+)", self.headers["Range"])
                assert wanted
                with contextlib.suppress(ConnectionError):
                    first, last = int(wanted[1]), min(int(wanted[2]), len(site.data) - 1)
                    (site.answer or Site.serve)(site, self, first, last)

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def serve(self, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        self.begin(handler, first, last)
        handler.send_header("Content-Length", str(last + 1 - first))
        handler.end_headers()
        handler.wfile.write(self.data[first : last + 1])

    def begin(self, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {first}-{last}/{len(self.data)}")
        handler.send_header("ETag", self.tag)


def redirect(handler: http.server.BaseHTTPRequestHandler, target: str) -> None:
    handler.send_response(302)
    handler.send_header("Location", target)
    handler.end_headers()


@pytest.fixture
def sites(program: Program) -> Iterator[Callable[..., Site]]:
    data = (program.folder / "clip.mp4").read_bytes()
    made: List[Site] = []

    def make(answer: Optional[Answer] = None) -> Site:
        made.append(Site(data, answer))
        return made[-1]

    yield make
    for site in made:
        site.ended.set()
        site.server.shutdown()
        site.server.server_close()


def test_a_header_with_a_line_feed_is_refused(program: Program, sites: Callable[..., Site]) -> None:
    """It would be a line of its own in our next request, to any server."""
    site = sites()
    site.tag = '"1"\nX-Injected: yes'

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {first}-{last}/{len(site.data)}")
        handler.flush_headers()
        # Another program would parse that as two lines.
        handler.wfile.write(b'ETag: "1\rX-Injected: yes"\r\n\r\n' + site.data[first : last + 1])

    for how in (None, answer):
        site.answer = how
        assert "control characters" in program.fails(1, "probe", f"{site.base}/clip.mp4")
    assert len(site.requests) == 2


def test_what_a_server_states_goes_to_no_other(program: Program, sites: Callable[..., Site]) -> None:
    other = sites()

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        redirect(handler, f"{other.base}/clip.mp4") if first else site.serve(handler, first, last)

    site = sites(answer)
    program.ok("export", f"{site.base}/clip.mp4", "out.mp4", "--preset", "Passthrough")
    assert any("if-range" in headers for _, headers in site.requests)
    assert other.requests and not any("if-range" in headers for _, headers in other.requests)


@pytest.mark.parametrize("target", ("{base}/b/clip.mp4?x", "//{host}/b/clip.mp4?x", "/b/clip.mp4?x", "b/clip.mp4?x"))
def test_redirects_are_followed(program: Program, sites: Callable[..., Site], target: str) -> None:
    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        if handler.path.startswith("/b/"):
            site.serve(handler, first, last)
        else:
            redirect(handler, target.format(base=site.base, host=site.base.partition("//")[2]))

    site = sites(answer)
    assert "5 s" in program.ok("probe", f"{site.base}/clip.mp4")
    assert site.requests[1][0] == "/b/clip.mp4?x"


@pytest.mark.parametrize("target", ("file:///etc/hostname", "ftp://127.0.0.1/x", "http:///x", "/a\tb"))
def test_other_redirects_are_refused(program: Program, sites: Callable[..., Site], target: str) -> None:
    site = sites(lambda site, handler, first, last: redirect(handler, target))
    program.fails(1, "probe", f"{site.base}/clip.mp4")
    assert len(site.requests) == 1


@pytest.mark.parametrize("host", ("127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]"))
def test_the_internet_leads_to_no_private_network(
    program: Program, sites: Callable[..., Site], host: str
) -> None:
    """The first address is one of documentation's, which a proxy on this machine answers for."""
    secret = sites()
    port = secret.base.rpartition(":")[2]
    proxy = sites(lambda site, handler, first, last: redirect(handler, f"http://{host}:{port}/clip.mp4"))
    variables = {"http_proxy": proxy.base, "no_proxy": "127.0.0.1,localhost,::1"}
    ended = program("probe", "http://203.0.113.5/clip.mp4", env=environment(**variables))
    assert ended.returncode == 1 and b"private network" in ended.stderr
    assert len(proxy.requests) == 1 and not secret.requests


def test_no_more_is_read_than_was_asked_for(program: Program, sites: Callable[..., Site]) -> None:
    sent: List[int] = []

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        site.begin(handler, first, last)
        handler.end_headers()
        while not site.ended.is_set():
            sent.append(handler.wfile.write(bytes(1 << 16)))

    site = sites(answer)
    assert "more than" in program.fails(1, "probe", f"{site.base}/clip.mp4")
    # The capacity of pipes and sockets.
    assert sum(sent) < 32 << 20


def test_another_range_is_refused(program: Program, sites: Callable[..., Site]) -> None:
    """Its bytes would count as those of the requested place."""

    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        site.serve(handler, 0, last - first)

    program.fails(1, "export", f"{sites(answer).base}/clip.mp4", "out.mp4", "--preset", "Passthrough")
    assert not (program.folder / "out.mp4").exists()


def test_a_server_that_stands_still_is_given_up(program: Program, sites: Callable[..., Site]) -> None:
    def answer(site: Site, handler: http.server.BaseHTTPRequestHandler, first: int, last: int) -> None:
        site.begin(handler, first, last)
        handler.end_headers()
        handler.wfile.write(b"\0")
        site.ended.wait()

    url = f"{sites(answer).base}/clip.mp4"
    ended = program("probe", url, env=environment(REELWIRE_SPEED_TIME="0.5"))
    assert ended.returncode == 1 and b"less than 256 bytes a second" in ended.stderr


def test_files_are_as_large_as_these_tests_need(program: Program) -> None:
    """The first read is not all of it, or nothing else would be requested."""
    assert Path(program.folder / "clip.mp4").stat().st_size > 64 << 10


def test_images_and_clips_may_have_urls(program: Program, sites: Callable[..., Site]) -> None:
    folder = program.folder
    ffmpeg(["-i", folder / "clip.mp4", "-frames:v", "1", folder / "still.png"])
    site = sites()
    clip, site.data = site.data, (folder / "still.png").read_bytes()
    program.ok("stills", f"{site.base}/still.png", "still.png", "--duration", "1", "-o", "web.mkv", "--video-codec", "ffv1")
    program.ok("stills", "still.png", "still.png", "--duration", "1", "-o", "files.mkv", "--video-codec", "ffv1")
    assert frames(folder / "web.mkv") == frames(folder / "files.mkv") != []
    site.data = b"no image"
    complaint = program.fails(1, "stills", f"{site.base}/text.png", "-o", "none.mp4")
    assert f"{site.base}/text.png" in complaint and "/proc" not in complaint
    site.data = clip
    for name, url in (("web", f"{site.base}/clip.mp4"), ("files", "clip.mp4")):
        sequence = {"clips": [{"url": url, "timeRange": {"start": 1, "duration": 1}}, {"url": "clip.mp4"}]}
        (folder / f"{name}.json").write_text(json.dumps(sequence))
        program.ok("compose", f"{name}.json", "-o", f"{name}.mp4")
    assert frames(folder / "web.mp4") == frames(folder / "files.mp4") != []
    # The printed timeline can be composed again.
    (folder / "again.json").write_text(program.ok("compose", "web.json"))
    assert f"{site.base}/clip.mp4" in (folder / "again.json").read_text()
    program.ok("compose", "again.json", "-o", "again.mp4")
    assert frames(folder / "again.mp4") == frames(folder / "web.mp4")


def frames(path: Path) -> List[str]:
    """The sums of a file's pictures, as ffmpeg decodes them."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:v", "-f", "framemd5", "-"]
    lines = subprocess.check_output(command).decode().splitlines()
    return [line.split(",")[-1].strip() for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "clip.mp4", "out.mp4", "--burn-subtitles", "http://127.0.0.1:1/a.srt"],
        ["export", "clip.mp4", "out.mp4", "--chapters", "http://127.0.0.1:1/a.txt"],
        ["subtitles", "add", "clip.mp4", "http://127.0.0.1:1/a.srt", "-o", "out.mp4"],
        ["tags", "clip.mp4", "--cover", "http://127.0.0.1:1/a.jpg", "-o", "out.mp4"],
    ],
)
def test_other_files_are_local(program: Program, arguments: List[str]) -> None:
    complaint = program.fails(1, *arguments)
    assert "is a URL" in complaint and "etch" in complaint
    assert "--root" not in complaint and "local files only" not in complaint
    assert not (program.folder / "out.mp4").exists()


def test_other_schemes_are_refused_with_those_that_work(program: Program) -> None:
    complaint = program.fails(1, "probe", "ftp://127.0.0.1/clip.mp4")
    assert all(scheme in complaint for scheme in ("http", "https", "file"))
