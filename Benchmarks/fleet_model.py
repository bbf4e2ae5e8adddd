"""The times of fleets of up to 1,000 workers, by a model: `python Benchmarks/fleet_model.py [--json] [--quick]`.

The code of `Fleet.map` assigns the files to workers, and handles those of a worker that has crashed;
workers, scheduler and clock are simulated. Scheduler and client are one server, which spends time on each task and each
row, one after the other. Files take a log-normal time. Workers crash at random and at bad files, and are restarted soon.
`fleet_calibration.py` has found the times of the server, and compares the model with real fleets. Random numbers have a
fixed seed.
"""

from __future__ import annotations

import argparse
import asyncio
import bisect
import heapq
import itertools
import json
import math
import random
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "clients" / "python" / "src"))

from reelwire import jobs
from reelwire.dask import run as rules
from reelwire.dask.batches import Batch, Batches

SEED = 1
WORKERS = (2, 10, 50, 100, 250, 500, 1000)
#: How long a worker that has died is missing, in seconds; and one of a cluster on this machine.
RESTART, LOCAL_RESTART = 1.0, 0.3
#: How long the messages of a task wait for others, in all: at most 10 ms from client to scheduler, 5 ms from there to the
#: worker, and 2 ms each back to the scheduler and to the client, by Dask's `BatchedSend`.
MESSAGES = 0.016
#: The number of files of a batch with individual times; the sum of the others is assumed to be normal.
SAMPLE = 256


class Costs(NamedTuple):
    """The server's times, in seconds."""

    #: A task: sending it, and its answer.
    task: float
    #: The additional time of a task for each worker: `Run._free` checks all, twice, at 0.5 us each.
    worker: float
    #: A row of an answer.
    row: float
    #: A worker, at the end of a run, when it is asked to end its work.
    end: float


#: By `fleet_calibration.py` on 2 cores with Python 3.11 and distributed 2026.8.
COSTS = Costs(task=2.2e-3, worker=1e-6, row=100e-6, end=0.3e-3)
#: By the same: the median of a file's seconds, and the standard deviation of their logarithms.
FILES = {"probe": (2.4e-3, 0.71), "thumbnails": (5.7e-3, 1.25)}
#: By the same: seconds of an export of a minute in one piece, of its parts of video, that of audio, plan and join.
EXPORT = {"one": 10.0, "video": 9.8, "audio": 0.63, "plan": 0.012, "join": 0.08}

#: The seconds of a number of files from an index on: of all together, and of some of them.
Seconds = Callable[[int, int], Tuple[float, List[float]]]


def log_normal(median: float, sigma: float) -> Seconds:
    chance = random.Random(SEED)
    mean = median * math.exp(sigma**2 / 2)
    deviation = mean * math.sqrt(math.exp(sigma**2) - 1)

    def seconds(_: int, count: int) -> Tuple[float, List[float]]:
        sample = [chance.lognormvariate(math.log(median), sigma) for _ in range(min(count, SAMPLE))]
        rest = count - len(sample)
        others = rest * mean + chance.gauss(0, 1) * deviation * math.sqrt(rest)
        return sum(sample) + max(others, 0), sample

    return seconds


def listed(files: Sequence[float]) -> Seconds:
    def seconds(index: int, count: int) -> Tuple[float, List[float]]:
        found = list(files[index : index + count])
        return sum(found), found

    return seconds


class SimulatedRun(rules.Run):
    """A real run, except for its workers, which are simulated."""

    def __init__(self, workers: Workers, batches: Batches) -> None:
        super().__init__(workers, "", batches)  # type: ignore[arg-type]
        self.workers = workers

    def _give(self, batch: Batch, address: str) -> None:
        key = f"task-{next(self.workers.numbers)}"
        self._tasks[key] = None, batch, address  # type: ignore[assignment]
        self._given.setdefault(address, []).append(batch)
        self.workers.give(key, batch, address)

    def ended(self, key: str, seconds: List[float]) -> None:
        self._take(key)
        if self._batches is not None:
            self._batches.took(seconds)
        self._assign()

    async def look(self) -> int:
        """Checks for missing workers, and returns the number of failed files."""
        self._looked = -math.inf
        given_up = len(await self._lost_rows())
        self._assign()
        return given_up

    @property
    def is_over(self) -> bool:
        return self._batches is None and not self._again and not self._tasks


