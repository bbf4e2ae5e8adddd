"""Results of fetches that change with their library."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Generic, NamedTuple, TypeVar, overload

from . import protocol
from .errors import HandleClosedError
from .library_fetch import MAXIMUM_PAGE, FetchHandle
from .library_item import AsyncLibraryItem, LibraryItem, item_identifier
from .notebook import items_html, shown_quietly
from .portal import ClosableFace, Face
from .remote import OfThisProcess

if TYPE_CHECKING:
    from .library import AsyncLibrary, Library

__all__ = ["AsyncLiveResult", "FetchResultChanges", "FetchResultMove", "LiveResult", "edited"]

T = TypeVar("T")
L = TypeVar("L", bound="AsyncLiveResult")

#: The maximum number of unread changes.
_MAXIMUM_WAITING = 16

#: The items of a result, in the wire's form.
_Rows = tuple[protocol.LibraryItem, ...]


class FetchResultMove(NamedTuple):
    """An item that is elsewhere in a result."""

    #: Its index before.
    start: int
    #: Its index after.
    end: int


class Items(Sequence[T]):
    """Items as they were at one time."""

    __slots__ = ("_make", "_rows")

    def __init__(self, rows: _Rows, make: Callable[[protocol.LibraryItem], T]) -> None:
        self._rows = rows
        self._make = make

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Items[T]: ...
    def __getitem__(self, index: int | slice) -> T | Items[T]:
        if isinstance(index, slice):
            return Items(self._rows[index], self._make)
        return self._make(self._rows[index])

    def __repr__(self) -> str:
        return f"<{len(self)} items>"


@dataclass(frozen=True)
class FetchResultChanges(Generic[T]):
    """A change of a live result.

    A caller with its own list, such as a view, changes it in this order: removes the items at
    ``removed``, from the last index to the first; inserts places at ``inserted``, from the first to the last;
    makes the ``moves`` one after the other; and reloads the items at ``inserted`` and ``changed`` then.
    """

    #: All items after it.
    items: Sequence[T]
    #: False where too much has changed to be listed: the lists are empty, and ``items`` is to be shown.
    has_incremental_changes: bool = False
    #: Indexes before the change, ascending.
    removed: tuple[int, ...] = ()
    #: Indexes of new items when the removed ones are gone, ascending: each valid when those before it
    #: are inserted.
    inserted: tuple[int, ...] = ()
    #: Indexes after the change, ascending, of items of which something else is known.
    changed: tuple[int, ...] = ()
    #: Each valid when those before it are done.
    moves: tuple[FetchResultMove, ...] = ()


class AsyncLiveResult(OfThisProcess):
    """The current items of a library: ``len``, ``live[i]``, slices, ``for``, ``in``.

    All of them are read when it is made. Changes are applied as they arrive, each of them as a
    whole, at most twice a second; ``async for change in live.changes()`` waits for that. A change that
    can't be applied exactly causes all items to be read again.
    """

    def __init__(self, library: AsyncLibrary, source: FetchHandle) -> None:
        self._library = library
        self._source = source
        self._count = source.count
        self._rows: _Rows = ()
        #: The reported changes that aren't applied yet.
        self._reported: deque[protocol.FetchResultChanges] = deque()
        #: The applied changes that weren't read yet.
        self._waiting: deque[FetchResultChanges[AsyncLibraryItem]] = deque()
        self._news = asyncio.Event()
        #: The task that applies them; none until the items are loaded.
        self._task: asyncio.Task[None] | None = None
        self._is_loaded = False
        self._failure: Exception | None = None

    async def _load(self) -> None:
        """Reads the items."""
        self._rows = await self._read()
        self._is_loaded = True
        self._apply_soon()

    def _deliver(self, wire: protocol.FetchResultChanges) -> None:
        """Handles a report of the engine."""
        self._reported.append(wire)
        self._apply_soon()

    def _fail(self, error: Exception) -> None:
        """Ends it: nothing will be reported any more."""
        self._failure = self._failure or error
        self._news.set()

    def _apply_soon(self) -> None:
        is_idle = self._is_loaded and self._task is None
        if is_idle and self._reported and not self.closed:
            self._task = asyncio.get_running_loop().create_task(self._apply())

    async def _apply(self) -> None:
        try:
            while self._reported and not self.closed:
                await self._apply_next(self._reported.popleft())
        except HandleClosedError as error:
            if not self.closed:
                self._fail(error)
        except Exception as error:
            self._fail(error)
        finally:
            self._task = None

    async def _apply_next(self, wire: protocol.FetchResultChanges) -> None:
        self._count = wire["count"]
        rows = edited(self._rows, wire) if wire["hasIncrementalChanges"] else None
        exact = None if rows is None else await self._filled(rows, wire)
        if exact is None:
            self._rows = await self._read()
            self._add(FetchResultChanges(self.items))
            return
        self._rows = exact
        moves = tuple(FetchResultMove(move["from"], move["to"]) for move in wire["moves"])
        lists = (tuple(wire["removed"]), tuple(wire["inserted"]), tuple(wire["changed"]))
        self._add(FetchResultChanges(self.items, True, *lists, moves))

    def _add(self, change: FetchResultChanges[AsyncLibraryItem]) -> None:
        if len(self._waiting) >= _MAXIMUM_WAITING:
            self._waiting.clear()
            change = FetchResultChanges(change.items)
        self._waiting.append(change)
        self._news.set()

    async def _filled(
        self, rows: list[protocol.LibraryItem | None], wire: protocol.FetchResultChanges
    ) -> _Rows | None:
        """The items after a change; ``None`` if the engine's have changed again.

        The engine returns the current items, which may be ahead of its reports. The items
        at the positions of a change show whether they are.
        """
        if len(rows) != wire["count"]:
            return None
        for run in _runs(_touched(wire)):
            found = await self._source.items(run.start, len(run))
            if len(found) != len(run):
                return None
            for index, item in zip(run, found):
                known = rows[index]
                if known is not None and known["item"] != item["item"]:
                    return None
                rows[index] = item
        filled = tuple(row for row in rows if row is not None)
        is_exact = len({row["item"] for row in filled}) == len(rows)
        return filled if is_exact else None

    async def _read(self) -> _Rows:
        """All items; earlier reports are included in them."""
        self._reported.clear()
        found: dict[str, protocol.LibraryItem] = {}
        start = 0
        while True:
            page = await self._source.items(start, MAXIMUM_PAGE)
            start += MAXIMUM_PAGE
            found.update((item["item"], item) for item in page)
            if len(page) < MAXIMUM_PAGE and start >= self._count:
                return tuple(found.values())

    @property
    def items(self) -> Sequence[AsyncLibraryItem]:
        """All current items, as a list that doesn't change."""
        return Items(self._rows, lambda wire: AsyncLibraryItem(wire, self._library))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> AsyncLibraryItem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[AsyncLibraryItem]: ...
    def __getitem__(
        self, index: int | slice
    ) -> AsyncLibraryItem | Sequence[AsyncLibraryItem]:
        return self.items[index]

    def __iter__(self) -> Iterator[AsyncLibraryItem]:
        return iter(self.items)

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def index(self, item: AsyncLibraryItem | LibraryItem | str) -> int:
        """The index of an item, or of the item with an identifier; ``ValueError`` without it."""
        identifier = item_identifier(item)
        for index, row in enumerate(self._rows):
            if row["item"] == identifier:
                return index
        raise ValueError(f"{item!r} isn't among these items")

    async def changes(self) -> AsyncIterator[FetchResultChanges[AsyncLibraryItem]]:
        """The changes, each once, from the making of the result to its end.

        Changes that aren't read for long are combined into one. Raises ``EngineDiedError`` when the engine dies, and
        ``WorkerDiedError`` when its process with the library does.
        """
        while True:
            if self._waiting:
                yield self._waiting.popleft()
                continue
            if self.closed:
                return
            if self._failure is not None:
                raise self._failure
            self._news.clear()
            await self._news.wait()

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._source.closed

    async def close(self) -> None:
        """Ends the observation; the items don't change any more. Closing again does nothing."""
        await self._source.close()
        self._news.set()

    async def __aenter__(self: L) -> L:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {len(self)} items{' closed' if self.closed else ''}>"


