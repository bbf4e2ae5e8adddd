"""Metadata: items with text, numbers or bytes, of an asset, a track or a chapter."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict, Union

from . import protocol
from .blob import Blob
from .remote import Remote, given, refuse_unknown
from .time import MediaTime, TimeLike
from .time_range import TimeRange

__all__ = [
    "ChapterLike",
    "MetadataChangesLike",
    "MetadataItem",
    "MetadataLike",
    "TimedMetadataGroup",
    "chapters_to_wire",
    "first_picture",
    "metadata_changes_to_wire",
    "metadata_to_wire",
]


class MetadataItem:
    """One item of metadata."""

    def __init__(
        self,
        wire: protocol.MetadataItem,
        owner: Remote | None = None,
    ) -> None:
        #: The key space and the key with a slash between them, for example ``itsk/©nam``.
        self.identifier: str = wire["identifier"]
        #: The key within its key space, for example ``©nam``.
        self.key: str = wire["key"]
        #: ``itsk``, ``mdta``, ``udta``, ``uiso``, ``id3``, ``icy`` or the container's own.
        self.key_space: str = wire["keySpace"]
        #: Its meaning in any container, for example ``title``; ``None`` without one.
        self.common_key: str | None = wire.get("commonKey")
        #: FFmpeg's name of it, which containers have in common, for example ``album_artist``.
        self.tag_name: str | None = wire.get("tagName")
        #: The language by BCP 47.
        self.extended_language_tag: str | None = wire.get("extendedLanguageTag")
        #: The locale, for example ``de_AT``, where the file names a country.
        self.locale: str | None = wire.get("locale")
        #: The start of its validity; ``None`` if it applies to the whole.
        self.time = _time(wire.get("time"))
        #: The duration of its validity.
        self.duration = _time(wire.get("duration"))
        #: The value's type by Core Media's name.
        self.data_type: str | None = wire.get("dataType")
        #: Additional attributes in the file.
        self.extra_attributes: dict[str, str] = wire.get("extraAttributes") or {}
        #: Text, a number, a truth value, or bytes as a ``Blob``; ``None`` where a loaded key leaves
        #: out more than 4096 bytes, which ``load_metadata`` brings.
        self.value: str | float | bool | Blob | None
        #: The number of bytes of a value that is bytes, also of those that are left out.
        self.size: int | None = None
        #: The MIME type of the bytes.
        self.mime_type: str | None = None
        value = wire["value"]
        if isinstance(value, (str, float, int)):
            self.value = value
        else:
            blob = _blob(value)
            self.value = None if blob is None else Blob(blob, owner)
            self.size = value.get("size") if blob is None else blob["size"]
            self.mime_type = value.get("mimeType")

    def to_wire(self) -> Any:
        """The item as the protocol writes it, with the bytes that are here."""
        value: Any = self.value
        if value is None or isinstance(value, Blob):
            data = None if value is None else base64.b64encode(value.data).decode()
            value = given(data=data, size=self.size, mimeType=self.mime_type)
        return given(
            identifier=self.identifier,
            key=self.key,
            keySpace=self.key_space,
            commonKey=self.common_key,
            extendedLanguageTag=self.extended_language_tag,
            locale=self.locale,
            time=None if self.time is None else self.time.to_wire(),
            duration=None if self.duration is None else self.duration.to_wire(),
            dataType=self.data_type,
            value=value,
            extraAttributes=self.extra_attributes or None,
        )

    def __repr__(self) -> str:
        value = f"{self.size} bytes" if self.value is None else repr(self.value)
        return f"<MetadataItem {self.identifier} {value}>"


class TimedMetadataGroup:
    """Metadata of a part of an asset, such as a chapter."""

    def __init__(self, wire: protocol.TimedMetadataGroup, owner: Remote | None = None) -> None:
        #: The part.
        self.time_range = TimeRange.of(wire["timeRange"])
        #: Its items.
        self.items = [MetadataItem(item, owner) for item in wire["items"]]

    @property
    def title(self) -> str | None:
        """The title, when it has one."""
        items = (item.value for item in self.items if item.common_key == "title")
        return next((value for value in items if isinstance(value, str)), None)

    @property
    def artwork(self) -> Blob | None:
        """The first picture, when it has one that was asked for."""
        return first_picture(self.items)

    def __repr__(self) -> str:
        return f"<TimedMetadataGroup {self.time_range} {self.title!r}>"


#: A value to write: text, a number, a truth value, or a picture: its bytes, its path, or one of Pillow's.
MetadataValue = Union[str, float, bool, bytes, bytearray, memoryview, Blob, "os.PathLike[str]", Any]

#: Items, each one of an asset or in the protocol's form; or values by their common keys, for
#: example ``{"title": "Evening", "artist": "Somebody", "artwork": picture.read_bytes()}``.
MetadataLike = Union[
    Iterable[Union[MetadataItem, protocol.MetadataItem, protocol.MetadataEntry, Mapping[str, Any]]],
    Mapping[str, MetadataValue],
]

class MetadataChangesLike(TypedDict, total=False):
    """The changes of metadata; everything else stays unchanged."""

    #: Values by their names, or items, each in place of all that mean the same.
    set: MetadataLike
    #: The items to remove: FFmpeg's names (``album_artist``), common keys (``artwork``) or identifiers.
    remove: Iterable[str]


#: A chapter to write: its start and its title; or one of an asset, or in the protocol's form.
ChapterLike = Union[tuple[TimeLike, str], TimedMetadataGroup, protocol.ChapterInput]

_MEMBERS = (
    *("identifier", "key", "keySpace", "commonKey", "extendedLanguageTag", "locale", "dataType"),
    *("value", "extraAttributes", "time", "duration", "tagName"),
)


def metadata_to_wire(items: MetadataLike | None) -> Any:
    """Items as the protocol writes them."""
    if items is None:
        return None
    if isinstance(items, Mapping):
        items = [{"commonKey": key, "value": value} for key, value in items.items()]
    elif isinstance(items, (str, bytes)) or not isinstance(items, Iterable):
        raise TypeError(f"metadata is a dict of values, or items, not {type(items).__name__}")
    return [item.to_wire() if isinstance(item, MetadataItem) else _entry(item) for item in items]


def _entry(item: Any) -> dict[str, Any]:
    """An item as the protocol writes it, with bytes in base64."""
    if not isinstance(item, Mapping):
        raise TypeError(f"an item of metadata is a MetadataItem or a dict, not {item!r}")
    refuse_unknown("an item of metadata", item, _MEMBERS)
    name = item.get("identifier") or item.get("commonKey") or item.get("key")
    value = item.get("value")
    if isinstance(value, Blob):
        data = base64.b64encode(value.data).decode()
        value = {"data": data, "mimeType": value.mime_type}
    elif isinstance(value, (bytes, bytearray, memoryview)):
        value = {"data": base64.b64encode(value).decode()}
    elif isinstance(value, os.PathLike) or name == "artwork" and isinstance(value, str):
        with open(value, "rb") as file:
            value = {"data": base64.b64encode(file.read()).decode()}
    elif hasattr(value, "save") and hasattr(value, "mode"):
        value = {"data": base64.b64encode(_encoded(value)).decode()}
    elif not isinstance(value, (str, int, float, Mapping)):
        raise TypeError(
            f"the metadata {name} is text, a number, a truth value or a picture, not {value!r}"
        )
    return {**item, "value": value}


def _encoded(picture: Any) -> bytes:
    """A picture of Pillow's as a file: of the format that it was read from, if players show that."""
    file = io.BytesIO()
    picture.save(file, picture.format if picture.format in ("JPEG", "PNG") else "PNG")
    return file.getvalue()


