"""Files that jobs make, when processes are killed in the middle, or several do the same."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from child_processes import is_running
from conftest import nothing_left, probe, seconds
from faults import FLUSH, LINK, STALL, WRITE, FaultMemory
from test_job_files import BOTH, names, out, states  # noqa: F401
from waiting import HANG, joined
from worker_helpers import until, wrapper  # noqa: F401

import reelwire
from reelwire import jobs
from reelwire.jobs import finished_files

CRASHES = {
    # The place of the crash, and the file that is there then in addition to the source.
    "before the record": "finished_files._temporary = crash",
    "before the name": "finished_files._name = crash",
    "behind the name": "name = finished_files._name\n"
    "finished_files._name = lambda *each: (name(*each), crash())",
    "behind the record": "name = finished_files._name\n"
    "finished_files._name = lambda *each: (name(*each), setattr(finished_files, '_remove', crash))",
}
PROGRAM = """
import os, sys
from reelwire import jobs
from reelwire.jobs import finished_files
def crash(*_): os._exit(9)
{crash}
jobs.Worker().run(jobs.Export("LowQuality", sys.argv[2]), sys.argv[1])
"""


def environment(binary):
    return {
        **os.environ,
        "REELWIRE_BINARY": str(binary),
        "PYTHONPATH": str(Path(reelwire.__file__).parents[1]),
    }


@pytest.mark.parametrize("where", CRASHES)
def test_an_export_goes_on_where_a_process_has_ended(worker, binary, clip, out, where):
    program = PROGRAM.format(crash=CRASHES[where])
    command = [sys.executable, "-c", program, str(clip), str(out / "{stem}.mp4")]
    ended = subprocess.run(command, env=environment(binary), timeout=4 * HANG)
    assert ended.returncode == 9
    was_named = (out / "clip.mp4").exists()
    assert was_named == where.startswith("behind")
    before = states(out)
    made = worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip)
    assert names(out) == BOTH
    assert made.time_range.start == 0
    assert made.is_reused == (where != "before the record")
    if was_named:
        assert states(out)["clip.mp4"] == before["clip.mp4"]
    assert worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip) == made
    frames = probe(out / "clip.mp4", "-select_streams", "v:0", "-count_frames", "-show_streams")
    assert frames["streams"][0]["nb_read_frames"] == "120"


#: Kills itself before line N of the module that makes files; 0 for never. Prints the number of lines.
KILLED = """
import os, signal, sys, threading
from reelwire import jobs
from reelwire.jobs import finished_files
place, lines = int(sys.argv[3]), 0
def trace(frame, event, argument):
    global lines
    if frame.f_code.co_filename != finished_files.__file__:
        return None
    lines += event == "line"
    if event == "line" and lines == place:
        os.kill(os.getpid(), signal.SIGKILL)
    return trace
sys.settrace(trace)
threading.settrace(trace)
jobs.Worker().run(jobs.Export("LowQuality", sys.argv[2]), sys.argv[1])
print(lines)
"""


def goes_on(worker, wrapper, clip, out):
    """The next run continues from a killed process's remains, and removes them in the end."""
    made = worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip)
    assert seconds(made.path) == pytest.approx(4, abs=0.2)
    # The engine of a killed process may finish its file a moment later.
    until(lambda: not any(map(is_running, wrapper.pids)))
    assert worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip).is_reused
    assert names(out) == BOTH
    for path in out.iterdir():
        path.unlink()


