"""The base of the engine's errors, and the errors of the client itself."""

from __future__ import annotations

import errno
import signal
from typing import TYPE_CHECKING, Any, ClassVar, cast

from .hints import argument_name, phrased

if TYPE_CHECKING:
    from . import protocol

__all__ = [
    "BinaryNotFoundError",
    "EngineClosedError",
    "EngineDiedError",
    "HandleClosedError",
    "ReelwireError",
]


def _name(code: int) -> str:
    # Loaded when an error is made, not with the errors' classes.
    from . import protocol

    return protocol.ERROR_NAMES.get(code, "")


class ReelwireError(Exception):
    """An error of the engine; its ``str()`` states the failure, and the advice."""

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
        #: The failed operation, its subject, and the reason.
        self.message = message
        if code is not None:
            self.code = code
        #: Everything else the engine reported: ``path``, ``handle``, ``key``, ``stage``, ``libav`` …
        self.data: dict[str, Any] = dict(data or {})
        #: The name on the wire, for example ``fileAlreadyExists``.
        self.name: str = name or self.data.get("name") or _name(self.code)
        #: The advice, with Python's names; ``data`` has the wire's.
        self.hint: str = hint or phrased(self.data)
        if isinstance(self, OSError):
            _fill(self, errno_of(self.data) or self._errno, message, self.data.get("path"))

    #: The class of which a class was made that is a builtin one too; no module has it.
    _origin: ClassVar[type[ReelwireError] | None] = None

    def __reduce__(self) -> Any:
        return _restored, (self._origin or type(self), self._origin is not None, self.args, vars(self))

    def __eq__(self, other: object) -> bool:
        """True if it is the same error, as after it was pickled."""
        if type(self) is not type(other) or not isinstance(other, ReelwireError):
            return NotImplemented
        return (self.args, self.__dict__) == (other.args, other.__dict__)

    def __hash__(self) -> int:
        return hash((type(self), self.message, self.code))

    def __str__(self) -> str:
        name = f" [{f'{self.name} {self.code}'.strip()}]" if self.code else ""
        problems = "".join(
            f"\n  {_place(problem['path'])}: expected {problem['expected']}, got {problem['got']}"
            for problem in self.data.get("errors") or ()
        )
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.message}{name}{problems}{hint}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.code} {self.message!r}>"


#: Params that are dicts in Python, too: changes of a capture session, and the settings of kinds of tracks.
_DICTS = frozenset({"changes", "video", "audio"})


def _place(pointer: str) -> str:
    """A problem's place in the params, with Python's names, but for members of dicts, which have the wire's."""
    parts = pointer.split("/")
    known = next((at for at, part in enumerate(parts) if part in _DICTS), len(parts))
    return "/".join([*map(argument_name, parts[:known]), *parts[known:]]) or "/"


class BinaryNotFoundError(ReelwireError, FileNotFoundError):
    """There is no engine to start."""

    _errno = errno.ENOENT


class EngineClosedError(ReelwireError, ConnectionError):
    """The engine was closed before the answer came."""


class EngineDiedError(EngineClosedError):
    """The engine's process has ended unexpectedly; all pending requests fail with this."""

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


_combined: dict[tuple[type[ReelwireError], type[OSError]], type[ReelwireError]] = {}


def with_errno(cls: type[ReelwireError], number: int | None) -> type[ReelwireError]:
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
        cls = with_errno(cls, errno_of(members["data"]))
    error = cls(None, []) if issubclass(cls, EngineDiedError) else cls(*arguments)
    error.args = arguments
    error.__dict__.update(members)
    if isinstance(error, OSError):
        number = errno_of(error.data) or error._errno
        _fill(error, number, error.message, error.data.get("path"))
    return error


def _fill(error: OSError, number: int | None, message: str, path: str | None) -> None:
    error.errno, error.strerror, error.filename = number, message, path


def errno_of(data: dict[str, Any]) -> int | None:
    """The errno number when the libraries' error is one, for example that of ``ENOENT``."""
    number = getattr(errno, str((data.get("libav") or {}).get("code")), None)
    return number if isinstance(number, int) else None
