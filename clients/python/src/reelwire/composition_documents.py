"""Compositions made of documents: sequences, and timelines of other programs."""

from __future__ import annotations

import json
import math
import os
from typing import Any, cast

from . import protocol
from .asset import Asset, AsyncAsset
from .blob import absolute_path, path_text
from .composition import AsyncComposition
from .remote import given
from .time import MediaTime
from .time_range import TimeRange
from .transport import Transport

__all__ = ["assembled", "expanded", "imported"]


async def assembled(
    transport: Transport, sequence: protocol.ClipSequenceInput
) -> AsyncComposition:
    """Makes a composition of a sequence."""
    result = await _assemble(transport, sequence)
    return AsyncComposition(transport, result["composition"])


async def expanded(
    transport: Transport, sequence: protocol.ClipSequenceInput
) -> protocol.CompositionTimeline:
    """The timeline that a sequence stands for."""
    result = await _assemble(transport, sequence, timeline_only=True)
    return cast(protocol.CompositionTimeline, result["timeline"])


async def _assemble(
    transport: Transport,
    sequence: protocol.ClipSequenceInput,
    timeline_only: bool | None = None,
) -> Any:
    return await transport.request(
        "composition/assemble",
        given(sequence=_written(sequence), timelineOnly=timeline_only),
    )


def _written(value: Any) -> Any:
    """A document with the handles of its assets, and times as the protocol writes them."""
    if isinstance(value, (AsyncAsset, Asset)):
        return value.handle
    if isinstance(value, (MediaTime, TimeRange)):
        return value.to_wire()
    if isinstance(value, dict):
        return {name: _written(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_written(item) for item in value]
    return value


def _finite(value: Any) -> Any:
    """A document with strings for the numbers that JSON does not have, and Python reads of it."""
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


async def imported(
    transport: Transport,
    document: str | os.PathLike[str] | protocol.OpenTimelineIODocument,
    relative_to: str | os.PathLike[str] | None,
) -> AsyncComposition:
    """Makes a composition of a document of OpenTimelineIO, or of a file of one."""
    if isinstance(document, (str, os.PathLike)):
        path = absolute_path(path_text(document, "a document"), "a document")
        with open(path, "rb") as file:
            document = cast(protocol.OpenTimelineIODocument, json.load(file))
        relative_to = os.path.dirname(path) if relative_to is None else relative_to
    folder = None if relative_to is None else absolute_path(relative_to, "a folder")
    result: Any = await transport.request(
        "composition/import", given(document=_finite(document), relativeTo=folder)
    )
    composition = AsyncComposition(transport, result["composition"])
    composition.losses = result["losses"]
    return composition
