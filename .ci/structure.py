#!/usr/bin/env python3
"""Checks rules that the compiler doesn't: rooms, container names, threads, terms.

- The folders of MediaEngine are rooms. The table in docs/overview.md has them in order, and a room uses
  those above it only. A use is a type's name, or the name of a member of an extension, that only one room
  declares.
- Names of containers are compared in the room of containers only: the rest asks a `ContainerFormat`.
- Threads, queues, waits with a time limit and types whose use from several threads the compiler doesn't
  check are those that docs/concurrency.md lists, and it lists none that isn't there.
- Tests use no real clock but by the helper files that docs/testing.md lists, and tests that pause are
  listed there, too.
- Names and prose use the field's terms: .ci/coinages.txt lists the terms to avoid, and those to use instead.
- Prose and literals name things by nouns: .ci/coinages.txt has a budget of clauses for each folder.
- A doc comment describes parameters that its declaration has.
- A file of Sources has 500 lines at most, unless it is generated.

Prints each violation as file:line, and fails when there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import lru_cache
from pathlib import Path
from typing import Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple

ENGINE = Path("Sources/MediaEngine")
OVERVIEW = Path("docs/overview.md")
CONCURRENCY = Path("docs/concurrency.md")
TESTING = Path("docs/testing.md")
COINAGES = Path(__file__).with_name("coinages.txt")

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


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


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
        return line_of(self.code, offset)


def rooms(root: Path) -> List[str]:
    """The rooms of the table in overview.md, lowest first."""
    found = re.findall(r"^\| `([A-Z]\w*(?:/\w+)*)` \|", section(root / OVERVIEW, "Rooms"), re.M)
    if not found:
        raise SystemExit(f"{OVERVIEW}: no table of rooms")
    return found


def section(document: Path, title: str) -> str:
    text = document.read_text(encoding="utf-8")
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found.group(1) if found else ""


def sources(root: Path) -> List[Source]:
    result = []
    for path in sorted((root / ENGINE).rglob("*.swift")):
        code = without_strings(without_comments(path.read_text(encoding="utf-8")))
        room = str(path.parent.relative_to(root / ENGINE))
        result.append(Source(path.relative_to(root), room, code))
    return result


# Container names: those that `Containers` declares, and the place where they are compared.

CONTAINERS = ENGINE / "Formats/Containers"

CONTAINER_NAME = re.compile(
    r"\b(?:name|demuxer|muxer|replacement):\s*\"(\w+)\"|DemuxerTraits\(\s*\"(\w+)\"")
CONTAINER_LIST = re.compile(r"\[((?:\s*\"\w+\",?)+\s*)\]\s*\.map \{")

# These are names of codecs, too: that one is compared as a container's shows only where it is compared with.
CODECS_TOO = {
    "aac", "ac3", "amr", "amrnb", "amrwb", "ape", "apng", "bmp", "dts", "eac3", "flac", "gif", "h264", "hevc",
    "mp3", "opus", "png", "tak", "tiff", "truehd", "tta", "webp", "webvtt", "ass",
}

# The name of a container or a file type, and a comparison with it.
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
    "Formats/Metadata/CommonKeys.swift": KEY_SPACES,
    "Formats/Metadata/LibavTagNames.swift": KEY_SPACES,
    "Formats/Metadata/LibavTags.swift": KEY_SPACES,
    "Formats/Metadata/MetadataFilters.swift": KEY_SPACES,
    "Formats/Metadata/Languages.swift": {"dv", "ts"},  # Divehi and Tsonga, in ISO 639-1.
    "Writing/MovieWriting/Artwork.swift": {"jpg"},  # Part of a MIME type.
    "Writing/MovieWriting/MovieWriter.swift": {"jpg"},  # The extension of an attachment's name.
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


# The calls that make a thread or a queue. The first group is the label, where there is one.
LABELS = (
    (re.compile(r'\bDispatchQueue\(\s*label: "([^"]*)"'), "{}"),
    (re.compile(r'\bWorkQueue\("([^"]*)"'), "reelwire.{}"),
)
UNLABELLED = re.compile(
    r"\b(DispatchQueue\.\w+|BlockingThread\.start|pthread_create|Thread\.detachNewThread|Thread)\b"
    r"(?=[({.]|\s*\{)")
TIMED_WAIT = re.compile(r"\b(wait\(timeout:|asyncAfter|Task\.sleep|usleep|nanosleep|sleep)(?=[ (])")
UNCHECKED = re.compile(r"\b(?:class|struct|enum|extension) (\w+)[^{\n]*@unchecked Sendable")


def swift_files(root: Path) -> Iterator[Tuple[Path, str]]:
    """Every source, without comments but with its literals."""
    for path in sorted((root / "Sources").rglob("*.swift")):
        if "Generated" not in path.parts:
            yield path.relative_to(root), without_comments(path.read_text(encoding="utf-8"))


def listed(root: Path, title: str) -> Dict[Tuple[str, str], int]:
    """The rows of a table of concurrency.md: the entry, its file, and the row's line."""
    text = (root / CONCURRENCY).read_text(encoding="utf-8")
    table = section(root / CONCURRENCY, title)
    start = text.count("\n", 0, text.find(table)) + 1
    rows: Dict[Tuple[str, str], int] = {}
    for number, line in enumerate(table.splitlines()):
        cells = [cell.strip() for cell in line.split("|")[1:3]]
        if len(cells) == 2:
            for name in re.findall(r"`([^`]+)`", cells[0]):
                for file in re.findall(r"`([^`]+\.swift)`", cells[1]):
                    rows[name, file] = start + number
    return rows


