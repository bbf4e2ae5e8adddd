"""Bytes that the engine returns: in the message, in a file, or in shared memory."""

from __future__ import annotations

import base64
import ctypes
import mmap
import os
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Union

from . import protocol
from .arrays import Array, Layout, array, converted, picture_forms, plane_layout
from .errors import HandleClosedError
from .raster import named_format

if TYPE_CHECKING:
    from .remote import Remote

__all__ = [
    "Blob",
    "DeliveryLike",
    "Plane",
    "absolute_path",
    "delivery_to_wire",
    "only",
    "path_text",
    "picture_planes",
]

#: ``"inline"``, ``"shm"``, or a file's path, in which ``%d`` counts.
DeliveryLike = Union[str, "os.PathLike[str]"]


def path_text(path: str | os.PathLike[str], what: str) -> str:
    """A path as text; bytes and open files are no paths here, and no media either."""
    text: object = path if isinstance(path, str) else None
    if isinstance(path, os.PathLike):
        text = os.fspath(path)
    if isinstance(text, str):
        return text
    media = "; media in memory go to a file first" if what == "a source" else ""
    raise TypeError(
        f"{what} is a path, as str or os.PathLike, not {type(path).__name__}: "
        f"os.fsdecode(path) makes one of a path in bytes{media}"
    )


def absolute_path(path: str | os.PathLike[str], what: str) -> str:
    """A path of a file that is to be made, as the engine wants it."""
    return os.path.abspath(path_text(path, what))


def delivery_to_wire(delivery: DeliveryLike | None) -> protocol.Delivery | None:
    """The delivery as the protocol writes it; anything but the two strings is a file's path."""
    if delivery is None or delivery == "inline":
        return None
    if delivery == "shm":
        return "shm"
    return {"kind": "file", "path": absolute_path(delivery, "a delivery")}


class Plane:
    """One plane of a picture or of audio: a part of a blob.

    It is an array for whoever knows the array interface: ``numpy.asarray(plane)`` has the shape
    (rows, columns), with a third dimension where a pixel is several numbers.
    """

    __slots__ = ("_layout", "bytes_per_row", "data", "height")

    def __init__(
        self, data: memoryview, bytes_per_row: int, height: int, layout: Layout | None = None
    ) -> None:
        self.data = data
        #: The distance from one row to the next; the length of the plane for audio.
        self.bytes_per_row = bytes_per_row
        #: The number of rows; 1 for audio.
        self.height = height
        self._layout = layout

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if self._layout is None:
            raise AttributeError("the form of this plane is not known")
        return self._layout.interface(self.data)

    def to_ndarray(self) -> Array:
        """A read-only NumPy array of the plane; it holds the bytes, without a copy."""
        if self._layout is None:
            raise TypeError("the form of this plane is not known: use its data")
        return array(self.data, self._layout)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return converted(self.to_ndarray(), dtype, copy)

    def __repr__(self) -> str:
        return f"<Plane {self.height} rows of {self.bytes_per_row} bytes>"


def picture_planes(
    data: memoryview, pixel_format: str, width: int, planes: Iterable[protocol.Plane]
) -> list[Plane]:
    """The planes of a picture."""
    forms = picture_forms(pixel_format)
    result = []
    for number, item in enumerate(planes):
        offset, step, height = item["offset"], item["bytesPerRow"], item["height"]
        layout = plane_layout(forms[number], width, height, step) if forms else None
        result.append(Plane(data[offset : offset + step * height], step, height, layout))
    return result


def only(planes: list[Plane], what: str) -> Plane:
    """The plane of what has one."""
    if len(planes) != 1:
        raise TypeError(
            f"{what} has {len(planes)} planes: make arrays of .planes[0] and the others"
        )
    return planes[0]


class Slabs:
    """The shared memory of one engine, each piece of it opened and mapped once."""

    def __init__(self) -> None:
        self._maps: dict[str, mmap.mmap] = {}

    def view(self, blob: protocol.SharedBlob) -> ctypes.Array[ctypes.c_ubyte]:
        """The bytes of a blob, as an object whose end can be watched."""
        path = blob["path"]
        slab = self._maps.get(path)
        if slab is None:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                # Copy on write, because ctypes takes no read-only memory; nothing writes to it.
                slab = mmap.mmap(descriptor, 0, access=mmap.ACCESS_COPY)
            finally:
                os.close(descriptor)
            self._maps[path] = slab
        # ctypes makes a type for each length: powers of two keep them few.
        length = 1 << (blob["size"] - 1).bit_length()
        if blob["offset"] + length > len(slab):
            length = blob["size"]
        return (ctypes.c_ubyte * length).from_buffer(slab, blob["offset"])

    def detach(self, array: ctypes.Array[ctypes.c_ubyte], size: int, path: str) -> None:
        """Makes bytes this process's own, because their lease is about to end.

        Views that exist go on showing the same bytes: writing to memory that is mapped
        copy-on-write makes its pages private. For later blobs the slab is mapped again.
        """
        ctypes.memmove(array, bytes(memoryview(array).cast("B")[:size]), size)
        self._maps.pop(path, None)


class Lent(weakref.ref["ctypes.Array[ctypes.c_ubyte]"]):
    """Shared memory that is in use; when it isn't any more, its lease is given back.

    It keeps its owner, whose end would end the lease.
    """

    __slots__ = ("lease", "owner", "path", "size")

    lease: str
    owner: Remote
    path: str
    size: int

    def __new__(
        cls, view: ctypes.Array[ctypes.c_ubyte], owner: Remote, wire: protocol.SharedBlob
    ) -> Lent:
        return super().__new__(cls, view, _give_back)

    def __init__(
        self, view: ctypes.Array[ctypes.c_ubyte], owner: Remote, wire: protocol.SharedBlob
    ) -> None:
        super().__init__(view, _give_back)  # type: ignore[call-arg]
        self.owner = owner
        self.lease = wire["lease"]
        self.path = wire["path"]
        self.size = wire["size"]


def _give_back(lent: Any) -> None:
    transport = lent.owner.transport
    transport.lent.pop(lent.lease, None)
    transport.release_later(lent.lease)


class Blob:
    """Bytes, wherever they are.

    ``data`` is a read-only ``memoryview``. Shared memory is given back to the engine when the blob
    and every view of its bytes are gone, or at ``release()`` if there is no such view.
    """

    __slots__ = ("_array", "_data", "_wire", "kind", "mime_type", "size")

    def __init__(self, wire: protocol.Blob, owner: Remote | None) -> None:
        self._wire: protocol.Blob | None = wire
        self._data: memoryview | None = None
        self._array: ctypes.Array[ctypes.c_ubyte] | None = None
        self.kind: protocol.BlobKind = wire["kind"]
        #: The number of bytes.
        self.size: int = wire["size"]
        #: What the bytes are.
        self.mime_type: str = wire["mimeType"]
        if wire["kind"] == "shm":
            assert owner is not None
            if self.size:
                self._array = view = owner.transport.slabs.view(wire)
                owner.transport.lent[wire["lease"]] = Lent(view, owner, wire)
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

    def __reduce__(self) -> Any:
        # Bytes of shared memory go with it; those of a file stay where they are.
        if self._wire is None or self._wire["kind"] != "file":
            data = base64.b64encode(self.data).decode()
            wire: Any = {"kind": "inline", "data": data}
            return Blob, ({**wire, "size": self.size, "mimeType": self.mime_type}, None)
        return Blob, (self._wire, None)

    def release(self) -> None:
        """Lets go of the bytes; shared memory is given back once no view of it is left."""
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
