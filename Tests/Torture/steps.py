"""The steps done with a file, with any damage of it: each step ends in time with a result or a named error."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

from rows import expect
from server import Checked, EngineError
from waiting import Hung

# The form of the frames that are read. Internal errors are found by the connection itself.
PIXELS = {"pixelFormat": "rgb24", "width": 64}

# The analyses, and the member of their results that must be the same twice.
ANALYSES = [
    ("sceneChanges", "sceneChanges"), ("silences", "silences"), ("loudness", "integratedLoudness"),
]  # fmt: skip

ASSET_KEYS = ["tracks", "duration", "isPlayable", "isExportable", "metadata", "containerFacts"]


def error_name(error: Dict[str, Any]) -> str:
    return str(error["data"]["name"])


class Steps:
    """One file through one engine. Outcomes are recorded by name."""

    def __init__(
        self,
        engine: Checked,
        path: Path,
        folder: Path,
        count: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.engine, self.path, self.folder, self.count = engine, path, folder, count
        self.asset = ""
        self.outcomes: List[Tuple[str, str]] = []
        self.digests: Dict[str, str] = {}
        self.number = 0

    def open(self, **options: Any) -> None:
        self.asset = self.call("asset/open", url=str(self.path), options=options)["asset"]

    def call(self, method: str, **params: Any) -> Dict[str, Any]:
        try:
            return self.engine.call(method, **params)
        except Hung as error:
            raise Hung(f"{method}: {error}") from error

    def step(self, name: str, function: Callable[..., str], *arguments: Any) -> str:
        """One step's outcome: its result, or the name of its error."""
        try:
            outcome = function(*arguments)
        except EngineError as error:
            outcome = str(error.data["name"])
        self.outcomes.append((name, outcome))
        self.count(outcome)
        return outcome

    def close(self, handle: str) -> None:
        self.call("handle/close", handle=handle)

    # The steps; each returns "ok", "marked" where the result states that something is missing, or an error's name.

    def keys(self) -> str:
        loaded = self.call(
            "asset/loadValues", asset=self.asset, keys=self.engine.keys("AssetKey"), completion="response"
        )
        errors = [value["error"] for value in loaded["values"].values() if "error" in value]
        self.digests["keys"] = digest(
            {key: value.get("value") for key, value in loaded["values"].items() if key not in ("tracks",)}
        )
        return error_name(errors[0]) if errors else "ok"

    def image(self, time: object = None, exact: bool = True) -> str:
        tolerances = {"requestedTimeToleranceBefore": 0, "requestedTimeToleranceAfter": 0} if exact else {}
        maximum = {"width": 96, "height": 96}
        generator = self.call("imageGenerator/create", asset=self.asset, maximumSize=maximum, **tolerances)[
            "imageGenerator"
        ]
        try:
            params = {} if time is None else {"time": time}
            made = self.call(
                "imageGenerator/generateImage", imageGenerator=generator, format="rgb24", **params
            )
            self.digests[f"image {time}"] = digest(made["image"]["blob"]["data"])
        finally:
            self.close(generator)
        return "ok"

    def sheet(self) -> str:
        generator = self.call("imageGenerator/create", asset=self.asset)["imageGenerator"]
        try:
            made = self.call(
                "imageGenerator/contactSheet",
                imageGenerator=generator,
                columns=2,
                rows=2,
                tileWidth=48,
                completion="response",
            )
        finally:
            self.close(generator)
        if made["result"] != "succeeded":
            return error_name(made["error"])
        self.digests["sheet"] = digest(made["image"]["blob"]["data"])
        return "marked" if any("error" in tile for tile in made["tiles"]) else "ok"

    def cursor(self) -> str:
        made = self.call("sampleCursor/create", asset=self.asset, trackID=1, position="first")
        cursor = made["sampleCursor"]
        try:
            listed = self.call("sampleCursor/samples", sampleCursor=cursor, maxCount=500)
            self.digests["cursor"] = digest(listed["samples"])
        finally:
            self.close(cursor)
        return "ok"

    def read(self, media_type: str, settings: Optional[Dict[str, Any]], most: int = 64) -> str:
        output = {"type": "track", "mediaType": media_type, **({"settings": settings} if settings else {})}
        made = self.call("assetReader/create", asset=self.asset, outputs=[output])
        reader = made["assetReader"]
        try:
            self.call("assetReader/start", assetReader=reader)
            taken: List[Any] = []
            dropped: List[Any] = []
            while len(taken) < most:
                pulled = self.call(
                    "assetReader/nextSampleBuffers", output=made["outputs"][0], maxCount=16, maxBytes=1 << 22
                )
                taken += [
                    (sample["presentationTime"], sample.get("blob", {}).get("data"))
                    for sample in pulled["sampleBuffers"]
                ]
                dropped += pulled.get("dropped", [])
                if pulled["endOfStream"]:
                    break
            self.digests[f"read {media_type} {settings}"] = digest(taken)
        finally:
            self.close(reader)
        return "marked" if dropped else "ok"

    def waveform(self) -> str:
        made = self.call("waveform/generate", asset=self.asset, count=16, completion="response")
        if made["result"] != "succeeded":
            return error_name(made["error"])
        self.digests["waveform"] = digest(made["channels"])
        return "marked" if made.get("dropped") else "ok"

    def analysis(self, kind: str, result: str) -> str:
        made = self.call(f"analysis/{kind}", asset=self.asset, completion="response")
        if made["result"] != "succeeded":
            return error_name(made["error"])
        self.digests[kind] = digest(made.get(result))
        return "marked" if made.get("dropped") else "ok"

    def export(self, preset: str, type: str, end: Optional[object] = 1) -> str:
        self.number += 1
        target = self.folder / f"out-{self.number}.{type}"
        options = {} if end is None else {"timeRange": {"start": 0, "duration": end}}
        made = self.call(
            "exportSession/create", asset=self.asset, preset=preset, outputURL=str(target), **options
        )
        session = made["exportSession"]
        try:
            ended = self.call("exportSession/export", exportSession=session, completion="response")
        finally:
            self.close(session)
        if ended["status"] != "completed":
            expect(not target.exists(), f"{target.name} is there, and its export {ended['status']}")
            return error_name(ended["error"]) if "error" in ended else str(ended["status"])
        expect(target.exists(), f"{target.name} is not there, and its export completed")
        self.digests[f"export {preset} {type}"] = hashlib.sha256(target.read_bytes()).hexdigest()
        target.unlink()
        return "marked" if ended.get("dropped") else "ok"

    def all(self, transcodes: bool = True) -> None:
        """Everything that is done with a file, in order; the asset is closed in the end."""
        self.open()
        try:
            if self.step("keys", self.keys) in ("contentIsUnavailable", "pathNotAllowed"):
                return
            self.step("image", self.image)
            for time in (0, 0.7, 1e6):
                self.step(f"image {time}", self.image, time)
            self.step("nearest", self.image, 1, False)
            self.step("sheet", self.sheet)
            self.step("cursor", self.cursor)
            for kind in ("video", "audio"):
                self.step(f"stored {kind}", self.read, kind, None)
            self.step("decoded video", self.read, "video", PIXELS, 24)
            self.step("decoded audio", self.read, "audio", {"sampleFormat": "s16"})
            self.step("waveform", self.waveform)
            for kind, result in ANALYSES:
                self.step(kind, self.analysis, kind, result)
            self.step("copy mp4", self.export, "Passthrough", "mp4")
            self.step("copy mkv", self.export, "Passthrough", "mkv")
            if transcodes:
                self.step("transcode", self.export, "LowQuality", "mp4", 0.5)
        finally:
            if self.engine.isRunning:
                self.close(self.asset)

    def some(self, numbers: random.Random, count: int) -> None:
        """A few of the steps, at random times."""
        seconds = numbers.uniform(0, 3)
        choices: List[Tuple[str, Callable[..., str], Tuple[Any, ...]]] = [
            ("keys", self.keys, ()),
            ("image", self.image, (seconds,)),
            ("nearest", self.image, (seconds, False)),
            ("sheet", self.sheet, ()),
            ("cursor", self.cursor, ()),
            ("stored", self.read, (numbers.choice(["video", "audio"]), None)),
            ("decoded", self.read, ("video", PIXELS, 16)),
            ("audio", self.read, ("audio", {"sampleFormat": "s16"})),
            ("waveform", self.waveform, ()),
            ("analysis", self.analysis, numbers.choice(ANALYSES)),
            ("copy", self.export, ("Passthrough", numbers.choice(["mp4", "mkv", "ts", "mov"]))),
            ("transcode", self.export, ("LowQuality", "mp4", 0.3)),
        ]
        self.open()
        try:
            for name, function, arguments in numbers.sample(choices, count):
                self.step(name, function, *arguments)
        finally:
            if self.engine.isRunning:
                self.close(self.asset)


def digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def leftovers(folder: Path) -> List[str]:
    return sorted(path.name for path in folder.iterdir())
