"""Files that jobs make: complete or absent, and recognized when the job is repeated.

Each export has a record in its folder, a hidden file of a few hundred bytes: the digest of the job that has made
it, the sources with their sizes and times of modification, and the size and time of the file itself. An
export that finds a file at its own path returns it if all of that is unchanged, and
touches no other.

The engine writes to a hidden name, which has a hash of the job and its sources. The record is written
next, and then the file gets its name, which replaces nothing. If a process is killed, the existing
files show its progress, and the next attempt continues from there.

A record is written under another hidden name, which is locked meanwhile: one without a lock was left
by a killed process, and the next attempt removes it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import filecmp
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import FileAlreadyExistsError
from ..export_result import ExportResult
from ..time_range import TimeRange
from .job import Job, JobContext
from .values import WrittenFile

__all__ = ["OutputFile", "write_picture"]

#: The errors of file systems without links.
_UNLINKABLE = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK)
#: The suffix of the name of a file that is being written.
_PARTIAL = ".partial"


class OutputFile:
    """A file that a job makes of sources, and its hidden files until it is complete."""

    def __init__(
        self, context: JobContext, job: Job[Any], sources: Sequence[str], path: str
    ) -> None:
        """``path`` and ``sources`` are the caller's."""
        self.path = path
        self._local = context.local(path)
        self._sources = [context.local(source) for source in sources]
        self._identity = [_identity(source, context.local(source)) for source in sources]
        made_of = json.dumps([job.digest, self._identity], sort_keys=True)
        self._key = hashlib.sha256(made_of.encode()).hexdigest()
        #: The path to which the engine writes.
        self.unfinished = _beside(self._local, f".{self._key[:16]}{os.path.splitext(path)[1]}")
        self._pending = _beside(self._local, f".{self._key[:16]}.json")
        self._record = _beside(self._local, ".reelwire.json")
        #: The content of the record, once the file is complete.
        self._content: bytes | None = None

    @property
    def is_unfinished(self) -> bool:
        """True if it is written and hasn't its name yet."""
        return os.path.lexists(self.unfinished)

    def finished(self) -> WrittenFile | None:
        """The file, if this job has made it of these sources; ``None`` where there is nothing.

        Raises ``FileAlreadyExistsError`` where there is anything else.
        """
        for record in (self._pending, self._record):
            _is_removed(_beside(record, _PARTIAL))
        if not os.path.lexists(self._local):
            return self._resumed()
        if any(_is_same(source, self._local) for source in self._sources):
            raise _exists(self.path, "it is the file that it would be made of")
        # The pending record may become the record while this looks at them.
        for record in (self._record, self._pending, self._record):
            made = self._made(record, self._local)
            if made is not None and record == self._pending:
                self._settle()
            elif made is not None:
                self.discard()
            if made is not None:
                return made
        self.discard()
        raise _exists(self.path, "it isn't what this job has made of this source")

    def _resumed(self) -> WrittenFile | None:
        """The file that was complete, and had its record, when a process was killed."""
        made = self._made(self._pending, self.unfinished)
        if made is None:
            self.discard()
            return None
        try:
            return self._named(made)
        except (FileExistsError, FileNotFoundError):
            return self.finished()  # Another process has done the same.

    def publish(self, result: ExportResult) -> WrittenFile | None:
        """Gives the written file its name; ``None`` if another process has made it."""
        status = None
        record = None
        try:
            status = os.stat(self.unfinished)
            made = {
                "trim_mode": result.trim_mode,
                "trim_note": result.trim_note,
                "dropped": result.dropped,
                "time_range": result.time_range and result.time_range.to_wire(),
            }
            record = {
                "version": 1,
                "key": self._key,
                "sources": self._identity,
                "file": {"size": status.st_size, "modified": status.st_mtime_ns},
                "result": made,
            }
            self._content = json.dumps(record).encode()
            _replace(self._pending, self._content)
            return self._named(_written(self.path, record, is_reused=False))
        except (FileExistsError, FileNotFoundError):
            if status is None or record is None or not self._has_name(status):
                return None
            # Another process has given this file its name, as one that a killed process had left.
            self._settle()
            return _written(self.path, record, is_reused=False)

    def _has_name(self, status: os.stat_result) -> bool:
        """True if the finished file is the one that was written here."""
        try:
            named = os.lstat(self._local)
        except OSError:
            return False
        return os.path.samestat(named, status)

    def _named(self, made: WrittenFile) -> WrittenFile:
        _name(self.unfinished, self._local)
        self._settle()
        return made

    def _settle(self) -> None:
        """Leaves nothing but the file and its record."""
        try:
            os.replace(self._pending, self._record)
        except FileNotFoundError:
            # Another process has done it, or has treated it as the remains of a killed one.
            if self._content is not None and self._made(self._record, self._local) is None:
                _replace(self._record, self._content)
        _remove(self.unfinished)

    def discard(self) -> None:
        """Removes everything except the finished file."""
        _remove(self._pending)
        _remove(self.unfinished)

    def _made(self, record: str, path: str) -> WrittenFile | None:
        """The record's data of a file, if both belong to this job and these sources."""
        try:
            with open(record, "rb") as file:
                known = json.load(file)
            status = os.lstat(path)
            is_own = known["key"] == self._key and known["file"] == {
                "size": status.st_size,
                "modified": status.st_mtime_ns,
            }
            return _written(self.path, known, is_reused=True) if is_own else None
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _written(path: str, record: Any, *, is_reused: bool) -> WrittenFile:
    made = record["result"]
    time_range = made["time_range"]
    return WrittenFile(
        path=path,
        file_size=record["file"]["size"],
        time_range=None if time_range is None else TimeRange.of(time_range),
        trim_mode=made["trim_mode"],
        trim_note=made["trim_note"],
        dropped=made["dropped"],
        is_reused=is_reused,
    )