def metadata_changes_to_wire(changes: MetadataChangesLike | None) -> Any:
    """The changes of metadata, in the protocol's form."""
    if changes is None:
        return None
    refuse_unknown("metadata changes", changes, ("set", "remove"))
    remove = changes.get("remove")
    if isinstance(remove, str):
        raise TypeError(f"what is removed is a list of names, not {remove!r}")
    return given(
        set=metadata_to_wire(changes.get("set")),
        remove=None if remove is None else list(remove),
    )


def chapters_to_wire(chapters: Iterable[ChapterLike] | None) -> Any:
    """Chapters as the protocol writes them."""
    return None if chapters is None else [_chapter(chapter) for chapter in chapters]


def _chapter(chapter: ChapterLike) -> dict[str, Any]:
    if isinstance(chapter, TimedMetadataGroup):
        return {"title": chapter.title or "", "timeRange": chapter.time_range.to_wire()}
    if isinstance(chapter, Mapping):
        refuse_unknown("a chapter", chapter, ("title", "start", "timeRange"))
        return dict(chapter)
    try:
        start, title = chapter
    except (TypeError, ValueError):
        raise TypeError(f"a chapter is (start, title), not {chapter!r}") from None
    return {"title": title, "start": MediaTime.of(start).to_wire()}


def first_picture(items: list[MetadataItem]) -> Blob | None:
    """The first picture among items."""
    values = (item.value for item in items if item.common_key == "artwork")
    return next((value for value in values if isinstance(value, Blob)), None)


def _time(wire: Any) -> MediaTime | None:
    return None if wire is None else MediaTime.of(wire)


def _blob(value: protocol.MetadataData) -> protocol.Blob | None:
    """The bytes of a value; none where the engine has left them out."""
    blob, data = value.get("blob"), value.get("data")
    if blob is not None or data is None:
        return blob
    size = value.get("size")
    if size is None:
        size = len(base64.b64decode(data))
    return {"kind": "inline", "size": size, "mimeType": value.get("mimeType") or "", "data": data}