class Workers:
    """Simulated workers, and their server, as the client of a run."""

    status = "running"

    def __init__(
        self,
        count: int,
        costs: Costs,
        seconds: Seconds,
        *,
        deaths_per_hour: float = 0,
        bad: Sequence[int] = (),
        restart: float = RESTART,
    ) -> None:
        self.scheduler = self
        self.count, self.costs, self.seconds, self.restart = count, costs, seconds, restart
        self.rate, self.bad, self.chance = deaths_per_hour / 3600, sorted(bad), random.Random(SEED)
        #: The time, the time at which the server has finished its work, and the total of that work.
        self.now = self.free = self.on_tasks = self.on_rows = 0.0
        self.done = self.redone = 0.0
        self.tasks = self.deaths = 0
        #: The time at which each worker has finished its work.
        self.until: Dict[str, float] = {}
        #: Each worker's tasks, with their begin and end.
        self.given: Dict[str, Dict[str, Tuple[float, float]]] = {}
        self.events: List[Tuple[float, int, Optional[Callable[..., None]], Tuple[Any, ...]]] = []
        self.numbers = itertools.count()
        for _ in range(count):
            self.begin()

    async def identity(self, n_workers: int) -> Any:
        return {"workers": {each: {"nthreads": 1} for each in self.until}}

    async def cancel(self, futures: Any, asynchronous: bool) -> None:
        pass

    def at(self, moment: float, event: Optional[Callable[..., None]], *given: Any) -> None:
        heapq.heappush(self.events, (moment, next(self.numbers), event, given))

    def begin(self) -> None:
        address = f"worker-{next(self.numbers)}"
        self.until[address], self.given[address] = self.now, {}
        if self.rate:
            self.at(self.now + self.chance.expovariate(self.rate), self.die, address)

    def die(self, address: str) -> None:
        if address in self.until:
            del self.until[address]
            self.deaths += 1
            times = self.given.pop(address).values()
            self.redone += sum(self.now - begin for begin, _ in times if begin < self.now)
            self.at(self.now + self.restart, self.begin)

    def serve(self, on_tasks: float, on_rows: float = 0) -> None:
        """The server does something when it has done all that came before."""
        self.free = max(self.free, self.now) + on_tasks + on_rows
        self.on_tasks += on_tasks
        self.on_rows += on_rows

    def give(self, key: str, batch: Batch, address: str) -> None:
        self.tasks += 1
        self.serve(self.costs.task / 2 + self.costs.worker * self.count)
        if address not in self.until:
            return
        begin = max(self.until[address], self.free + MESSAGES)
        total, sample = self.seconds(batch.index, len(batch.items))
        place = bisect.bisect_left(self.bad, batch.index)
        found = self.bad[place] - batch.index if place < len(self.bad) else len(batch.items)
        if found < len(batch.items):
            end = math.inf
            self.at(begin + total * (found + 1) / len(batch.items), self.die, address)
        else:
            end = begin + total
            self.at(end, self.end, key, address, len(batch.items), sample)
        self.until[address], self.given[address][key] = end, (begin, end)

    def end(self, key: str, address: str, rows: int, sample: List[float]) -> None:
        if address in self.until:
            begin, end = self.given[address].pop(key)
            self.done += end - begin
            self.serve(self.costs.task / 2, rows * self.costs.row)
            self.run.ended(key, sample)

    def map(self, files: int, batch_size: Optional[int] = None) -> Dict[str, Any]:
        """The time of a run of a number of files."""
        return asyncio.run(self._map(files, batch_size))

    async def _map(self, files: int, batch_size: Optional[int]) -> Dict[str, Any]:
        items = itertools.repeat((jobs.Probe(), "file"), files)
        self.run = SimulatedRun(self, Batches(items, files, batch_size))
        given_up = 0
        self.at(0, None)
        while not self.run.is_over:
            self.now, _, event, given = heapq.heappop(self.events)
            if event is not None:
                event(*given)
            else:
                given_up += await self.run.look()
                self.at(max(self.now, self.free) + rules._POLL, None)
        self.serve(self.costs.end * self.count)
        shares = {
            # The seconds of all files, divided among the workers, of those of the run.
            "workers": self.done / self.count / self.free,
            "tasks": self.on_tasks / self.free,
            "rows": self.on_rows / self.free,
        }
        return {
            "seconds": self.free,
            # From the first worker that has nothing to do any more until the end.
            "tail": self.free - min(self.until.values()),
            "efficiency": shares["workers"],
            "on tasks": shares["tasks"],
            "on rows": shares["rows"],
            "limit": max(shares, key=lambda each: shares[each]),
            "tasks": self.tasks,
            "deaths": self.deaths,
            "given up": given_up,
            # The loss with workers, of the seconds of all files.
            "redone": self.redone / self.done,
        }


