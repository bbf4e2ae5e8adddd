"""System calls of a program that fail, or wait, as a test configures, through Tests/Faults/faults.c."""

from __future__ import annotations

import ctypes
import mmap
import os
import subprocess
from pathlib import Path

from waiting import eventually

SOURCE = Path(__file__).resolve().parents[1] / "Faults/faults.c"

READ, WRITE, FLUSH, LINK, DECODE, SIGNAL, UNLINK = 1, 2, 3, 4, 5, 6, 7
# An error that is none: the call waits until the faults are healed.
STALL = 9999

# More calls than any test makes.
MANY = 1 << 30


class Faults(ctypes.Structure):
    """The memory that faults.c shares with its test."""

    _fields_ = [
        (name, ctypes.c_int32)
        for name in ("call", "error", "remaining", "forever", "fired", "named", "linkless")
    ] + [("inode", ctypes.c_int64)]


class FaultMemory:
    """Faults of the programs that have this environment."""

    def __init__(self, folder: Path) -> None:
        control = folder / f"faults-{os.getpid()}-{id(self)}"
        control.write_bytes(bytes(4096))
        with control.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 4096)
        self.faults = Faults.from_buffer(self.memory)
        self.environment = {"LD_PRELOAD": str(compiled(folder)), "REELWIRE_FAULTS": str(control)}

    def fail(
        self, call: int, error: int, after: int = 0, forever: bool = False, inode: int = 0
    ) -> None:
        """Has a call fail once ``after`` calls have succeeded; a negative error makes it transfer that number
        of bytes."""
        self.faults.call = 0
        self.faults.fired = 0
        self.faults.error = error
        self.faults.remaining = after
        self.faults.forever = forever
        self.faults.inode = inode
        self.faults.call = call

    def heal(self) -> bool:
        """Ends the faults; true when one has struck."""
        self.faults.call = 0
        return self.has_struck

    @property
    def has_struck(self) -> bool:
        return bool(self.faults.fired > 0)

    def struck(self) -> None:
        """Waits until a fault has struck."""
        eventually("a fault that strikes", lambda: self.has_struck)

    def count(self, call: int, inode: int = 0) -> None:
        """Counts calls from now on, none of which fails; `counted` is how many there were."""
        self.fail(call, 0, after=MANY, inode=inode)

    @property
    def counted(self) -> int:
        return MANY - int(self.faults.remaining)


def compiled(folder: Path) -> Path:
    library = folder / "faults.so"
    if not library.exists():
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)
    return library
