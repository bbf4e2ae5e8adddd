"""The relations of the tracks of an asset writer: groups to choose from, and associations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Tuple

from . import protocol

__all__ = ["Association", "InputGroup"]

#: The relation of a track to another: ``("audioFallback", "surround", "stereo")``.
Association = Tuple[protocol.TrackAssociationType, str, str]


class InputGroup:
    """Inputs of one kind of media, of which a player chooses one: ``InputGroup("english", "german")``.

    The first one is chosen unless the user wants another, or the one called ``default``; with
    ``default=None`` none is, as for subtitles.
    """

    def __init__(self, *inputs: str, default: str | None = "") -> None:
        if not inputs:
            raise ValueError("a group has at least one input")
        #: Their names.
        self.inputs = inputs
        #: The one that is chosen; ``None`` for none.
        self.default = inputs[0] if default == "" else default

    def __repr__(self) -> str:
        return f"InputGroup({', '.join(map(repr, self.inputs))}, default={self.default!r})"


def place_of(name: str, names: Sequence[str]) -> int:
    """The place of an input among all."""
    if name not in names:
        raise ValueError(f"there is no input {name!r}: {', '.join(names)}")
    return names.index(name)


def groups_to_wire(groups: Iterable[InputGroup] | None, names: Sequence[str]) -> Any:
    """Groups as the protocol writes them."""
    if groups is None:
        return None
    return [
        {
            "inputs": [place_of(name, names) for name in group.inputs],
            **({} if group.default is None else {"defaultInput": place_of(group.default, names)}),
        }
        for group in groups
    ]


def associations_to_wire(associations: Iterable[Association] | None, names: Sequence[str]) -> Any:
    """Associations as the protocol writes them."""
    if associations is None:
        return None
    return [
        {
            "associationType": kind,
            "input": place_of(name, names),
            "associatedInput": place_of(other, names),
        }
        for kind, name, other in associations
    ]
