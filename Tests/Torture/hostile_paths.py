"""H8, H17 to H19: names that are more than names, files that change, and ways out of a root."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path
from typing import Callable, Dict

from checks import Alive, Clean, Effort
from hostile_inputs import REFUSAL, named_error, status
from rows import Run, expect, row
from server import Checked, EngineError, Server
from steps import error_name
from waiting import joined, pause

STRINGS = [
    "pipe:0",
    "pipe:",
    "-",
    "",
    ".",
    "/",
    "concat:a.mp4|b.mp4",
    "subfile,,start,0,end,0,,:a.mp4",
    "data:text/plain,x",
    "data:video/mp4;base64,AAAA",
    "http://127.0.0.1:9/x.mp4",
    "https://[::1",
    "ftp://x",
    "fd:0",
    "/dev/stdin",
    "/dev/fd/0",
    "/proc/self/fd/0",
    "/proc/self/fd/1",
    "/proc/self/mem",
    "/dev/zero",
    "/dev/null",
    "a%d.png",
    "*.png",
    "frame-%05d.jpg",
    "file:",
    "file://",
    "file:///",
    "file://elsewhere/x.mp4",
    "file:%00",
    "%00",
    "a\u0000b.mp4",
    "cache:a.mp4",
    "crypto:a.mp4",
    "async:a.mp4",
    "md5:",
    "unix:/tmp/x",
    "lavfi:testsrc",
    "gdigrab:desktop",
    "~/x.mp4",
    "$HOME/x.mp4",
    "`id`",
    "a\nb.mp4",
    "\u202e4pm.x",
    "x" * 5000,
    "/" * 4096,
    "../" * 500 + "etc/passwd",
]


@row("H8", "strings that libavformat takes for protocols are names", quick=True)
def strings_as_urls(run: Run) -> None:
    with Server() as engine:
        for number, string in enumerate(STRINGS):
            run.case(f"{number} {string[:40]!r}", string_case, run, engine, string)
        engine.write(b'{"jsonrpc":"2.0","id":"next","method":"engine/stats"}\n')
        run.case(
            "stdin is not consumed",
            lambda: expect(engine.settle(["next"])["next"].get("result"), "no result"),
        )  # type: ignore[list-item]


def string_case(run: Run, engine: Checked, string: str) -> None:
    effort = Effort(engine)
    named_error(run, engine, string)
    effort.check(*REFUSAL)
    asset = engine.attempt("asset/open", url=str(run.media.good))[1]["asset"]
    for output in (string, f"{string}.mp4"):
        name, _ = engine.attempt(
            "exportSession/create", asset=asset, preset="Passthrough", outputURL=output, outputFileType="mp4"
        )
        run.count(name)
    for handle in engine.call("handle/list")["handles"]:
        engine.call("handle/close", handle=handle["handle"])


@row(
    "H17", "a source that changes while it is exported: truncated, appended to, replaced, removed", quick=True
)
def changing_source(run: Run) -> None:
    changes: Dict[str, Callable[[Path], None]] = {
        "truncate to 0": lambda path: os.truncate(path, 0),
        "truncate to half": lambda path: os.truncate(path, path.stat().st_size // 2),
        "append": append,
        "replace": lambda path: replace(path, run.media["small.wav"].read_bytes()),
        "overwrite": lambda path: overwrite(path),
        "unlink": lambda path: path.unlink(),
    }
    alive = Alive(run.media.good)
    with Server() as engine:
        for what, change in changes.items():
            for repeat in range(run.amount(1, 8)):
                for preset in ("Passthrough", "LowQuality"):
                    name = f"{what} {preset} {repeat}"
                    run.case(name, changed, run, engine, what, change, preset, name)
        run.case("alive", alive.check, engine)


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(bytes(1 << 20))


def replace(path: Path, data: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(data)
    other.rename(path)


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(os.urandom(path.stat().st_size))


def changed(
    run: Run, engine: Checked, what: str, change: Callable[[Path], None], preset: str, name: str
) -> None:
    source, target = run.folder / "source.mp4", run.folder / "out.mp4"
    source.write_bytes(run.media.big.read_bytes())
    asset = engine.call("asset/open", url=str(source))["asset"]
    engine.call("asset/loadValues", asset=asset, keys=["tracks"], completion="response")
    session = engine.call(
        "exportSession/create",
        asset=asset,
        preset=preset,
        outputURL=str(target),
        timeRange={"start": 0, "duration": 2},
    )["exportSession"]
    request = engine.send("exportSession/export", exportSession=session, completion="response")
    pause(run.random(name).uniform(0, 0.15))
    change(source)
    ended = engine.result(request)
    for handle in (session, asset):
        engine.call("handle/close", handle=handle)
    outcome = ended["status"] if "error" not in ended else error_name(ended["error"])
    run.count(f"{what}: {outcome}")
    expect(
        target.exists() == (ended["status"] == "completed"), f"{outcome}, and the target is {target.exists()}"
    )
    if what in ("append", "replace", "unlink"):
        # The open file is read on; or the change was noticed.
        expect(ended["status"] == "completed" or "error" in ended, outcome)
    target.unlink(missing_ok=True)
    expect(
        sorted(os.listdir(run.folder)) == ([] if what == "unlink" else ["source.mp4"]),
        str(os.listdir(run.folder)),
    )


@row("H18", "special files and odd names", quick=True)
def special_files(run: Run) -> None:
    folder = run.subfolder("special")
    os.mkfifo(folder / "fifo.mp4")
    listening = socket.socket(socket.AF_UNIX)
    run.resources.callback(listening.close)
    try:
        listening.bind(str(folder / "socket.mp4"))
    except OSError:
        run.note("no socket: the folder's name is too long")
    (folder / "folder.mp4").mkdir()
    (folder / "empty.mp4").write_bytes(b"")
    (folder / "loop.mp4").symlink_to("loop.mp4")
    (folder / "dangling.mp4").symlink_to("nothing.mp4")
    bad = [path for path in folder.iterdir()] + [
        Path("/dev/zero"),
        Path("/dev/full"),
        Path("/dev/tty"),
        Path("/proc/self/maps"),
    ]
    with Server() as engine:
        clean = Clean(engine, run.media.good)
        for path in bad:
            run.case(path.name, fails_in_time, run, engine, path)
        run.case("sparse", sparse, run, engine, folder / "sparse.mp4")
        names = [
            "a\nb.mp4",
            "'\"`$(id).mp4",
            "-x.mp4",
            "--help.mp4",
            "é\u202e.mp4",
            "%s%n%d.mp4",
            "a:b.mp4",
            "x" * 251 + ".mp4",
            " .mp4",
            "?#.mp4",
        ]
        for name in names:
            run.case(repr(name[:30]), odd_name, engine, folder / name, run.media.good)
        deep = folder
        while len(str(deep)) < 3800:
            deep = deep / ("d" * 200)
        deep.mkdir(parents=True)
        run.case("a path of 4000 bytes", odd_name, engine, deep / "x.mp4", run.media.good)
        run.case("a name that is not UTF-8", not_utf8, engine, folder, run.media.good)
        run.case("clean", clean.check)


def fails_in_time(run: Run, engine: Checked, path: Path) -> None:
    effort = Effort(engine)
    named_error(run, engine, str(path))
    effort.check(*REFUSAL)


def sparse(run: Run, engine: Checked, path: Path) -> None:
    with path.open("wb") as file:
        for size in (15 << 40, 1 << 40):
            try:
                file.truncate(size)
                break
            except OSError:
                continue
    effort = Effort(engine)
    named_error(run, engine, str(path))
    effort.check(*REFUSAL)
    path.unlink()


def odd_name(engine: Checked, path: Path, source: Path) -> None:
    path.write_bytes(source.read_bytes())
    result = status(engine, path)
    path.unlink()
    expect(result["status"] == "loaded", str(result)[:300])


def not_utf8(engine: Checked, folder: Path, source: Path) -> None:
    """A file URL's percent signs reach any byte."""
    raw = os.fsencode(folder) + b"/caf\xe9.mp4"
    with open(raw, "wb") as file:
        file.write(source.read_bytes())
    result = status(engine, "file://" + str(folder) + "/caf%E9.mp4")
    os.unlink(raw)
    expect(result["status"] == "loaded", str(result)[:300])