def compared(
    root: Path, title: str, found: List[Tuple[str, Path, int]]
) -> Iterator[Violation]:
    """Places that are found and not listed below a title of concurrency.md, and places that are listed and
    not found."""
    rows = listed(root, title)
    if not rows:
        yield Violation(CONCURRENCY, 1, f"no table below '{title}'")
    for name, path, line in found:
        if not any(name == known and path.match(file) for known, file in rows):
            yield Violation(path, line, f"{name} isn't listed in {CONCURRENCY}, '{title}'")
    for (name, file), line in rows.items():
        if not any(name == known and path.match(file) for known, path, _ in found):
            yield Violation(CONCURRENCY, line, f"{file} has no {name}")


def unlisted_threads(root: Path) -> Iterator[Violation]:
    found = []
    for path, code in swift_files(root):
        # The files that implement them don't count as uses.
        if path.name in ("WorkQueue.swift", "BlockingThread.swift"):
            continue
        for pattern, label in LABELS:
            for use in pattern.finditer(code):
                found.append((label.format(use.group(1)), path, line_of(code, use.start())))
        for use in UNLABELLED.finditer(code):
            found.append((use.group(1), path, line_of(code, use.start())))
    yield from compared(root, "Threads", found)


def unlisted_timed_waits(root: Path) -> Iterator[Violation]:
    found = [
        (use.group(1).replace("timeout:", "timeout:)"), path, line_of(code, use.start()))
        for path, code in swift_files(root) for use in TIMED_WAIT.finditer(code)]
    yield from compared(root, "Waits with a time limit", found)


def unlisted_unchecked(root: Path) -> Iterator[Violation]:
    found = []
    for path, code in swift_files(root):
        for use in UNCHECKED.finditer(code):
            found.append((use.group(1), path, line_of(code, use.start())))
        for use in re.finditer(r"nonisolated\(unsafe\)", code):
            yield Violation(path, line_of(code, use.start()), "nonisolated(unsafe) isn't used here")
    yield from compared(root, "What the compiler doesn't check", found)


