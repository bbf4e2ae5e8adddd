"""Queries of libraries: values that are refined step by step, and fetched when items are asked for."""

from __future__ import annotations

import copy
import operator
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import protocol
from .library_fetch import AsyncFetchResult, DataFrame, FetchHandle, FetchResult
from .library_item import AsyncLibraryItem, LibraryItem
from .library_live import AsyncLiveResult, LiveResult
from .library_predicate import Q, sort_to_wire
from .notebook import items_html, shown_quietly
from .portal import Face
from .remote import OfThisProcess, given
from .tables import Table

if TYPE_CHECKING:
    from .library import AsyncLibrary, Library

__all__ = ["AsyncLibraryQuery", "LibraryQuery"]

A = TypeVar("A", bound="AsyncLibraryQuery")
S = TypeVar("S", bound="LibraryQuery")


class AsyncLibraryQuery(OfThisProcess):
    """A query of the items of a library, in an order: ``library.videos.where(duration__gt=60)``.

    A value, of which others are made without a request. ``await query.fetch()`` is a snapshot of the current items;
    ``async for``, ``get``, ``first``, ``count`` and ``index`` share one that the first of them makes.
    ``query.all()`` is the same query without it.
    """

    def __init__(
        self, library: AsyncLibrary, media_type: protocol.LibraryMediaType | None = None
    ) -> None:
        self._library = library
        self._media_type = media_type
        self._predicate = Q()
        self._sort: list[protocol.LibrarySort] = []
        self._limit: int | None = None
        self._result: AsyncFetchResult | None = None

    def all(self: A) -> A:
        """The same query, which has fetched nothing."""
        other = copy.copy(self)
        other._result = None
        return other

    def __copy__(self: A) -> A:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def where(self: A, *predicates: Q, **comparisons: Any) -> A:
        """The items that match these conditions, too: ``where(duration__gt=60, title__contains="lake")``.

        The arguments are those of ``Q``: a key, and an operator after ``__``.
        """
        other = self.all()
        other._predicate = self._predicate & Q(*predicates, **comparisons)
        return other

    def exclude(self: A, *predicates: Q, **comparisons: Any) -> A:
        """Those for which not all of this is true."""
        return self.where(~Q(*predicates, **comparisons))

    def text(self: A, terms: str) -> A:
        """Those that have all of these terms in their name, folder, title, artist, album or description.

        Each is the beginning of a term there; case and accents don't count.
        """
        return self.where(Q.text(terms))

    def order_by(self: A, *keys: str) -> A:
        """Ordered by keys, the first of which counts most: ``order_by("-creation_date", "name")``.

        ``-`` is for descending. Items without a value come last, ties are in the order in which they were
        added, as all are without any key. An order that the query has is replaced.
        """
        other = self.all()
        other._sort = sort_to_wire(keys)
        return other

    def limit(self: A, count: int | None) -> A:
        """Limits the number of items; ``None`` for all."""
        number = None if count is None else operator.index(count)
        if number is not None and number < 0:
            raise ValueError(f"a limit is 0 or more, not {number}")
        other = self.all()
        other._limit = number
        return other

    async def fetch(self) -> AsyncFetchResult:
        """The items that there are now, as a snapshot.

        Raises ``InvalidParamsError`` for keys that there aren't, and values that don't fit them.
        """
        source = await self._found()
        return AsyncFetchResult(self._library, source, range(source.count))

    async def observe(self) -> AsyncLiveResult:
        """The current items: a result that changes with the library."""
        return await self._library._observed(lambda: self._found(observe=True))

    async def _found(self, observe: bool | None = None) -> FetchHandle:
        library = self._library
        params = given(
            library=library.handle,
            mediaType=self._media_type,
            predicate=None if self._predicate.is_empty else self._predicate.to_wire(),
            sort=self._sort or None,
            limit=self._limit,
            observe=observe,
        )
        return FetchHandle(library.transport, await library._request("library/fetch", params))

    async def fetched(self) -> AsyncFetchResult:
        """The query's result, fetched by the first call that needs items."""
        if self._result is None:
            self._result = await self.fetch()
        return self._result

    async def items(self) -> AsyncIterator[AsyncLibraryItem]:
        """All items, of which 500 are read at a time."""
        async for item in await self.fetched():
            yield item

    def __aiter__(self) -> AsyncIterator[AsyncLibraryItem]:
        return self.items()

    async def get(self, index: int) -> AsyncLibraryItem:
        """The item at a place, from the end when it is negative."""
        return await (await self.fetched()).get(index)

    async def first(self) -> AsyncLibraryItem | None:
        """The first item; ``None`` where there is none."""
        return await (await self.fetched()).first()

    async def index(self, item: AsyncLibraryItem | LibraryItem | str) -> int:
        """The index of an item, or of the item with an identifier; ``ValueError`` without it."""
        return await (await self.fetched()).index(item)

    @overload
    async def count(self, by: None = None) -> int: ...
    @overload
    async def count(self, by: str) -> dict[str, int]: ...
    async def count(self, by: str | None = None) -> int | dict[str, int]:
        """The number of items; with a key, such as ``"video_codec"``, the number for each of its values.

        The most frequent value is first; items without one are omitted. They are counted as they are
        now, and a limit is ignored.
        """
        return await (await self.fetched()).count(by)

    async def to_table(self, *columns: str) -> Table:
        """The items as a table of plain columns, and an ``identifier`` for each: for Arrow, Polars and others."""
        return await (await self.fetched()).to_table(*columns)

    async def to_dataframe(self, *columns: str) -> DataFrame:
        """The items as a table of pandas: a row each, by their identifiers.

        ``columns`` are attributes of items, such as ``"path"`` and ``"duration"``; by default all.
        Durations are seconds, dates are in UTC, and ``metadata`` is a column for each common key, such as
        ``metadata.title``. Raises ``ImportError`` without pandas.
        """
        return await (await self.fetched()).to_dataframe(*columns)

    def __repr__(self) -> str:
        facts: list[str] = [self._media_type or "items"]
        if not self._predicate.is_empty:
            facts.append(f"where {self._predicate!r}")
        if self._sort:
            keys = [("" if each.get("ascending", True) else "-") + each["key"] for each in self._sort]
            facts.append(f"by {', '.join(keys)}")
        if self._limit is not None:
            facts.append(f"limit {self._limit}")
        if self._result is not None:
            facts.append(f"fetched {len(self._result)}")
        return f"<{type(self).__name__} {' '.join(facts)}>"


