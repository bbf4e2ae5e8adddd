"""Items of libraries: the properties of media files, without opening them."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes

from . import protocol
from .asset import Asset, AsyncAsset
from .blob import DeliveryLike, delivery_to_wire, file_url
from .library_predicate import date_from_wire
from .picture import Picture
from .remote import Remote, given, snake_to_camel
from .time import MediaTime

if TYPE_CHECKING:
    from .library import AsyncLibrary, Library

__all__ = [
    "ITEM_KEYS",
    "AsyncLibraryItem",
    "LibraryItem",
    "LibraryItemError",
    "Thumbnail",
    "item_identifier",
    "item_known",
    "item_path",
]

L = TypeVar("L")

#: The attributes of items by which a table has columns, and their keys on the wire.
ITEM_KEYS: dict[str, protocol.LibraryItemKey] = {
    "path": "url",
    "name": "name",
    "state": "state",
    "media_type": "mediaType",
    "container": "container",
    "duration": "duration",
    "width": "width",
    "height": "height",
    "video_codec": "videoCodec",
    "audio_codec": "audioCodec",
    "frame_rate": "frameRate",
    "rotation": "rotation",
    "file_size": "fileSize",
    "creation_date": "creationDate",
    "modification_date": "modificationDate",
    "added_at": "addedAt",
    "latitude": "latitude",
    "longitude": "longitude",
    "metadata": "commonMetadata",
    "error": "error",
}


class LibraryItemError(NamedTuple):
    """The reason why a file of a library can't be read."""

    #: The name of the error, for example ``fileFormatNotRecognized``.
    name: str
    #: The problem.
    message: str


class Thumbnail(Picture):
    """A small picture of an item, as JPEG."""

    def __init__(self, wire: protocol.LibraryItemThumbnailResult, owner: Remote) -> None:
        super().__init__(wire["image"], owner)
        #: True if it was made before.
        self.is_cached: bool = wire["isCached"]

    def __repr__(self) -> str:
        return f"<Thumbnail {self._facts()}>"


