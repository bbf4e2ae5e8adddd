"""Bytes that the engine returns: in the message, in a file, or in shared memory."""

from __future__ import annotations

import base64
import ctypes
import os
from typing import Any, Union
from urllib.parse import quote, unquote_to_bytes, urlsplit

from . import protocol
from .errors import HandleClosedError
from .raster import named_format
from .remote import Remote
from .shared_memory import SharedMemory

__all__ = ["Blob", "DeliveryLike", "absolute_path", "delivery_to_wire", "file_url", "path_text"]

#: ``"inline"``, ``"shm"``, or a file's path, in which ``%d`` counts.
DeliveryLike = Union[str, "os.PathLike[str]"]


def path_text(path: str | os.PathLike[str], what: str) -> str:
    """A path as text; bytes and open files are no paths here."""
    text: object = path if isinstance(path, str) else None
    if isinstance(path, os.PathLike):
        text = os.fspath(path)
    if isinstance(text, str):
        return text
    raise TypeError(
        f"{what} is a path, as str or os.PathLike, not {type(path).__name__}: "
        "os.fsdecode(path) makes one of a path in bytes"
    )


def file_url(path: str | os.PathLike[str] | os.PathLike[bytes]) -> str:
    """A path or a file's URL as the engine wants it: absolute, and a URL where it isn't UTF-8."""
    text = os.fsdecode(path)
    if text.startswith("file:"):
        return text if text.startswith("file:/") else "file:" + os.path.abspath(text[5:])
    text = os.path.abspath(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        return "file://" + quote(os.fsencode(text))
    return text


def absolute_path(path: str | os.PathLike[str], what: str) -> str:
    """The path of a file that is to be made, from a path or a ``file:`` URL, as the engine wants it."""
    text = path_text(path, what)
    if text.startswith("file:"):
        text = os.fsdecode(unquote_to_bytes(urlsplit(text).path))
    return os.path.abspath(text)


def delivery_to_wire(
    delivery: DeliveryLike | None, path: str | os.PathLike[str] | None = None
) -> protocol.Delivery | None:
    """The delivery as the protocol writes it; anything but the two strings is a file's path.

    ``path`` is always a file's path, for any name, in place of a delivery.
    """
    if path is not None:
        if delivery is not None:
            raise TypeError("a path and a delivery say the same twice: give one of them")
        return {"kind": "file", "path": absolute_path(path, "a path")}
    if delivery is None or delivery == "inline":
        return None
    if delivery == "shm":
        return "shm"
    return {"kind": "file", "path": absolute_path(delivery, "a delivery")}


class Blob:
    """Bytes in a message, in shared memory or in a file.

    ``data`` is a read-only ``memoryview``. Shared memory is returned to the engine when the blob
    and every view of its bytes are gone, or at ``release()`` if there is no such view. A caller that
    holds a large part of it gets copies of the following blobs, and so does one that holds ``room`` blobs of an
    owner with a limit of leases.
    """

    __slots__ = ("_array", "_data", "_memory", "_wire", "kind", "mime_type", "size")

    def __init__(
        self, wire: protocol.Blob, owner: Remote | None, room: int | None = None
    ) -> None:
        self._wire: protocol.Blob | None = wire
        self._data: memoryview | None = None
        self._array: ctypes.Array[ctypes.c_ubyte] | None = None
        self._memory: SharedMemory | None = None
        #: The engine's delivery of them.
        self.kind: protocol.BlobKind = wire["kind"]
        #: The number of bytes.
        self.size: int = wire["size"]
        #: The MIME type of the bytes.
        self.mime_type: str = wire["mimeType"]
        if wire["kind"] == "shm":
            assert owner is not None
            if self.size:
                self._memory = owner.transport.shared_memory
                # The leases of an owner that is closed end at any moment.
                lent = self._memory.lend(wire, owner, 0 if owner.closed else room)
                if isinstance(lent, bytes):
                    self._data = memoryview(lent)
                else:
                    self._array = lent
            else:
                owner.transport.release_later(wire["lease"])

    @property
    def path(self) -> str | None:
        """The file that has the bytes, when they are in one."""
        return self._wire["path"] if self._wire and self._wire["kind"] == "file" else None

    @property
    def data(self) -> memoryview:
        """The bytes; those of a file are read at every use."""
        if self._data is not None:
            return self._data
        wire = self._wire
        if wire is None:
            raise HandleClosedError(
                "the bytes were released", hint="Use bytes(blob) before release()."
            )
        if wire["kind"] == "file":
            with open(wire["path"], "rb") as file:
                return memoryview(file.read())
        if wire["kind"] == "inline":
            self._data = memoryview(base64.b64decode(wire["data"]))
            wire["data"] = ""
        elif self._array is None:
            self._data = memoryview(b"")
        else:
            self._data = memoryview(self._array).cast("B")[: self.size].toreadonly()
        return self._data

    def expose(self) -> None:
        """Allows others to write to the bytes, as consumers of DLPack may."""
        if self._array is not None and self._memory is not None and self._wire is not None:
            self._memory.expose(self._wire)  # type: ignore[arg-type]

    def handed_over(self, memory: SharedMemory) -> dict[str, Any]:
        """The bytes in the form for an engine with such memory; the blob is released here.

        Shared memory is returned under its lease, without a copy; remaining views continue to show the
        same bytes.
        """
        wire = self._wire
        if wire is not None and wire["kind"] == "shm" and memory is self._memory:
            lent = memory.hand_over(wire)
            if lent is not None:
                self.release()
                memory.keep(lent)
                return {"kind": "shm", "lease": lent.lease}
        data = base64.b64encode(self.data).decode()
        self.release()
        return {"kind": "inline", "data": data}

    def __reduce__(self) -> Any:
        # Bytes of shared memory go with it; those of a file stay where they are.
        if self._wire is None or self._wire["kind"] != "file":
            data = base64.b64encode(self.data).decode()
            wire: Any = {"kind": "inline", "data": data}
            return Blob, ({**wire, "size": self.size, "mimeType": self.mime_type}, None)
        return Blob, (self._wire, None)

    def release(self) -> None:
        """Releases the bytes; shared memory is returned once no view of it is left."""
        self._wire = self._data = self._array = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes to a file, which is overwritten.

        A ``ValueError`` where they are an image, and the extension is that of another format.
        """
        wanted = named_format(path)
        is_image = self.mime_type.startswith("image/")
        if is_image and wanted and self.mime_type != f"image/{wanted}":
            raise ValueError(f"the bytes are {self.mime_type}, and {str(path)!r} says {wanted}")
        with open(path, "wb") as file:
            file.write(self.data)

    def __bytes__(self) -> bytes:
        return bytes(self.data)

    def __len__(self) -> int:
        return self.size

    def __enter__(self) -> Blob:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"<Blob {self.kind} {self.size} bytes {self.mime_type}>"
