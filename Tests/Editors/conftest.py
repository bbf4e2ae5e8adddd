"""The shared parts of the tests of clients by others and of the editors: the program, clips, editors."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Support"))

from waiting import HANG  # noqa: E402

BINARY = Path(os.environ.get("REELWIRE_BINARY", ROOT / ".build/debug/reelwire")).resolve()
FIXTURES = json.loads((ROOT / "Tests/Transcripts/fixtures.json").read_text())


@pytest.fixture(scope="session")
def binary() -> Path:
    assert BINARY.exists(), f"there is no {BINARY}; run make test-editors"
    return BINARY


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, Path]:
    """The fixtures of the transcripts by name: `clip`, `long`, `broken`."""
    folder = tmp_path_factory.mktemp("clips")
    made: Dict[str, Path] = {}
    for name, fixture in FIXTURES.items():
        path = made[name] = folder / fixture["file"]
        if "text" in fixture:
            path.write_text(fixture["text"])
        else:
            command = ["ffmpeg", "-v", "error", "-nostdin", *fixture["ffmpeg"], str(path)]
            subprocess.run(command, check=True, timeout=HANG)
    return made


@pytest.fixture
def editor(
    binary: Path, clips: Dict[str, Path], tmp_path: Path
) -> "Callable[..., subprocess.CompletedProcess[str]]":
    """Runs an editor without a terminal, as a user without settings.

    It finds the engine in REELWIRE_BINARY, the clips in REELWIRE_CLIP, _LONG and _BROKEN, and an
    empty folder in REELWIRE_FOLDER.
    """

    def run(*command: str) -> "subprocess.CompletedProcess[str]":
        if shutil.which(command[0]) is None:
            pytest.skip(f"{command[0]} isn't here, and .ci/setup editors could not install it")
        folder = tmp_path / "folder"
        folder.mkdir()
        environment = {
            **os.environ,
            **{f"REELWIRE_{name.upper()}": str(path) for name, path in clips.items()},
            "PATH": f"{binary.parent}:{os.environ['PATH']}",
            "REELWIRE_BINARY": str(binary),
            "REELWIRE_FOLDER": str(folder),
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "LC_ALL": "C.UTF-8",
        }
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=2 * HANG,
        )

    return run
