"""Libraries: folders of media, with the properties of each file in a database."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import os
import sys
import weakref
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Callable, Generic, NamedTuple, TypeVar, Union

from . import protocol
from .calls import BlockingLibraryCalls, LibraryCalls
from .library_changes import LibraryChange, LibraryChanges
from .library_fetch import FetchHandle
from .library_item import (
    AsyncLibraryItem,
    LibraryItem,
    LibraryItemError,
    item_known,
    item_path,
)
from .library_live import AsyncLiveResult
from .library_predicate import Q, absolute_folder, date_from_wire
from .library_query import AsyncLibraryQuery, LibraryQuery
from .portal import Face, RemoteFace, iterating
from .progress import ProgressLike, reporting
from .remote import given
from .transport import Transport
from .wire import listed
from .work import finished, require_success

if TYPE_CHECKING:
    from .engine import Engine

__all__ = [
    "AsyncLibrary",
    "AsyncLibraryCollection",
    "Library",
    "LibraryChange",
    "LibraryChanges",
    "LibraryCollection",
    "ScanCounts",
    "ScanError",
    "ScanProgress",
    "ScanLink",
    "ScanResult",
    "opened",
]

Y = TypeVar("Y")


class ScanCounts(NamedTuple):
    """The counts of a scan."""

    #: Media files that were looked at.
    seen: int
    #: Files that were opened and read.
    probed: int
    #: New items.
    added: int
    #: Items whose file has another content.
    changed: int
    #: Items whose file is elsewhere, or is called something else.
    moved: int
    #: Items whose file is gone.
    missing: int
    #: Of the files that were read, how many can't be.
    unreadable: int
    #: Folders that can't be read: their items in the library stay unchanged.
    unreadable_folders: int
    #: Symbolic links that are to be followed, and can't be.
    unreadable_links: int = 0


class ScanProgress(NamedTuple):
    """The progress of a scan."""

    #: The counts so far.
    counts: ScanCounts
    #: The folder that it looks into.
    folder: str


class ScanError(NamedTuple):
    """A file that can't be read."""

    #: The file.
    path: str
    #: The identifier of its item.
    item: str
    #: The reason why it can't be read.
    error: LibraryItemError


class ScanLink(NamedTuple):
    """A symbolic link that can't be followed."""

    #: The link.
    path: str
    #: Why: it leads nowhere, in a circle, or out of the allowed folders.
    message: str


class ScanResult(NamedTuple):
    """The result of a scan, with the unreadable files that it found."""

    #: The counts.
    counts: ScanCounts
    #: Items that can't be read, a hundred at most.
    errors: list[ScanError]
    #: Symbolic links that can't be followed, a hundred at most.
    links: list[ScanLink]


#: A function that is called with the ``ScanProgress`` of a scan; or ``True`` to show it.
ScanProgressLike = Union[Callable[[ScanProgress], Any], bool, None]


class _Collection(Generic[Y]):
    def __init__(self, wire: protocol.LibraryCollection, items: Y) -> None:
        self._wire = wire
        #: The same for the same collection at any time.
        self.id: str = wire["id"]
        #: Of a folder its path, of a month ``2021-05``.
        self.title: str = wire["title"]
        #: The number of its items.
        self.count: int = wire["count"]
        #: The time of recording of the first of them; ``None`` if it isn't known of any.
        self.start_date: datetime.datetime | None = date_from_wire(wire.get("startDate"))
        #: The time of recording of the last of them.
        self.end_date: datetime.datetime | None = date_from_wire(wire.get("endDate"))
        #: The predicate of its items.
        self.predicate = Q.of(wire["predicate"])
        #: The items, as a query.
        self.items = items

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title!r} {self.count} items>"


class AsyncLibraryCollection(_Collection[AsyncLibraryQuery]):
    """Items that belong together; ``items`` is their query."""


class LibraryCollection(_Collection[LibraryQuery]):
    """Items that belong together; ``items`` is their query."""