TESTS = ("Tests", "clients/python/tests", "clients/node/test", "clients/vscode/test")
CLOCK = re.compile(
    r"\b(?:sleep(?!\(0\))|usleep|monotonic|perf_counter|timeLimit|ContinuousClock|SuspendingClock)\b"
    r"|\btime\.time\(|\b(?:Date|Date\.now|performance\.now)\(\)|\bsetTimeout\(")
PAUSE = re.compile(r"(?<!\.)\b(pause|pauseThread)\(")
# The tests of these rules break them.
CLOCKLESS = ("Tests/Structure",)


def test_files(root: Path) -> Iterator[Tuple[Path, str]]:
    """Every file of tests, without comments, documentation and literals."""
    for name in TESTS:
        for path in sorted((root / name).rglob("*")):
            place = path.relative_to(root)
            known = path.suffix in (".swift", ".py", ".js", ".cjs") and path.is_file()
            skipped = {"node_modules", "__pycache__"} & set(place.parts)
            if not known or skipped or place.as_posix().startswith(CLOCKLESS):
                continue
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".swift":
                yield place, without_strings(without_comments(text))
            else:
                _, code = prose_and_code(path, text)
                yield place, code


def clocks(root: Path) -> Iterator[Violation]:
    text = section(root / TESTING, "No real clock")
    helpers, pausing = (
        {Path(name) for name in re.findall(r"^\| `([^`]+)` \|", part.partition("\n### ")[0], re.M)}
        for part in text.split("### Helper files")[1].split("### Files that pause")[:2])
    found: Set[Path] = set()
    for path, code in test_files(root):
        if path in helpers:
            continue
        for use in CLOCK.finditer(code):
            yield Violation(
                path, line_of(code, use.start()),
                f"{use.group(0)} in a test: wait for a signal, or by a helper of {TESTING}")
        for use in PAUSE.finditer(code):
            found.add(path)
            if path not in pausing:
                yield Violation(
                    path, line_of(code, use.start()), f"it pauses, and isn't listed in {TESTING}")
    for path in sorted(pausing - found if (root / "Tests").is_dir() else []):
        yield Violation(TESTING, 1, f"{path} doesn't pause")


# The places of names and prose. Generated files follow their source; the pages of the reference do, too.
TERMS_IN = ("Sources", "clients", "docs", "README.md", "protocol.md")
TERMS_NOT_IN = re.compile(
    r"/(Generated|node_modules|dist|tests?|__pycache__|\.\w+_cache)/|-tests\.el$"
    r"|/(protocol|calls|error[-_]codes)\.(py|js|d\.ts)$"
    r"|^docs/openrpc\.json$")
# The parts of a document that are no prose: generated text, code, addresses of links.
MARKUP = [
    re.compile(r"<!-- generated: begin -->[\s\S]*?<!-- generated: end -->"),
    re.compile(r"```[\s\S]*?```"), re.compile(r"`[^`\n]*`"), re.compile(r"\]\([^)\n]*\)"),
]
PYTHON_DOC = re.compile(r'"""[\s\S]*?"""')
HASH_COMMENT = re.compile(r"(?<![\w'\"])#[^\n]*")
SLASH_COMMENT = re.compile(r"(?<!:)//[^\n]*|/\*[\s\S]*?\*/")
LISP_COMMENT = re.compile(r";[^\n]*")
LUA_COMMENT = re.compile(r"--[^\n]*")
COMMENTS = {
    ".swift": [SLASH_COMMENT], ".h": [SLASH_COMMENT], ".c": [SLASH_COMMENT],
    ".js": [SLASH_COMMENT], ".cjs": [SLASH_COMMENT], ".ts": [SLASH_COMMENT], ".py": [PYTHON_DOC, HASH_COMMENT],
    ".mjs": [SLASH_COMMENT], ".mts": [SLASH_COMMENT], ".cts": [SLASH_COMMENT],
    ".el": [LISP_COMMENT], ".lua": [LUA_COMMENT], ".sh": [HASH_COMMENT],
}


