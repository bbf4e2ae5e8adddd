"""Every error of the engine as a class.

``except reelwire.FileAlreadyExistsError`` catches one kind, ``except reelwire.ReelwireError`` all,
and those with a builtin counterpart are that too: ``except FileExistsError`` works.
"""

from __future__ import annotations

import errno
import signal
from typing import Any, ClassVar, cast

from . import protocol

__all__ = [
    "BinaryNotFoundError",
    "ContentIsProtectedError",
    "ContentIsUnavailableError",
    "DecodeFailedError",
    "DecoderNotFoundError",
    "DiskFullError",
    "EncodeFailedError",
    "EncoderNotFoundError",
    "EngineClosedError",
    "EngineDiedError",
    "ExportFailedError",
    "FailedToLoadMediaDataError",
    "FailedToLoadSampleDataError",
    "FileAlreadyExistsError",
    "FileFailedToParseError",
    "FileFormatNotRecognizedError",
    "FormatUnsupportedError",
    "HandleClosedError",
    "InternalError",
    "InvalidOutputURLPathExtensionError",
    "InvalidParamsError",
    "InvalidRequestError",
    "InvalidSampleCursorError",
    "InvalidSourceMediaError",
    "LeasesExhaustedError",
    "LimitExceededError",
    "MaximumFileSizeReachedError",
    "MethodNotFoundError",
    "NoImageAtTimeError",
    "NoSourceTrackError",
    "OperationCancelledError",
    "OperationNotAllowedError",
    "OperationNotSupportedForAssetError",
    "OperationNotSupportedForPresetError",
    "OutOfMemoryError",
    "PathNotAllowedError",
    "ReelwireError",
    "ReferenceForbiddenByReferencePolicyError",
    "RequestCancelledError",
    "SandboxExtensionDeniedError",
    "UndecodableMediaDataError",
    "UnknownHandleError",
    "UnsupportedOutputSettingsError",
    "ValueNotLoadedError",
    "WrongHandleKindError",
    "error_from_wire",
]


class ReelwireError(Exception):
    """An error of the engine; its ``str()`` states what failed, and what to do next."""

    #: The code on the wire; 0 for an error of the client itself.
    code: int = 0
    #: The errno of an error that is an ``OSError`` too, when the engine does not report it.
    _errno: int | None = None

    def __init__(
        self,
        message: str,
        *,
        code: int | None = None,
        name: str | None = None,
        hint: str | None = None,
        data: protocol.ErrorData | None = None,
    ) -> None:
        super().__init__(message)
        #: What failed, on what, and why.
        self.message = message
        if code is not None:
            self.code = code
        #: Everything else the engine reported: ``path``, ``handle``, ``key``, ``stage``, ``libav`` …
        self.data: dict[str, Any] = dict(data or {})
        #: The name on the wire, for example ``fileAlreadyExists``.
        self.name: str = name or self.data.get("name") or protocol.ERROR_NAMES.get(self.code, "")
        #: What to do next.
        self.hint: str = hint or self.data.get("hint") or ""
        if isinstance(self, OSError):
            _fill(self, _errno_of(self.data) or self._errno, message, self.data.get("path"))

    #: What a class was made of that is a builtin one too; no module has it.
    _origin: ClassVar[type[ReelwireError] | None] = None

    def __reduce__(self) -> Any:
        return _restored, (self._origin or type(self), self._origin is not None, self.args, vars(self))

    def __eq__(self, other: object) -> bool:
        """Whether it is the same error, as after it was pickled."""
        if type(self) is not type(other) or not isinstance(other, ReelwireError):
            return NotImplemented
        return (self.args, self.__dict__) == (other.args, other.__dict__)

    def __hash__(self) -> int:
        return hash((type(self), self.message, self.code))

    def __str__(self) -> str:
        name = f" [{f'{self.name} {self.code}'.strip()}]" if self.code else ""
        problems = "".join(
            f"\n  {problem['path'] or '/'}: expected {problem['expected']}, got {problem['got']}"
            for problem in self.data.get("errors") or ()
        )
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.message}{name}{problems}{hint}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.code} {self.message!r}>"


class BinaryNotFoundError(ReelwireError, FileNotFoundError):
    """There is no engine to start."""

    _errno = errno.ENOENT


class EngineClosedError(ReelwireError, ConnectionError):
    """The engine was closed before the answer came."""


