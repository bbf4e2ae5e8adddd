"""Fleets on real clusters of processes."""

import asyncio
import contextlib
import dataclasses
import itertools
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest
from child_processes import own_children_of
from conftest import probe, seconds
from waiting import HANG, joined
from worker_helpers import Wrapper, files, until  # noqa: F401

import reelwire
from reelwire import jobs
from reelwire.jobs.export_parts import ExportPart, PlanExport, part_paths

# On a busy machine Dask abandons its own workers after half a minute. A quarter of a minute after a worker's crash it
# closes the nanny of one that is just being started again.
for _limit in ("COMM__TIMEOUTS__CONNECT", "COMM__TIMEOUTS__TCP", "DEPLOY__LOST_WORKER_TIMEOUT"):
    os.environ.setdefault(f"DASK_DISTRIBUTED__{_limit}", f"{HANG:.0f}s")

distributed = pytest.importorskip("distributed")
from reelwire.dask import AsyncFleet, DaskWorkerDiedError, Fleet, WorkerNotReadyError  # noqa: E402

pytestmark = [
    # Dask's, of its own shutdown.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PROBE = jobs.Probe(("duration", "tracks"), ("nominal_frame_rate",))


@dataclasses.dataclass(frozen=True, eq=False)
class EndsWorkers(jobs.Job):
    """Ends the process that it is done in, for a file called lethal."""

    async def perform(self, context):
        if "lethal" in context.path:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.path.basename(context.path)


@dataclasses.dataclass(frozen=True, eq=False)
class Pause(jobs.Job):
    """Lasts until it is cancelled, having made a file that shows it has begun."""

    async def perform(self, context):
        async with context.open():
            Path(f"{context.path}.begun").touch()
            await asyncio.Event().wait()


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def client(cluster):
    with distributed.Client(cluster) as client:
        # Jobs of this file are known by it alone.
        distributed.protocol.pickle.cloudpickle.register_pickle_by_value(sys.modules[__name__])
        yield client


@pytest.fixture
def fleet(client, binary):
    with Fleet(client, binary=str(binary)) as fleet:
        yield fleet
    until(lambda: not engines(client))


def worker_pids(client):
    return list(client.run(os.getpid).values())


def engines(client):
    """The engines below the Dask workers, by their process."""
    return {child: pid for pid in worker_pids(client) for child in own_children_of(pid) if is_engine(child)}


def is_engine(pid):
    try:
        return b"serve" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture(scope="module")
def many(clip, rich_clip, late_clip, cover, tmp_path_factory):
    """Sixty files, some of which are no media, or not there."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "text.mp4").write_text("no movie")
    paths = [folder / "text.mp4", folder / "missing.mp4"]
    for number, source in zip(range(58), itertools.cycle([clip, rich_clip, late_clip, cover])):
        paths.append(folder / f"{number}{source.suffix}")
        os.link(source, paths[-1])
    return [str(path) for path in paths]


def compared(rows):
    """The part of a row that doesn't depend on which worker has made it, and when."""
    return [
        (row.path, repr(row.value), type(row.error), str(row.error or ""), row.attempts)
        for row in sorted(rows, key=lambda row: row.path)
    ]


@pytest.fixture(scope="module")
def expected(many, binary):
    with jobs.Worker(PROBE, binary=binary) as worker:
        return compared([worker(path) for path in many])


def test_results_are_those_of_one_engine(fleet, many, expected):
    seen = []
    rows = list(fleet.map(PROBE, many, progress=lambda done, total: seen.append((done, total))))
    assert compared(rows) == expected
    assert seen == [(number + 1, 60) for number in range(60)]
    assert {row.worker for row in rows} == set(fleet.client.scheduler_info(n_workers=-1)["workers"])
    ordered = fleet.gather(PROBE, many, batch_size=1)
    assert [row.path for row in ordered] == many
    assert compared(ordered) == expected
    pictures = jobs.Thumbnails([1], width=64)
    with jobs.Worker(binary=os.environ.get("REELWIRE_BINARY")) as worker:
        alone = [worker.attempt(pictures, path) for path in many[2:12]]
    for row, other in zip(fleet.gather(pictures, many[2:12]), alone):
        assert [bytes(image) for image in row.value or ()] == [
            bytes(image) for image in other.value or ()
        ]


def test_an_engine_for_each_worker(fleet, client, many):
    fleet.gather(PROBE, many)
    assert sorted(engines(client).values()) == sorted(worker_pids(client))


@pytest.mark.parametrize("what", ["worker", "engine"])
def test_killed_in_mid_work(fleet, client, many, expected, what):
    for number in range(5):
        rows = fleet.map(PROBE, many, batch_size=4)
        taken = list(itertools.islice(rows, 1 + 7 * number))
        victims = engines(client) if what == "engine" else dict.fromkeys(worker_pids(client))
        if victims:
            os.kill(sorted(victims)[number % len(victims)], signal.SIGKILL)
        taken += list(rows)
        # The number of attempts at a file depends on when that was.
        assert [row[:4] for row in compared(taken)] == [row[:4] for row in expected]
        until(lambda: len(client.scheduler_info(n_workers=-1)["workers"]) == 2)


def test_a_file_that_ends_engines(client, binary, files, tmp_path):
    with Fleet(client, binary=str(Wrapper(tmp_path, binary).binary)) as fleet:
        rows = fleet.gather(PROBE, files)
    assert [type(row.error) for row in rows] == [
        reelwire.EngineDiedError if "lethal" in path else type(None) for path in files
    ]
    assert rows[2].attempts == 2


def test_a_file_that_ends_workers(fleet, client, files):
    rows = fleet.gather(EndsWorkers(), files)
    assert [row.value for row in rows] == [
        None if "lethal" in path else os.path.basename(path) for path in files
    ]
    error = rows[2].error
    assert isinstance(error, DaskWorkerDiedError)
    assert "lethal.mp4" in error.message
    assert error.hint
    assert pickle.loads(pickle.dumps(error)) == error
    until(lambda: len(client.scheduler_info(n_workers=-1)["workers"]) == 2)


def test_cancel_reaches_the_engines(fleet, client, files):
    def cancel():
        until(lambda: any(Path(f"{path}.begun").exists() for path in files))
        fleet.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(reelwire.OperationCancelledError):
        fleet.gather(Pause(), files, batch_size=1)
    joined(canceller)
    assert all(row.error is None for row in fleet.gather(PROBE, files))


def test_leaving_a_loop_cancels(fleet, files):
    rows = fleet.map(jobs.Probe(("duration",)), itertools.cycle(files), batch_size=1)
    assert next(rows).error is None
    rows.close()
    # One that continues for ever is no reason to wait.
    assert all(row.error is None for row in fleet.gather(PROBE, files))


def test_look_ahead_is_bounded(fleet, files):
    taken = 0

    def endless():
        nonlocal taken
        for path in itertools.cycle(files):
            taken += 1
            yield path

    rows = fleet.map(PROBE, endless(), batch_size=2)
    for count, _ in enumerate(itertools.islice(rows, 40), 1):
        # Two batches of two files for each of two threads, and as many that are done.
        assert taken <= count + 16
    rows.close()


def test_errors_can_be_raised(fleet, many):
    with pytest.raises(Exception) as info:  # noqa: PT011
        fleet.gather(PROBE, many[:6], raise_errors=True)
    errors = getattr(info.value, "exceptions", [info.value])
    assert any(isinstance(error, FileNotFoundError) for error in errors)


def test_exports_are_made_once(fleet, files, tmp_path):
    made = jobs.Export("LowQuality", tmp_path / "{stem}.mp4")
    paths = [path for path in files if "lethal" not in path]
    rows = fleet.gather(made, paths * 2)
    assert not [row.error for row in rows if row.error]
    assert sum(not row.value.is_reused for row in rows) == len(paths)
    assert all(seconds(row.value.path) == pytest.approx(4, abs=0.2) for row in rows[:2])
    left = [path.name for path in tmp_path.iterdir() if path.is_file() and "json" not in path.name]
    assert sorted(left) == sorted(os.path.basename(path) for path in paths)


def test_jobs_that_name_their_files(fleet, clip, tmp_path):
    composed = [
        jobs.Compose([str(clip), str(clip)], "Passthrough", tmp_path / f"{number}.mp4")
        for number in range(3)
    ]
    rows = fleet.gather(composed)
    assert [row.path for row in rows] == [str(tmp_path / f"{number}.mp4") for number in range(3)]
    assert not any(row.error for row in rows)


@pytest.mark.parametrize("parts", [None, 3])
def test_a_long_export_in_parts(fleet, files, tmp_path, parts):
    output = tmp_path / "out.mp4"
    seen = []
    made = fleet.export(files[0], output, "LowQuality", parts=parts, progress=seen.append)
    assert made.path == str(output)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    with jobs.Worker(binary=os.environ.get("REELWIRE_BINARY")) as worker:
        alone = worker.run(jobs.Export("LowQuality", tmp_path / "alone.mp4"), files[0])
    command = ["ffmpeg", "-v", "error", "-xerror", "-i", "", "-vn", "-f", "md5", "-"]
    audio, frames = [], []
    for path in (made.path, alone.path):
        command[5] = path
        audio.append(subprocess.run(command, check=True, capture_output=True).stdout)
        found = probe(path, "-select_streams", "v", "-show_entries", "packet=pts,duration")
        frames.append(sorted((packet["pts"], packet.get("duration")) for packet in found["packets"]))
    assert audio[0] == audio[1]
    assert frames[0] == frames[1]
    # Done again, it is the same file, of which nothing is made.
    seen.clear()
    again = fleet.export(files[0], output, "LowQuality", parts=parts, progress=seen.append)
    assert again.is_reused
    assert seen == []
    with pytest.raises(reelwire.FileAlreadyExistsError):
        fleet.export(files[0], output, "MediumQuality", parts=parts)
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []
    with pytest.raises(reelwire.ReelwireError, match="all is copied"):
        fleet.export(files[0], tmp_path / "copy.mp4", "Passthrough")


def test_a_damaged_part_of_an_earlier_try_is_made_again(fleet, files, tmp_path):
    whole, output = tmp_path / "whole.mp4", tmp_path / "out.mp4"
    fleet.export(files[0], whole, "LowQuality", parts=3)
    job = jobs.Export("LowQuality", output)
    with jobs.Worker(binary=os.environ.get("REELWIRE_BINARY")) as worker:
        plan = worker.run(PlanExport(job, 3), files[0])
        parts = part_paths(plan, str(output), None)
        for number, part in enumerate(parts):
            worker.run(ExportPart(job, plan, number, part), files[0])
    data = bytearray(Path(parts[1]).read_bytes())
    data[len(data) // 2] ^= 1
    Path(parts[1]).write_bytes(data)
    Path(parts[2]).write_bytes(b"cut short")
    fleet.export(files[0], output, "LowQuality", parts=3)
    assert output.read_bytes() == whole.read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_cluster_without_workers(binary, files, monkeypatch):
    monkeypatch.setattr("reelwire.dask.run._EMPTY", 0.2)
    with distributed.LocalCluster(
        n_workers=0, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster, distributed.Client(cluster) as client, Fleet(client, binary=str(binary)) as fleet:
        warns = warnings.warn
        warned_of = threading.Event()

        def warn(*arguments):
            warns(*arguments)
            warned_of.set()

        def scale():
            if warned_of.wait(HANG):
                cluster.scale(1)

        monkeypatch.setattr("reelwire.dask.run.warnings", SimpleNamespace(warn=warn))
        later = threading.Thread(target=scale)
        later.start()
        with pytest.warns(RuntimeWarning, match="no worker") as warned:
            assert not any(row.error for row in fleet.gather(PROBE, files[:2]))
        joined(later)
        assert len([each for each in warned if "no worker" in str(each.message)]) == 1


def test_tables(fleet, files):
    table = fleet.dataframe(jobs.Probe(("duration",)), [*files, "missing.mp4"])
    assert list(table["path"]) == [*files, "missing.mp4"]
    assert float(table["duration"][0]) == pytest.approx(4, abs=0.1)
    assert table["error"][6].name == "contentIsUnavailable"
    bag = fleet.bag(PROBE, files, partition_size=2)
    assert bag.npartitions == 3
    assert [row.path for row in bag.compute()] == files


def test_asynchronous(binary, files):
    async def main():
        async with AsyncFleet(cluster, binary=str(binary)) as fleet:
            rows = [row async for row in fleet.map(PROBE, files)]
            return rows, await fleet.gather(PROBE, files, batch_size=1)

    async def with_cluster():
        nonlocal cluster
        async with distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, dashboard_address=":0", asynchronous=True
        ) as cluster:
            return await main()

    cluster = None
    rows, ordered = asyncio.run(with_cluster())
    assert sorted(row.path for row in rows) == sorted(files)
    assert [row.path for row in ordered] == files


@contextlib.contextmanager
def running_scheduler(folder):
    """A scheduler and two workers, by Dask's commands; returns the file with their address."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    options = {"cwd": folder, "env": environment, "stderr": subprocess.DEVNULL}
    scheduler = folder / "scheduler.json"
    commands = [
        ["dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(scheduler)],
        *[["dask_worker", "--scheduler-file", str(scheduler), "--no-dashboard"]] * 2,
    ]
    started = []
    try:
        for module, *arguments in commands:
            command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
            started.append(subprocess.Popen(command, **options))
            until(scheduler.exists)
        yield scheduler
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(HANG)


def run_example(binary, *arguments):
    """The lines that the example prints."""
    command = [sys.executable, str(EXAMPLES / "fleet.py"), *map(str, arguments)]
    environment = {**os.environ, "REELWIRE_BINARY": str(binary)}
    made = subprocess.run(command, capture_output=True, text=True, timeout=4 * HANG, env=environment)
    assert made.returncode == 0, made.stderr
    return made.stdout.splitlines()


@pytest.fixture
def folder(tmp_path, clip):
    folder = tmp_path / "media"
    for name in ("a.mp4", "below/b.mp4"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(clip, folder / name)
    (folder / "wrong.mov").write_text("no media")
    (folder / "none.txt").touch()
    return folder


def test_the_example(binary, folder, tmp_path):
    results = tmp_path / "results"
    lines = run_example(binary, folder, results, "--workers", "2")
    assert lines[0].startswith(f"{folder}/wrong.mov: ")
    assert "3 files, 2 with video, 8 s in all" in lines
    assert "2 thumbnails" in lines
    assert lines[-1] == "2 made, 0 there already"
    names = sorted(path.name[0] + path.suffix for path in results.glob("[!.]*"))
    assert names == ["a.jpg", "a.mp4", "b.jpg", "b.mp4"]
    assert all(seconds(path) == pytest.approx(4, abs=0.2) for path in results.glob("[!.]*.mp4"))
    assert run_example(binary, folder, results, "--workers", "1")[-1] == "0 made, 2 there already"


def test_a_scheduler_that_is_there(binary, files, folder, tmp_path):
    with running_scheduler(tmp_path) as scheduler:
        with distributed.Client(scheduler_file=str(scheduler)) as client:
            client.wait_for_workers(2)
            with Fleet(client, binary=str(binary)) as fleet:
                assert not any(row.error for row in fleet.gather(PROBE, files))
            address = client.scheduler.address
        lines = run_example(binary, folder, tmp_path / "results", "--scheduler", address)
        assert lines[-1] == "2 made, 0 there already"
