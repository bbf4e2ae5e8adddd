"""The shared parts of the tests of workers: engines that files end, and attempts on other threads."""

import contextlib
import os
import signal
import sys
import threading

import pytest
from child_processes import own_children_of
from conftest import nothing_left
from waiting import eventually, joined

from reelwire import jobs

#: Passes everything on to an engine, and ends both when a message names a file called lethal.
WRAPPER = """#!{python} -SE
import os, signal, subprocess, sys
with open({log!r}, "a") as log:
    log.write(f"{{os.getpid()}}\\n")
engine = subprocess.Popen([{binary!r}, *sys.argv[1:]], stdin=subprocess.PIPE)
for line in sys.stdin.buffer:
    if b"lethal" in line:
        engine.kill()
        engine.wait()
        os.kill(os.getpid(), signal.SIGKILL)
    engine.stdin.write(line)
    engine.stdin.flush()
engine.stdin.close()
sys.exit(engine.wait())
"""


class Wrapper:
    """An engine that some files end, and that counts how often it is started."""

    def __init__(self, folder, binary):
        self._log = folder / "starts"
        self.binary = folder / "wrapped-reelwire"
        program = WRAPPER.format(python=sys.executable, log=str(self._log), binary=str(binary))
        self.binary.write_text(program)
        self.binary.chmod(0o755)

    @property
    def pids(self):
        return [int(line) for line in self._log.read_text().split()] if self._log.exists() else []


def until(condition):
    """Waits for something that comes soon."""
    eventually("what comes soon", condition)


def kill_children(pid):
    """Kills the children that a process has just now, whichever of its threads has made them."""
    for child in own_children_of(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def nothing_left_soon(worker):
    """Objects that were being made when they were cancelled are closed as soon as they are there."""
    until(lambda: not worker.engine.handles())
    nothing_left(worker.engine)


class Attempt(threading.Thread):
    """An attempt on another thread, which has begun work in the engine when this is there."""

    def __init__(self, worker, job, path=None):
        super().__init__()
        self._do = lambda: worker.attempt(job, path)
        self.row = self.error = None
        self.start()
        until(lambda: not self.is_alive() or worker.engine.stats()["operations"])

    def run(self):
        try:
            self.row = self._do()
        except Exception as error:
            self.error = error

    def ended(self):
        joined(self)
        assert self.error is None
        return self.row


def export(folder):
    return jobs.Export("HighestQuality", folder / "{stem}-made.mp4")


@pytest.fixture
def wrapper(binary, tmp_path):
    return Wrapper(tmp_path, binary)


@pytest.fixture
def files(clip, tmp_path):
    """Six files, of which the third ends engines."""
    folder = tmp_path / "files"
    folder.mkdir()
    names = ["a", "b", "lethal", "c", "d", "e"]
    for name in names:
        os.link(clip, folder / f"{name}.mp4")
    return [str(folder / f"{name}.mp4") for name in names]