class AsyncLibrary(LibraryCalls):
    """Folders of media, with the properties of each file in a database.

    ``videos``, ``audio``, ``images`` and ``items`` are queries of the items that ``scan`` has found. The folders are
    never written to.
    """

    def __init__(self, transport: Transport, wire: protocol.LibraryOpenResult) -> None:
        super().__init__(transport, wire["library"])
        #: The path of the database.
        self.database: str = wire["database"]
        self._live: weakref.WeakValueDictionary[str, AsyncLiveResult] = (
            weakref.WeakValueDictionary()
        )
        # Reports of results that arrive before the caller has these.
        self._observing = 0
        self._early: dict[str, list[protocol.FetchResultChanges]] = {}
        self._waiting: weakref.WeakSet[asyncio.Event] = weakref.WeakSet()
        transport.libraries[wire["library"]] = self

    # Folders

    async def _worked_scan(
        self, method: str, params: Any, progress: ScanProgressLike
    ) -> ScanResult:
        with _showing(progress) as on_item:
            end = await finished(self, method, params, on_item)
            require_success(end, "the scan", "Scan again: it goes on from there.")
        links = [ScanLink(link["path"], link["message"]) for link in end.get("links", [])]
        return ScanResult(_counts(end["counts"]), [_scan_error(item) for item in end["errors"]], links)

    async def _worked_duplicates(
        self, method: str, params: Any, progress: ProgressLike
    ) -> list[list[AsyncLibraryItem]]:
        with reporting(progress, "duplicates", lambda item: float(item["progress"])) as on_item:
            end = await finished(self, method, params, on_item)
            require_success(end, "the comparison")
        return [[AsyncLibraryItem(item, self) for item in group] for group in end["groups"]]

    # Items

    @property
    def items(self) -> AsyncLibraryQuery:
        """All items."""
        return AsyncLibraryQuery(self)

    @property
    def videos(self) -> AsyncLibraryQuery:
        """The items with video."""
        return AsyncLibraryQuery(self, "video")

    @property
    def audio(self) -> AsyncLibraryQuery:
        """The items with audio, and without images other than artwork."""
        return AsyncLibraryQuery(self, "audio")

    @property
    def images(self) -> AsyncLibraryQuery:
        """Still pictures."""
        return AsyncLibraryQuery(self, "image")

    async def item(self, identifier: str) -> AsyncLibraryItem:
        """The item of an identifier, also one that is missing; ``ContentIsUnavailableError`` without it."""
        return AsyncLibraryItem(await self._item(identifier), self)

    async def _item(self, identifier: str) -> protocol.LibraryItem:
        return (await item_known(self, identifier))["item"]

    def _made_collections(
        self, result: protocol.LibraryCollectionsResult
    ) -> list[AsyncLibraryCollection]:
        return [
            AsyncLibraryCollection(wire, self.items.where(Q.of(wire["predicate"])))
            for wire in result["collections"]
        ]

    async def _observed(self, find: Callable[[], Awaitable[FetchHandle]]) -> AsyncLiveResult:
        """The live result of a request, which gets all reports from now on."""
        self._observing += 1
        try:
            source = await find()
            live = AsyncLiveResult(self, source)
            self._live[source.handle] = live
            for change in self._early.pop(source.handle, ()):
                live._deliver(change)
        finally:
            self._observing -= 1
            if not self._observing:
                self._early.clear()
        await live._load()
        return live

    # Changes

    async def updates(self, since: int | None = None) -> AsyncIterator[LibraryChanges]:
        """The changes, by scans or because the library is watched, at most twice a second.

        It begins with the changes ``since`` a change token; without one, with those after the start of
        the loop. It ends when the library is closed, and raises ``WorkerDiedError`` when the process of the library
        dies.
        """
        news = asyncio.Event()
        self._waiting.add(news)
        token = (await self.status())["changeToken"] if since is None else since
        while not self.closed:
            news.clear()
            changes = await self.changes(token)
            token = changes.change_token
            if changes.changes:
                yield changes
            else:
                await news.wait()

    def _deliver(self, wire: protocol.LibraryDidChange) -> None:
        """Handles a report of the engine."""
        for change in wire["fetchResults"]:
            live = self._live.get(change["fetchResult"])
            if live is not None:
                live._deliver(change)
            elif self._observing:
                self._early.setdefault(change["fetchResult"], []).append(change)
        self._wake()

    def _fail(self, error: Exception) -> None:
        """Ends all waiting for changes: the engine, or its process with the library, is gone."""
        for live in list(self._live.values()):
            live._fail(error)
        self._wake()

    def _wake(self) -> None:
        for news in list(self._waiting):
            news.set()

    async def close(self) -> None:
        """Lets go of the library; its scans are cancelled. Closing again does nothing."""
        await super().close()
        self._wake()

    def __repr__(self) -> str:
        name = os.path.basename(self.database)
        return f"<{type(self).__name__} {name!r}{' closed' if self._closed else ''}>"