class _LibraryItem(Generic[L]):
    """The properties of an item: an immutable value, independent of later changes of the file.

    Two are equal when they are of the same item, also with different properties.
    """

    __slots__ = ("_library", "_wire")

    _library: L
    _wire: protocol.LibraryItem

    def __init__(self, wire: protocol.LibraryItem, library: L) -> None:
        object.__setattr__(self, "_wire", wire)
        object.__setattr__(self, "_library", library)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"items of libraries are values, whose {name} can't be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"items of libraries are values, whose {name} can't be deleted")

    @property
    def identifier(self) -> str:
        """A UUID: the same as long as the item exists, also after the file was moved or renamed."""
        return self._wire["item"]

    @property
    def path(self) -> str:
        """The file, as an absolute path."""
        return item_path(self._wire)

    @property
    def name(self) -> str:
        """The file's name."""
        return self._wire.get("name", "")

    @property
    def state(self) -> protocol.LibraryItemState:
        """The state of the file: ``present``, ``missing``, ``unreadable`` or ``offline``."""
        return self._wire.get("state", "present")

    @property
    def media_type(self) -> protocol.LibraryMediaType | None:
        """``video``, ``audio`` or ``image``; ``None`` if it can't be read."""
        return self._wire.get("mediaType")

    @property
    def container(self) -> str | None:
        """The container, by FFmpeg's first name for it."""
        return self._wire.get("container")

    @property
    def duration(self) -> MediaTime | None:
        """The duration; ``None`` of images."""
        duration = self._wire.get("duration")
        return None if duration is None else MediaTime.of(duration)

    @property
    def width(self) -> int | None:
        """The display size, in pixels."""
        return self._wire.get("width")

    @property
    def height(self) -> int | None:
        """The display size, in pixels."""
        return self._wire.get("height")

    @property
    def video_codec(self) -> str | None:
        """The codec of the first video track, by FFmpeg's name."""
        return self._wire.get("videoCodec")

    @property
    def audio_codec(self) -> str | None:
        """The codec of the first audio track, by FFmpeg's name."""
        return self._wire.get("audioCodec")

    @property
    def frame_rate(self) -> float | None:
        """In frames per second."""
        return self._wire.get("frameRate")

    @property
    def rotation(self) -> int | None:
        """By how many degrees clockwise pictures are turned to be shown."""
        return self._wire.get("rotation")

    @property
    def file_size(self) -> int | None:
        """In bytes."""
        return self._wire.get("fileSize")

    @property
    def creation_date(self) -> datetime.datetime | None:
        """The time of recording, from its metadata; without a time zone there, as if that were UTC."""
        return date_from_wire(self._wire.get("creationDate"))

    @property
    def modification_date(self) -> datetime.datetime | None:
        """The time of the last modification of the file, in UTC."""
        return date_from_wire(self._wire.get("modificationDate"))

    @property
    def added_at(self) -> datetime.datetime | None:
        """The time at which it was added to the library, in UTC."""
        return date_from_wire(self._wire.get("addedAt"))

    @property
    def latitude(self) -> float | None:
        """In degrees, north of the equator."""
        return self._wire.get("latitude")

    @property
    def longitude(self) -> float | None:
        """In degrees, east of Greenwich."""
        return self._wire.get("longitude")

    @property
    def metadata(self) -> Mapping[str, str]:
        """The first text of each common key, such as ``title``; ``values`` has all."""
        return MappingProxyType(self._wire.get("commonMetadata") or {})

    @property
    def error(self) -> LibraryItemError | None:
        """The reason why the file can't be read."""
        error = self._wire.get("error")
        return None if error is None else LibraryItemError(error["name"], error["message"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _LibraryItem):
            return NotImplemented
        return other.identifier == self.identifier

    def __hash__(self) -> int:
        return hash(self.identifier)

    def __copy__(self: I) -> I:
        return self

    def __deepcopy__(self: I, _: Any) -> I:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{type(self).__name__} objects can't be pickled: they work by the library that they are of. "
            "Send the path, or the identifier for library.item(), instead"
        )

    def __repr__(self) -> str:
        size = f"{self.width}×{self.height}" if self.width and self.height else ""
        codecs = "+".join(codec for codec in (self.video_codec, self.audio_codec) if codec)
        duration = "" if self.duration is None else f"{self.duration:.1f} s"
        state = "" if self.state == "present" else self.state
        facts = [repr(self.name), duration, size, codecs, state]
        return f"<{type(self).__name__} {' '.join(fact for fact in facts if fact)}>"


I = TypeVar("I", bound=_LibraryItem[Any])  # noqa: E741


class AsyncLibraryItem(_LibraryItem["AsyncLibrary"]):
    """A media file of a library, and its properties: a value.

    Two are equal when they are of the same item, also with different properties.
    """

    __slots__ = ()

    async def open(
        self,
        *,
        prefer_precise_duration_and_timing: bool | None = None,
        salvage: bool | None = None,
        character_set: str | None = None,
    ) -> AsyncAsset:
        """Makes an asset of the file, wherever it is by now.

        Raises ``ContentIsUnavailableError`` for an item whose file is known to be gone.
        """
        library = self._library
        options = given(
            preferPreciseDurationAndTiming=prefer_precise_duration_and_timing,
            salvage=salvage,
            characterSet=character_set,
        )
        result = await library._request(
            "asset/open",
            given(library=library.handle, item=self.identifier, options=options or None),
        )
        return AsyncAsset(library.transport, result["asset"], file_url(self.path))

    async def values(self, *keys: str) -> dict[str, list[str]]:
        """All texts of its metadata, by common keys and by identifiers such as ``itsk/©nam``.

        Of ``keys``, which may be in snake case, by default of all; in the order of the file, and
        truncated after 4,096 characters. The file isn't opened.
        """
        names = {snake_to_camel(key): key for key in keys}
        result = await item_known(self._library, self.identifier, list(names))
        return {names.get(name, name): texts for name, texts in result["values"].items()}

    async def thumbnail(
        self,
        width: int | None = None,
        *,
        path: str | os.PathLike[str] | None = None,
        delivery: DeliveryLike | None = None,
    ) -> Thumbnail:
        """A small picture, as JPEG: of a video from about a tenth of its duration.

        ``width`` is the longer side in pixels, from 16 to 2,048, by default 256; a picture that is smaller
        keeps its size. ``path`` is that of a file to be made; ``delivery`` is one too, or ``"inline"`` or
        ``"shm"``. Pictures are cached in ``~/.cache/reelwire/thumbnails``, or below ``XDG_CACHE_HOME``.

        Raises ``NoImageAtTimeError`` or ``NoSourceTrackError`` where there is none to show, and
        ``ContentIsUnavailableError`` without a file.
        """
        library = self._library
        result = await library._request(
            "libraryItem/thumbnail",
            given(
                library=library.handle,
                item=self.identifier,
                width=width,
                delivery=delivery_to_wire(delivery, path),
            ),
        )
        return Thumbnail(result, library)


