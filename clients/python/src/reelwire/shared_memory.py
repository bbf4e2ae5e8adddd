"""The shared memory of an engine, and its users."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import threading
import warnings
import weakref
from collections import deque
from typing import Any, Callable

from . import protocol

__all__ = ["Lent", "SharedMemory"]


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

        Existing views continue to show the same bytes: writing to memory that is mapped
        copy-on-write makes its pages private. For later blobs the slab is mapped again.
        """
        view = memoryview(array).cast("B")[:size]
        view[:: mmap.PAGESIZE] = view[:: mmap.PAGESIZE]
        view[-1] = view[-1]  # Where the last page begins with no such byte.
        self.forget(path)

    def forget(self, path: str) -> None:
        """Maps a slab again for later blobs: writes to existing views aren't in them."""
        self._maps.pop(path, None)


class Lent(weakref.ref["ctypes.Array[ctypes.c_ubyte]"]):
    """Shared memory that is in use; when it isn't any more, its lease is returned.

    It retains its owner, whose end would end the lease.
    """

    __slots__ = ("give_back", "lease", "owner", "path", "size")

    #: Called with memory that isn't used any more; from any thread.
    give_back: Callable[[Lent], None]
    lease: str
    owner: object
    path: str
    size: int

    def __new__(
        cls,
        view: ctypes.Array[ctypes.c_ubyte],
        wire: protocol.SharedBlob,
        owner: object,
        give_back: Callable[[Lent], None],
    ) -> Lent:
        return super().__new__(cls, view, _give_back)

    def __init__(
        self,
        view: ctypes.Array[ctypes.c_ubyte],
        wire: protocol.SharedBlob,
        owner: object,
        give_back: Callable[[Lent], None],
    ) -> None:
        super().__init__(view, _give_back)  # type: ignore[call-arg]
        self.owner = owner
        self.give_back = give_back
        self.lease = wire["lease"]
        self.path = wire["path"]
        self.size = wire["size"]


def _give_back(lent: Any) -> None:
    lent.give_back(lent)


class SharedMemory:
    """The memory that an engine lends: the caller's own memory is used before it has lent too much."""

    def __init__(self, release: Callable[[str], None]) -> None:
        #: Takes a lease that isn't needed any more; from any thread.
        self._release = release
        self._slabs = Slabs()
        #: The memory in use, by its lease.
        self._lent: dict[str, Lent] = {}
        #: The most bytes that the engine leases at a time; 0 until it has reported it.
        self.limit = 0
        self._lock = threading.Lock()
        self._bytes = 0
        #: The sizes of memory that was returned since they were last subtracted: the garbage collector
        #: may call at any moment, also while the lock is held.
        self._returned: deque[int] = deque()
        self._has_warned = False
        _all.add(self)

    @property
    def bytes_in_use(self) -> int:
        """The number of bytes that the caller holds."""
        with self._lock:
            while self._returned:
                self._bytes -= self._returned.popleft()
            return self._bytes

    def lend(
        self, blob: protocol.SharedBlob, owner: object, room: int | None = None
    ) -> ctypes.Array[ctypes.c_ubyte] | bytes:
        """The bytes of a blob, whose lease is returned when they aren't used any more.

        Once the caller holds a quarter of all shared memory, they are a copy: the rest is for new
        results, which would otherwise wait for ever for room. So they are once the caller holds ``room``
        blobs of the owner, which may have no more leases.
        """
        view = self._slabs.view(blob)
        size = blob["size"]
        is_much = bool(self.limit) and self.bytes_in_use + size > self.limit // 4
        if is_much or (room is not None and self._count(owner) >= room):
            copy = bytes(memoryview(view).cast("B")[:size])
            self._release(blob["lease"])
            if is_much:
                self._warn()
            return copy
        with self._lock:
            self._bytes += size
        self._lent[blob["lease"]] = Lent(view, blob, owner, self._take_back)
        return view

    def _count(self, owner: object) -> int:
        """The number of blobs of an owner that the caller holds."""
        return sum(lent.owner is owner for lent in list(self._lent.values()))

    def hand_over(self, blob: protocol.SharedBlob) -> Lent | None:
        """Ends the tracking of lent memory, whose lease is the caller's from then on.

        Does nothing if it was copied or returned.
        """
        lent = self._lent.pop(blob["lease"], None)
        if lent is not None:
            self._returned.append(lent.size)
        return lent

    def keep(self, lent: Lent) -> None:
        """Makes the bytes of existing views this process's own, before other bytes are written there."""
        view = lent()
        if view is not None:
            self._slabs.detach(view, lent.size, lent.path)

    def expose(self, blob: protocol.SharedBlob) -> None:
        """Lets others write to the bytes of a blob: nothing else will come to lie there."""
        self._slabs.forget(blob["path"])

    def _warn(self) -> None:
        if self._has_warned:
            return
        self._has_warned = True
        warnings.warn(
            f"{self.limit >> 22} MiB of pictures or audio are held, a quarter of the engine's "
            "shared memory: further ones are copied. Let go of what is no longer needed, or start "
            'the engine with more: Engine(arguments=["--shm-max", str(4 << 30)])',
            RuntimeWarning,
            stacklevel=_caller_level(),
        )

    def _take_back(self, lent: Lent) -> None:
        if self._lent.pop(lent.lease, None) is not None:
            self._returned.append(lent.size)
            self._release(lent.lease)

    def detach(self, owner: object | None = None) -> None:
        """Makes the memory lent for an owner this process's own, because the leases are about to end.

        Without an owner, all lent memory.
        """
        for lent in list(self._lent.values()):
            if owner is not None and lent.owner is not owner:
                continue
            if lent() is not None and self._lent.pop(lent.lease, None) is not None:
                self.keep(lent)
                self._returned.append(lent.size)
                self._release(lent.lease)


def _caller_level() -> int:
    """The ``stacklevel`` of a warning at the first line that isn't of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _FOLDER:
        level, frame = level + 1, frame.f_back
    return level


_FOLDER = os.path.dirname(__file__)
_all: weakref.WeakSet[SharedMemory] = weakref.WeakSet()


def _before_fork() -> None:
    """Copies the bytes that a fork inherits: it isn't informed of the leases that this process returns."""
    for memory in list(_all):
        memory.detach()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