@row("H19", "ways out of --root: links, .., absolute paths, a link that comes and goes", quick=True)
def ways_out(run: Run) -> None:
    root, outside = run.subfolder("root"), run.subfolder("outside")
    # The file outside loads with another duration than the one inside.
    canary = outside / "canary.wav"
    canary.write_bytes(run.media["small.wav"].read_bytes())
    (root / "a").mkdir()
    (root / "folder").symlink_to(outside)
    (root / "link.wav").symlink_to(canary)
    (root / "hop").symlink_to("folder")
    inside = root / "in.mp4"
    inside.write_bytes(run.media.good.read_bytes())
    ways = [
        str(canary),
        f"file://{canary}",
        f"{root}/folder/canary.wav",
        f"{root}/link.wav",
        f"{root}/hop/canary.wav",
        f"{root}/a/../../outside/canary.wav",
        f"{root}/../outside/canary.wav",
        f"/proc/self/root{canary}",
        f"/proc/self/cwd/{canary}",
        f"{root}/%2e%2e/outside/canary.wav",
        f"file://{root}/%2e%2e/outside/canary.wav",
        f"{root}-sibling/x.wav",
    ]
    with Server("--root", str(root)) as engine:
        run.case("inside", odd_name, engine, root / "good.mp4", run.media.good)
        for way in ways:
            run.case(way.replace(str(run.folder), ""), named_error, run, engine, way)
        for way in (str(outside / "out.mp4"), f"{root}/folder/out.mp4", f"{root}/a/../../outside/out.mp4"):
            run.case(f"output {way.replace(str(run.folder), '')}", output_outside, run, engine, inside, way)
        run.case("a swap race", swap_race, run, engine, root, outside, run.amount(200, 5000))
    run.case(
        "nothing written outside",
        lambda: expect(os.listdir(outside) == ["canary.wav"], str(os.listdir(outside))),
    )


