"""The base of jobs, and their context."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, ClassVar, Generic, TypeVar

from ..asset import AsyncAsset
from ..blob import absolute_path, path_text
from ..engine import AsyncEngine
from ..media_bytes import scheme_of
from .frozen import canonical

__all__ = ["Job", "JobContext", "PathMap", "absolute"]

V_co = TypeVar("V_co", covariant=True)

#: The folders of the caller's on this machine: ``{"/mnt/a": "/data"}``.
PathMap = Mapping[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class Job(Generic[V_co]):
    """Work on one file, as an immutable value that can be sent anywhere.

    Jobs are equal, and have the same ``digest``, when they do the same. A ``Worker`` runs them; a job
    doesn't depend on engines, processes or schedulers. Your own jobs extend
    it, as a frozen dataclass with a ``perform``:

    >>> @dataclasses.dataclass(frozen=True, eq=False)
    ... class ChapterTitles(Job[list[str]]):
    ...     async def perform(self, context):
    ...         async with context.open() as asset:
    ...             return [chapter.title for chapter in await asset.chapters()]
    """

    #: Another number for a class whose fields have come to stand for other work.
    version: ClassVar[int] = 1
    #: True if its fields have the paths of its files, so that a worker gets none.
    names_its_files: ClassVar[bool] = False

    async def perform(self, context: JobContext) -> V_co:
        """Does it, on the event loop of the context's engine, and returns plain values.

        The objects that it opens must be closed when it returns, raises or is cancelled: ``async with``.
        """
        raise NotImplementedError

    @property
    def digest(self) -> str:
        """A SHA-256 in hexadecimal of the name of the class, its ``version`` and the fields.

        It is the same in every process and version of Python. A field that has its default isn't
        part of it, so that a class may get more of them.
        """
        return hashlib.sha256(self._document().encode()).hexdigest()

    def _document(self) -> str:
        members = {}
        for each in fields(self):
            text = _json(getattr(self, each.name))
            if each.metadata.get("is_work", True) and text != _json(_default(each)):
                members[each.name] = json.loads(text)
        document = {"job": type(self).__name__, "version": self.version, "fields": members}
        return _json(document)

    def _set(self, **values: Any) -> None:
        """Replaces fields by their meanings, while the job is being made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        given = [(each.name, getattr(self, each.name), _default(each)) for each in fields(self)]
        members = [f"{name}={value!r}" for name, value, default in given if value != default]
        return f"{type(self).__name__}({', '.join(members)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Job):
            return NotImplemented
        return self._document() == other._document()

    def __hash__(self) -> int:
        return int(self.digest[:15], 16)


def _json(value: Any) -> str:
    return json.dumps(canonical(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    # A field without a default is always part of a digest: nothing else is an empty mapping of this name.
    return {"$required": True}


class JobContext:
    """The context of a job: an engine, and the job's file."""

    def __init__(self, engine: AsyncEngine, path: str | None, path_map: PathMap) -> None:
        #: The engine. It is shared with other jobs: a job closes the objects that it opens in it.
        self.engine = engine
        self._path = path
        self._path_map = path_map

    @property
    def path(self) -> str:
        """The file as the caller names it: an absolute path, or a URL of another scheme than ``file``."""
        if self._path is None:
            raise TypeError("this job names its files itself")
        return absolute(self._path)

    def local(self, path: str | os.PathLike[str]) -> str:
        """The path of a file on this machine, by the worker's ``path_map``."""
        text = absolute(path)
        for folder in sorted(self._path_map, key=len, reverse=True):
            start = folder.rstrip("/")
            if text == folder or text.startswith(f"{start}/"):
                return self._path_map[folder].rstrip("/") + text[len(start) :] or "/"
        return text

    @asynccontextmanager
    async def open(
        self,
        *,
        prefer_precise_duration_and_timing: bool | None = None,
        salvage: bool | None = None,
    ) -> AsyncIterator[AsyncAsset]:
        """The file as an asset, until the end of an ``async with``; the options are those of ``Engine.open``."""
        async with await self.engine.open(
            self.local(self.path),
            prefer_precise_duration_and_timing=prefer_precise_duration_and_timing,
            salvage=salvage,
        ) as asset:
            yield asset


def absolute(path: str | os.PathLike[str]) -> str:
    """The absolute path of a file or of its URL; URLs of other schemes stay as they are."""
    text = path_text(path, "a file")
    if text.startswith("file:") or scheme_of(text) is None:
        return absolute_path(text, "a file")
    return text
