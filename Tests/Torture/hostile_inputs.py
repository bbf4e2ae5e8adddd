"""H1 to H9: files that refer to others, and text that libavformat would read."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from checks import MEGABYTE, Alive, Clean, Effort, Memory, scratch_environment
from media import has
from rows import Run, Skipped, expect, row
from server import HERE, Checked, EngineError, Server, Shared
from steps import Steps, error_name, leftovers
from waiting import eventually

EXPECTED = HERE / "expected_hostile.json"

# A file that is none of a kind that is allowed is refused by one of these.
REFUSED = {"fileFormatNotRecognized", "fileFailedToParse", "referenceForbiddenByReferencePolicy"}

# The cost that a refusal may have: seconds of a processor, of which 10 ms are usual, and bytes read.
REFUSAL = (10.0, 16 * MEGABYTE)


@row("H1", "every hostile file of the corpus, all steps")
def every_hostile_file(run: Run) -> None:
    files = run.media.hostile()
    if not files:
        raise Skipped("no corpus: give its folder with --files")
    alive, folder = Alive(run.media.good), run.subfolder("out")
    server = Shared(run, lambda: Server(environment=scratch_environment(run)))
    expected = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    libraries = server().call("initialize")["ffmpeg"]["libraries"]
    recorded: Dict[str, Dict[str, str]] = {}

    def file(path: Path) -> None:
        steps = Steps(server(), path, folder, count=run.count)
        try:
            steps.all()
            alive.check(server())
        except Exception:
            server.drop()
            raise
        recorded[path.name] = dict(steps.outcomes)
        expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")
        known = expected.get("files", {}).get(path.name)
        if known and expected["libraries"] == libraries and not run.options.isRecording:
            differing = {
                step: outcome for step, outcome in steps.outcomes if known.get(step) != outcome
            }
            expect(not differing, f"other outcomes than recorded: {differing}")

    clean = Clean(server(), run.media.good, run.subfolder("temporary"))
    for path in files:
        run.case(path.name, file, path)
    run.case("clean", lambda: clean.check() if server.begun == 1 else None)
    if run.options.isRecording:
        document = {"libraries": libraries, "files": dict(sorted(recorded.items()))}
        EXPECTED.write_text(json.dumps(document, indent=1) + "\n")


def status(engine: Checked, path: object, key: str = "duration") -> Dict[str, Any]:
    """The status of one key of a file; the asset is closed again."""
    asset = engine.call("asset/open", url=str(path))["asset"]
    try:
        loaded = engine.call("asset/loadValues", asset=asset, keys=[key], completion="response")
    finally:
        engine.call("handle/close", handle=asset)
    value: Dict[str, Any] = loaded["values"][key]
    return value


def is_refused(run: Run, engine: Checked, path: Path) -> None:
    effort = Effort(engine)
    result = status(engine, path)
    name = error_name(result["error"]) if "error" in result else "loaded"
    run.count(name)
    expect(name in REFUSED, f"{path.name}: {name}")
    effort.check(*REFUSAL)


def playlists(canary: str) -> List[Tuple[str, str]]:
    """Texts that make libavformat open something else."""
    hls = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n{}\n#EXT-X-ENDLIST\n"
    dash = (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
        'mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4">'
        '<Representation id="1" bandwidth="1"><BaseURL>{}</BaseURL></Representation>'
        "</AdaptationSet></Period></MPD>\n"
    )
    concat = "ffconcat version 1.0\nfile {}\n"
    forms = ["{}", "file:{}", "concat:{}", "subfile,,start,0,end,0,,:{}", "crypto:{}", "cache:{}"]
    texts = [("hls", hls.format(form.format(canary))) for form in forms]
    texts += [("concat", concat.format(form.format(canary))) for form in forms]
    texts.append(("hls", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n" + canary + "\n"))
    texts += [("dash", dash.format(canary)), ("dash", dash.format("file://" + canary))]
    texts.append(("hls", hls.format("data:text/plain;base64,AAAA")))
    return texts


NAMES = ["mp4", "mov", "avi", "ts", "m3u8", "txt"]


@row("H2", "a playlist that names itself", quick=True)
def self_naming_playlist(run: Run) -> None:
    with Server() as engine:
        status(engine, run.media.good)
        for extension in ("m3u8", "mp4"):
            path = run.folder / f"self.{extension}"
            path.write_text(f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nself.{extension}\n")
            memory = Memory(engine)
            run.case(path.name, is_refused, run, engine, path)
            run.case(f"{path.name} memory", memory.check, 20 * MEGABYTE)


@row("H3", "an ffconcat file that names itself", quick=True)
def self_naming_concat(run: Run) -> None:
    with Server() as engine:
        status(engine, run.media.good)
        for extension in ("ffconcat", "mp4"):
            path = run.folder / f"self.{extension}"
            path.write_text(f"ffconcat version 1.0\nfile self.{extension}\n")
            clean = Clean(engine, run.media.good)
            run.case(path.name, is_refused, run, engine, path)
            run.case(f"{path.name} clean", clean.check)


class Trace:
    """The system calls of an engine that concern files and the network."""

    def __init__(self, run: Run) -> None:
        lacking = has("strace")
        if lacking:
            raise Skipped("strace is missing")
        self.path = run.folder / "trace"
        calls = "trace=open,openat,openat2,connect,socket,bind"
        # -D: the engine stays the child of this process.
        prefix = ["strace", "-D", "-f", "-qq", "-s", "4096", "-e", calls, "-o", str(self.path)]
        if subprocess.run([*prefix[:-1], "/dev/null", "true"], capture_output=True).returncode:
            raise Skipped("strace can't trace here")
        self.engine = Server(prefix=prefix)

    def lines(self) -> List[str]:
        return self.path.read_text(errors="replace").splitlines()


@row("H4", "texts that refer to another local file: the canary is never opened")
def references_to_files(run: Run) -> None:
    outside = run.subfolder("outside")
    canary = outside / "canary-7f3a.ts"
    canary.write_bytes(run.media["small.ts"].read_bytes())
    relative = Path("..") / "outside" / canary.name
    folder = run.subfolder("texts")
    trace = Trace(run)
    with trace.engine as engine:
        status(engine, run.media.good)
        number = 0
        for reference in (str(canary), str(relative)):
            for kind, text in playlists(reference):
                for extension in NAMES[:: run.amount(3, 1)]:
                    number += 1
                    path = folder / f"{kind}-{number}.{extension}"
                    path.write_text(text)
                    run.case(path.name, is_refused, run, engine, path)
    opened = trace.lines()
    run.case(
        "the trace has the good file",
        expect,
        any(run.media.good.name in line for line in opened),
        "it hasn't",
    )

    def untouched() -> None:
        bad = [line for line in opened if canary.name in line or "connect(" in line]
        expect(not bad, f"{bad[:2]}")

    run.case("canary", untouched)


class Listener:
    """Counts connections to a port of this machine."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.count = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            self.count += 1
            connection.close()

    def close(self) -> None:
        self.socket.close()