def output_outside(run: Run, engine: Checked, source: Path, way: str) -> None:
    asset = engine.call("asset/open", url=str(source))["asset"]
    try:
        session = engine.call("exportSession/create", asset=asset, preset="Passthrough", outputURL=way)[
            "exportSession"
        ]
        ended = engine.call("exportSession/export", exportSession=session, completion="response")
        expect(ended["status"] == "failed", str(ended))
        run.count(error_name(ended["error"]))
    except EngineError as error:
        run.count(str(error.data["name"]))


def swap_race(run: Run, engine: Checked, root: Path, outside: Path, opens: int) -> None:
    """`x` is a folder of the root, then a link out of it, again and again; nothing outside is ever loaded."""
    (root / "x").mkdir()
    (root / "x" / "canary.wav").write_bytes(run.media.good.read_bytes())
    (root / "y").symlink_to(outside)
    ends = threading.Event()

    def swap() -> None:
        while not ends.is_set():
            for first, second in (("x", "z"), ("y", "x"), ("x", "y"), ("z", "x")):
                (root / first).rename(root / second)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for _ in range(opens):
            asset = engine.call("asset/open", url=str(root / "x" / "canary.wav"))["asset"]
            values = engine.call(
                "asset/loadValues", asset=asset, keys=["naturalSize", "containerFacts"], completion="response"
            )["values"]
            engine.call("handle/close", handle=asset)
            facts = values["containerFacts"]
            run.count(error_name(facts["error"]) if "error" in facts else "inside")
            expect("error" in facts or "mp4" in facts["value"]["formatName"], "the file outside was loaded")
    finally:
        ends.set()
        joined(swapping)
