"""The location of the engine's program."""

from __future__ import annotations

import os
import shutil

from reelwire_command import find_program

from .errors import BinaryNotFoundError

__all__ = ["find_binary"]


def find_binary(binary: str | os.PathLike[str] | None = None) -> str:
    """The engine's program.

    It is the argument, or ``REELWIRE_BINARY``, or the one inside this package, or on the PATH, or
    the build of the checkout that this package is in.
    """
    named = os.fspath(binary) if binary is not None else os.environ.get("REELWIRE_BINARY")
    if named:
        found = shutil.which(named)
        if found is None:
            source = "the argument" if binary is not None else "REELWIRE_BINARY"
            raise BinaryNotFoundError(
                f"{named} ({source}) is no program", hint="Give the path of the reelwire binary."
            )
        return os.path.abspath(found)
    found = find_program()
    if found is not None:
        return found
    raise BinaryNotFoundError(
        "there is no reelwire binary in this package or on the PATH",
        hint="Build one with `make build`, set REELWIRE_BINARY to its path, or pass binary=.",
    )
