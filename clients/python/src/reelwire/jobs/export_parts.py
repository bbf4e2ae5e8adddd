"""One long export by several workers, as jobs: a plan, its parts, and their join."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import Any

from .. import protocol
from ..errors import FileAlreadyExistsError
from .export import Export
from .fields import count_of
from .finished_files import OutputFile
from .frozen import frozen, thawed
from .job import Job, JobContext, absolute
from .threads import in_thread
from .values import WrittenFile

__all__ = ["ExportPart", "FinishedExport", "JoinParts", "PlanExport", "part_paths"]


@dataclass(frozen=True, eq=False, repr=False)
class FinishedExport(Job["WrittenFile | None"]):
    """The file that an export has made earlier; ``None`` where there is none.

    It is an error where another file has its name, before there is any work.
    """

    #: The export that would make it.
    export: Export

    async def perform(self, context: JobContext) -> WrittenFile | None:
        """The file."""
        output = self.export.output_for(context)
        file = await in_thread(OutputFile, context, self.export, [context.path], output)
        return await in_thread(file.finished)


@dataclass(frozen=True, eq=False, repr=False)
class PlanExport(Job[protocol.ExportPartPlan]):
    """Divides an export of a file into parts, as ``plan`` of an export session does."""

    #: The export to divide.
    export: Export
    #: The number of parts of video; by default parts of thirty seconds.
    part_count: int | None = None

    def __post_init__(self) -> None:
        if self.part_count is not None:
            self._set(part_count=count_of(self.part_count, "part_count"))

    async def perform(self, context: JobContext) -> protocol.ExportPartPlan:
        """The plan."""
        async with self.export.session(context, context.local(self.export.output_for(context))) as session:
            return await session.plan(part_count=self.part_count)


@dataclass(frozen=True, eq=False, repr=False)
class ExportPart(Job[str]):
    """Makes a part of an export, as a file that ``JoinParts`` reads.

    An existing file stays, unless it is replaced: a file of this name is the part, or is refused when they are
    joined.
    """

    #: The export that is divided.
    export: Export
    #: The plan of its parts, of ``PlanExport``.
    plan: Any
    #: The part's number, from 0 on.
    part: int
    #: Its file.
    output: str
    #: True if a file of this name, which has been refused, is removed first.
    replaces: bool = False

    def __post_init__(self) -> None:
        self._set(plan=frozen(self.plan, "a plan"), output=absolute(self.output))

    async def perform(self, context: JobContext) -> str:
        """The file of the part."""
        output = context.local(self.output)
        target = context.local(self.export.output_for(context))
        if self.replaces:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(output)
        async with self.export.session(context, target) as session:
            with contextlib.suppress(FileAlreadyExistsError):
                await session.export_part(thawed(self.plan), self.part, output)
        return self.output


@dataclass(frozen=True, eq=False, repr=False)
class JoinParts(Job[WrittenFile]):
    """Makes the new file of an export of its parts, whose files are removed then."""

    #: The export.
    export: Export
    #: The plan of its parts, of ``PlanExport``.
    plan: Any
    #: The files of all parts, in the order of the plan.
    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        parts = tuple(absolute(part) for part in self.parts)
        self._set(plan=frozen(self.plan, "a plan"), parts=parts)

    async def perform(self, context: JobContext) -> WrittenFile:
        """The new file."""
        parts = [context.local(part) for part in self.parts]
        plan = thawed(self.plan)
        made = await self.export.written(context, lambda session: session.join(plan, parts))
        for part in parts:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part)
        return made


def part_paths(plan: protocol.ExportPartPlan, output: str, folder: str | None) -> list[str]:
    """The files of a plan's parts: hidden ones in a folder, by default that of the output."""
    beside, name = os.path.split(output)
    start = os.path.join(folder or beside, f".{name}.{plan['digest'][:16]}")
    return [f"{start}.{number:04}.part" for number in range(len(plan["parts"]))]
