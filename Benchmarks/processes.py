"""The cost of a process with its descendants: processor time, bytes read and memory.

An engine is a supervisor and its workers, so that the figures of one process are a part of the whole.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterator, NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Seconds of processors, bytes read, and the maximum resident memory in kilobytes."""

    seconds: float
    read: int
    memory: int


def family(pid: int) -> Iterator[int]:
    """A process and its descendants that are alive."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from family(int(child))


def cost(pid: int) -> Cost:
    """The cost of a process, of its descendants, and of those that have ended.

    Memory is the sum of the peaks. Pages of files (the program and its libraries) are shared by all of the
    processes, and count once: those of the process that has the most of them.
    """
    seconds, read, memory = 0.0, 0, 0
    files: list[int] = []
    for each in family(pid):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            sizes = numbers(f"/proc/{each}/status")
            transferred = numbers(f"/proc/{each}/io")
        except OSError:
            continue
        seconds += sum(map(int, fields[11:15])) / TICKS
        read += transferred["rchar"]
        memory += sizes["VmHWM"]
        files.append(sizes["RssFile"])
    return Cost(seconds, read, memory - sum(sorted(files)[:-1]))


def proportional(pid: int) -> int:
    """The memory that a process and its descendants have now, in kilobytes; shared pages count once."""
    return sum(numbers(f"/proc/{each}/smaps_rollup")["Pss"] for each in family(pid))


def numbers(path: str) -> dict[str, int]:
    """The numbers of a file of `/proc` with a name in each line."""
    found = {}
    for line in Path(path).read_text().splitlines():
        name, _, value = line.partition(":")
        if value.split() and value.split()[0].isdigit():
            found[name] = int(value.split()[0])
    return found
