"""The common base of exports of files and of compositions: their options, and their repetition."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import Any, Callable

from ..errors import FileAlreadyExistsError, ReelwireError, error_from_wire
from ..export_result import ExportResult
from ..metadata import chapters_to_wire, metadata_changes_to_wire, metadata_to_wire
from ..time_range import TimeRange
from .finished_files import OutputFile
from .frozen import frozen, thawed
from .job import Job, JobContext
from .threads import in_thread, last_in_thread
from .values import WrittenFile

__all__ = ["export_options", "frozen_options", "refuse_client_compositor", "written"]

#: The maximum attempts of an export when other processes do the same at the same time.
_ROUNDS = 3
#: The maximum time of such a process from the end of its export to the file's name, in seconds.
_PATIENCE = 2.0

#: The fields of a job that aren't options of its export.
_OWN = ("output", "preset", "sequence", "prefer_precise_duration_and_timing", "salvage")
#: The conversions of options to immutable values.
_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "metadata": metadata_to_wire,
    "metadata_changes": metadata_changes_to_wire,
    "chapters": chapters_to_wire,
    "time_range": TimeRange.of,
}


def frozen_options(job: Any) -> dict[str, Any]:
    """The options of an export as immutable values, without the absent ones."""
    made = {}
    for name in _names(job):
        value = getattr(job, name)
        if value is not None:
            made[name] = frozen(_CONVERSIONS.get(name, _same)(value), name)
    return made


def export_options(job: Any, context: JobContext) -> dict[str, Any]:
    """The options of a job as ``export`` takes them."""
    options = {}
    for name in _names(job):
        value = getattr(job, name)
        if isinstance(value, (Mapping, tuple)):
            value = thawed(value)
        if value is not None:
            options[name] = value
    folder = options.get("directory_for_temporary_files")
    if folder is not None:
        options["directory_for_temporary_files"] = context.local(folder)
    return options


def _names(job: Any) -> Iterable[str]:
    return (each.name for each in dataclasses.fields(job) if each.name not in _OWN)


def _same(value: Any) -> Any:
    return value


def refuse_client_compositor(video_composition: Mapping[str, Any] | None) -> None:
    """A ``ValueError`` for pictures that a function of the caller's would have to draw."""
    for instruction in (video_composition or {}).get("instructions", ()):
        if instruction.get("compositor") == "client":
            raise ValueError(
                'an instruction with compositor="client" is drawn by a function, which no job has'
            )


async def written(
    job: Job[WrittenFile],
    context: JobContext,
    output: str,
    sources: Sequence[str],
    export: Callable[[str], Awaitable[ExportResult]],
) -> WrittenFile:
    """The file that an export makes, or that an earlier attempt of the same job has made.

    ``export`` makes a new file at a path, or leaves none.
    """
    file = await in_thread(OutputFile, context, job, sources, output)
    for _ in range(_ROUNDS):
        made = await in_thread(file.finished)
        if made is not None:
            return made
        try:
            result = await export(file.unfinished)
            made = await last_in_thread(file.publish, result)
        except BaseException as error:
            if _is_of_another(error, file):
                await _until_named(file)
                continue
            await in_thread(file.discard)
            if isinstance(error, ReelwireError):
                raise _of_output(error, file) from None
            raise
        if made is not None:
            return made
    made = await in_thread(file.finished)
    if made is not None:
        return made
    raise FileAlreadyExistsError(
        f"Can't write '{output}': other processes are writing it",
        code=-11823,
        hint="Let one worker do a job of a file at a time.",
        data={"name": "fileAlreadyExists", "hint": "", "path": output},
    )


def _is_of_another(error: BaseException, file: OutputFile) -> bool:
    """True if another process has written the same file, and hasn't named it yet."""
    is_there = isinstance(error, FileAlreadyExistsError)
    return is_there and error.data.get("path") == file.unfinished  # type: ignore[attr-defined]


async def _until_named(file: OutputFile) -> None:
    """Waits for another process that has written the same file and is going to name it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _PATIENCE
    while file.is_unfinished and loop.time() < end:
        await asyncio.sleep(0.02)


def _of_output(error: ReelwireError, file: OutputFile) -> ReelwireError:
    """The engine's error with the output's name in place of the one that it has until it is complete."""
    is_about_it = error.data.get("path") == file.unfinished or file.unfinished in error.message
    if not error.code or not is_about_it:
        return error
    before, after = json.dumps(file.unfinished)[1:-1], json.dumps(file.path)[1:-1]
    data = json.loads(json.dumps(error.data).replace(before, after))
    message = error.message.replace(file.unfinished, file.path)
    return error_from_wire({"code": error.code, "message": message, "data": data})