@dataclass
class Terms:
    names: Dict[str, str]
    prose: List[Tuple["re.Pattern[str]", str]]
    budgets: Dict[str, float]
    """The maximum number of 'what' in 1,000 words of a folder's comments and documents, or of a document."""
    literal_budgets: Dict[str, float]
    """The same in the literals of a folder's Swift."""
    exceptions: List[Tuple[str, str, "re.Pattern[str]"]]
    """The part of the list, the files, and the text that is allowed there."""

    def allows(self, part: str, path: Path, text: str) -> bool:
        return any(
            known == part and fnmatch(path.as_posix(), where) and allowed.fullmatch(text)
            for known, where, allowed in self.exceptions)


def terms() -> Terms:
    result = Terms({}, [], {}, {}, [])
    part = ""
    for line in COINAGES.read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("["):
            part = line
        elif line and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split("=>")]
            if part == "[names]":
                result.names[cells[0]] = cells[1]
            elif part == "[prose]":
                result.prose.append((re.compile(cells[0], re.I), cells[1]))
            elif part == "[budgets]":
                result.budgets[cells[0]] = float(cells[1])
            elif part == "[budgets of literals]":
                result.literal_budgets[cells[0]] = float(cells[1])
            else:
                kind = part.strip("[]").replace("exceptions in ", "")
                result.exceptions.append((kind, cells[0], re.compile(cells[1], re.I)))
    return result


def term_files(root: Path) -> Iterator[Path]:
    for name in TERMS_IN:
        start = root / name
        for path in sorted(start.rglob("*")) if start.is_dir() else [start]:
            known = path.is_file() and (path.suffix in COMMENTS or path.suffix == ".md")
            if known and not TERMS_NOT_IN.search(path.relative_to(root).as_posix()):
                yield path


def prose_and_code(path: Path, text: str) -> Tuple[str, str]:
    """The text with all code blanked, and with all prose and literals blanked."""
    return separated(path.suffix, text)


@lru_cache(maxsize=None)
def separated(suffix: str, text: str) -> Tuple[str, str]:
    """Several rules read the same files, so that the results are kept."""
    if suffix == ".md":
        for pattern in MARKUP:
            text = pattern.sub(blank, text)
        return text, ""
    prose, code = "", text
    for pattern in COMMENTS[suffix]:
        found = list(pattern.finditer(code))
        pieces, end = [], 0
        for comment in found:
            pieces.append(re.sub(r"[^\n]", " ", code[end:comment.start()]) + comment.group(0))
            end = comment.end()
        part = "".join(pieces) + re.sub(r"[^\n]", " ", code[end:])
        prose = part if not prose else "".join(
            one if other == " " else other for one, other in zip(prose, part))
        code = pattern.sub(blank, code)
    code = without_strings(code)
    if suffix != ".swift":
        code = re.sub(r"'(?:\\.|[^'\\\n])*'", blank, code)
    if suffix == ".js":
        code = re.sub(r"`(?:\\.|[^`\\])*`", blank, code)
    return re.sub(r"`[^`\n]*`", blank, prose), code


def coinages(root: Path) -> Iterator[Violation]:
    avoided = terms()
    any_name = re.compile("|".join(avoided.names), re.I)
    for path in term_files(root):
        place = path.relative_to(root)
        prose, code = prose_and_code(path, path.read_text(encoding="utf-8"))
        for pattern, term in avoided.prose:
            for use in pattern.finditer(prose):
                if not avoided.allows("prose", place, use.group(0)):
                    yield Violation(
                        place, line_of(prose, use.start()), f"'{use.group(0)}' in prose: {term}")
        if not any_name.search(code):
            continue
        for name in re.finditer(r"[A-Za-z_]\w*", code):
            if not any_name.search(name.group(0)):
                continue
            for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name.group(0)):
                term = avoided.names.get(part.lower(), "")
                if term and not avoided.allows("names", place, name.group(0)):
                    yield Violation(
                        place, line_of(code, name.start()),
                        f"'{part}' in the name {name.group(0)}: {term}")


