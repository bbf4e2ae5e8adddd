#!/usr/bin/env python3
"""Checks what the compiler doesn't: rooms, container names, wording.

- The folders of MediaEngine are rooms. The table in docs/overview.md has them in order, and a room uses
  those above it only. A use is a type's name, or the name of a member of an extension, that only one room
  declares.
- Names of containers are compared in the room of containers only: the rest asks a `ContainerFormat`.
- Names and prose are the field's: `.ci/coinages.txt` lists what isn't.

Prints each violation as file:line, and fails when there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Set, Tuple

ENGINE = Path("Sources/MediaEngine")
OVERVIEW = Path("docs/overview.md")

TYPE = re.compile(
    r"^(?P<head>(?:@[\w.]+(?:\([^)]*\))?\s+|public |package |internal |private |fileprivate |final "
    r"|indirect )*)(?:struct|class|enum|actor|protocol|typealias) (?P<name>\w+)",
    re.M,
)
NESTED = re.compile(r"^ +(?:[\w@]+ )*(?:struct|class|enum|actor|protocol|typealias) (?P<name>\w+)", re.M)
EXTENSION = re.compile(r"^(?:@\w+ )*(?:public |package |private |fileprivate )?extension ", re.M)
MEMBER = re.compile(
    r"^  (?!private |fileprivate )(?:(?:@\w+|public|package|static|mutating|nonisolated|final|"
    r"consuming|borrowing) )*(?:func|var|let) (?P<name>\w+)",
    re.M,
)
FUNCTION = re.compile(r"^(?:public |package |@\w+ )*(?:func|let|var) (?P<name>\w+)", re.M)


def blank(match: "re.Match[str]") -> str:
    """As many characters and lines of nothing."""
    return re.sub(r"[^\n]", " ", match.group(0))


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", blank, text)


def without_strings(text: str) -> str:
    text = re.sub(r'"""[\s\S]*?"""', blank, text)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', blank, text)


@dataclass(frozen=True)
class Violation:
    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


@dataclass
class Source:
    path: Path
    room: str
    code: str
    """Without comments and literals."""

    def line(self, offset: int) -> int:
        return self.code.count("\n", 0, offset) + 1


def rooms(root: Path) -> List[str]:
    """The rooms of the table in overview.md, lowest first."""
    found = re.findall(r"^\| `([A-Z]\w*(?:/\w+)?)` \|", section(root, "Rooms"), re.M)
    if not found:
        raise SystemExit(f"{OVERVIEW}: no table of rooms")
    return found


def section(root: Path, title: str) -> str:
    text = (root / OVERVIEW).read_text(encoding="utf-8")
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found.group(1) if found else ""


def sources(root: Path) -> List[Source]:
    result = []
    for path in sorted((root / ENGINE).rglob("*.swift")):
        code = without_strings(without_comments(path.read_text(encoding="utf-8")))
        room = str(path.parent.relative_to(root / ENGINE))
        result.append(Source(path.relative_to(root), room, code))
    return result


# Container names: what `Containers` declares, and where they are compared.

CONTAINERS = ENGINE / "Containers"

CONTAINER_NAME = re.compile(
    r"\b(?:name|demuxer|muxer|replacement):\s*\"(\w+)\"|DemuxerTraits\(\s*\"(\w+)\"")
CONTAINER_LIST = re.compile(r"\[((?:\s*\"\w+\",?)+\s*)\]\s*\.map \{")

# These are names of codecs, too: that one is compared as a container's shows only where it is compared with.
CODECS_TOO = {
    "aac", "ac3", "amr", "amrnb", "amrwb", "ape", "apng", "bmp", "dts", "eac3", "flac", "gif", "h264", "hevc",
    "mp3", "opus", "png", "tak", "tiff", "truehd", "tta", "webp",
}

# What a container or a file type is called, and comparing it with anything.
IDENTITY = (
    r"(?:\b(?:fileType|type|format|container|demuxer|muxer)\??\."
    r"(?:name|identifier|demuxer|muxer|writer|formatName)|\bformatName)\b")
COMPARISON = re.compile(
    rf"{IDENTITY}\s*(?:[!=]=|\.(?:hasPrefix|hasSuffix|starts|contains)\b)"
    rf"|(?:[!=]=|\bswitch|\.contains\(|\[)\s*(?:\w+\.)*{IDENTITY}\s*(?:[\])\{{&|?,]|$)"
    r"|\bfileType\s*[!=]=\s*\.\w",
    re.M)

# Where a literal that is a container's name means something else.
KEY_SPACES = {"matroska", "asf", "ape"}  # The wire's names, after the formats that they are of.
OTHER_MEANINGS = {
    "Metadata/CommonKeys.swift": KEY_SPACES,
    "Metadata/LibavTagNames.swift": KEY_SPACES,
    "Metadata/LibavTags.swift": KEY_SPACES,
    "Metadata/MetadataFilters.swift": KEY_SPACES,
    "Metadata/Languages.swift": {"dv", "ts"},  # Divehi and Tsonga, in ISO 639-1.
    "Export/MovieWriting/Artwork.swift": {"jpg"},  # Part of a MIME type.
    "Export/MovieWriting/MovieWriter.swift": {"jpg"},  # The extension of an attachment's name.
}


def container_names(root: Path) -> Set[str]:
    """The names of file types, demuxers and muxers that the room of containers declares."""
    names: Set[str] = set()
    for path in sorted((root / CONTAINERS).rglob("*.swift")):
        text = without_comments(path.read_text(encoding="utf-8"))
        for found in CONTAINER_NAME.finditer(text):
            names.add(found.group(1) or found.group(2))
        for found in CONTAINER_LIST.finditer(text):
            names.update(re.findall(r"\w+", found.group(1)))
    return names


def container_comparisons(root: Path) -> Iterator[Violation]:
    """Container names outside their room: facts of containers belong to `ContainerFormat`."""
    names = container_names(root) - CODECS_TOO
    for path in sorted((root / ENGINE).rglob("*.swift")):
        if (root / CONTAINERS) in path.parents:
            continue
        text = without_comments(path.read_text(encoding="utf-8"))
        others = OTHER_MEANINGS.get(str(path.relative_to(root / ENGINE)), set())
        found = {
            text.count("\n", 0, use.start()) + 1: f'"{use.group(1)}" is a container'
            for use in re.finditer(r'"(\w+)"', text) if use.group(1) in names - others}
        for use in COMPARISON.finditer(text):
            found.setdefault(text.count("\n", 0, use.start()) + 1, "a container's name is compared")
        for line, what in sorted(found.items()):
            yield Violation(
                path.relative_to(root), line,
                f"{what}: ask ContainerFormat or DemuxerTraits, which have a field for each fact")


def extension_members(code: str) -> Iterator[str]:
    """The members of extensions, by name."""
    for start in EXTENSION.finditer(code):
        if start.group(0).startswith(("private", "fileprivate")):
            continue
        end = code.find("\n}", start.end())
        for member in MEMBER.finditer(code, start.end(), end if end >= 0 else len(code)):
            yield member.group("name")


def declared(files: List[Source]) -> Tuple[Dict[str, Set[str]], Dict[str, Set[str]]]:
    """Types and free functions, and members of extensions, with the rooms that declare them."""
    types: Dict[str, Set[str]] = defaultdict(set)
    members: Dict[str, Set[str]] = defaultdict(set)
    for file in files:
        for found in TYPE.finditer(file.code):
            if "private" not in found.group("head"):
                types[found.group("name")].add(file.room)
        for found in FUNCTION.finditer(file.code):
            types[found.group("name")].add(file.room)
        for name in extension_members(file.code):
            members[name].add(file.room)
    return types, members


def own_members(files: List[Source]) -> Dict[str, Set[str]]:
    """Every name that is declared anywhere as a member or a parameter, with its rooms."""
    names: Dict[str, Set[str]] = defaultdict(set)
    for file in files:
        for found in re.finditer(r"\b(?:func|var|let|case) (\w+)", file.code):
            names[found.group(1)].add(file.room)
    return names


def upward_uses(root: Path) -> Iterator[Violation]:
    order = {room: level for level, room in enumerate(rooms(root))}
    files = sources(root)
    for file in files:
        if file.room not in order:
            yield Violation(file.path, 1, f"the room {file.room} isn't in {OVERVIEW}")
    files = [file for file in files if file.room in order]
    types, members = declared(files)
    anywhere = own_members(files)
    for file in files:
        level = order[file.room]
        # A nested type hides one of the same name elsewhere.
        nested = {found.group("name") for found in NESTED.finditer(file.code)}
        for use in re.finditer(r"(?<![.\w])([A-Za-z_]\w+)", file.code):
            homes = types.get(use.group(1), set())
            if use.group(1) in nested:
                continue
            # A local name hides a free function.
            if use.group(1)[0].islower() and len(anywhere[use.group(1)]) != 1:
                continue
            if len(homes) == 1 and order[min(homes)] > level:
                yield Violation(
                    file.path, file.line(use.start()),
                    f"{file.room} uses {use.group(1)} of {min(homes)}, which is above it")
        for use in re.finditer(r"(?<=\.)([a-z]\w+)", file.code):
            homes = members.get(use.group(1), set())
            if len(homes) == 1 and anywhere[use.group(1)] == homes and order[min(homes)] > level:
                yield Violation(
                    file.path, file.line(use.start()),
                    f"{file.room} uses .{use.group(1)} of {min(homes)}, which is above it")


def violations(root: Path) -> List[Violation]:
    return list(upward_uses(root)) + list(container_comparisons(root))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    found = violations(parser.parse_args().root)
    for violation in found:
        print(violation)
    if found:
        print(f"{len(found)} violations", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
