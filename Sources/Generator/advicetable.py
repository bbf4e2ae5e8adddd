"""The table of advice: the next steps that errors suggest, by name, with a phrasing for each face.

The files of `advice/` are one table. Each begins with its `origin`: `engine` for advice that MediaEngine and
MediaLibrary give, `protocol` for that of the server and of error codes, `jsonrpc` for that of messages. An entry is
an advice by its name on the wire:

    arguments = { part = "integer" }    their names and types, in their order: text, integer, names or time
    doc = "…"                           the comment of its case in Swift; else that is its phrasing
    server = true                       of the engine's, one that the server or the supervisor gives, too
    codes = ["diskFull"]                the error codes whose advice it is where an error has none of its own
    all = "Export part {part} again."   the phrasing in every face that has none of its own
    swift, wire, shell, python, node    the phrasing in one face, in the vocabulary of its callers
    mcp = "…"                           the phrasing to a model in the terms of the tools, where they differ from the
                                        wire's; it may leave out arguments

A phrasing has each argument as `{name}`. `{name|or}` writes a list as 'a' or 'b'.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List

from model import GeneratorError

FOLDER = Path(__file__).with_name("advice")
ORIGINS = ("engine", "protocol", "jsonrpc")
#: Swift is a face of MediaEngine's advice only: its callers see no other.
FACES = ("swift", "wire", "shell", "python", "node")
TYPES = ("text", "integer", "names", "time")
PLACEHOLDER = re.compile(r"\{([a-z]\w*)(\|or)?\}")
KEYS = {"arguments", "doc", "server", "codes", "all", "mcp", *FACES}


@dataclass(frozen=True)
class Advice:
    """An entry of the table."""

    name: str
    origin: str
    #: The phrasing by the face.
    phrasings: Dict[str, str]
    #: The type by the argument.
    arguments: Dict[str, str] = field(default_factory=dict)
    codes: List[str] = field(default_factory=list)
    doc: str = ""
    #: True if errors that aren't the engine's have it.
    is_of_protocol: bool = False

    @property
    def faces(self) -> List[str]:
        return [face for face in FACES if face != "swift" or self.origin == "engine"]


class AdviceTable:
    """All entries, by their names."""

    def __init__(self, entries: Iterable[Advice]) -> None:
        self.entries: Dict[str, Advice] = {}
        self.codes: Dict[str, str] = {}
        for advice in entries:
            if advice.name in self.entries:
                raise GeneratorError(f"the advice {advice.name} is there twice")
            self.entries[advice.name] = advice
            for code in advice.codes:
                if code in self.codes:
                    raise GeneratorError(f"the code {code} has two advices")
                self.codes[code] = advice.name

    def __iter__(self) -> Iterator[Advice]:
        return iter(self.entries.values())

    def of(self, *origins: str) -> List[Advice]:
        return [advice for advice in self if advice.origin in origins]

    def add(self, to: Dict[str, Any]) -> None:
        """Adds the table to the OpenRPC document, with the wire's phrasing, and its name to each error code."""
        to["x-advice"] = {
            advice.name: {"arguments": advice.arguments, "hint": advice.phrasings["wire"]}
            for advice in sorted(self, key=lambda advice: advice.name)
        }
        for code, error in to["components"]["errors"].items():
            error["data"]["advice"] = {"name": self.codes[code], "arguments": {}}


def load(folder: Path = FOLDER) -> AdviceTable:
    """Reads the table, and refuses an entry that lacks something."""
    entries: List[Advice] = []
    for path in sorted(folder.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        origin = content.pop("origin", None)
        if origin not in ORIGINS:
            raise GeneratorError(f"{path.name}: the origin is one of {', '.join(ORIGINS)}")
        entries += [entry(name, origin, members) for name, members in content.items()]
    return AdviceTable(entries)


def entry(name: str, origin: str, members: Dict[str, Any]) -> Advice:
    """The entry of the table, checked: a phrasing for each face, and in each phrasing each argument."""

    def fail(why: str) -> GeneratorError:
        return GeneratorError(f"the advice {name} {why}")

    if not re.fullmatch(r"[a-z][A-Za-z0-9]*", name):
        raise fail("isn't named like a case")
    if unknown := set(members) - KEYS:
        raise fail(f"has unknown keys: {', '.join(sorted(unknown))}")
    arguments = members.get("arguments", {})
    if wrong := [key for key, kind in arguments.items() if kind not in TYPES]:
        raise fail(f"has arguments of no type: {', '.join(wrong)}")
    codes = members.get("codes", [])
    is_of_protocol = origin == "protocol" or bool(codes) or members.get("server", False)
    advice = Advice(name, origin, {}, arguments, codes, members.get("doc", ""), is_of_protocol)
    if origin != "engine" and "swift" in members:
        raise fail("is none of the engine's, so Swift has no phrasing of it")
    if arguments and advice.codes:
        raise fail("has arguments, which a code doesn't know")
    for face in advice.faces:
        phrasing = members.get(face, members.get("all"))
        if not phrasing:
            raise fail(f"has no phrasing for {face}")
        placeholders = PLACEHOLDER.findall(phrasing)
        if {key for key, _ in placeholders} != set(arguments):
            raise fail(f"has other arguments than its phrasing for {face}")
        if any(form and arguments[key] != "names" for key, form in placeholders):
            raise fail(f"writes as a list an argument that is none, for {face}")
        advice.phrasings[face] = phrasing
    if phrasing := members.get("mcp"):
        if {key for key, _ in PLACEHOLDER.findall(phrasing)} - set(arguments):
            raise fail("has other arguments than its phrasing for mcp")
        advice.phrasings["mcp"] = phrasing
    return advice
