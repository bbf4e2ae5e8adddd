"""The output paths of jobs: paths with fields of the source's name, such as ``"small/{stem}.mp4"``."""

from __future__ import annotations

import hashlib
import os
from string import Formatter
from typing import Any
from urllib.parse import urlsplit

from ..blob import path_text
from ..media_bytes import scheme_of

__all__ = ["is_per_image", "output_path", "output_template"]

#: The fields of a source's path; ``index`` is that of an image.
_FIELDS = ("folder", "hash", "name", "parent", "stem", "suffix")


def output_template(
    output: str | os.PathLike[str], *, has_source: bool = True, has_index: bool = False
) -> str:
    """The absolute path of outputs, with its fields; a ``ValueError`` for any other value.

    A relative one begins at the current folder of the process that makes the job, for any worker.
    """
    text = path_text(output, "an output")
    known = (*(_FIELDS if has_source else ()), *(("index",) if has_index else ()))
    try:
        parts = list(Formatter().parse(text))
    except ValueError as error:
        raise ValueError(f"{text!r} is no output: {error}; {{{{ stands for a brace") from None
    for _, name, form, conversion in parts:
        if name is not None and (name not in known or conversion or (form and name != "index")):
            fields = ", ".join(f"{{{each}}}" for each in known) or "none"
            raise ValueError(f"{text!r} has {{{name}}}, and the fields of this output are {fields}")
    if not text or text.endswith("/"):
        raise ValueError(f"{text!r} names a folder: an output is a file, such as 'out/{{stem}}.mp4'")
    template = text if text.startswith("{folder}/") else os.path.abspath(text)
    if has_source and all(_filled(template, path) == path for path in ("/a/b.c", "/d/e/f.g")):
        raise ValueError(f"{text!r} is the source itself, which a job doesn't replace")
    return template


def is_per_image(template: str) -> bool:
    """True if each image has its own path."""
    return any(name == "index" for _, name, _, _ in Formatter().parse(template))


def output_path(template: str, source: str | None = None, index: int = 0) -> str:
    """The path of an output of a source, which is an absolute path or a URL."""
    return os.path.abspath(_filled(template, source, index))


def _filled(template: str, source: str | None, index: int = 0) -> str:
    fields: dict[str, Any] = {"index": index}
    if source is not None:
        is_url = scheme_of(source) is not None
        if is_url and template.startswith("{folder}/"):
            raise ValueError(f"{template!r} is no place for what is made of {source!r}")
        folder, name = os.path.split(urlsplit(source).path if is_url else source)
        stem, suffix = os.path.splitext(name)
        fields |= {
            "folder": folder,
            "hash": hashlib.sha256(os.fsencode(source)).hexdigest()[:12],
            "name": name,
            "parent": os.path.basename(folder),
            "stem": stem,
            "suffix": suffix,
        }
    return template.format(**fields)
