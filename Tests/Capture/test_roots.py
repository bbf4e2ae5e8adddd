"""The folders that recordings may be in, for a server with roots."""

from __future__ import annotations

from pathlib import Path
from typing import Tuple

import pytest

from engine import Engine, EngineError
from sessions import Session, numbers


def folders(tmp_path: Path) -> Tuple[Path, Path]:
    """One that may be written in, with a link to the other."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    return inside, outside


def ways_out(tmp_path: Path, name: str) -> "list[Path]":
    return [tmp_path / "out" / name, tmp_path / "in/link" / name, tmp_path / "in/../out" / name]


@pytest.mark.parametrize("arguments", [(), ("--no-isolation",)])
def test_recordings_stay_inside(tmp_path: Path, arguments: "tuple[str, ...]") -> None:
    inside, outside = folders(tmp_path)
    with Engine("--root", str(inside), *arguments) as engine:
        session = Session(engine, {"type": "movieFile"}, {"type": "audioFile"})
        for output, name in enumerate(("a.mov", "a.wav")):
            for path in ways_out(tmp_path, name):
                with pytest.raises(EngineError) as refused:
                    session.record(path, output)
                assert refused.value.data["name"] == "pathNotAllowed"
        session.record(inside / "a.mov")
        session.record(inside / "a.wav", 1)
        session.advance(1)
        session.stop()
        assert numbers(inside / "a.mov") == list(range(30))
        session.close()
    assert list(outside.iterdir()) == []
    assert {path.name for path in inside.iterdir()} == {"link", "a.mov", "a.wav"}


def test_recorders_stay_inside(tmp_path: Path) -> None:
    inside, outside = folders(tmp_path)
    with Engine("--root", str(inside)) as engine:
        for path in ways_out(tmp_path, "a.wav"):
            made = engine.call(
                "audioRecorder/create", url=str(path), device="synthetic:1", clock="manual"
            )
            with pytest.raises(EngineError) as refused:
                engine.call("audioRecorder/prepareToRecord", **made)
            assert refused.value.data["name"] == "pathNotAllowed"
            engine.call("handle/close", handle=made["audioRecorder"])
    assert list(outside.iterdir()) == []


def test_a_photo_writes_no_file(tmp_path: Path) -> None:
    inside, outside = folders(tmp_path)
    with Engine("--root", str(inside)) as engine:
        session = Session(engine, {"type": "photo"})
        with pytest.raises(EngineError) as refused:
            session.call("capturePhoto", delivery={"kind": "file", "path": str(outside / "a.jpg")})
        assert refused.value.code == -32602
        session.close()
    assert list(outside.iterdir()) == []
