"""Media that aren't files for the engine: bytes in memory, file objects, and the sources of fsspec.

Each is a ``MediaBytes``, from which the engine's requests are read piece by piece.
"""

from __future__ import annotations

import io
import os
import threading
from typing import Any, BinaryIO, Protocol, Union, cast

from .errors import PathNotAllowedError
from .http_bytes import HTTPBytes, is_http

__all__ = ["MediaBytes", "MediaLike", "scheme_of", "media_bytes"]

#: A source of an asset.
MediaLike = Union[
    str, "os.PathLike[str]", "os.PathLike[bytes]", bytes, bytearray, memoryview, BinaryIO
]


class MediaBytes(Protocol):
    """Bytes that can be read piece by piece."""

    @property
    def name(self) -> str:
        """Its name in messages."""

    @property
    def length(self) -> int | None:
        """The number of bytes; ``None`` where that shows at the end."""

    @property
    def is_random_access(self) -> bool:
        """True if any bytes can be read at any time; else each read continues after the one before."""

    @property
    def is_immediate(self) -> bool:
        """True if a read takes no time, and needs no separate thread."""

    def read(self, offset: int, length: int) -> bytes:
        """The bytes from there on; fewer at the end, or where they come in order only."""

    def close(self) -> None:
        """Nothing is read any more."""


class _Memory:
    """Bytes in memory; they must not change while they are read."""

    is_random_access = True
    is_immediate = True

    def __init__(self, data: Any) -> None:
        self.name = type(data).__name__
        # Of a BytesIO, its value is had without a copy, and its buffer isn't.
        content = data.getvalue() if isinstance(data, io.BytesIO) else data
        self._view = memoryview(content).cast("B")
        self.length: int | None = self._view.nbytes

    def read(self, offset: int, length: int) -> bytes:
        return bytes(self._view[offset : offset + length])

    def close(self) -> None:
        self._view = memoryview(b"")


class _FileObject:
    """An open file, which stays its owner's: where it is doesn't matter, and it isn't closed."""

    is_immediate = False

    def __init__(self, file: Any) -> None:
        self._file = file
        self._lock = threading.Lock()
        name = getattr(file, "name", None)
        self.name = os.path.basename(name) if isinstance(name, str) and name else "file object"
        seekable = getattr(file, "seekable", None)
        self.is_random_access = bool(seekable and seekable())
        self.length = file.seek(0, os.SEEK_END) if self.is_random_access else None

    def read(self, offset: int, length: int) -> bytes:
        with self._lock:
            if not self.is_random_access:
                return self._piece(length)
            self._file.seek(offset)
            pieces = []
            while length > 0 and (piece := self._piece(length)):
                pieces.append(piece)
                length -= len(piece)
            return b"".join(pieces)

    def _piece(self, length: int) -> bytes:
        piece = self._file.read(length)
        if not isinstance(piece, (bytes, bytearray, memoryview)):
            raise TypeError("the file object was opened for text, not with 'rb'")
        return bytes(piece)

    def close(self) -> None:
        self._file = None


class _FSSpec:
    """A source of fsspec's, by its URL: object stores, archives, other protocols."""

    is_random_access = True
    is_immediate = False

    def __init__(self, url: str) -> None:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            scheme = scheme_of(url)
            raise PathNotAllowedError(
                f"{url!r} can't be opened: for the scheme {scheme} the package fsspec is needed",
                code=3001,
                hint="pip install fsspec, and what it needs for the scheme, such as s3fs; or give "
                "a file object, a path or an https URL.",
            ) from None
        self._system, self._path = url_to_fs(url)
        self.name = os.path.basename(self._path) or self._path
        self.length: int | None = int(self._system.size(self._path))

    def read(self, offset: int, length: int) -> bytes:
        return bytes(self._system.cat_file(self._path, start=offset, end=offset + length))

    def close(self) -> None:
        self._system = None


def scheme_of(source: object) -> str | None:
    """The scheme of a URL; ``None`` for anything else."""
    if not isinstance(source, str) or "://" not in source:
        return None
    scheme = source.split("://", 1)[0].lower()
    is_scheme = scheme[:1].isalpha() and all(each.isalnum() or each in "+-." for each in scheme)
    return scheme if is_scheme else None


def media_bytes(source: MediaLike) -> MediaBytes:
    """The bytes of a source that isn't the path or the URL of a file. May wait for a network."""
    if isinstance(source, str):
        return HTTPBytes(source) if is_http(source) else _FSSpec(source)
    if isinstance(source, io.BytesIO):
        return _Memory(source)
    if isinstance(source, io.TextIOBase):
        raise TypeError("a source is a file object that was opened with 'rb', not for text")
    if callable(getattr(source, "read", None)):
        return _FileObject(source)
    try:
        return _Memory(cast(bytes, source))
    except TypeError:
        raise TypeError(
            "a source is a path, a URL, bytes or a file object that was opened with 'rb', not "
            f"{type(source).__name__}"
        ) from None
