"""Results of the benchmarks: a line of JSON for each measurement of a goal, in `.build/bench/results.jsonl`.

A script adds the figure of each of its goals (`goals.py`) to a report, which prints it with the bound. The last
measurement of a goal counts. `table.py` makes the table of all goals.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import Any, Iterable, NamedTuple, Sequence

from goals import BY_KEY, Goal

FILE = Path(__file__).resolve().parents[1] / ".build" / "bench" / "results.jsonl"
# The costs of each job of growth.py at its sizes.
GROWTH = FILE.with_name("growth.jsonl")


class Figure(NamedTuple):
    """A measured value with the extremes of its rounds."""

    value: float
    low: float
    high: float
    rounds: int


def median(values: Iterable[float]) -> Figure:
    """The median of the rounds."""
    found = sorted(values)
    return Figure(statistics.median(found), found[0], found[-1], len(found))


def maximum(values: Iterable[float]) -> Figure:
    """The maximum of the rounds, for goals that hold in each of them."""
    return (found := median(values))._replace(value=found.high)


def ratio(over: Sequence[float], under: Sequence[float]) -> Figure:
    """The median of quotients, round by round: programs that run in turns have the same other load."""
    return median(one / other for one, other in zip(over, under))


class Report:
    """The figures of one run of a script."""

    def __init__(self, binary: str | os.PathLike[str], records: bool = True, prints: bool = True) -> None:
        self.binary = binary
        # A run of one round, or of the caller's files, isn't stored.
        self.records = records
        self.prints = prints
        self.rows: list[dict[str, Any]] = []

    def add(self, key: str, figure: Figure, peer: str = "", records: bool = True) -> None:
        """Adds the figure of a goal, and prints it; `peer` is the compared program, if the goal names none."""
        goal = BY_KEY[key]
        row: dict[str, Any] = {"goal": key, **figure._asdict(), "peer": peer or goal.peer}
        row.update(load=round(os.getloadavg()[0], 2), date=datetime.date.today().isoformat())
        row.update(self.machine)
        self.rows.append({**row, "isMet": goal.holds(figure.value)})
        if self.prints:
            print(line(goal, row), flush=True)
        if self.records and records:
            append(row)

    @cached_property
    def machine(self) -> dict[str, Any]:
        """The machine and the versions."""
        with open("/proc/cpuinfo") as file:
            models = (line.split(":", 1)[1].strip() for line in file if "model name" in line)
            cpu = next(models, platform.machine())
        shown = subprocess.check_output(["ffmpeg", "-version"], text=True).split()[2]
        version = subprocess.check_output([self.binary, "--version"], text=True).split()[-1]
        return {"cpu": cpu, "cores": os.cpu_count(), "version": version, "ffmpeg": shown.partition("-")[0]}


def line(goal: Goal, row: dict[str, Any]) -> str:
    """The line of a goal that a script prints."""
    mark = "met" if goal.holds(row["value"]) else "NOT MET"
    name = f"{goal.job}: {goal.measure}" + (f", {row['peer']}" if row["peer"] else "")
    spread = f"({goal.number(row['low'])} to {goal.number(row['high'])})"
    return f"  {mark:8}{name:70} {goal.amount(row['value'])} {spread}, {goal.aim}"


def append(row: dict[str, Any], path: Path = FILE) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def measured(path: Path = FILE) -> dict[str, dict[str, Any]]:
    """The last row of each goal; rows of goals that don't exist any more are left out, with a message."""
    found: dict[str, dict[str, Any]] = {}
    for text in path.read_text().splitlines() if path.exists() else []:
        row = json.loads(text)
        if row["goal"] in BY_KEY:
            found[row["goal"]] = row
        else:
            print(f"{path}: there is no goal {row['goal']}", file=sys.stderr)
    return found


def growth(path: Path = GROWTH) -> dict[str, dict[str, Any]]:
    """The last costs of each job of growth.py."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {row["job"]: row for row in map(json.loads, lines)}
