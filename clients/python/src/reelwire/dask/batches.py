"""The number of files of a task: those that take about ten seconds."""

from __future__ import annotations

import itertools
import statistics
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .worker_plugin import Item

__all__ = ["Batch", "Batches"]

#: The size of the first batches, of whose files nothing is known yet.
_FIRST = 8
#: The target duration of a batch, in seconds: a task costs a scheduler about two milliseconds.
_SECONDS = 10.0
#: The number of files that determine the time of one.
_MEMORY = 256


@dataclass(eq=False)
class Batch:
    """Files for one task."""

    #: The place of the first among all.
    index: int
    items: list[Item]
    #: True if a Dask worker has crashed with them: they are tried again in isolation.
    is_suspect: bool = False
    #: The number of Dask workers that have crashed while they were isolated there.
    deaths: int = 0

    def halves(self) -> list[Batch]:
        """The batch as two suspects."""
        middle = (len(self.items) + 1) // 2
        return [
            Batch(self.index, self.items[:middle], is_suspect=True),
            Batch(self.index + middle, self.items[middle:], is_suspect=True),
        ]


class Batches:
    """Takes batches of a run's items, and learns how large they are to be."""

    def __init__(self, items: Iterable[Item], total: int | None, size: int | None) -> None:
        """``total`` is the number of items, where it is known; ``size`` that of batches, where it is fixed."""
        self._items: Iterator[Item] = iter(items)
        self._total = total
        self._size = size
        self._seconds: deque[float] = deque(maxlen=_MEMORY)
        self._index = 0

    def next(self, threads: int) -> Batch | None:
        """The next batch, for one of the workers' threads; ``None`` at the end."""
        items = list(itertools.islice(self._items, self._count(threads)))
        if not items:
            return None
        batch = Batch(self._index, items)
        self._index += len(items)
        return batch

    def _count(self, threads: int) -> int:
        if self._size is not None:
            return self._size
        count = _FIRST
        if self._seconds:
            count = int(_SECONDS / max(statistics.median(self._seconds), 1e-4)) or 1
        if self._total is not None:
            # At the end all threads are to be busy.
            count = min(count, max(1, self._total // (2 * max(1, threads))))
        return count

    def took(self, seconds: Iterable[float]) -> None:
        """Records the time that files have taken."""
        self._seconds.extend(seconds)
