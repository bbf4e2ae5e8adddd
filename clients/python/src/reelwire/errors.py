"""Every error of the engine as a class.

``except reelwire.FileAlreadyExistsError`` catches one kind, ``except reelwire.ReelwireError`` all,
and those with a builtin counterpart are that too: ``except FileExistsError`` works. An error whose
reason is one of the system's is also the builtin class of that: a missing file is a
``FileNotFoundError``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import error_base, error_codes
from .error_base import *  # noqa: F403
from .error_base import ReelwireError, errno_of, with_errno
from .error_codes import *  # noqa: F403
from .error_codes import CLASSES
from .local_failures import local_failure

if TYPE_CHECKING:
    from . import protocol

__all__ = ["error_from_wire"]
__all__ += error_base.__all__
__all__ += error_codes.__all__

for _name in (*error_base.__all__, *error_codes.__all__):
    # Here is where they are found, by people and by pickle.
    globals()[_name].__module__ = __name__


def error_from_wire(error: protocol.ErrorObject) -> ReelwireError:
    """Makes the exception of an error that the engine sent.

    Its ``__cause__`` is the exception of a compositor of this process that led to it.
    """
    data = error.get("data")
    cls = with_errno(CLASSES.get(error["code"], ReelwireError), errno_of(dict(data or {})))
    made = cls(error["message"], code=error["code"], data=data)
    if isinstance(made, error_codes.VideoCompositorFailedError):
        made.__cause__ = local_failure(error["message"])
    return made