def edited(rows: Sequence[T], wire: protocol.FetchResultChanges) -> list[T | None] | None:
    """A list after a change, with ``None`` where something is new; ``None`` where it isn't of this list."""
    result: list[T | None] = list(rows)
    try:
        for index in reversed(wire["removed"]):
            del result[index]
        for index in wire["inserted"]:
            if index > len(result):
                return None
            result.insert(index, None)
        for move in wire["moves"]:
            row = result.pop(move["from"])
            if move["to"] > len(result):
                return None
            result.insert(move["to"], row)
    except IndexError:
        return None
    return result


def _touched(wire: protocol.FetchResultChanges) -> list[int]:
    """The indexes after a change at which something may be another item, or has other values."""
    touched = {*wire["inserted"], *wire["changed"]}
    for move in wire["moves"]:
        touched.update(range(min(move["from"], move["to"]), max(move["from"], move["to"]) + 1))
    return sorted(touched)


def _runs(indexes: list[int]) -> list[range]:
    """Ascending indexes as ranges, each of at most one page of the engine's."""
    runs: list[range] = []
    for index in indexes:
        last = runs[-1] if runs else None
        if last is not None and last.stop == index and len(last) < MAXIMUM_PAGE:
            runs[-1] = range(last.start, index + 1)
        else:
            runs.append(range(index, index + 1))
    return runs


