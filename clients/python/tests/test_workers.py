"""Workers: engines that die, files that end them, and jobs that are cancelled."""

import concurrent.futures
import contextlib
import os
import signal
import threading
from pathlib import Path

import pytest
from child_processes import is_running, stop
from conftest import nothing_left, probe
from waiting import joined
from worker_helpers import (  # noqa: F401
    Attempt,
    export,
    files,
    kill_children,
    nothing_left_soon,
    until,
    wrapper,
)

import reelwire
from reelwire import jobs

# Deaths


def test_the_engine_is_started_when_it_is_needed(wrapper, clip):
    with jobs.Worker(binary=wrapper.binary) as worker:
        assert wrapper.pids == []
        assert worker.run(jobs.Probe("duration"), clip)
        assert wrapper.pids == [worker.engine.pid]
        assert worker.run(jobs.Probe("duration"), clip)
    assert len(wrapper.pids) == 1
    until(lambda: not is_running(wrapper.pids[0]))
    assert worker.closed
    worker.close()
    for use in (lambda: worker.run(jobs.Probe(), clip), lambda: worker.engine):
        with pytest.raises(reelwire.EngineClosedError, match="the worker is closed"):
            use()


def test_a_file_whose_engine_is_killed_is_done_again(binary, long_clip, tmp_path):
    with jobs.Worker(binary=binary) as worker:
        attempt = Attempt(worker, export(tmp_path), long_clip)
        pid = worker.engine.pid
        os.kill(pid, signal.SIGKILL)
        row = attempt.ended()
        assert row.error is None
        assert row.attempts == 2
        assert worker.engine.pid != pid
        assert sorted(os.listdir(tmp_path)) == [".long-made.mp4.reelwire.json", "long-made.mp4"]
        shown = probe(row.value.path, "-count_frames", "-show_streams")
        assert shown["streams"][0]["nb_read_frames"] == "1800"
        nothing_left(worker.engine)


def test_an_engine_that_died_between_files_costs_no_attempt(binary, clip):
    with jobs.Worker(binary=binary) as worker:
        worker.run(jobs.Probe(), clip)
        engine = worker.engine
        os.kill(engine.pid, signal.SIGKILL)
        until(lambda: engine.closed)
        assert worker.attempt(jobs.Probe(), clip).attempts == 1


def test_a_file_whose_worker_process_is_killed_is_done_again(binary, long_clip, tmp_path):
    """Such processes are the engine's own: it continues, and has another one for the file."""
    with jobs.Worker(binary=binary) as worker:
        if "isolation" not in worker.engine.stats():
            pytest.skip("the engine has no worker processes")
        attempt = Attempt(worker, export(tmp_path), long_clip)
        pid = worker.engine.pid
        kill_children(pid)
        row = attempt.ended()
        assert row.error is None
        assert row.attempts == 2
        assert worker.engine.pid == pid
        assert len(os.listdir(tmp_path)) == 2
        nothing_left(worker.engine)


def test_a_file_that_ends_worker_processes_is_an_error(binary, long_clip, clip, tmp_path):
    with jobs.Worker(binary=binary) as worker:
        if "isolation" not in worker.engine.stats():
            pytest.skip("the engine has no worker processes")
        attempt = Attempt(worker, export(tmp_path), long_clip)

        def kill():
            # Kills any worker that is at work, until the file isn't tried any more.
            if attempt.is_alive() and worker.engine.stats()["operations"]:
                kill_children(worker.engine.pid)
            return not attempt.is_alive()

        until(kill)
        row = attempt.ended()
        assert isinstance(row.error, reelwire.WorkerDiedError)
        assert row.attempts == 2
        assert os.listdir(tmp_path) == []
        assert worker.attempt(jobs.Probe(), long_clip).attempts == 0
        assert worker.attempt(jobs.Probe(), clip).error is None


def test_a_file_that_ends_engines_is_an_error_and_the_next_one_is_done(wrapper, files):
    worker = jobs.Worker(jobs.Probe("duration"), binary=wrapper.binary)
    with worker:
        rows = [worker(path) for path in files]
        assert [row.path for row in rows] == files
        assert [row.attempts for row in rows] == [1, 1, 2, 1, 1, 1]
        assert [type(row.error) for row in rows if row.error] == [reelwire.EngineDiedError]
        assert rows[2].error.signal == "SIGKILL"
        assert len(wrapper.pids) == 3
        # It isn't tried any more, by any job.
        again = worker.attempt(jobs.Thumbnails(count=1), files[2])
        assert (again.error, again.attempts) == (rows[2].error, 0)
        with pytest.raises(reelwire.EngineDiedError):
            worker.run(jobs.Probe(), files[2])
        assert len(wrapper.pids) == 3
        # Unless it is another one.
        os.utime(files[2], ns=(1, 1))
        assert worker(files[2]).attempts == 2
        assert len(wrapper.pids) == 4
        nothing_left(worker.engine)


