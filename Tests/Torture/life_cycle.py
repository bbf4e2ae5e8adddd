"""C10 to C13, C15 to C20: the begin and the end of a connection, and the output on stdout and stderr."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
from pathlib import Path
from typing import List, Optional

from checks import close_all
from engine import binary
from media import has
from raw import STATS, Raw, lines, request
from rows import Run, expect, row
from server import Checked, Server, serve_arguments
from child_processes import children_of, gone
from steps import leftovers
from waiting import HANG, Stopwatch, joined, pause


def working(run: Run, raw: Raw, exports: int, folder: Path) -> None:
    """Has exports begin that last for seconds."""
    raw.write(lines(request("open", "asset/open", url=str(run.media.long))))
    asset = raw.answer("open")["result"]["asset"]
    for number in range(exports):
        params = {"asset": asset, "preset": "HighestQuality", "outputURL": str(folder / f"{number}.mp4")}
        raw.write(lines(request(f"create {number}", "exportSession/create", **params)))
        session = raw.answer(f"create {number}")["result"]["exportSession"]
        raw.write(lines(request(f"export {number}", "exportSession/export", exportSession=session)))
        raw.answer(f"export {number}")


def incomplete(folder: Path) -> List[str]:
    """The remaining files that aren't whole: on a busy machine an export may have ended before it was to be
    stopped."""
    return [name for name in leftovers(folder) if not is_whole(folder / name)]


def is_whole(path: Path) -> bool:
    command = ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-f", "null", "-"]
    decoded = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    return path.suffix == ".mp4" and decoded.returncode == 0 and not decoded.stderr


def processes(raw: Raw) -> List[int]:
    return [raw.process.pid, *children_of(raw.process.pid)]


@row("C10", "stdout's reader is gone during an export: no death by a signal, nothing left", quick=True)
def reader_gone(run: Run) -> None:
    run.case("an export", without_reader, run, 1)
    run.case("idle", without_reader, run, 0)


def without_reader(run: Run, exports: int) -> None:
    folder = run.subfolder(f"gone-{exports}")
    read, write = os.pipe()
    process = subprocess.Popen(
        [binary(), "serve", *serve_arguments()],
        stdin=subprocess.PIPE,
        stdout=write,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    assert process.stdin
    stream = os.fdopen(read, "rb")
    try:
        for id in range(max(1, exports)):
            params = {"asset": "asset:1", "preset": "HighestQuality", "outputURL": str(folder / f"{id}.mp4")}
            process.stdin.write(lines(request("o", "asset/open", url=str(run.media.long))))
            process.stdin.write(lines(request("c", "exportSession/create", **params)))
            if exports:
                process.stdin.write(
                    lines(
                        request(
                            "e", "exportSession/export", exportSession="exportSession:1", progressInterval=0
                        )
                    )
                )
        process.stdin.flush()
        for _ in range(3 if exports else 2):
            stream.readline()
        pids = [process.pid, *children_of(process.pid)]
        stream.close()
        process.stdin.write(lines(STATS))
        process.stdin.flush()
        code = process.wait(HANG)
        run.count(f"exit code {code}")
        expect(code in (0, 1), f"exit code {code}")
        gone(pids)
        expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")
    finally:
        process.kill()
        process.wait(HANG)


@row("C11", "stdin ends with work in flight: idle, 1 export, 20 exports, half a message", quick=True)
def input_ends(run: Run) -> None:
    for what, exports, rest in (
        ("idle", 0, b""),
        ("1 export", 1, b""),
        ("20 exports", 20, b""),
        ("half a message", 1, b'{"jsonrpc":"2.0","id":1,"me'),
    ):
        run.case(what, ended_input, run, exports, rest, what)


def ended_input(run: Run, exports: int, rest: bytes, what: str) -> None:
    folder = run.subfolder(what)
    with Raw() as raw:
        raw.write(lines(STATS))
        raw.answer("alive")
        if exports:
            working(run, raw, exports, folder)
        raw.write(rest)
        pids = processes(raw)
        watch = Stopwatch()
        code = raw.end()
        run.count(f"exit code {code}")
        run.note(f"{what}: it ended after {watch}")
        expect(code == (1 if exports else 0), f"exit code {code}")
        gone(pids)
        expect(not raw.impure, str(raw.impure))
    expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")


@row("C12", "the client is killed and stdin stays open: initialize's processId ends the engine", quick=True)
def parent_killed(run: Run) -> None:
    run.case("processId", client_killed, run)


def client_killed(run: Run) -> None:
    folder = run.subfolder("parent")
    # It lives until it is killed: nothing is written to it.
    client = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        with Raw() as raw:
            raw.write(lines(request("i", "initialize", processId=client.pid)))
            expect("result" in raw.answer("i"), "initialize")
            working(run, raw, 1, folder)
            pids = processes(raw)
            raw.write(lines(STATS))
            raw.answer("alive")
            expect(raw.process.poll() is None, "it ended before its client")
            client.kill()
            client.wait()
            gone(pids)
            run.count(f"exit code {raw.process.wait(HANG)}")
    finally:
        client.kill()
        client.wait()
    expect(incomplete(folder) == [], f"left behind: {incomplete(folder)}")


@row("C13", "the engine is killed during 4 exports: its workers end, nothing holds stdout", quick=True)
def engine_killed(run: Run) -> None:
    for number in range(run.amount(1, 10)):
        run.case(f"kill {number}", killed_engine, run, f"kill {number}")


def killed_engine(run: Run, name: str) -> None:
    folder = run.subfolder(name)
    with Raw() as raw:
        working(run, raw, 4, folder)
        pause(run.random(name).uniform(0, 0.5))
        pids = processes(raw)
        run.count(f"processes {len(pids)}")
        raw.process.send_signal(signal.SIGKILL)
        raw.process.wait(HANG)
        gone(pids)
        # At the end of stdout.
        joined(raw.reader)
    targets = [each for each in incomplete(folder) if not each.endswith(".reelwire-partial")]
    expect(targets == [], f"left behind: {targets}")


@row("C15", "SIGTERM, SIGINT, SIGHUP during work: a graceful end", quick=True)
def signals(run: Run) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        for exports in (0, 2):
            run.case(f"{number.name}, {exports} exports", signalled, run, number, exports)


def signalled(run: Run, number: signal.Signals, exports: int) -> None:
    folder = run.subfolder(f"{number.name}-{exports}")
    with Raw() as raw:
        raw.write(lines(STATS))
        raw.answer("alive")
        if exports:
            working(run, raw, exports, folder)
        pids = processes(raw)
        # As a terminal does, to all of them: to the engine last, with which its workers end.
        for pid in reversed(pids if number == signal.SIGINT else pids[:1]):
            os.kill(pid, number)
        code = raw.process.wait(HANG)
        run.count(f"exit code {code}")
        expect(code == 0, f"exit code {code}")
        gone(pids)
    expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")


NOISY = ["LowQuality", "HEVCHighestQuality", "VP9HighestQuality", "AV1HighestQuality", "Opus", "MP3"]


@row("C16", "encoders that print: stdout has messages only")
def pure_output(run: Run) -> None:
    folder = run.subfolder("out")
    types = {"VP9HighestQuality": "webm", "AV1HighestQuality": "mkv", "Opus": "ogg", "MP3": "mp3"}
    with Server("--log-level", "trace") as engine:
        engine.call("engine/setLogLevel", level="trace")
        for preset in NOISY:
            run.case(preset, exported, run, engine, preset, folder / f"{preset}.{types.get(preset, 'mp4')}")


def exported(run: Run, engine: Checked, preset: str, target: Path) -> None:
    asset = engine.call("asset/open", url=str(run.media.good))["asset"]
    name, made = engine.attempt(
        "exportSession/create",
        asset=asset,
        preset=preset,
        outputURL=str(target),
        timeRange={"start": 0, "duration": 0.4},
    )
    if name == "ok":
        ended = engine.call(
            "exportSession/export", exportSession=made["exportSession"], completion="response"
        )
        name = ended["status"] if "error" not in ended else ended["error"]["data"]["name"]
    run.count(name)
    expect(name in ("completed", "encoderNotFound", "unsupportedOutputSettings"), name)
    close_all(engine)
    engine.check_counts()


@row("C17", "stderr is a pipe that is never read: no stall", quick=True)
def blocked_errors(run: Run) -> None:
    run.case("log level trace", full_pipe, run)


def full_pipe(run: Run) -> None:
    read, write = os.pipe()
    try:
        with Raw("--log-level", "trace", stderr=write) as raw:
            raw.write(lines(request("open", "asset/open", url=str(run.media.good))))
            asset = raw.answer("open")["result"]["asset"]
            for number in range(run.amount(60, 2000)):
                raw.write(lines(request(number, "asset/open", url="/nonexistent")))
                handle = raw.answer(number)["result"]["asset"]
                raw.write(
                    lines(
                        request(
                            number, "asset/loadValues", asset=handle, keys=["duration"], completion="response"
                        )
                    )
                )
                raw.answer(number)
                raw.write(
                    lines(request(number, "waveform/generate", asset=asset, count=2, completion="response"))
                )
                raw.answer(number)
            raw.write(lines(STATS))
            raw.answer("alive")
            expect(raw.end() == 0, f"exit code {raw.process.returncode}")
    finally:
        os.close(read)
        os.close(write)


@row("C18", "noisy broken files in parallel at level trace: every log line is whole")
def parallel_logs(run: Run) -> None:
    for number in range(run.amount(1, 5)):
        run.case(f"8 at once {number}", noisy_decodes, run)


def noisy_decodes(run: Run) -> None:
    path = run.folder / "noisy.mp4"
    data = bytearray(run.media.big.read_bytes())
    numbers = run.random("noisy")
    start = data.index(b"mdat") + 64
    for _ in range(4000):
        data[numbers.randrange(start, start + len(data) // 2)] = numbers.randrange(256)
    path.write_bytes(data)
    with (run.folder / "errors").open("wb") as errors, Raw(
        "--log-level", "trace", stderr=errors.fileno()
    ) as raw:
        raw.write(lines(request("log", "engine/setLogLevel", level="trace")))
        for number in range(8):
            raw.write(lines(request(f"open {number}", "asset/open", url=str(path))))
            handle = raw.answer(f"open {number}")["result"]["asset"]
            raw.write(lines(request(f"made {number}", "imageGenerator/create", asset=handle)))
            made = raw.answer(f"made {number}")["result"]["imageGenerator"]
            params = {
                "imageGenerator": made,
                "times": [0.5, 1, 2, 3],
                "completion": "response",
                "format": "bmp",
            }
            raw.write(lines(request(number, "imageGenerator/generateImages", **params)))
        while not set(range(8)) <= raw.answered:
            raw.next()
        raw.end()
        expect(not raw.impure, str(raw.impure[:2]))
    text = (run.folder / "errors").read_bytes()
    whole = re.compile(rb"reelwire: (trace|debug|info|notice|warning|error|critical) ")
    bad = [line for line in text.splitlines() if line and not whole.match(line)]
    run.note(f"{len(text.splitlines())} lines on stderr")
    expect(text.count(b"\n") > 100, "nothing was logged")
    expect(not bad, f"{len(bad)} lines are not whole: {bad[:2]}")


@row(
    "C19",
    "start: stdin or stdout closed, /dev/null, a file, a terminal; TMPDIR that can't be written",
    quick=True,
)
def start_up(run: Run) -> None:
    serve = " ".join([binary(), "serve", *serve_arguments()])
    text = run.folder / "requests"
    text.write_bytes(lines(STATS))
    closed = {
        "stdin closed": "<&-",
        "stdout closed": ">&-",
        "both closed": "<&- >&-",
        "all closed": "<&- >&- 2>&-",
        "stderr closed": "2>&-",
    }
    for what, redirection in closed.items():
        run.case(what, starts, run, f"exec {serve} {redirection}", None)
    run.case("stdin /dev/null", starts, run, f"exec {serve} </dev/null", b"")
    run.case("stdin a file", starts, run, f"exec {serve} <{text}", b"alive")
    run.case(
        "stdout a file",
        starts,
        run,
        f"{serve} <{text} >{run.folder}/answers && cat {run.folder}/answers",
        b"alive",
    )
    run.case("TMPDIR missing", starts, run, f"TMPDIR=/nonexistent exec {serve} <{text}", b"alive")
    run.case("no environment", starts, run, f"exec env -i {serve} <{text}", b"alive")
    run.case(
        "working folder removed",
        starts,
        run,
        f"mkdir {run.folder}/w; cd {run.folder}/w; rmdir {run.folder}/w; exec {serve} <{text}",
        b"alive",
    )
    run.case("a terminal", terminal, run)


def starts(run: Run, script: str, answer: Optional[bytes]) -> None:
    """It ends in time, with an exit code; with an answer where there is a way for one."""
    process = subprocess.run(["sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, timeout=HANG)
    run.count(f"exit code {process.returncode}")
    expect(process.returncode in (0, 1, 2), f"exit code {process.returncode}: {process.stderr[-300:]!r}")
    if answer is not None:
        expect(process.returncode == 0, f"exit code {process.returncode}: {process.stderr[-300:]!r}")
        expect(answer in process.stdout, f"{process.stdout[:200]!r}")


def terminal(run: Run) -> None:
    parent, child = pty.openpty()
    try:
        process = subprocess.Popen(
            [binary(), "serve", *serve_arguments()],
            stdin=child,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        os.write(parent, lines(STATS))
        assert process.stdout
        expect(b"alive" in process.stdout.readline(), "no answer")
        os.write(parent, b"\x04")
        expect(process.wait(HANG) == 0, "exit code")
        process.stdout.close()
    finally:
        os.close(parent)
        os.close(child)


@row("C20", "the order of the life cycle: initialize twice, requests after shutdown, exit", quick=True)
def life_cycle(run: Run) -> None:
    run.case("initialize twice", initialized_twice, run)
    run.case("after shutdown", after_shutdown, run, 0)
    run.case("after shutdown with work", after_shutdown, run, 1)
    run.case("exit without shutdown", exits, run, 0, 0)
    run.case("exit with an export", exits, run, 1, 1)


def initialized_twice(run: Run) -> None:
    with Raw() as raw:
        raw.write(lines(STATS))
        raw.answer("alive")
        for number in range(2):
            raw.write(lines(request(number, "initialize")))
            answer = raw.answer(number)
            run.count(answer["error"]["data"]["name"] if "error" in answer else "ok")
        raw.write(lines(STATS))
        expect("result" in raw.answer("alive"), "no result")


def after_shutdown(run: Run, exports: int) -> None:
    folder = run.subfolder(f"shutdown-{exports}")
    with Raw() as raw:
        if exports:
            working(run, raw, exports, folder)
        raw.write(lines(request("s", "shutdown")))
        answer = raw.answer("s")
        expect("result" in answer, str(answer))
        expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")
        for method in ("engine/stats", "asset/open", "shutdown", "no/such"):
            raw.write(lines(request(method, method, url="x")))
            code = raw.answer(method)["error"]["code"]
            expect(code == (-32601 if method == "no/such" else -32600), f"{method}: {code}")
        raw.write(lines(b'{"jsonrpc":"2.0","method":"exit"}'))
        expect(raw.process.wait(HANG) == 0, f"exit code {raw.process.returncode}")


def exits(run: Run, exports: int, code: int) -> None:
    folder = run.subfolder(f"exit-{exports}")
    with Raw() as raw:
        if exports:
            working(run, raw, exports, folder)
        raw.write(lines(b'{"jsonrpc":"2.0","method":"exit"}'))
        expect(raw.process.wait(HANG) == code, f"exit code {raw.process.returncode}")
    expect(leftovers(folder) == [], f"left behind: {leftovers(folder)}")
