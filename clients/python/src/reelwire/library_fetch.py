"""The result of a fetch from a library: items in an order, read on demand."""

from __future__ import annotations

import importlib
import operator
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import protocol
from .library_item import ITEM_KEYS, AsyncLibraryItem, LibraryItem, item_identifier
from .notebook import items_html, shown_quietly
from .portal import ClosableFace, Face, blocking
from .remote import OfThisProcess, Remote, given, refuse_unknown, snake_to_camel
from .transport import Transport
from .tables import Table

if TYPE_CHECKING:
    from .library import AsyncLibrary, Library

__all__ = ["MAXIMUM_PAGE", "AsyncFetchResult", "DataFrame", "FetchHandle", "FetchResult"]

R = TypeVar("R", bound="AsyncFetchResult")

#: A table of pandas, which has no types where it isn't installed.
DataFrame = Any

#: The number of items that the engine returns at a time.
MAXIMUM_PAGE = 500


class FetchHandle(Remote):
    """A result of the engine's, from which items are read."""

    def __init__(self, transport: Transport, wire: protocol.LibraryFetchResult) -> None:
        super().__init__(transport, wire["fetchResult"])
        #: The number of its items.
        self.count = wire["count"]
        #: The changes that come after it.
        self.change_token = wire["changeToken"]

    async def items(
        self, start: int, count: int, keys: list[protocol.LibraryItemKey] | None = None
    ) -> list[protocol.LibraryItem]:
        """Some of the items as they are now, without those that have been deleted from the library."""
        params = given(fetchResult=self.handle, start=start, count=count, keys=keys)
        return (await self._request("fetchResult/items", params))["items"]

    async def pages(
        self, places: range, keys: list[protocol.LibraryItemKey] | None = None
    ) -> AsyncIterator[list[protocol.LibraryItem]]:
        """The items at these places, in their order, one page at a time."""
        step = abs(places.step)
        length = (MAXIMUM_PAGE - 1) // step + 1
        for start in range(0, len(places), length):
            part = places[start : start + length]
            low, high = min(part[0], part[-1]), max(part[0], part[-1])
            found = await self.items(low, high - low + 1, keys)
            if len(found) <= high - low and step > 1:
                # Some were forgotten, so that it isn't known which are at these places.
                yield [item for place in part for item in await self.items(place, 1, keys)]
            else:
                yield found[:: step if places.step > 0 else -step]

    async def index(self, identifier: str) -> int | None:
        """The place of an item; ``None`` where it isn't there."""
        params = given(fetchResult=self.handle, item=identifier)
        return (await self._request("fetchResult/index", params)).get("index")

    async def counts(self, by: str) -> dict[str, int]:
        """The number of items for each value of a key."""
        params = given(fetchResult=self.handle, by=snake_to_camel(by))
        result = await self._request("fetchResult/count", params)
        return {each["value"]: each["count"] for each in result["counts"]}


