"""Exports to names that are taken, and into folders that are of no use.

In all cases, the target is complete or absent, the source is as it was, nothing else is left, the session
reports the reason, and the engine continues.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any, Dict

import pytest

from engine import Engine
from support import (
    EXISTS,
    LINK,
    STALL,
    Clips,
    FaultyEngine,
    begin,
    digest,
    export,
    failure,
    is_whole,
    make,
    names,
    needs_mounts,
    open_asset,
    succeeds,
)
from waiting import joined



@needs_mounts
def test_a_source_is_no_target(clips: Clips, tmp_path: Path) -> None:
    source = tmp_path / "in.mp4"
    shutil.copy(clips["small.mp4"], source)
    other, mount = tmp_path / "other", tmp_path / "mount"
    other.mkdir()
    mount.mkdir()
    os.symlink(source, other / "link.mp4")
    os.link(source, other / "hard.mp4")
    os.symlink(tmp_path, other / "folder")
    kept = digest(source)
    script = 'mount --bind "$0" "$1" && shift && exec "$@"'
    prefix = ["unshare", "-rm", "sh", "-c", script, str(tmp_path), str(mount)]
    with Engine(prefix=prefix) as engine:
        paths = [
            str(source), f"{tmp_path}/./in.mp4", f"{tmp_path}/other/../in.mp4",
            f"file://{source}", str(other / "link.mp4"), str(other / "hard.mp4"),
            str(other / "folder" / "in.mp4"), str(mount / "in.mp4"),
        ]
        for path in paths:
            before = engine.call("engine/stats")["bytesRead"]
            asset = open_asset(engine, source)
            for preset in ("Passthrough", "LowQuality"):
                session = engine.call(
                    "exportSession/create", asset=asset, preset=preset, outputURL=path
                )["exportSession"]
                before = engine.call("engine/stats")["bytesRead"]
                result = engine.call(
                    "exportSession/export", exportSession=session, completion="response"
                )
                assert failure(result) == EXISTS, path
                assert "the asset is made of" in result["error"]["message"], path
                # It is reported before any work.
                assert engine.call("engine/stats")["bytesRead"] == before
        assert digest(source) == kept
    assert names(other) == ["folder", "hard.mp4", "link.mp4"]


def test_two_exports_to_one_target(clips: Clips, tmp_path: Path) -> None:
    with Engine() as engine:
        asset = open_asset(engine, clips["small.mp4"])
        for pair in range(50):
            target = tmp_path / f"{pair}.mp4"
            # One and the same file, called by two names.
            same = tmp_path / ".." / tmp_path.name / f"{pair}.mp4"
            started = [begin(engine, asset, "Passthrough", path)[1] for path in (target, same)]
            results = [engine.result(request) for request in started]
            assert sorted(result["status"] for result in results) == ["completed", "failed"]
            assert [failure(r) for r in results if r["status"] == "failed"] == [EXISTS]
        assert len(names(tmp_path)) == 50
        assert len({digest(path) for path in tmp_path.iterdir()}) == 1
        assert is_whole(target)


def test_links_that_somebody_plants(clips: Clips, shared: Path, tmp_path: Path) -> None:
    """Links to another file come and go where the target and temporary files are to be."""
    canary = tmp_path / "canary"
    canary.write_bytes(b"untouched")
    folder = tmp_path / "folder"
    folder.mkdir()
    isOver = threading.Event()

    def plant() -> None:
        while not isOver.is_set():
            try:
                os.symlink(canary, folder / "out.mp4")
                os.unlink(folder / "out.mp4")
            except OSError:
                pass

    thread = threading.Thread(target=plant)
    with FaultyEngine(shared) as engine:
        # A link that comes when the file is complete, and is to get its name next.
        engine.fail(LINK, STALL)
        asset = open_asset(engine, clips["small.mp4"])
        session, request = begin(engine, asset, "Passthrough", folder / "out.mp4")
        engine.struck()
        os.symlink(canary, folder / "out.mp4")
        engine.heal()
        assert failure(engine.result(request)) == EXISTS
        os.unlink(folder / "out.mp4")
        assert names(folder) == []
        for handle in (session, asset):
            engine.call("handle/close", handle=handle)
        # The name is taken at any moment.
        thread.start()
        try:
            for _ in range(60):
                result = export(engine, clips["small.mp4"], "Passthrough", folder / "out.mp4")
                if result["status"] == "failed":
                    assert failure(result) == EXISTS
                else:
                    (folder / "out.mp4").unlink(missing_ok=True)
        finally:
            isOver.set()
            joined(thread)
    assert canary.read_bytes() == b"untouched"
    assert all(name == "out.mp4" for name in names(folder))


@pytest.mark.parametrize("name", ["a b", "ä\n\"'", "-x", "%d", "file:x", "pipe:1", "100%|a,b"])
def test_odd_names(name: str, clips: Clips, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with Engine("--root", str(tmp_path), "--root", str(clips.folder)) as engine:
        target = folder / f"{name}.mp4"
        result = export(
            engine, clips["small.mp4"], "Passthrough", target, shouldOptimizeForNetworkUse=True
        )
        assert result["status"] == "completed", result
        assert names(folder) == [f"{name}.mp4"]
        assert is_whole_by_descriptor(target)


def is_whole_by_descriptor(path: Path) -> bool:
    """For names of which ffmpeg would make something else."""
    with path.open("rb") as file:
        command = ["ffmpeg", "-v", "error", "-xerror", "-i", f"/dev/fd/{file.fileno()}"]
        result = subprocess.run(
            [*command, "-f", "null", "-"], pass_fds=[file.fileno()], capture_output=True
        )
    return result.returncode == 0 and not result.stderr


def test_folders_that_are_of_no_use(clips: Clips, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "sub.mp4").mkdir(parents=True)
    (tmp_path / "file").write_bytes(b"")
    cases: Dict[str, Dict[str, Any]] = {
        # target: the code, and where temporary files are to lie
        "missing/out.mp4": {"code": -11863},
        "file/out.mp4": {"code": -11863},
        "folder/sub.mp4": {"code": -11823},
        "folder/out.mp4": {"code": -11863, "temporary": "missing"},
        "folder/out2.mp4": {"code": -11863, "temporary": "file"},
    }
    if os.path.isdir("/proc/1"):
        cases["/proc/1/out.mp4"] = {"code": None}
    with Engine() as engine:
        for path, case in cases.items():
            options = {}
            if "temporary" in case:
                options["directoryForTemporaryFiles"] = str(tmp_path / case["temporary"])
            before = engine.call("engine/stats")["bytesRead"]
            asset = open_asset(engine, clips["small.mp4"])
            session = engine.call(
                "exportSession/create", asset=asset, preset="Passthrough",
                outputURL=str(tmp_path / path), **options,
            )["exportSession"]
            before = engine.call("engine/stats")["bytesRead"]
            result = engine.call(
                "exportSession/export", exportSession=session, completion="response"
            )
            assert case["code"] in (None, failure(result)[0]), result
            assert engine.call("engine/stats")["bytesRead"] == before
        assert names(folder) == ["sub.mp4"] and names(folder / "sub.mp4") == []
        succeeds(engine, clips, make(tmp_path / "good"))


@needs_mounts
def test_a_file_system_that_can_only_be_read(clips: Clips, tmp_path: Path) -> None:
    disk, folder = make(tmp_path / "disk"), make(tmp_path / "folder")
    script = 'mount -t tmpfs -o ro none "$0" && exec "$@"'
    with Engine(prefix=["unshare", "-rm", "sh", "-c", script, str(disk)]) as engine:
        for target, temporary in [(disk, None), (disk, folder), (folder, disk)]:
            options = {"directoryForTemporaryFiles": str(temporary)} if temporary else {}
            result = export(
                engine, clips["small.mp4"], "Passthrough", target / "out.mp4", **options
            )
            assert failure(result) == (-11884, "sandboxExtensionDenied")
            assert result["error"]["data"]["libav"]["code"] == "EROFS"
        assert names(folder) == []
        succeeds(engine, clips, folder)
