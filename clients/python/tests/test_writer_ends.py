"""The remains of a file whose writing doesn't end as it should: fragments stay, other files are absent."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import probe
from waiting import eventually

import reelwire
from reelwire import VideoInput

np = pytest.importorskip("numpy")

SIZE = (64, 48)
PICTURE = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)

#: A program that records until it is ended.
PROGRAM = """
import sys, os
import numpy, reelwire
path, fragments, end = sys.argv[1:]
picture = numpy.zeros((48, 64, 3), numpy.uint8)
options = {"movie_fragment_interval": 0.2} if fragments == "yes" else {}
video = reelwire.VideoInput((64, 48), frame_rate=25, settings={"codec": "prores"})
engine = reelwire.Engine()
writer = engine.asset_writer(path, video=video, **options)
print("ready", flush=True)
sys.stdin.readline()
while True:
    for _ in range(50):
        writer.video.append(picture)
    if end == "exit" and (fragments == "no" or open(path, "rb").read().count(b"moof") > 2):
        os._exit(3)
    if end == "abort" and (fragments == "no" or open(path, "rb").read().count(b"moof") > 2):
        os.abort()
    if end == "exception" and (fragments == "no" or open(path, "rb").read().count(b"moof") > 2):
        raise RuntimeError("the recording has failed")
"""


def recorder(engine, path, **options):
    video = VideoInput(SIZE, frame_rate=25, settings={"codec": "prores"})
    return engine.asset_writer(path, video=video, **options)


def record(writer, path):
    """Appends until some fragments are in the file."""

    def has_fragments():
        writer.video.append(PICTURE)
        return path.read_bytes().count(b"moof") >= 3

    eventually("three fragments", has_fragments)


def frames(path):
    """The number of frames of a file, all of which decode."""
    shown = probe(path, "-select_streams", "v", "-count_frames", "-show_streams")
    return int(shown["streams"][0]["nb_read_frames"])


def test_fragments_stay_after_an_exception(engine, tmp_path):
    path = tmp_path / "film.mov"
    with pytest.raises(RuntimeError, match="the recording"):
        with recorder(engine, path, movie_fragment_interval=0.2) as writer:
            record(writer, path)
            raise RuntimeError("the recording has failed")
    assert frames(path) >= 10
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("end", ["close", "engine"])
def test_fragments_stay_without_an_end(binary, tmp_path, end):
    path = tmp_path / "film.mov"
    with reelwire.Engine(binary) as engine:
        writer = recorder(engine, path, movie_fragment_interval=0.2)
        record(writer, path)
        if end == "close":
            writer.close()
    assert frames(path) >= 10


def test_a_cancel_removes_fragments_too(engine, tmp_path):
    path = tmp_path / "film.mov"
    with recorder(engine, path, movie_fragment_interval=0.2) as writer:
        record(writer, path)
        writer.cancel()
        assert not path.exists()
        writer.close()


def test_a_file_without_a_fragment_is_absent(engine, tmp_path):
    path = tmp_path / "film.mov"
    with pytest.raises(RuntimeError, match="the recording"):
        with recorder(engine, path, movie_fragment_interval=10) as writer:
            writer.video.append(PICTURE)
            raise RuntimeError("the recording has failed")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("fragments", ["yes", "no"])
@pytest.mark.parametrize("end", ["exit", "abort", "exception", "kill"])
def test_the_program_that_writes_ends(binary, tmp_path, end, fragments):
    path = tmp_path / "film.mov"
    environment = {**os.environ, "REELWIRE_BINARY": str(binary)}
    environment["PYTHONPATH"] = str(Path(reelwire.__file__).parents[1])
    command = [sys.executable, "-c", PROGRAM, str(path), fragments, end]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # The engine inherits the last one: it ends when the engine does.
    with subprocess.Popen(command, env=environment, **pipes) as program:
        program.stdout.readline()
        program.stdin.write(b"\n")
        program.stdin.flush()
        if end == "kill":
            if fragments == "yes":
                eventually("three fragments", lambda: path.read_bytes().count(b"moof") >= 3)
            program.send_signal(signal.SIGKILL)
        program.stderr.read()
    assert program.returncode != 0
    assert os.listdir(tmp_path) == ([path.name] if fragments == "yes" else [])
    if fragments == "yes":
        assert frames(path) >= 10
