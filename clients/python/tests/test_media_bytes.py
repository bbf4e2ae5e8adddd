"""Media that aren't files: bytes, file objects, pipes and URLs."""

import asyncio
import http.server
import io
import os
import re
import socket
import socketserver
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import nothing_left, nothing_left_async, run
from waiting import HANG, eventually, joined

import reelwire
from reelwire import http_bytes


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """Serves parts of its bytes on the loopback, in the way of ``mode``, and counts the bytes that it sends.

    A mode that is a URL is the target of a redirect.
    """

    daemon_threads = True

    def __init__(self, size, read, mode="ranges"):
        self.size, self.read, self.mode = size, read, mode
        self.sent = self.requests = 0
        self.ranges = []
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/media/clip%20one.mp4?token=1"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        server = self.server
        server.requests += 1
        if server.mode.startswith("http"):
            self.answer(302, {"Location": server.mode, "Content-Length": "0"})
            return
        if server.mode == "redirect" and "moved" not in self.path:
            self.answer(302, {"Location": "/moved.mp4", "Content-Length": "0"})
            return
        if server.mode == "missing":
            self.answer(404, {"Content-Length": "0"})
            return
        wanted = re.match(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if server.mode == "failing" and int(wanted[1]):
            self.answer(503, {"Content-Length": "0"})
            return
        if wanted and server.mode != "plain":
            start, end = int(wanted[1]), min(int(wanted[2]) + 1, server.size)
            tag = f'"{len(server.ranges)}"' if server.mode == "changing" else '"one"'
            if self.headers.get("If-Range", tag) != tag:
                start, end = 0, server.size
                self.answer(200, {"Content-Length": str(server.size), "ETag": tag})
            else:
                server.ranges.append((start, end))
                span = f"bytes {start}-{end - 1}/{server.size}"
                headers = {"Content-Length": str(end - start), "Content-Range": span, "ETag": tag}
                if server.mode == "endless" and start:
                    del headers["Content-Length"]
                    self.answer(206, {**headers, "Connection": "close"})
                    self.send_for_ever()
                    return
                self.answer(206, headers)
        else:
            start, end = 0, server.size
            self.answer(200, {"Content-Length": str(server.size)})
        for place in range(start, end, 1 << 20):
            part = server.read(place, min(1 << 20, end - place))
            server.sent += len(part)
            self.wfile.write(part)

    def send_for_ever(self):
        self.close_connection = True
        try:
            while True:
                self.server.sent += self.wfile.write(bytes(1 << 16))
        except ConnectionError:
            pass

    def answer(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_):
        pass


def serving(data, mode="ranges"):
    return Server(len(data), lambda offset, count: data[offset : offset + count], mode)


@pytest.fixture
def data(clip):
    return Path(clip).read_bytes()


def facts(asset):
    """The facts of an asset, and a frame of it."""
    engine = asset._parent
    tracks = engine.request("asset/tracks", {"asset": asset.handle})
    metadata = engine.request("asset/metadata", {"asset": asset.handle})
    return asset.duration, tracks, metadata, bytes(asset.image(1.5, format="rgb24").blob)


@pytest.mark.parametrize(
    "kind", [bytes, bytearray, memoryview, io.BytesIO, "file", "raw", "pipe", "wrapped"]
)
def test_the_same_as_by_a_path(engine, clip, data, kind):
    with engine.open(clip) as asset:
        expected = facts(asset)
    pump = None
    if kind == "file":
        source = open(clip, "rb")
        source.seek(100)  # Its place doesn't matter.
    elif kind == "raw":
        source = open(clip, "rb", buffering=0)
    elif kind == "pipe":
        pump = subprocess.Popen(["cat", str(clip)], stdout=subprocess.PIPE)
        source = pump.stdout
    elif kind == "wrapped":

        class Plain:
            """No more than a file object has to have."""

            def __init__(self):
                self.read = io.BytesIO(data).read

        source = Plain()
    else:
        source = kind(data)
    with engine.open(source) as asset:
        assert facts(asset) == expected
    if kind in ("file", "raw"):
        assert not source.closed
        source.close()
    if pump:
        source.close()
        pump.wait()


@pytest.mark.parametrize("mode", ["ranges", "plain", "redirect"])
def test_a_url_is_read_by_this_process(engine, clip, data, mode):
    with engine.open(clip) as asset:
        expected = facts(asset)
    server = serving(data, mode)
    with engine.open(server.url) as asset:
        assert facts(asset) == expected
        name = "moved.mp4" if mode == "redirect" else "media/clip%20one.mp4"
        assert asset.url.endswith(name) and "token" not in asset.url
    if mode == "plain":
        assert server.sent <= 2 * len(data)


def test_a_server_that_fails_has_a_name(engine, data):
    with pytest.raises(reelwire.ContentIsUnavailableError, match="404"):
        engine.open(serving(data, "missing").url)
    with pytest.raises(reelwire.ContentIsUnavailableError, match="can't be opened"):
        engine.open("http://127.0.0.1:9/nobody.mp4")
    for mode, reason in (("failing", "503"), ("changing", "has changed")):
        with engine.open(serving(data, mode).url) as asset:
            with pytest.raises(reelwire.FailedToLoadMediaDataError, match=reason):
                asset.image(3)


@pytest.mark.parametrize(
    "host",
    ("127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"),
)
def test_the_internet_leads_to_no_private_network(engine, data, monkeypatch, host):
    """A proxy on this machine answers for the first address, which is of the internet."""
    secret = serving(data)
    proxy = serving(data, f"http://{host}:{secret.server_address[1]}/clip.mp4")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:%d" % proxy.server_address[1])
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost,::1")
    outside = "http://1.1.1.1/clip.mp4"
    with pytest.raises(reelwire.ContentIsUnavailableError, match="which is in a private network"):
        engine.open(outside)
    assert (proxy.requests, secret.requests) == (1, 0)
    proxy.mode = "ranges"
    with engine.open(outside) as asset, engine.open(data) as same:
        assert facts(asset) == facts(same)


def test_a_name_that_leads_elsewhere_meanwhile(data, monkeypatch):
    """What a name's addresses are is asked twice: when it is judged, and when it is connected to."""
    server = serving(data)
    port = server.server_address[1]
    found = iter(["1.1.1.1"])
    really = socket.getaddrinfo

    def find(host, *rest, **named):
        outside = next(found, None)
        if outside is None:
            return really("127.0.0.1", *rest, **named)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (outside, port))]

    monkeypatch.setattr(socket, "getaddrinfo", find)
    with pytest.raises(reelwire.ContentIsUnavailableError, match="in a private network now"):
        http_bytes.HTTPBytes(f"http://site.example:{port}/clip.mp4")
    assert server.requests == 0


