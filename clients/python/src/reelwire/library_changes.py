"""The changes of a library."""

from __future__ import annotations

from typing import NamedTuple

from . import protocol

__all__ = ["LibraryChange", "LibraryChanges"]


class LibraryChange(NamedTuple):
    """A change of a library."""

    #: The item's identifier.
    item: str
    #: ``inserted``, ``changed`` or ``removed``.
    kind: protocol.LibraryChangeKind


class LibraryChanges(NamedTuple):
    """The changes of a library."""

    #: In the order in which they were made last, each item once.
    changes: list[LibraryChange]
    #: The changes that come after these.
    change_token: int

    @classmethod
    def of(cls, wire: protocol.LibraryChangesResult) -> LibraryChanges:
        """The changes that the engine lists."""
        changes = [LibraryChange(each["item"], each["kind"]) for each in wire["changes"]]
        return cls(changes, wire["changeToken"])