def network_files(run: Run, port: int) -> Iterator[Path]:
    urls = [f"http://127.0.0.1:{port}/x.ts", f"tcp://127.0.0.1:{port}", f"rtmp://127.0.0.1:{port}/a/b"]
    number = 0
    for url in urls:
        for kind, text in playlists(url):
            for extension in ("mp4", "m3u8"):
                number += 1
                path = run.folder / f"{kind}-{number}.{extension}"
                path.write_text(text)
                yield path


@row("H5", "texts that refer to the network: nothing connects", quick=True)
def references_to_network(run: Run) -> None:
    listener = Listener()
    run.resources.callback(listener.close)
    with Server() as engine:
        paths = list(network_files(run, listener.port))
        for path in paths[:: run.amount(6, 1)]:
            run.case(path.name, is_refused, run, engine, path)
        for url in (f"http://127.0.0.1:{listener.port}/a.mp4", f"tcp://127.0.0.1:{listener.port}"):
            run.case(url, named_error, run, engine, url)
    run.case("no connection", lambda: expect(listener.count == 0, f"{listener.count} connections"))
    # The listener would have counted.
    socket.create_connection(("127.0.0.1", listener.port)).close()
    run.case("the listener counts", eventually, "a connection", lambda: listener.count == 1)


def named_error(run: Run, engine: Checked, url: object) -> None:
    """A request or a key fails, by name; nothing loads."""
    try:
        result = status(engine, url)
    except EngineError as error:
        run.count(str(error.data["name"]))
        return
    expect("error" in result, f"{url!r} loads")
    run.count(error_name(result["error"]))


@row("H6", "a DASH manifest at which libavformat hangs")
def hanging_manifest(run: Run) -> None:
    found = [path for path in run.media.hostile() if "dash_emsg1_hang" in str(path)]
    if not found:
        raise Skipped("no corpus with hostile/dash_emsg1_hang")
    with Server() as engine:
        for path in found:
            run.case(path.name, ends_in_time, run, engine, path)


def ends_in_time(run: Run, engine: Checked, path: Path) -> None:
    effort = Effort(engine)
    result = status(engine, path)
    run.count(error_name(result["error"]) if "error" in result else "loaded")
    effort.check(*REFUSAL)
    if path.suffix == ".mpd":
        expect("error" in result, "a manifest loads")


@row("H7", "SDP and RTSP texts: no socket", quick=True)
def session_descriptions(run: Run) -> None:
    text = "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n"
    with Server() as engine:
        for extension in ("sdp", "mp4", "txt"):
            path = run.folder / f"session.{extension}"
            path.write_text(text)
            run.case(path.name, is_refused, run, engine, path)
        run.case("rtsp text", is_refused, run, engine, written(run, "x.rtsp", b"rtsp://127.0.0.1/a\n"))

        def no_socket() -> None:
            ports = Path("/proc/net/udp").read_text()
            expect(":138C" not in ports, "a socket listens at 5004")

        run.case("no socket", no_socket)


def written(run: Run, name: str, data: bytes) -> Path:
    path = run.folder / name
    path.write_bytes(data)
    return path


@row("H9", "text that libavformat would render as video", quick=True)
def rendered_text(run: Run) -> None:
    with Server() as engine:
        for extension in ("nfo", "ans", "txt", "ice", "diz", "asc"):
            path = written(run, f"host.{extension}", b"root:x:0:0:root:/root:/bin/bash\n" * 20)
            run.case(path.name, is_refused, run, engine, path)
