"""The errors of the Python client and of the Node client: a class for each code."""

from __future__ import annotations

import textwrap
from typing import Any, Dict, Iterator, List, Optional, Tuple

from model import GeneratorError

#: The code whose errors are of the base class: they have no better name.
NAMELESS = "unknown"

# The further bases of Python's classes: a builtin exception, so that `except FileExistsError` works,
# and where that is an OSError the errno of errors that carry none of their own.
PYTHON_BASES: Dict[str, Tuple[str, Optional[str]]] = {
    "methodNotFound": ("NotImplementedError", None),
    "invalidParams": ("ValueError", None),
    "internalError": ("RuntimeError", None),
    "outOfMemory": ("MemoryError", None),
    "diskFull": ("OSError", "ENOSPC"),
    "maximumFileSizeReached": ("OSError", "EFBIG"),
    "exportFailed": ("RuntimeError", None),
    "decodeFailed": ("ValueError", None),
    "invalidSourceMedia": ("ValueError", None),
    "fileAlreadyExists": ("FileExistsError", "EEXIST"),
    "fileFormatNotRecognized": ("ValueError", None),
    "fileFailedToParse": ("ValueError", None),
    "contentIsProtected": ("PermissionError", "EACCES"),
    "noImageAtTime": ("LookupError", None),
    "decoderNotFound": ("LookupError", None),
    "encoderNotFound": ("LookupError", None),
    "operationNotSupportedForAsset": ("ValueError", None),
    "referenceForbiddenByReferencePolicy": ("PermissionError", "EACCES"),
    "invalidOutputURLPathExtension": ("ValueError", None),
    "failedToLoadMediaData": ("OSError", "EIO"),
    "undecodableMediaData": ("ValueError", None),
    "unsupportedOutputSettings": ("ValueError", None),
    "operationNotAllowed": ("RuntimeError", None),
    "contentIsUnavailable": ("OSError", None),
    "formatUnsupported": ("ValueError", None),
    "noSourceTrack": ("LookupError", None),
    "operationNotSupportedForPreset": ("ValueError", None),
    "invalidSampleCursor": ("ValueError", None),
    "failedToLoadSampleData": ("OSError", "EIO"),
    "encodeFailed": ("RuntimeError", None),
    "sandboxExtensionDenied": ("PermissionError", "EACCES"),
    "unknownHandle": ("LookupError", None),
    "wrongHandleKind": ("TypeError", None),
    "valueNotLoaded": ("LookupError", None),
    "leasesExhausted": ("TimeoutError", "ETIMEDOUT"),
    "pathNotAllowed": ("PermissionError", "EACCES"),
}
# The `systemCode` of Node's errors, regardless of the one that the engine's libraries had.
NODE_SYSTEM_CODES: Dict[str, str] = {
    "outOfMemory": "ENOMEM",
    "diskFull": "ENOSPC",
    "fileAlreadyExists": "EEXIST",
    "contentIsProtected": "EACCES",
    "leasesExhausted": "ETIMEDOUT",
    "pathNotAllowed": "EACCES",
}

PYTHON_HEADER = '''"""A class for each error code of the protocol.

Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.
"""

from __future__ import annotations

import errno

from .error_base import ReelwireError
'''
NODE_HEADER = """\
// A class for each error code of the protocol.
//
// Generated from the Swift declarations by Sources/Generator/generate.py; do not edit.

import { ReelwireError } from './error-base.js';
"""


def class_name(name: str) -> str:
    """`diskFull` is `DiskFullError`, `internalError` is `InternalError`."""
    return name[:1].upper() + name[1:] + ("" if name.endswith("Error") else "Error")


class ClientErrors:
    """Turns the errors of an OpenRPC document into classes."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.errors: Dict[str, Dict[str, Any]] = document["components"]["errors"]
        for name in [NAMELESS, *PYTHON_BASES, *NODE_SYSTEM_CODES]:
            if name not in self.errors:
                raise GeneratorError(f"clienterrors.py names the error {name}, which doesn't exist")

    def _classes(self) -> Iterator[Tuple[str, str, Dict[str, Any]]]:
        for name, error in self.errors.items():
            if name != NAMELESS:
                yield name, class_name(name), error

    def python(self) -> str:
        """The text of the Python module."""
        exported = "".join(f'    "{cls}",\n' for _, cls, _ in sorted(self._classes()))
        parts = [f"{PYTHON_HEADER}\n__all__ = [\n{exported}]\n"]
        for name, cls, error in self._classes():
            builtin, number = PYTHON_BASES.get(name, (None, None))
            bases = f"ReelwireError, {builtin}" if builtin else "ReelwireError"
            text = [error["message"], "", *_details(name, error, "``", 92), '"""']
            lines = [f"class {cls}({bases}):", f'    """{text[0]}']
            lines += [f"    {line}".rstrip() for line in text[1:]]
            if number is not None:
                lines += ["", f"    _errno = errno.{number}"]
            parts.append("\n".join(lines) + "\n")
        table = "".join(f'    {error["code"]}: {cls},\n' for _, cls, error in self._classes())
        parts.append(
            "#: The classes by their codes; other codes are those of no class of their own.\n"
            f"CLASSES: dict[int, type[ReelwireError]] = {{\n{table}}}\n"
        )
        return "\n\n".join(parts)

    def node(self) -> str:
        """The text of the JavaScript module."""
        parts = [NODE_HEADER]
        for name, cls, error in self._classes():
            lines = [f"export class {cls} extends ReelwireError {{"]
            lines.append(f"  static wireCode = {error['code']};")
            if name in NODE_SYSTEM_CODES:
                lines.append(f"  static systemCode = '{NODE_SYSTEM_CODES[name]}';")
            parts.append("\n".join([*lines, "}"]) + "\n")
        return "\n".join(parts)

    def node_types(self) -> str:
        """The text of the declarations of that module."""
        parts = [NODE_HEADER]
        for name, cls, error in self._classes():
            lines = ["/**", f" * {error['message']}", " *"]
            lines += [f" * {line}" for line in _details(name, error, "`", 94)]
            lines += [" */", f"export class {cls} extends ReelwireError {{}}"]
            parts.append("\n".join(lines) + "\n")
        return "\n".join(parts)


def _details(name: str, error: Dict[str, Any], quote: str, width: int) -> List[str]:
    text = f"{quote}{name}{quote}, {error['code']}. {error['data']['hint']}"
    if "\\" in text or '"""' in text or "*/" in text:
        raise GeneratorError(f"the hint of {name} can't stand in a comment")
    return textwrap.wrap(text, width, break_on_hyphens=False)