class LiveResult(ClosableFace):
    """The current items of a library: ``len``, ``live[i]``, slices, ``for``, ``in``.

    All of them are read when it is made. Changes are applied as they arrive, each of them as a
    whole, at most twice a second; ``for change in live.changes()`` waits for that. A change that
    can't be applied exactly causes all items to be read again.
    """

    _core: AsyncLiveResult

    def __init__(self, library: Library, core: AsyncLiveResult) -> None:
        Face.__init__(self, library, core)
        self._library = library

    @property
    def items(self) -> Sequence[LibraryItem]:
        """All current items, as a list that doesn't change."""
        return self._shown(self._core._rows)

    def _shown(self, rows: _Rows) -> Sequence[LibraryItem]:
        return Items(rows, lambda wire: LibraryItem(wire, self._library))

    def __len__(self) -> int:
        return len(self._core)

    @overload
    def __getitem__(self, index: int) -> LibraryItem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[LibraryItem]: ...
    def __getitem__(self, index: int | slice) -> LibraryItem | Sequence[LibraryItem]:
        return self.items[index]

    @shown_quietly
    def _repr_html_(self) -> str | None:
        return items_html(self.items, f"{len(self)} items")

    def __iter__(self) -> Iterator[LibraryItem]:
        return iter(self.items)

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def index(self, item: AsyncLibraryItem | LibraryItem | str) -> int:
        """The index of an item, or of the item with an identifier; ``ValueError`` without it."""
        return self._core.index(item)

    def changes(self) -> Iterator[FetchResultChanges[LibraryItem]]:
        """The changes, each once, from the making of the result to its end.

        Changes that aren't read for long are combined into one. Raises ``EngineDiedError`` when the engine dies, and
        ``WorkerDiedError`` when its process with the library does.
        """
        for change in self._portal.iterate(self._core.changes()):
            items = change.items
            assert isinstance(items, Items)
            lists = (change.removed, change.inserted, change.changed, change.moves)
            shown = self._shown(items._rows)
            yield FetchResultChanges(shown, change.has_incremental_changes, *lists)