class LibraryItem(_LibraryItem["Library"]):
    """A media file of a library, and its properties: a value.

    Two are equal when they are of the same item, also with different properties.
    """

    __slots__ = ()

    def _core(self) -> AsyncLibraryItem:
        return AsyncLibraryItem(self._wire, self._library._core)

    def open(
        self,
        *,
        prefer_precise_duration_and_timing: bool | None = None,
        salvage: bool | None = None,
        character_set: str | None = None,
    ) -> Asset:
        """Makes an asset of the file, wherever it is by now.

        Raises ``ContentIsUnavailableError`` for an item whose file is known to be gone.
        """
        library = self._library
        core = library._portal.call(
            self._core().open,
            prefer_precise_duration_and_timing=prefer_precise_duration_and_timing,
            salvage=salvage,
            character_set=character_set,
        )
        return Asset(library, core)

    def values(self, *keys: str) -> dict[str, list[str]]:
        """All texts of its metadata, by common keys and by identifiers such as ``itsk/©nam``.

        Of ``keys``, which may be in snake case, by default of all; in the order of the file, and
        truncated after 4,096 characters. The file isn't opened.
        """
        return self._library._portal.call(self._core().values, *keys)

    def thumbnail(
        self,
        width: int | None = None,
        *,
        path: str | os.PathLike[str] | None = None,
        delivery: DeliveryLike | None = None,
    ) -> Thumbnail:
        """A small picture, as JPEG: of a video from about a tenth of its duration.

        ``width`` is the longer side in pixels, from 16 to 2,048, by default 256; a picture that is smaller
        keeps its size. ``path`` is that of a file to be made; ``delivery`` is one too, or ``"inline"`` or
        ``"shm"``. Pictures are cached in ``~/.cache/reelwire/thumbnails``, or below ``XDG_CACHE_HOME``.

        Raises ``NoImageAtTimeError`` or ``NoSourceTrackError`` where there is none to show, and
        ``ContentIsUnavailableError`` without a file.
        """
        portal = self._library._portal
        return portal.call(self._core().thumbnail, width, path=path, delivery=delivery)


async def item_known(
    library: AsyncLibrary, identifier: str, keys: list[str] | None = None
) -> protocol.LibraryItemValuesResult:
    """An item, and texts of its metadata: all without keys."""
    return await library._request(
        "libraryItem/values",
        given(library=library.handle, item=identifier, keys=keys or None),
    )


def item_path(wire: protocol.LibraryItem) -> str:
    """The path of an item's file, which is a URL on the wire where it isn't UTF-8."""
    url = wire.get("url", "")
    if url.startswith("file://"):
        return os.fsdecode(unquote_to_bytes(url[len("file://") :]))
    return url


def item_identifier(item: _LibraryItem[Any] | str) -> str:
    """The identifier of an item, or an identifier itself."""
    return item if isinstance(item, str) else item.identifier