def test_a_composition_that_ends_engines(wrapper, files, tmp_path):
    with jobs.Worker(binary=wrapper.binary) as worker:
        job = jobs.Compose(files, "Passthrough", tmp_path / "film.mp4")
        assert worker.attempt(job).attempts == 2
        assert worker.attempt(job).attempts == 0
        film = jobs.Compose([files[0], files[1]], "Passthrough", tmp_path / "film.mp4")
        assert worker.attempt(film).error is None


def test_only_the_file_that_ends_engines_has_the_error(wrapper, files):
    """Of those that were in work at the same time."""
    paths = [files[2] if n == 7 else files[n % 2] for n in range(24)]
    worker = jobs.Worker(jobs.Probe(("duration", "tracks")), binary=wrapper.binary)
    with worker, concurrent.futures.ThreadPoolExecutor(6) as pool:
        rows = list(pool.map(worker, paths))
        assert [row.path for row in rows if row.error] == [files[2]]
        assert isinstance(rows[7].error, reelwire.EngineDiedError)
        assert rows[7].attempts == 2
        assert all(row.attempts in (1, 2) for row in rows)
        nothing_left(worker.engine)


def test_what_is_not_the_files_error_is_raised(tmp_path, clip):
    with jobs.Worker(binary=tmp_path / "none") as worker:
        with pytest.raises(reelwire.BinaryNotFoundError):
            worker.attempt(jobs.Probe(), clip)
    ending = tmp_path / "ending"
    ending.write_text(f"#!/bin/sh\necho start >> {tmp_path}/starts\nexit 3\n")
    ending.chmod(0o755)
    with jobs.Worker(binary=ending) as worker:
        with pytest.raises(reelwire.EngineDiedError) as caught:
            worker.attempt(jobs.Probe(), clip)
        assert caught.value.exit_code == 3
        # Once more, for it could have been killed by chance.
        assert (tmp_path / "starts").read_text().split() == ["start"] * 2
        with pytest.raises(reelwire.EngineDiedError):
            worker.attempt(jobs.Probe(), clip)


# Cancelling


def test_cancelling(binary, long_clip, clip, tmp_path):
    with jobs.Worker(binary=binary) as worker:
        worker.cancel()
        for job in (export(tmp_path), jobs.Frames(slice(None), output=tmp_path / "{index}.png")):
            attempt = Attempt(worker, job, long_clip)
            pid = worker.engine.pid
            worker.cancel()
            row = attempt.ended()
            assert isinstance(row.error, reelwire.OperationCancelledError)
            assert row.error.code == -11878
            assert row.attempts == 1
            assert os.listdir(tmp_path) == []
            # The engine is the same, and has nothing left to do.
            assert worker.engine.pid == pid
            nothing_left_soon(worker)
        assert worker.attempt(jobs.Probe(), clip).error is None


def test_cancelling_all_threads(binary, long_clip, tmp_path):
    work = [jobs.Export("HighestQuality", tmp_path / f"{n}.mp4") for n in range(4)]
    with jobs.Worker(binary=binary) as worker:
        attempts = [Attempt(worker, job, long_clip) for job in work]
        until(lambda: worker.engine.stats()["operations"] == len(attempts))
        worker.cancel()
        for attempt in attempts:
            assert isinstance(attempt.ended().error, reelwire.OperationCancelledError)
        assert os.listdir(tmp_path) == []
        nothing_left_soon(worker)


def test_an_engine_that_does_not_react_is_killed(binary, long_clip, clip, tmp_path):
    with jobs.Worker(binary=binary) as worker:
        attempt = Attempt(worker, export(tmp_path), long_clip)
        pid = worker.engine.pid
        stop(pid)
        worker.cancel()
        row = attempt.ended()
        assert isinstance(row.error, reelwire.OperationCancelledError)
        assert os.listdir(tmp_path) == []
        until(lambda: not is_running(pid))
        assert worker.attempt(jobs.Probe(), clip).error is None


def test_closing_cancels(binary, long_clip, tmp_path):
    worker = jobs.Worker(binary=binary)
    attempt = Attempt(worker, export(tmp_path), long_clip)
    pid = worker.engine.pid
    worker.close()
    assert isinstance(attempt.ended().error, reelwire.OperationCancelledError)
    assert os.listdir(tmp_path) == []
    until(lambda: not is_running(pid))


def test_ctrl_c_cancels(binary, long_clip, tmp_path):
    with jobs.Worker(binary=binary) as worker:

        def interrupt():
            until(lambda: worker.engine.stats()["operations"])
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            worker.run(export(tmp_path), long_clip)
        joined(thread)
        assert os.listdir(tmp_path) == []
        nothing_left_soon(worker)