QUESTION = re.compile(r"^[ \t]*/// (What|Whether|Whoever|Whatever|Which|Who|Where|When|Why|How)\b", re.M)
# Files that others write, or that are copies.
UNWRITTEN = {"node_modules", "dist", "__pycache__", "Generated"}
GENERATED_MARK = "Sources/Generator/generate.py; do not edit"
# A comment, or a literal with its text in the group `text`. An interpolation may have literals and two levels of
# parentheses in it.
INTERPOLATION = (
    r'\\#*\((?:[^()"\n]|"(?:\\.|[^"\\\n])*"|\((?:[^()"\n]|"(?:\\.|[^"\\\n])*"|\([^()]*\))*\))*\)')
SWIFT_TOKEN = re.compile(
    r'//[^\n]*|/\*[\s\S]*?\*/'
    r'|(?P<many>#*)"""(?P<lines>[\s\S]*?)"""(?P=many)'
    rf'|(?P<one>#*)"(?P<text>(?:{INTERPOLATION}|\\.|[^"\\\n])*)"(?P=one)')


def written_files(root: Path, names: Iterable[str]) -> Iterator[Tuple[Path, str]]:
    """The files with comments or prose that are written by hand, tests too."""
    for name in names:
        start = root / name
        for path in sorted(start.rglob("*")) if start.is_dir() else [start]:
            place = path.relative_to(root)
            skipped = any(part in UNWRITTEN or part.endswith("_cache") for part in place.parts)
            if skipped or path.suffix not in (*COMMENTS, ".md", "") or not path.is_file():
                continue
            text = path.read_bytes().decode("utf-8", errors="replace")
            if GENERATED_MARK in text[:300] or (path.suffix == "" and not text.startswith("#!")):
                continue
            yield place, text


def prose_of(path: Path, text: str) -> str:
    """The text with all code blanked; a script without an extension is one of a shell or of Python."""
    if path.suffix == "":
        kind = ".py" if "python" in text.partition("\n")[0] else ".sh"
        return separated(kind, text)[0]
    return separated(path.suffix, text)[0]


def literals(text: str) -> Iterator[Tuple[int, str]]:
    """The literals of Swift that are prose, with their offsets; interpolations are left out."""
    for token in SWIFT_TOKEN.finditer(text):
        content = token["lines"] or token["text"] or ""
        if " " in content.strip():
            yield token.start(), re.sub(INTERPOLATION, " ", content)


@dataclass
class Clauses:
    """The clauses that stand in place of nouns, in the files of a budget."""

    words: int = 0
    places: List[Tuple[Path, int]] = field(default_factory=list)

    def count(self, path: Path, line: int, prose: str) -> None:
        """Counts the prose of a file that begins in a line."""
        for word in re.finditer(r"[A-Za-z']+", prose):
            self.words += 1
            if word.group(0).lower() == "what":
                self.places.append((path, line + prose.count("\n", 0, word.start())))

    def violations(self, name: str, limit: float, kind: str) -> Iterator[Violation]:
        if len(self.places) > limit * self.words / 1000:
            path, line = self.places[-1]
            yield Violation(
                path, line,
                f"'what' stands {1000 * len(self.places) / self.words:.1f} times in 1,000 words of the {kind} of "
                f"{name}, and may {limit:g} times: state the noun")