def test_no_more_is_read_than_was_asked_for(engine, data):
    server = serving(data, "endless")
    with engine.open(server.url) as asset:
        with pytest.raises(reelwire.FailedToLoadMediaDataError, match="more than"):
            asset.image(3)
    # The capacity of sockets, for each of a few attempts.
    assert server.sent < 64 << 20


def test_a_large_file_is_read_in_part(engine, clips, tmp_path):
    """Two gigabytes of which little is there: the server has the file of ``ffmpeg``, and zeros."""
    small = clips / "parted.mp4"
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi"]
    command += ["-i", "testsrc2=size=320x180:rate=25:duration=60", "-c:v", "libx264"]
    command += ["-preset", "ultrafast", "-g", "50", "-pix_fmt", "yuv420p", str(small)]
    subprocess.run(command, check=True)
    whole = tmp_path / "large.mp4"
    data = small.read_bytes()
    moov = data.rindex(b"moov") - 4
    with open(whole, "wb") as file:
        # A box of two gigabytes between the media and the header, which no reader needs.
        file.write(data[:moov])
        file.write((1).to_bytes(4, "big") + b"free" + (2 << 30).to_bytes(8, "big"))
        file.seek((2 << 30) - 16, os.SEEK_CUR)
        file.write(data[moov:])
    file = open(whole, "rb")

    def read(offset, count):
        return os.pread(file.fileno(), count, offset)

    server = Server(os.path.getsize(whole), read)
    assert server.size > 2 << 30
    before = engine.stats()
    with engine.open(server.url) as asset, engine.open(whole) as same:
        assert bytes(asset.image(40, format="rgb24").blob) == bytes(
            same.image(40, format="rgb24").blob
        )
    stats = engine.stats()
    received = stats["resourceBytesReceived"] - before["resourceBytesReceived"]
    assert received <= len(data) + (2 << 20)
    # Bytes that were still being read ahead at the end aren't received.
    assert server.sent <= received + (2 << 20)
    assert stats["resourceReads"] > before["resourceReads"]
    file.close()