# The times of fleets


def sweep(name: str, costs: Costs, most: int) -> List[Dict[str, Any]]:
    """A job by each number of workers, with each number of files; without crashes, and with 1 and 10 an hour of each worker."""
    rows = []
    for power, count in itertools.product(range(4, most + 1), WORKERS):
        none, one, ten = (
            Workers(count, costs, log_normal(*FILES[name]), deaths_per_hour=deaths).map(10**power)
            for deaths in (0, 1, 10)
        )
        rows.append({"files": 10**power, "workers": count})
        for key in ("seconds", "tail", "on tasks", "on rows", "limit", "efficiency"):
            rows[-1][key] = none[key]
        rows[-1].update({"1 death/h": one["efficiency"], "10": ten["efficiency"], "redone": ten["redone"]})
    return rows


def bad_files(costs: Costs) -> List[Dict[str, Any]]:
    """100,000 thumbnails by 100 workers; some of the files end workers."""
    rows = []
    for count in (0, 1, 10, 100):
        bad = random.Random(SEED).sample(range(10**5), count)
        workers = Workers(100, costs, log_normal(*FILES["thumbnails"]), bad=bad)
        rows.append({"bad": count, **workers.map(10**5)})
    return rows


def exports(costs: Costs) -> List[Dict[str, Any]]:
    """The speed-up of an hour in parts of thirty seconds, with that of audio after the others or before them."""
    video, audio = [EXPORT["video"] / 2] * 120, [EXPORT["audio"] * 60]
    rows = []
    for count in (1, 2, 4, 8, 16):
        rows.append({"machines": count})
        for name, parts in (("audio last", video + audio), ("audio first", audio + video)):
            seconds = Workers(count, costs, listed(parts)).map(len(parts), 1)["seconds"]
            rows[-1][name] = 60 * EXPORT["one"] / (seconds + 60 * (EXPORT["plan"] + EXPORT["join"]))
    return rows


def show(name: str, result: Any) -> None:
    """A table of dictionaries; any other value unchanged."""
    if not isinstance(result, list):
        print(f"\n{name}: {result}")
        return
    print(f"\n{name}\n" + "".join(f"{each:>12}" for each in result[0]))
    for row in result:
        shown = (f"{each:.4g}" if isinstance(each, float) else f"{each}" for each in row.values())
        print("".join(f"{each:>12}" for each in shown))


def report(results: Dict[str, Any], as_json: bool) -> None:
    """All results, for programs or for people."""
    if as_json:
        print(json.dumps(results))
        return
    for name, result in results.items():
        show(name, result)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--row", type=float, default=COSTS.row, help="what a row costs, in seconds")
    parser.add_argument("--quick", action="store_true", help="no more than 100,000 files")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    costs = COSTS._replace(row=given.row)
    results: Dict[str, Any] = {name: sweep(name, costs, 5 if given.quick else 7) for name in FILES}
    results["100,000 thumbnails by 100 workers"] = bad_files(costs)
    results["an hour in parts"] = exports(costs)
    report(results, given.json)


if __name__ == "__main__":
    main()