def budgets(root: Path) -> Iterator[Violation]:
    """Comments, documents and literals that have a clause in place of a noun, beyond the budgets of folders."""
    known = terms()
    comments = {name: Clauses() for name in known.budgets}
    strings = {name: Clauses() for name in known.literal_budgets}
    for name, clauses in comments.items():
        for path, text in written_files(root, [name] if (root / name).exists() else []):
            prose = prose_of(path, text)
            clauses.count(path, 1, prose)
            for question in QUESTION.finditer(prose):
                before = prose[:question.start()].rpartition("\n")[0].rpartition("\n")[2]
                if not before.lstrip().startswith("///"):
                    yield Violation(
                        path, line_of(prose, question.start()),
                        f"a doc comment begins with '{question[1]}': begin with the noun or the verb")
            if name in strings and path.suffix == ".swift":
                for offset, literal in literals(text):
                    strings[name].count(path, line_of(text, offset), literal)
    for name, clauses in comments.items():
        yield from clauses.violations(name, known.budgets[name], "comments")
    for name, clauses in strings.items():
        yield from clauses.violations(name, known.literal_budgets[name], "literals")


DOC_COMMENT = re.compile(r"(?:^[ \t]*///[^\n]*\n)+", re.M)
DOC_PARAMETER = re.compile(r"^[ \t]*///[ \t]*- Parameter `?(?P<name>\w+)`?:", re.M)
DOC_PARAMETERS = re.compile(
    r"^[ \t]*///(?P<indent>[ \t]*)- Parameters:[^\n]*\n(?P<list>(?:[ \t]*///(?P=indent)[ \t][^\n]*\n)*)", re.M)
DOC_ITEM = re.compile(r"^[ \t]*///(?P<indent>[ \t]+)- `?(?P<name>\w+)`?:", re.M)
# A declaration that has parameters, after its attributes and modifiers.
WITH_PARAMETERS = re.compile(
    r"(?:\s+|//[^\n]*\n|@\w+(?:\((?:[^()]|\([^()]*\))*\))?|(?:public|package|internal|private|fileprivate|open|"
    r"static|class|final|mutating|nonmutating|consuming|borrowing|nonisolated|isolated|override|required|convenience|"
    r"indirect|unsafe|prefix|postfix|infix|dynamic)\b(?:\(\w+\))?)*"
    r"(?P<kind>func|init|subscript|macro|case)\b(?P<name>\s*(?:`\w+`|\w+|[^\s\w(<`]+|<+(?=\s))?[?!]?\s*)")
CLOSING = {"(": ")", "<": ">"}


def enclosed(text: str, start: int) -> str:
    """The text between a parenthesis, or an angle bracket, and the closing one; empty if there is none."""
    opening, depth = text[start:start + 1], 0
    if opening not in CLOSING:
        return ""
    for offset in range(start, len(text)):
        if text[offset] == opening:
            depth += 1
        elif text[offset] == CLOSING[opening]:
            depth -= 1
            if depth == 0:
                return text[start + 1:offset]
    return ""


def elements(text: str) -> Iterator[str]:
    """The parts of a list that are separated by commas, those in brackets left whole."""
    depth = start = 0
    for offset, character in enumerate(text):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            yield text[start:offset]
            start = offset + 1
    yield text[start:]


def parameters(code: str, found: "re.Match[str]") -> Optional[Set[str]]:
    """The labels and names of the parameters of a declaration, with those of its generic parameters; nil for a case
    whose associated values have no names."""
    names: Set[str] = set()
    # An arrow closes no bracket.
    rest = code[found.end():found.end() + 4000].replace("->", "  ")
    generic = enclosed(rest, 0) if rest.startswith("<") else ""
    for element in elements(generic):
        names.update(re.findall(r"^\s*(?:each\s+|let\s+)?(\w+)", element))
    values = rest[len(generic) + 2 if generic else 0:].lstrip()
    for element in elements(enclosed(values, 0) if values.startswith("(") else ""):
        label, colon, _ = re.sub(r"@\w+(?:\([^)]*\))?", "", element).partition(":")
        if found["kind"] == "case" and element.strip() and not colon:
            return None
        names.update(re.findall(r"\w+", label))
    return names