async def opened(
    transport: Transport,
    folders: Iterable[str | os.PathLike[str]],
    database: str | os.PathLike[str] | None,
    watch: bool | None,
    excluded: Iterable[str],
    follows_symbolic_links: bool | None = None,
) -> AsyncLibrary:
    """Opens a library."""
    left_out = listed(excluded)
    wire: list[protocol.LibraryFolder] = [
        given(
            path=absolute_folder(folder),
            excluded=left_out or None,
            followsSymbolicLinks=follows_symbolic_links,
        )
        for folder in folders
    ]
    params = given(
        database=None if database is None else absolute_folder(database),
        folders=wire or None,
        watch=watch,
    )
    return AsyncLibrary(transport, await transport.request("library/open", params))


def _counts(wire: protocol.LibraryScanCounts) -> ScanCounts:
    return ScanCounts(
        seen=wire["seen"],
        probed=wire["probed"],
        added=wire["added"],
        changed=wire["changed"],
        moved=wire["moved"],
        missing=wire["missing"],
        unreadable=wire["unreadable"],
        unreadable_folders=wire["unreadableFolders"],
        unreadable_links=wire.get("unreadableLinks", 0),
    )


def _scan_error(wire: protocol.LibraryItem) -> ScanError:
    error = wire["error"]
    return ScanError(
        item_path(wire), wire["item"], LibraryItemError(error["name"], error["message"])
    )


@contextlib.contextmanager
def _showing(progress: ScanProgressLike) -> Iterator[Callable[[Any], Any] | None]:
    """The receiver of the notifications of a scan; ``None`` without progress."""
    if callable(progress):
        called = progress
        yield lambda item: called(ScanProgress(_counts(item["counts"]), item["folder"]))
    elif progress and sys.stderr is not None and sys.stderr.isatty():
        try:
            yield _show
        finally:
            sys.stderr.write("\n")
    else:
        yield None


def _show(item: protocol.LibraryDidProgressScan) -> None:
    counts = item["counts"]
    sys.stderr.write(f"\r\x1b[Kscan {counts['seen']} files, {counts['probed']} read: {item['folder']}")
    sys.stderr.flush()


class Library(BlockingLibraryCalls, RemoteFace):
    """Folders of media, with the properties of each file in a database.

    ``videos``, ``audio``, ``images`` and ``items`` are queries of the items that ``scan`` has found. The folders are
    never written to.
    """

    _core: AsyncLibrary

    def __init__(self, parent: Engine, core: AsyncLibrary) -> None:
        Face.__init__(self, parent, core)
        #: The path of the database.
        self.database = core.database

    updates = iterating(AsyncLibrary.updates)

    def duplicates(self, *, progress: ProgressLike = None) -> list[list[LibraryItem]]:
        """Files of the same content: the items of each group, of the largest files first.

        In a group those that were added first come first. Files of one size are compared; hard
        links to one file are no duplicates. ``progress`` is called with the fraction of the bytes that have been
        compared, from 0 to 1, and an exception of it cancels; ``True`` shows it.
        """
        groups = self._portal.call(self._core.duplicates, progress=progress)
        return [[LibraryItem(item._wire, self) for item in group] for group in groups]

    @property
    def items(self) -> LibraryQuery:
        """All items."""
        return LibraryQuery(self, self._core.items)

    @property
    def videos(self) -> LibraryQuery:
        """The items with video."""
        return LibraryQuery(self, self._core.videos)

    @property
    def audio(self) -> LibraryQuery:
        """The items with audio, and without images other than artwork."""
        return LibraryQuery(self, self._core.audio)

    @property
    def images(self) -> LibraryQuery:
        """Still pictures."""
        return LibraryQuery(self, self._core.images)

    def item(self, identifier: str) -> LibraryItem:
        """The item of an identifier, also one that is missing; ``ContentIsUnavailableError`` without it."""
        return LibraryItem(self._portal.call(self._core._item, identifier), self)

    def collections(self, type: protocol.LibraryCollectionType) -> list[LibraryCollection]:
        """The collections that have items, in the order of their titles.

        ``type`` is the property that the items of each share: ``folder``, ``album``, ``artist``, ``genre``,
        ``month``; ``smart`` are common queries: ``videos``, ``audio``, ``images``, ``recentlyAdded``
        (in thirty days), ``slomo`` (more than 100 frames per second), ``animated``, ``unreadable``.
        """
        return [
            LibraryCollection(each._wire, self.items.where(each.predicate))
            for each in self._portal.call(self._core.collections, type)
        ]