class LibraryQuery(Face):
    """A query of the items of a library, in an order: ``library.videos.where(duration__gt=60)``.

    A value, of which others are made without a request. ``fetch()`` is a snapshot of the current items; ``len``,
    ``query[i]``, slices, ``for``, ``in`` and the like share one that the first of them makes.
    ``query.all()`` is the same query without it.
    """

    _core: AsyncLibraryQuery

    def __init__(self, library: Library, core: AsyncLibraryQuery) -> None:
        super().__init__(library, core)
        self._library = library
        self._result: FetchResult | None = None

    def _with(self: S, core: AsyncLibraryQuery) -> S:
        return type(self)(self._library, core)

    def all(self: S) -> S:
        """The same query, which has fetched nothing."""
        return self._with(self._core.all())

    def where(self: S, *predicates: Q, **comparisons: Any) -> S:
        """The items that match these conditions, too: ``where(duration__gt=60, title__contains="lake")``.

        The arguments are those of ``Q``: a key, and an operator after ``__``.
        """
        return self._with(self._core.where(*predicates, **comparisons))

    def exclude(self: S, *predicates: Q, **comparisons: Any) -> S:
        """Those for which not all of this is true."""
        return self._with(self._core.exclude(*predicates, **comparisons))

    def text(self: S, terms: str) -> S:
        """Those that have all of these terms in their name, folder, title, artist, album or description.

        Each is the beginning of a term there; case and accents don't count.
        """
        return self._with(self._core.text(terms))

    def order_by(self: S, *keys: str) -> S:
        """Ordered by keys, the first of which counts most: ``order_by("-creation_date", "name")``.

        ``-`` is for descending. Items without a value come last, ties are in the order in which they were
        added, as all are without any key. An order that the query has is replaced.
        """
        return self._with(self._core.order_by(*keys))

    def limit(self: S, count: int | None) -> S:
        """Limits the number of items; ``None`` for all."""
        return self._with(self._core.limit(count))

    def fetch(self) -> FetchResult:
        """The items that there are now, as a snapshot.

        Raises ``InvalidParamsError`` for keys that there aren't, and values that don't fit them.
        """
        return FetchResult(self._library, self._portal.call(self._core.fetch))

    def observe(self) -> LiveResult:
        """The current items: a result that changes with the library."""
        return LiveResult(self._library, self._portal.call(self._core.observe))

    def fetched(self) -> FetchResult:
        """The query's result, fetched by the first call that needs items."""
        if self._result is None:
            self._result = FetchResult(self._library, self._portal.call(self._core.fetched))
        return self._result

    def __len__(self) -> int:
        return len(self.fetched())

    @overload
    def __getitem__(self, index: int) -> LibraryItem: ...
    @overload
    def __getitem__(self, index: slice) -> FetchResult: ...
    def __getitem__(self, index: int | slice) -> LibraryItem | FetchResult:
        return self.fetched()[index]

    def __iter__(self) -> Iterator[LibraryItem]:
        return iter(self.fetched())

    def __reversed__(self) -> Iterator[LibraryItem]:
        return reversed(self.fetched())

    def __contains__(self, item: object) -> bool:
        return item in self.fetched()

    @shown_quietly
    def _repr_html_(self) -> str | None:
        """Of the current items, unless it has fetched: showing them doesn't fetch the query's own result."""
        if self._result is not None:
            return items_html(self._result, repr(self).strip("<>"))
        with self.fetch() as items:
            return items_html(items, f"{repr(self).strip('<>')}: {len(items)}")

    def get(self, index: int) -> LibraryItem:
        """The item at a place, from the end when it is negative."""
        return self.fetched().get(index)

    def items(self) -> Iterator[LibraryItem]:
        """All items, of which 500 are read at a time."""
        return self.fetched().items()

    def first(self) -> LibraryItem | None:
        """The first item; ``None`` where there is none."""
        return self.fetched().first()

    def index(self, item: AsyncLibraryItem | LibraryItem | str) -> int:
        """The index of an item, or of the item with an identifier; ``ValueError`` without it."""
        return self.fetched().index(item)

    @overload
    def count(self, by: None = None) -> int: ...
    @overload
    def count(self, by: str) -> dict[str, int]: ...
    def count(self, by: str | None = None) -> int | dict[str, int]:
        """The number of items; with a key, such as ``"video_codec"``, the number for each of its values.

        The most frequent value is first; items without one are omitted. They are counted as they are
        now, and a limit is ignored.
        """
        return self.fetched().count(by)

    def to_table(self, *columns: str) -> Table:
        """The items as a table of plain columns, and an ``identifier`` for each: for Arrow, Polars and others."""
        return self.fetched().to_table(*columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The items by Arrow's interface of streams, where pyarrow is installed."""
        return self.to_table().__arrow_c_stream__(requested_schema)

    def to_dataframe(self, *columns: str) -> DataFrame:
        """The items as a table of pandas: a row each, by their identifiers.

        ``columns`` are attributes of items, such as ``"path"`` and ``"duration"``; by default all.
        Durations are seconds, dates are in UTC, and ``metadata`` is a column for each common key, such as
        ``metadata.title``. Raises ``ImportError`` without pandas.
        """
        return self.fetched().to_dataframe(*columns)