def missing_parameters(root: Path) -> Iterator[Violation]:
    """Doc comments that describe parameters which their declarations lack."""
    for start in ("Sources", "Tests"):
        for path in sorted((root / start).rglob("*.swift")):
            text = path.read_text(encoding="utf-8")
            if "- Parameter" not in text:
                continue
            code = without_comments(without_strings(text))
            for comment in DOC_COMMENT.finditer(text):
                if "- Parameter" not in comment.group(0):
                    continue
                described = {one["name"]: one.start() for one in DOC_PARAMETER.finditer(comment.group(0))}
                for block in DOC_PARAMETERS.finditer(comment.group(0)):
                    items = list(DOC_ITEM.finditer(block["list"]))
                    described.update({
                        item["name"]: block.start("list") + item.start() for item in items
                        if item["indent"] == items[0]["indent"]})
                declaration = WITH_PARAMETERS.match(code, comment.end())
                names = parameters(code, declaration) if declaration else None
                for name, offset in described.items() if names is not None else ():
                    if name not in (names or ()):
                        yield Violation(
                            path.relative_to(root), line_of(text, comment.start() + offset),
                            f"the declaration has no parameter '{name}'")


# Where the versions of the program and of the protocol stand once more, for tools and clients that read them there. The
# first group is the version.
VERSIONS = {
    ("Sources/EngineServer/Engine.swift", r'static let version = "([^"]+)"'): {
        "clients/python/pyproject.toml": r'^version = "([^"]+)"',
        "clients/python/src/reelwire/version.py": r'^VERSION = "([^"]+)"',
        "clients/node/package.json": r'^  "version": "([^"]+)"',
        "clients/node/src/version.js": r"^export const VERSION = '([^']+)'",
        "clients/vscode/package.json": r'^  "version": "([^"]+)"',
        "clients/emacs/reelwire.el": r"^;; Version: (\S+)",
        "CITATION.cff": r"^version: (\S+)",
    },
    ("Sources/EngineProtocol/Engine.swift", r'static let current = "([^"]+)"'): {
        "clients/python/src/reelwire/version.py": r'^PROTOCOL_VERSION = "([^"]+)"',
        "clients/node/src/version.js": r"^export const PROTOCOL_VERSION = '([^']+)'",
        "protocol.md": r"^This is version (\d+\.\d+) of the protocol",
    },
}


def versions(root: Path) -> Iterator[Violation]:
    """Each of them is the engine's."""
    for (place, own), others in VERSIONS.items():
        # The compiler misses it; trees of tests are without it.
        if not (root / place).is_file():
            continue
        found = re.search(own, (root / place).read_text())
        if found is None:
            yield Violation(Path(place), 1, "it has no version")
            continue
        for name, pattern in others.items():
            text = (root / name).read_text()
            other = re.search(pattern, text, re.MULTILINE)
            if other is None or other[1] != found[1]:
                line = line_of(text, other.start()) if other else 1
                yield Violation(Path(name), line, f"its version isn't {found[1]}, as in {place}")


# Long files.

MAXIMUM_LINES = 500
GENERATED = re.compile(r"^// Generated by ", re.M)


def long_files(root: Path) -> Iterator[Violation]:
    """A file that is longer has two subjects: it is divided between them."""
    for path in sorted((root / "Sources").rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        count = len(text.splitlines())
        if count > MAXIMUM_LINES and not GENERATED.search(text[:200]):
            yield Violation(
                path.relative_to(root), MAXIMUM_LINES + 1,
                f"the file has {count} lines, and {MAXIMUM_LINES} is the maximum: divide it")


# The rules, each a function of the root of a checkout that returns the violations in it.
RULES: List[Callable[[Path], Iterator[Violation]]] = [
    upward_uses,
    container_comparisons,
    unlisted_threads,
    unlisted_timed_waits,
    unlisted_unchecked,
    clocks,
    coinages,
    budgets,
    missing_parameters,
    long_files,
    versions,
]


def violations(root: Path) -> List[Violation]:
    return [violation for rule in RULES for violation in rule(root)]


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