class EngineDiedError(EngineClosedError):
    """The engine's process has ended by itself; everything that was asked for fails with this."""

    def __init__(self, status: int | None, stderr: list[str]) -> None:
        #: The exit code, when it ended with one.
        self.exit_code = status if status is not None and status >= 0 else None
        #: The name of the signal that ended it, for example ``SIGKILL``.
        self.signal: str | None = None
        if status is not None and status < 0:
            try:
                self.signal = signal.Signals(-status).name
            except ValueError:
                self.signal = f"signal {-status}"
        #: The last lines of its stderr.
        self.stderr = stderr
        how = f"was ended by {self.signal}" if self.signal else f"ended with code {self.exit_code}"
        lines = "".join(f"\n  | {line}" for line in stderr[-5:])
        super().__init__(
            f"the engine {how}{lines}", name="engineDied", hint="Start another one and ask again."
        )


class HandleClosedError(ReelwireError, ValueError):
    """The object was closed by this program."""


# JSON-RPC's own.


class InvalidRequestError(ReelwireError):
    """The message is no request, or one the engine does not take any more."""


class MethodNotFoundError(ReelwireError, NotImplementedError):
    """This engine has no such method."""


class InvalidParamsError(ReelwireError, ValueError):
    """The params are not those of the method; ``data["errors"]`` has every problem."""


class InternalError(ReelwireError, RuntimeError):
    """The engine has a fault."""


class RequestCancelledError(ReelwireError):
    """The request was cancelled before it was answered."""


# AVFoundation's.


class OutOfMemoryError(ReelwireError, MemoryError):
    """There was not enough memory."""


class DiskFullError(ReelwireError, OSError):
    """The disk is full; nothing was left behind."""

    _errno = errno.ENOSPC


class MaximumFileSizeReachedError(ReelwireError, OSError):
    """The file would be larger than the file system or a limit of the process allows."""

    _errno = errno.EFBIG


class ExportFailedError(ReelwireError, RuntimeError):
    """The export failed."""


class DecodeFailedError(ReelwireError, ValueError):
    """The media could not be decoded."""


class InvalidSourceMediaError(ReelwireError, ValueError):
    """The media cannot be used for this."""


class FileAlreadyExistsError(ReelwireError, FileExistsError):
    """There is a file of that name already; it was not touched."""

    _errno = errno.EEXIST


class FileFormatNotRecognizedError(ReelwireError, ValueError):
    """The file is of no type that can be read."""


class FileFailedToParseError(ReelwireError, ValueError):
    """The structure of the file is broken."""


class ContentIsProtectedError(ReelwireError, PermissionError):
    """The content is encrypted."""

    _errno = errno.EACCES


class NoImageAtTimeError(ReelwireError, LookupError):
    """There is no image at that time."""


class DecoderNotFoundError(ReelwireError, LookupError):
    """This build has no decoder for the format."""


class EncoderNotFoundError(ReelwireError, LookupError):
    """This build has no encoder for the format."""


class OperationNotSupportedForAssetError(ReelwireError, ValueError):
    """The asset cannot do this."""


class ReferenceForbiddenByReferencePolicyError(ReelwireError, PermissionError):
    """The file refers to another one, which is not followed."""

    _errno = errno.EACCES


class InvalidOutputURLPathExtensionError(ReelwireError, ValueError):
    """The name's extension does not fit the file type."""


class FailedToLoadMediaDataError(ReelwireError, OSError):
    """The media could not be read."""

    _errno = errno.EIO


class UndecodableMediaDataError(ReelwireError, ValueError):
    """The media holds nothing that could be decoded."""


class UnsupportedOutputSettingsError(ReelwireError, ValueError):
    """The output settings cannot be met."""


class OperationNotAllowedError(ReelwireError, RuntimeError):
    """The object's state does not allow this."""


class ContentIsUnavailableError(ReelwireError, OSError):
    """The file is not there, or is no regular file.

    It is a ``FileNotFoundError``, ``IsADirectoryError`` … when that is the reason.
    """


class FormatUnsupportedError(ReelwireError, ValueError):
    """The format cannot be handled here."""


class NoSourceTrackError(ReelwireError, LookupError):
    """The asset has no such track."""


class OperationNotSupportedForPresetError(ReelwireError, ValueError):
    """The preset cannot do this."""


class OperationCancelledError(ReelwireError):
    """The work was cancelled."""


class InvalidSampleCursorError(ReelwireError, ValueError):
    """There is no such place among the samples."""


class FailedToLoadSampleDataError(ReelwireError, OSError):
    """The bytes of a sample could not be read."""

    _errno = errno.EIO


class EncodeFailedError(ReelwireError, RuntimeError):
    """The media could not be encoded."""


class SandboxExtensionDeniedError(ReelwireError, PermissionError):
    """The system does not allow the engine to use this file or folder."""

    _errno = errno.EACCES


# Reelwire's.


