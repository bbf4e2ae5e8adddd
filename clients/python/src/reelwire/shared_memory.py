"""The shared memory of an engine, and who looks at it."""

from __future__ import annotations

import ctypes
import mmap
import os
import weakref
from typing import Any, Callable

from . import protocol

__all__ = ["Lent", "Slabs"]


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

    __slots__ = ("give_back", "lease", "owner", "path", "size")

    lease: str
    owner: object
    give_back: Callable[[str], None]
    path: str
    size: int

    def __new__(
        cls,
        view: ctypes.Array[ctypes.c_ubyte],
        wire: protocol.SharedBlob,
        owner: object,
        give_back: Callable[[str], None],
    ) -> Lent:
        return super().__new__(cls, view, _give_back)

    def __init__(
        self,
        view: ctypes.Array[ctypes.c_ubyte],
        wire: protocol.SharedBlob,
        owner: object,
        give_back: Callable[[str], None],
    ) -> None:
        super().__init__(view, _give_back)  # type: ignore[call-arg]
        self.owner = owner
        #: Takes the lease when it isn't used any more; from any thread.
        self.give_back = give_back
        self.lease = wire["lease"]
        self.path = wire["path"]
        self.size = wire["size"]


def _give_back(lent: Any) -> None:
    lent.give_back(lent.lease)
