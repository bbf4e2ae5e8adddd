"""The table of intended differences, and the rule by which a comparison is held to it."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any, List, NamedTuple, Optional, Set, Tuple

from engine import ROOT, name

PAGE = ROOT / "docs" / "notes" / "assets-compared-with-ffprobe.md"
IMAGES_PAGE = ROOT / "docs" / "notes" / "images-compared-with-ffmpeg.md"
READER_PAGE = ROOT / "docs" / "notes" / "samples-compared-with-ffmpeg.md"

# A difference: the field, the engine's answer, and ffprobe's value.
Difference = Tuple[str, Any, Any]


class Row(NamedTuple):
    patterns: List[str]
    fields: List[str]
    reason: str

    def covers(self, path: Path) -> bool:
        return any(fnmatchcase(name(path), pattern) for pattern in self.patterns)


class Form(NamedTuple):
    """A value that the answers always write in another form than ffprobe."""

    field: str
    theirs: str
    ours: List[str]


def cells(line: str) -> List[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


FILES_HEADER = "| files | fields | reason |"
FIELDS_HEADER = "| field | ffprobe | answer | reason |"


@lru_cache(maxsize=None)
def major() -> int:
    """The number before the point of ffprobe's version."""
    listed = subprocess.run(["ffprobe", "-version"], capture_output=True, text=True, check=True)
    found = re.match(r"ffprobe version n?(\d+)", listed.stdout)
    return int(found[1]) if found else 0


def counts(reason: str) -> bool:
    """True if a row applies to this FFmpeg: its reason may begin with "Before FFmpeg 7:" or "Since FFmpeg 7:"."""
    named = re.match(r"(Before|Since) FFmpeg (\d+):", reason)
    return not named or (major() < int(named[2])) == (named[1] == "Before")


def tables(page: Path) -> Tuple[List[Row], List[Form]]:
    """A page's rows below those headers; other tables are left alone, and rows of other versions of FFmpeg.

    Names and values stand in backquotes.
    """
    rows: List[Row] = []
    forms: List[Form] = []
    header = ""
    for line in page.read_text().splitlines():
        if not line.startswith("|"):
            header = ""
            continue
        header = header or line
        if not line.startswith("| `") or header not in (FILES_HEADER, FIELDS_HEADER):
            continue
        *quoted, reason = cells(line)
        names = [re.findall(r"`([^`]+)`", cell) for cell in quoted]
        count = 2 if header == FILES_HEADER else 3
        assert all(names) and reason and len(names) == count, f"{page.name}: {line}"
        if not counts(reason):
            continue
        if header == FILES_HEADER:
            rows.append(Row(names[0], names[1], reason))
        else:
            forms += [Form(names[0][0], theirs, names[2]) for theirs in names[1]]
    assert rows, f"{page} lacks a table"
    return rows, forms


ROWS, FORMS = tables(PAGE)
IMAGE_ROWS, _ = tables(IMAGES_PAGE)
READER_ROWS, _ = tables(READER_PAGE)
assert FORMS, f"{PAGE} lacks a table"


def form(field: str, theirs: Any) -> Optional[Form]:
    """The form in which the answers write ffprobe's `theirs`, where they differ in general."""
    return next((f for f in FORMS if f.field == field and f.theirs == theirs), None)


def unlisted_and_gone(
    path: Path, found: List[Difference], prefix: str = "", rows: List[Row] = ROWS
) -> Tuple[List[Difference], List[str]]:
    """Differences that no row lists, and listed ones that this file no longer has.

    Of the rows, those count whose field begins with the prefix, or with none of `PREFIXES`.
    """
    listed: Set[str] = set()
    for row in rows:
        if row.covers(path):
            listed.update(field for field in row.fields if belongs(field, prefix))
    fields = {difference[0] for difference in found}
    unlisted = [difference for difference in found if difference[0] not in listed]
    return unlisted, sorted(listed - fields)


PREFIXES = ("sample ", "chapter")


def belongs(field: str, prefix: str) -> bool:
    if prefix:
        return field.startswith(prefix)
    return not field.startswith(PREFIXES)


def check(
    path: Path, found: List[Difference], prefix: str = "", rows: List[Row] = ROWS
) -> None:
    unlisted, gone = unlisted_and_gone(path, found, prefix, rows)
    told = [f"{field}: {ours!r}, the oracle says {theirs!r}" for field, ours, theirs in unlisted]
    told += [f"{field}: listed, but no longer different" for field in gone]
    assert not told, "\n".join([name(path), *told])
