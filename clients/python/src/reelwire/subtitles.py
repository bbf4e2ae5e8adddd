"""Files of subtitles that exports make tracks of."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Union

from . import protocol
from .blob import file_url

__all__ = ["SubtitlesLike"]

#: The path of a file of subtitles, or one with its properties: ``{"url": "film.de.srt", "language": "de"}``.
SubtitlesLike = Union[str, "os.PathLike[str]", protocol.SubtitleFile]


def subtitles_to_wire(
    subtitles: Iterable[SubtitlesLike] | None,
) -> list[protocol.SubtitleFile] | None:
    """The files as the protocol writes them."""
    if subtitles is None:
        return None
    if isinstance(subtitles, (str, os.PathLike)):
        raise TypeError("subtitles are a list of files, for example ['film.de.srt']")
    return [_file(each) for each in subtitles]


def _file(given: SubtitlesLike) -> protocol.SubtitleFile:
    if isinstance(given, (str, os.PathLike)):
        return {"url": file_url(given)}
    return {**given, "url": file_url(given["url"])}
