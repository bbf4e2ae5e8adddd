from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Iterator, List

import pytest

# The bare driver of the engine is the corpus tests'.
TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "Corpus"), str(TESTS / "Support")]

from audio_server import AudioServer  # noqa: E402
from engine import Engine  # noqa: E402
from support import Clips, FaultyEngine  # noqa: E402
from waiting import HANG  # noqa: E402

HERE = Path(__file__).resolve().parent


def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    isPossible = sys.platform == "linux" and shutil.which("cc") and shutil.which("ffmpeg")
    for item in items:
        if not isPossible and HERE in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="needs Linux, a C compiler and ffmpeg"))


@pytest.fixture(scope="session")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clips]:
    clips = Clips(tmp_path_factory.mktemp("clips"))
    yield clips
    assert clips.are_untouched()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared")


@pytest.fixture(scope="session")
def faulty(shared: Path) -> Iterator[FaultyEngine]:
    with FaultyEngine(shared) as engine:
        yield engine
        assert engine.call("handle/list")["handles"] == []


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AudioServer]:
    server = AudioServer(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def engine(server: AudioServer) -> Iterator[Engine]:
    engine = Engine(environment={"PULSE_SERVER": server.environment["PULSE_SERVER"]})
    yield engine
    engine.process.stdin and engine.process.stdin.close()
    assert engine.process.wait(HANG) == 0
