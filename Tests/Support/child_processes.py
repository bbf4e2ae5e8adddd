"""The processes of this machine, for tests of the remains of a process."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import Iterable, List

from waiting import Hung, eventually


def own_children_of(pid: int) -> List[int]:
    """The processes that the threads of a process have begun and that run."""
    found: List[int] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                text = Path(f"/proc/{pid}/task/{task}/children").read_text()
                found += [int(child) for child in text.split()]
    return found


def children_of(pid: int) -> List[int]:
    """The processes that a process has begun and that run, and theirs."""
    found = own_children_of(pid)
    return found + [deeper for child in found for deeper in children_of(child)]


def thread_stats(pid: int) -> List[List[str]]:
    """The fields of `stat` of each thread of a process, from its state on."""
    found: List[List[str]] = []
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                text = Path(f"/proc/{pid}/task/{task}/stat").read_text()
                found.append(text.rpartition(")")[2].split())
    return found


def is_running(pid: int) -> bool:
    """True if a thread of such a process has not ended: a zombie may still have others that write."""
    return any(stat[0] not in "ZX" for stat in thread_stats(pid))


def stop(pid: int) -> None:
    """Stops a process, and waits until none of its threads runs: some may still answer a request after the signal."""
    os.kill(pid, signal.SIGSTOP)
    eventually("the stop of a process", lambda: all(stat[0] in "TtZX" for stat in thread_stats(pid)))


def gone(pids: Iterable[int]) -> None:
    """Waits until these processes have ended."""
    pids = list(pids)
    eventually(
        lambda: f"still running: {[pid for pid in pids if is_running(pid)]}",
        lambda: not any(map(is_running, pids)),
    )


def gone_or_killed(pids: Iterable[int]) -> None:
    """The same; processes that hang are killed before the failure, so that they trouble no other test."""
    pids = list(pids)
    try:
        gone(pids)
    except Hung:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        raise
