"""What the fault tests share: clips, an engine whose system calls fail, and what must hold after each."""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional

from engine import Engine, EngineError

HERE = Path(__file__).resolve().parent

READ, WRITE, FLUSH, LINK = 1, 2, 3, 4


class Faults(ctypes.Structure):
    """The memory that faults.c shares with its test."""

    _fields_ = [
        (name, ctypes.c_int32)
        for name in ("call", "error", "remaining", "forever", "fired", "named", "linkless")
    ] + [("inode", ctypes.c_int64)]


class FaultyEngine(Engine):
    """An engine whose system calls fail as `fail` says."""

    def __init__(self, folder: Path, *arguments: str, **options: Any) -> None:
        library = compiled(folder)
        control = folder / f"faults-{os.getpid()}-{id(self)}"
        control.write_bytes(bytes(4096))
        with control.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 4096)
        self.faults = Faults.from_buffer(self.memory)
        environment = {"LD_PRELOAD": str(library), "REELWIRE_FAULTS": str(control)}
        super().__init__(*arguments, environment=environment, **options)

    def fail(
        self, call: int, error: int, after: int = 0, forever: bool = False, inode: int = 0
    ) -> None:
        """Has a call fail once so many have succeeded; a negative error makes it do so many bytes."""
        self.faults.call = 0
        self.faults.fired = 0
        self.faults.error = error
        self.faults.remaining = after
        self.faults.forever = forever
        self.faults.inode = inode
        self.faults.call = call

    def heal(self) -> bool:
        """Ends the faults; true when one has struck."""
        self.faults.call = 0
        return bool(self.faults.fired > 0)


def compiled(folder: Path) -> Path:
    library = folder / "faults.so"
    if not library.exists():
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O1", "-o", library, HERE / "faults.c", "-ldl"], check=True
        )
    return library


def ffmpeg(*arguments: str) -> None:
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", *arguments]
    subprocess.run(command, check=True, timeout=120)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def media(path: Path) -> str:
    """What is in a file, without what is of chance (Matroska's numbers of tracks)."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0", "-c", "copy"]
    return subprocess.run(
        [*command, "-f", "framemd5", "-"], check=True, capture_output=True, text=True
    ).stdout


def is_whole(path: Path) -> bool:
    """Whether a file can be told to be complete: its facts are there and all of it decodes."""
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", str(path)], capture_output=True, timeout=60
    )
    decoding = subprocess.run(
        ["ffmpeg", "-v", "error", "-xerror", "-i", str(path), "-f", "null", "-"],
        capture_output=True, timeout=60,
    )
    results = (probe, decoding)
    return all(result.returncode == 0 and not result.stderr for result in results)


def open_asset(engine: Engine, path: Path) -> str:
    return str(engine.call("asset/open", url=str(path))["asset"])


def begin(engine: Engine, asset: str, preset: str, target: Path, **params: Any) -> "tuple[str, int]":
    """Makes a session and starts its export, which is answered when it ends."""
    created = engine.call(
        "exportSession/create", asset=asset, preset=preset, outputURL=str(target), **params
    )
    session = created["exportSession"]
    request = engine.send(
        "exportSession/export", exportSession=session, progressInterval=0, completion="response"
    )
    return session, request


def export(
    engine: Engine, source: Path, preset: str, target: Path, **params: Any
) -> Dict[str, Any]:
    """Exports, and gives what the terminal notification would say."""
    asset = open_asset(engine, source)
    session, request = begin(engine, asset, preset, target, **params)
    try:
        return engine.result(request)
    finally:
        engine.call("handle/close", handle=session)
        engine.call("handle/close", handle=asset)


def failure(result: Dict[str, Any]) -> "tuple[int, str]":
    """The code and the name of what a failed export says."""
    assert result["status"] == "failed", result
    assert "outputURL" not in result and "fileSize" not in result
    assert result["error"]["data"]["hint"]
    return result["error"]["code"], result["error"]["data"]["name"]


def names(folder: Path) -> List[str]:
    """Everything in a folder, hidden files too."""
    return sorted(os.listdir(folder))


def attempt(engine: Engine, method: str, **params: Any) -> Optional[EngineError]:
    try:
        engine.call(method, **params)
    except EngineError as error:
        return error
    return None