class AsyncFetchResult(OfThisProcess):
    """Items of a library: ``len``, ``await result[i]``, slices, ``async for``.

    It always has the same items in the same order; their properties are those of the moment
    when they are read. Only an item that is deleted from the library meanwhile is omitted from loops, and is an
    ``IndexError``. A slice makes no request: it is a result itself, with the same engine object.
    """

    def __init__(self, library: AsyncLibrary, source: FetchHandle, places: range) -> None:
        self._library = library
        self._source = source
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @property
    def change_token(self) -> int:
        """The changes that come after it: ``library.changes(result.change_token)``."""
        return self._source.change_token

    @overload
    def __getitem__(self, index: int) -> Coroutine[Any, Any, AsyncLibraryItem]: ...
    @overload
    def __getitem__(self: R, index: slice) -> R: ...
    def __getitem__(
        self: R, index: int | slice
    ) -> R | Coroutine[Any, Any, AsyncLibraryItem]:
        if isinstance(index, slice):
            return type(self)(self._library, self._source, self._places[index])
        return self.get(index)

    async def get(self, index: int) -> AsyncLibraryItem:
        """The item at a place, from the end when it is negative."""
        return self._item(await self._wire_at(index))

    async def first(self) -> AsyncLibraryItem | None:
        """The first item; ``None`` where there is none."""
        wire = await self._first()
        return None if wire is None else self._item(wire)

    async def items(self) -> AsyncIterator[AsyncLibraryItem]:
        """All items, of which 500 are read at a time."""
        async for page in self._pages():
            for wire in page:
                yield self._item(wire)

    def __aiter__(self) -> AsyncIterator[AsyncLibraryItem]:
        return self.items()

    async def index(self, item: AsyncLibraryItem | LibraryItem | str) -> int:
        """The index of an item, or of the item with an identifier; ``ValueError`` without it."""
        place = await self._source.index(item_identifier(item))
        if place is None or place not in self._places:
            raise ValueError(f"{item!r} isn't among these items")
        return self._places.index(place)

    @overload
    async def count(self, by: None = None) -> int: ...
    @overload
    async def count(self, by: str) -> dict[str, int]: ...
    async def count(self, by: str | None = None) -> int | dict[str, int]:
        """The number of items; with a key, such as ``"video_codec"``, the number for each of its values.

        The most frequent value is first; items without one are omitted. They are counted as they are
        now, and a limit doesn't count. A slice can't be counted by a key: ``ValueError``.
        """
        if by is None:
            return len(self)
        if self._places != range(self._source.count):
            raise ValueError("a slice isn't counted by a key: count what it is a slice of")
        return await self._source.counts(by)

    async def to_dataframe(self, *columns: str) -> DataFrame:
        """The items as a table of pandas: a row each, by their identifiers.

        ``columns`` are attributes of items, such as ``"path"`` and ``"duration"``; by default all.
        Durations are seconds, dates are in UTC, and ``metadata`` is a column for each common key, such as
        ``metadata.title``. Raises ``ImportError`` without pandas.
        """
        try:
            pandas = importlib.import_module("pandas")
        except ImportError as error:
            raise ImportError("to_dataframe() needs pandas: pip install pandas") from error
        rows, names = await self._flat(columns)
        index = pandas.Index(list(rows), name="identifier")
        return pandas.DataFrame.from_records(list(rows.values()), index=index, columns=names)

    async def to_table(self, *columns: str) -> Table:
        """The items as a table of plain columns, and an ``identifier`` for each.

        ``columns`` are those of ``to_dataframe``. For Arrow: ``pyarrow.table(await items.to_table())``.
        """
        rows, names = await self._flat(columns)
        listed = {name: [row.get(name) for row in rows.values()] for name in names}
        return Table({"identifier": list(rows), **listed})

    async def _flat(self, columns: tuple[str, ...]) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """A row for each identifier, and the names of all columns."""
        refuse_unknown("an item", dict.fromkeys(columns), ITEM_KEYS)
        wanted = columns or tuple(ITEM_KEYS)
        rows: dict[str, dict[str, Any]] = {}
        async for page in self._pages([ITEM_KEYS[column] for column in wanted]):
            for wire in page:
                rows[wire["item"]] = _row(self._item(wire), wanted)
        # Without any row there are the columns still.
        plain = [column for column in wanted if column != "metadata"]
        more = {name: None for row in rows.values() for name in row if name not in plain}
        return rows, [*plain, *more]

    def _item(self, wire: protocol.LibraryItem) -> AsyncLibraryItem:
        return AsyncLibraryItem(wire, self._library)

    async def _wire_at(self, index: int) -> protocol.LibraryItem:
        try:
            place = self._places[operator.index(index)]
        except IndexError:
            raise IndexError(f"there is no item {index} among {len(self)}") from None
        found = await self._source.items(place, 1)
        if not found:
            raise IndexError(f"item {index} has been forgotten: fetch again")
        return found[0]

    async def _first(self) -> protocol.LibraryItem | None:
        for place in self._places:
            found = await self._source.items(place, 1)
            if found:
                return found[0]
        return None

    def _pages(
        self, keys: list[protocol.LibraryItemKey] | None = None
    ) -> AsyncIterator[list[protocol.LibraryItem]]:
        return self._source.pages(self._places, keys)

    @property
    def closed(self) -> bool:
        """True if it was closed."""
        return self._source.closed

    async def close(self) -> None:
        """Lets go of it, also of its slices; items stay. Closing again does nothing."""
        await self._source.close()

    async def __aenter__(self: R) -> R:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def __repr__(self) -> str:
        count, whole = len(self), self._source.count
        part = "" if count == whole else f" of {whole}"
        return f"<{type(self).__name__} {count}{part} items{' closed' if self.closed else ''}>"