def write_picture(path: str, local: str, data: bytes) -> bool:
    """Writes an image to a new file; false if the same bytes exist already.

    ``path`` is its name in messages. Raises ``FileAlreadyExistsError`` if another file exists.
    """
    with _temporary(local, data) as temporary:
        try:
            _name(temporary, local)
            return True
        except FileExistsError:
            if os.path.isfile(local) and filecmp.cmp(temporary, local, shallow=False):
                return False
            raise _exists(path, "it isn't the picture that this job makes") from None


def _identity(source: str, local: str) -> dict[str, Any]:
    """The identity of a source's file; a source that isn't a file is never the same."""
    try:
        status = os.stat(local)
    except OSError:
        return {"path": source, "random": os.urandom(16).hex()}
    return {"path": source, "size": status.st_size, "modified": status.st_mtime_ns}


def _is_same(path: str, other: str) -> bool:
    """True if both paths lead to one file."""
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def _beside(path: str, ending: str) -> str:
    """A hidden name in the folder of a file, of a length that file systems accept."""
    folder, name = os.path.split(path)
    start = name
    if len(os.fsencode(name)) > 200:
        start = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
    return os.path.join(folder, f".{start}{ending}")


def _replace(path: str, data: bytes) -> None:
    """Writes a file, which is complete whenever it is there."""
    with _temporary(path, data) as temporary:
        os.replace(temporary, path)


@contextlib.contextmanager
def _temporary(path: str, data: bytes) -> Iterator[str]:
    """A complete file under a temporary name in the target's folder; removed if it still has that name at the end."""
    temporary, descriptor = _claimed(path)
    with open(descriptor, "wb") as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            yield temporary
        finally:
            if _is_open_as(temporary, descriptor):
                _remove(temporary)


def _claimed(path: str) -> tuple[str, int]:
    """A new file for one that is to be complete: its name, and a descriptor that has it locked."""
    temporary = _beside(path, _PARTIAL)
    while _is_removed(temporary):
        try:
            descriptor = _created(temporary)
        except FileExistsError:
            continue
        try:
            # Before it was locked, another process may have treated it as the remains of a killed one.
            if _is_locked(descriptor) and _is_open_as(temporary, descriptor):
                return temporary, descriptor
        except OSError:
            # There are no locks here, so no other process has removed it.
            os.close(descriptor)
            _remove(temporary)
            break
        os.close(descriptor)
    # Another process writes the same at this moment, or there are no locks.
    temporary = _beside(path, f".{os.urandom(8).hex()}")
    return temporary, _created(temporary)


def _created(path: str) -> int:
    # Not by tempfile, whose files only their owner may read.
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)


def _is_removed(temporary: str) -> bool:
    """Removes the remains of a killed process; false if a living one holds them."""
    try:
        descriptor = os.open(temporary, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        if not _is_locked(descriptor):
            return False
        # Only the process that holds the lock of the file with that name may remove the name.
        if _is_open_as(temporary, descriptor):
            os.unlink(temporary)
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int) -> bool:
    """Locks a file until it is closed, or its process ends; false where another one has."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False


def _is_open_as(path: str, descriptor: int) -> bool:
    """True if the file that is open still has this name."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _name(temporary: str, path: str) -> None:
    """Gives a complete file its name, and replaces nothing: ``FileExistsError``."""
    try:
        os.link(temporary, path)
    except OSError as error:
        if error.errno not in _UNLINKABLE:
            raise
        # Without links: an empty file takes the name, which is then ours to replace.
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.replace(temporary, path)


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _exists(path: str, why: str) -> FileAlreadyExistsError:
    return FileAlreadyExistsError(
        f"Can't write '{path}': {why}",
        code=-11823,
        hint="Remove it, or choose another output.",
        data={"name": "fileAlreadyExists", "hint": "", "path": path},
    )
