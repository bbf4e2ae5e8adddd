"""The table of intended differences, and the rule by which a comparison is held to it."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Set, Tuple

from engine import ROOT, name

PAGE = ROOT / "docs" / "notes" / "assets-compared-with-ffprobe.md"

# What was compared: its field, the answer, and what ffprobe says.
Difference = Tuple[str, Any, Any]


class Row(NamedTuple):
    patterns: List[str]
    fields: List[str]
    reason: str

    def covers(self, path: Path) -> bool:
        return any(fnmatchcase(name(path), pattern) for pattern in self.patterns)


def table() -> List[Row]:
    """The rows below `| files | fields | reason |`; names stand in backquotes."""
    rows: List[Row] = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("| `") or len(cells) != 3:
            continue
        patterns, fields = (re.findall(r"`([^`]+)`", cell) for cell in cells[:2])
        assert patterns and fields and cells[2], f"{PAGE.name}: {line}"
        rows.append(Row(patterns, fields, cells[2]))
    assert rows, f"{PAGE} has no table"
    return rows


ROWS = table()


def unlisted_and_gone(
    path: Path, found: List[Difference], prefix: str = ""
) -> Tuple[List[Difference], List[str]]:
    """Differences that no row lists, and listed ones that this file no longer has.

    Of the rows, those count whose field begins with the prefix, or with none of `PREFIXES`.
    """
    listed: Set[str] = set()
    for row in ROWS:
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


def check(path: Path, found: List[Difference], prefix: str = "") -> None:
    unlisted, gone = unlisted_and_gone(path, found, prefix)
    told = [f"{field}: {ours!r}, ffprobe says {theirs!r}" for field, ours, theirs in unlisted]
    told += [f"{field}: listed, but no longer different" for field in gone]
    assert not told, "\n".join([name(path), *told])