def _row(item: AsyncLibraryItem, columns: tuple[str, ...]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for column in columns:
        value = getattr(item, column)
        if column == "metadata":
            row.update({f"metadata.{key}": text for key, text in value.items()})
        elif column == "duration":
            row[column] = None if value is None else float(value)
        elif column == "error":
            row[column] = None if value is None else value.name
        else:
            row[column] = value
    return row


class FetchResult(ClosableFace):
    """Items of a library: ``len``, ``result[i]``, slices, ``for``.

    It always has the same items in the same order; their properties are those of the moment
    when they are read. Only an item that is deleted from the library meanwhile is omitted from loops, and is an
    ``IndexError``. A slice makes no request: it is a result itself, with the same engine object.
    """

    _core: AsyncFetchResult

    def __init__(self, library: Library, core: AsyncFetchResult) -> None:
        Face.__init__(self, library, core)
        self._library = library

    def __len__(self) -> int:
        return len(self._core)

    @property
    def change_token(self) -> int:
        """The changes that come after it: ``library.changes(result.change_token)``."""
        return self._core.change_token

    @overload
    def __getitem__(self, index: int) -> LibraryItem: ...
    @overload
    def __getitem__(self, index: slice) -> FetchResult: ...
    def __getitem__(self, index: int | slice) -> LibraryItem | FetchResult:
        if isinstance(index, slice):
            return FetchResult(self._library, self._core[index])
        return self.get(index)

    to_table = blocking(AsyncFetchResult.to_table)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The items by Arrow's interface of streams, where pyarrow is installed."""
        return self.to_table().__arrow_c_stream__(requested_schema)

    @shown_quietly
    def _repr_html_(self) -> str | None:
        return items_html(self, f"{len(self)} items")

    def get(self, index: int) -> LibraryItem:
        """The item at a place, from the end when it is negative."""
        return LibraryItem(self._portal.call(self._core._wire_at, index), self._library)

    def items(self) -> Iterator[LibraryItem]:
        """All items, of which 500 are read at a time."""
        for page in self._portal.iterate(self._core._pages()):
            for wire in page:
                yield LibraryItem(wire, self._library)

    def __iter__(self) -> Iterator[LibraryItem]:
        return self.items()

    def __reversed__(self) -> Iterator[LibraryItem]:
        return iter(self[::-1])

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, (LibraryItem, AsyncLibraryItem, str)):
            return False
        try:
            self.index(item)
        except ValueError:
            return False
        return True

    def first(self) -> LibraryItem | None:
        """The first item; ``None`` where there is none."""
        wire = self._portal.call(self._core._first)
        return None if wire is None else LibraryItem(wire, self._library)

    @overload
    def count(self, by: None = None) -> int: ...
    @overload
    def count(self, by: str) -> dict[str, int]: ...
    def count(self, by: str | None = None) -> int | dict[str, int]:
        """The number of items; with a key, such as ``"video_codec"``, the number for each of its values.

        The most frequent value is first; items without one are omitted. They are counted as they are
        now, and a limit doesn't count. A slice can't be counted by a key: ``ValueError``.
        """
        return len(self) if by is None else self._portal.call(self._core.count, by)

    index = blocking(AsyncFetchResult.index)
    to_dataframe = blocking(AsyncFetchResult.to_dataframe)