class UnknownHandleError(ReelwireError, LookupError):
    """No open object has this handle."""


class WrongHandleKindError(ReelwireError, TypeError):
    """The handle names an object of another kind."""


class ValueNotLoadedError(ReelwireError, LookupError):
    """The value is not loaded."""


class LeasesExhaustedError(ReelwireError, TimeoutError):
    """All shared memory is leased: let go of what was returned before."""

    _errno = errno.ETIMEDOUT


class PathNotAllowedError(ReelwireError, PermissionError):
    """The engine may not use this path or scheme."""

    _errno = errno.EACCES


class LimitExceededError(ReelwireError):
    """A limit of the engine was exceeded."""


_CLASSES: dict[int, type[ReelwireError]] = {
    -32600: InvalidRequestError,
    -32601: MethodNotFoundError,
    -32602: InvalidParamsError,
    -32603: InternalError,
    -32800: RequestCancelledError,
    -11801: OutOfMemoryError,
    -11807: DiskFullError,
    -11811: MaximumFileSizeReachedError,
    -11820: ExportFailedError,
    -11821: DecodeFailedError,
    -11822: InvalidSourceMediaError,
    -11823: FileAlreadyExistsError,
    -11828: FileFormatNotRecognizedError,
    -11829: FileFailedToParseError,
    -11831: ContentIsProtectedError,
    -11832: NoImageAtTimeError,
    -11833: DecoderNotFoundError,
    -11834: EncoderNotFoundError,
    -11838: OperationNotSupportedForAssetError,
    -11842: ReferenceForbiddenByReferencePolicyError,
    -11843: InvalidOutputURLPathExtensionError,
    -11849: FailedToLoadMediaDataError,
    -11855: UndecodableMediaDataError,
    -11861: UnsupportedOutputSettingsError,
    -11862: OperationNotAllowedError,
    -11863: ContentIsUnavailableError,
    -11864: FormatUnsupportedError,
    -11869: NoSourceTrackError,
    -11871: OperationNotSupportedForPresetError,
    -11878: OperationCancelledError,
    -11880: InvalidSampleCursorError,
    -11881: FailedToLoadSampleDataError,
    -11883: EncodeFailedError,
    -11884: SandboxExtensionDeniedError,
    1001: UnknownHandleError,
    1002: WrongHandleKindError,
    1003: ValueNotLoadedError,
    2001: LeasesExhaustedError,
    3001: PathNotAllowedError,
    3002: LimitExceededError,
}

_combined: dict[tuple[type[ReelwireError], type[OSError]], type[ReelwireError]] = {}


def error_from_wire(error: protocol.ErrorObject) -> ReelwireError:
    """Makes the exception of an error that the engine sent."""
    data = error.get("data")
    cls = _with_errno(_CLASSES.get(error["code"], ReelwireError), _errno_of(dict(data or {})))
    return cls(error["message"], code=error["code"], data=data)


def _with_errno(cls: type[ReelwireError], number: int | None) -> type[ReelwireError]:
    """The class that is also the builtin one for an errno number, where there is one."""
    builtin = type(OSError(number, "")) if number else OSError
    if issubclass(cls, builtin) or builtin is OSError:
        return cls
    return _with_builtin(cls, builtin)


def _with_builtin(cls: type[ReelwireError], builtin: type[OSError]) -> type[ReelwireError]:
    """A class of the same name that is the builtin one too: a missing file is both."""
    both = _combined.get((cls, builtin))
    if both is None:
        members = {"__module__": cls.__module__, "__doc__": cls.__doc__, "_origin": cls}
        both = cast("type[ReelwireError]", type(cls.__name__, (cls, builtin), members))
        _combined[cls, builtin] = both
    return both


def _restored(
    cls: type[ReelwireError], is_builtin: bool, arguments: tuple[Any, ...], members: dict[str, Any]
) -> ReelwireError:
    """The error that was pickled."""
    if is_builtin:
        cls = _with_errno(cls, _errno_of(members["data"]))
    error = cls(None, []) if issubclass(cls, EngineDiedError) else cls(*arguments)
    error.args = arguments
    error.__dict__.update(members)
    if isinstance(error, OSError):
        number = _errno_of(error.data) or error._errno
        _fill(error, number, error.message, error.data.get("path"))
    return error


def _fill(error: OSError, number: int | None, message: str, path: str | None) -> None:
    error.errno, error.strerror, error.filename = number, message, path


def _errno_of(data: dict[str, Any]) -> int | None:
    """The errno number when the libraries' error is one, for example that of ``ENOENT``."""
    number = getattr(errno, str((data.get("libav") or {}).get("code")), None)
    return number if isinstance(number, int) else None
