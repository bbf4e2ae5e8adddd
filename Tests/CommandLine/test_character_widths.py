"""The columns of characters in a terminal, compared with those of PyPI's `wcwidth`."""

from __future__ import annotations

import re
import unicodedata
from typing import Dict, List

import pytest

from conftest import Program, ffmpeg

wcwidth = pytest.importorskip("wcwidth", "0.8", reason="wcwidth 0.8 isn't installed")

# Characters of several scalars: marks, joined emoji, flags, key caps, syllables, conjuncts, halfwidth kana.
CLUSTERS = (
    "é e\u0301 א\u05b7 👨‍👩‍👧‍👦 🇩🇪 1️⃣ ☺️ ☺ 👍🏽 ❤️‍🔥 🏳️‍🌈 🧑🏽‍💻 ㊗️ "
    "한 \u1112\u1161\u11ab は\u3099 ｶﾞ น้ำ คำ ກຳ क्ष क्षि क्\u200dष का கி දි ക്ഷ দ্ব མི \u06001 "
    "हिन्दी தமிழ் සිංහල മലയാളം বাংলা తెలుగు ภาษาไทย မြန်မာ"
).split()  # fmt: skip

# Longer than any character here, and than the column of names may be.
LONG = "x" * 24


def is_compared(character: str) -> bool:
    """Not of the characters that are replaced, are assigned later, or are spacing marks without a letter.

    For a spacing mark without a letter, terminals draw a circle and have a column.
    """
    return unicodedata.category(character) not in ("Cc", "Cn", "Co", "Cs", "Mc", "Zl", "Zp") and not (
        character in "\u200e\u200f" or "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069"
    )


def samples() -> List[str]:
    """The first and the last of each run of neighbours whose width, kind and block are the same."""
    runs: List[List[str]] = []
    last = None
    for character in filter(is_compared, map(chr, range(0xA1, 0x110000))):
        kind = (wcwidth.wcwidth(character), unicodedata.category(character), ord(character) >> 8)
        if kind == last:
            runs[-1][1] = character
        else:
            runs.append([character, character])
        last = kind
    return sorted({character for run in runs for character in run})


def test_columns_are_those_of_wcwidth(program: Program) -> None:
    """Each is the name of a tag, so that the list of tags has spaces in the rest of its column."""
    names = [*samples(), *CLUSTERS]
    assert len(names) > 4500
    tags = [f"{LONG}=", *(f"{name}={number}" for number, name in enumerate(names))]
    (program.folder / "tags.txt").write_text("\n".join([";FFMETADATA1", *tags, ""]), "utf-8")
    ffmpeg(
        ["-f", "lavfi", "-i", "sine=duration=0.1", "-i", program.folder / "tags.txt"]
        + ["-map_metadata", "1", "-movflags", "use_metadata_tags", program.folder / "tags.mp4"]
    )
    columns: Dict[str, int] = {}
    for line in program.ok("tags", "tags.mp4").split("\n"):
        found = re.fullmatch(r"(.+?)  ([0-9]+)", line)
        if found and int(found[2]) < len(names) and line.startswith(names[int(found[2])]):
            name = names[int(found[2])]
            columns[name] = len(LONG) - (len(found[1]) - len(name))
    assert set(names) - set(columns) <= {"\ufeff"}
    assert columns == {name: wcwidth.wcswidth(name) for name in columns}
