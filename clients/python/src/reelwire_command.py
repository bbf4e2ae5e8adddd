"""The command ``reelwire``: becomes the engine's program, without importing the client, which takes longer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

__all__ = ["find_program", "main"]

PACKAGE = Path(__file__).resolve().with_name("reelwire")


def _is_program(path: str | os.PathLike[str]) -> bool:
    """True if it can be run, and isn't the script of this command, which looks for a program itself."""
    try:
        with open(path, "rb") as file:
            start = file.read(4096)
    except OSError:
        return False
    is_command = start.startswith(b"#!") and b"reelwire_command" in start
    return os.access(path, os.X_OK) and not is_command


def _places() -> Iterator[str]:
    yield str(PACKAGE / "bin" / "reelwire")
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if folder:
            yield os.path.abspath(os.path.join(folder, "reelwire"))
    for parent in PACKAGE.parents:
        if (parent / "Package.swift").is_file():
            for build in ("release", "debug"):
                yield str(parent / ".build" / build / "reelwire")


def find_program() -> str | None:
    """The program inside the package, or on the PATH, or of the checkout that the package is in."""
    return next((place for place in _places() if _is_program(place)), None)


def main() -> None:
    """Becomes the program that ``REELWIRE_BINARY`` names, or the one that is found."""
    program = os.environ.get("REELWIRE_BINARY") or find_program()
    if program is None:
        sys.exit(
            "reelwire: this package has no program inside, and there is none on the PATH. Install a package for this"
            " platform, or set REELWIRE_BINARY to a program's path."
        )
    try:
        os.execvp(program, ["reelwire", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"reelwire: {program} can't be run: {error.strerror}")
