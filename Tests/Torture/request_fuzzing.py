"""C6: requests that are generated from the engine's own document; each is answered once, and nothing traps."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Dict, List

from checks import Alive, Clean
from rows import Failure, Run, expect, row
from server import Checked, Server, Shared

BATCH = 50

# The first two would end the engine; a number of a process that doesn't exist does, too.
EXCLUDED = {"exit", "shutdown", "initialize"}

NUMBERS = [
    0,
    1,
    -1,
    2,
    3,
    7,
    100,
    255,
    65535,
    65536,
    2**31 - 1,
    2**31,
    -(2**31),
    2**53 - 1,
    2**63 - 1,
    -(2**63),
    10**19,
    0.5,
    1e-9,
    1e18,
    1e308,
    -1e308,
]
STRINGS = [
    "",
    "x",
    "0",
    "-1",
    "NaN",
    "inf",
    "1/0",
    "9" * 40,
    "\u0000",
    "\u202e",
    "\ud7ff\uffff",
    "é" * 100,
    "../../x",
    "%n%s",
    "x" * 1_000_000,
]
WRONG: List[Any] = [None, True, False, 0, -1, 1.5, "", "x", [], {}, [[]], {"value": 1}, [None]]


class Generator:
    """Values that fit a schema, mostly; with some members missing, null, of another type or extreme."""

    def __init__(self, document: Dict[str, Any], numbers: random.Random, folder: Path) -> None:
        self.schemas = document["components"]["schemas"]
        served = [method for method in document["methods"] if method["name"] not in EXCLUDED]
        # Work that has an operation is rare among the methods, and has the most to go wrong.
        self.methods = served + [method for method in served if "x-terminal" in method] * 6
        self.numbers, self.folder = numbers, folder
        self.handles: List[str] = []
        self.files = 0

    def request(self) -> "tuple[str, Dict[str, Any]]":
        method = self.numbers.choice(self.methods)
        # Most requests have one thing wrong at a place of its own; some have nothing wrong, some several.
        self.rate = self.numbers.choice([0, 0, 0.02, 0.1, 0.3])
        params: Dict[str, Any] = {}
        for param in method["params"]:
            if param.get("required") or self.numbers.random() < 0.4:
                if self.numbers.random() < self.rate / 3:
                    continue
                params[param["name"]] = self.value(param["schema"], param["name"], 0)
        return method["name"], params

    def value(self, schema: Dict[str, Any], name: str, depth: int) -> Any:
        numbers = self.numbers
        if numbers.random() < self.rate:
            return numbers.choice(
                WRONG + NUMBERS + STRINGS[:-1] + (STRINGS[-1:] if numbers.random() < 0.02 else [])
            )
        if depth > 8:
            return None
        if "$ref" in schema:
            reference = schema["$ref"].rsplit("/", 1)[1]
            if reference.endswith("Handle"):
                return self.handle(reference[: -len("Handle")])
            return self.value(self.schemas[reference], name, depth + 1)
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return self.value(numbers.choice(schema[union]), name, depth + 1)
        if "enum" in schema:
            return numbers.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        return self.typed(schema, name, depth)

    def typed(self, schema: Dict[str, Any], name: str, depth: int) -> Any:
        numbers, kind = self.numbers, schema.get("type")
        if isinstance(kind, list):
            kind = numbers.choice(kind)
        if kind == "object":
            required = schema.get("required", [])
            return {
                key: self.value(member, key, depth + 1)
                for key, member in schema.get("properties", {}).items()
                if key in required or numbers.random() < 0.35
            }
        if kind == "array":
            return [
                self.value(schema.get("items", {}), name, depth + 1)
                for _ in range(numbers.choice([0, 1, 1, 2, 3]))
            ]
        if kind == "string":
            return self.string(name)
        if kind == "integer":
            return numbers.choice([0, 1, 1, 2, 3, 10, 64, *(NUMBERS if numbers.random() < 0.2 else [])])
        if kind == "number":
            return numbers.choice([0, 0.5, 1, 1.25, *(NUMBERS if numbers.random() < 0.2 else [])])
        if kind == "boolean":
            return numbers.random() < 0.5
        return numbers.choice(WRONG)

    def string(self, name: str) -> Any:
        lower = name.lower()
        if "preset" in lower:
            return self.numbers.choice(["Passthrough", "LowQuality", "GIF", "WAV", "nothing"])
        if "url" in lower or "path" in lower:
            self.files += 1
            ending = self.numbers.choice(["mp4", "mkv", "jpg", "png", "wav", "%d.jpg", "vtt", ""])
            return self.numbers.choice(
                [
                    str(self.folder / "good.mp4"),
                    str(self.folder / f"out-{self.files}.{ending}"),
                    "/etc/hostname",
                    "",
                ]
            )
        return self.numbers.choice(
            ["x", "und", "en", "eng", "title", "video", "h264", "rgb24", "s16", "mp4", "1/3", *STRINGS[:-1]]
        )

    def handle(self, kind: str) -> str:
        prefix = kind[:1].lower() + kind[1:] + ":"
        fitting = [handle for handle in self.handles if handle.startswith(prefix)]
        if fitting and self.numbers.random() > self.rate:
            return self.numbers.choice(fitting)
        return self.numbers.choice([*self.handles, prefix + "1", prefix, "asset:999999999999999999999"])


@row("C6", "requests fuzzed from the schema: one answer each, no internal error, no trap", quick=True)
def schema_fuzz(run: Run) -> None:
    folder = run.subfolder("root")
    (folder / "good.mp4").write_bytes(run.media.good.read_bytes())
    alive = Alive(run.media.good)
    # It can only write there; and names without a folder are there, too.
    server = Shared(
        run,
        lambda: Server(
            "--root", str(folder), "--root", str(run.media.good.parent), prefix=["env", "-C", str(folder)]
        ),
    )
    clean = Clean(server(), run.media.good)
    for number in range(max(1, run.options.requests // BATCH)):
        name = f"batch {number}"
        run.case(name, batch, run, server, folder, name)
    run.case("alive", lambda: alive.check(server()))
    run.case("clean", lambda: clean.check() if server.begun == 1 else None)
    run.note(f"{run.options.requests} requests, {len(server().began)} operations, engines {server.begun}")


def basis(engine: Checked, folder: Path) -> List[str]:
    """One object of the common kinds."""
    asset = engine.call("asset/open", url=str(folder / "good.mp4"))["asset"]
    generator = engine.call("imageGenerator/create", asset=asset)["imageGenerator"]
    settings = {"pixelFormat": "rgb24", "width": 32}
    outputs = [{"type": "track", "mediaType": "video", "settings": settings}]
    reader = engine.call("assetReader/create", asset=asset, outputs=outputs)
    engine.call("assetReader/start", assetReader=reader["assetReader"])
    cursor = engine.call("sampleCursor/create", asset=asset, trackID=1, position="first")["sampleCursor"]
    composition = engine.call("composition/create")["composition"]
    return [asset, generator, reader["assetReader"], *reader["outputs"], cursor, composition]


def batch(run: Run, server: Shared, folder: Path, name: str) -> None:
    engine = server()
    numbers = run.random(name)
    generator = Generator(engine.document, numbers, folder)
    engine.observer = lambda message: respond(engine, message)
    sent: List[int] = []
    methods: Dict[int, str] = {}
    try:
        generator.handles = basis(engine, folder)
        for _ in range(BATCH):
            method, params = generator.request()
            id = engine.send(method, **params)
            methods[id] = f"{method} {json.dumps(params)[:300]}"
            hasAnswer = method not in ("blob/release", "resource/didRead", "$/cancelRequest")
            if hasAnswer:
                sent.append(id)
            if numbers.random() < 0.05:
                engine.notify("$/cancelRequest", id=numbers.choice([id, id - 1, "x", None]))
            if numbers.random() < 0.3 and hasAnswer:
                collect(engine, generator, id)
        # A waiting request ends with its object.
        open_handles = [entry["handle"] for entry in engine.call("handle/list")["handles"]]
        sent += [engine.send("handle/close", handle=handle) for handle in open_handles]
        wait(run, engine, sent, methods)
        later = [entry["handle"] for entry in engine.call("handle/list")["handles"]]
        wait(run, engine, [engine.send("handle/close", handle=handle) for handle in later], methods)
        engine.wait_for_ends()
    except Exception as error:
        waiting = [methods.get(id, "handle/close") for id in sent if engine.answered[json.dumps(id)] == 0]
        server.drop()
        raise Failure(
            f"{type(error).__name__} {error}; not answered: {waiting[:3]} of {len(waiting)}; "
            f"last: {[methods[id] for id in sorted(methods)[-3:]]}"
        ) from error
    finally:
        for path in folder.iterdir():
            if path.name != "good.mp4" and path.is_file():
                path.unlink()


def respond(engine: Checked, message: Dict[str, Any]) -> None:
    """A client has to answer requests for bytes; this one can't."""
    params = message.get("params", {})
    if message.get("method") == "resource/read":
        engine.notify(
            "resource/didRead",
            resource=params["resource"],
            request=params["request"],
            error={"message": "no"},
        )


def collect(engine: Checked, generator: Generator, id: int) -> None:
    """The handles of an answer, if it comes before that to a later request."""
    engine.stats()
    result = engine.answers.get(id, {}).get("result")
    if isinstance(result, dict):
        found = [
            value for value in result.values() if isinstance(value, str) and ":" in value and len(value) < 40
        ]
        generator.handles += [value for value in found if value.split(":")[1].replace("/", "").isdigit()]


def wait(run: Run, engine: Checked, sent: List[int], methods: Dict[int, str]) -> None:
    for id, answer in engine.settle(sent).items():
        if "error" in answer:
            error = answer["error"]
            run.count(str(error["data"]["name"]))
            expect(error["code"] != -32603, f"{methods.get(id)}: {error}")
            if error["code"] == -32602:
                expect(all("path" in each for each in error["data"].get("errors", [])), f"no path: {error}")
        else:
            run.count("ok")