def test_processes_killed_at_any_moment_leave_what_can_be_gone_on_from(worker, wrapper, clip, out):
    command = [sys.executable, "-c", KILLED, str(clip), str(out / "{stem}.mp4")]
    options = {"env": environment(wrapper.binary), "stdout": subprocess.PIPE, "timeout": 4 * HANG}
    whole = subprocess.run([*command, "0"], check=True, **options)
    for path in out.iterdir():
        path.unlink()
    lines = int(whole.stdout)
    assert lines > 40
    # Before the export begins, and then to the last line.
    for place in sorted({1, *range(lines // 8, lines, lines // 8), lines}):
        ended = subprocess.run([*command, str(place)], **options)
        assert ended.returncode == -signal.SIGKILL, place
        goes_on(worker, wrapper, clip, out)


WRITING = """
import os, sys
from reelwire.jobs import finished_files
os.fsync = lambda _: os._exit(9)
finished_files.write_picture("a.jpg", sys.argv[1], b"picture")
"""


def test_what_a_process_leaves_while_it_writes_is_removed_by_the_next(worker, binary, clip, out):
    """Records and pictures, which have hidden names until they are complete."""
    program = "import os\nos.fsync = lambda _: os._exit(9)\n" + PROGRAM.format(crash="")
    command = [sys.executable, "-c", program, str(clip), str(out / "{stem}.mp4")]
    assert subprocess.run(command, env=environment(binary), timeout=4 * HANG).returncode == 9
    assert [name for name in names(out) if name.endswith(".json.partial")]
    worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip)
    assert names(out) == BOTH
    for path in out.iterdir():
        path.unlink()
    command = [sys.executable, "-c", WRITING, str(out / "a.jpg")]
    assert subprocess.run(command, env=environment(binary), timeout=4 * HANG).returncode == 9
    assert names(out) == [".a.jpg.partial"]
    assert finished_files.write_picture("a.jpg", str(out / "a.jpg"), b"picture")
    assert names(out) == ["a.jpg"]


def test_what_another_process_writes_stays(out):
    path, other = out / "a.jpg", out / ".a.jpg.partial"
    with open(other, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert finished_files.write_picture("a.jpg", str(path), b"picture")
        assert names(out) == [other.name, "a.jpg"]
    # It was killed after it had given the picture its name.
    other.unlink()
    os.link(path, other)
    assert not finished_files.write_picture("a.jpg", str(path), b"picture")
    assert names(out) == ["a.jpg"] and path.read_bytes() == b"picture"


def test_file_systems_without_locks(out, monkeypatch):
    def flock(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", flock)
    assert finished_files.write_picture("a.jpg", str(out / "a.jpg"), b"picture")
    assert names(out) == ["a.jpg"]


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
@pytest.mark.parametrize("place", [(WRITE, 0), (WRITE, 1), (LINK, 0), (FLUSH, 1)])
def test_processes_killed_while_the_engine_writes(worker, wrapper, clip, out, tmp_path, place):
    """The engine is held at a call, and continues when its client is gone."""
    command = [sys.executable, "-c", PROGRAM.format(crash=""), str(clip), str(out / "{stem}.mp4")]
    faults = FaultMemory(tmp_path)
    faults.fail(place[0], STALL, after=place[1])
    with subprocess.Popen(
        command, env={**environment(wrapper.binary), **faults.environment}
    ) as process:
        faults.struck()
        process.send_signal(signal.SIGKILL)
    faults.heal()
    goes_on(worker, wrapper, clip, out)


def test_several_processes_that_do_the_same_make_one_file(worker, binary, clip, out):
    program = PROGRAM.format(crash="")
    command = [sys.executable, "-c", program, str(clip), str(out / "{stem}.mp4")]
    processes = [subprocess.Popen(command, env=environment(binary)) for _ in range(3)]
    assert [process.wait(4 * HANG) for process in processes] == [0, 0, 0]
    assert names(out) == BOTH
    assert worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip).is_reused


def test_a_file_that_comes_meanwhile_stays(worker, clip, out, monkeypatch):
    """Between the look whether there is one and the name."""
    name = finished_files._name

    def late(temporary, path):
        Path(path).write_bytes(b"somebody's")
        name(temporary, path)

    monkeypatch.setattr(finished_files, "_name", late)
    with pytest.raises(reelwire.FileAlreadyExistsError):
        worker.run(jobs.Export("LowQuality", out / "{stem}.mp4"), clip)
    assert (out / "clip.mp4").read_bytes() == b"somebody's"
    assert names(out) == ["clip.mp4"]


def test_a_file_that_another_process_names_is_not_reused(worker, clip, out, monkeypatch):
    """Between its record and its name it looks like the file of a killed process."""
    name = finished_files._name
    others = []

    def late(temporary, path):
        monkeypatch.setattr(finished_files, "_name", name)
        with jobs.Worker(binary=os.environ.get("REELWIRE_BINARY")) as other:
            others.append(other.run(job, clip))
        name(temporary, path)

    job = jobs.Export("LowQuality", out / "{stem}.mp4")
    monkeypatch.setattr(finished_files, "_name", late)
    assert not worker.run(job, clip).is_reused
    assert [made.is_reused for made in others] == [True]
    assert names(out) == BOTH


def test_file_systems_without_links(worker, clip, out, monkeypatch):
    def link(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    job = jobs.Export("LowQuality", out / "{stem}.mp4")
    assert not worker.run(job, clip).is_reused
    assert worker.run(job, clip).is_reused
    assert names(out) == BOTH
    with pytest.raises(reelwire.FileAlreadyExistsError):
        worker.run(jobs.Export("Passthrough", out / "{stem}.mp4"), clip)
    worker.run(jobs.Thumbnails(count=1, output=out / "a.jpg"), clip)
    assert names(out) == [*BOTH[:1], "a.jpg", *BOTH[1:]]


def test_two_threads_that_do_the_same(binary, clip, out):
    """One of them makes the file; the other has it, or is refused, and spoils nothing."""
    job = jobs.Export("LowQuality", out / "{stem}.mp4")
    rows = []
    with jobs.Worker(binary=binary) as worker:
        threads = [
            threading.Thread(target=lambda: rows.append(worker.attempt(job, clip)))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            joined(thread)
        assert [row.error for row in rows].count(None) >= 1
        for row in rows:
            assert row.error is None or isinstance(row.error, reelwire.FileAlreadyExistsError)
        assert worker.run(job, clip).is_reused
        assert names(out) == BOTH
        nothing_left(worker.engine)
