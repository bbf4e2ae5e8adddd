"""Real fleets against the model of `fleet_model.py`: `python Benchmarks/fleet_calibration.py [--json] [--quick]`.

Fleets of 2 processes, and of up to 200 workers in this process, do jobs that only sleep. Some cases show the time of the model's
server for a task and for a row; all are compared with the model. The model's times of files and exports are
measured, too, if there is an engine, and the descriptors and memory of this process with its workers.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import gc
import math
import os
import random
import signal
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

import dask
from distributed import Client, LocalCluster

from fleet import KEPT, PRESET, WORK, source
from fleet_model import COSTS, EXPORT, LOCAL_RESTART, SEED, Costs, Workers, listed, report
from pipe import ordinary
from reelwire import MediaTime, jobs
from reelwire.dask import Fleet
from reelwire.dask.worker_plugin import EnginePlugin
from reelwire.jobs import ExportPart, JoinParts, PlanExport
from reelwire.jobs.export_parts import part_paths

#: An engine that only starts and ends.
ENGINE = r"""#!/bin/sh
while read -r line; do
  case $line in
    *'"initialize"'*)
      id=${line##*'"id":'}
      echo '{"jsonrpc":"2.0","id":'"${id%%[,\}]*}"',"result":{"capabilities":{},"serverInfo":{}}}' ;;
    *'"exit"'*) exit 0 ;;
  esac
done
"""
#: The other work of workers would disturb a scheduler in the same process.
IN_PROCESS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "30s",
    "distributed.admin.tick.interval": "5s",
}


@dataclasses.dataclass(frozen=True, eq=False)
class Sleep(jobs.Job[Any]):
    """Takes as long as the file's folder is called, and ends the process for a file called lethal."""

    async def perform(self, context: jobs.JobContext) -> Any:
        *_, seconds, name = context.path.split("/")
        time.sleep(float(seconds))
        if name == "lethal":
            os.kill(os.getpid(), signal.SIGKILL)
        # About as much as a probe returns.
        audio = {"sampleRate": 44100, "channels": ["FL", "FR"], "channelLayout": "stereo"}
        values = {"nominal_frame_rate": 25.0, "format_descriptions": [{"codec": name, **audio}]}
        tracks = [
            jobs.ProbedTrack(each, "video", name, ["visual"], True, True, "eng", "en", None, values)
            for each in range(2)
        ]
        return {"duration": MediaTime(3684, 1000), "tracks": tracks}


class EngineEach(EnginePlugin):
    """Has the workers of one process start an engine each, as those of several do."""

    def setup(self, worker: Any) -> None:
        super().setup(worker)
        self._settings = {**self._settings, "engine_arguments": (str(worker.name),)}


class Case(NamedTuple):
    """A run of files that only sleep."""

    files: int
    #: For each file; the median, where `sigma` makes them log-normal.
    seconds: float
    batch_size: Optional[int]
    sigma: float = 0
    #: Which files end workers.
    lethal: Tuple[int, ...] = ()

    @property
    def times(self) -> List[float]:
        chance = random.Random(SEED)
        return [self.seconds * chance.lognormvariate(0, self.sigma) for _ in range(self.files)]

    def measured(self, fleet: Fleet) -> Tuple[float, float]:
        """The seconds that a fleet takes, and those of processor time of this process."""
        names = ["lethal" if each in self.lethal else f"{each}" for each in range(self.files)]
        paths = [f"/{seconds:.6f}/{name}" for seconds, name in zip(self.times, names)]
        used, began = time.process_time(), time.perf_counter()
        rows = fleet.gather(Sleep(), paths, batch_size=self.batch_size)
        took = time.perf_counter() - began, time.process_time() - used
        assert [each for each, row in enumerate(rows) if row.error] == list(self.lethal)
        return took

    def modelled(self, count: int, costs: Costs, more: float) -> float:
        """The seconds by the model, with an additional time for each file."""
        seconds = listed([each + more for each in self.times])
        workers = Workers(count, costs, seconds, bad=self.lethal, restart=LOCAL_RESTART)
        return float(workers.map(self.files, self.batch_size)["seconds"])


TASKS, ROWS = Case(600, 0, 1), Case(10_000, 0.001, 500)


def fitting(count: int) -> List[Case]:
    """The cases that determine the costs of 20 and of 200 workers in this process."""
    return [TASKS, Case(50 * count, 0.01, 20)]


def checking(count: int) -> List[Case]:
    cases = [ROWS, Case(100 * count, 0.02, None), Case(40 * count, 0.1, 5), Case(8 * count, 0.5, 1)]
    return [*cases, Case(60 * count, 0.05, None, 1), *([Case(400, 0.02, 50, 0, (133,))] * (count == 2))]


def state(**about: Any) -> Dict[str, Any]:
    """The resources of this process."""
    status = Path("/proc/self/status").read_text()
    memory, threads = (int(status.split(name)[1].split()[0]) for name in ("VmRSS:", "Threads:"))
    descriptors = len(os.listdir("/proc/self/fd"))
    return {**about, "descriptors": descriptors, "MB": memory // 1024, "threads": threads}


@contextlib.contextmanager
def real(count: int, is_in_process: bool, states: List[Dict[str, Any]]) -> Iterator[Fleet]:
    """A real fleet with engines that do nothing."""
    states.append(state(workers=count, moment="before"))
    with contextlib.ExitStack() as stack:
        engine = Path(stack.enter_context(tempfile.TemporaryDirectory()), "engine")
        engine.write_text(ENGINE)
        engine.chmod(0o755)
        stack.enter_context(dask.config.set(IN_PROCESS if is_in_process else {}))
        cluster = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=not is_in_process,
            protocol="tcp",
            memory_limit=0,
            dashboard_address=":0",
            silence_logs=50,
        )
        client = stack.enter_context(Client(stack.enter_context(cluster)))
        states.append(state(workers=count, moment="cluster"))
        fleet = Fleet(client, binary=str(engine))
        if is_in_process:
            fleet._core._plugin = EngineEach(fleet._core._name, (), str(engine), {})
        with fleet:
            states.append(state(workers=count, moment="fleet"))
            # Collections would scan all objects of these workers in one process.
            gc.disable()
            yield fleet
            gc.enable()
            states.append(state(workers=count, moment="runs"))
        states.append(state(workers=count, moment="closed"))