def test_an_object_outlives_its_asset(engine, data):
    generator = engine.open(data).image_generator(tolerance=0)
    assert generator.image(1).width == 322
    generator.close()


def test_an_export_of_bytes(engine, clip, data, tmp_path):
    with engine.open(io.BytesIO(data)) as asset:
        asset.export(tmp_path / "out.mp4", "Passthrough")
    with engine.open(tmp_path / "out.mp4") as made, engine.open(clip) as asset:
        assert made.duration == asset.duration


def test_what_is_no_source(engine):
    for source in (5, None, object(), [1, 2]):
        with pytest.raises(TypeError, match="a source is a path, a URL, bytes or a file object"):
            engine.open(source)
    with pytest.raises(TypeError, match="'rb', not for text"):
        engine.open(io.StringIO("text"))
    with pytest.raises(reelwire.ReelwireError), engine.open(b"no media at all") as asset:
        asset.load("tracks")


def test_errors_of_a_source_reach_the_caller(engine, data):
    class Broken(io.BytesIO):
        pass

    class Failing:
        def seekable(self):
            return True

        def seek(self, offset, whence=0):
            return len(data)

        def read(self, count):
            raise OSError("the tape is torn")

    with engine.open(Failing()) as asset:
        with pytest.raises(reelwire.FailedToLoadMediaDataError, match="the tape is torn"):
            asset.load("tracks")


def test_other_schemes_need_fsspec(engine, monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(reelwire.PathNotAllowedError, match="fsspec is needed"):
        engine.open("s3://bucket/clip.mp4")


def test_whatever_fsspec_knows(engine, clip, data, monkeypatch):
    """A stand-in with the two calls that are made of it."""

    class System:
        def size(self, path):
            return len(data)

        def cat_file(self, path, start, end):
            return data[start:end]

    core = type(sys)("fsspec.core")
    core.url_to_fs = lambda url: (System(), "bucket/clip.mp4")
    monkeypatch.setitem(sys.modules, "fsspec", type(sys)("fsspec"))
    monkeypatch.setitem(sys.modules, "fsspec.core", core)
    with engine.open(clip) as asset:
        expected = facts(asset)
    with engine.open("memory://bucket/clip.mp4") as asset:
        assert facts(asset) == expected
        assert asset.url == "clip.mp4"


@pytest.mark.parametrize("kind", [str, Path, "url"])
def test_names_that_are_not_utf8(engine, clip, tmp_path, kind):
    raw = os.path.join(os.fsencode(tmp_path), b"caf\xe9 %41 clip.mp4")
    os.link(clip, raw)
    name = os.fsdecode(raw)
    source = f"file://{os.fsencode(tmp_path).decode()}/caf%E9%20%2541%20clip.mp4"
    with engine.open(clip) as asset:
        expected = facts(asset)
    with engine.open(source if kind == "url" else kind(name)) as asset:
        assert facts(asset) == expected
    with pytest.raises(reelwire.ReelwireError, match="caf"):
        engine.open(name + "x").load("tracks")


def test_in_asyncio(binary, data):
    async def main():
        async with reelwire.AsyncEngine(binary) as engine:
            async with await engine.open(data) as asset:
                images = await asyncio.gather(*(asset.image(each / 4) for each in range(8)))
                assert len({bytes(image.blob) for image in images}) == 8
            await nothing_left_async(engine)

    run(main())


def test_the_end_of_the_engine_while_it_waits(binary):
    """A read that is never answered doesn't block the end."""
    gate = threading.Event()

    class Stuck:
        def seekable(self):
            return True

        def seek(self, *_):
            return 100_000

        def read(self, count):
            gate.wait(HANG)
            return b"\0" * count

    with reelwire.Engine(binary) as engine:
        asset = engine.open(Stuck())
        job = threading.Thread(target=lambda: pytest.raises(Exception, asset.load, "tracks"))
        job.start()
        eventually("a read", lambda: engine.stats()["resourceReads"])
    gate.set()
    joined(job)


def test_nothing_is_left(binary, data):
    with reelwire.Engine(binary) as engine:
        with engine.open(data) as asset:
            asset.image(1)
        del asset
        nothing_left(engine)
        eventually("closed resources", lambda: not engine._core.transport.resources._open)
