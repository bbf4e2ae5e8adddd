"""Workers in threads, in forks and in other processes."""

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import weakref

import pytest
from child_processes import is_running
from conftest import nothing_left
from test_processes import in_a_fork
from waiting import HANG
from worker_helpers import (  # noqa: F401
    Attempt,
    export,
    files,
    nothing_left_soon,
    until,
    wrapper,
)

import reelwire
from reelwire import jobs



def test_threads_have_one_engine(wrapper, files):
    paths = [files[n % 2] for n in range(40)]
    worker = jobs.Worker(jobs.Thumbnails(count=2, width=32), binary=wrapper.binary)
    with worker, concurrent.futures.ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(worker, paths))
        assert [row.error for row in rows] == [None] * 40
        assert all(row.value == rows[n % 2].value for n, row in enumerate(rows))
        assert len(wrapper.pids) == 1
        nothing_left(worker.engine)


def test_a_worker_that_is_sent_is_how_it_was_made(binary, clip):
    worker = jobs.Worker(jobs.Probe("duration"), binary=binary, path_map={"/mnt": "/data"})
    with worker:
        right = worker(clip).value
        for number in range(pickle.HIGHEST_PROTOCOL + 1):
            with pickle.loads(pickle.dumps(worker, number)) as other:
                assert other.job == worker.job
                assert repr(other) == repr(worker)
                assert other(clip).value == right
                assert other.engine.pid != worker.engine.pid
        with copy.copy(worker) as other:
            assert other(clip).value == right
    assert pickle.loads(pickle.dumps(worker))(clip).value == right
    assert not pickle.loads(pickle.dumps(worker)).closed


def test_copies_in_a_process_have_one_engine_until_the_last_is_closed(wrapper, clip):
    data = pickle.dumps(jobs.Worker(jobs.Probe("duration"), binary=wrapper.binary))
    other_job = pickle.dumps(jobs.Worker(jobs.Probe("tracks"), binary=wrapper.binary))
    for _ in range(3):
        # As pools do it: each task has a copy of its own.
        assert pickle.loads(data)(clip).error is None
    first, second = pickle.loads(data), pickle.loads(other_job)
    assert first(clip).error is second(clip).error is None
    (pid,) = wrapper.pids
    first.close()
    with pytest.raises(reelwire.EngineClosedError):
        first(clip)
    assert second(clip).error is None
    assert is_running(pid)
    second.close()
    until(lambda: not is_running(pid))
    with pickle.loads(data) as third:
        assert third(clip).error is None
    assert len(wrapper.pids) == 2


def test_a_worker_that_is_dropped_ends_its_engine(binary, clip):
    worker = jobs.Worker(binary=binary)
    worker.run(jobs.Probe(), clip)
    pid = worker.engine.pid
    reference = weakref.ref(worker)
    del worker
    until(lambda: reference() is None and not is_running(pid))


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_has_an_engine_of_its_own(binary, clip, long_clip, tmp_path):
    """During any work of the other threads of its parent."""
    with jobs.Worker(jobs.Probe("duration"), binary=binary) as worker:
        right = worker(clip).value
        attempt = Attempt(worker, export(tmp_path), long_clip)
        parent = worker.engine.pid

        def body():
            row = worker(clip)
            assert row.value == right
            assert row.attempts == 1
            pid = worker.engine.pid
            worker.close()
            assert not is_running(pid)
            return pid

        pids = {int(in_a_fork(body)) for _ in range(2)}
        assert len(pids) == 2
        assert parent not in pids
        assert worker.engine.pid == parent
        worker.cancel()
        assert isinstance(attempt.ended().error, reelwire.OperationCancelledError)
        assert worker(clip).value == right
        nothing_left_soon(worker)


def check_rows(rows, files, binary):
    with jobs.Worker(binary=binary) as worker:
        right = worker.run(jobs.Probe(("duration", "tracks")), files[0])
    assert [row.path for row in rows] == files * 4
    for row in rows:
        if "lethal" in row.path:
            assert isinstance(row.error, reelwire.EngineDiedError)
            assert row.attempts in (0, 2)
        else:
            assert row.error is None
            assert row.value == right
            assert row.attempts == 1


def check_engines(wrapper, processes):
    """One in each process, and two more in each that has met the file that ends them; all are gone."""
    assert 1 <= len(wrapper.pids) <= 3 * processes
    until(lambda: not any(map(is_running, wrapper.pids)))


@pytest.mark.parametrize("method", ["spawn", "fork", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_pool_of_processes(wrapper, binary, files, method):
    worker = jobs.Worker(jobs.Probe(("duration", "tracks")), binary=wrapper.binary)
    with multiprocessing.get_context(method).Pool(2) as pool:
        rows = pool.map_async(worker, files * 4, chunksize=3).get(4 * HANG)
        pool.close()
        pool.join()
    check_rows(rows, files, binary)
    check_engines(wrapper, 2)


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_an_executor_of_processes(wrapper, binary, files, method):
    worker = jobs.Worker(jobs.Probe(("duration", "tracks")), binary=wrapper.binary)
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        rows = list(pool.map(worker, files * 4, timeout=4 * HANG))
    check_rows(rows, files, binary)
    check_engines(wrapper, 2)


def test_exports_in_other_processes(binary, clip, late_clip, tmp_path):
    work = jobs.Export("LowQuality", tmp_path / "{stem}-small.mp4")
    paths = [str(clip), str(late_clip), str(tmp_path / "none.mp4")]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        first = list(pool.map(jobs.Worker(work, binary=binary), paths, timeout=4 * HANG))
        again = list(pool.map(jobs.Worker(work, binary=binary), paths, timeout=4 * HANG))
    assert [row.value for row in first] == [row.value for row in again]
    assert [row.value.is_reused for row in again[:2]] == [True, True]
    assert isinstance(first[2].error, FileNotFoundError)
    assert len(os.listdir(tmp_path)) == 4


def test_jobs_that_name_their_files_in_other_processes(binary, clip, tmp_path):
    films = [jobs.Compose([clip] * n, "Passthrough", tmp_path / f"{n}.mp4") for n in (1, 2)]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        rows = list(pool.map(jobs.Worker(binary=binary), films, timeout=4 * HANG))
    assert [row.path for row in rows] == [film.output for film in films]
    assert [round(float(row.value.time_range.duration)) for row in rows] == [4, 8]