def fitted(measured: Dict[Tuple[int, Case], float], costs: Costs, more: float) -> Costs:
    """The costs of a task and of a row for which the ratios of model and measurement are nearest to 1."""

    def error(tried: Costs) -> float:
        ratios = (case.modelled(count, tried, more) / each for (count, case), each in measured.items())
        return sum(math.log(ratio) ** 2 for ratio in ratios)

    found = error(costs), costs
    for step in (1.5, 1.2, 1.08, 1.03, 1.01):
        for name, factor in [("task", step), ("task", 1 / step), ("row", step), ("row", 1 / step)] * 4:
            tried = found[1]._replace(**{name: getattr(found[1], name) * factor})
            found = min(found, (error(tried), tried))
    return found[1]


def calibrate(rounds: int) -> Dict[str, Any]:
    """Real fleets against the model: costs, each case, and the resources of this process."""
    results: Dict[str, Any] = {"load": os.getloadavg()[0], "states": []}
    walls: Dict[Tuple[str, int, Case], float] = {}
    used: Dict[Case, float] = {}
    one: Dict[int, float] = {}
    for place, count in [("processes", 2), *(("in process", each) for each in (2, 20, 60, 200))]:
        is_in_process = place == "in process"
        with real(count, is_in_process, results["states"]) as fleet:
            one[count] = statistics.median(Case(1, 0, 1).measured(fleet)[0] for _ in range(9))
            for case in [*fitting(count), *checking(count)]:
                if not (case.lethal and is_in_process):
                    took = [case.measured(fleet) for _ in range(rounds)]
                    walls[place, count, case], seconds = map(statistics.median, zip(*took))
                    used.setdefault(case, seconds)
            if not is_in_process:
                rows = fleet.gather(Sleep(), [f"/0/{each}" for each in range(2000)], batch_size=500)
                more = statistics.median(row.seconds for row in rows)
    known = {(count, case): walls["in process", count, case] for count in (20, 200) for case in fitting(count)}
    common = COSTS._replace(end=max(0, one[200] - one[20]) / 180)
    inside = fitted(known, common, more)
    # Of processes the processor time of client and scheduler is known.
    task = used[TASKS] / TASKS.files
    row_cost = (used[ROWS] - task * ROWS.files / 500) / ROWS.files
    outside = common._replace(task=task, row=row_cost)
    results["cases"] = [
        {
            "place": place,
            "workers": count,
            **case._asdict(),
            "measured": wall,
            "model": case.modelled(count, outside if place == "processes" else inside, more),
            "fitted": (count, case) in known if place != "processes" else case in (TASKS, ROWS),
        }
        for (place, count, case), wall in walls.items()
    ]
    for row in results["cases"]:
        row["ratio"] = row["model"] / row["measured"]
    results["costs"] = [{"place": "processes", **outside._asdict()}, {"place": "in process", **inside._asdict()}]
    results["seconds more a file"] = more
    return results


def files(binary: str) -> Dict[str, Any]:
    """The medians of the seconds of the corpus's files, and the standard deviations of their logarithms."""
    made = {}
    worker: jobs.Worker[Any] = jobs.Worker(binary=binary)
    with worker:
        for name, job in WORK.items():
            for _ in range(2):
                rows = [worker.attempt(job, path) for path in ordinary()]
            logs = [math.log(row.seconds) for row in rows]
            made[name] = math.exp(statistics.mean(logs)), statistics.stdev(logs)
    return made


def export(binary: str, rounds: int) -> Dict[str, float]:
    """The medians of the seconds of an export of a minute, in one piece and in parts."""
    path, taken = source(), []
    worker: jobs.Worker[Any] = jobs.Worker(binary=binary)
    with worker, tempfile.TemporaryDirectory(dir=KEPT) as folder:

        def run(job: jobs.Job[Any]) -> Tuple[float, Any]:
            began = time.perf_counter()
            result = worker.run(job, path)
            return time.perf_counter() - began, result

        for number in range(rounds):
            output = os.path.join(folder, f"{number}.mp4")
            job = jobs.Export(PRESET, output)
            planned, plan = run(PlanExport(job, 2))
            parts = part_paths(plan, output, None)
            *video, audio = (run(ExportPart(job, plan, *each))[0] for each in enumerate(parts))
            joined, _ = run(JoinParts(job, plan, tuple(parts)))
            one, _ = run(jobs.Export(PRESET, os.path.join(folder, f"one-{number}.mp4")))
            taken.append((one, sum(video), audio, planned, joined))
    return dict(zip(EXPORT, map(statistics.median, zip(*taken))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    release = Path(__file__).resolve().parents[1] / ".build" / "release" / "reelwire"
    parser.add_argument("--binary", default=str(release), help="whose files and exports are measured")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rounds = 1 if given.quick else given.rounds
    results = calibrate(rounds)
    if os.access(given.binary, os.X_OK):
        results["files"] = files(given.binary)
        results["export"] = export(given.binary, rounds)
    report(results, given.json)


if __name__ == "__main__":
    main()
